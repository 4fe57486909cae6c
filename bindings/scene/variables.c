#include "scene/variables.h"

#include <string.h>

#include "core/api.h"
#include "core/scene.h"
#include "lua/reach.h"

enum { MOST = 2 /* of one name */, VALUE_COST = 30 /* of finding and merging it */ };

const char *variable_name(const char *key) { return strrchr(key, '\n') + 1; }

bool variable_is_own(const char *key) { return key[0] == '\n' || script_is_own(key); }

bool upvalue_is_named(const char *name) { return name[0] && name[0] != '(' && strcmp(name, "_ENV") != 0; }

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

bool script_is_own(const char *source) {
  const char *home = sinew_home();
  size_t length = strlen(home);
  bool at_home = strncmp(source, home, length) == 0;
  return source[0] && !(at_home && strncmp(source + length, "/scripts/sinew/", 15) == 0);
}

/* The variable is on the top. */
static void add_variable(lua_State *L, int variables, const char *key) {
  int variable = lua_gettop(L);
  if (lua_getfield(L, variables, key) != LUA_TTABLE) {
    lua_createtable(L, 1, 0);
    lua_pushvalue(L, -1);
    lua_setfield(L, variables, key);
  }
  lua_Integer count = (lua_Integer)lua_rawlen(L, -1);
  lua_pushvalue(L, variable);
  if (count < MOST) lua_rawseti(L, -2, count + 1);
  lua_settop(L, variable - 1);
}

typedef struct collector {
  found_variables to;
  int ids; /* upvalue → true */
} collector;

static bool is_new(lua_State *L, int ids, const void *id) {
  bool is = lua_rawgetp(L, ids, id) == LUA_TNIL;
  lua_pop(L, 1);
  lua_pushboolean(L, 1);
  lua_rawsetp(L, ids, id);
  return is;
}

static void add_upvalues(lua_State *L, int object, void *user) {
  const collector *c = user;
  int top = lua_gettop(L);
  lua_Debug info;
  const char *name;
  *c->to.any_thread = *c->to.any_thread || lua_isthread(L, object);
  bool made = lua_isfunction(L, object) && !lua_iscfunction(L, object);
  if (!made || lua_memory_serial(L, object) <= scene_of(L)->load_serial) return;
  lua_pushvalue(L, object);
  lua_pushboolean(L, 1);
  lua_rawset(L, c->to.functions);
  lua_pushvalue(L, object);
  lua_getinfo(L, ">S", &info);
  for (int n = 1; info.source[0] == '@' && (name = lua_getupvalue(L, object, n)) != NULL; n++) {
    if (upvalue_is_named(name) && is_new(L, c->ids, lua_upvalueid(L, object, n))) {
      const char *key = lua_pushfstring(L, "%s\n%s", info.source + 1, name);
      lua_createtable(L, 0, 2);
      lua_pushvalue(L, object);
      lua_setfield(L, -2, "call");
      lua_pushinteger(L, n);
      lua_setfield(L, -2, "number");
      add_variable(L, c->to.variables, key);
    }
    lua_settop(L, top);
  }
}

/* A table that is younger than the one that holds it was probably made for it; else it is one of several that do. */
static bool note_owner(lua_State *L, int object, void *user) {
  const collector *c = user;
  bool owned = lua_istable(L, -1) && lua_istable(L, object) && lua_memory_serial(L, object) < lua_memory_serial(L, -1);
  if (!owned) return false;
  lua_pushvalue(L, -1);
  lua_pushboolean(L, 1);
  lua_rawset(L, c->to.owned);
  return false;
}

static void add_globals(lua_State *L, int variables, int env, int standard) {
  lua_pushnil(L);
  while (lua_next(L, env)) {
    int name = lua_gettop(L) - 1;
    lua_pushvalue(L, name);
    bool own = lua_type(L, name) == LUA_TSTRING && lua_rawget(L, standard) == LUA_TNIL;
    lua_settop(L, name);
    if (own) {
      const char *key = lua_pushfstring(L, "\n%s", lua_tostring(L, name));
      lua_createtable(L, 0, 2);
      lua_pushvalue(L, env);
      lua_setfield(L, -2, "table");
      lua_pushvalue(L, name);
      lua_setfield(L, -2, "key");
      add_variable(L, variables, key);
    }
    lua_settop(L, name);
  }
}

bool variables_find(lua_State *L, const found_variables *out) {
  int top = lua_gettop(L);
  epoch_push(L, "standard");
  epoch_push(L, "env");
  add_globals(L, out->variables, top + 2, top + 1);
  lua_settop(L, top);
  lua_newtable(L);
  epoch_push_all(L);
  collector c = {*out, top + 1};
  bool all = reach(L, top + 2, &(reach_visitor){add_upvalues, note_owner, &c, VALUE_COST, scene_of(L)->held});
  lua_settop(L, top);
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
      own = variable_is_own(lua_tostring(L, -2)) && strcmp(variable_name(lua_tostring(L, -2)), name) == 0;
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
      if (!variable_is_own(lua_tostring(L, -1))) continue;
      lua_pushstring(L, variable_name(lua_tostring(L, -1)));
      lua_pushboolean(L, 1);
      lua_rawset(L, names);
    }
  }
  lua_settop(L, names);
}
