/* Finds the names that a save has changed everywhere: variables of a file, and words that scripts pass on, such as the
 * names of actors, layers and parameters. It aligns the lines of the old and the new text; lines that differ only in
 * names and numbers belong together. A name has changed if all of its places in such lines got the same new name, and
 * nothing else became that name. This also finds swapped names, and chains in which each takes the next one's. */
#include "core/scene.h"
#include "lua/constructors.h"

#include <string.h>

enum { LARGE = 1 << 20, BLOCKS = 200, CELLS = 1 << 18, SAME = 3, ALIKE = 2, CELLS_PER_STEP = 16 };

/* PART: fields, strings and keys of tables. */
typedef enum word_role { WORD_FIXED, WORD_VARIABLE, WORD_PART } word_role;

typedef struct word {
  text_span text;
  word_role role;
} word;

typedef struct line {
  uint64_t shape; /* a hash of everything but names and numbers */
  int first, count;
} line;

typedef struct page {
  word *words;
  line *lines;
  int word_count, line_count;
} page;

/* ---- a text as words and lines ---- */

static const char *const openings[] = {"function", "do", "if", "repeat", NULL};
static const char *const endings[] = {"end", "until", NULL};
static const char *const keywords[] = {"and",      "break",  "do",   "else", "elseif", "end",   "false", "for",
                                       "function", "goto",   "if",   "in",   "local",  "nil",   "not",   "or",
                                       "repeat",   "return", "then", "true", "until",  "while", NULL};

typedef struct context {
  token before[2]; /* the latest first */
  bool braces[BLOCKS];
  int depth;
} context;

static bool in_braces(const context *c) { return c->depth > 0 && c->depth <= BLOCKS && c->braces[c->depth - 1]; }

static word_role role_of(const context *c, const token *t) {
  bool point = token_is(&c->before[0], ".") && !token_is(&c->before[1], "."); /* and no concatenation */
  if (t->kind == TOKEN_STRING) return WORD_PART;
  if (t->kind != TOKEN_NAME || token_is_one_of(t, keywords)) return WORD_FIXED;
  return point || token_is(&c->before[0], ":") ? WORD_PART : WORD_VARIABLE;
}

static bool is_key(const context *c, const token *t) {
  bool first = token_is(&c->before[1], "{") || token_is(&c->before[1], ",") || token_is(&c->before[1], ";");
  return token_is(t, "=") && first && c->before[0].kind == TOKEN_NAME && in_braces(c);
}

static void follow(context *c, const token *t) {
  bool brace = token_is(t, "{");
  if (brace || token_is_one_of(t, openings)) {
    if (c->depth < BLOCKS) c->braces[c->depth] = brace;
    c->depth++;
  } else if (c->depth > 0 && (token_is(t, "}") || token_is_one_of(t, endings))) {
    c->depth--;
  }
  c->before[1] = c->before[0];
  c->before[0] = *t;
}

static uint64_t hash(uint64_t shape, const token *t, word_role role) { /* FNV-1a */
  shape = (shape ^ (uint64_t)t->kind) * 1099511628211u;
  bool free = role != WORD_FIXED || t->kind == TOKEN_NUMBER;
  for (size_t i = 0; i < t->text.size && !free; i++) shape = (shape ^ (unsigned char)t->text.begin[i]) * 1099511628211u;
  return shape;
}

static void read_page(const char *text, size_t size, page *out) {
  context c = {{{TOKEN_END, {"", 0}, 0}, {TOKEN_END, {"", 0}, 0}}, {0}, 0};
  scanner s = {text, text + size, 1};
  int at = 0;
  for (token t = scanner_next(&s); t.kind != TOKEN_END; t = scanner_next(&s)) {
    if (t.line != at) out->lines[out->line_count++] = (line){14695981039346656037u, out->word_count, 0};
    at = t.line;
    line *l = out->lines + out->line_count - 1;
    word_role role = role_of(&c, &t);
    if (is_key(&c, &t)) out->words[out->word_count - 1].role = WORD_PART;
    l->shape = hash(l->shape, &t, role);
    l->count++;
    out->words[out->word_count++] = (word){t.text, role};
    follow(&c, &t);
  }
}

static page push_page(lua_State *L, int text) {
  size_t size;
  const char *begin = lua_tolstring(L, text, &size);
  scanner s = {begin, begin + size, 1};
  size_t count = 1;
  for (; scanner_next(&s).kind != TOKEN_END; count++) budget_charge(L, 1);
  page out = {.words = lua_newuserdatauv(L, count * sizeof(word), 0),
              .lines = lua_newuserdatauv(L, count * sizeof(line), 0)};
  read_page(begin, size, &out);
  return out;
}

/* ---- corresponding lines ---- */

