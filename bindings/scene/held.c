/* What scripts hold, from load to load: data lives on, code is new.
 *
 * There are two heaps: the one that lived, and the one that the load has made. What the last load had made is recorded:
 * a record of each table, whose `twin` is the living table. Records and what is new are paired from the same roots by
 * the same paths; a pair of tables continues as the record's twin, field by field, and a pair of functions as the new
 * one. Variables are joined: new functions share those of the old ones. Then every reference to a new table of a pair
 * becomes one to the living table, and every reference to an old function of a pair one to the new function. The new
 * tables of pairs, which nothing refers to any more, are the records for the next load. */
#include "scene/held.h"

#include "core/api.h"
#include "core/scene.h"
#include "lua/plain.h"
#include "lua/plain_change.h"
#include "lua/reach.h"
#include "scene/variables.h"

#include <stdio.h>
#include <string.h>

/* In the order in which pairs are made: what a table was made for, what a variable holds, what else refers to it; and
 * places where the script has put another one. */
typedef enum certainty { OWNED, NAMED, SHARED, REPLACED, CERTAINTIES } certainty;

enum { DEPTH = 64 /* of pairs that are made at once */ };

/* Stack indices of tables. */
typedef struct merger {
  int before, after;    /* variables of the two loads, by key */
  int last, next;       /* what they declare: roots by key */
  int twin, known;      /* of the last load: record → living table, and back */
  int meta;             /* record → its metatable, as a record */
  int uses;             /* function → { number of an upvalue → record } */
  int becomes;          /* new table → living one, old function → new one */
  int record, taken;    /* new table → record, new function → old one, and back */
  int pairs;            /* the new tables of pairs */
  int copies;           /* new table → the living one of which sinew.keep has made it */
  int cells, cell_list; /* identity of a new upvalue → { old function, number, new function, number, record } */
  int owned, functions; /* of the new load, as in variables.h */
  int spelling;         /* new name → old name */
  int queue[CERTAINTIES];
  lua_Integer first[CERTAINTIES], end[CERTAINTIES];
  renewal renewal;
  int depth;
  bool any_keyed, any_thread; /* tables with objects as keys; coroutines */
  bool differs;               /* the load declares anything else than the last */
} merger;

/* A long list is cut: the first names show the reason well enough. */
static void note_restart(sinew_scene *scene, const char *name, const char *reason) {
  char *text = scene->restarts;
  size_t size = sizeof scene->restarts, used = strlen(text), needed = strlen(name) + strlen(reason) + 8;
  if (used + needed < size) snprintf(text + used, size - used, "%s%s (%s)", used ? ", " : "", name, reason);
  else if (used + 5 < size && text[used - 1] == ')') memcpy(text + used, " …", 5);
}

static bool is_set(lua_State *L, int table, int key) {
  lua_pushvalue(L, key);
  bool is = lua_rawget(L, table) != LUA_TNIL;
  lua_pop(L, 1);
  return is;
}

static void set(lua_State *L, int table, int key, int value) {
  lua_pushvalue(L, key);
  lua_pushvalue(L, value);
  lua_rawset(L, table);
}

static bool is_object(int type) { return type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TTHREAD; }

/* Pushes table[key], or the key itself. */
static void push_or_self(lua_State *L, int table, int key) {
  lua_pushvalue(L, key);
  if (!is_object(lua_type(L, key)) || lua_rawget(L, table) != LUA_TNIL) return;
  lua_pop(L, 1);
  lua_pushvalue(L, key);
}

static bool is_code(lua_State *L, int index) { return lua_isfunction(L, index) && !lua_iscfunction(L, index); }

/* For as many tables as the last load has made. */
static int push_table(lua_State *L, int size) {
  lua_createtable(L, 0, size);
  return lua_gettop(L);
}

/* What is older than the load is not its own: the tables of the module `sinew`. */
static bool is_of_load(lua_State *L, int index) { return lua_memory_serial(L, index) > scene_of(L)->load_serial; }

/* Whether the script has left the living value as the last load made it. */
static bool is_as_declared(lua_State *L, const merger *m, int record, int living) {
  if (!lua_istable(L, record)) return plain_equal(L, record, living);
  lua_pushvalue(L, record);
  lua_rawget(L, m->twin);
  bool same = lua_rawequal(L, -1, living);
  lua_pop(L, 1);
  return same;
}

/* ---- roots ---- */

/* Handlers: lists of { call = }, by name or number. */
static void add_calls(lua_State *L, int roots, const char *field) {
  int top = lua_gettop(L), list = top + 3;
  epoch_push(L, field);
  lua_pushnil(L);
  while (lua_next(L, top + 1)) {
    const char *name = luaL_tolstring(L, top + 2, NULL);
    for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, list); i++) {
      lua_rawgeti(L, list, i);
      lua_getfield(L, -1, "call");
      lua_pushfstring(L, "%s\n%s\n%I", field, name, (LUAI_UACINT)i);
      lua_insert(L, -2);
      lua_rawset(L, roots);
      lua_pop(L, 1);
    }
    lua_settop(L, top + 2);
  }
  lua_settop(L, top);
}

/* The fields of a table of the epoch, or of their tables. */
static void add_fields(lua_State *L, int roots, const char *field, const char *inner) {
  int top = lua_gettop(L);
  epoch_push(L, field);
  lua_pushnil(L);
  while (lua_next(L, top + 1)) {
    if (inner) lua_getfield(L, -1, inner);
    lua_pushfstring(L, "%s\n%s", field, lua_tostring(L, top + 2));
    lua_insert(L, -2);
    lua_rawset(L, roots);
    lua_settop(L, top + 2);
  }
  lua_settop(L, top);
}

