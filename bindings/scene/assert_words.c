/* assert and sinew.check of scenes: what is not true is shown with the values in it. */
#include "core/scene.h"
#include "lua/constructors.h"
#include "lua/show.h"

#include <stdio.h>
#include <string.h>

enum { WORDS = 1024, OPERANDS = 4 };

/* ---- the expression ---- */

/* That of the only `assert(` or `check(` of the line; empty if there is none. */
static text_span find_expression(const char *text, size_t size, int line, const char *function) {
  scanner s = {text, text + size, 1};
  token before = {TOKEN_END, {NULL, 0}, 0};
  text_span found = {NULL, 0};
  int count = 0;
  for (token t = scanner_next(&s); t.kind != TOKEN_END && t.line <= line; t = scanner_next(&s)) {
    bool here = token_is(&before, function) && token_is(&t, "(") && before.line == line;
    before = t;
    if (!here) continue;
    scanner inner = s;
    const char *begin = inner.at, *end = begin;
    int depth = 1;
    for (token u = scanner_next(&inner); u.kind != TOKEN_END && depth > 0; u = scanner_next(&inner)) {
      if (token_is(&u, "(") || token_is(&u, "{") || token_is(&u, "[")) depth++;
      if (token_is(&u, ")") || token_is(&u, "}") || token_is(&u, "]")) depth--;
      if (depth == 0 || (depth == 1 && token_is(&u, ","))) break;
      end = inner.at;
    }
    found = (text_span){begin, (size_t)(end - begin)};
    count++;
  }
  return count == 1 ? found : (text_span){NULL, 0};
}

/* Whether evaluating it once more changes nothing: it calls only functions that read. */
static bool only_reads(text_span part) {
  static const char *const reads[] = {"abs",    "floor",  "ceil",  "min",     "max",   "sqrt",     "tostring",
                                      "type",   "state",  "joint", "playing", "curve", "duration", "clips",
                                      "joints", "events", "find",  "format",  NULL};
  scanner s = {part.begin, part.begin + part.size, 1};
  token before = {TOKEN_END, {NULL, 0}, 0};
  for (token t = scanner_next(&s); t.kind != TOKEN_END; t = scanner_next(&s)) {
    bool called = before.kind == TOKEN_NAME && (token_is(&t, "(") || token_is(&t, "{") || t.kind == TOKEN_STRING);
    static const char *const words[] = {"and", "or", "not", NULL};
    if (called && !token_is_one_of(&before, reads) && !token_is_one_of(&before, words)) return false;
    if (token_is(&t, "function")) return false;
    before = t;
  }
  return before.kind != TOKEN_END && !(part.size > 0 && (*part.begin == '"' || *part.begin == '\''));
}

/* A table with the locals and upvalues of the level, over the scene's environment. */
static void push_view(lua_State *L, lua_Debug *info) {
  const char *name;
  lua_newtable(L);
  int view = lua_gettop(L);
  lua_createtable(L, 0, 1);
  epoch_push_current(L, "env");
  if (lua_isnil(L, -1)) lua_pop(L, 1), epoch_push(L, "env");
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, view);
  lua_getinfo(L, "f", info);
  for (int i = 1; (name = lua_getupvalue(L, view + 1, i)); i++) {
    if (name[0] && strcmp(name, "_ENV") != 0) lua_setfield(L, view, name);
    else lua_pop(L, 1);
  }
  lua_settop(L, view);
  for (int i = 1; (name = lua_getlocal(L, info, i)); i++) {
    if (name[0] != '(') lua_setfield(L, view, name);
    else lua_pop(L, 1);
  }
}

static void add_part(lua_State *L, int view, text_span part, char *out, size_t size) {
  char value[SHOW_SHORT];
  int top = lua_gettop(L);
  while (part.size > 0 && part.begin[0] == ' ') part.begin++, part.size--;
  while (part.size > 0 && part.begin[part.size - 1] == ' ') part.size--;
  char first = part.size ? part.begin[0] : '0';
  bool literal = (first >= '0' && first <= '9') || first == '-' || first == '{';
  if (literal || !only_reads(part)) return;
  lua_pushlstring(L, "return ", 7);
  lua_pushlstring(L, part.begin, part.size);
  lua_concat(L, 2);
  size_t length;
  const char *code = lua_tolstring(L, -1, &length);
  bool good = luaL_loadbufferx(L, code, length, "=assert", "t") == LUA_OK;
  if (good) lua_pushvalue(L, view), lua_setupvalue(L, -2, 1);
  if (good && lua_pcall(L, 0, 1, 0) == LUA_OK && show_short(L, lua_gettop(L), value))
    show_entry(out, size, part.begin, (int)part.size, value);
  lua_settop(L, top);
}