static bool same_text(text_span a, text_span b) { return a.size == b.size && memcmp(a.begin, b.begin, a.size) == 0; }

static int score_of(const page *a, int i, const page *b, int k) {
  const line *x = a->lines + i, *y = b->lines + k;
  bool same = true;
  if (x->shape != y->shape || x->count != y->count) return 0;
  for (int n = 0; n < x->count && same; n++) same = same_text(a->words[x->first + n].text, b->words[y->first + n].text);
  return same ? SAME : ALIKE;
}

static bool pair_in_order(const page *a, const page *b, int *partners) {
  bool all = a->line_count == b->line_count;
  for (int i = 0; i < a->line_count && all; i++) {
    all = score_of(a, i, b, i) > 0;
    partners[i] = i;
  }
  return all;
}

/* The longest common sequence, in which equal lines count more. */
static void pair_between(lua_State *L, const page *a, const page *b, int first, int a_end, int b_end, int *partners) {
  size_t rows = (size_t)(a_end - first) + 1, columns = (size_t)(b_end - first) + 1;
  if (rows * columns > CELLS) return;
  budget_charge(L, (int64_t)(rows * columns) / CELLS_PER_STEP);
  uint16_t *best = lua_newuserdatauv(L, rows * columns * sizeof *best, 0);
  memset(best, 0, rows * columns * sizeof *best);
  for (size_t i = rows - 1; i-- > 0;)
    for (size_t k = columns - 1; k-- > 0;) {
      const uint16_t *below = best + (i + 1) * columns + k;
      int score = score_of(a, first + (int)i, b, first + (int)k), with = score ? below[1] + score : 0;
      uint16_t without = below[0] > below[1 - (ptrdiff_t)columns] ? below[0] : below[1 - (ptrdiff_t)columns];
      best[i * columns + k] = with > without ? (uint16_t)with : without;
    }
  for (size_t i = 0, k = 0; i + 1 < rows && k + 1 < columns;) {
    const uint16_t *here = best + i * columns + k;
    if (here[0] == here[columns]) i++;
    else if (here[0] == here[1]) k++;
    else partners[first + (int)i++] = first + (int)k++;
  }
  lua_pop(L, 1);
}

static void pair_lines(lua_State *L, const page *a, const page *b, int *partners) {
  int first = 0, a_end = a->line_count, b_end = b->line_count;
  if (pair_in_order(a, b, partners)) return;
  for (int i = 0; i < a->line_count; i++) partners[i] = -1;
  for (; first < a_end && first < b_end && score_of(a, first, b, first) == SAME; first++) partners[first] = first;
  for (; a_end > first && b_end > first && score_of(a, a_end - 1, b, b_end - 1) == SAME; a_end--, b_end--)
    partners[a_end - 1] = b_end - 1;
  pair_between(L, a, b, first, a_end, b_end, partners);
}

/* ---- the new name of each name ---- */

/* Tables at these stack indices: the name in the other text for each name, or false if it is ambiguous; and the number
 * of places that differ from it. */
enum { FORTH = 4, BACK, FORTH_PLACES, BACK_PLACES };

static void push_key(lua_State *L, const char *path, const word *w) {
  if (w->role == WORD_PART) lua_pushliteral(L, SPELLED_PART);
  else lua_pushfstring(L, "%s\n", path);
  lua_pushlstring(L, w->text.begin, w->text.size);
  lua_concat(L, 2);
}

/* The key is at the top, and stays there. */
static void count_place(lua_State *L, int places, int by) {
  lua_pushvalue(L, -1);
  lua_pushvalue(L, -1);
  lua_rawget(L, places);
  lua_Integer count = lua_tointeger(L, -1) + by;
  lua_pop(L, 1);
  lua_pushinteger(L, count);
  lua_rawset(L, places);
}

static void note(lua_State *L, const char *path, int table, const word *from, const word *to) {
  push_key(L, path, from);
  count_place(L, table + FORTH_PLACES - FORTH, -1);
  lua_pushvalue(L, -1);
  bool first = lua_rawget(L, table) == LUA_TNIL;
  lua_pushlstring(L, to->text.begin, to->text.size);
  if (!first && !lua_rawequal(L, -1, -2)) lua_pushboolean(L, false), lua_replace(L, -2);
  lua_remove(L, -2);
  lua_rawset(L, table);
}

static bool compare_lines(lua_State *L, const char *path, const page *a, const page *b, const int *partners) {
  bool any = false;
  for (int i = 0; i < a->line_count; i++) {
    const line *x = a->lines + i, *y = partners[i] < 0 ? NULL : b->lines + partners[i];
    budget_charge(L, x->count);
    for (int n = 0; y && n < x->count; n++) {
      const word *from = a->words + x->first + n, *to = b->words + y->first + n;
      if (from->role == WORD_FIXED || from->role != to->role || same_text(from->text, to->text)) continue;
      note(L, path, FORTH, from, to);
      note(L, path, BACK, to, from);
      any = true;
    }
  }
  return any;
}

