#include "lua/reach.h"

#include <lauxlib.h>

enum { MOST_VALUES = 1000000 };

typedef struct search {
  int seen, queue; /* stack indices: object → true; objects still to be visited, from 1 */
  lua_Integer first, last;
  int left;
  reach_function *visit;
  void *user;
} search;

/* Adds the value at the top, and pops it. */
static void add(lua_State *L, search *s) {
  int type = lua_type(L, -1);
  bool leads_on = type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TUSERDATA || type == LUA_TTHREAD;
  s->left--;
  lua_pushvalue(L, -1);
  if (!leads_on || lua_rawget(L, s->seen) != LUA_TNIL) {
    lua_pop(L, 2);
    return;
  }
  lua_pop(L, 1);
  lua_pushvalue(L, -1);
  lua_pushboolean(L, 1);
  lua_rawset(L, s->seen);
  lua_rawseti(L, s->queue, ++s->last);
}

static void add_fields(lua_State *L, search *s, int table) {
  lua_pushnil(L);
  while (s->left > 0 && lua_next(L, table)) {
    add(L, s);
    lua_pushvalue(L, -1);
    add(L, s);
  }
}

static void add_upvalues(lua_State *L, search *s, int function) {
  for (int n = 1; lua_getupvalue(L, function, n); n++) add(L, s);
}

static void add_user_values(lua_State *L, search *s, int userdata) {
  for (int n = 1; lua_getiuservalue(L, userdata, n) != LUA_TNONE; n++) add(L, s);
  lua_pop(L, 1); /* the nil that ends the list */
}

/* One call of a waiting coroutine: its function and its local variables, including unnamed ones. */
static void add_call(lua_State *L, search *s, lua_State *co, lua_Debug *call) {
  lua_getinfo(co, "f", call);
  lua_xmove(co, L, 1);
  add(L, s);
  for (int n = 1; lua_getlocal(co, call, n); n++) {
    lua_xmove(co, L, 1);
    add(L, s);
  }
}

static void add_stack(lua_State *L, search *s, lua_State *co) {
  lua_Debug call;
  if (co == L || lua_status(co) > LUA_YIELD || !lua_checkstack(co, 4)) return;
  for (int i = 1; i <= lua_gettop(co); i++) {
    lua_pushvalue(co, i);
    lua_xmove(co, L, 1);
    add(L, s);
  }
  for (int level = 0; lua_getstack(co, level, &call); level++) add_call(L, s, co, &call);
}

/* The object is on the top. */
static void look_at(lua_State *L, search *s) {
  int object = lua_gettop(L), type = lua_type(L, object);
  if (lua_getmetatable(L, object)) add(L, s);
  if (type == LUA_TTABLE) add_fields(L, s, object);
  if (type == LUA_TUSERDATA) add_user_values(L, s, object);
  if (type == LUA_TTHREAD) add_stack(L, s, lua_tothread(L, object));
  if (type != LUA_TFUNCTION) return;
  add_upvalues(L, s, object);
  if (!lua_iscfunction(L, object)) s->visit(L, object, s->user);
}

bool reach_functions(lua_State *L, int root, reach_function *visit, void *user) {
  int top = lua_gettop(L);
  luaL_checkstack(L, 32, NULL);
  lua_pushvalue(L, root);
  lua_newtable(L);
  lua_newtable(L);
  search s = {.seen = top + 2, .queue = top + 3, .first = 1, .left = MOST_VALUES, .visit = visit, .user = user};
  lua_pushvalue(L, top + 1);
  add(L, &s);
  for (; s.first <= s.last && s.left > 0; s.first++) {
    lua_rawgeti(L, s.queue, s.first);
    look_at(L, &s);
    lua_settop(L, s.queue);
  }
  lua_settop(L, top);
  return s.left > 0;
}
