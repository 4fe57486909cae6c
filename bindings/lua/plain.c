#include "lua/plain.h"

#include "core/api.h"
#include "core/scene.h"

enum {
  STACK_SLOTS = 16, /* of the stack, for each nested table */
  VALUE_COST = 5
};

/* A table with several references is visited for each of them. */
static void begin_value(lua_State *L) {
  luaL_checkstack(L, STACK_SLOTS, NULL);
  budget_charge(L, VALUE_COST);
}

static bool is_scalar(int type) {
  return type == LUA_TNIL || type == LUA_TBOOLEAN || type == LUA_TNUMBER || type == LUA_TSTRING;
}

static bool is_key(int type) { return type == LUA_TBOOLEAN || type == LUA_TNUMBER || type == LUA_TSTRING; }

static bool has_metatable(lua_State *L, int index) {
  bool has = lua_getmetatable(L, index);
  if (has) lua_pop(L, 1);
  return has;
}

/* Pushes memo[key at `index`]; returns false, and pushes nothing, if there is none. */
static bool push_known(lua_State *L, int memo, int index) {
  lua_pushvalue(L, index);
  if (lua_rawget(L, memo) != LUA_TNIL) return true;
  lua_pop(L, 1);
  return false;
}

static void remember(lua_State *L, int memo, int key, int value) {
  lua_pushvalue(L, key);
  lua_pushvalue(L, value);
  lua_rawset(L, memo);
}

/* ---- copies ---- */

plain_copier plain_begin(lua_State *L) {
  lua_newtable(L);
  return (plain_copier){.memo = lua_gettop(L), .left = PLAIN_VALUES};
}

static bool copy(lua_State *L, plain_copier *c, int index, int depth);

static bool copy_fields(lua_State *L, plain_copier *c, int source, int target, int depth) {
  lua_pushnil(L);
  while (lua_next(L, source)) {
    int key = lua_gettop(L) - 1;
    if (!copy(L, c, key + 1, depth + 1)) return false;
    lua_pushvalue(L, key);
    lua_insert(L, -2);
    lua_rawset(L, target);
    lua_settop(L, key);
  }
  return true;
}

static bool copy(lua_State *L, plain_copier *c, int index, int depth) {
  int top = lua_gettop(L);
  begin_value(L);
  if (--c->left < 0 || depth > PLAIN_DEPTH) return false;
  if (!lua_istable(L, index)) return lua_pushvalue(L, index), true;
  if (push_known(L, c->memo, index)) return true;
  lua_newtable(L);
  remember(L, c->memo, index, top + 1);
  bool whole = copy_fields(L, c, index, top + 1, depth);
  lua_settop(L, whole ? top + 1 : top);
  return whole;
}

bool plain_copy(lua_State *L, plain_copier *c, int index) { return copy(L, c, lua_absindex(L, index), 0); }

/* ---- questions ---- */

typedef struct walk {
  int memo, left;
  bool is_too_large;
} walk;

static bool is_plain(lua_State *L, walk *w, int index, int depth);

static bool fields_are_plain(lua_State *L, walk *w, int index, int depth) {
  lua_pushnil(L);
  while (lua_next(L, index)) {
    int value = lua_gettop(L);
    if (!is_key(lua_type(L, value - 1)) || !is_plain(L, w, value, depth + 1)) return false;
    lua_settop(L, value - 1);
  }
  return true;
}

static bool is_plain(lua_State *L, walk *w, int index, int depth) {
  int top = lua_gettop(L), type = lua_type(L, index);
  begin_value(L);
  w->is_too_large = w->is_too_large || --w->left < 0 || depth > PLAIN_DEPTH;
  if (w->is_too_large) return false;
  if (type == LUA_TUSERDATA) return api_test(L, index, "vector");
  if (type != LUA_TTABLE) return is_scalar(type);
  if (has_metatable(L, index)) return false;
  if (push_known(L, w->memo, index)) return lua_settop(L, top), true;
  remember(L, w->memo, index, index);
  bool plain = fields_are_plain(L, w, index, depth);
  lua_settop(L, top);
  return plain;
}

plain_answer plain_ask(lua_State *L, int index) {
  index = lua_absindex(L, index);
  lua_newtable(L);
  walk w = {.memo = lua_gettop(L), .left = PLAIN_VALUES};
  bool plain = is_plain(L, &w, index, 0);
  lua_settop(L, w.memo - 1);
  return plain ? PLAIN_YES : w.is_too_large ? PLAIN_TOO_LARGE : PLAIN_NO;
}

static bool equal(lua_State *L, walk *w, int a, int b, int depth);

/* Whether every field of `a` is in `b` with an equal value. Counts the fields. */
static bool has_fields(lua_State *L, walk *w, int a, int b, int depth, int *count) {
  lua_pushnil(L);
  while (lua_next(L, a)) {
    int key = lua_gettop(L) - 1;
    lua_pushvalue(L, key);
    lua_rawget(L, b);
    if (!equal(L, w, key + 1, key + 2, depth + 1)) return false;
    lua_settop(L, key);
    ++*count;
  }
  return true;
}

static int count_fields(lua_State *L, int index) {
  int count = 0;
  lua_pushnil(L);
  while (lua_next(L, index)) {
    lua_pop(L, 1);
    budget_charge(L, 1);
    count++;
  }
  return count;
}

/* Tables already being compared further up count as equal, which ends cycles. */
static bool equal_tables(lua_State *L, walk *w, int a, int b, int depth) {
  int count = 0;
  if (push_known(L, w->memo, a)) return lua_rawequal(L, -1, b);
  remember(L, w->memo, a, b);
  return has_fields(L, w, a, b, depth, &count) && count == count_fields(L, b);
}

static bool equal_vectors(lua_State *L, int a, int b) {
  float x[4], y[4];
  for (int count = 3; count <= 4; count++)
    if (api_test(L, a, "vector") && vector_read(L, a, x, count))
      return api_test(L, b, "vector") && vector_read(L, b, y, count) && memcmp(x, y, (size_t)count * sizeof *x) == 0;
  return false;
}

static bool are_both_nan(lua_State *L, int a, int b) {
  return lua_type(L, a) == LUA_TNUMBER && lua_type(L, b) == LUA_TNUMBER && !lua_rawequal(L, a, a) &&
         !lua_rawequal(L, b, b);
}

static bool equal(lua_State *L, walk *w, int a, int b, int depth) {
  int top = lua_gettop(L);
  begin_value(L);
  if (--w->left < 0 || depth > PLAIN_DEPTH) return false;
  if (lua_type(L, a) == LUA_TTABLE && lua_type(L, b) == LUA_TTABLE) {
    bool same = equal_tables(L, w, a, b, depth);
    lua_settop(L, top);
    return same;
  }
  return lua_rawequal(L, a, b) || are_both_nan(L, a, b) ||
         (lua_type(L, a) == LUA_TUSERDATA && lua_type(L, b) == LUA_TUSERDATA && equal_vectors(L, a, b));
}

bool plain_equal(lua_State *L, int a, int b) {
  a = lua_absindex(L, a);
  b = lua_absindex(L, b);
  lua_newtable(L);
  walk w = {.memo = lua_gettop(L), .left = PLAIN_VALUES};
  bool same = equal(L, &w, a, b, 0);
  lua_settop(L, w.memo - 1);
  return same;
}
