/* Variables that become entries of tables, and the other way round: `local t = 0` is `local s = { t = 0 }` now, or the
 * entry of a kept table. Like a variable that moves, an entry is recognised by its name and its declared value; a name
 * that stands for several continues in none of them. A renamed entry continues if the file is the same except for the
 * name.
 *
 * A holder is a table that a load declares: { declared =, value = }, by its variable's key. A place is where a value is
 * declared: { name =, path =, declared =, value =, key =, alone = } with `table` or `variable`, by its name; `alone` is
 * the name of a variable that only one load has. */
#include "core/scene.h"
#include "lua/plain.h"
#include "lua/plain_change.h"
#include "scene/variables.h"

#include <stdio.h>
#include <string.h>

enum { ENTRY_COST = 10, PATH = 2 * DECLARED_NAME, LEVELS = 8 };

/* ---- holders ---- */

/* Adds a holder from the values at the top: the declared one and the current one. */
static void add_holder(lua_State *L, int holders, const char *key) {
  int value = lua_gettop(L), declared = value - 1;
  if (lua_istable(L, declared) && lua_istable(L, value)) {
    lua_createtable(L, 0, 2);
    lua_pushvalue(L, declared);
    lua_setfield(L, -2, "declared");
    lua_pushvalue(L, value);
    lua_setfield(L, -2, "value");
    lua_setfield(L, holders, key);
  }
  lua_settop(L, declared - 1);
}

static void add_variables(lua_State *L, int holders, int variables) {
  lua_pushnil(L);
  while (lua_next(L, variables)) {
    int list = lua_gettop(L);
    budget_charge(L, ENTRY_COST);
    if (lua_rawlen(L, list) == 1) {
      lua_rawgeti(L, list, 1);
      lua_getfield(L, list + 1, "declared");
      variable_push_value(L, list + 1);
      add_holder(L, holders, lua_tostring(L, list - 1));
    }
    lua_settop(L, list - 1);
  }
}

static void add_kept(lua_State *L, int holders, void (*push)(lua_State *L, const char *field)) {
  int keep = lua_gettop(L) + 1;
  push(L, "keep");
  lua_pushnil(L);
  while (lua_istable(L, keep) && lua_next(L, keep)) {
    int entry = keep + 2;
    if (lua_getfield(L, entry, "gone") == LUA_TNIL) {
      const char *key = lua_pushfstring(L, KEPT_KEY "%s", lua_tostring(L, keep + 1));
      lua_getfield(L, entry, "declared");
      lua_getfield(L, entry, "value");
      add_holder(L, holders, key);
    }
    lua_settop(L, keep + 1);
  }
  lua_settop(L, keep - 1);
}

static int push_holders(lua_State *L, int variables, void (*push)(lua_State *L, const char *field)) {
  lua_newtable(L);
  int holders = lua_gettop(L);
  add_variables(L, holders, variables);
  add_kept(L, holders, push);
  return holders;
}

/* ---- places ---- */

/* One load in comparison with the other: `names` and `others` are the names of variables that only one of them has. */
typedef struct side {
  int variables, holders, names, other_holders, other_names;
  int places, inner; /* inner: places in tables that only this load has */
} side;

static bool same_table(lua_State *L, int a, int b) {
  lua_getfield(L, a, "table");
  lua_getfield(L, b, "table");
  bool same = lua_istable(L, -1) && lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return same;
}

/* Adds the place at the top. A place reached through two variables counts once. */
static void add_place(lua_State *L, int places, const char *name) {
  int place = lua_gettop(L);
  int type = lua_getfield(L, places, name);
  bool again = type == LUA_TTABLE && same_table(L, place, place + 1);
  if (type == LUA_TNIL) lua_pushvalue(L, place);
  else lua_pushboolean(L, false);
  if (!again) lua_setfield(L, places, name);
  lua_settop(L, place - 1);
}

/* Makes a place from the values at the top, the declared one and the current one, and leaves it there. */
static void make_place(lua_State *L, const char *name, const char *path, const char *key) {
  lua_createtable(L, 0, 8);
  lua_insert(L, -3);
  lua_setfield(L, -3, "value");
  lua_setfield(L, -2, "declared");
  lua_pushstring(L, name);
  lua_setfield(L, -2, "name");
  lua_pushstring(L, path);
  lua_setfield(L, -2, "path");
  lua_pushstring(L, key);
  lua_setfield(L, -2, "key");
}