/* Places in one line of the names in the table. */
static void count_places(lua_State *L, const char *path, int table, const page *p, const line *l) {
  for (int i = l->first; i < l->first + l->count; i++) {
    if (p->words[i].role == WORD_FIXED) continue;
    budget_charge(L, 1);
    push_key(L, path, p->words + i);
    lua_pushvalue(L, -1);
    bool known = lua_rawget(L, table) != LUA_TNIL;
    lua_pop(L, 1);
    if (known) count_place(L, table + FORTH_PLACES - FORTH, 1);
    lua_pop(L, 1);
  }
}

/* In lines that have partners; and of old names in new lines, and of new names in lines that are gone. */
static void count_all(lua_State *L, const char *path, const page *a, const page *b, const int *partners) {
  bool *paired = lua_newuserdatauv(L, (size_t)b->line_count + 1, 0);
  memset(paired, 0, (size_t)b->line_count + 1);
  for (int i = 0; i < a->line_count; i++) {
    count_places(L, path, partners[i] < 0 ? BACK : FORTH, a, a->lines + i);
    if (partners[i] >= 0) paired[partners[i]] = true;
  }
  for (int i = 0; i < b->line_count; i++) count_places(L, path, paired[i] ? BACK : FORTH, b, b->lines + i);
  lua_pop(L, 1);
}

static bool compare_file(lua_State *L, const char *path, int before, int after, bool counts) {
  int top = lua_gettop(L);
  bool any = false;
  luaL_checkstack(L, 16, NULL);
  if (lua_rawlen(L, before) > LARGE || lua_rawlen(L, after) > LARGE) return false;
  page a = push_page(L, before), b = push_page(L, after);
  int *partners = lua_newuserdatauv(L, ((size_t)a.line_count + 1) * sizeof *partners, 0);
  pair_lines(L, &a, &b, partners);
  if (!counts) any = compare_lines(L, path, &a, &b, partners);
  if (counts) count_all(L, path, &a, &b, partners);
  lua_settop(L, top);
  return any;
}

/* Counts what has changed; then, in all files, checks every place. */
static bool compare_files(lua_State *L, int before, int after, bool counts) {
  int top = lua_gettop(L);
  bool any = false;
  lua_pushnil(L);
  while (lua_next(L, before)) {
    const char *path = lua_tostring(L, top + 1);
    lua_pushvalue(L, top + 1);
    bool both = lua_rawget(L, after) == LUA_TSTRING && script_is_own(path);
    if (both && (counts || !lua_rawequal(L, top + 2, top + 3))) any |= compare_file(L, path, top + 2, top + 3, counts);
    lua_settop(L, top + 1);
  }
  return any;
}

static bool stands_nowhere_else(lua_State *L, int places, int key) {
  lua_pushvalue(L, key);
  lua_rawget(L, places);
  bool nowhere = lua_tointeger(L, -1) == 0;
  lua_pop(L, 1);
  return nowhere;
}

/* Confirms names that are the same in each place, and in the other direction. */
static void confirm(lua_State *L, int result) {
  int top = lua_gettop(L), key = top + 1;
  lua_pushnil(L);
  while (lua_next(L, FORTH)) {
    if (lua_isstring(L, key + 1) && stands_nowhere_else(L, FORTH_PLACES, key)) {
      const char *text = lua_tostring(L, key), *end = text[0] == SPELLED_PART[0] ? text : strchr(text, '\n');
      lua_pushlstring(L, text, (size_t)(end + 1 - text));
      lua_pushvalue(L, key + 1);
      lua_concat(L, 2);
      lua_pushvalue(L, key + 2);
      bool confirmed = lua_rawget(L, BACK) == LUA_TSTRING && stands_nowhere_else(L, BACK_PLACES, key + 2);
      lua_pushvalue(L, key);
      lua_pushvalue(L, key + 1);
      if (confirmed) lua_rawset(L, result);
    }
    lua_settop(L, key);
  }
}

int spelling_find(lua_State *L) {
  lua_settop(L, 0);
  epoch_push_current(L, "texts");
  epoch_push(L, "texts");
  epoch_push(L, "spelling");
  for (int i = FORTH; i <= BACK_PLACES; i++) lua_newtable(L);
  if (!lua_istable(L, 1) || !compare_files(L, 1, 2, false)) return 0;
  compare_files(L, 1, 2, true);
  confirm(L, 3);
  return 0;
}
