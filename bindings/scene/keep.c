/* sinew.keep: tables that outlive reloads. A load works on a copy, which a rollback drops; a changed default in the
 * file replaces the current value, every other value stays. */
#include "core/api.h"
#include "core/scene.h"
#include "lua/plain.h"
#include "lua/plain_change.h"
#include "scene/held.h"

enum { DEPTH = 16, VALUE_COST = 10 };

static bool is_plain(lua_State *L, int index) {
  int type = lua_type(L, index);
  return type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TBOOLEAN || type == LUA_TTABLE ||
         api_test(L, index, "vector");
}

/* The epoch remembers of which living table the one on the top is the copy. */
static void note_copy(lua_State *L, int living) {
  epoch_push(L, "copies");
  lua_pushvalue(L, -2);
  lua_pushvalue(L, living);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

/* Pushes a deep copy of the table at `index`. A value that is not plain is an error, or with `living` is left out; the
 * epoch remembers of which living table each is the copy. A table with several references is copied, and charged, for
 * each. */
static void push_copy(lua_State *L, int index, bool living, int depth) {
  index = lua_absindex(L, index);
  luaL_checkstack(L, 8, NULL);
  if (depth > DEPTH) luaL_error(L, "sinew.keep: tables may be nested %d deep at most (is one inside itself?)", DEPTH);
  lua_newtable(L);
  if (living) note_copy(L, index);
  lua_pushnil(L);
  while (lua_next(L, index)) {
    budget_charge(L, VALUE_COST);
    bool plain = is_plain(L, -1) && is_plain(L, -2) && lua_type(L, -2) != LUA_TTABLE && !lua_isuserdata(L, -2);
    if (!plain && !living) {
      luaL_error(L, "sinew.keep: '%s' is a %s; only numbers, text, booleans, vectors and tables of them are kept",
                 lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : luaL_typename(L, -2), luaL_typename(L, -1));
    }
    if (plain) {
      lua_pushvalue(L, -2);
      if (lua_type(L, -2) == LUA_TTABLE) {
        push_copy(L, -2, living, depth + 1);
      } else {
        lua_pushvalue(L, -2);
      }
      lua_rawset(L, -5);
    }
    lua_pop(L, 1);
  }
}

/* Pushes the entry of `name` in the running epoch, or nil. */
static void push_old(lua_State *L, const char *name) {
  epoch_push_current(L, "keep");
  if (lua_istable(L, -1)) {
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
  }
}

/* Pushes the table for the scene: the defaults, or the old table's current values with changed defaults on top. The
 * entry remembers what was declared before. */
static void push_value(lua_State *L, const char *name, int defaults, int entry) {
  int old = lua_gettop(L) + 1;
  push_old(L, name);
  if (!lua_istable(L, old)) {
    lua_pop(L, 1);
    push_copy(L, defaults, false, 0);
    return;
  }
  lua_getfield(L, old, "value");
  push_copy(L, held_is_forgotten(L, name) ? defaults : old + 1, true, 0);
  note_copy(L, old + 1);
  lua_replace(L, old + 1);
  lua_getfield(L, old, "declared");
  push_copy(L, -1, false, 0);
  lua_replace(L, old + 2);
  names_of_kept(L, old + 2, old + 1, defaults);
  if (!plain_merge(L, &kind_kept, old + 2, defaults, old + 1)) luaL_error(L, "sinew.keep: '%s' is too large", name);
  lua_setfield(L, entry, "before");
  lua_replace(L, old);
}

static int find(lua_State *L, const char *name) {
  bool known = lua_getfield(L, -1, name) == LUA_TTABLE;
  if (known) {
    lua_getfield(L, -1, "gone");
    known = !lua_toboolean(L, -1);
    lua_pop(L, 1);
  }
  if (!known) return luaL_error(L, "sinew.keep: nothing is kept as '%s'; declare it with its defaults", name);
  lua_getfield(L, -1, "value");
  return 1;
}

static void check_twice(lua_State *L, const char *name) {
  if (lua_getfield(L, -1, name) == LUA_TTABLE) {
    lua_getfield(L, -1, "gone");
    lua_getfield(L, -2, "line");
    if (!lua_toboolean(L, -2)) {
      luaL_error(L, "sinew.keep: '%s' is already declared at %s: sinew.keep(\"%s\") alone finds it", name,
                 lua_tostring(L, -1), name);
    }
    lua_pop(L, 2);
  }
  lua_pop(L, 1);
}

int keep_declare(lua_State *L, const char *name, int defaults) {
  char line[DECLARED_LINE];
  epoch_push(L, "keep");
  if (lua_isnoneornil(L, defaults)) return find(L, name);
  check_twice(L, name);
  scene_line(L, line);
  lua_createtable(L, 0, 4);
  push_copy(L, defaults, false, 0);
  lua_setfield(L, -2, "declared");
  lua_pushstring(L, line);
  lua_setfield(L, -2, "line");
  push_value(L, name, defaults, lua_gettop(L));
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "value");
  lua_insert(L, -3);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
  return 1;
}

