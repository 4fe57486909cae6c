/* What `sinew test` runs: sinew.test, and each function of sinew.tests under its name. */
#include "core/scene.h"

#include <string.h>

typedef struct test_search {
  int index;
  char *name; /* receives the name of the test with that index */
  bool found;
} test_search;

/* The first name after `after` in order, or NULL. It lives in the table. */
static const char *next_name(lua_State *L, int table, const char *after) {
  const char *best = NULL;
  lua_pushnil(L);
  while (lua_next(L, table)) {
    lua_pop(L, 1);
    const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    if (name && (!after || strcmp(name, after) > 0) && (!best || strcmp(name, best) < 0)) best = name;
  }
  return best;
}

static int find_name(lua_State *L) {
  test_search *s = lua_touserdata(L, 1);
  const char *name = NULL;
  epoch_push(L, "tests");
  if (!lua_istable(L, -1)) return 0;
  int table = lua_gettop(L);
  for (int i = 0; i <= s->index && (name = next_name(L, table, name)); i++) continue;
  s->found = name != NULL;
  if (name) declarations_copy(s->name, SINEW_TEST_NAME, name);
  return 0;
}

bool sinew_scene_test_name(const sinew_scene *scene, int index, char name[SINEW_TEST_NAME]) {
  test_search s = {.index = index};
  s.name = name;
  if (index >= 0 && scene->loaded_once) scene_protect((sinew_scene *)(uintptr_t)scene, find_name, &s);
  return s.found;
}

static int has_test(lua_State *L) {
  bool *found = lua_touserdata(L, 1);
  epoch_push(L, "test");
  *found = lua_isfunction(L, -1);
  return 0;
}

bool sinew_scene_has_test(const sinew_scene *scene) {
  bool found = false;
  if (scene->loaded_once) scene_protect((sinew_scene *)(uintptr_t)scene, has_test, &found);
  return found;
}

/* Given a name, or NULL for sinew.test. */
static int run_test(lua_State *L) {
  const char *name = lua_touserdata(L, 1);
  epoch_push(L, name ? "tests" : "test");
  if (name && lua_getfield(L, -1, name) != LUA_TFUNCTION)
    return luaL_error(L, "sinew.tests.%s is no function (but a %s)", name, luaL_typename(L, -1));
  lua_call(L, 0, 0);
  return 0;
}

bool sinew_scene_test(sinew_scene *scene, const char *name, sinew_error *error) {
  char first[SINEW_TEST_NAME];
  if (!name && !sinew_scene_has_test(scene)) {
    bool named = sinew_scene_test_name(scene, 0, first);
    return declarations_fail(error, "%s has no %s", scene->path,
                             named ? "sinew.test, only named ones in sinew.tests"
                                   : "test: define function sinew.test() … end");
  }
  scene->testing = true;
  budget_begin_frame(scene);
  bool fine = scene_protect(scene, run_test, (void *)(uintptr_t)name);
  scene->testing = false;
  if (fine) return true;
  if (!scene->problem[0]) declarations_copy(scene->problem, sizeof scene->problem, scene->failure);
  return declarations_fail(error, "%s", scene->failure);
}