static void add_variables(lua_State *L, int roots, int variables) {
  int top = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, variables)) {
    if (lua_rawlen(L, top + 2) == 1) {
      lua_rawgeti(L, top + 2, 1);
      lua_pushvalue(L, top + 1);
      variable_push_value(L, top + 3);
      lua_rawset(L, roots);
    }
    lua_settop(L, top + 1);
  }
}

/* ---- pairs ---- */

static void pair_tables(lua_State *L, merger *m, int record, int next, int living);

static void put(lua_State *L, merger *m, certainty how, int record, int next, int living) {
  const int values[] = {record, next, living};
  bool both = (lua_istable(L, record) && lua_istable(L, next)) || (is_code(L, record) && is_code(L, next));
  if (!both || !is_of_load(L, next)) return;
  if (lua_istable(L, living) && !is_as_declared(L, m, record, living)) how = REPLACED;
  if (how == OWNED && m->depth < DEPTH && lua_istable(L, next)) {
    m->depth++;
    pair_tables(L, m, record, next, living);
    m->depth--;
    return;
  }
  for (int i = 0; i < 3; i++) {
    lua_pushvalue(L, values[i]);
    lua_rawseti(L, m->queue[how], ++m->end[how]);
  }
}

static certainty named(lua_State *L, const merger *m, int next) {
  return lua_istable(L, next) && is_set(L, m->owned, next) ? SHARED : NAMED;
}

static void add_cell(lua_State *L, const merger *m, const void *id, int call, int number, int next, int next_number,
                     int record) {
  lua_createtable(L, CELL_RECORD, 0);
  lua_pushvalue(L, call);
  lua_rawseti(L, -2, CELL_CALL);
  lua_pushinteger(L, number);
  lua_rawseti(L, -2, CELL_NUMBER);
  lua_pushvalue(L, next);
  lua_rawseti(L, -2, CELL_NEW_CALL);
  lua_pushinteger(L, next_number);
  lua_rawseti(L, -2, CELL_NEW_NUMBER);
  lua_pushvalue(L, record);
  lua_rawseti(L, -2, CELL_RECORD);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, m->cells, id);
  lua_rawseti(L, m->cell_list, (lua_Integer)lua_rawlen(L, m->cell_list) + 1);
}

static void pair_functions(lua_State *L, merger *m, int last, int next) {
  int top = lua_gettop(L);
  const char *name;
  lua_Debug info;
  if (is_set(L, m->becomes, last) || is_set(L, m->record, next)) return;
  set(L, m->becomes, last, next);
  set(L, m->record, next, last);
  lua_pushvalue(L, next);
  lua_getinfo(L, ">S", &info);
  lua_pushvalue(L, last);
  lua_rawget(L, m->uses);
  for (int n = 1; (name = lua_getupvalue(L, next, n)) != NULL; n++) {
    const void *id = lua_upvalueid(L, next, n);
    bool open = upvalue_is_named(name) && lua_rawgetp(L, m->cells, id) == LUA_TNIL;
    int from = open ? names_find_upvalue(L, m->spelling, last, name, info.source + 1) : 0;
    lua_settop(L, top + 2);
    if (from) {
      lua_getupvalue(L, last, from);
      if (lua_istable(L, top + 1)) lua_rawgeti(L, top + 1, from);
      else lua_pushnil(L);
      add_cell(L, m, id, last, from, next, n, top + 4);
      put(L, m, named(L, m, top + 2), top + 4, top + 2, top + 3);
    }
    lua_settop(L, top + 1);
  }
  lua_settop(L, top);
}

/* Pairs what the fields of a pair of tables hold. With `keyed` those whose keys are paired objects, which may be known
 * only later. */
static void pair_fields(lua_State *L, merger *m, int record, int next, int living, bool keyed) {
  int top = lua_gettop(L);
  uint64_t serial = lua_memory_serial(L, next);
  lua_pushnil(L);
  while (lua_next(L, next)) {
    int type = lua_type(L, top + 2), key = lua_type(L, top + 1);
    m->any_keyed = m->any_keyed || is_object(key);
    if ((type == LUA_TTABLE || type == LUA_TFUNCTION) && is_object(key) == keyed) {
      if (keyed) push_or_self(L, m->record, top + 1);
      else lua_pushvalue(L, top + 1);
      lua_pushvalue(L, top + 3);
      lua_rawget(L, record);
      if (keyed) push_or_self(L, m->becomes, top + 1);
      else lua_pushvalue(L, top + 1);
      lua_rawget(L, living);
      bool owns = type == LUA_TFUNCTION || serial < lua_memory_serial(L, top + 2);
      put(L, m, owns ? OWNED : SHARED, top + 4, top + 2, top + 5);
    }
    lua_settop(L, top + 1);
  }
  if (keyed || !lua_getmetatable(L, next)) return;
  lua_pushvalue(L, record);
  lua_rawget(L, m->meta);
  if (!lua_getmetatable(L, living)) lua_pushnil(L);
  put(L, m, SHARED, top + 2, top + 1, top + 3);
  lua_settop(L, top);
}

static void add_pair(lua_State *L, const merger *m, int record, int next, int living) {
  set(L, m->becomes, next, living);
  lua_pushvalue(L, next);
  lua_rawseti(L, m->pairs, (lua_Integer)lua_rawlen(L, m->pairs) + 1);
  if (lua_isnil(L, record)) return;
  set(L, m->taken, record, next);
  set(L, m->record, next, record);
}

/* A table that the script has made and put in the place of the declared one continues it. */
static void pair_tables(lua_State *L, merger *m, int record, int next, int living) {
  int top = lua_gettop(L);
  luaL_checkstack(L, 16, NULL);
  if (is_set(L, m->taken, record) || is_set(L, m->becomes, next)) return;
  lua_pushvalue(L, record);
  lua_rawget(L, m->twin);
  if (lua_istable(L, living) && !is_set(L, m->known, living)) lua_pushvalue(L, living), lua_replace(L, top + 1);
  if (lua_istable(L, top + 1)) {
    add_pair(L, m, record, next, top + 1);
    names_follow(L, m->spelling, record, next, top + 1);
    pair_fields(L, m, record, next, top + 1, false);
  }
  lua_settop(L, top);
}

