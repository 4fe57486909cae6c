/* Variables of the scripts follow the rule of declarations. What a variable is right after a load is its declared
 * value. Where two loads declare the same, the living value stays; where the new one declares another, that one counts.
 * In tables this holds for each field.
 *
 * A load meets its variables as upvalues of the functions that it leads to, and as globals. One is known by its file
 * and its name; one name that stands for several variables cannot be told apart and starts again, and so does what
 * holds functions or objects. What is kept in one of two loads only takes part, as the variable "keep\nname" (keep.c).
 * The table "locals" of an epoch maps "file\nname" to a list of variables: { table =,
 * key = }         a global { call =, number =, id = } an upvalue; closures that share it have the same id declared =,
 * whole =        a snapshot of its value right after the load; whole: it could be taken */
#include "core/api.h"
#include "core/scene.h"
#include "lua/plain.h"
#include "lua/reach.h"

#include <stdio.h>
#include <string.h>

enum { VARIABLES = 64 /* of one name */, PAIR_COST = 10, BYTES_PER_STEP = 16 };

/* ---- what a load has ---- */

/* A long list is cut: the first names are enough to see why. */
static void note_restart(sinew_scene *scene, const char *name, const char *reason) {
  char *text = scene->restarts;
  size_t size = sizeof scene->restarts, used = strlen(text), needed = strlen(name) + strlen(reason) + 8;
  if (used + needed < size) snprintf(text + used, size - used, "%s%s (%s)", used ? ", " : "", name, reason);
  else if (used + 5 < size && text[used - 1] == ')') memcpy(text + used, " …", 5);
}

typedef struct collector {
  int variables, ids, kept; /* stack indices: the result; upvalue → true; tables of sinew.keep → true */
  plain_copier copier;
} collector;

/* Takes the table of a variable below the value on the top, and the value. */
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

/* What sinew.keep has handed out follows a rule of its own. */
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

