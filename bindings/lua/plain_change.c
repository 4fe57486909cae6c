#include "lua/plain_change.h"

#include <stdio.h>
#include <string.h>

#include "core/api.h"
#include "lua/plain.h"

enum { STACK_SLOTS = 16, VALUE_COST = 5 };

/* ---- fields ---- */

const store_field *plain_field(lua_State *L, const store_kind *kind, int a, int b) {
  if (lua_isnil(L, a) != lua_isnil(L, b)) return kind_field(kind, "entry");
  switch (lua_type(L, b)) {
  case LUA_TNUMBER: return kind_field(kind, "number");
  case LUA_TSTRING: return kind_field(kind, "text");
  case LUA_TBOOLEAN: return kind_field(kind, "boolean");
  case LUA_TUSERDATA: return kind_field(kind, "vector");
  case LUA_TTABLE: return kind_field(kind, "table");
  default: return NULL;
  }
}

bool plain_same(lua_State *L, const store_kind *kind, int a, int b) {
  const store_field *field = plain_field(L, kind, a, b);
  return plain_equal(L, a, b) || (field && field_blind[FIELD_COMPARE] == field);
}

bool plain_may_set(const store_field *field) { return !field || field_blind[FIELD_APPLY] != field; }

/* ---- merging ---- */

typedef struct merger {
  const store_kind *kind;
  plain_copier copier;
} merger;

static bool merge(lua_State *L, merger *m, int target, int last, int next, int depth);

/* The stack: the key, below the values of `last` and `next`. */
static bool set_field(lua_State *L, merger *m, int target, int key, int last, int next) {
  if (!plain_may_set(plain_field(L, m->kind, last, next))) return true;
  lua_pushvalue(L, key);
  if (!plain_copy(L, &m->copier, next)) return false;
  lua_rawset(L, target);
  return true;
}

/* The stack: key, the value of `next`, that of `last`, that of the target. */
static bool merge_field(lua_State *L, merger *m, int target, int depth) {
  int key = lua_gettop(L) - 3;
  bool tables = lua_istable(L, key + 1) && lua_istable(L, key + 2) && lua_istable(L, key + 3);
  if (tables && depth < PLAIN_DEPTH) return merge(L, m, key + 3, key + 2, key + 1, depth + 1);
  return plain_same(L, m->kind, key + 2, key + 1) || set_field(L, m, target, key, key + 2, key + 1);
}

/* Removes an entry that is no longer declared. */
static void drop_lost(lua_State *L, const merger *m, int target, int last, int next) {
  lua_pushnil(L);
  while (lua_next(L, last)) {
    int key = lua_gettop(L) - 1;
    lua_pushvalue(L, key);
    lua_rawget(L, next);
    if (!plain_same(L, m->kind, key + 1, key + 2) && lua_isnil(L, key + 2) &&
        plain_may_set(plain_field(L, m->kind, key + 1, key + 2))) {
      lua_pushvalue(L, key);
      lua_pushnil(L);
      lua_rawset(L, target);
    }
    lua_settop(L, key);
  }
}

static bool merge(lua_State *L, merger *m, int target, int last, int next, int depth) {
  luaL_checkstack(L, STACK_SLOTS, NULL);
  lua_pushnil(L);
  while (lua_next(L, next)) {
    int key = lua_gettop(L) - 1;
    budget_charge(L, VALUE_COST);
    lua_pushvalue(L, key);
    lua_rawget(L, last);
    lua_pushvalue(L, key);
    lua_rawget(L, target);
    if (--m->copier.left <= 0 || !merge_field(L, m, target, depth)) return false;
    lua_settop(L, key);
  }
  drop_lost(L, m, target, last, next);
  return true;
}

bool plain_merge(lua_State *L, const store_kind *kind, int last, int next, int target) {
  int top = lua_gettop(L);
  last = lua_absindex(L, last);
  next = lua_absindex(L, next);
  target = lua_absindex(L, target);
  merger m = {kind, plain_begin(L)};
  bool merged = merge(L, &m, target, last, next, 0);
  lua_settop(L, top);
  return merged;
}

/* ---- texts ---- */

/* The number of bytes of the whole characters that fit. */
static int fitting(const char *text, size_t room) {
  size_t length = strlen(text), size = length < room ? length : room;
  while (size < length && size > 0 && ((unsigned char)text[size] & 0xc0) == 0x80) size--;
  return (int)size;
}

/* On one line. */
static void print_text(lua_State *L, int index, char out[PLAIN_SHOWN]) {
  const char *text = lua_tostring(L, index);
  int size = fitting(text, PLAIN_SHOWN - 8);
  snprintf(out, PLAIN_SHOWN, "\"%.*s%s\"", size, text, text[size] ? "…" : "");
  for (char *at = out; *at; at++)
    if ((unsigned char)*at < ' ') *at = ' ';
}

static void print_scalar(lua_State *L, int index, char out[PLAIN_SHOWN]) {
  if (lua_type(L, index) == LUA_TSTRING) {
    print_text(L, index, out);
    return;
  }
  snprintf(out, PLAIN_SHOWN, "%s", luaL_tolstring(L, index, NULL));
  lua_pop(L, 1);
}

/* Prints the key at index −2 for people, "name = "; nothing for items of a list. */
static void print_key(lua_State *L, char out[PLAIN_SHOWN]) {
  const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
  snprintf(out, PLAIN_SHOWN, "%.*s%s", fitting(key, 40), key, key[0] ? " = " : "");
}

