#include "scene/variables.h"

#include <string.h>

#include "core/api.h"
#include "core/scene.h"
#include "lua/plain.h"
#include "lua/reach.h"

enum { VARIABLES = 64 /* of one name */ };

const char *variable_name(const char *key) { return strrchr(key, '\n') + 1; }

/* ---- what a load has ---- */

/* Remembers which globals every scene has. */
void locals_begin(lua_State *L) {
  lua_newtable(L);
  epoch_push(L, "env");
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_pushboolean(L, 1);
    lua_rawset(L, -5);
  }
  lua_pop(L, 1);
  epoch_set(L, "standard", lua_gettop(L));
  lua_pop(L, 1);
}

typedef struct collector {
  int variables, ids, kept; /* stack indices: the result; upvalue → true; tables of sinew.keep → true */
  plain_copier copier;
} collector;

/* Takes the table of a variable and the value above it. */
static void add_variable(lua_State *L, collector *c, const char *key) {
  int value = lua_gettop(L), variable = value - 1;
  bool whole = plain_copy(L, &c->copier, value);
  if (whole) lua_setfield(L, variable, "declared");
  lua_pushboolean(L, whole);
  lua_setfield(L, variable, "whole");
  if (lua_getfield(L, c->variables, key) != LUA_TTABLE) {
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setfield(L, c->variables, key);
  }
  int list = lua_gettop(L);
  lua_Integer count = (lua_Integer)lua_rawlen(L, list);
  lua_pushvalue(L, variable);
  if (count < VARIABLES) lua_rawseti(L, list, count + 1);
  lua_settop(L, variable - 1);
}

/* True for tables of sinew.keep, which follow their own rule. */
static bool is_kept(lua_State *L, const collector *c) {
  lua_pushvalue(L, -1);
  bool kept = !lua_isnil(L, -1) && lua_rawget(L, c->kept) != LUA_TNIL;
  lua_pop(L, 1);
  return kept;
}

static bool is_new(lua_State *L, const collector *c, const void *id) {
  if (lua_rawgetp(L, c->ids, id) != LUA_TNIL) return lua_pop(L, 1), false;
  lua_pop(L, 1);
  lua_pushboolean(L, 1);
  lua_rawsetp(L, c->ids, id);
  return true;
}

/* The value is on the top. */
static void add_upvalue(lua_State *L, collector *c, const char *key, int function, int number) {
  lua_createtable(L, 0, 4);
  lua_pushvalue(L, function);
  lua_setfield(L, -2, "call");
  lua_pushinteger(L, number);
  lua_setfield(L, -2, "number");
  lua_insert(L, -2);
  add_variable(L, c, key);
}

bool script_is_own(const char *source) {
  const char *home = sinew_home();
  size_t length = strlen(home);
  bool at_home = strncmp(source, home, length) == 0;
  return source[0] && !(at_home && strncmp(source + length, "/scripts/sinew/", 15) == 0);
}

static void collect_upvalues(lua_State *L, int function, void *user) {
  collector *c = user;
  lua_Debug info;
  const char *name;
  lua_pushvalue(L, function);
  lua_getinfo(L, ">S", &info);
  if (info.source[0] != '@' || !script_is_own(info.source + 1)) return;
  for (int n = 1; (name = lua_getupvalue(L, function, n)) != NULL; n++) {
    int value = lua_gettop(L);
    if (name[0] && strcmp(name, "_ENV") != 0 && !is_kept(L, c) && is_new(L, c, lua_upvalueid(L, function, n))) {
      const char *key = lua_pushfstring(L, "%s\n%s", info.source + 1, name);
      lua_insert(L, value);
      add_upvalue(L, c, key, function, n);
    }
    lua_settop(L, value - 1);
  }
}

static void collect_globals(lua_State *L, collector *c, int env, int standard) {
  lua_pushnil(L);
  while (lua_next(L, env)) {
    int name = lua_gettop(L) - 1;
    lua_pushvalue(L, name);
    bool own = lua_type(L, name) == LUA_TSTRING && lua_rawget(L, standard) == LUA_TNIL;
    lua_settop(L, name + 1);
    if (own && !is_kept(L, c)) {
      const char *key = lua_pushfstring(L, "\n%s", lua_tostring(L, name));
      lua_insert(L, name + 1);
      lua_createtable(L, 0, 4);
      lua_pushvalue(L, env);
      lua_setfield(L, -2, "table");
      lua_pushvalue(L, name);
      lua_setfield(L, -2, "key");
      lua_insert(L, -2);
      add_variable(L, c, key);
    }
    lua_settop(L, name);
  }
}