/* The stack: name, entry. */
static void carry(lua_State *L, int carried, double now) {
  lua_getfield(L, -1, "gone");
  double since = lua_isnumber(L, -1) ? lua_tonumber(L, -1) : now;
  lua_pop(L, 1);
  if (now - since > DECLARED_HOLD) return;
  lua_createtable(L, 0, 4);
  static const char *const fields[] = {"value", "declared", "line"};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    lua_getfield(L, -2, fields[i]);
    lua_setfield(L, -2, fields[i]);
  }
  lua_pushnumber(L, since);
  lua_setfield(L, -2, "gone");
  lua_pushvalue(L, -3);
  lua_insert(L, -2);
  lua_rawset(L, carried);
}

static bool has(lua_State *L, int entry, const char *field) {
  bool is = lua_getfield(L, entry, field) != LUA_TNIL;
  lua_pop(L, 1);
  return is;
}

void keep_commit(lua_State *L) {
  epoch_push_current(L, "keep");
  epoch_push(L, "keep");
  int next = lua_gettop(L), last = next - 1;
  if (lua_istable(L, last)) {
    lua_newtable(L); /* values carried over; they join the new ones only at the end */
    int carried = lua_gettop(L);
    lua_pushnil(L);
    while (lua_next(L, last)) {
      lua_pushvalue(L, -2);
      bool declared = lua_rawget(L, next) != LUA_TNIL;
      lua_pop(L, 1);
      lua_pushboolean(L, !declared && !has(L, carried + 2, "gone"));
      lua_setfield(L, carried + 2, "goes");
      if (!declared) carry(L, carried, sinew_host_time(scene_of(L)->host));
      lua_settop(L, carried + 1);
    }
    lua_pushnil(L);
    while (lua_next(L, carried)) {
      lua_pushvalue(L, -2);
      lua_insert(L, -2);
      lua_rawset(L, next);
    }
  }
  lua_settop(L, last - 1);
}

/* ---- names ---- */

static bool is_kept(lua_State *L, int table, const char *name) {
  int top = lua_gettop(L);
  bool is = lua_getfield(L, table, name) == LUA_TTABLE && !has(L, top + 1, "gone");
  lua_settop(L, top);
  return is;
}

/* Gives the entry of a running table its name in the load; all of them get theirs in a new table. */
static bool rename_entry(lua_State *L, int spelling, int last, int next, int renamed) {
  int key = lua_gettop(L) - 1;
  const char *name = lua_tostring(L, key);
  lua_pushfstring(L, SPELLED_PART "%s", name);
  bool is = lua_rawget(L, spelling) == LUA_TSTRING && is_kept(L, next, lua_tostring(L, -1)) && is_kept(L, last, name);
  lua_pushvalue(L, is ? key + 2 : key);
  lua_pushvalue(L, key + 1);
  lua_rawset(L, renamed);
  return is;
}

bool keep_respell(lua_State *L) {
  int top = lua_gettop(L);
  bool any = false;
  epoch_push(L, "spelling");
  epoch_push_current(L, "keep");
  epoch_push(L, "keep");
  lua_newtable(L);
  lua_pushnil(L);
  bool some = lua_istable(L, top + 2) && lua_next(L, top + 1) && (lua_pop(L, 2), lua_pushnil(L), lua_next(L, top + 2));
  for (; some; some = lua_next(L, top + 2)) {
    any |= rename_entry(L, top + 1, top + 2, top + 3, top + 4);
    lua_settop(L, top + 5);
  }
  lua_settop(L, top + 4);
  if (any) {
    epoch_set_current(L, "kept", top + 2);
    epoch_set_current(L, "keep", top + 4);
  }
  lua_settop(L, top);
  return any;
}

int keep_respell_back(lua_State *L) {
  epoch_push_current(L, "kept");
  if (!lua_istable(L, -1)) return 0;
  epoch_set_current(L, "keep", lua_gettop(L));
  lua_pushnil(L);
  epoch_set_current(L, "kept", lua_gettop(L));
  return 0;
}

/* Reports the values that two loads declare differently. */
static void tell_changes(lua_State *L) {
  int top = lua_gettop(L);
  lua_newtable(L);
  epoch_push(L, "keep");
  lua_pushnil(L);
  while (lua_next(L, top + 2)) {
    int name = top + 3, entry = top + 4;
    if (lua_getfield(L, entry, "before") == LUA_TTABLE) {
      lua_getfield(L, entry, "declared");
      plain_tell(L, &kind_kept, lua_tostring(L, name), entry + 1, entry + 2, top + 1);
      lua_pushnil(L);
      lua_setfield(L, entry, "before");
    }
    lua_settop(L, name);
  }
  lua_settop(L, top);
}

int keep_tell(lua_State *L) {
  tell_changes(L);
  epoch_push_current(L, "keep");
  if (!lua_istable(L, -1)) return 0;
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    lua_getfield(L, -1, "goes");
    if (lua_toboolean(L, -1)) declarations_note(&scene_of(L)->declarations, "%s is gone", lua_tostring(L, -3));
    lua_pop(L, 2);
  }
  return 0;
}
