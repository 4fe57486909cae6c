#include "lua/reach.h"

#include "core/scene.h"

#include <lauxlib.h>

enum { MOST_VALUES = 8000000 };

typedef struct search {
  int seen, queue; /* stack indices: object → true; objects still to be visited, from 1 */
  lua_Integer first, last;
  int left;
  const reach_visitor *visitor;
} search;

static bool is_object(lua_State *L, int index) {
  int type = lua_type(L, index);
  return type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TUSERDATA || type == LUA_TTHREAD;
}

/* Takes the value on the top into account, which `object` holds. True if another is in its place. */
static bool look(lua_State *L, search *s, int object) {
  const reach_visitor *v = s->visitor;
  s->left--;
  if (!is_object(L, -1)) return false;
  bool other = v->slot && v->slot(L, object, v->user);
  lua_pushvalue(L, -1);
  bool seen = lua_rawget(L, s->seen) != LUA_TNIL;
  lua_pop(L, 1);
  if (seen) return other;
  lua_pushvalue(L, -1);
  lua_pushboolean(L, 1);
  lua_rawset(L, s->seen);
  lua_pushvalue(L, -1);
  lua_rawseti(L, s->queue, ++s->last);
  return other;
}

/* The keys that have others in their places, and those, lie above the table. */
static void exchange_keys(lua_State *L, int table, int first) {
  for (int key = first; key < lua_gettop(L); key += 2) {
    lua_pushvalue(L, key);
    lua_rawget(L, table);
    lua_pushvalue(L, key);
    lua_pushnil(L);
    lua_rawset(L, table);
    lua_pushvalue(L, key + 1);
    bool free = lua_rawget(L, table) == LUA_TNIL;
    lua_pop(L, 1);
    lua_pushvalue(L, key + 1);
    lua_insert(L, -2);
    if (free) lua_rawset(L, table);
    else lua_pop(L, 2);
  }
  lua_settop(L, first - 1);
}

static void look_at_table(lua_State *L, search *s, int table) {
  int first = lua_gettop(L) + 1;
  lua_pushnil(L);
  while (s->left > 0 && lua_next(L, table)) {
    int key = lua_gettop(L) - 1;
    bool objects = is_object(L, key + 1) || is_object(L, key);
    if (!objects) {
      s->left--;
      lua_settop(L, key);
      continue;
    }
    if (look(L, s, table)) {
      lua_pushvalue(L, key);
      lua_insert(L, -2);
      lua_rawset(L, table);
    } else {
      lua_pop(L, 1);
    }
    lua_pushvalue(L, key);
    if (look(L, s, table)) { /* both wait below the key */
      luaL_checkstack(L, 8, NULL);
      lua_pushvalue(L, key);
    } else {
      lua_pop(L, 1);
    }
  }
  exchange_keys(L, table, first);
}

static void look_at_upvalues(lua_State *L, search *s, int function) {
  for (int n = 1; lua_getupvalue(L, function, n); n++)
    if (!look(L, s, function) || !lua_setupvalue(L, function, n)) lua_pop(L, 1);
}

static void look_at_user_values(lua_State *L, search *s, int userdata) {
  for (int n = 1; lua_getiuservalue(L, userdata, n) != LUA_TNONE; n++)
    if (look(L, s, userdata)) lua_setiuservalue(L, userdata, n);
    else lua_pop(L, 1);
  lua_pop(L, 1); /* the nil that ends the list */
}

/* One call of a waiting coroutine: its function and its local variables, including unnamed ones. */
static void look_at_call(lua_State *L, search *s, int thread, lua_State *co, lua_Debug *call) {
  lua_getinfo(co, "f", call);
  lua_xmove(co, L, 1);
  int function = lua_gettop(L);
  const reach_visitor *v = s->visitor;
  const reach_visitor runs = {.visit = v->visit, .user = v->user, .cost = v->cost}; /* it goes on as it is */
  s->visitor = &runs;
  look(L, s, thread);
  s->visitor = v;
  lua_settop(L, function - 1);
  for (int n = 1; lua_getlocal(co, call, n); n++) {
    lua_xmove(co, L, 1);
    bool other = look(L, s, thread);
    if (other) lua_xmove(L, co, 1);
    else lua_pop(L, 1);
    if (other && !lua_setlocal(co, call, n)) lua_pop(co, 1);
  }
}

static void look_at_stack(lua_State *L, search *s, int thread, lua_State *co) {
  lua_Debug call;
  if (co == L || lua_status(co) > LUA_YIELD || !lua_checkstack(co, 4)) return;
  for (int i = 1; i <= lua_gettop(co); i++) {
    lua_pushvalue(co, i);
    lua_xmove(co, L, 1);
    if (look(L, s, thread)) lua_xmove(L, co, 1), lua_replace(co, i);
    else lua_pop(L, 1);
  }
  for (int level = 0; lua_getstack(co, level, &call); level++) look_at_call(L, s, thread, co, &call);
}

/* The object is on the top. */
static void look_at(lua_State *L, search *s) {
  int object = lua_gettop(L), type = lua_type(L, object);
  if (type != LUA_TUSERDATA && s->visitor->visit) s->visitor->visit(L, object, s->visitor->user);
  if (lua_getmetatable(L, object)) {
    if (look(L, s, object) && type == LUA_TTABLE) lua_setmetatable(L, object);
    else lua_pop(L, 1);
  }
  if (type == LUA_TTABLE) look_at_table(L, s, object);
  if (type == LUA_TUSERDATA) look_at_user_values(L, s, object);
  if (type == LUA_TTHREAD) look_at_stack(L, s, object, lua_tothread(L, object));
  if (type == LUA_TFUNCTION) look_at_upvalues(L, s, object);
}

bool reach(lua_State *L, int root, const reach_visitor *visitor) {
  int top = lua_gettop(L);
  luaL_checkstack(L, 32, NULL);
  lua_pushvalue(L, root);
  lua_createtable(L, 0, visitor->expected);
  lua_createtable(L, visitor->expected, 0);
  search s = {.seen = top + 2, .queue = top + 3, .first = 1, .left = MOST_VALUES, .visitor = visitor};
  lua_pushvalue(L, top + 1);
  look(L, &s, top + 1);
  lua_settop(L, s.queue);
  for (; s.first <= s.last && s.left > 0; s.first++) {
    int left = s.left;
    lua_rawgeti(L, s.queue, s.first);
    look_at(L, &s);
    lua_settop(L, s.queue);
    if (visitor->cost) budget_charge(L, (int64_t)visitor->cost * (1 + left - s.left));
  }
  lua_settop(L, top);
  return s.left > 0;
}