/* Tables may contain themselves; anything deeper than sinew.keep allows is not compared. */
static void mark_kept(lua_State *L, int marks, int table, int depth) {
  luaL_checkstack(L, 8, NULL);
  lua_pushvalue(L, table);
  bool is_marked = lua_rawget(L, marks) != LUA_TNIL;
  lua_pop(L, 1);
  if (is_marked || depth > PLAIN_DEPTH) return;
  lua_pushvalue(L, table);
  lua_pushboolean(L, 1);
  lua_rawset(L, marks);
  lua_pushnil(L);
  while (lua_next(L, table)) {
    if (lua_istable(L, -1)) mark_kept(L, marks, lua_gettop(L), depth + 1);
    lua_pop(L, 1);
  }
}

static void mark_all_kept(lua_State *L, int marks) {
  epoch_push(L, "keep");
  int keep = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, keep)) {
    if (lua_getfield(L, -1, "value") == LUA_TTABLE) mark_kept(L, marks, lua_gettop(L), 0);
    lua_pop(L, 2);
  }
  lua_pop(L, 1);
}

bool variables_push(lua_State *L) {
  int top = lua_gettop(L);
  collector c = {.variables = top + 1, .ids = top + 2, .kept = top + 3};
  for (int i = 0; i < 3; i++) lua_newtable(L);
  c.copier = plain_begin(L);
  mark_all_kept(L, c.kept);
  epoch_push(L, "standard");
  epoch_push(L, "env");
  collect_globals(L, &c, top + 6, top + 5);
  epoch_push_all(L);
  bool all = reach_functions(L, top + 7, collect_upvalues, &c);
  lua_settop(L, top + 1);
  return all;
}

/* ---- their values ---- */

void variable_push_value(lua_State *L, int variable) {
  if (lua_getfield(L, variable, "table") == LUA_TTABLE) {
    lua_getfield(L, variable, "key");
    lua_rawget(L, -2);
    lua_remove(L, -2);
    return;
  }
  lua_pop(L, 1);
  lua_getfield(L, variable, "call");
  lua_getfield(L, variable, "number");
  lua_getupvalue(L, -2, (int)lua_tointeger(L, -1));
  lua_replace(L, -3);
  lua_pop(L, 1);
}

/* Takes the value at the top. */
void variable_set_value(lua_State *L, int variable) {
  int value = lua_gettop(L);
  if (lua_getfield(L, variable, "table") == LUA_TTABLE) {
    lua_getfield(L, variable, "key");
    lua_pushvalue(L, value);
    lua_rawset(L, -3);
  } else {
    lua_getfield(L, variable, "call");
    lua_getfield(L, variable, "number");
    int number = (int)lua_tointeger(L, -1);
    lua_pushvalue(L, value);
    lua_setupvalue(L, -3, number);
  }
  lua_settop(L, value - 1);
}

bool variable_has_changed(lua_State *L, int variable) {
  int top = lua_gettop(L);
  lua_getfield(L, variable, "declared");
  variable_push_value(L, variable);
  bool changed = !plain_equal(L, -2, -1);
  lua_settop(L, top);
  return changed;
}

bool variable_is_whole(lua_State *L, int variable) {
  lua_getfield(L, variable, "whole");
  bool whole = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return whole;
}

void variable_note_name(lua_State *L, const char *from, const char *to) {
  declarations_note(&scene_of(L)->declarations, "%s is called %s now", from, to);
}

/* ---- for the console ---- */

/* Pushes the variable of that name; if there are several, the first that was found. */
static bool find_variable(lua_State *L, const char *name) {
  int top = lua_gettop(L);
  epoch_push(L, "locals");
  if (!lua_istable(L, -1)) return lua_settop(L, top), false;
  lua_pushfstring(L, "%s\n%s", scene_of(L)->path, name);
  bool own = lua_rawget(L, top + 1) == LUA_TTABLE;
  if (!own) {
    lua_settop(L, top + 1);
    lua_pushnil(L);
    while (!own && lua_next(L, top + 1)) {
      own = strcmp(variable_name(lua_tostring(L, -2)), name) == 0;
      if (own) lua_remove(L, -2);
      else lua_pop(L, 1);
    }
  }
  if (!own) return lua_settop(L, top), false;
  lua_rawgeti(L, -1, 1);
  lua_replace(L, top + 1);
  lua_settop(L, top + 1);
  return true;
}

bool locals_push(lua_State *L, const char *name) {
  if (!find_variable(L, name)) return false;
  variable_push_value(L, lua_gettop(L));
  lua_remove(L, -2);
  return true;
}

bool locals_assign(lua_State *L, const char *name) {
  int value = lua_gettop(L);
  if (!find_variable(L, name)) return false;
  lua_pushvalue(L, value);
  variable_set_value(L, value + 1);
  lua_settop(L, value - 1);
  return true;
}

void locals_add_names(lua_State *L) {
  int names = lua_gettop(L);
  epoch_push(L, "locals");
  if (lua_istable(L, -1)) {
    lua_pushnil(L);
    while (lua_next(L, -2)) {
      lua_pop(L, 1);
      lua_pushstring(L, variable_name(lua_tostring(L, -1)));
      lua_pushboolean(L, 1);
      lua_rawset(L, names);
    }
  }
  lua_settop(L, names);
}
