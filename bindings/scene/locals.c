/* Variables of the scripts follow the rule of declarations. The value of a variable right after a load is its declared
 * value. If two loads declare the same, the living value stays; if the new one declares another, that one counts. In
 * tables this holds for each field. A name that stands for several variables is ambiguous, and starts again; so does a
 * variable that holds functions or objects. */
#include "core/api.h"
#include "core/scene.h"
#include "lua/plain.h"
#include "lua/plain_change.h"
#include "scene/variables.h"

#include <stdio.h>
#include <string.h>

enum { PAIR_COST = 10 };

/* A long list is cut: the first names show the reason well enough. */
static void note_restart(sinew_scene *scene, const char *name, const char *reason) {
  char *text = scene->restarts;
  size_t size = sizeof scene->restarts, used = strlen(text), needed = strlen(name) + strlen(reason) + 8;
  if (used + needed < size) snprintf(text + used, size - used, "%s%s (%s)", used ? ", " : "", name, reason);
  else if (used + 5 < size && text[used - 1] == ')') memcpy(text + used, " …", 5);
}

/* ---- the fate of variables ---- */

typedef enum fate { FATE_DECLARED, FATE_KEPT, FATE_MERGED, FATE_OBJECTS, FATE_TOO_LARGE } fate;

/* The stack: the old load's declared value, the new one's, the living value. */
static fate decide(lua_State *L, int before, int after) {
  int top = lua_gettop(L);
  if (!variable_is_whole(L, before) || !variable_is_whole(L, after)) return FATE_TOO_LARGE;
  if (!variable_has_changed(L, before)) return FATE_DECLARED;
  for (int i = top - 2; i <= top; i++) {
    plain_answer answer = plain_ask(L, i);
    if (answer != PLAIN_YES) return answer == PLAIN_NO ? FATE_OBJECTS : FATE_TOO_LARGE;
  }
  if (plain_same(L, &kind_variable, top - 2, top - 1)) return FATE_KEPT;
  return lua_istable(L, top - 2) && lua_istable(L, top - 1) && lua_istable(L, top) ? FATE_MERGED : FATE_DECLARED;
}

static void note_edit(lua_State *L, const char *name, int before, int after) {
  int top = lua_gettop(L);
  epoch_push(L, "moved");
  if (plain_ask(L, before) == PLAIN_YES && plain_ask(L, after) == PLAIN_YES)
    plain_tell(L, &kind_variable, name, before, after, top + 1);
  lua_settop(L, top);
}

/* For tables, only notes the pair: all are filled together, in case one is inside another. */
static void keep_living(lua_State *L, int memo, int variable) {
  int living = lua_gettop(L);
  variable_push_value(L, variable);
  if (lua_istable(L, living) && lua_istable(L, -1)) {
    lua_pushvalue(L, living);
    lua_insert(L, -2);
    lua_rawset(L, memo);
  } else {
    lua_pop(L, 1);
    lua_pushvalue(L, living);
    variable_set_value(L, variable);
  }
}

static void merge_one(lua_State *L, int memo, const char *name, int before, int after) {
  int top = lua_gettop(L);
  lua_getfield(L, before, "declared");
  lua_getfield(L, after, "declared");
  variable_push_value(L, before);
  switch (decide(L, before, after)) {
  case FATE_DECLARED: note_edit(L, name, top + 1, top + 2); break;
  case FATE_KEPT:
    if (plain_may_set(plain_field(L, &kind_variable, top + 2, top + 2))) keep_living(L, memo, after);
    break;
  case FATE_MERGED:
    note_edit(L, name, top + 1, top + 2);
    if (plain_merge(L, &kind_variable, top + 1, top + 2, top + 3)) keep_living(L, memo, after);
    break;
  case FATE_OBJECTS: note_restart(scene_of(L), name, "holds functions or objects"); break;
  case FATE_TOO_LARGE: note_restart(scene_of(L), name, "too large"); break;
  }
  lua_settop(L, top);
}

static bool any_has_changed(lua_State *L, int list) {
  for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, list); i++) {
    lua_rawgeti(L, list, i);
    bool changed = variable_has_changed(L, lua_gettop(L));
    lua_pop(L, 1);
    if (changed) return true;
  }
  return false;
}

static bool is_key_of_kept(const char *key) { return strncmp(key, KEPT_KEY, strlen(KEPT_KEY)) == 0; }

/* Merges the lists of variables of one name, of the old load and of the new one. */
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
  lua_newtable(L); /* a list of the pairs, because refilling adds to the memo */
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

