/* The basic functions as a scene has them: nothing that leaves the scene, nothing that outlives its budget. */
#include "core/scene.h"
#include "sandbox/sort.h"

#include <stdio.h>
#include <string.h>

/* ---- pcall and xpcall: like Lua's own, but a spent budget raises its error again ---- */

static int finish_pcall(lua_State *L, int status, lua_KContext extra) {
  bool failed = status != LUA_OK && status != LUA_YIELD;
  if (failed) {
    budget_check(L);
    if (status == LUA_ERRMEM) lua_memory_push_reason(L);
    lua_pushboolean(L, 0);
    lua_pushvalue(L, -2);
    return 2;
  }
  return lua_gettop(L) - (int)extra;
}

static int sandbox_pcall(lua_State *L) {
  luaL_checkany(L, 1);
  lua_pushboolean(L, 1);
  lua_insert(L, 1);
  int status = lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, finish_pcall);
  return finish_pcall(L, status, 0);
}

/* Upvalue: the script's handler. An error from the hook arrives here with hooks still off, so a looping handler could
 * not be stopped: a spent budget gets no handler. */
static int guarded_handler(lua_State *L) {
  if (scene_of(L)->budget.over) return 1;
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, 1, 1);
  return 1;
}

static int sandbox_xpcall(lua_State *L) {
  int count = lua_gettop(L);
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_pushvalue(L, 2);
  lua_pushcclosure(L, guarded_handler, 1);
  lua_replace(L, 2);
  lua_pushboolean(L, 1);
  lua_pushvalue(L, 1);
  lua_rotate(L, 3, 2);
  int status = lua_pcallk(L, count - 2, LUA_MULTRET, 2, 2, finish_pcall);
  return finish_pcall(L, status, 2);
}

/* ---- metatables ---- */

static int sandbox_setmetatable(lua_State *L) {
  int type = lua_type(L, 2);
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_argexpected(L, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table");
  if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL) return luaL_error(L, "cannot change a protected metatable");
  if (type == LUA_TTABLE) {
    lua_pushliteral(L, "__gc");
    if (lua_rawget(L, 2) != LUA_TNIL) return luaL_error(L, "a scene's metatable may not have __gc");
    lua_pop(L, 1);
  }
  lua_settop(L, 2);
  lua_setmetatable(L, 1);
  return 1;
}

static int sandbox_getmetatable(lua_State *L) {
  luaL_checkany(L, 1);
  if (!lua_getmetatable(L, 1)) return 0;
  luaL_getmetafield(L, 1, "__metatable");
  return 1;
}

static int sandbox_collectgarbage(lua_State *L) {
  static const char *const options[] = {"count", "collect", "step", NULL};
  int option = luaL_checkoption(L, 1, "collect", options);
  if (option == 0) {
    lua_pushnumber(L, (lua_Number)scene_of(L)->memory_used / 1024.0);
    return 1;
  }
  /* A full collection walks all memory, so the charge grows with it. */
  budget_charge(L, 1000 + (int64_t)(scene_of(L)->memory_used / 16));
  lua_gc(L, LUA_GCCOLLECT);
  lua_pushinteger(L, 0);
  return 1;
}

/* ---- texts: where Lua shows an address, which differs from run to run, scenes see a number of their own ---- */

/* The how-manieth the value is of those whose text was asked for. */
static lua_Integer number_of(lua_State *L, int index) {
  static const char key = 0; /* of the table value → number, which keeps none of the values */
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &key) == LUA_TNIL) {
    lua_newtable(L);
    lua_createtable(L, 0, 1);
    lua_pushliteral(L, "k");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &key);
    lua_replace(L, -2);
  }
  lua_pushvalue(L, index);
  if (lua_rawget(L, -2) == LUA_TNIL) {
    lua_pushvalue(L, index);
    lua_pushinteger(L, ++scene_of(L)->shown_values);
    lua_rawset(L, -4);
  }
  lua_pushvalue(L, index);
  lua_rawget(L, -3);
  lua_Integer number = lua_tointeger(L, -1);
  lua_pop(L, 3);
  return number;
}

static bool has_address(lua_State *L, int index) {
  int type = lua_type(L, index);
  bool has = type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TTHREAD || type == LUA_TUSERDATA;
  if (!has || luaL_getmetafield(L, index, "__tostring") == LUA_TNIL) return has;
  return lua_pop(L, 1), false;
}