/* Whether the table names[name] is the key of a variable that only one load has. */
static bool is_alone(lua_State *L, const side *s, const char *key) {
  int top = lua_gettop(L);
  const char *name = variable_name(key);
  bool alone = lua_getfield(L, s->names, name) == LUA_TSTRING && strcmp(lua_tostring(L, -1), key) == 0;
  alone = alone && lua_getfield(L, s->other_names, name) == LUA_TNIL;
  lua_settop(L, top);
  return alone;
}

/* A table that both loads declare, or that belongs to a variable that only one of them has: its declared value at
 * `declared`, its current value at `value`, the other load's declared value (or nil) at `other`. */
typedef struct level {
  const char *key, *path; /* of the variable; of the table */
  bool alone;
  int declared, value, other, depth;
  int outer; /* the place of the table if the other load lacks it; 0: the other load has it */
} level;

/* The entry's name and declared value are at the top; leaves its place there. */
static void add_entry(lua_State *L, const side *s, const level *l, const char *path) {
  int declared = lua_gettop(L);
  const char *name = lua_tostring(L, declared - 1);
  lua_pushvalue(L, declared);
  lua_getfield(L, l->value, name);
  make_place(L, name, path, l->key);
  lua_pushvalue(L, l->value);
  lua_setfield(L, -2, "table");
  if (l->alone) lua_pushstring(L, variable_name(l->key)), lua_setfield(L, -2, "alone");
  if (lua_getfield(L, s->variables, l->key) == LUA_TTABLE) lua_rawgeti(L, -1, 1), lua_setfield(L, -3, "holder");
  lua_pop(L, 1);
  if (l->outer) lua_pushvalue(L, l->outer), lua_setfield(L, -2, "outer");
  lua_pushvalue(L, -1);
  add_place(L, l->outer ? s->inner : s->places, name);
}

/* Adds the entries that the other load's table lacks; nested tables likewise. */
static void add_level(lua_State *L, const side *s, const level *l) {
  int top = lua_gettop(L), declared = top + 2;
  luaL_checkstack(L, 24, NULL);
  lua_pushnil(L);
  while (lua_next(L, l->declared)) {
    char path[PATH];
    budget_charge(L, ENTRY_COST);
    if (lua_type(L, top + 1) == LUA_TSTRING) {
      const char *name = lua_tostring(L, top + 1);
      snprintf(path, sizeof path, "%.*s.%.*s", DECLARED_NAME - 2, l->path, DECLARED_NAME - 2, name);
      lua_getfield(L, l->value, name);
      if (lua_istable(L, l->other)) lua_getfield(L, l->other, name);
      else lua_pushnil(L);
      level inner = {l->key, path, l->alone, declared, top + 3, top + 4, l->depth + 1, 0};
      bool deeper = lua_istable(L, declared) && lua_istable(L, top + 3) && l->depth < LEVELS;
      if (lua_isnil(L, top + 4)) {
        lua_pushvalue(L, top + 1);
        lua_pushvalue(L, declared);
        add_entry(L, s, l, path);
        inner.outer = lua_gettop(L);
      } else {
        deeper = deeper && lua_istable(L, top + 4);
      }
      if (deeper) add_level(L, s, &inner);
    }
    lua_settop(L, top + 1);
  }
}

static void add_entries(lua_State *L, const side *s, int holder, const char *key) {
  int top = lua_gettop(L), other = top + 1;
  bool alone = lua_getfield(L, s->other_holders, key) != LUA_TTABLE;
  if (!alone) lua_getfield(L, other, "declared"), lua_replace(L, other);
  lua_getfield(L, holder, "declared");
  lua_getfield(L, holder, "value");
  level l = {key, variable_name(key), alone, top + 2, top + 3, other, 0, 0};
  if (!alone || is_alone(L, s, key)) add_level(L, s, &l);
  lua_settop(L, top);
}

static void add_variable(lua_State *L, const side *s, const char *name, const char *key) {
  int top = lua_gettop(L);
  if (lua_getfield(L, s->variables, key) == LUA_TTABLE && lua_rawlen(L, top + 1) == 1) {
    lua_rawgeti(L, top + 1, 1);
    lua_getfield(L, top + 2, "declared");
    variable_push_value(L, top + 2);
    make_place(L, name, name, key);
    lua_pushvalue(L, top + 2);
    lua_setfield(L, -2, "variable");
    lua_pushstring(L, name);
    lua_setfield(L, -2, "alone");
    add_place(L, s->places, name);
  }
  lua_settop(L, top);
}

