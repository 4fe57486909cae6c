#include "core/api.h"
#include "lua/show.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CANDIDATES = 512, UNKNOWN_COST = 200, CANDIDATE_COST = 20 /* its distance from a name */ };

/* ---- the spec: "name?: type|type, name: type, ..." ---- */

static const char *skip(const char *text) {
  while (*text == ' ' || *text == ',') text++;
  return text;
}

const char *api_next_argument(const char *spec, api_argument *argument) {
  *argument = (api_argument){0};
  spec = spec ? skip(spec) : "";
  if (!*spec) return NULL;
  if (strncmp(spec, "...", 3) == 0) {
    argument->rest = true;
    return spec + 3;
  }
  size_t size = strcspn(spec, ":?");
  snprintf(argument->name, sizeof argument->name, "%.*s", (int)size, spec);
  argument->optional = spec[size] == '?';
  spec = skip(spec + size + (argument->optional ? 2 : 1));
  argument->types = spec;
  argument->types_size = strcspn(spec, ",");
  return spec + argument->types_size;
}

const char *api_full_name(lua_State *L, const api_entry *entry) {
  if (strcmp(entry->owner, entry->name) == 0) return lua_pushstring(L, entry->name); /* machine { … } */
  return lua_pushfstring(L, "%s%s%s", entry->owner, entry->kind == API_METHOD ? ":" : ".", entry->name);
}

int api_unknown(lua_State *L, const char *what, const char *name, const char *after, const char *const *candidates,
                int count) {
  budget_charge(L, UNKNOWN_COST + (int64_t)count * CANDIDATE_COST);
  const char *near = sinew_nearest_name(name, candidates, count);
  lua_pushfstring(L, "%s '%s'%s", what, name, after);
  if (near) {
    lua_pushfstring(L, "; did you mean '%s'?", near);
    lua_concat(L, 2);
  }
  return luaL_error(L, "%s", lua_tostring(L, -1));
}

/* ---- sets of options ---- */

static const api_entry *find_option(const char *owner, size_t owner_size, const char *name) {
  for (const api_entry *e = api_option_entries; e->owner; e++) {
    bool same = strlen(e->owner) == owner_size && memcmp(e->owner, owner, owner_size) == 0;
    if (same && strcmp(e->name, name) == 0) return e;
  }
  return NULL;
}

static int unknown_option(lua_State *L, const char *owner, size_t size, const char *name, const char *what) {
  const char *names[CANDIDATES];
  char all[400] = "";
  int count = 0;
  for (const api_entry *e = api_option_entries; e->owner && count < CANDIDATES; e++) {
    if (strlen(e->owner) != size || memcmp(e->owner, owner, size) != 0) continue;
    if (strcmp(e->name, "...") == 0) continue;
    size_t used = strlen(all);
    snprintf(all + used, sizeof all - used, "%s%s", count ? ", " : "", e->name);
    names[count++] = e->name;
  }
  char table[64];
  snprintf(table, sizeof table, "%.*s", (int)size, owner);
  const option_hint hint = option_hint_for(table, name, names, count);
  if (hint.option) return luaL_error(L, "%s: no option '%s'; here it is called '%s'", what, name, hint.option);
  if (hint.sentence) return luaL_error(L, "%s: no option '%s': %s", what, name, hint.sentence);
  lua_pushfstring(L, " (there are %s)", all);
  const char *after = lua_tostring(L, -1);
  lua_pushfstring(L, "%s: no option", what);
  return api_unknown(L, lua_tostring(L, -1), name, after, names, count);
}

static void check_options(lua_State *L, int index, const char *owner, size_t size, const char *what) {
  lua_Integer positions = 0;
  luaL_checkstack(L, 12, NULL);
  lua_pushnil(L);
  while (lua_next(L, index)) {
    if (lua_isinteger(L, -2) && find_option(owner, size, "...")) {
      positions++;
      lua_pop(L, 1);
      continue;
    }
    if (lua_type(L, -2) != LUA_TSTRING) {
      luaL_error(L, "%s: options have names, as in { fade = 0.2 } (got a %s as a key)", what, luaL_typename(L, -2));
    }
    const char *name = lua_tostring(L, -2);
    const api_entry *option = find_option(owner, size, name);
    if (!option) unknown_option(L, owner, size, name, what);
    int value = lua_gettop(L);
    const char *full = lua_pushfstring(L, "%s.%s", what, name);
    api_check_value(L, value, option->spec, strlen(option->spec), full);
    lua_settop(L, value - 1);
  }
  if (positions != (lua_Integer)lua_rawlen(L, index))
    luaL_error(L, "%s: its list has a gap, or a position that is none", what);
}

/* ---- values ---- */

