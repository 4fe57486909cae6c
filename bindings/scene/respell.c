/* Variables, and entries of tables, that swap their names: the old load's get their new names before the two loads are
 * compared. spelling.c finds them in the text. */
#include "core/scene.h"
#include "lua/plain.h"
#include "scene/variables.h"

#include <string.h>

enum { PAIR_COST = 10 };

/* Whether the old load has a variable of that name, or one that gets it: a name that nothing else had is left to
 * merge_renamed. */
static bool is_one_of_many(lua_State *L, int before, int spelling, const char *from, const char *to) {
  int top = lua_gettop(L);
  const char *name = variable_name(from);
  size_t file = (size_t)(name - from);
  bool is = lua_getfield(L, before, to) == LUA_TTABLE;
  lua_pushnil(L);
  while (!is && lua_next(L, spelling)) {
    is = strncmp(lua_tostring(L, -2), from, file) == 0 && strcmp(lua_tostring(L, -1), name) == 0;
    lua_pop(L, 1);
  }
  lua_settop(L, top);
  return is;
}

static void note_respelled(lua_State *L, const char *from, const char *to, int list) {
  int top = lua_gettop(L);
  lua_rawgeti(L, list, 1);
  if (lua_rawlen(L, list) == 1 && variable_has_changed(L, top + 1)) variable_note_name(L, from, to);
  lua_settop(L, top);
}

/* If other scripts use a global, too, a single text does not determine its name. */
static bool is_only_script(lua_State *L) {
  int top = lua_gettop(L), count = 0;
  epoch_push(L, "texts");
  lua_pushnil(L);
  while (lua_next(L, top + 1)) {
    count += script_is_own(lua_tostring(L, top + 2));
    lua_settop(L, top + 2);
  }
  lua_settop(L, top);
  return count == 1;
}

/* Moves a variable of the old load into the table `moved`, if it is one of several with new names; the table above
 * notes that its old name is free. `spelled` is its name in the file. */
static void take_respelled(lua_State *L, int before, int after, int spelling, int moved, const char *spelled,
                           const char *from, const char *to) {
  int top = lua_gettop(L);
  bool both = lua_getfield(L, before, from) == LUA_TTABLE && lua_getfield(L, after, to) == LUA_TTABLE;
  if (both && is_one_of_many(L, before, spelling, spelled, to)) {
    note_respelled(L, variable_name(from), variable_name(to), top + 1);
    lua_pushvalue(L, top + 1);
    lua_setfield(L, moved, to);
    lua_pushboolean(L, true);
    lua_setfield(L, moved + 1, from);
  }
  lua_settop(L, top);
}

static void take_all_respelled(lua_State *L, int before, int after, int spelling, int moved) {
  int top = lua_gettop(L), key = top + 1;
  bool alone = is_only_script(L);
  lua_pushnil(L);
  while (lua_next(L, spelling)) {
    const char *from = lua_tostring(L, key), *line = from[0] == SPELLED_PART[0] ? NULL : strrchr(from, '\n');
    if (line) {
      lua_pushlstring(L, from, (size_t)(line + 1 - from));
      lua_pushvalue(L, key + 1);
      lua_concat(L, 2);
      const char *to = lua_tostring(L, key + 2);
      take_respelled(L, before, after, spelling, moved, from, from, to);
      if (alone) take_respelled(L, before, after, spelling, moved, from, line, strrchr(to, '\n'));
    }
    lua_settop(L, key);
  }
}

/* Fills `names` with the new names of the table's entries, if they have swapped names. */
static void find_respelled(lua_State *L, int table, int spelling, int names) {
  int top = lua_gettop(L), key = top + 1;
  lua_pushnil(L);
  while (lua_next(L, table)) {
    budget_charge(L, PAIR_COST);
    bool has = lua_type(L, key) == LUA_TSTRING;
    if (has) lua_pushfstring(L, SPELLED_PART "%s", lua_tostring(L, key)), lua_rawget(L, spelling);
    if (has && lua_isstring(L, -1)) {
      lua_pushvalue(L, key);
      lua_pushvalue(L, -2);
      lua_rawset(L, names);
    }
    lua_settop(L, key);
  }
}