static bool pair_next(lua_State *L, merger *m) {
  int top = lua_gettop(L);
  for (int how = 0; how < CERTAINTIES; how++) {
    if (m->first[how] == m->end[how]) continue;
    for (int i = 0; i < 3; i++) {
      lua_rawgeti(L, m->queue[how], ++m->first[how]);
      lua_pushnil(L);
      lua_rawseti(L, m->queue[how], m->first[how]);
    }
    if (lua_istable(L, top + 1)) pair_tables(L, m, top + 1, top + 2, top + 3);
    else pair_functions(L, m, top + 1, top + 2);
    lua_settop(L, top);
    return true;
  }
  return false;
}

static void pair_keyed(lua_State *L, merger *m) {
  int top = lua_gettop(L);
  for (lua_Integer i = (lua_Integer)lua_rawlen(L, m->pairs); i > 0; i--) {
    lua_rawgeti(L, m->pairs, i);
    push_or_self(L, m->becomes, top + 1);
    lua_pushvalue(L, top + 1);
    if (lua_rawget(L, m->record) == LUA_TTABLE) pair_fields(L, m, top + 3, top + 1, top + 2, true);
    lua_settop(L, top);
  }
}

/* Copies of kept tables continue those. */
static void pair_copies(lua_State *L, merger *m) {
  int top = lua_gettop(L), copy = top + 1, living = top + 2;
  lua_pushnil(L);
  while (lua_next(L, m->copies)) {
    lua_pushvalue(L, living);
    lua_rawget(L, m->known);
    add_pair(L, m, top + 3, copy, living);
    if (!lua_isnil(L, top + 3)) names_follow(L, m->spelling, top + 3, copy, living);
    if (!lua_isnil(L, top + 3)) pair_fields(L, m, top + 3, copy, living, false);
    lua_settop(L, copy);
  }
}

static void pair_roots(lua_State *L, merger *m) {
  int top = lua_gettop(L), key = top + 1, next = top + 2;
  lua_pushnil(L);
  while (lua_next(L, m->next)) {
    lua_pushvalue(L, key);
    lua_rawget(L, m->last);
    lua_pushvalue(L, key);
    if (lua_rawget(L, m->before) == LUA_TTABLE) {
      lua_rawgeti(L, top + 4, 1);
      variable_push_value(L, top + 5);
      lua_replace(L, top + 4);
    }
    lua_settop(L, top + 4);
    put(L, m, named(L, m, next), top + 3, next, top + 4);
    lua_settop(L, key);
  }
}

/* Variables that stand alone for their names. */
static void pair_variables(lua_State *L, const merger *m) {
  int top = lua_gettop(L), key = top + 1, list = top + 2;
  lua_pushnil(L);
  while (lua_next(L, m->after)) {
    lua_pushvalue(L, key);
    bool alone = lua_rawget(L, m->before) == LUA_TTABLE && lua_rawlen(L, top + 3) == 1 && lua_rawlen(L, list) == 1;
    if (alone) {
      lua_rawgeti(L, top + 3, 1);
      lua_rawgeti(L, list, 1);
      lua_getfield(L, top + 4, "call");
      lua_getfield(L, top + 4, "number");
      lua_getfield(L, top + 5, "call");
      lua_getfield(L, top + 5, "number");
      lua_pushvalue(L, key);
      lua_rawget(L, m->last);
      int number = (int)lua_tointeger(L, top + 9);
      if (lua_isfunction(L, top + 6) && lua_isfunction(L, top + 8))
        add_cell(L, m, lua_upvalueid(L, top + 8, number), top + 6, (int)lua_tointeger(L, top + 7), top + 8, number,
                 top + 10);
    }
    lua_settop(L, key);
  }
}

static void pair_all(lua_State *L, merger *m) {
  pair_copies(L, m);
  pair_variables(L, m);
  pair_roots(L, m);
  for (lua_Integer before = -1; before != (lua_Integer)lua_rawlen(L, m->pairs);) {
    before = (lua_Integer)lua_rawlen(L, m->pairs);
    while (pair_next(L, m))
      ;
    if (m->any_keyed) pair_keyed(L, m);
  }
}

/* ---- values ---- */

/* Handles are the same if they mean the same; of other objects a load makes new ones, which says nothing. */
static bool same_object(lua_State *L, int a, int b) {
  static const char *const handles[] = {"actor", "layer", "action", "model"};
  if (lua_rawequal(L, a, b) || plain_equal(L, a, b)) return true;
  if (!lua_getmetatable(L, a)) return false;
  bool both = lua_getmetatable(L, b) && lua_rawequal(L, -1, -2), comparable = api_test(L, a, "vector");
  lua_settop(L, lua_gettop(L) - (lua_istable(L, -2) && lua_istable(L, -1) ? 2 : 1));
  for (size_t i = 0; i < sizeof handles / sizeof *handles; i++)
    comparable = comparable || luaL_testudata(L, a, handles[i]);
  return both && (!comparable || (lua_rawlen(L, a) == lua_rawlen(L, b) &&
                                  memcmp(lua_touserdata(L, a), lua_touserdata(L, b), lua_rawlen(L, a)) == 0));
}

/* Whether the load declares what the last one did. */
static bool declares_the_same(lua_State *L, const merger *m, int record, int next) {
  int type = lua_type(L, next);
  if (type != lua_type(L, record)) return false;
  if (type == LUA_TFUNCTION || type == LUA_TTHREAD || lua_rawequal(L, record, next)) return true;
  if (type == LUA_TUSERDATA) return same_object(L, record, next);
  if (type != LUA_TTABLE) return plain_same(L, &kind_variable, record, next);
  lua_pushvalue(L, record);
  lua_rawget(L, m->taken);
  bool same = lua_rawequal(L, -1, next);
  lua_pop(L, 1);
  return same;
}