static int bad_key(lua_State *L, const char *name, const char *what) {
  const char *names[CANDIDATES];
  int count = 0;
  while (count < CANDIDATES && (names[count] = sinew_key_name(count))) count++;
  budget_charge(L, UNKNOWN_COST + (int64_t)count * CANDIDATE_COST);
  const char *hint = key_hint(name);
  if (hint) return luaL_error(L, "%s: no key '%s'; did you mean '%s'?", what, name, hint);
  lua_pushfstring(L, "%s: no key", what);
  return api_unknown(L, lua_tostring(L, -1), name, "", names, count);
}

static int bad_event(lua_State *L, const char *name, const char *what) {
  const char *names[SCENE_EVENTS];
  for (int i = 0; i < SCENE_EVENTS; i++) names[i] = event_name(i);
  lua_pushfstring(L, "%s: no event", what);
  return api_unknown(L, lua_tostring(L, -1), name, "", names, SCENE_EVENTS);
}

/* A few numbers. */
static bool is_short(lua_State *L, int index) {
  int length = (int)lua_rawlen(L, index), numbers = 0;
  for (int i = 1; i <= length && length <= 4; i++) {
    numbers += lua_rawgeti(L, index, i) == LUA_TNUMBER;
    lua_pop(L, 1);
  }
  if (length == 0 || length > 4 || numbers != length) return false;
  if (!lua_getmetatable(L, index)) return true;
  return lua_pop(L, 1), false;
}

const char *api_describe(lua_State *L, int index) {
  if (lua_isnone(L, index)) return "nothing";
  if (lua_type(L, index) == LUA_TNUMBER) {
    double number = lua_tonumber(L, index);
    lua_pushvalue(L, index);
    const char *text = lua_tostring(L, -1);
    return isfinite(number) && fabs(number) > (double)FLT_MAX ? lua_pushfstring(L, "%s, which is too large", text)
                                                              : text;
  }
  if (api_test(L, index, "vector")) return luaL_tolstring(L, index, NULL);
  if (lua_istable(L, index) && is_short(L, index)) {
    char text[80];
    show_value(L, index, text, sizeof text);
    return lua_pushstring(L, text);
  }
  if (lua_type(L, index) == LUA_TSTRING) {
    size_t length;
    const char *text = lua_tolstring(L, index, &length);
    if (memchr(text, 0, length)) return "one with a zero byte in it";
    if (length < 40) return lua_pushfstring(L, "'%s'", text);
  }
  return luaL_typename(L, index);
}

/* "a table with 'look'": the first key that is no position, or the first that is none. */
static const char *describe_keys(lua_State *L, int index, bool names) {
  lua_pushnil(L);
  while (lua_next(L, index)) {
    lua_pop(L, 1);
    bool position =
        lua_isinteger(L, -1) && lua_tointeger(L, -1) >= 1 && lua_tointeger(L, -1) <= (lua_Integer)lua_rawlen(L, index);
    bool text = lua_type(L, -1) == LUA_TSTRING;
    if (names ? text : position) continue;
    const char *key = luaL_tolstring(L, -1, NULL);
    return lua_pushfstring(L, text ? "one with the name '%s'" : "one with the key [%s]", key);
  }
  return "one with a gap";
}

static const char *describe_for(lua_State *L, int index, const char *spec, size_t size) {
  bool list = size >= 4 && memcmp(spec, "list", 4) == 0, names = size >= 5 && memcmp(spec, "named", 5) == 0;
  return lua_istable(L, index) && (list || names) ? describe_keys(L, index, names) : api_describe(L, index);
}

static const char *list_types(lua_State *L, const char *spec, size_t size) {
  luaL_Buffer b;
  const char *end = spec + size;
  luaL_buffinit(L, &b);
  for (bool first = true; spec < end; first = false) {
    size_t n = strcspn(spec, "|,");
    if (spec + n > end) n = (size_t)(end - spec);
    const api_type *type = api_find_type(spec, n);
    if (!first) luaL_addstring(&b, " or ");
    luaL_addstring(&b, type ? type->what : "a table of options");
    spec += n + 1;
  }
  luaL_pushresult(&b);
  return lua_tostring(L, -1);
}

static bool is_one(lua_State *L, int index, const char *name, size_t size, const char *what) {
  const api_type *type = api_find_type(name, size);
  if (type) return type->is(L, index);
  if (!lua_istable(L, index)) return false;
  check_options(L, index, name, size, what);
  return true;
}

void api_check_value(lua_State *L, int index, const char *spec, size_t size, const char *what) {
  const char *end = spec + size;
  for (const char *p = spec; p < end;) {
    size_t n = strcspn(p, "|,");
    if (p + n > end) n = (size_t)(end - p);
    if (is_one(L, index, p, n, what)) return;
    p += n + 1;
  }
  bool text = lua_type(L, index) == LUA_TSTRING;
  if (text && size == 3 && memcmp(spec, "key", 3) == 0) bad_key(L, lua_tostring(L, index), what);
  if (text && size == 5 && memcmp(spec, "event", 5) == 0) bad_event(L, lua_tostring(L, index), what);
  luaL_error(L, "%s must be %s (got %s)", what, list_types(L, spec, size), describe_for(L, index, spec, size));
}