static bool is_own_script(const char *source) {
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
  if (info.source[0] != '@' || !is_own_script(info.source + 1)) return;
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

/* Tables may hold themselves; what lies deeper than sinew.keep allows is none of its own. */
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

/* Pushes the variables of the load that is going on. */
static void push_variables(lua_State *L) {
  int top = lua_gettop(L);
  collector c = {.variables = top + 1, .ids = top + 2, .kept = top + 3};
  for (int i = 0; i < 3; i++) lua_newtable(L);
  c.copier = plain_begin(L);
  mark_all_kept(L, c.kept);
  epoch_push(L, "standard");
  epoch_push(L, "env");
  collect_globals(L, &c, top + 6, top + 5);
  epoch_push_all(L);
  if (!reach_functions(L, top + 7, collect_upvalues, &c))
    note_restart(scene_of(L), "some variables", "the scene holds too much to find them all");
  lua_settop(L, top + 1);
}

/* ---- what becomes of them ---- */

static void push_living(lua_State *L, int variable) {
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

/* Takes the value on the top. */
static void set_living(lua_State *L, int variable) {
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

static bool has_changed(lua_State *L, int variable) {
  int top = lua_gettop(L);
  lua_getfield(L, variable, "declared");
  push_living(L, variable);
  bool changed = !plain_equal(L, -2, -1);
  lua_settop(L, top);
  return changed;
}

typedef enum fate { FATE_DECLARED, FATE_KEPT, FATE_MERGED, FATE_OBJECTS, FATE_TOO_LARGE } fate;

static bool is_whole(lua_State *L, int variable) {
  lua_getfield(L, variable, "whole");
  bool whole = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return whole;
}

/* The stack: what the old load declared, what the new one does, the living value. */
static fate decide(lua_State *L, int before, int after) {
  int top = lua_gettop(L);
  if (!is_whole(L, before) || !is_whole(L, after)) return FATE_TOO_LARGE;
  if (!has_changed(L, before)) return FATE_DECLARED;
  for (int i = top - 2; i <= top; i++) {
    plain_answer answer = plain_ask(L, i);
    if (answer != PLAIN_YES) return answer == PLAIN_NO ? FATE_OBJECTS : FATE_TOO_LARGE;
  }
  if (plain_equal(L, top - 2, top - 1)) return FATE_KEPT;
  return lua_istable(L, top - 2) && lua_istable(L, top - 1) && lua_istable(L, top) ? FATE_MERGED : FATE_DECLARED;
}

static void push_text(lua_State *L, int index) {
  if (lua_istable(L, index)) {
    lua_pushliteral(L, "{…}");
  } else if (lua_type(L, index) == LUA_TSTRING) {
    budget_charge(L, (int64_t)lua_rawlen(L, index) / BYTES_PER_STEP);
    lua_pushfstring(L, "\"%s\"", lua_tostring(L, index));
  } else {
    luaL_tolstring(L, index, NULL);
  }
}

static void note_edit(lua_State *L, const char *name, int before, int after) {
  if (plain_ask(L, before) != PLAIN_YES || plain_ask(L, after) != PLAIN_YES || plain_equal(L, before, after)) return;
  push_text(L, before);
  push_text(L, after);
  bool tables = lua_istable(L, before) && lua_istable(L, after);
  if (tables) declarations_note(&scene_of(L)->declarations, "%s has other values", name);
  else declarations_note(&scene_of(L)->declarations, "%s %s → %s", name, lua_tostring(L, -2), lua_tostring(L, -1));
  lua_pop(L, 2);
}

/* Of tables only the pair is noted: all are filled together, in case one is inside another. */
static void keep_living(lua_State *L, int memo, int variable) {
  int living = lua_gettop(L);
  push_living(L, variable);
  if (lua_istable(L, living) && lua_istable(L, -1)) {
    lua_pushvalue(L, living);
    lua_insert(L, -2);
    lua_rawset(L, memo);
  } else {
    lua_pop(L, 1);
    lua_pushvalue(L, living);
    set_living(L, variable);
  }
}

static void merge_one(lua_State *L, int memo, const char *name, int before, int after) {
  int top = lua_gettop(L);
  lua_getfield(L, before, "declared");
  lua_getfield(L, after, "declared");
  push_living(L, before);
  switch (decide(L, before, after)) {
  case FATE_DECLARED: note_edit(L, name, top + 1, top + 2); break;
  case FATE_KEPT: keep_living(L, memo, after); break;
  case FATE_MERGED:
    note_edit(L, name, top + 1, top + 2);
    if (plain_merge(L, top + 1, top + 2, top + 3)) keep_living(L, memo, after);
    break;
  case FATE_OBJECTS: note_restart(scene_of(L), name, "holds functions or objects"); break;
  case FATE_TOO_LARGE: note_restart(scene_of(L), name, "too large"); break;
  }
  lua_settop(L, top);
}

static bool any_has_changed(lua_State *L, int list) {
  for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, list); i++) {
    lua_rawgeti(L, list, i);
    bool changed = has_changed(L, lua_gettop(L));
    lua_pop(L, 1);
    if (changed) return true;
  }
  return false;
}

static const char *name_in(const char *key) { return strrchr(key, '\n') + 1; }
static bool is_key_of_kept(const char *key) { return strncmp(key, KEPT_KEY, strlen(KEPT_KEY)) == 0; }

/* The lists of variables of one name, of the old load and of the new one. */
static void merge_name(lua_State *L, int memo, const char *name, int before, int after) {
  int top = lua_gettop(L);
  if (lua_rawlen(L, before) == 1 && lua_rawlen(L, after) == 1) {
    lua_rawgeti(L, before, 1);
    lua_rawgeti(L, after, 1);
    merge_one(L, memo, name, top + 1, top + 2);
  } else if (any_has_changed(L, before)) {
    note_restart(scene_of(L), name, "several have this name");
  }
  lua_settop(L, top);
}

static void refill_all(lua_State *L, int memo) {
  int top = lua_gettop(L);
  lua_newtable(L); /* the pairs; refilling adds to the memo */
  lua_pushnil(L);
  while (lua_next(L, memo)) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, top + 1);
  }
  lua_pushnil(L);
  while (lua_next(L, top + 1)) {
    plain_refill(L, memo, top + 2, top + 3);
    lua_settop(L, top + 2);
  }
  lua_settop(L, top);
}