void sandbox_push_text(lua_State *L, int index) {
  index = lua_absindex(L, index);
  if (!has_address(L, index)) {
    luaL_tolstring(L, index, NULL);
    return;
  }
  char number[24];
  snprintf(number, sizeof number, "0x%08llx", (unsigned long long)number_of(L, index));
  if (luaL_getmetafield(L, index, "__name") == LUA_TNIL) lua_pushnil(L);
  const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : luaL_typename(L, index);
  lua_pushfstring(L, "%s: %s", name, number);
  lua_remove(L, -2);
}

static int sandbox_tostring(lua_State *L) {
  luaL_checkany(L, 1);
  sandbox_push_text(L, 1);
  return 1;
}

/* ---- pairs: integers, then sorted strings, then the rest in order of creation ---- */

static int key_rank(lua_State *L, int index) {
  switch (lua_type(L, index)) {
  case LUA_TNUMBER: return 0;
  case LUA_TSTRING: return 1;
  case LUA_TBOOLEAN: return 2;
  default: return 3;
  }
}

static int compare_strings(lua_State *L, int a, int b) {
  size_t size_a, size_b;
  const char *text_a = lua_tolstring(L, a, &size_a), *text_b = lua_tolstring(L, b, &size_b);
  int order = memcmp(text_a, text_b, size_a < size_b ? size_a : size_b);
  return order ? order : (size_a > size_b) - (size_a < size_b);
}

static uint64_t serial(lua_State *L, int index) {
  uint64_t known = lua_memory_serial(L, index);
  if (known || lua_type(L, index) != LUA_TUSERDATA) return known;
  if (lua_getiuservalue(L, index, 1) != LUA_TNUMBER) { /* our handles carry theirs */
    lua_pop(L, 1);
    return 0;
  }
  known = (uint64_t)lua_tointeger(L, -1);
  lua_pop(L, 1);
  return known;
}

static bool key_less(lua_State *L) {
  int a = lua_gettop(L) - 1, b = a + 1, rank_a = key_rank(L, a), rank_b = key_rank(L, b);
  sort_charge(L);
  if (rank_a != rank_b) return rank_a < rank_b;
  if (rank_a == 0) return lua_compare(L, a, b, LUA_OPLT);
  if (rank_a == 1) return compare_strings(L, a, b) < 0;
  if (rank_a == 2) return !lua_toboolean(L, a) && lua_toboolean(L, b);
  return serial(L, a) < serial(L, b);
}

/* Upvalues: the table, its keys in order, the position of the walk. */
static int pairs_step(lua_State *L) {
  lua_Integer i = lua_tointeger(L, lua_upvalueindex(3));
  for (;;) {
    i++;
    if (lua_rawgeti(L, lua_upvalueindex(2), i) == LUA_TNIL) return 1;
    lua_pushvalue(L, -1);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) break; /* nil: it was removed during the walk */
    lua_pop(L, 2);
  }
  lua_pushinteger(L, i);
  lua_replace(L, lua_upvalueindex(3));
  return 2;
}

/* Returns the number of keys to sort; 0 if they are already in order. */
static lua_Integer push_keys(lua_State *L) {
  lua_Integer count = 0;
  bool sorted = true;
  lua_newtable(L);
  lua_pushnil(L);
  while (lua_next(L, 1)) {
    lua_pop(L, 1);
    count++;
    sorted = sorted && lua_isinteger(L, -1) && lua_tointeger(L, -1) == count;
    lua_pushvalue(L, -1);
    lua_rawseti(L, 2, count);
  }
  budget_charge(L, count);
  return sorted ? 0 : count;
}

static int sandbox_pairs(lua_State *L) {
  luaL_checkany(L, 1);
  if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
    lua_pushvalue(L, 1);
    lua_call(L, 1, 3);
    return 3;
  }
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  lua_Integer unsorted = push_keys(L);
  if (unsorted > 0) sort_list(L, 2, unsorted, key_less);
  lua_pushvalue(L, 1);
  lua_insert(L, 2);
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, pairs_step, 3);
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

void sandbox_base(lua_State *L) {
  static const luaL_Reg functions[] = {{"pcall", sandbox_pcall},
                                       {"xpcall", sandbox_xpcall},
                                       {"setmetatable", sandbox_setmetatable},
                                       {"getmetatable", sandbox_getmetatable},
                                       {"collectgarbage", sandbox_collectgarbage},
                                       {"tostring", sandbox_tostring},
                                       {"pairs", sandbox_pairs},
                                       {NULL, NULL}};
  luaL_setfuncs(L, functions, 0);
}