/* Pushes the value that a place has from now on; or returns false, and the living value stays. */
static bool settle(lua_State *L, merger *m, int record, int living, int next) {
  if (lua_rawequal(L, living, next)) return false;
  if (code_thread(L, living) && code_thread(L, next) && code_goes_on(L, living)) return false;
  bool same = declares_the_same(L, m, record, next);
  m->differs = m->differs || !same;
  if (same && !is_as_declared(L, m, record, living)) return false;
  if (!same && !plain_may_set(plain_field(L, &kind_variable, record, next))) return false;
  push_or_self(L, m->becomes, next);
  return true;
}

/* ---- fields ---- */

/* The tables of a pair: what is recorded of the last load (or nil), what the new one made, what lived. */
typedef struct table_pair {
  int record, next, living;
  bool copied;   /* what is new is a copy of what lived, made by sinew.keep */
  bool restarts; /* a coroutine in it starts again, and so does all else in it */
} table_pair;

/* Data that sinew.keep copies. */
static bool is_copied(lua_State *L, int index) {
  int type = lua_type(L, index);
  return type != LUA_TFUNCTION && type != LUA_TTHREAD && (type != LUA_TUSERDATA || api_test(L, index, "vector"));
}

/* An item that the script has added to a list stays, behind the one that the file declares there. */
static void set_item(lua_State *L, const table_pair *p, int key, int record, int living, int value) {
  bool added =
      lua_isinteger(L, key) && lua_tointeger(L, key) > 0 && lua_isnil(L, record) && !lua_isnil(L, living) && !p->copied;
  lua_Integer count = added ? (lua_Integer)lua_rawlen(L, p->living) : 0;
  set(L, p->living, key, value);
  if (!added || count < lua_tointeger(L, key)) return;
  lua_pushvalue(L, living);
  lua_rawseti(L, p->living, count + 1);
}

/* The key lies below the new value. */
static void settle_field(lua_State *L, merger *m, const table_pair *p) {
  int key = lua_gettop(L) - 1, next = key + 1, its = key + 2, record = key + 3, living = key + 4;
  push_or_self(L, m->record, key); /* old functions are still in their places */
  if (lua_istable(L, its)) push_or_self(L, m->becomes, key);
  else lua_pushvalue(L, its);
  lua_insert(L, its);
  lua_pushnil(L);
  if (!lua_isnil(L, p->record)) lua_pop(L, 1), lua_rawget(L, p->record);
  else lua_remove(L, record);
  lua_pushvalue(L, its);
  lua_rawget(L, p->living);
  if (p->copied && is_copied(L, living)) lua_copy(L, living, record);
  if (p->restarts) push_or_self(L, m->becomes, next);
  else if (!settle(L, m, record, living, next)) return;
  set_item(L, p, its, record, living, living + 1);
}

/* Whether the living field is what the load has made: no more than a plain value. The key lies below that. */
static bool is_left(lua_State *L, const table_pair *p) {
  int key = lua_gettop(L) - 1;
  if (is_object(lua_type(L, key)) || is_object(lua_type(L, key + 1))) return false;
  lua_pushvalue(L, key);
  lua_rawget(L, p->living);
  bool left = lua_rawequal(L, -1, key + 1);
  lua_pop(L, 1);
  return left;
}

/* Whether the load has made the field, whose key is on the top. */
static bool is_made(lua_State *L, const merger *m, int next) {
  int top = lua_gettop(L);
  push_or_self(L, lua_isfunction(L, top) ? m->becomes : m->taken, top);
  lua_rawget(L, next);
  bool is = !lua_isnil(L, -1);
  lua_settop(L, top);
  return is;
}

/* Removes what the last load made and this one does not. */
static void drop_fields(lua_State *L, merger *m, const table_pair *p) {
  int top = lua_gettop(L), from = p->copied ? p->living : p->record;
  lua_pushnil(L);
  while (!lua_isnil(L, from) && lua_next(L, from)) {
    bool plain = !p->copied || (is_copied(L, top + 2) && is_copied(L, top + 1) && !lua_istable(L, top + 1));
    lua_settop(L, top + 1);
    if (!plain || is_made(L, m, p->next)) continue;
    m->differs = true;
    lua_pushvalue(L, top + 1);
    if (!p->copied && lua_istable(L, top + 1)) push_or_self(L, m->twin, top + 1), lua_replace(L, top + 2);
    lua_pushnil(L);
    lua_rawset(L, p->living);
    lua_settop(L, top + 1);
  }
  lua_settop(L, top);
}

static void settle_metatable(lua_State *L, merger *m, const table_pair *p) {
  int top = lua_gettop(L);
  bool any = lua_getmetatable(L, p->next) || lua_getmetatable(L, p->living);
  lua_settop(L, top);
  if (!any) return;
  lua_pushvalue(L, p->record);
  if (!lua_isnil(L, p->record)) lua_rawget(L, m->meta);
  if (!lua_getmetatable(L, p->living)) lua_pushnil(L);
  if (!lua_getmetatable(L, p->next)) lua_pushnil(L);
  if (settle(L, m, top + 1, top + 2, top + 3)) lua_setmetatable(L, p->living);
  lua_settop(L, top);
}

static bool has_new_thread(lua_State *L, const table_pair *p) {
  int top = lua_gettop(L);
  bool found = false;
  lua_pushnil(L);
  while (!found && lua_next(L, p->next)) {
    if (code_thread(L, top + 2)) {
      lua_pushvalue(L, top + 1);
      lua_rawget(L, p->living);
      found = code_thread(L, top + 3) && !code_goes_on(L, top + 3);
      if (found) code_note_restart(L, top + 3);
    }
    lua_settop(L, top + 1);
  }
  lua_settop(L, top);
  return found;
}