static void print_table(lua_State *L, int index, char out[PLAIN_SHOWN]) {
  size_t used = (size_t)snprintf(out, PLAIN_SHOWN, "{");
  lua_pushnil(L);
  while (lua_next(L, index)) {
    char value[PLAIN_SHOWN] = "{…}", key[PLAIN_SHOWN];
    if (!lua_istable(L, -1)) print_scalar(L, lua_gettop(L), value);
    print_key(L, key);
    lua_pop(L, 1);
    if (used + strlen(key) + strlen(value) + 10 > PLAIN_SHOWN) {
      lua_pop(L, 1);
      used += (size_t)snprintf(out + used, PLAIN_SHOWN - used, "%s…", used > 1 ? ", " : " ");
      break;
    }
    used += (size_t)snprintf(out + used, PLAIN_SHOWN - used, "%s%s%s", used > 1 ? ", " : " ", key, value);
  }
  snprintf(out + used, PLAIN_SHOWN - used, "%s", used > 1 ? " }" : "}");
}

void plain_print(lua_State *L, int index, char out[PLAIN_SHOWN]) {
  index = lua_absindex(L, index);
  luaL_checkstack(L, STACK_SLOTS, NULL);
  if (lua_istable(L, index)) print_table(L, index, out);
  else print_scalar(L, index, out);
}

/* ---- telling ---- */

enum { TOLD = 4, PATH = 96, LINE = PATH + 2 * PLAIN_SHOWN + 8 };

/* Lists changes in alphabetical order, because the order of a table's entries differs between runs. */
typedef struct telling {
  const store_kind *kind;
  int memo, count;
  char lines[TOLD][LINE];
} telling;

static void add_line(telling *t, const char line[LINE]) {
  int i = t->count < TOLD ? t->count : TOLD;
  t->count++;
  for (; i > 0 && strcmp(t->lines[i - 1], line) > 0; i--)
    if (i < TOLD) memcpy(t->lines[i], t->lines[i - 1], LINE);
  if (i < TOLD) memcpy(t->lines[i], line, LINE);
}

static void add_change(lua_State *L, telling *t, const char *path, int last, int next) {
  char before[PLAIN_SHOWN], after[PLAIN_SHOWN], line[LINE];
  plain_print(L, last, before);
  plain_print(L, next, after);
  if (lua_isnil(L, next)) snprintf(line, LINE, "%s is gone", path);
  else if (lua_isnil(L, last)) snprintf(line, LINE, "%s %s", path, after);
  else snprintf(line, LINE, "%s %s → %s", path, before, after);
  add_line(t, line);
}

static void walk(lua_State *L, telling *t, const char *path, int last, int next, int depth);

/* The key lies at `key`. */
static void walk_entry(lua_State *L, telling *t, const char *path, int key, int last, int next, int depth) {
  char inner[PATH];
  bool named = lua_type(L, key) == LUA_TSTRING;
  const char *name = luaL_tolstring(L, key, NULL);
  snprintf(inner, PATH, named ? "%.*s.%.*s" : "%.*s[%.*s]", fitting(path, 56), path, fitting(name, 30), name);
  lua_pop(L, 1);
  walk(L, t, inner, last, next, depth + 1);
}

/* Visits entries of `from` that `to` also has or, with `lost`, lacks. */
static void walk_entries(lua_State *L, telling *t, const char *path, int from, int to, bool lost, int depth) {
  lua_pushnil(L);
  while (lua_next(L, from)) {
    int key = lua_gettop(L) - 1;
    budget_charge(L, VALUE_COST);
    lua_pushvalue(L, key);
    bool has = lua_rawget(L, to) != LUA_TNIL;
    if (!lost) walk_entry(L, t, path, key, key + 2, key + 1, depth);
    else if (!has) walk_entry(L, t, path, key, key + 1, key + 2, depth);
    lua_settop(L, key);
  }
}

static bool is_object(lua_State *L, int index) {
  int type = lua_type(L, index);
  return type == LUA_TFUNCTION || type == LUA_TTHREAD || (type == LUA_TUSERDATA && !api_test(L, index, "vector"));
}

/* A table inside itself is printed once; functions and objects are not. */
static void walk(lua_State *L, telling *t, const char *path, int last, int next, int depth) {
  luaL_checkstack(L, STACK_SLOTS, NULL);
  if (is_object(L, last) || is_object(L, next)) return;
  if (!lua_istable(L, last) || !lua_istable(L, next)) {
    if (!plain_same(L, t->kind, last, next)) add_change(L, t, path, last, next);
    return;
  }
  lua_pushvalue(L, next);
  bool known = lua_rawget(L, t->memo) != LUA_TNIL || depth > PLAIN_DEPTH;
  lua_pop(L, 1);
  if (known) return;
  lua_pushvalue(L, next);
  lua_pushboolean(L, 1);
  lua_rawset(L, t->memo);
  walk_entries(L, t, path, next, last, false, depth);
  walk_entries(L, t, path, last, next, true, depth);
}

void plain_tell(lua_State *L, const store_kind *kind, const char *name, int last, int next, int memo) {
  int top = lua_gettop(L);
  declarations *all = &scene_of(L)->declarations;
  last = lua_absindex(L, last);
  next = lua_absindex(L, next);
  telling t = {.kind = kind, .memo = memo};
  walk(L, &t, name, last, next, 0);
  for (int i = 0; i < t.count && i < TOLD; i++) declarations_note(all, "%s", t.lines[i]);
  if (t.count > TOLD) declarations_note(all, "%d more in %s", t.count - TOLD, name);
  lua_settop(L, top);
}
