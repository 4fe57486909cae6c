#ifdef __SANITIZE_THREAD__
#undef _FORTIFY_SOURCE
#endif
#include "core/scene.h"
#include "lua/show.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 1024 };

/* A Lua built with _FORTIFY_SOURCE raises errors with this function. The thread sanitizer knows only longjmp: it would
 * count all functions that an error has left as still running, until its stack is full. */
#if defined(__SANITIZE_THREAD__) && defined(__GLIBC__)
_Noreturn void __longjmp_chk(jmp_buf to, int value);
_Noreturn void __longjmp_chk(jmp_buf to, int value) { longjmp(to, value); }
#endif

/* The first level that runs Lua code; false if there is none. */
static bool lua_level(lua_State *L, int first, lua_Debug *info) {
  for (int level = first; lua_getstack(L, level, info); level++) {
    lua_getinfo(L, "Sl", info);
    if (info->currentline > 0) return true;
  }
  return false;
}

/* Sinew's own modules make tables of what a scene writes. */
static bool is_own_module(const lua_Debug *info) {
  static const char folder[] = "/scripts/sinew/";
  const char *home = sinew_home();
  size_t size = strlen(home);
  return info->source[0] == '@' && strncmp(info->source + 1, home, size) == 0 &&
         strncmp(info->source + 1 + size, folder, sizeof folder - 1) == 0;
}

/* The first level that runs the scene's Lua code; if there is none, that of a module of Sinew's. */
static bool scene_level(lua_State *L, lua_Debug *info) {
  lua_Debug outer;
  if (!lua_level(L, 1, info)) return false;
  if (!is_own_module(info)) return true;
  for (int level = 2; lua_getstack(L, level, &outer); level++) {
    lua_getinfo(L, "Sl", &outer);
    if (outer.currentline <= 0 || is_own_module(&outer)) continue;
    *info = outer;
    return true;
  }
  return true;
}

void scene_line(lua_State *L, char out[DECLARED_LINE]) {
  lua_Debug info;
  if (scene_level(L, &info)) {
    snprintf(out, DECLARED_LINE, "%s:%d", info.short_src, info.currentline);
  } else {
    declarations_copy(out, DECLARED_LINE, "?");
  }
}

void scene_note_line(lua_State *L) {
  declarations *all = &scene_of(L)->declarations;
  if (all->loading) scene_line(L, all->line);
}

const char *scene_line_chunk(lua_State *L) {
  lua_Debug info;
  return scene_level(L, &info) && info.source[0] == '@' ? info.source + 1 : "?";
}

const char *scene_chunk(lua_State *L) {
  lua_Debug info;
  return lua_level(L, 1, &info) && info.source[0] == '@' ? info.source + 1 : "?";
}

/* "some/file.lua:12: message" as the parser writes it, for errors without a stack. */
static void place_from_message(sinew_scene *scene, const char *message) {
  const char *colon = strstr(message, ".lua:");
  scene->failure_location[0] = 0;
  scene->failure_line = 0;
  if (!colon || sscanf(colon + 5, "%d", &scene->failure_line) != 1) return;
  snprintf(scene->failure_location, sizeof scene->failure_location, "%.*s", (int)(colon + 4 - message), message);
}

void scene_locate_failure(sinew_scene *scene) { place_from_message(scene, scene->failure); }

/* The line of the running file that a message names anywhere; 0: none. */
static int line_in(const char *message, const lua_Debug *info) {
  char position[LUA_IDSIZE + 2];
  snprintf(position, sizeof position, "%s:", info->short_src);
  const char *at = strstr(message, position);
  return at ? atoi(at + strlen(position)) : 0;
}

/* Pushes the raised value as text. A table without __tostring is shown with its content. */
static const char *message_of(lua_State *L) {
  char shown[SHOWN];
  bool plain = lua_istable(L, 1) && luaL_getmetafield(L, 1, "__tostring") == LUA_TNIL;
  if (!plain) return luaL_tolstring(L, 1, NULL);
  show_value(L, 1, shown, sizeof shown);
  return lua_pushstring(L, shown);
}

static int on_error(lua_State *L) {
  sinew_scene *scene = scene_of(L);
  lua_Debug info;
  const char *message = message_of(L);
  place_from_message(scene, message);
  bool known = lua_level(L, 1, &info) && info.source[0] == '@';
  int line = known ? line_in(message, &info) : 0;
  if (known && (line || !scene->failure_line)) {
    declarations_copy(scene->failure_location, sizeof scene->failure_location, info.source + 1);
    scene->failure_line = line ? line : info.currentline;
  }
  luaL_traceback(L, L, message, 1);
  return 1;
}

/* Lua has a single message for memory; the reason tells which limit was reached. */
static void take_failure(sinew_scene *scene, int status) {
  bool over = scene->budget.over != BUDGET_LEFT;
  if (status == LUA_ERRMEM && !over && !scene->is_guest) {
    lua_pop(scene->L, 1);
    lua_memory_push_reason(scene->L);
  }
  const char *message = lua_tostring(scene->L, -1);
  if (!message) message = "an error that is not text";
  if (!scene->failure_line) place_from_message(scene, message);
  declarations_copy(scene->failure, sizeof scene->failure, message);
  if (status == LUA_ERRMEM && over) budget_describe(scene, scene->failure, sizeof scene->failure);
  lua_pop(scene->L, 1);
}

bool scene_call(sinew_scene *scene, int arguments, int results) {
  lua_State *L = scene->L;
  int handler = lua_gettop(L) - arguments;
  budget_before before = budget_enter(scene);
  scene->failure_line = 0;
  scene->failure_location[0] = 0;
  lua_pushcfunction(L, on_error);
  lua_insert(L, handler);
  int status = lua_pcall(L, arguments, results, handler);
  lua_remove(L, handler);
  bool fine = status == LUA_OK;
  if (!fine) take_failure(scene, status);
  scene->struck = !fine && !scene->counts && scene->budget.over == BUDGET_TIME;
  budget_leave(scene, &before);
  if (scene->shakes) scene_shake(scene);
  if (fine) return true;
  if (status == LUA_ERRMEM) lua_gc(L, LUA_GCCOLLECT);
  return false;
}

bool scene_protect(sinew_scene *scene, lua_CFunction function, void *argument) {
  lua_State *L = scene->L;
  if (!lua_checkstack(L, 8)) {
    declarations_copy(scene->failure, sizeof scene->failure, "not enough memory");
    return false;
  }
  lua_pushcfunction(L, function);
  lua_pushlightuserdata(L, argument);
  return scene_call(scene, 1, 0);
}
