/* Decides whether a variable is one of the last load under a new name: it is if the function that uses it is the same
 * in both, except for the name. */
#include "core/scene.h"

#include <ctype.h>
#include <string.h>

enum { BYTES_PER_STEP = 16, WORD_COST = 2 };

typedef struct span {
  const char *at, *end;
} span;

static bool is_letter(char c) { return c == '_' || isalnum((unsigned char)c); }

static span next_line(span s) {
  const char *end = memchr(s.at, '\n', (size_t)(s.end - s.at));
  return (span){end ? end + 1 : s.end, s.end};
}

/* Pushes the text in which it lies. Empty if that is not known. */
static span push_function(lua_State *L, int variable, void (*push_texts)(lua_State *L, const char *field)) {
  lua_Debug info = {.source = ""};
  size_t size = 0;
  int top = lua_gettop(L);
  push_texts(L, "texts");
  if (lua_getfield(L, variable, "call") == LUA_TFUNCTION) lua_getinfo(L, ">S", &info);
  lua_settop(L, top + 1);
  const char *text = NULL;
  if (lua_istable(L, top + 1) && info.source[0] == '@') {
    lua_getfield(L, top + 1, info.source + 1);
    lua_replace(L, top + 1);
    text = lua_tolstring(L, top + 1, &size);
  }
  if (!text) return (span){"", ""};
  budget_charge(L, (int64_t)size / BYTES_PER_STEP);
  span rest = {text, text + size};
  for (int line = 1; line < info.linedefined; line++) rest = next_line(rest);
  span after = rest;
  for (int line = info.linedefined; line <= info.lastlinedefined; line++) after = next_line(after);
  return (span){rest.at, after.at};
}

static span take_word(span *s) {
  span word = {s->at, s->at};
  while (word.end < s->end && is_letter(*word.end)) word.end++;
  if (word.end == word.at) word.end++;
  s->at = word.end;
  return word;
}

static bool same_word(span a, span b) {
  return a.end - a.at == b.end - b.at && memcmp(a.at, b.at, (size_t)(a.end - a.at)) == 0;
}

static bool is_in(lua_State *L, int table, span word) {
  lua_pushlstring(L, word.at, (size_t)(word.end - word.at));
  bool is = lua_rawget(L, table) != LUA_TNIL;
  lua_pop(L, 1);
  return is;
}

/* Whether this pair of names was renamed as well. */
static bool is_also_renamed(lua_State *L, int gone, span from, span to) {
  return is_in(L, gone, from) && is_in(L, gone + 1, to);
}

static bool has_field(span s) { return s.at < s.end && *s.at == '.'; }

/* Skips the fields after the name of a table: `.x` in `s.x`. */
static void skip_fields(span *s) {
  while (has_field(*s)) {
    s->at++;
    take_word(s);
  }
}

/* The name, or the path `s.x`, that begins with this word. */
static bool take_path(span *rest, span word, const char *path) {
  size_t size = strlen(path);
  bool is = word.at + size <= rest->end && memcmp(word.at, path, size) == 0;
  is = is && (word.at + size == rest->end || !is_letter(word.at[size]));
  if (is) rest->at = word.at + size;
  return is;
}

/* In a text, a comment or a field, the old name may remain. */
static bool says_the_same(lua_State *L, span a, span b, const char *from, const char *to, int gone) {
  int renamed = 0;
  while (a.at < a.end && b.at < b.end) {
    span x = take_word(&a), y = take_word(&b), after = a;
    budget_charge(L, WORD_COST);
    bool is_old = take_path(&after, x, from);
    if (is_old && take_path(&b, y, to)) {
      a = after;
      renamed++;
    } else if (!same_word(x, y)) {
      if (is_old || !is_also_renamed(L, gone, x, y)) return false;
      if (has_field(a) != has_field(b)) skip_fields(&a), skip_fields(&b); /* one has become an entry */
    }
  }
  return renamed > 0 && a.at == a.end && b.at == b.end;
}

bool variable_is_renamed(lua_State *L, int before, const char *from, int after, const char *to, int gone) {
  int top = lua_gettop(L);
  span a = push_function(L, before, epoch_push_current), b = push_function(L, after, epoch_push);
  bool is = says_the_same(L, a, b, from, to, gone);
  lua_settop(L, top);
  return is;
}

static span push_file(lua_State *L, const char *path, void (*push_texts)(lua_State *L, const char *field)) {
  size_t size = 0;
  push_texts(L, "texts");
  const char *text = NULL;
  if (lua_istable(L, -1)) {
    lua_getfield(L, -1, path);
    lua_remove(L, -2);
    text = lua_tolstring(L, -1, &size);
  }
  return text ? (span){text, text + size} : (span){"", ""};
}

bool file_is_renamed(lua_State *L, const char *path, const char *from, const char *to, int gone) {
  int top = lua_gettop(L);
  span a = push_file(L, path, epoch_push_current), b = push_file(L, path, epoch_push);
  bool is = says_the_same(L, a, b, from, to, gone);
  lua_settop(L, top);
  return is;
}