static void settle_tables(lua_State *L, merger *m) {
  int top = lua_gettop(L);
  for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, m->pairs); i++) {
    table_pair p = {.next = top + 1, .living = top + 2, .record = top + 3};
    lua_rawgeti(L, m->pairs, i);
    push_or_self(L, m->becomes, p.next);
    lua_pushvalue(L, p.next);
    lua_rawget(L, m->record);
    p.copied = is_set(L, m->copies, p.next);
    p.restarts = m->any_thread && has_new_thread(L, &p);
    lua_pushnil(L);
    while (lua_next(L, p.next)) {
      if (is_left(L, &p)) lua_settop(L, top + 4);
      else settle_field(L, m, &p);
      lua_settop(L, top + 4);
    }
    drop_fields(L, m, &p);
    settle_metatable(L, m, &p);
    lua_settop(L, top);
  }
}

static void settle_cells(lua_State *L, merger *m) {
  int top = lua_gettop(L), call = top + 2;
  for (lua_Integer i = (lua_Integer)lua_rawlen(L, m->cell_list); i > 0; i--) {
    lua_rawgeti(L, m->cell_list, i);
    for (int k = CELL_CALL; k <= CELL_NEW_NUMBER; k++) lua_rawgeti(L, top + 1, k);
    int number = (int)lua_tointeger(L, call + 1);
    lua_rawgeti(L, top + 1, CELL_RECORD);
    lua_getupvalue(L, call, number);
    lua_getupvalue(L, call + 2, (int)lua_tointeger(L, call + 3));
    if (settle(L, m, call + 4, call + 5, call + 6)) lua_setupvalue(L, call, number);
    lua_settop(L, top);
  }
}

/* A variable that has become a local is set as one; it may have been a global. */
static void settle_new_locals(lua_State *L, merger *m) {
  int top = lua_gettop(L), key = top + 1;
  for (lua_pushnil(L); lua_next(L, m->after); lua_settop(L, key)) {
    lua_pushvalue(L, key);
    if (lua_tostring(L, key)[0] == '\n' || lua_rawlen(L, top + 2) != 1 || lua_rawget(L, m->before) != LUA_TTABLE)
      continue;
    lua_rawgeti(L, top + 2, 1);
    lua_rawgeti(L, top + 3, 1);
    if (lua_getfield(L, top + 5, "table") != LUA_TTABLE) continue;
    lua_pushvalue(L, key);
    lua_rawget(L, m->last);
    variable_push_value(L, top + 5);
    variable_push_value(L, top + 4);
    if (!settle(L, m, top + 7, top + 8, top + 9)) lua_settop(L, top + 8);
    variable_set_value(L, top + 4);
  }
  lua_settop(L, top);
}

/* Pushes the living value of a global, which may have been a local. */
static void push_global(lua_State *L, const merger *m, int living, int key) {
  int top = lua_gettop(L);
  lua_pushfstring(L, "\n%s", luaL_tolstring(L, key, NULL));
  if (lua_rawget(L, m->before) == LUA_TTABLE) {
    lua_rawgeti(L, top + 2, 1);
    variable_push_value(L, top + 3);
  } else {
    lua_pushvalue(L, key);
    lua_rawget(L, living);
  }
  lua_replace(L, top + 1);
  lua_settop(L, top + 1);
}

/* Functions of the last load that live on share the table of globals with new ones. */
static void settle_globals(lua_State *L, merger *m) {
  int top = lua_gettop(L), living = top + 1, env = top + 2, standard = top + 3, were = top + 4, key = top + 5;
  epoch_push_current(L, "env");
  epoch_push(L, "env");
  epoch_push(L, "standard");
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, env); lua_settop(L, key)) { /* first all of them, because names may change places */
    push_global(L, m, living, key);
    set(L, were, key, key + 2);
  }
  for (lua_pushnil(L); lua_next(L, env); lua_settop(L, key)) {
    bool own = !is_set(L, standard, key);
    lua_pushfstring(L, "\n%s", luaL_tolstring(L, key, NULL));
    lua_replace(L, key + 2);
    lua_rawget(L, m->last);
    lua_pushvalue(L, key);
    lua_rawget(L, were);
    if (!own || settle(L, m, key + 2, key + 3, key + 1)) lua_pushvalue(L, own ? key + 4 : key + 1);
    set(L, living, key, lua_gettop(L));
  }
  for (lua_pushnil(L); lua_next(L, m->last); lua_settop(L, key)) {
    const char *name = lua_type(L, key) == LUA_TSTRING ? lua_tostring(L, key) : "";
    if (name[0] != '\n' || lua_getfield(L, env, name + 1) != LUA_TNIL) continue;
    lua_pushnil(L);
    lua_setfield(L, living, name + 1);
  }
  set(L, m->becomes, env, living);
  lua_settop(L, top);
}

/* ---- records for the next load ---- */

typedef struct recorder {
  const merger *m;
  int of;          /* value → its record */
  int queue;       /* tables and functions that are to be recorded */
  int twin, known; /* as in the merger, for the next load */
  int meta, uses;
  lua_Integer first, end;
} recorder;

/* Replaces the value on the top by its record. */
static void take_record(lua_State *L, recorder *r) {
  int value = lua_gettop(L);
  bool table = lua_istable(L, value);
  if ((!table && !is_code(L, value)) || !is_of_load(L, value)) return;
  push_or_self(L, r->m->becomes, value);
  bool paired = !lua_rawequal(L, value, value + 1);
  if (table && paired ? is_set(L, r->twin, value) : is_set(L, r->of, value)) {
    if (!table || !paired) push_or_self(L, r->of, value), lua_replace(L, value);
    lua_settop(L, value);
    return;
  }
  if (table && !paired) lua_newtable(L);
  else lua_pushvalue(L, value);
  if (!table || !paired) set(L, r->of, value, value + 2);
  if (table) {
    set(L, r->twin, value + 2, value + 1);
    set(L, r->known, value + 1, value + 2);
  }
  lua_pushvalue(L, value);
  lua_rawseti(L, r->queue, ++r->end);
  lua_replace(L, value);
  lua_settop(L, value);
}

