/* sinew.keep: tables that outlive reloads. A load works on a copy, which a rollback drops; a changed default in the
 * file replaces the current value, every other value stays. */
#include "core/api.h"
#include "core/scene.h"
#include "lua/plain.h"
#include "lua/plain_change.h"

enum { DEPTH = 16, VALUE_COST = 10 };

static bool is_plain(lua_State *L, int index) {
  int type = lua_type(L, index);
  return type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TBOOLEAN || type == LUA_TTABLE ||
         api_test(L, index, "vector");
}

/* Pushes a deep copy of the table at `index`. A value that is not plain is an error, or with `living` is left out. A
 * table with several references is copied, and charged, for each. */
static void push_copy(lua_State *L, int index, bool living, int depth) {
  index = lua_absindex(L, index);
  luaL_checkstack(L, 8, NULL);
  if (depth > DEPTH) luaL_error(L, "sinew.keep: tables may be nested %d deep at most (is one inside itself?)", DEPTH);
  lua_newtable(L);
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

/* Pushes the table for the scene: the defaults, or the old table's current values with changed defaults on top. */
static void push_value(lua_State *L, const char *name, int defaults) {
  push_old(L, name);
  if (!lua_istable(L, -1)) {
    lua_pop(L, 1);
    push_copy(L, defaults, false, 0);
    return;
  }
  int old = lua_gettop(L);
  lua_getfield(L, old, "value");
  push_copy(L, -1, true, 0);
  lua_replace(L, -2);
  lua_getfield(L, old, "declared");
  if (!plain_merge(L, &kind_kept, old + 2, defaults, old + 1)) luaL_error(L, "sinew.keep: '%s' is too large", name);
  lua_replace(L, old);
  lua_settop(L, old);
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
  push_old(L, name);
  if (lua_istable(L, -1)) lua_getfield(L, -1, "declared"), lua_setfield(L, -3, "before");
  lua_pop(L, 1);
  push_value(L, name, defaults);
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

/* ---- renamed tables ---- */

static bool has(lua_State *L, int entry, const char *field) {
  bool is = lua_getfield(L, entry, field) != LUA_TNIL;
  lua_pop(L, 1);
  return is;
}

static bool same_field(lua_State *L, int a, const char *field, int b, const char *other) {
  lua_getfield(L, a, field);
  lua_getfield(L, b, other);
  bool same = plain_equal(L, -2, -1);
  lua_pop(L, 2);
  return same;
}

/* Counts the entries that `table` has and `other` lacks and that declare the same as the one at `entry`. Pushes the
 * name of the last, or nil. */
static int push_alike(lua_State *L, int table, int other, int entry) {
  int count = 0, found = lua_gettop(L) + 1;
  lua_pushnil(L);
  lua_pushnil(L);
  while (lua_next(L, table)) {
    budget_charge(L, VALUE_COST);
    lua_pushvalue(L, found + 1);
    bool alike = lua_rawget(L, other) == LUA_TNIL && !has(L, found + 2, "gone") &&
                 same_field(L, found + 2, "declared", entry, "declared");
    lua_settop(L, found + 1);
    if (!alike) continue;
    lua_copy(L, found + 1, found);
    count++;
  }
  return count;
}

/* A value that the top level has not written since gets the current value of the old table. */
static void take_value(lua_State *L, int next, const char *from, int old, const char *name) {
  int entry = lua_gettop(L) + 1, top = entry - 1;
  lua_getfield(L, next, name);
  lua_newtable(L);
  lua_getfield(L, old, "value");
  lua_getfield(L, entry, "value");
  bool plain = plain_ask(L, entry + 2) == PLAIN_YES && same_field(L, entry, "value", entry, "declared");
  if (plain) plain_refill(L, entry + 1, entry + 2, entry + 3);
  declarations_note(&scene_of(L)->declarations, plain ? "%s is called %s now" : "%s is gone, %s joins", from, name);
  lua_settop(L, top);
}

/* True if the entry at the top continues under another name, which is reported; otherwise it is removed. Its name is
 * below it. */
static bool is_renamed(lua_State *L, int last, int next) {
  int entry = lua_gettop(L);
  bool one = push_alike(L, next, last, entry) == 1;
  bool only = one && push_alike(L, last, next, entry) == 1;
  if (only) {
    take_value(L, next, lua_tostring(L, entry - 1), entry, lua_tostring(L, entry + 1));
  }
  lua_settop(L, entry);
  lua_pushboolean(L, !only);
  lua_setfield(L, entry, "goes");
  return only;
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
      lua_pushnil(L);
      lua_setfield(L, carried + 2, "goes"); /* of a load that failed */
      if (!declared && (has(L, carried + 2, "gone") || !is_renamed(L, last, next)))
        carry(L, carried, sinew_host_time(scene_of(L)->host));
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

/* ---- swapped names ---- */

static bool is_kept(lua_State *L, int table, const char *name) {
  int top = lua_gettop(L);
  bool is = lua_getfield(L, table, name) == LUA_TTABLE && !has(L, top + 1, "gone");
  lua_settop(L, top);
  return is;
}

/* Pushes its name in the new text, or nil. */
static const char *push_spelled(lua_State *L, int spelling, const char *name) {
  lua_pushfstring(L, SPELLED_PART "%s", name);
  lua_rawget(L, spelling);
  return lua_tostring(L, -1);
}

/* Whether another kept table has that name now. */
static bool is_taken(lua_State *L, int spelling, int last, const char *name) {
  int top = lua_gettop(L);
  bool taken = false;
  lua_pushnil(L);
  while (!taken && lua_next(L, last)) {
    const char *to = has(L, top + 2, "gone") ? NULL : push_spelled(L, spelling, lua_tostring(L, top + 1));
    taken = to && strcmp(to, name) == 0;
    lua_settop(L, top + 1);
  }
  lua_settop(L, top);
  return taken;
}

/* Pushes the name in the load of a table of the running scripts: a new one if several names changed. No table takes the
 * name of one that stays as it is. */
static void push_name(lua_State *L, int spelling, int last, int next, const char *name) {
  int top = lua_gettop(L);
  const char *to = push_spelled(L, spelling, name);
  bool renamed = to && is_kept(L, next, to);
  if (renamed && is_kept(L, last, to)) renamed = push_spelled(L, spelling, to) != NULL;
  else renamed = renamed && is_taken(L, spelling, last, name);
  lua_settop(L, top + 1);
  if (!renamed) lua_pushstring(L, name), lua_replace(L, top + 1);
}

/* Pushes a copy of an entry, whose inner entries have their names in the load. */
static void push_respelled(lua_State *L, int spelling, int entry, const char *name, int notes) {
  int copy = lua_gettop(L) + 1;
  lua_createtable(L, 0, 4);
  static const char *const fields[] = {"line", "gone"}, *const tables[] = {"declared", "value"};
  for (int i = 0; i < 2; i++) {
    lua_getfield(L, entry, fields[i]);
    lua_setfield(L, copy, fields[i]);
    lua_getfield(L, entry, tables[i]);
    push_copy(L, -1, true, 0);
    lua_pushvalue(L, -1);
    lua_setfield(L, copy, tables[i]);
    lua_replace(L, -2);
  }
  entries_respell(L, spelling, copy + 1, copy + 2, name, notes);
  lua_settop(L, copy);
}

/* The stack: spelling, the tables of the running scripts, those of the load; then the renamed ones, and notes. */
static void respell_all(lua_State *L, int spelling) {
  int last = spelling + 1, renamed = spelling + 3, key = spelling + 5;
  lua_pushnil(L);
  while (lua_next(L, last)) {
    const char *name = lua_tostring(L, key);
    push_name(L, spelling, last, spelling + 2, name);
    bool stays = is_kept(L, spelling + 2, lua_tostring(L, key + 2));
    if (stays) push_respelled(L, spelling, key + 1, lua_tostring(L, key + 2), spelling + 4);
    else lua_pushvalue(L, key + 1);
    if (!lua_rawequal(L, key, key + 2)) {
      lua_pushfstring(L, "%s is called %s now", name, lua_tostring(L, key + 2));
      lua_rawseti(L, spelling + 4, (lua_Integer)lua_rawlen(L, spelling + 4) + 1);
    }
    lua_rawset(L, renamed);
    lua_settop(L, key);
  }
}

bool keep_respell(lua_State *L) {
  int top = lua_gettop(L);
  epoch_push(L, "spelling");
  epoch_push_current(L, "keep");
  epoch_push(L, "keep");
  lua_newtable(L);
  lua_newtable(L);
  lua_pushnil(L);
  bool any = lua_istable(L, top + 2) && lua_next(L, top + 1);
  lua_settop(L, top + 5);
  if (any) respell_all(L, top + 1);
  any = any && lua_rawlen(L, top + 5) > 0;
  if (any) {
    epoch_set_current(L, "kept", top + 2);
    epoch_set_current(L, "keep", top + 4);
    epoch_set_current(L, "kept_names", top + 5);
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
  epoch_set_current(L, "kept_names", lua_gettop(L));
  return 0;
}

/* ---- as variables, which may become kept values or the other way round (locals.c) ---- */

/* The entry is on the top. */
static void add_variable(lua_State *L, int variables, const char *name) {
  int entry = lua_gettop(L);
  lua_createtable(L, 1, 0);
  lua_createtable(L, 0, 4);
  lua_pushvalue(L, entry);
  lua_setfield(L, -2, "table");
  lua_pushliteral(L, "value");
  lua_setfield(L, -2, "key");
  lua_getfield(L, entry, "declared");
  lua_setfield(L, -2, "declared");
  lua_pushboolean(L, 1);
  lua_setfield(L, -2, "whole");
  lua_rawseti(L, -2, 1);
  lua_pushfstring(L, KEPT_KEY "%s", name);
  lua_insert(L, -2);
  lua_rawset(L, variables);
}

/* Adds those of `table` that `other` lacks, or that are marked in `table` as going. */
static void add_all(lua_State *L, int table, int other, int variables) {
  int top = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, table)) {
    lua_pushvalue(L, top + 1);
    bool alone = lua_rawget(L, other) == LUA_TNIL && !has(L, top + 2, "gone");
    lua_getfield(L, top + 2, "goes");
    bool goes = lua_toboolean(L, -1);
    lua_settop(L, top + 2);
    if (alone || goes) add_variable(L, variables, lua_tostring(L, top + 1));
    lua_settop(L, top + 1);
  }
}

void keep_add_variables(lua_State *L, int before, int after) {
  int top = lua_gettop(L);
  epoch_push_current(L, "keep");
  epoch_push(L, "keep");
  if (lua_istable(L, top + 1)) {
    add_all(L, top + 1, top + 2, before);
    add_all(L, top + 2, top + 1, after);
  }
  lua_settop(L, top);
}

void keep_drop_variables(lua_State *L, int variables) {
  lua_pushnil(L);
  while (lua_next(L, variables)) {
    lua_pop(L, 1);
    if (strncmp(lua_tostring(L, -1), KEPT_KEY, strlen(KEPT_KEY)) != 0) continue;
    lua_pushvalue(L, -1);
    lua_pushnil(L);
    lua_rawset(L, variables);
  }
}

void keep_forget(lua_State *L, const char *name) {
  epoch_push_current(L, "keep");
  lua_getfield(L, -1, name);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "goes");
  lua_pop(L, 2);
  epoch_push(L, "keep");
  lua_pushnil(L);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
}

/* Reports the values that two loads declare differently. */
static void tell_changes(lua_State *L) {
  int top = lua_gettop(L);
  epoch_push(L, "moved");
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
  epoch_push_current(L, "kept_names");
  if (lua_istable(L, -1)) names_tell(L, lua_gettop(L));
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
