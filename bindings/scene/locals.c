/* File-locals begin again with every load. Those whose value a person may miss, because they were counted or switched
 * since the load before, are said: their values right after a load are remembered and compared at the next one. */
#include "api/api.h"
#include "scene/scene.h"

#include <string.h>

/* Calls `visit(L)` with each handler's function on the top of the stack; it leaves the stack as it was. */
static void each_handler(lua_State *L, void (*visit)(lua_State *L)) {
  generation_push_current(L, "handlers");
  for (int e = 0; lua_istable(L, -1) && event_name(e); e++) {
    lua_getfield(L, -1, event_name(e));
    for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, -1); i++) {
      lua_rawgeti(L, -1, i);
      if (lua_getfield(L, -1, "call") == LUA_TFUNCTION && !lua_iscfunction(L, -1)) visit(L);
      lua_pop(L, 2);
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/* Numbers, strings and switches; what a table or a function holds is not compared. */
static bool is_plain(lua_State *L, int index) {
  int type = lua_type(L, index);
  return type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TBOOLEAN;
}

/* A table of plain values by name is at index 1: adds the function's own. */
static void remember(lua_State *L) {
  const char *name;
  for (int n = 1; (name = lua_getupvalue(L, -1, n)) != NULL; n++) {
    if (name[0] && is_plain(L, -1)) {
      lua_setfield(L, 1, name);
    } else {
      lua_pop(L, 1);
    }
  }
}

static void say(lua_State *L, const char *name) {
  const char *line =
      lua_pushfstring(L, "the file-local '%s' was %s and begins again", name, luaL_tolstring(L, -1, NULL));
  scene_print(scene_of(L), SINEW_LOG_INFO, line);
  lua_pop(L, 2);
}

/* The same table at index 1: says the values that are others now, each once. */
static void compare(lua_State *L) {
  const char *name;
  for (int n = 1; (name = lua_getupvalue(L, -1, n)) != NULL; n++) {
    if (name[0] && is_plain(L, -1) && lua_getfield(L, 1, name) != LUA_TNIL) {
      if (!lua_rawequal(L, -1, -2)) {
        lua_pushvalue(L, -2);
        say(L, name);
        lua_pop(L, 1);
        lua_pushnil(L);
        lua_setfield(L, 1, name);
      }
      lua_pop(L, 1);
    } else if (name[0] && is_plain(L, -1)) {
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
}

int locals_compare(lua_State *L) {
  lua_settop(L, 0);
  generation_push_current(L, "locals");
  if (lua_istable(L, 1)) each_handler(L, compare);
  return 0;
}

int locals_remember(lua_State *L) {
  lua_settop(L, 0);
  lua_newtable(L);
  each_handler(L, remember);
  generation_set(L, "locals", 1);
  return 0;
}