/* The operands of the comparisons that `and` and `or` join. */
static void add_parts(lua_State *L, int view, text_span expression, char *out, size_t size) {
  static const char *const ends[] = {"and", "or", "==", "~=", "<", ">", "<=", ">=", NULL};
  scanner s = {expression.begin, expression.begin + expression.size, 1};
  const char *begin = expression.begin, *end = begin + expression.size;
  int depth = 0, count = 0;
  for (token t = scanner_next(&s); count < OPERANDS; t = scanner_next(&s)) {
    bool over = t.kind == TOKEN_END;
    if (token_is(&t, "(") || token_is(&t, "{") || token_is(&t, "[")) depth++;
    if (token_is(&t, ")") || token_is(&t, "}") || token_is(&t, "]")) depth--;
    if (!over && (depth > 0 || !token_is_one_of(&t, ends))) continue;
    const char *stop = over ? end : t.text.begin;
    scanner rest = {begin, stop, 1};
    token first = scanner_next(&rest);
    if (token_is(&first, "not")) begin = first.text.begin + first.text.size;
    add_part(L, view, (text_span){begin, (size_t)(stop - begin)}, out, size);
    count++;
    if (over) return;
    begin = t.text.begin + t.text.size;
  }
}

/* ": hero.position.z > 1\n  hero.position.z = 0.5", of the caller; or "". */
static void explain(lua_State *L, const char *function, char out[WORDS]) {
  lua_Debug info;
  size_t size = 0;
  out[0] = 0;
  if (!lua_getstack(L, 1, &info) || !lua_getinfo(L, "Sl", &info) || info.source[0] != '@') return;
  luaL_checkstack(L, 20, NULL);
  int top = lua_gettop(L);
  epoch_push_current(L, "texts");
  if (!lua_istable(L, -1)) epoch_push(L, "texts");
  lua_getfield(L, -1, info.source + 1);
  const char *text = lua_tolstring(L, -1, &size);
  text_span expression = text ? find_expression(text, size, info.currentline, function) : (text_span){NULL, 0};
  if (expression.size) {
    snprintf(out, WORDS, ": %.*s", (int)(expression.size < 200 ? expression.size : 200), expression.begin);
    for (char *c = out; *c; c++)
      if (*c == '\n') *c = ' ';
    push_view(L, &info);
    add_parts(L, lua_gettop(L), expression, out, WORDS);
  }
  lua_settop(L, top);
}

int scene_assert(lua_State *L) {
  char words[WORDS];
  luaL_checkany(L, 1);
  if (lua_toboolean(L, 1)) return lua_gettop(L);
  lua_remove(L, 1);
  if (lua_gettop(L) > 0) {
    lua_settop(L, 1);
    if (lua_type(L, 1) != LUA_TSTRING) return lua_error(L);
    luaL_where(L, 1);
    lua_insert(L, 1);
    lua_concat(L, 2);
    return lua_error(L);
  }
  explain(L, "assert", words);
  return luaL_error(L, "assertion failed%s%s", words[0] ? "" : "!", words);
}

/* sinew.check(value, message): notes a failure, and goes on. */
int scene_check(lua_State *L) {
  sinew_scene *scene = scene_of(L);
  char words[WORDS];
  if (!scene->testing) return luaL_error(L, "sinew.check belongs into sinew.test or sinew.tests");
  lua_settop(L, 2);
  if (lua_toboolean(L, 1)) return lua_settop(L, 1), 1;
  size_t used = strlen(scene->checks);
  luaL_where(L, 1);
  explain(L, "check", words);
  const char *message = luaL_optstring(L, 2, "");
  snprintf(scene->checks + used, sizeof scene->checks - used, "%s%s%s%s%s", scene->failed_checks++ ? "\n" : "",
           lua_tostring(L, -1), message[0] ? message : "not true", message[0] ? "" : words, "");
  lua_settop(L, 1);
  return 1;
}