/* Pushes the variables of `from` that `other` lacks: name → key, or false if several have the name. */
static void push_others(lua_State *L, int from, int other) {
  lua_newtable(L);
  int names = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, from)) {
    int key = lua_gettop(L) - 1;
    const char *name = variable_name(lua_tostring(L, key));
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

/* Changes made since the load are lost with their variable. */
static void note_loss(lua_State *L, const char *name, int variable) {
  int top = lua_gettop(L);
  variable_push_value(L, variable);
  if (variable_is_whole(L, variable) && variable_has_changed(L, variable) && plain_ask(L, top + 1) == PLAIN_YES) {
    char value[PLAIN_SHOWN];
    plain_print(L, top + 1, value);
    declarations_note(&scene_of(L)->declarations, "%s is gone (it was %s)", name, value);
  }
  lua_settop(L, top);
}

/* Variables of the old load whose names the new one lacks: those in `gone` (from push_others) but not in `come`. */
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

/* For two lists with one variable each: whether both declare the same value, and the code that uses them is the same.
 */
static bool is_renamed(lua_State *L, int before, const char *from, int after, const char *to, int gone) {
  int top = lua_gettop(L);
  if (lua_rawlen(L, before) != 1 || lua_rawlen(L, after) != 1) return false;
  lua_rawgeti(L, before, 1);
  lua_rawgeti(L, after, 1);
  lua_getfield(L, top + 1, "declared");
  lua_getfield(L, top + 2, "declared");
  bool is = plain_ask(L, top + 3) == PLAIN_YES && plain_equal(L, top + 3, top + 4) &&
            variable_has_changed(L, top + 1) && variable_is_renamed(L, top + 1, from, top + 2, to, gone);
  lua_settop(L, top);
  return is;
}

/* The table `gone` has the keys of variables that are gone, or false; a variable that continues becomes false. Above it
 * is the table of those that come. */
static void merge_renamed(lua_State *L, int memo, int before, int after, int gone, const char *to, const char *key) {
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
      variable_note_name(L, from, to);
      merge_name(L, memo, to, top + 4, top + 1);
      lua_pushboolean(L, false);
      lua_setfield(L, gone, from);
      break;
    }
    lua_settop(L, top + 2);
  }
  lua_settop(L, top);
}

/* Whether the variables of a name hold plain data. Objects are the same wherever a script holds them. */
static bool holds_plain(lua_State *L, int list) {
  int top = lua_gettop(L);
  lua_rawgeti(L, list, 1);
  variable_push_value(L, top + 1);
  bool plain = plain_ask(L, top + 2) == PLAIN_YES;
  lua_settop(L, top);
  return plain;
}

/* Handles a local that became a global or a kept table, or the other way round, or that is now in another file. */
static void merge_moved(lua_State *L, int memo, int moves, int before, int after) {
  int top = lua_gettop(L), gone = top + 1, come = top + 2, name = top + 3;
  push_others(L, before, after);
  push_others(L, after, before);
  lua_pushnil(L);
  while (lua_next(L, come)) {
    lua_pushvalue(L, name);
    if (lua_rawget(L, gone) == LUA_TSTRING && lua_isstring(L, name + 1)) {
      const char *from = lua_tostring(L, name + 2), *to = lua_tostring(L, name + 1);
      lua_getfield(L, before, from);
      if (holds_plain(L, name + 3)) note_move(L, lua_tostring(L, name), from, to);
      lua_getfield(L, after, to);
      merge_name(L, memo, lua_tostring(L, name), name + 3, name + 4);
      if (is_key_of_kept(from)) keep_forget(L, lua_tostring(L, name));
    } else if (lua_isnil(L, name + 2) && lua_isstring(L, name + 1) && !is_key_of_kept(lua_tostring(L, name + 1))) {
      merge_renamed(L, memo, before, after, gone, lua_tostring(L, name), lua_tostring(L, name + 1));
    }
    lua_settop(L, name);
  }
  entries_find(L, before, after, gone, come, moves);
  note_losses(L, before, gone, come);
  lua_settop(L, top);
}

static void merge(lua_State *L, int before, int after) {
  lua_newtable(L);
  lua_newtable(L);
  int moves = lua_gettop(L), memo = moves - 1;
  merge_moved(L, memo, moves, before, after);
  lua_pushnil(L);
  while (lua_next(L, after)) {
    int key = lua_gettop(L) - 1;
    const char *name = variable_name(lua_tostring(L, key));
    lua_pushvalue(L, key);
    if (lua_rawget(L, before) == LUA_TTABLE) merge_name(L, memo, name, key + 2, key + 1);
    lua_settop(L, key);
  }
  refill_all(L, memo);
  entries_move(L, moves);
  lua_pop(L, 2);
}

/* The number of a load's tasks; 0 if it does not use the module. */
static int count_tasks(lua_State *L, void (*push)(lua_State *L, const char *field)) {
  int top = lua_gettop(L), count = 0;
  push(L, "modules");
  bool has = lua_istable(L, top + 1) && lua_getfield(L, top + 1, "sinew.task") == LUA_TTABLE &&
             lua_getfield(L, top + 2, "count") == LUA_TFUNCTION;
  if (has) lua_call(L, 0, 1), count = (int)lua_tointeger(L, -1);
  lua_settop(L, top);
  return count;
}

static void note_tasks(lua_State *L) {
  char counts[64];
  int ended = count_tasks(L, epoch_push_current), begun = count_tasks(L, epoch_push);
  snprintf(counts, sizeof counts, "%d ended, %d begun", ended, begun);
  if (ended > 0) note_restart(scene_of(L), "tasks", counts);
}

static int merge_variables(lua_State *L) {
  lua_settop(L, 0);
  note_tasks(L);
  if (!variables_push(L)) note_restart(scene_of(L), "some variables", "the scene holds too much to find them all");
  epoch_set(L, "locals", 1);
  epoch_push_current(L, "locals");
  if (!lua_istable(L, 2)) return 0;
  variables_respell(L, 2, 1);
  keep_add_variables(L, 2, 1);
  merge(L, 2, 1);
  keep_drop_variables(L, 1);
  return 0;
}

void locals_merge(sinew_scene *scene) {
  if (!scene_protect(scene, merge_variables, NULL))
    note_restart(scene, "some variables", "the scene holds too much to compare them all");
}
