/* string.find, match, gmatch and gsub over the counting matcher. */
#include "core/scene.h"
#include "sandbox/pattern.h"

#include <string.h>

enum { VALUE_COST = 10, BYTES_PER_STEP = 64 /* bytes scanned for the charge of one step */ };

static void charge(void *user, int64_t steps) { budget_charge(user, steps); }
static void fail(void *user, const char *sentence) { luaL_error(user, "%s", sentence); }

static matcher prepare(lua_State *L, const char *text, size_t text_size, const char *pattern, size_t pattern_size) {
  return (matcher){.text = text,
                   .text_end = text + text_size,
                   .pattern_end = pattern + pattern_size,
                   .user = L,
                   .charge = charge,
                   .fail = fail};
}

static void push_capture(lua_State *L, const matcher *m, int i, const char *s, const char *e) {
  if (i >= m->level) {
    if (i > 0) luaL_error(L, "invalid capture index %%%d", i + 1);
    lua_pushlstring(L, s, (size_t)(e - s));
  } else if (m->captures[i].length == CAPTURE_POSITION) {
    lua_pushinteger(L, m->captures[i].start - m->text + 1);
  } else if (m->captures[i].length == CAPTURE_OPEN) {
    luaL_error(L, "unfinished capture");
  } else {
    lua_pushlstring(L, m->captures[i].start, (size_t)m->captures[i].length);
  }
}

static int push_captures(lua_State *L, const matcher *m, const char *s, const char *e) {
  int count = m->level == 0 && s ? 1 : m->level;
  luaL_checkstack(L, count, "too many captures");
  for (int i = 0; i < count; i++) push_capture(L, m, i, s, e);
  return count;
}

/* The start position of find, match and gmatch as an offset; may be past the end. */
static size_t start_offset(lua_State *L, int argument, size_t size) {
  lua_Integer at = luaL_optinteger(L, argument, 1);
  if (at > 0) return (size_t)at - 1;
  if (at == 0 || at < -(lua_Integer)size) return 0;
  return (size_t)((lua_Integer)size + at);
}

static const char *find_plain(lua_State *L, const char *text, size_t size, const char *what, size_t what_size) {
  if (what_size == 0) return text;
  for (const char *end = text + size; (size_t)(end - text) >= what_size; text++) {
    const char *hit = memchr(text, what[0], (size_t)(end - text) - what_size + 1);
    budget_charge(L, 1 + ((hit ? hit : end) - text) / BYTES_PER_STEP + (int64_t)what_size / BYTES_PER_STEP);
    if (!hit) return NULL;
    if (memcmp(hit, what, what_size) == 0) return hit;
    text = hit;
  }
  return NULL;
}

static int found_plain(lua_State *L, const char *text, size_t size, size_t from, const char *what, size_t what_size) {
  const char *hit = find_plain(L, text + from, size - from, what, what_size);
  if (!hit) return 0;
  lua_pushinteger(L, hit - text + 1);
  lua_pushinteger(L, hit - text + (lua_Integer)what_size);
  return 2;
}

static int search(lua_State *L, bool find) {
  size_t size, pattern_size;
  const char *text = luaL_checklstring(L, 1, &size), *p = luaL_checklstring(L, 2, &pattern_size);
  size_t from = start_offset(L, 3, size);
  if (from > size) return luaL_pushfail(L), 1;
  budget_charge(L, (int64_t)pattern_size / BYTES_PER_STEP);
  if (find && (lua_toboolean(L, 4) || !strpbrk(p, "^$*+?.([%-"))) {
    int count = found_plain(L, text, size, from, p, pattern_size);
    return count ? count : (luaL_pushfail(L), 1);
  }
  bool anchored = *p == '^';
  matcher m = prepare(L, text, size, p, pattern_size);
  for (const char *s = text + from; s <= m.text_end; s++) {
    const char *e = pattern_match(&m, s, p + (anchored ? 1 : 0));
    if (e && find) {
      lua_pushinteger(L, s - text + 1);
      lua_pushinteger(L, e - text);
      return push_captures(L, &m, NULL, NULL) + 2;
    }
    if (e) return push_captures(L, &m, s, e);
    if (anchored) break;
  }
  luaL_pushfail(L);
  return 1;
}

int sandbox_find(lua_State *L) { return search(L, true); }
int sandbox_match(lua_State *L) { return search(L, false); }