/* Objects of modules in Lua are tables whose class has the name. */
static bool is_named(lua_State *L, const char *owner) {
  if (!lua_istable(L, 1) || luaL_getmetafield(L, 1, "__name") == LUA_TNIL) return false;
  bool same = lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), owner) == 0;
  lua_pop(L, 1);
  return same;
}

static void check_self(lua_State *L, const api_entry *entry) {
  if (api_test(L, 1, entry->owner) || is_named(L, entry->owner)) return;
  luaL_error(L, "%s.%s: call it with a colon, as in %s:%s(…)", entry->owner, entry->name, entry->owner, entry->name);
}

/* A module passed to its own function: sinew:actor("hero"). */
static void check_dot(lua_State *L, const api_entry *entry) {
  if (lua_type(L, 1) != LUA_TUSERDATA || !api_test(L, 1, entry->owner)) return;
  luaL_error(L, "%s:%s: call it with a dot, as in %s.%s(…)", entry->owner, entry->name, entry->owner, entry->name);
}

void api_check_arguments(lua_State *L, const api_entry *entry) {
  api_argument argument;
  int index = 1;
  if (entry->kind == API_METHOD) check_self(L, entry), index = 2;
  else check_dot(L, entry);
  for (const char *p = entry->spec; (p = api_next_argument(p, &argument)) && !argument.rest; index++) {
    if (argument.optional && lua_isnoneornil(L, index)) continue;
    const api_type *type = api_find_type(argument.types, argument.types_size);
    if (type && type->is(L, index)) continue;       /* the quick way */
    if (lua_isnone(L, index)) lua_settop(L, index); /* so that messages can be pushed */
    int top = lua_gettop(L);
    luaL_checkstack(L, 12, NULL);
    const char *name = api_full_name(L, entry);
    const char *what = lua_pushfstring(L, "%s: '%s'", name, argument.name);
    api_check_value(L, index, argument.types, argument.types_size, what);
    lua_settop(L, top);
  }
}

/* ---- the quick way ---- */

/* The types of one argument; a set of options has none, and so takes the slow path. */
static bool read_types(const api_argument *argument, uint8_t numbers[4]) {
  const char *p = argument->types, *end = p + argument->types_size;
  int count = 0;
  while (p < end) {
    size_t n = strcspn(p, "|,");
    if (p + n > end) n = (size_t)(end - p);
    const api_type *type = api_find_type(p, n);
    if (type && count == 4) return false;
    if (type) numbers[count++] = (uint8_t)api_type_number(type);
    p += n + 1;
  }
  return true;
}

static void read_field(api_member *member) {
  api_argument whole = {.types = member->entry->spec, .types_size = strlen(member->entry->spec)};
  member->count = read_types(&whole, member->types[0]) ? 1 : -1;
}

void api_read_types(api_member *member) {
  api_argument argument;
  if (!member->entry->call) {
    read_field(member);
    return;
  }
  for (const char *p = member->entry->spec; (p = api_next_argument(p, &argument));)
    member->most = argument.rest ? -1 : member->most + 1;
  for (const char *p = member->entry->spec; (p = api_next_argument(p, &argument)) && !argument.rest;) {
    int i = member->count;
    bool fits = i < 9 && read_types(&argument, member->types[i]);
    if (fits && argument.optional) member->optional |= (uint16_t)(1u << i);
    member->count = fits ? i + 1 : -1;
    if (!fits) return;
  }
}

static bool is_any_of(lua_State *L, int index, const uint8_t types[4]) {
  for (int k = 0; k < 4 && types[k]; k++)
    if (api_type_at(types[k])->is(L, index)) return true;
  return false;
}

bool api_arguments_fit(lua_State *L, const api_member *member) {
  bool method = member->entry->kind == API_METHOD;
  bool of_table = method && !member->metatable;
  if (member->count < 0 || (method && !(of_table ? is_named(L, member->entry->owner) : api_is_self(L, member))))
    return false;
  int top = lua_gettop(L), index = method ? 2 : 1;
  for (int i = 0; i < member->count; i++, index++) {
    bool optional = member->optional >> i & 1;
    if (optional && (index > top || lua_isnil(L, index))) continue;
    if (!is_any_of(L, index, member->types[i])) return false;
  }
  return true;
}

bool api_value_fits(lua_State *L, const api_member *member) {
  return member->count == 1 && is_any_of(L, 3, member->types[0]);
}

double api_rounded(double number) {
  if (number == 0 || !isfinite(number)) return number;
  double scale = sinew_pow(10, 6 - ceil(sinew_log10(fabs(number))));
  return isfinite(scale) ? round(number * scale) / scale : number;
}