/* Pushes those of `from` that `other` lacks: by name the key, or false where several have the name. */
static void push_others(lua_State *L, int from, int other) {
  lua_newtable(L);
  int names = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, from)) {
    int key = lua_gettop(L) - 1;
    const char *name = name_in(lua_tostring(L, key));
    lua_pushvalue(L, key);
    if (lua_rawget(L, other) == LUA_TNIL) {
      bool first = lua_getfield(L, names, name) == LUA_TNIL;
      if (first) lua_pushvalue(L, key);
      else lua_pushboolean(L, false);
      lua_setfield(L, names, name);
    }
    lua_settop(L, key);
  }
}

/* The old and the new key of a variable. */
static void note_move(lua_State *L, const char *name, const char *from, const char *to) {
  declarations *all = &scene_of(L)->declarations;
  const char *file = strrchr(to, '/');
  if (is_key_of_kept(to)) declarations_note(all, "%s is kept now", name);
  else if (to[0] == '\n') declarations_note(all, "%s is a global now", name);
  else if (from[0] == '\n' || is_key_of_kept(from)) declarations_note(all, "%s is a local now", name);
  else
    declarations_note(all, "%s is in %.*s now", name, (int)strcspn(file ? file + 1 : to, "\n"), file ? file + 1 : to);
}

/* What the scene has changed since its load is lost with its variable. */
static void note_loss(lua_State *L, const char *name, int variable) {
  int top = lua_gettop(L);
  push_living(L, variable);
  if (is_whole(L, variable) && has_changed(L, variable) && plain_ask(L, top + 1) == PLAIN_YES) {
    push_text(L, top + 1);
    declarations_note(&scene_of(L)->declarations, "%s is gone (it was %s)", name, lua_tostring(L, -1));
  }
  lua_settop(L, top);
}

/* Variables of the old load whose names the new one lacks: the table `gone` of push_others without those in `come`. */
static void note_losses(lua_State *L, int before, int gone, int come) {
  lua_pushnil(L);
  while (lua_next(L, gone)) {
    int name = lua_gettop(L) - 1;
    lua_pushvalue(L, name);
    bool lost = lua_rawget(L, come) == LUA_TNIL && lua_isstring(L, name + 1);
    lost = lost && !is_key_of_kept(lua_tostring(L, name + 1)); /* keep_tell says it */
    if (lost && lua_getfield(L, before, lua_tostring(L, name + 1)) == LUA_TTABLE && lua_rawlen(L, -1) == 1) {
      lua_rawgeti(L, -1, 1);
      note_loss(L, lua_tostring(L, name), lua_gettop(L));
    }
    lua_settop(L, name);
  }
}

/* Of two lists of variables, each of one: the same value was declared, and what uses it says the same. */
static bool is_renamed(lua_State *L, int before, const char *from, int after, const char *to, int gone) {
  int top = lua_gettop(L);
  if (lua_rawlen(L, before) != 1 || lua_rawlen(L, after) != 1) return false;
  lua_rawgeti(L, before, 1);
  lua_rawgeti(L, after, 1);
  lua_getfield(L, top + 1, "declared");
  lua_getfield(L, top + 2, "declared");
  bool is = plain_ask(L, top + 3) == PLAIN_YES && plain_equal(L, top + 3, top + 4) && has_changed(L, top + 1) &&
            variable_is_renamed(L, top + 1, from, top + 2, to, gone);
  lua_settop(L, top);
  return is;
}

/* The variables that are gone have their keys in the table `gone`, or false; one that goes on is false from now on.
 * Above it lies the table of those that come. */