static void add_places(lua_State *L, const side *s) {
  int top = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, s->holders)) {
    add_entries(L, s, top + 2, lua_tostring(L, top + 1));
    lua_settop(L, top + 1);
  }
  lua_pushnil(L);
  while (lua_next(L, s->names)) {
    const char *key = lua_type(L, top + 2) == LUA_TSTRING ? lua_tostring(L, top + 2) : NULL;
    if (key && strncmp(key, KEPT_KEY, strlen(KEPT_KEY)) != 0 && is_alone(L, s, key))
      add_variable(L, s, lua_tostring(L, top + 1), key);
    lua_settop(L, top + 1);
  }
}

/* ---- pairs ---- */

static bool same_text(lua_State *L, int a, int b, const char *field) {
  lua_getfield(L, a, field);
  lua_getfield(L, b, field);
  bool same = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return same;
}

static bool has(lua_State *L, int place, const char *field) {
  bool is = lua_getfield(L, place, field) != LUA_TNIL;
  lua_pop(L, 1);
  return is;
}

/* Whether it has moved, by itself or along with its table. */
static bool has_moved(lua_State *L, int place) {
  int top = lua_gettop(L);
  bool moved = has(L, place, "moved");
  for (lua_pushvalue(L, place); !moved && lua_getfield(L, -1, "outer") == LUA_TTABLE; lua_remove(L, -2))
    moved = has(L, lua_gettop(L), "moved");
  lua_settop(L, top);
  return moved;
}

/* Whether they have the same plain declared value, and one has changed since; writes by the new top level count. Pairs
 * of variables are left to locals.c. */
static bool goes_on(lua_State *L, int from, int to) {
  int top = lua_gettop(L);
  if (has(L, from, "variable") && has(L, to, "variable")) return false;
  if (has_moved(L, from) || has_moved(L, to)) return false;
  lua_getfield(L, from, "declared");
  lua_getfield(L, to, "declared");
  lua_getfield(L, from, "value");
  lua_getfield(L, to, "value");
  bool is = plain_ask(L, top + 1) == PLAIN_YES && plain_ask(L, top + 3) == PLAIN_YES && !lua_isnil(L, top + 3) &&
            plain_equal(L, top + 1, top + 2) && plain_equal(L, top + 1, top + 4) && !plain_equal(L, top + 1, top + 3);
  lua_settop(L, top);
  return is;
}

/* Keeps messages (plain_tell) from reporting that an entry appeared or disappeared. */
static void set_moved(lua_State *L, const char *path) {
  epoch_push(L, "moved");
  lua_pushboolean(L, 1);
  lua_setfield(L, -2, path);
  lua_pop(L, 1);
}

/* Adds it to `moves`, and notes that the variable is not lost. */
static void add_move(lua_State *L, int moves, int gone, int from, int to) {
  int top = lua_gettop(L);
  lua_getfield(L, from, "path");
  lua_getfield(L, to, "path");
  declarations_note(&scene_of(L)->declarations, "%s is %s now", lua_tostring(L, top + 1), lua_tostring(L, top + 2));
  set_moved(L, lua_tostring(L, top + 1));
  set_moved(L, lua_tostring(L, top + 2));
  if (lua_getfield(L, from, "alone") == LUA_TSTRING) {
    lua_pushboolean(L, false);
    lua_setfield(L, gone, lua_tostring(L, top + 3));
  }
  lua_pushboolean(L, true);
  lua_setfield(L, from, "moved");
  lua_pushboolean(L, true);
  lua_setfield(L, to, "moved");
  lua_getfield(L, from, "value");
  lua_setfield(L, to, "becomes");
  lua_pushvalue(L, to);
  lua_rawseti(L, moves, (lua_Integer)lua_rawlen(L, moves) + 1);
  lua_settop(L, top);
}

/* For two entries of one table: whether the file is the same except for the name. The tables of places are adjacent on
 * the stack. */
