/* Tables that functions of sinew return: copies of what they were given, marked with a kind and a line. */
#include "api/api.h"

static const char line_key;

int marked_push(lua_State *L, const void *kind_key, int kind) {
  char line[WORLD_LINE];
  scene_line(L, line);
  lua_newtable(L);
  lua_pushnil(L);
  while (lua_next(L, 1)) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -4);
  }
  lua_pushinteger(L, kind);
  lua_rawsetp(L, -2, kind_key);
  lua_pushstring(L, line);
  lua_rawsetp(L, -2, &line_key);
  return 1;
}

bool marked_is(lua_State *L, int index, const void *kind_key) {
  if (!lua_istable(L, index)) return false;
  bool is = lua_rawgetp(L, index, kind_key) == LUA_TNUMBER;
  lua_pop(L, 1);
  return is;
}

const char *marked_push_line(lua_State *L, int index) {
  lua_rawgetp(L, index, &line_key);
  return lua_tostring(L, -1);
}