static void merge_renamed(lua_State *L, int memo, int before, int after, int gone, const char *to, const char *key) {
  declarations *all = &scene_of(L)->declarations;
  int top = lua_gettop(L), come = gone + 1;
  lua_getfield(L, after, key);
  lua_pushnil(L);
  while (lua_next(L, gone)) {
    const char *from = lua_tostring(L, top + 2);
    budget_charge(L, PAIR_COST);
    bool moves = lua_getfield(L, come, from) != LUA_TNIL;
    lua_settop(L, top + 3);
    moves = moves || (lua_isstring(L, top + 3) && is_key_of_kept(lua_tostring(L, top + 3)));
    if (!moves && lua_isstring(L, top + 3) && lua_getfield(L, before, lua_tostring(L, top + 3)) == LUA_TTABLE &&
        is_renamed(L, top + 4, from, top + 1, to, gone)) {
      declarations_note(all, "%s is called %s now", from, to);
      merge_name(L, memo, to, top + 4, top + 1);
      lua_pushboolean(L, false);
      lua_setfield(L, gone, from);
      break;
    }
    lua_settop(L, top + 2);
  }
  lua_settop(L, top);
}

/* A local that has become a global, or a kept table, or the other way round, or that is in another file now. */
static void merge_moved(lua_State *L, int memo, int before, int after) {
  int top = lua_gettop(L), gone = top + 1, come = top + 2, name = top + 3;
  push_others(L, before, after);
  push_others(L, after, before);
  lua_pushnil(L);
  while (lua_next(L, come)) {
    lua_pushvalue(L, name);
    if (lua_rawget(L, gone) == LUA_TSTRING && lua_isstring(L, name + 1)) {
      const char *from = lua_tostring(L, name + 2), *to = lua_tostring(L, name + 1);
      note_move(L, lua_tostring(L, name), from, to);
      lua_getfield(L, before, from);
      lua_getfield(L, after, to);
      merge_name(L, memo, lua_tostring(L, name), name + 3, name + 4);
      if (is_key_of_kept(from)) keep_forget(L, lua_tostring(L, name));
    } else if (lua_isnil(L, name + 2) && lua_isstring(L, name + 1) && !is_key_of_kept(lua_tostring(L, name + 1))) {
      merge_renamed(L, memo, before, after, gone, lua_tostring(L, name), lua_tostring(L, name + 1));
    }
    lua_settop(L, name);
  }
  note_losses(L, before, gone, come);
  lua_settop(L, top);
}

static void merge(lua_State *L, int before, int after) {
  lua_newtable(L);
  int memo = lua_gettop(L);
  merge_moved(L, memo, before, after);
  lua_pushnil(L);
  while (lua_next(L, after)) {
    int key = lua_gettop(L) - 1;
    const char *name = name_in(lua_tostring(L, key));
    lua_pushvalue(L, key);
    if (lua_rawget(L, before) == LUA_TTABLE) merge_name(L, memo, name, key + 2, key + 1);
    lua_settop(L, key);
  }
  refill_all(L, memo);
  lua_pop(L, 1);
}

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

static int merge_variables(lua_State *L) {
  lua_settop(L, 0);
  push_variables(L);
  epoch_set(L, "locals", 1);
  epoch_push_current(L, "locals");
  if (!lua_istable(L, 2)) return 0;
  keep_add_variables(L, 2, 1);
  merge(L, 2, 1);
  keep_drop_variables(L, 1);
  return 0;
}

void locals_merge(sinew_scene *scene) {
  if (!scene_protect(scene, merge_variables, NULL))
    note_restart(scene, "some variables", "the scene holds too much to compare them all");
}

/* ---- for the console ---- */

/* Pushes the variable of that name: one that stands for several is the first that was found. */
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
      own = strcmp(name_in(lua_tostring(L, -2)), name) == 0;
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
  push_living(L, lua_gettop(L));
  lua_remove(L, -2);
  return true;
}

bool locals_assign(lua_State *L, const char *name) {
  int value = lua_gettop(L);
  if (!find_variable(L, name)) return false;
  lua_pushvalue(L, value);
  set_living(L, value + 1);
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
      lua_pushstring(L, name_in(lua_tostring(L, -1)));
      lua_pushboolean(L, 1);
      lua_rawset(L, names);
    }
  }
  lua_settop(L, names);
}