static void record_table(lua_State *L, recorder *r, int table) {
  int to = lua_gettop(L) + 1, key = to + 1, exchanged = to + 1;
  lua_pushvalue(L, table);
  take_record(L, r);
  bool is_copy = !lua_rawequal(L, to, table);
  lua_pushnil(L);
  while (lua_next(L, table)) {
    key = lua_gettop(L) - 1;
    if (!is_copy && !is_object(lua_type(L, key)) && !is_object(lua_type(L, key + 1))) {
      lua_settop(L, key);
      continue;
    }
    lua_pushvalue(L, key);
    take_record(L, r);
    lua_pushvalue(L, key + 1);
    take_record(L, r);
    if (is_copy || lua_rawequal(L, key, key + 2)) {
      if (is_copy || !lua_rawequal(L, key + 1, key + 3)) set(L, to, key + 2, key + 3);
      lua_settop(L, key);
    } else {
      lua_remove(L, key + 1); /* the key, and what takes its place, wait below it */
      lua_pushvalue(L, key);
      luaL_checkstack(L, 8, NULL);
    }
  }
  for (; exchanged + 2 < lua_gettop(L) + 1; exchanged += 3) {
    lua_pushvalue(L, exchanged);
    lua_pushnil(L);
    lua_rawset(L, to);
    set(L, to, exchanged + 1, exchanged + 2);
  }
  lua_settop(L, to);
  if (lua_getmetatable(L, table)) {
    take_record(L, r);
    set(L, r->meta, to, to + 1);
    lua_pushnil(L); /* neither weak nor finalized */
    if (!is_copy) lua_setmetatable(L, to);
  }
  lua_settop(L, to - 1);
}

/* Variables that the roots do not have: those of the functions that made it. */
static void record_function(lua_State *L, recorder *r, int function) {
  int top = lua_gettop(L);
  const char *name;
  lua_Debug info;
  lua_pushvalue(L, function);
  lua_getinfo(L, ">S", &info);
  for (int n = 1; (name = lua_getupvalue(L, function, n)) != NULL; n++) {
    bool named = upvalue_is_named(name);
    if (named) lua_pushfstring(L, "%s\n%s", info.source + 1, name), lua_rawget(L, r->m->after);
    if (named && !(lua_istable(L, -1) && lua_rawlen(L, -1) == 1)) {
      lua_settop(L, top + 1);
      take_record(L, r);
      lua_pushvalue(L, function);
      if (lua_rawget(L, r->uses) == LUA_TNIL) {
        lua_newtable(L);
        set(L, r->uses, function, top + 3);
        lua_replace(L, top + 2);
      }
      lua_pushvalue(L, top + 1);
      lua_rawseti(L, top + 2, n);
    }
    lua_settop(L, top);
  }
}

static void make_weak(lua_State *L, int table) {
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "k");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, table);
}

static recorder record_all(lua_State *L, const merger *m) {
  int top = lua_gettop(L), key = top + 7;
  recorder r = {m, top + 1, top + 2, .twin = top + 3, .known = top + 4, .meta = top + 5, .uses = top + 6};
  for (int i = 0; i < 6; i++) push_table(L, i == 2 || i == 3 ? scene_of(L)->held : 0);
  make_weak(L, r.uses);
  for (lua_pushnil(L); lua_next(L, m->next); lua_settop(L, key)) {
    take_record(L, &r);
    set(L, m->next, key, key + 1);
  }
  while (r.first < r.end) {
    lua_rawgeti(L, r.queue, ++r.first);
    if (lua_istable(L, key)) record_table(L, &r, key);
    else record_function(L, &r, key);
    lua_settop(L, r.uses);
  }
  scene_of(L)->held = (int)r.end;
  return r;
}

/* ---- variables that are fields now, and the other way round ---- */

/* Pushes the record of a table that only one of the loads has as a variable or keeps, if it alone of these has a field
 * of that name; and its key, for a message. */
static bool push_holder(lua_State *L, int roots, int others, const char *name) {
  int top = lua_gettop(L), found = 0;
  lua_pushnil(L);
  lua_pushnil(L);
  for (lua_pushnil(L); lua_next(L, roots); lua_settop(L, top + 3)) {
    const char *key = lua_tostring(L, top + 3);
    bool holds = lua_istable(L, top + 4) && !is_set(L, others, top + 3) &&
                 (variable_is_own(key) || strncmp(key, "keep\n", 5) == 0) && lua_getfield(L, top + 4, name) != LUA_TNIL;
    if (!holds) continue;
    found += !lua_rawequal(L, top + 4, top + 1); /* a kept table is also in a variable */
    lua_copy(L, top + 4, top + 1);
    lua_copy(L, top + 3, top + 2);
  }
  lua_settop(L, found == 1 ? top + 2 : top);
  return found == 1;
}

