/* Names that a save has changed everywhere (spelling.c), of what Lua holds: variables, fields, kept tables. */
#include "core/scene.h"
#include "scene/held.h"
#include "scene/variables.h"

#include <string.h>

/* The key of `spelling` that says whether it has fields. */
static const char has_parts[] = SPELLED_PART;

static void note(lua_State *L, const char *from, const char *to) {
  declarations_note(&scene_of(L)->declarations, "%s is called %s now", from, to);
}

/* For each word of the table on the top, which it takes: its key, with the old name in place of the new one. */
static void invert(lua_State *L, int spelling) {
  int top = lua_gettop(L) - 1;
  lua_pushnil(L);
  while (lua_istable(L, top + 1) && lua_next(L, top + 1)) {
    const char *key = lua_tostring(L, top + 2), *name = strrchr(key, '\n');
    bool part = key[0] == SPELLED_PART[0];
    lua_pushlstring(L, key, part ? 1 : (size_t)(name + 1 - key));
    lua_pushvalue(L, top + 3);
    lua_concat(L, 2);
    lua_pushvalue(L, top + 2);
    lua_rawset(L, spelling);
    lua_pushboolean(L, true);
    if (part) lua_setfield(L, spelling, has_parts);
    lua_settop(L, top + 2);
  }
  lua_settop(L, top);
}

/* ---- all names of a table at once, because they may change places ---- */

/* Adds the entry `from` of the table to the list on the top, as `to`. */
static void take(lua_State *L, int table, const char *from, const char *to) {
  int list = lua_gettop(L);
  lua_createtable(L, 0, 3);
  lua_pushstring(L, from);
  lua_setfield(L, -2, "from");
  lua_pushstring(L, to);
  lua_setfield(L, -2, "to");
  lua_getfield(L, table, from);
  lua_setfield(L, -2, "value");
  lua_rawseti(L, list, (lua_Integer)lua_rawlen(L, list) + 1);
}

/* Takes the list. */
static void give(lua_State *L, int table) {
  int list = lua_gettop(L);
  lua_Integer count = (lua_Integer)lua_rawlen(L, list);
  for (lua_Integer i = 1; i <= 2 * count; i++) { /* first the old names, and then the new ones */
    lua_rawgeti(L, list, i > count ? i - count : i);
    lua_getfield(L, list + 1, i > count ? "to" : "from");
    if (i > count) lua_getfield(L, list + 1, "value");
    else lua_pushnil(L);
    lua_rawset(L, table);
    lua_settop(L, list);
  }
  lua_pop(L, 1);
}

static bool has(lua_State *L, int table, const char *name) {
  bool is = lua_getfield(L, table, name) != LUA_TNIL;
  lua_pop(L, 1);
  return is;
}

static bool is_renamed(lua_State *L, int record, int next, const char *from, const char *to) {
  return has(L, record, from) && has(L, next, to);
}

static void follow(lua_State *L, int spelling, int record, int next, int living, bool tells) {
  int top = lua_gettop(L), key = top + 3;
  if (!has(L, spelling, has_parts)) return;
  lua_newtable(L);
  lua_newtable(L);
  lua_pushnil(L);
  while (lua_next(L, spelling)) {
    const char *to = lua_tostring(L, key), *from = lua_isstring(L, key + 1) ? lua_tostring(L, key + 1) : "";
    if (from[0] == SPELLED_PART[0] && is_renamed(L, record, next, from + 1, to + 1)) {
      if (tells) note(L, from + 1, to + 1);
      lua_pushvalue(L, top + 1);
      take(L, record, from + 1, to + 1);
      lua_pushvalue(L, top + 2);
      take(L, living, from + 1, to + 1);
    }
    lua_settop(L, key);
  }
  give(L, living);
  give(L, record);
}

void names_follow(lua_State *L, int spelling, int record, int next, int living) {
  follow(L, spelling, record, next, living, true);
}

static void follow_all(lua_State *L, int spelling, int declared, int living, int defaults) {
  int top = lua_gettop(L);
  follow(L, spelling, declared, defaults, living, false);
  lua_pushnil(L);
  while (lua_next(L, defaults)) {
    lua_pushvalue(L, top + 1);
    lua_rawget(L, declared);
    lua_pushvalue(L, top + 1);
    lua_rawget(L, living);
    bool tables = lua_istable(L, top + 2) && lua_istable(L, top + 3) && lua_istable(L, top + 4);
    if (tables) follow_all(L, spelling, top + 3, top + 4, top + 2);
    lua_settop(L, top + 1);
  }
}

void names_of_kept(lua_State *L, int declared, int living, int defaults) {
  lua_newtable(L);
  epoch_push_current(L, "renames");
  invert(L, lua_gettop(L) - 1);
  follow_all(L, lua_gettop(L), declared, living, defaults);
  lua_pop(L, 1);
}

