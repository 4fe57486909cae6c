/* Runs tests for `sinew test`: sinew.test, and each function of sinew.tests under its name. */
#include "core/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct test_names {
  char (*items)[SINEW_TEST_NAME];
  int count;
} test_names;

static int compare_names(const void *a, const void *b) { return strcmp(a, b); }

/* The argument is a test_names, with room for SINEW_TESTS. */
static int find_names(lua_State *L) {
  test_names *names = lua_touserdata(L, 1);
  epoch_push(L, "tests");
  if (!lua_istable(L, -1)) return 0;
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    lua_pop(L, 1);
    if (lua_type(L, -1) != LUA_TSTRING) continue;
    if (names->count == SINEW_TESTS) return luaL_error(L, "sinew.tests has more than %d tests", SINEW_TESTS);
    declarations_copy(names->items[names->count++], SINEW_TEST_NAME, lua_tostring(L, -1));
  }
  qsort(names->items, (size_t)names->count, sizeof *names->items, compare_names);
  return 0;
}

int sinew_scene_test_names(const sinew_scene *scene, char items[SINEW_TESTS][SINEW_TEST_NAME], sinew_error *error) {
  test_names names = {.items = items};
  bool fine = !scene->loaded_once || scene_protect((sinew_scene *)(uintptr_t)scene, find_names, &names);
  if (!fine) declarations_fail(error, "%s", scene->failure);
  return fine ? names.count : -1;
}

static int has_test(lua_State *L) {
  bool *found = lua_touserdata(L, 1);
  epoch_push(L, "test");
  *found = lua_isfunction(L, -1);
  return 0;
}

static int has_named(lua_State *L) {
  bool *found = lua_touserdata(L, 1);
  epoch_push(L, "tests");
  lua_pushnil(L);
  *found = lua_istable(L, -2) && lua_next(L, -2) != 0;
  return 0;
}

bool sinew_scene_has_test(const sinew_scene *scene) {
  bool found = false;
  if (scene->loaded_once) scene_protect((sinew_scene *)(uintptr_t)scene, has_test, &found);
  return found;
}

/* The table of tests is below the top. */
static int unknown_test(lua_State *L, const char *name) {
  enum { MOST = 32 };
  const char *names[MOST];
  int count = 0, tests = lua_gettop(L) - 1;
  for (lua_pushnil(L); count < MOST && lua_next(L, tests); lua_pop(L, 1))
    if (lua_type(L, -2) == LUA_TSTRING) names[count++] = lua_tostring(L, -2);
  const char *near = sinew_nearest_name(name, names, count);
  if (!near) return luaL_error(L, "no test '%s' in sinew.tests", name);
  return luaL_error(L, "no test '%s' in sinew.tests; did you mean '%s'?", name, near);
}

/* The argument is a name, or NULL for sinew.test. */
static int run_test(lua_State *L) {
  const char *name = lua_touserdata(L, 1);
  epoch_push(L, name ? "tests" : "test");
  if (name && lua_getfield(L, -1, name) != LUA_TFUNCTION)
    return lua_isnil(L, -1) ? unknown_test(L, name)
                            : luaL_error(L, "sinew.tests.%s is not a function but a %s", name, luaL_typename(L, -1));
  lua_call(L, 0, 0);
  return 0;
}

/* What checks noted comes before the error that ended the test. */
static void add_checks(sinew_scene *scene) {
  char whole[sizeof scene->failure];
  size_t used = (size_t)snprintf(whole, sizeof whole, "%s\n", scene->checks);
  if (used < sizeof whole) declarations_copy(whole + used, sizeof whole - used, scene->failure);
  memcpy(scene->failure, whole, sizeof whole);
}

bool sinew_scene_test(sinew_scene *scene, const char *name, sinew_error *error) {
  if (!name && !sinew_scene_has_test(scene)) {
    bool named = false;
    scene_protect(scene, has_named, &named);
    return declarations_fail(error, "%s has no %s", scene->path,
                             named ? "sinew.test, only named ones in sinew.tests"
                                   : "test: define function sinew.test() … end");
  }
  scene->testing = true;
  budget_begin_frame(scene);
  scene->simulated = 0;
  scene->failed_checks = 0;
  scene->checks[0] = 0;
  bool fine = scene_protect(scene, run_test, (void *)(uintptr_t)name);
  scene->testing = false;
  if (fine && scene->failed_checks == 0) return true;
  if (fine) declarations_copy(scene->failure, sizeof scene->failure, scene->checks);
  else if (scene->failed_checks) add_checks(scene);
  if (!scene->problem[0]) declarations_copy(scene->problem, sizeof scene->problem, scene->failure);
  return declarations_fail(error, "%s", scene->failure);
}
