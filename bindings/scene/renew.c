/* New code for functions that scripts have made while they ran, and of which the load has made none. A function is
 * found again in the new text by where it stands: the functions around it, and the words before it on its line. Its
 * text is compiled, and the new function gets the variables of the old one. */
#include "core/scene.h"
#include "lua/constructors.h"
#include "scene/held.h"
#include "scene/variables.h"

#include <string.h>

enum { MOST = 4096, BLOCKS = 200, BEFORE = 6, NAMES = 150 };

/* A function in a text. */
typedef struct place {
  const char *begin, *head, *end; /* its keyword, its parenthesis, what follows it */
  int line, last_line, params;    /* as lua_getinfo counts them */
  bool method;
  uint64_t key; /* of the functions around it, and of the words before it */
} place;

typedef struct page {
  place *places;
  int count;
} page;

static uint64_t mix(uint64_t key, text_span text) { /* FNV-1a */
  for (size_t i = 0; i < text.size; i++) key = (key ^ (unsigned char)text.begin[i]) * 1099511628211u;
  return (key ^ ' ') * 1099511628211u;
}

/* Where a scan is: the blocks that are open, each with its function or −1; and the last words of the line. */
typedef struct scan {
  scanner s;
  token before[BEFORE];
  int words, open[BLOCKS], depth;
} scan;

static int around(const scan *c) {
  for (int i = c->depth; i-- > 0;)
    if (c->open[i] >= 0) return c->open[i];
  return -1;
}

/* The keyword has been read; reads its name and its parameters. */
static place read_head(scan *c, const page *p, const token *keyword) {
  int outer = around(c);
  place f = {.begin = keyword->text.begin,
             .line = keyword->line,
             .key = outer < 0 ? 14695981039346656037u : p->places[outer].key};
  int words = c->words < BEFORE ? c->words : BEFORE;
  for (int i = words; i-- > 0;)
    if (c->before[i].line == keyword->line) f.key = mix(f.key, c->before[i].text);
  token t = scanner_next(&c->s);
  for (; t.kind != TOKEN_END && !token_is(&t, "("); t = scanner_next(&c->s)) {
    f.method = f.method || token_is(&t, ":");
    f.key = mix(f.key, t.text);
  }
  f.head = t.text.begin;
  f.params = f.method;
  for (t = scanner_next(&c->s); t.kind != TOKEN_END && !token_is(&t, ")"); t = scanner_next(&c->s))
    f.params += t.kind == TOKEN_NAME;
  return f;
}

static void follow(scan *c, page *p, const token *t) {
  static const char *const openings[] = {"do", "if", "repeat", NULL}, *const endings[] = {"end", "until", NULL};
  bool function = token_is(t, "function") && p->count < MOST;
  if ((function || token_is_one_of(t, openings)) && c->depth < BLOCKS) {
    if (function) p->places[p->count] = read_head(c, p, t);
    c->open[c->depth++] = function ? p->count++ : -1;
  } else if (token_is_one_of(t, endings) && c->depth > 0 && c->open[--c->depth] >= 0) {
    p->places[c->open[c->depth]].end = t->text.begin + t->text.size;
    p->places[c->open[c->depth]].last_line = t->line;
  }
  memmove(c->before + 1, c->before, (BEFORE - 1) * sizeof *c->before);
  c->before[0] = *t;
  c->words++;
}

/* Pushes the functions of the text on the top, once for each text. */
static page push_page(lua_State *L) {
  size_t size;
  const char *text = lua_tolstring(L, -1, &size);
  epoch_push(L, "pages");
  lua_pushvalue(L, -2);
  if (lua_rawget(L, -2) == LUA_TNIL) {
    budget_charge(L, (int64_t)size / 4);
    page p = {.places = lua_newuserdatauv(L, MOST * sizeof(place), 0)};
    scan c = {.s = {text, text + size, 1}};
    for (token t = scanner_next(&c.s); t.kind != TOKEN_END; t = scanner_next(&c.s)) follow(&c, &p, &t);
    int count = 0;
    for (int i = 0; i < p.count; i++)
      if (p.places[i].end) p.places[count++] = p.places[i];
    p.places =
        memcpy(lua_newuserdatauv(L, ((size_t)count + 1) * sizeof(place), 0), p.places, (size_t)count * sizeof(place));
    p.places[count] = (place){.begin = NULL};
    lua_pushvalue(L, -5);
    lua_pushvalue(L, -2);
    lua_rawset(L, -6);
  }
  page out = {.places = lua_touserdata(L, -1)};
  while (out.places[out.count].begin) out.count++;
  return out;
}