/* Upvalues: text, pattern, the next position, the end of the last match (-1 before the first). */
static int gmatch_step(lua_State *L) {
  size_t size, pattern_size;
  const char *text = lua_tolstring(L, lua_upvalueindex(1), &size);
  const char *p = lua_tolstring(L, lua_upvalueindex(2), &pattern_size);
  lua_Integer from = lua_tointeger(L, lua_upvalueindex(3)), last = lua_tointeger(L, lua_upvalueindex(4));
  matcher m = prepare(L, text, size, p, pattern_size);
  for (const char *s = text + from; s <= m.text_end; s++) {
    const char *e = pattern_match(&m, s, p);
    if (!e || e - text == last) continue;
    lua_pushinteger(L, e - text);
    lua_copy(L, -1, lua_upvalueindex(3));
    lua_replace(L, lua_upvalueindex(4));
    return push_captures(L, &m, s, e);
  }
  return 0;
}

int sandbox_gmatch(lua_State *L) {
  size_t size;
  luaL_checklstring(L, 1, &size);
  luaL_checkstring(L, 2);
  size_t from = start_offset(L, 3, size);
  lua_settop(L, 2);
  lua_pushinteger(L, from > size ? (lua_Integer)size + 1 : (lua_Integer)from);
  lua_pushinteger(L, -1);
  lua_pushcclosure(L, gmatch_step, 4);
  return 1;
}

static void add_template(lua_State *L, const matcher *m, luaL_Buffer *b, const char *s, const char *e) {
  size_t size;
  const char *text = lua_tolstring(L, 3, &size), *end = text + size;
  budget_charge(L, 1 + (int64_t)size);
  for (; text < end; text++) {
    if (*text != '%') {
      luaL_addchar(b, *text);
      continue;
    }
    text++;
    if (text < end && *text == '%') {
      luaL_addchar(b, '%');
    } else if (text < end && *text == '0') {
      luaL_addlstring(b, s, (size_t)(e - s));
    } else if (text < end && *text >= '1' && *text <= '9') {
      push_capture(L, m, *text - '1', s, e);
      luaL_tolstring(L, -1, NULL);
      lua_remove(L, -2);
      luaL_addvalue(b);
    } else {
      luaL_error(L, "invalid use of '%%' in replacement string");
    }
  }
}

/* True if the text was replaced. */
static bool add_value(lua_State *L, const matcher *m, luaL_Buffer *b, const char *s, const char *e, int type) {
  budget_charge(L, VALUE_COST);
  if (type == LUA_TFUNCTION) {
    lua_pushvalue(L, 3);
    int count = push_captures(L, m, s, e);
    lua_call(L, count, 1);
  } else if (type == LUA_TTABLE) {
    push_capture(L, m, 0, s, e);
    lua_gettable(L, 3);
  } else {
    add_template(L, m, b, s, e);
    return true;
  }
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    luaL_addlstring(b, s, (size_t)(e - s));
    return false;
  }
  if (!lua_isstring(L, -1)) luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
  luaL_addvalue(b);
  return true;
}

int sandbox_gsub(lua_State *L) {
  size_t size, pattern_size;
  const char *text = luaL_checklstring(L, 1, &size), *p = luaL_checklstring(L, 2, &pattern_size);
  int type = lua_type(L, 3);
  luaL_argexpected(L, type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TFUNCTION || type == LUA_TTABLE, 3,
                   "string/function/table");
  lua_Integer limit = luaL_optinteger(L, 4, (lua_Integer)size + 1), count = 0;
  bool anchored = *p == '^';
  const char *s = text, *last = NULL;
  luaL_Buffer b;
  matcher m = prepare(L, text, size, p, pattern_size);
  luaL_buffinit(L, &b);
  while (count < limit) {
    const char *e = pattern_match(&m, s, p + (anchored ? 1 : 0));
    if (e && e != last) {
      count++;
      add_value(L, &m, &b, s, e, type);
      s = last = e;
    } else if (s < m.text_end) {
      luaL_addchar(&b, *s++);
    } else {
      break;
    }
    if (anchored) break;
  }
  luaL_addlstring(&b, s, (size_t)(m.text_end - s));
  luaL_pushresult(&b);
  lua_pushinteger(L, count);
  return 2;
}
