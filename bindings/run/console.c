/* The console: evaluates a typed line in the scene. */
#include "core/api.h"
#include "core/scene.h"
#include "lua/show.h"

#include <stdio.h>
#include <string.h>

/* ---- names ---- */

/* The variable of the scene's files, the global, or the actor with that name. */
void console_push(lua_State *L, const char *name) {
  if (locals_push(L, name)) return;
  epoch_push(L, "env");
  lua_getfield(L, -1, name); /* names that scenes do not have explain themselves */
  lua_remove(L, -2);
  const actor_record *actor = lua_isnil(L, -1) ? declarations_find_actor(&scene_of(L)->declarations, name) : NULL;
  if (!actor) return;
  lua_pop(L, 1);
  actor_push(L, actor);
}

static int look_up(lua_State *L) {
  console_push(L, luaL_checkstring(L, 2));
  return 1;
}

static int assign(lua_State *L) {
  const char *name = luaL_checkstring(L, 2);
  lua_settop(L, 3);
  if (locals_assign(L, name)) return 0;
  epoch_push(L, "env");
  lua_insert(L, 3);
  lua_setfield(L, 3, name);
  return 0;
}

static void push_environment(lua_State *L) {
  lua_newtable(L);
  lua_newtable(L);
  lua_pushcfunction(L, look_up);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, assign);
  lua_setfield(L, -2, "__newindex");
  lua_pushliteral(L, "locked");
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
}

/* ---- evaluating ---- */

typedef struct evaluation {
  const char *text;
  char *out;
  size_t size;
} evaluation;

/* An expression is compiled as a statement that returns it. */
static void compile(lua_State *L, const char *text) {
  const char *expression = lua_pushfstring(L, "return %s", text);
  if (budget_load(L, expression, strlen(expression), "=console") != LUA_OK) {
    lua_pop(L, 1);
    if (budget_load(L, text, strlen(text), "=console") != LUA_OK) lua_error(L);
  }
  lua_remove(L, -2);
  push_environment(L);
  if (!lua_setupvalue(L, -2, 1)) lua_pop(L, 1);
}

static void show_results(lua_State *L, int first, const evaluation *e) {
  size_t used = 0;
  for (int i = first; i <= lua_gettop(L) && used + 1 < e->size; i++) {
    if (i > first) e->out[used++] = '\n';
    show_value(L, i, e->out + used, e->size - used);
    used += strlen(e->out + used);
  }
}

static int evaluate(lua_State *L) {
  const evaluation *e = lua_touserdata(L, 1);
  int top = lua_gettop(L);
  compile(L, e->text);
  lua_call(L, 0, LUA_MULTRET);
  show_results(L, top + 1, e);
  return 0;
}

/* The first line says enough; the traceback is that of the console. */
static void tell_failure(const sinew_scene *scene, char *out, size_t size) {
  const char *stack = strstr(scene->failure, "\nstack traceback:");
  size_t length = stack ? (size_t)(stack - scene->failure) : strlen(scene->failure);
  snprintf(out, size, "%.*s", (int)length, scene->failure);
}

bool sinew_scene_evaluate(sinew_scene *scene, const char *text, char *out, size_t size) {
  evaluation e = {text, out, size};
  if (size == 0) return false;
  out[0] = 0;
  if (sinew_stage_is_locked(scene->declarations.stage)) return snprintf(out, size, "the stage is being updated"), false;
  if (!scene->loaded_once) return snprintf(out, size, "the scene has not been loaded yet"), false;
  void *locale = sinew_enter_c_locale();
  bool fine = scene_protect(scene, evaluate, &e);
  if (!fine) tell_failure(scene, out, size);
  sinew_leave_c_locale(locale);
  return fine;
}

bool sinew_lua_parses(const char *name, const char *text, char *message, size_t size) {
  lua_State *L = luaL_newstate();
  if (!L) return snprintf(message, size, "out of memory"), false;
  lua_pushfstring(L, "=%s", name);
  bool fine = luaL_loadbufferx(L, text, strlen(text), lua_tostring(L, -1), "t") == LUA_OK;
  if (!fine) snprintf(message, size, "%s", lua_tostring(L, -1));
  lua_close(L);
  return fine;
}

/* ---- places ---- */

static bool ends_with(const char *path, const char *name) {
  size_t length = strlen(path), end = strlen(name);
  if (end == 0 || end > length || strcmp(path + length - end, name) != 0) return false;
  return end == length || path[length - end - 1] == '/';
}

/* Messages shorten long names to "...of/scene.lua". */
bool sinew_scene_locate(const sinew_scene *scene, const char *name, char *path, size_t size) {
  bool shortened = strncmp(name, "...", 3) == 0;
  const char *slash = shortened ? strchr(name, '/') : NULL;
  if (shortened) name = slash ? slash + 1 : name + 3;
  for (int i = 0; i < scene->file_count; i++) {
    if (!ends_with(scene->files[i].path, name)) continue;
    declarations_copy(path, size, scene->files[i].path);
    return true;
  }
  return false;
}