static bool same_text(const place *a, const place *b) {
  return a->end - a->begin == b->end - b->begin && memcmp(a->begin, b->begin, (size_t)(a->end - a->begin)) == 0;
}

/* Its place in the new text: with the same text, or the same number among those of its key. */
static const place *find_new(const page *last, const page *next, const place *f) {
  const place *same = NULL, *by_number = NULL;
  int number = 0, others = 0;
  for (int i = 0; last->places + i < f; i++) number += last->places[i].key == f->key;
  for (int i = 0; i < next->count; i++) {
    const place *g = next->places + i;
    if (g->key != f->key) continue;
    if (!same && same_text(f, g)) same = g;
    if (others++ == number) by_number = g;
  }
  return same ? same : by_number;
}

/* The new place of a function of the last text; NULL if several may be it. `is_same`: whichever it is, its text is as
 * it was. */
static const place *find_in(const page *last, const page *next, const lua_Debug *info, bool *is_same) {
  const place *found = NULL;
  int count = 0;
  *is_same = true;
  for (const place *f = last->places; f < last->places + last->count; f++) {
    if (f->line != info->linedefined || f->last_line != info->lastlinedefined || f->params != info->nparams) continue;
    found = find_new(last, next, f);
    *is_same = *is_same && found && same_text(f, found);
    count++;
  }
  *is_same = *is_same && count > 0;
  return count == 1 ? found : NULL;
}

/* ---- its variables ---- */

/* Pushes a function and the number of its upvalue that has that name: of the old function, or else the variable of the
 * file. */
static bool push_variable(lua_State *L, const renewal *r, int old, const char *file, const char *name) {
  int top = lua_gettop(L), number = names_find_upvalue(L, r->spelling, old, name, file);
  if (number) {
    lua_pushvalue(L, old);
    lua_pushinteger(L, number);
    return true;
  }
  lua_pushfstring(L, "%s\n%s", file, name);
  if (lua_rawget(L, r->after) != LUA_TTABLE || lua_rawlen(L, -1) != 1) return lua_settop(L, top), false;
  lua_rawgeti(L, top + 1, 1);
  lua_getfield(L, top + 2, "call");
  lua_getfield(L, top + 2, "number");
  bool is = lua_isfunction(L, top + 3);
  if (is && lua_rawgetp(L, r->cells, lua_upvalueid(L, top + 3, (int)lua_tointeger(L, top + 4))) == LUA_TTABLE) {
    lua_rawgeti(L, top + 5, CELL_CALL);
    lua_replace(L, top + 3);
    lua_rawgeti(L, top + 5, CELL_NUMBER);
    lua_replace(L, top + 4);
  }
  lua_settop(L, is ? top + 4 : top);
  if (is) lua_remove(L, top + 1), lua_remove(L, top + 1);
  return is;
}

static bool is_noted(const text_span *names, int count, text_span name) {
  bool is = false;
  for (int i = 0; i < count && !is; i++)
    is = names[i].size == name.size && memcmp(names[i].begin, name.begin, name.size) == 0;
  return is;
}

/* Adds "local a, b " for the words of its text that are variables outside of it. */
static bool add_locals(luaL_Buffer *b, const renewal *r, int old, const char *file, const place *f) {
  lua_State *L = b->L;
  text_span names[NAMES];
  int count = 0;
  scanner s = {f->head, f->end, 1};
  for (token t = scanner_next(&s); t.kind != TOKEN_END; t = scanner_next(&s)) {
    if (t.kind != TOKEN_NAME || is_noted(names, count, t.text)) continue;
    int top = lua_gettop(L);
    lua_pushlstring(L, t.text.begin, t.text.size);
    bool is = push_variable(L, r, old, file, lua_tostring(L, -1));
    lua_settop(L, top);
    if (!is) continue;
    if (count == NAMES) return false;
    names[count++] = t.text;
  }
  for (int i = 0; i < count; i++) {
    luaL_addstring(b, i ? "," : "local ");
    luaL_addlstring(b, names[i].begin, names[i].size);
  }
  luaL_addstring(b, " ");
  return true;
}