/* Of a variable and a field that are declared alike. The field's table and the variable lie at these indices. */
static void move_value(lua_State *L, const merger *m, const recorder *r, const char *name, int variable,
                       bool to_field) {
  int top = lua_gettop(L), record = top - 1;
  lua_getfield(L, record, name);
  lua_pushnil(L);
  lua_pushvalue(L, variable);
  lua_rawget(L, to_field ? m->last : m->next);
  bool alike = !lua_istable(L, top + 1) && plain_equal(L, top + 1, top + 3);
  lua_pushvalue(L, variable);
  if (!alike || lua_rawget(L, to_field ? m->before : m->after) != LUA_TTABLE) {
    lua_settop(L, top);
    return;
  }
  lua_rawgeti(L, top + 4, 1);
  lua_pushvalue(L, record);
  lua_rawget(L, to_field ? r->twin : m->twin);
  const char *table = variable_name(lua_tostring(L, top));
  declarations *all = &scene_of(L)->declarations;
  if (to_field) {
    variable_push_value(L, top + 5);
    lua_setfield(L, top + 6, name);
    declarations_note(all, "%s is %s.%s now", name, table, name);
    lua_pushvalue(L, variable);
    lua_pushnil(L);
    lua_rawset(L, m->before);
  } else {
    lua_getfield(L, top + 6, name);
    variable_set_value(L, top + 5);
    declarations_note(all, "%s.%s is %s now", table, name, name);
  }
  lua_settop(L, top);
}

static void move_values(lua_State *L, const merger *m, const recorder *r) {
  int top = lua_gettop(L), key = top + 1;
  for (int pass = 0; pass < 2; pass++) {
    int from = pass ? m->after : m->before, others = pass ? m->before : m->after;
    for (lua_pushnil(L); lua_next(L, from); lua_settop(L, key)) {
      const char *text = lua_tostring(L, key), *name = variable_name(text);
      bool alone = variable_is_own(text) && lua_rawlen(L, key + 1) == 1 && !is_set(L, others, key);
      if (alone && push_holder(L, pass ? m->last : m->next, pass ? m->next : m->last, name))
        move_value(L, m, r, name, key, !pass);
    }
  }
  lua_settop(L, top);
}

/* ---- references ---- */

static bool is_old_code(lua_State *L, int index) { return is_code(L, index) && !is_of_load(L, index); }

static bool exchange(lua_State *L, int object, void *user) {
  const merger *m = user;
  int value = lua_gettop(L);
  (void)object;
  lua_pushvalue(L, value);
  bool known = lua_rawget(L, m->becomes) != LUA_TNIL;
  if (!known && is_old_code(L, value) && code_renew(L, &m->renewal, value)) {
    set(L, m->becomes, value, value + 2);
    lua_replace(L, value + 1);
    known = true;
  }
  if (known) lua_replace(L, value);
  lua_settop(L, value);
  return known;
}

/* New functions share the variables of old ones. */
static void join(lua_State *L, int object, void *user) {
  const merger *m = user;
  int top = lua_gettop(L);
  const void *id;
  if (lua_isthread(L, object)) code_end_thread(L, object);
  if (!is_code(L, object)) return;
  if (!is_of_load(L, object)) code_note_old(L, object);
  for (int n = 1; is_set(L, m->functions, object) && (id = lua_upvalueid(L, object, n)) != NULL; n++) {
    if (lua_rawgetp(L, m->cells, id) == LUA_TTABLE) {
      lua_rawgeti(L, top + 1, CELL_CALL);
      lua_rawgeti(L, top + 1, CELL_NUMBER);
      lua_upvaluejoin(L, object, n, top + 2, (int)lua_tointeger(L, top + 3));
    }
    lua_settop(L, top);
  }
}

static void exchange_all(lua_State *L, merger *m) {
  int top = lua_gettop(L);
  epoch_push_all(L);
  reach(L, top + 1, &(reach_visitor){.visit = join, .slot = exchange, .user = m, .expected = scene_of(L)->held});
  lua_settop(L, top);
}

/* ---- telling ---- */

static void tell_edits(lua_State *L, const merger *m) {
  int top = lua_gettop(L), key = top + 1;
  lua_pushnil(L);
  while (lua_next(L, m->next)) {
    const char *name = lua_tostring(L, key);
    bool is_variable = is_set(L, m->before, key) && is_set(L, m->after, key) && variable_is_own(name);
    lua_pushvalue(L, key);
    lua_rawget(L, m->last);
    if (is_variable)
      plain_tell(L, &kind_variable, variable_name(name), key + 2, key + 1, m->copies); /* told as kept values */
    lua_settop(L, key);
  }
  lua_settop(L, top);
}

/* What a script has changed since the load is lost with its variable. */
static void tell_losses(lua_State *L, const merger *m) {
  int top = lua_gettop(L), key = top + 1;
  lua_pushnil(L);
  while (lua_next(L, m->before)) {
    const char *name = lua_tostring(L, key);
    bool lost = variable_is_own(name) && lua_rawlen(L, top + 2) == 1 && !is_set(L, m->after, key);
    lua_settop(L, top + 2);
    if (lost) {
      lua_rawgeti(L, top + 2, 1);
      variable_push_value(L, top + 3);
      lua_pushvalue(L, key);
      lua_rawget(L, m->last);
      if (!is_as_declared(L, m, top + 5, top + 4) && plain_ask(L, top + 4) == PLAIN_YES && !lua_isnil(L, top + 4)) {
        char value[PLAIN_SHOWN];
        plain_print(L, top + 4, value);
        declarations_note(&scene_of(L)->declarations, "%s is gone (it was %s)", variable_name(name), value);
      }
    }
    lua_settop(L, key);
  }
}

/* Variables that could not be told apart. */
static void tell_ambiguous(lua_State *L, const merger *m) {
  int top = lua_gettop(L), key = top + 1;
  lua_pushnil(L);
  while (lua_next(L, m->after)) {
    bool unknown = false;
    lua_pushvalue(L, key);
    bool several =
        lua_rawlen(L, top + 2) > 1 && lua_rawget(L, m->before) == LUA_TTABLE && variable_is_own(lua_tostring(L, key));
    for (lua_Integer i = 1; several && i <= (lua_Integer)lua_rawlen(L, top + 2); i++) {
      lua_rawgeti(L, top + 2, i);
      lua_getfield(L, -1, "call");
      lua_getfield(L, -2, "number");
      if (lua_isfunction(L, -2))
        unknown |= lua_rawgetp(L, m->cells, lua_upvalueid(L, -2, (int)lua_tointeger(L, -1))) == LUA_TNIL;
    }
    if (unknown) note_restart(scene_of(L), variable_name(lua_tostring(L, key)), "several have this name");
    lua_settop(L, key);
  }
}