/* An entry that takes a new name, and whose old name is not taken by another, is left to entries.c. */
static void drop_single(lua_State *L, int table, int names) {
  int top = lua_gettop(L), key = top + 1;
  lua_pushnil(L);
  while (lua_next(L, names)) {
    lua_pushvalue(L, key + 1);
    bool many = lua_rawget(L, table) != LUA_TNIL;
    lua_pushnil(L);
    while (!many && lua_next(L, names)) many = lua_rawequal(L, -1, key), lua_pop(L, 1);
    lua_settop(L, key);
    lua_pushvalue(L, key);
    lua_pushnil(L);
    if (!many) lua_rawset(L, names);
    lua_settop(L, key);
  }
}

static void rename_entries(lua_State *L, int table, int names) {
  int top = lua_gettop(L);
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, names); lua_pop(L, 1)) {
    lua_pushvalue(L, -1);
    lua_pushvalue(L, -3);
    lua_rawget(L, table);
    lua_rawset(L, top + 1);
    lua_pushvalue(L, -2);
    lua_pushnil(L);
    lua_rawset(L, table);
  }
  for (lua_pushnil(L); lua_next(L, top + 1); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_rawset(L, table);
  }
  lua_settop(L, top);
}

/* Renames the entries of a table, as declared and as living. */
static void respell_entries(lua_State *L, int spelling, int declared, int living, const char *name, int notes,
                            int depth) {
  enum { DEPTH = 8 };
  int top = lua_gettop(L), names = top + 1, key = top + 2;
  luaL_checkstack(L, 16, NULL);
  lua_newtable(L);
  lua_pushnil(L);
  while (lua_next(L, declared)) {
    lua_pushvalue(L, key);
    bool deeper = lua_istable(L, key + 1) && lua_type(L, key) == LUA_TSTRING && lua_rawget(L, living) == LUA_TTABLE;
    if (deeper && depth < DEPTH) {
      lua_pushfstring(L, "%s.%s", name, lua_tostring(L, key));
      respell_entries(L, spelling, key + 1, key + 2, lua_tostring(L, -1), notes, depth + 1);
    }
    lua_settop(L, key);
  }
  find_respelled(L, declared, spelling, names);
  drop_single(L, declared, names);
  for (lua_pushnil(L); lua_next(L, names); lua_pop(L, 1)) {
    lua_pushfstring(L, "%s.%s is called %s now", name, lua_tostring(L, key), lua_tostring(L, key + 1));
    lua_rawseti(L, notes, (lua_Integer)lua_rawlen(L, notes) + 1);
  }
  rename_entries(L, declared, names);
  rename_entries(L, living, names);
  lua_settop(L, top);
}

void entries_respell(lua_State *L, int spelling, int declared, int living, const char *name, int notes) {
  respell_entries(L, spelling, declared, living, name, notes, 0);
}

void names_tell(lua_State *L, int notes) {
  for (lua_Integer i = 1; lua_rawgeti(L, notes, i) == LUA_TSTRING; i++) {
    declarations_note(&scene_of(L)->declarations, "%s", lua_tostring(L, -1));
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

static void respell_tables(lua_State *L, int before, int spelling) {
  int notes = lua_gettop(L) + 1, top = notes, list = top + 2;
  lua_newtable(L);
  lua_pushnil(L);
  while (lua_next(L, before)) {
    lua_rawgeti(L, list, 1);
    bool one = lua_rawlen(L, list) == 1 && variable_is_whole(L, list + 1);
    if (one && lua_getfield(L, list + 1, "declared") == LUA_TTABLE) {
      variable_push_value(L, list + 1);
      if (lua_istable(L, list + 3) && plain_ask(L, list + 3) == PLAIN_YES)
        entries_respell(L, spelling, list + 2, list + 3, variable_name(lua_tostring(L, list - 1)), notes);
    }
    lua_settop(L, top + 1);
  }
  names_tell(L, notes);
  lua_settop(L, notes - 1);
}

/* Renames variables of the old load, if several have swapped names. */
void variables_respell(lua_State *L, int before, int after) {
  int top = lua_gettop(L), moved = top + 2, gone = top + 3;
  epoch_push(L, "spelling");
  lua_newtable(L);
  lua_newtable(L);
  take_all_respelled(L, before, after, top + 1, moved);
  for (lua_pushnil(L); lua_next(L, gone); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    lua_pushnil(L);
    lua_rawset(L, before);
  }
  for (lua_pushnil(L); lua_next(L, moved); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_rawset(L, before);
  }
  lua_pushnil(L);
  bool any = lua_next(L, top + 1);
  lua_settop(L, top + 1);
  if (any) respell_tables(L, before, top + 1);
  lua_settop(L, top);
}