/* ---- variables ---- */

/* Moves an entry of both tables to a new key; all at once, when `give` is called. */
static void move(lua_State *L, int before, int last, int taken, const char *from, const char *to) {
  lua_pushvalue(L, taken);
  take(L, before, from, to);
  lua_pushvalue(L, taken + 1);
  take(L, last, from, to);
  lua_pop(L, 2);
}

static void respell(lua_State *L, int spelling, int before, int last, int after) {
  int taken = lua_gettop(L) + 1, key = taken + 2;
  lua_newtable(L);
  lua_newtable(L);
  lua_pushnil(L);
  while (lua_next(L, spelling)) {
    const char *to = lua_tostring(L, key), *from = lua_isstring(L, key + 1) ? lua_tostring(L, key + 1) : SPELLED_PART;
    const char *global = strrchr(to, '\n'), *its = strrchr(from, '\n');
    if (from[0] != SPELLED_PART[0]) {
      bool local = is_renamed(L, before, after, from, to);
      bool renamed = local || is_renamed(L, before, after, its, global);
      if (renamed) note(L, its + 1, global + 1);
      if (renamed) move(L, before, last, taken, local ? from : its, local ? to : global);
    } else if (from[1]) {
      const char *old = lua_pushfstring(L, "keep\n%s", from + 1), *kept = lua_pushfstring(L, "keep\n%s", to + 1);
      bool is = has(L, last, old);
      epoch_push(L, "keep");
      is = is && has(L, lua_gettop(L), to + 1);
      if (is) note(L, from + 1, to + 1), move(L, before, last, taken, old, kept);
    }
    lua_settop(L, key);
  }
  give(L, last);
  give(L, before);
}

/* Fills a table: name → key of the only variable of that name which `table` has and `other` lacks, or false. */
static void push_others(lua_State *L, int table, int other) {
  int others = lua_gettop(L) + 1, key = others + 1;
  lua_newtable(L);
  lua_pushnil(L);
  while (lua_next(L, table)) {
    const char *text = lua_tostring(L, key), *name = variable_name(text);
    bool alone = lua_istable(L, key + 1) && lua_rawlen(L, key + 1) == 1 && !has(L, others, name);
    if (variable_is_own(text) && !has(L, other, text)) {
      if (alone) lua_pushvalue(L, key);
      else lua_pushboolean(L, false);
      lua_setfield(L, others, name);
    }
    lua_settop(L, key);
  }
}

static void note_move(lua_State *L, const char *name, const char *from, const char *to) {
  declarations *all = &scene_of(L)->declarations;
  const char *file = strrchr(to, '/');
  file = file ? file + 1 : to;
  if (to[0] == '\n') declarations_note(all, "%s is a global now", name);
  else if (from[0] == '\n') declarations_note(all, "%s is a local now", name);
  else declarations_note(all, "%s is in %.*s now", name, (int)strcspn(file, "\n"), file);
}

/* A variable is in another file, or is a global. */
static void follow_moves(lua_State *L, int before, int last, int after) {
  int gone = lua_gettop(L) + 1, come = gone + 1, taken = gone + 2, name = gone + 4;
  push_others(L, before, after);
  push_others(L, after, before);
  lua_newtable(L);
  lua_newtable(L);
  lua_pushnil(L);
  while (lua_next(L, come)) {
    lua_pushvalue(L, name);
    if (lua_isstring(L, name + 1) && lua_rawget(L, gone) == LUA_TSTRING) {
      note_move(L, lua_tostring(L, name), lua_tostring(L, name + 2), lua_tostring(L, name + 1));
      move(L, before, last, taken, lua_tostring(L, name + 2), lua_tostring(L, name + 1));
    }
    lua_settop(L, name);
  }
  give(L, last);
  give(L, before);
  lua_settop(L, gone - 1);
}

void names_of_variables(lua_State *L, int spelling, int before, int last, int after) {
  epoch_push(L, "spelling");
  invert(L, spelling);
  respell(L, spelling, before, last, after);
  follow_moves(L, before, last, after);
}

int names_find_upvalue(lua_State *L, int spelling, int function, const char *name, const char *file) {
  const char *its;
  int top = lua_gettop(L), found = 0;
  lua_pushfstring(L, "%s\n%s", file, name);
  if (lua_rawget(L, spelling) == LUA_TSTRING) name = variable_name(lua_tostring(L, -1));
  for (int n = 1; !found && (its = lua_getupvalue(L, function, n)) != NULL; n++) {
    if (strcmp(its, name) == 0) found = n;
    lua_pop(L, 1);
  }
  lua_settop(L, top);
  return found;
}
