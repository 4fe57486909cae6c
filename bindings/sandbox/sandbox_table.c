/* The table library. Each function reads a length once, because a __len may give another answer the second time, and
 * charges for each element as it is touched, because __index and __newindex may do anything. */
#include "core/scene.h"
#include "sandbox/sort.h"

enum { VALUES = 65536 }; /* of one call: each is copied wherever they are passed as "..." */

enum { READS = 1, WRITES = 2, MEASURES = 4 };

static bool has(lua_State *L, const char *field) {
  bool found = luaL_getmetafield(L, 1, field) != LUA_TNIL;
  if (found) lua_pop(L, 1);
  return found;
}

/* Checks for a table, or a value that can act as one. */
static void check_table(lua_State *L, int index, int needs) {
  if (lua_istable(L, index)) return;
  lua_pushvalue(L, index);
  lua_insert(L, 1);
  bool fine = (!(needs & READS) || has(L, "__index")) && (!(needs & WRITES) || has(L, "__newindex")) &&
              (!(needs & MEASURES) || has(L, "__len"));
  lua_remove(L, 1);
  if (!fine) luaL_checktype(L, index, LUA_TTABLE);
}

static lua_Integer length(lua_State *L, int needs) {
  check_table(L, 1, needs | MEASURES);
  return luaL_len(L, 1);
}

/* The size of the range first .. last, at most LUA_MAXINTEGER. */
static lua_Integer span(lua_Integer first, lua_Integer last) {
  lua_Unsigned count = last < first ? 0 : (lua_Unsigned)last - (lua_Unsigned)first + 1;
  return count == 0 && last >= first ? LUA_MAXINTEGER : count > LUA_MAXINTEGER ? LUA_MAXINTEGER : (lua_Integer)count;
}

/* Copies one element of the table at 1 into another table. */
static void copy(lua_State *L, lua_Integer from, int table, lua_Integer to) {
  budget_charge(L, 1);
  lua_geti(L, 1, from);
  lua_seti(L, table, to);
}

static int table_insert(lua_State *L) {
  lua_Integer end = (lua_Integer)((lua_Unsigned)length(L, READS | WRITES) + 1), at = end;
  int count = lua_gettop(L);
  if (count != 2 && count != 3) return luaL_error(L, "wrong number of arguments to 'insert'");
  if (count == 3) at = luaL_checkinteger(L, 2);
  if (count == 3) luaL_argcheck(L, (lua_Unsigned)at - 1u < (lua_Unsigned)end, 2, "position out of bounds");
  sandbox_limit(L, span(at, end), "table.insert");
  for (lua_Integer i = end; i > at; i--) copy(L, i - 1, 1, i);
  lua_seti(L, 1, at);
  return 0;
}

static int table_remove(lua_State *L) {
  lua_Integer size = length(L, READS | WRITES), at = luaL_optinteger(L, 2, size);
  if (at != size) luaL_argcheck(L, (lua_Unsigned)at - 1u <= (lua_Unsigned)size, 2, "position out of bounds");
  sandbox_limit(L, span(at, size), "table.remove");
  lua_geti(L, 1, at);
  for (; at < size; at++) copy(L, at + 1, 1, at);
  lua_pushnil(L);
  lua_seti(L, 1, at);
  return 1;
}

static int table_move(lua_State *L) {
  lua_Integer first = luaL_checkinteger(L, 2), last = luaL_checkinteger(L, 3), to = luaL_checkinteger(L, 4);
  int table = lua_isnoneornil(L, 5) ? 1 : 5;
  check_table(L, 1, READS);
  check_table(L, table, WRITES);
  lua_Integer count = span(first, last);
  sandbox_limit(L, count, "table.move");
  luaL_argcheck(L, count == 0 || to <= LUA_MAXINTEGER - count + 1, 4, "destination wrap around");
  bool is_apart = to > last || to <= first || (table != 1 && !lua_compare(L, 1, table, LUA_OPEQ));
  for (lua_Integer i = 0; i < count; i++) {
    lua_Integer step =
        is_apart ? i
                 : count - 1 - i; /* from the end, if copying forwards would overwrite values before they are read */
    copy(L, first + step, table, to + step);
  }
  lua_pushvalue(L, table);
  return 1;
}

static void add_element(lua_State *L, luaL_Buffer *b, lua_Integer i) {
  budget_charge(L, 1);
  lua_geti(L, 1, i);
  if (!lua_isstring(L, -1)) luaL_error(L, "invalid value (at index %I) in table for 'concat'", (LUAI_UACINT)i);
  luaL_addvalue(b);
}

static int table_concat(lua_State *L) {
  size_t size;
  lua_Integer last = length(L, READS);
  const char *between = luaL_optlstring(L, 2, "", &size);
  lua_Integer first = luaL_optinteger(L, 3, 1);
  last = luaL_optinteger(L, 4, last);
  lua_Integer count = span(first, last);
  sandbox_limit(L, count, "table.concat");
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  for (lua_Integer i = 0; i < count; i++) {
    if (i > 0) luaL_addlstring(&b, between, size);
    add_element(L, &b, (lua_Integer)((lua_Unsigned)first + (lua_Unsigned)i));
  }
  luaL_pushresult(&b);
  return 1;
}

static int table_unpack(lua_State *L) {
  lua_Integer first = luaL_optinteger(L, 2, 1);
  lua_Integer last = lua_isnoneornil(L, 3) ? luaL_len(L, 1) : luaL_checkinteger(L, 3), count = span(first, last);
  if (count > VALUES) return luaL_error(L, "table.unpack: %I is too many", (LUAI_UACINT)count);
  luaL_checkstack(L, (int)count, "too many results to unpack");
  for (lua_Integer i = 0; i < count; i++) {
    budget_charge(L, 1);
    lua_geti(L, 1, (lua_Integer)((lua_Unsigned)first + (lua_Unsigned)i));
  }
  return (int)count;
}

static bool is_less(lua_State *L) {
  sort_charge(L);
  return lua_compare(L, -2, -1, LUA_OPLT);
}

/* The script's function is at 2. */
static bool calls_before(lua_State *L) {
  budget_charge(L, 1);
  lua_pushvalue(L, 2);
  lua_pushvalue(L, -3);
  lua_pushvalue(L, -3);
  lua_call(L, 2, 1);
  bool before = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return before;
}

static int table_sort(lua_State *L) {
  lua_Integer count = length(L, READS | WRITES);
  if (count > 1 && !lua_isnoneornil(L, 2)) luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_settop(L, 2);
  sandbox_limit(L, count < 0 ? 0 : count, "table.sort");
  lua_createtable(L, count > 0 && count < VALUES ? (int)count : 0, 0);
  for (lua_Integer i = 1; i <= count; i++) copy(L, i, 3, i);
  sort_list(L, 3, count, lua_isnil(L, 2) ? is_less : calls_before);
  for (lua_Integer i = 1; i <= count; i++) {
    lua_rawgeti(L, 3, i);
    lua_seti(L, 1, i);
  }
  return 0;
}

void sandbox_table(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"insert", table_insert}, {"remove", table_remove}, {"move", table_move}, {"concat", table_concat},
      {"unpack", table_unpack}, {"sort", table_sort},     {NULL, NULL}};
  lua_newtable(L);
  luaL_setfuncs(L, functions, 0);
  lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_getfield(L, -1, LUA_TABLIBNAME);
  lua_getfield(L, -1, "pack");
  lua_setfield(L, -4, "pack");
  lua_pop(L, 2);
}