static bool is_entry_renamed(lua_State *L, int from, int to, int places) {
  int top = lua_gettop(L);
  if (has(L, from, "alone") || has(L, to, "alone") || !same_text(L, from, to, "key")) return false;
  lua_getfield(L, from, "key");
  lua_getfield(L, from, "name");
  lua_getfield(L, to, "name");
  const char *key = lua_tostring(L, top + 1), *line = strchr(key, '\n');
  bool own = line > key && strncmp(key, KEPT_KEY, strlen(KEPT_KEY)) != 0;
  const char *path = own ? lua_pushlstring(L, key, (size_t)(line - key)) : scene_of(L)->path;
  bool is = file_is_renamed(L, path, lua_tostring(L, top + 2), lua_tostring(L, top + 3), places);
  lua_settop(L, top);
  return is;
}

/* The variable of a place, or that of its table. */
static void push_variable(lua_State *L, int place) {
  if (lua_getfield(L, place, "variable") != LUA_TNIL) return;
  lua_pop(L, 1);
  lua_getfield(L, place, "holder");
}

/* Whether the code that uses the two is the same. */
static bool is_reshaped(lua_State *L, int from, int to, int gone) {
  int top = lua_gettop(L);
  push_variable(L, from);
  push_variable(L, to);
  lua_getfield(L, from, "path");
  lua_getfield(L, to, "path");
  bool is = lua_istable(L, top + 1) && lua_istable(L, top + 2) &&
            variable_is_renamed(L, top + 1, lua_tostring(L, top + 3), top + 2, lua_tostring(L, top + 4), gone);
  lua_settop(L, top);
  return is;
}

static void pair_renamed(lua_State *L, int moves, int gone, int from, int place) {
  int top = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, from)) {
    bool paired = lua_istable(L, top + 2) && goes_on(L, top + 2, place) &&
                  (is_entry_renamed(L, top + 2, place, from) || is_reshaped(L, top + 2, place, gone));
    if (paired) {
      add_move(L, moves, gone, top + 2, place);
      break;
    }
    lua_settop(L, top + 1);
  }
  lua_settop(L, top);
}

static void pair(lua_State *L, int moves, int gone, int from, int to) {
  int top = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, to)) {
    int place = top + 2;
    lua_pushvalue(L, top + 1);
    int type = lua_rawget(L, from);
    if (lua_istable(L, place) && type == LUA_TTABLE && goes_on(L, place + 1, place))
      add_move(L, moves, gone, place + 1, place);
    else if (lua_istable(L, place) && type == LUA_TNIL) pair_renamed(L, moves, gone, from, place);
    lua_settop(L, top + 1);
  }
}

void entries_find(lua_State *L, int before, int after, int gone, int come, int moves) {
  int top = lua_gettop(L);
  luaL_checkstack(L, 32, NULL);
  int old = push_holders(L, before, epoch_push_current), fresh = push_holders(L, after, epoch_push);
  for (int i = 0; i < 4; i++) lua_newtable(L);
  side from = {before, old, gone, fresh, come, fresh + 1, fresh + 3},
       to = {after, fresh, come, old, gone, fresh + 2, fresh + 4};
  add_places(L, &from);
  add_places(L, &to);
  pair(L, moves, gone, from.places, to.places);
  pair(L, moves, gone, from.places, to.inner);
  pair(L, moves, gone, from.inner, to.places);
  lua_settop(L, top);
}

/* ---- moving ---- */

/* A table is refilled in place, so that other references to it see the values. */
static void move(lua_State *L, int memo, int place) {
  int top = lua_gettop(L);
  lua_getfield(L, place, "becomes");
  lua_getfield(L, place, "value");
  if (lua_istable(L, top + 1) && lua_istable(L, top + 2)) {
    plain_refill(L, memo, top + 1, top + 2);
  } else if (lua_getfield(L, place, "variable") == LUA_TTABLE) {
    lua_pushvalue(L, top + 1);
    variable_set_value(L, top + 3);
  } else {
    lua_getfield(L, place, "table");
    lua_getfield(L, place, "name");
    lua_pushvalue(L, top + 1);
    lua_rawset(L, -3);
  }
  lua_settop(L, top);
}

void entries_move(lua_State *L, int moves) {
  int top = lua_gettop(L);
  lua_newtable(L);
  for (lua_Integer i = 1; lua_rawgeti(L, moves, i) == LUA_TTABLE; i++) {
    move(L, top + 1, top + 2);
    lua_settop(L, top + 1);
  }
  lua_settop(L, top);
}
