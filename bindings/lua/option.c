/* Reads options that have been checked. */
#include "core/api.h"

bool option_push(lua_State *L, int index, const char *name) {
  if (!lua_istable(L, index)) return false;
  lua_pushstring(L, name);
  if (lua_rawget(L, index) != LUA_TNIL) return true;
  lua_pop(L, 1);
  return false;
}

double option_number(lua_State *L, int index, const char *name, double fallback) {
  if (!option_push(L, index, name)) return fallback;
  double value = lua_tonumber(L, -1);
  lua_pop(L, 1);
  return value;
}

bool flag_option(lua_State *L, int index, const char *name, bool fallback) {
  if (!option_push(L, index, name)) return fallback;
  bool value = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return value;
}

void vector_option(lua_State *L, int index, const char *name, float *values, int count) {
  if (!option_push(L, index, name)) return;
  vector_read(L, -1, values, count);
  lua_pop(L, 1);
}