/* ---- what is not carried over ---- */

/* For sinew.reloaded: the living values by name, those of the scene's own file first. */
static void keep_old_values(lua_State *L, const merger *m) {
  int top = lua_gettop(L), old = top + 1, key = top + 2;
  const char *path = scene_of(L)->path;
  size_t size = strlen(path);
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, m->before); lua_settop(L, key)) {
    const char *text = lua_tostring(L, key), *name = variable_name(text);
    bool first = strncmp(text, path, size) == 0 && text[size] == '\n';
    if (!variable_is_own(text) || lua_rawlen(L, key + 1) != 1) continue;
    if (!first && lua_getfield(L, old, name) != LUA_TNIL) continue;
    lua_rawgeti(L, key + 1, 1);
    variable_push_value(L, lua_gettop(L));
    lua_setfield(L, old, name);
  }
  epoch_set(L, "old", old);
  lua_settop(L, top);
}

void held_forget(lua_State *L, const char *name) {
  epoch_push(L, scene_of(L)->loading ? "forgotten" : "forgotten_next");
  lua_pushboolean(L, true);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
  scene_of(L)->forgets = !scene_of(L)->loading;
}

bool held_is_forgotten(lua_State *L, const char *name) {
  int top = lua_gettop(L);
  epoch_push(L, "forgotten");
  epoch_push_current(L, "forgotten_next");
  bool is = lua_getfield(L, top + 1, name) != LUA_TNIL;
  is = is || (lua_istable(L, top + 2) && lua_getfield(L, top + 2, name) != LUA_TNIL);
  lua_settop(L, top);
  return is;
}

static void forget(lua_State *L, const merger *m) {
  int top = lua_gettop(L), key = top + 1;
  for (lua_pushnil(L); lua_next(L, m->before); lua_settop(L, key)) {
    if (!held_is_forgotten(L, variable_name(lua_tostring(L, key)))) continue;
    for (int table = m->before;; table = m->last) {
      lua_pushvalue(L, key);
      lua_pushnil(L);
      lua_rawset(L, table);
      if (table == m->last) break;
    }
  }
  lua_settop(L, top);
}

/* ---- all of it ---- */

static int push_current(lua_State *L, const char *field) {
  epoch_push_current(L, field);
  if (lua_istable(L, -1)) return lua_gettop(L);
  lua_pop(L, 1);
  lua_newtable(L);
  return lua_gettop(L);
}

static merger begin(lua_State *L) {
  merger m = {.before = push_current(L, "locals")};
  m.last = push_current(L, "declared");
  m.twin = push_current(L, "twin");
  m.known = push_current(L, "known");
  m.meta = push_current(L, "meta");
  m.uses = push_current(L, "uses");
  int *const small[] = {&m.after,    &m.next,     &m.cells,    &m.cell_list, &m.pairs,
                        &m.queue[0], &m.queue[1], &m.queue[2], &m.queue[3],  &m.functions};
  int *const large[] = {&m.becomes, &m.record, &m.taken, &m.owned};
  for (size_t i = 0; i < sizeof small / sizeof *small; i++) *small[i] = push_table(L, 0);
  for (size_t i = 0; i < sizeof large / sizeof *large; i++) *large[i] = push_table(L, scene_of(L)->held);
  epoch_push(L, "copies");
  m.copies = lua_gettop(L);
  m.spelling = push_table(L, 0);
  m.renewal = (renewal){.after = m.after, .cells = m.cells, .spelling = m.spelling, .makers = push_table(L, 0)};
  return m;
}

static void end(lua_State *L, const merger *m, const recorder *r) {
  epoch_set(L, "declared", m->next);
  epoch_set(L, "twin", r->twin);
  epoch_set(L, "known", r->known);
  epoch_set(L, "meta", r->meta);
  epoch_set(L, "uses", r->uses);
}

static int merge(lua_State *L) {
  lua_settop(L, 0);
  luaL_checkstack(L, 64, NULL);
  merger m = begin(L);
  bool all = variables_find(L, &(found_variables){m.after, m.functions, m.owned, &m.any_thread});
  budget_open_end(L);
  if (!all) note_restart(scene_of(L), "some variables", "the scene holds too much to find them all");
  add_variables(L, m.next, m.after);
  add_fields(L, m.next, "modules", NULL);
  add_fields(L, m.next, "keep", "value");
  add_calls(L, m.next, "handlers");
  add_calls(L, m.next, "actor_handlers");
  bool again = scene_of(L)->loaded_once;
  if (again) {
    keep_old_values(L, &m);
    forget(L, &m);
    names_of_variables(L, m.spelling, m.before, m.last, m.after);
    pair_all(L, &m);
    tell_ambiguous(L, &m);
    settle_tables(L, &m);
    settle_cells(L, &m);
    settle_globals(L, &m);
    settle_new_locals(L, &m);
  }
  recorder r = record_all(L, &m);
  if (again) move_values(L, &m, &r), tell_losses(L, &m);
  if (again && m.differs) tell_edits(L, &m);
  lua_newtable(L);
  epoch_set(L, "copies", lua_gettop(L));
  epoch_set(L, "locals", m.after);
  events_carry(L);
  if (again) exchange_all(L, &m);
  end(L, &m, &r);
  return 0;
}

void held_merge(sinew_scene *scene) {
  lua_gc(scene->L, LUA_GCSTOP); /* the identity of an upvalue is an address */
  if (!scene_protect(scene, merge, NULL))
    note_restart(scene, "some variables", "the scene holds too much to compare them all");
  lua_gc(scene->L, LUA_GCRESTART);
}