/* Pushes a function that makes the function, compiled for its line. */
static bool push_maker(lua_State *L, const renewal *r, int old, const char *file, const place *f) {
  luaL_Buffer b;
  int top = lua_gettop(L);
  const char *params = f->head + 1;
  luaL_buffinit(L, &b);
  for (int i = 1; i < f->line; i++) luaL_addchar(&b, '\n');
  if (!add_locals(&b, r, old, file, f)) return lua_settop(L, top), false;
  luaL_addstring(&b, f->method ? f->params > 1 ? "return function(self," : "return function(self" : "return function(");
  luaL_addlstring(&b, params, (size_t)(f->end - params));
  luaL_pushresult(&b);
  size_t size;
  const char *text = lua_tolstring(L, -1, &size);
  lua_pushfstring(L, "@%s", file);
  bool fine = budget_load(L, text, size, lua_tostring(L, -1)) == LUA_OK;
  if (fine) epoch_push_current(L, "env"), lua_setupvalue(L, -2, 1);
  lua_replace(L, top + 1);
  lua_settop(L, fine ? top + 1 : top);
  return fine;
}

static void join(lua_State *L, const renewal *r, int old, int made, const char *file) {
  const char *name;
  int top = lua_gettop(L);
  for (int n = 1; (name = lua_getupvalue(L, made, n)) != NULL; n++) {
    lua_settop(L, top);
    if (upvalue_is_named(name) && push_variable(L, r, old, file, name))
      lua_upvaluejoin(L, made, n, top + 1, (int)lua_tointeger(L, top + 2));
    lua_settop(L, top);
  }
}

/* Pushes what the places lie in. A file that is as it was has none. */
static const place *find(lua_State *L, int old, const lua_Debug *info, bool *is_same) {
  const place *f = NULL;
  int before = lua_gettop(L) + 3;
  luaL_checkstack(L, 40, NULL);
  code_push_texts(L, old);
  epoch_push(L, "texts");
  bool both = lua_istable(L, -2) && lua_getfield(L, -2, info->source + 1) == LUA_TSTRING &&
              lua_getfield(L, -2, info->source + 1) == LUA_TSTRING;
  *is_same = both && lua_rawequal(L, -1, -2);
  if (both && !*is_same) {
    page next = push_page(L);
    lua_pushvalue(L, before);
    page last = push_page(L);
    f = find_in(&last, &next, info, is_same);
  }
  return f;
}

bool code_is_same(lua_State *L, int function) {
  int top = lua_gettop(L);
  bool same = true;
  lua_Debug info;
  if (!lua_isfunction(L, function) || lua_iscfunction(L, function)) return true;
  lua_pushvalue(L, function);
  lua_getinfo(L, ">Su", &info);
  if (info.source[0] == '@') find(L, function, &info, &same);
  lua_settop(L, top);
  return same;
}

bool code_renew(lua_State *L, const renewal *r, int old) {
  int top = lua_gettop(L);
  bool same;
  lua_Debug info;
  lua_pushvalue(L, old);
  lua_getinfo(L, ">Su", &info);
  const place *f = info.source[0] == '@' ? find(L, old, &info, &same) : NULL;
  if (!f) return lua_settop(L, top), false;
  lua_pushfstring(L, "%s\n%p", info.source, f);
  int key = lua_gettop(L);
  lua_pushvalue(L, key);
  bool known = lua_rawget(L, r->makers) == LUA_TFUNCTION;
  if (!known) lua_pop(L, 1), known = push_maker(L, r, old, info.source + 1, f);
  if (!known) return lua_settop(L, top), false;
  lua_pushvalue(L, key);
  lua_pushvalue(L, key + 1);
  lua_rawset(L, r->makers);
  lua_call(L, 0, 1);
  join(L, r, old, key + 1, info.source + 1);
  lua_replace(L, top + 1);
  lua_settop(L, top + 1);
  return true;
}
