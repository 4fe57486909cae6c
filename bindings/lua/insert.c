#include "lua/rewrite.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_text(const text_span *span, const char *text) {
  return span->begin && span->size == strlen(text) && memcmp(span->begin, text, span->size) == 0;
}

SINEW_PRINTF(3, 4) static bool refuse(char *reason, size_t size, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason, size, format, arguments);
  va_end(arguments);
  return false;
}

SINEW_PRINTF(3, 4) static bool put(rewrite_place *out, size_t at, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int n = vsnprintf(out->text, sizeof out->text, format, arguments);
  va_end(arguments);
  out->begin = at;
  out->length = 0;
  out->is_new = true;
  return n > 0 && (size_t)n < sizeof out->text;
}

/* ---- the blocks around a place ---- */

typedef struct surroundings {
  bool loop, function; /* a function that has a name, so that it may be called for several things */
  int depth, braces;   /* blocks; parentheses and braces */
} surroundings;

enum { BLOCKS = 64 };

typedef struct block_reader {
  char kinds[BLOCKS]; /* l: a loop, f: a function with a name, b: any other */
  int depth, braces;
  bool pending; /* for and while come before their do */
  token before[2];
} block_reader;

static void push_block(block_reader *r, char kind) {
  if (r->depth < BLOCKS) r->kinds[r->depth] = kind;
  r->depth++;
}

static void see_block(block_reader *r, const token *t) {
  static const char *const begins[] = {"(", "{", "[", NULL}, *const ends[] = {")", "}", "]", NULL};
  bool loops = token_is(t, "for") || token_is(t, "while");
  if (token_is_one_of(t, begins)) r->braces++;
  if (token_is_one_of(t, ends)) r->braces--;
  if (token_is(&r->before[0], "function")) /* before its name, or its parenthesis */
    push_block(r, t->kind == TOKEN_NAME && !token_is(t, "sinew") ? 'f' : 'b');
  if (loops) r->pending = true;
  if (token_is(t, "do")) push_block(r, r->pending ? 'l' : 'b'), r->pending = false;
  if (token_is(t, "repeat")) push_block(r, 'l');
  if (token_is(t, "if")) push_block(r, 'b');
  if ((token_is(t, "end") || token_is(t, "until")) && r->depth > 0) r->depth--;
  r->before[1] = r->before[0];
  r->before[0] = *t;
}

static surroundings around(const rewrite_job *job, const char *place) {
  block_reader r = {.depth = 0};
  scanner s = {job->text, job->text + job->size, 1};
  surroundings out = {false, false, 0, 0};
  for (token t = scanner_next(&s); t.kind != TOKEN_END && t.text.begin < place; t = scanner_next(&s)) see_block(&r, &t);
  for (int i = 0; i < r.depth && i < BLOCKS; i++) {
    out.loop = out.loop || r.kinds[i] == 'l';
    out.function = out.function || r.kinds[i] == 'f';
  }
  out.depth = r.depth;
  out.braces = r.braces;
  return out;
}

/* A call that makes several things cannot get the value of one. */
static bool may_change(const rewrite_job *job, const char *place, char *reason, size_t size) {
  surroundings s = around(job, place);
  if (s.loop)
    return refuse(reason, size, "the call of '%s' stands in a loop, and so makes more than this one", job->callee);
  if (s.function && strcmp(job->callee, "play") != 0)
    return refuse(reason, size, "the call of '%s' stands in a function, which may make more than this one",
                  job->callee);
  return true;
}

/* ---- into a table ---- */

static bool is_name(const char *key, size_t size) {
  for (size_t i = 0; i < size; i++) {
    bool letter = (key[i] >= 'a' && key[i] <= 'z') || (key[i] >= 'A' && key[i] <= 'Z') || key[i] == '_';
    if (!letter && (i == 0 || key[i] < '0' || key[i] > '9')) return false;
  }
  return size > 0;
}

/* "offset.position" and a value as `offset = { position = value }`. False for a path with positions. */
static bool write_entry(const char *path, const char *value, char *out, size_t size) {
  size_t length = strcspn(path, ".["), used;
  if (path[0] == '.') return write_entry(path + 1, value, out, size);
  if (path[0] == '[' || path[length] == '[' || length == 0) return false;
  bool plain = is_name(path, length);
  used = (size_t)snprintf(out, size, plain ? "%.*s = " : "[\"%.*s\"] = ", (int)length, path);
  if (used >= size) return false;
  if (!path[length]) return (size_t)snprintf(out + used, size - used, "%s", value) < size - used;
  if (used + 3 >= size) return false;
  memcpy(out + used, "{ ", 3);
  if (!write_entry(path + length, value, out + used + 2, size - used - 2)) return false;
  used = strlen(out);
  return (size_t)snprintf(out + used, size - used, " }") < size - used;
}

/* The end of the last token before the closing brace that is no separator; the brace itself if there is none. */
static const char *end_of_items(const text_span *table) {
  scanner s = {table->begin + 1, table->begin + table->size - 1, 1};
  const char *end = NULL;
  for (token t = scanner_next(&s); t.kind != TOKEN_END; t = scanner_next(&s))
    if (!token_is(&t, ",") && !token_is(&t, ";")) end = s.at;
  return end;
}

/* A last item that may be several values stays the last. */
static bool ends_open(const constructors *all, int table) {
  const constructor_item *last = NULL;
  for (int i = 0; i < all->item_count; i++)
    if (all->items[i].table == table) last = all->items + i;
  return all->tables[table].open && last && last->position > 0 && !last->literal.begin;
}

static bool into_table(const rewrite_job *job, const constructors *all, int table, const char *path, rewrite_place *out,
                       char *reason, size_t size) {
  const constructor *c = all->tables + table;
  char entry[REWRITE_TEXT / 2];
  if (!may_change(job, c->text.begin, reason, size)) return false;
  if (!c->text.size || !write_entry(path, job->value, entry, sizeof entry))
    return refuse(reason, size, "'%s' has no place in the table of '%s'", job->path, job->callee);
  const char *end = end_of_items(&c->text);
  if (!end) return put(out, (size_t)(c->text.begin + 1 - job->text), c->text.size == 2 ? " %s " : " %s", entry);
  if (ends_open(all, table)) return put(out, (size_t)(c->text.begin + 1 - job->text), " %s,", entry);
  return put(out, (size_t)(end - job->text), ", %s", entry);
}

/* As far as the path is written; `rest` is what is not. */
static int walk(const constructors *all, int table, const char *path, const char **rest) {
  *rest = path;
  while (**rest) {
    const char *step = **rest == '.' ? *rest + 1 : *rest;
    size_t length = *step == '[' ? strcspn(step, "]") + 1 : strcspn(step, ".[");
    int position = 0, found = -1;
    if (*step == '[' && sscanf(step, "[%d]", &position) != 1) return table;
    for (int i = 0; i < all->item_count; i++) {
      const constructor_item *item = all->items + i;
      bool same = position ? item->position == position
                           : item->key.begin && item->key.size == length && memcmp(item->key.begin, step, length) == 0;
      if (item->table == table && same) found = i;
    }
    const constructor_item *item = found >= 0 ? all->items + found : NULL;
    int next = item && item->value >= 0 ? item->value : -1;
    if (item && next < 0 && item->name.begin) next = constructors_assigned(all, item->name, item->line);
    if (next < 0) return found >= 0 ? -1 : table; /* something else is written there */
    table = next;
    *rest = step + length;
  }
  return table;
}

/* ---- into a call without a table ---- */

/* The position of the table of options among the arguments; 0: of none. */
static int options_of(const char *callee) {
  static const struct {
    const char *callee;
    int position;
  } calls[] = {{"play", 2},   {"actor", 3}, {"layer", 2},    {"root_motion", 1},
               {"attach", 3}, {"crowd", 3}, {"set_graph", 2}};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (strcmp(calls[i].callee, callee) == 0) return calls[i].position;
  return 0;
}

typedef struct call {
  text_span text;       /* the string of f "text", with its quotes */
  const char *close;    /* or the closing parenthesis */
  token last;           /* the last token of the last argument */
  int arguments, count; /* count: of such calls in the line */
} call;

static void read_arguments(scanner *s, call *out) {
  int depth = 1;
  bool any = false;
  out->arguments = 0;
  for (token t = scanner_next(s); t.kind != TOKEN_END; t = scanner_next(s)) {
    if (token_is(&t, "(") || token_is(&t, "{") || token_is(&t, "[")) depth++;
    if (token_is(&t, ")") || token_is(&t, "}") || token_is(&t, "]")) depth--;
    if (depth == 0) {
      out->close = t.text.begin;
      out->arguments += any;
      return;
    }
    if (depth == 1 && token_is(&t, ",")) out->arguments++;
    any = true;
    out->last = t;
  }
}

static call find_call(const rewrite_job *job) {
  scanner s = {job->text, job->text + job->size, 1};
  token before = {TOKEN_END, {NULL, 0}, 0};
  call out = {.count = 0};
  for (token t = scanner_next(&s); t.kind != TOKEN_END; t = scanner_next(&s)) {
    bool here = before.kind == TOKEN_NAME && is_text(&before.text, job->callee) && t.line == job->line;
    bool whole = t.kind == TOKEN_STRING && t.text.begin + t.text.size < s.end;
    if (here && whole) out.text = (text_span){t.text.begin - 1, t.text.size + 2}, out.arguments = 1, out.count++;
    if (here && token_is(&t, "(")) {
      scanner inner = s;
      read_arguments(&inner, &out);
      out.count++;
    }
    before = t;
  }
  return out;
}

/* ---- a statement after the last of its kind ---- */

typedef struct statement_search {
  const char *last, *require; /* the ends of their lines, at the top level */
} statement_search;

static const char *end_of_line(const rewrite_job *job, const char *at) {
  const char *end = job->text + job->size;
  while (at < end && *at != '\n') at++;
  return at;
}

/* The end of the first line from here on where no block or brace is open. */
static const char *end_of_statement(const rewrite_job *job, const char *at) {
  for (const char *end = end_of_line(job, at);; end = end_of_line(job, end + 1)) {
    surroundings s = around(job, end);
    if ((s.depth == 0 && s.braces == 0) || end >= job->text + job->size) return end;
  }
}

/* Tokens "sinew" "." "view" at the top level, and the first `require`. */
static statement_search search_statements(const rewrite_job *job, const char *module) {
  statement_search out = {NULL, NULL};
  block_reader r = {.depth = 0};
  token before[2] = {{TOKEN_END, {NULL, 0}, 0}, {TOKEN_END, {NULL, 0}, 0}};
  scanner s = {job->text, job->text + job->size, 1};
  for (token t = scanner_next(&s); t.kind != TOKEN_END; t = scanner_next(&s)) {
    see_block(&r, &t);
    bool top = r.depth == 0 && r.braces == 0;
    bool of_module = token_is(&before[1], "sinew") && token_is(&before[0], ".") && t.kind == TOKEN_NAME;
    if (top && of_module && is_text(&t.text, module)) out.last = t.text.begin;
    if (top && !out.require && token_is(&t, "require")) out.require = t.text.begin;
    before[1] = before[0];
    before[0] = t;
  }
  return out;
}

/* `local hero = sinew.actor(…)`: the variable that the call of the line is assigned to. */
static text_span find_owner(const rewrite_job *job) {
  token before[2] = {{TOKEN_END, {NULL, 0}, 0}, {TOKEN_END, {NULL, 0}, 0}};
  text_span name = {NULL, 0};
  scanner s = {job->text, job->text + job->size, 1};
  for (token t = scanner_next(&s); t.kind != TOKEN_END && t.line <= job->line; t = scanner_next(&s)) {
    bool own = before[1].kind == TOKEN_NAME && token_is(&before[0], "=") && t.line == job->line;
    if (own) name = before[1].text;
    if (t.line == job->line && is_text(&t.text, job->callee)) return name;
    before[1] = before[0];
    before[0] = t;
  }
  return (text_span){NULL, 0};
}

/* hero.morphs.Smile = 1, after the statement that makes hero. */
static bool after_owner(const rewrite_job *job, rewrite_place *out, char *reason, size_t size) {
  text_span name = find_owner(job);
  if (!name.begin) return refuse(reason, size, "the %s is not kept in a variable", job->callee);
  if (!may_change(job, name.begin, reason, size)) return false;
  const char *end = end_of_statement(job, name.begin);
  if (end > job->text && end[-1] == '\r') end--;
  out->lines = 1;
  return put(out, (size_t)(end - job->text), "\n%.*s.%s = %s", (int)name.size, name.begin, job->path, job->value);
}

static bool as_statement(const rewrite_job *job, rewrite_place *out, char *reason, size_t size) {
  if (!job->module[0]) return after_owner(job, out, reason, size);
  statement_search found = search_statements(job, job->module);
  const char *after = found.last ? found.last : found.require;
  if (!after) return refuse(reason, size, "the script requires no sinew");
  const char *end = end_of_statement(job, after);
  if (end > job->text && end[-1] == '\r') end--;
  out->lines = 1;
  return put(out, (size_t)(end - job->text), "\nsinew.%s.%s = %s", job->module, job->path, job->value);
}

/* ---- one step through a variable ---- */

/* `local SPEED = 1.2`: its only assignment. */
static bool find_variable(const rewrite_job *job, text_span name, text_span *literal) {
  scanner s = {job->text, job->text + job->size, 1};
  token before[3] = {{TOKEN_END, {NULL, 0}, 0}, {TOKEN_END, {NULL, 0}, 0}, {TOKEN_END, {NULL, 0}, 0}};
  int assigned = 0, found = 0;
  for (token t = scanner_next(&s); t.kind != TOKEN_END; t = scanner_next(&s)) {
    bool is = token_is(&before[0], "=") && before[1].kind == TOKEN_NAME && before[1].text.size == name.size &&
              memcmp(before[1].text.begin, name.begin, name.size) == 0;
    assigned += is && !token_is(&before[2], ",") && !token_is(&before[2], "{");
    bool number = t.kind == TOKEN_NUMBER, truth = token_is(&t, "true") || token_is(&t, "false");
    bool text = t.kind == TOKEN_STRING && t.text.begin + t.text.size < s.end;
    if (is && token_is(&before[2], "local") && (number || truth || text)) {
      bool quoted = t.kind == TOKEN_STRING;
      *literal = (text_span){t.text.begin - quoted, t.text.size + 2 * (size_t)quoted};
      scanner next = s;
      token then = scanner_next(&next);
      bool whole = then.kind == TOKEN_END || then.line > t.line || then.kind == TOKEN_NAME || token_is(&then, ";");
      found += whole && !token_is(&then, "and") && !token_is(&then, "or");
    }
    before[2] = before[1], before[1] = before[0], before[0] = t;
  }
  return assigned == 1 && found == 1;
}

static bool replace(const rewrite_job *job, text_span literal, rewrite_place *out) {
  out->begin = (size_t)(literal.begin - job->text);
  out->length = literal.size;
  return (size_t)snprintf(out->text, sizeof out->text, "%s", job->value) < sizeof out->text;
}

/* The value of a key is a literal, or a variable that is one. The reason stays as it is where it is neither. */
static bool through_variable(const rewrite_job *job, const constructors *all, int table, const char *key,
                             rewrite_place *out, char *reason, size_t size) {
  for (int i = 0; i < all->item_count; i++) {
    const constructor_item *item = all->items + i;
    text_span literal = {NULL, 0};
    if (item->table != table || !is_text(&item->key, key)) continue;
    if (item->literal.begin)
      return rewrite_same_kind(item->literal.begin, job->value) && replace(job, item->literal, out);
    if (!item->name.begin) return false;
    bool found = find_variable(job, item->name, &literal) && rewrite_same_kind(literal.begin, job->value);
    if (found) return replace(job, literal, out);
    return refuse(reason, size, "'%s' is the variable '%.*s' there, which is not one written value", job->path,
                  (int)item->name.size, item->name.begin);
  }
  return false;
}

static bool in_table(const rewrite_job *job, const constructors *all, int table, rewrite_place *out, char *reason,
                     size_t size) {
  const char *rest = job->path, *dot = strrchr(job->path, '.');
  char path[128];
  int inner = walk(all, table, job->path, &rest);
  if (inner >= 0) return *rest && into_table(job, all, inner, rest, out, reason, size);
  snprintf(path, sizeof path, "%.*s", dot ? (int)(dot - job->path) : 0, job->path);
  int holder = path[0] ? walk(all, table, path, &rest) : table;
  return holder >= 0 && through_variable(job, all, holder, dot ? dot + 1 : job->path, out, reason, size);
}

static bool into_call(const rewrite_job *job, const constructors *all, rewrite_place *out, char *reason, size_t size) {
  call c = find_call(job);
  int position = options_of(job->callee);
  char entry[REWRITE_TEXT / 2];
  if (c.count > 1) return refuse(reason, size, "the line has several calls of '%s'", job->callee);
  if (c.count == 0 || position == 0) return false;
  const char *place = c.text.begin ? c.text.begin : c.close;
  if (!place || !may_change(job, place, reason, size)) return place && false;
  if (c.arguments >= position) {
    int table = c.last.kind == TOKEN_NAME ? constructors_assigned(all, c.last.text, job->line) : -1;
    if (table >= 0) return in_table(job, all, table, out, reason, size);
    return refuse(reason, size, "the options of '%s' are not written as a table there", job->callee);
  }
  if (c.arguments + 1 < position) return refuse(reason, size, "the call of '%s' has no place for options", job->callee);
  if (!write_entry(job->path, job->value, entry, sizeof entry))
    return refuse(reason, size, "'%s' has no place in the call of '%s'", job->path, job->callee);
  if (!c.text.begin) return put(out, (size_t)(c.close - job->text), c.arguments ? ", { %s }" : "{ %s }", entry);
  if (!put(out, (size_t)(c.text.begin - job->text), "(%.*s, { %s })", (int)c.text.size, c.text.begin, entry))
    return false;
  const char *before = c.text.begin;
  while (before > job->text && before[-1] == ' ') before--; /* play "Walk" */
  out->begin = (size_t)(before - job->text);
  out->length = (size_t)(c.text.begin + c.text.size - before);
  return true;
}

/* ---- clips and transitions as texts ---- */

bool insert_clip(const rewrite_job *job, text_span literal, rewrite_place *out, char *reason, size_t size) {
  char entry[REWRITE_TEXT / 2];
  if (!may_change(job, literal.begin, reason, size)) return false;
  if (!write_entry(job->field, job->value, entry, sizeof entry))
    return refuse(reason, size, "'%s' has no place", job->field);
  if (!put(out, (size_t)(literal.begin - job->text), "sinew.clip { %.*s, %s }", (int)literal.size, literal.begin,
           entry))
    return false;
  out->length = literal.size;
  return true;
}

/* The clause of the word in the text; its whole, with the comma before it. */
static text_span find_clause(text_span text, const char *const *words) {
  const char *end = text.begin + text.size, *colon = memchr(text.begin, ':', text.size);
  for (const char *at = colon ? colon + 1 : end; at < end;) {
    const char *stop = memchr(at, ',', (size_t)(end - at));
    if (!stop) stop = end;
    const char *word = at;
    while (word < stop && *word == ' ') word++;
    for (const char *const *w = words; *w; w++) {
      size_t length = strlen(*w);
      bool same = (size_t)(stop - word) >= length && memcmp(word, *w, length) == 0 &&
                  (word + length == stop || word[length] == ' ');
      if (same) return (text_span){at, (size_t)(stop - at)};
    }
    at = stop < end ? stop + 1 : end;
  }
  return (text_span){NULL, 0};
}

/* fade 0.2 · ease in_out · inertial · locked */
static bool clause_of(const rewrite_job *job, char *out, size_t size) {
  bool flag = strcmp(job->value, "true") == 0 || strcmp(job->value, "false") == 0, quoted = job->value[0] == '"';
  int length = (int)strlen(job->value) - 2 * quoted;
  if (flag) return snprintf(out, size, "%s", job->field) > 0;
  if (strcmp(job->field, "blend") == 0) return snprintf(out, size, "%.*s", length, job->value + 1) > 0;
  return snprintf(out, size, "%s %.*s", job->field, length, job->value + quoted) > 0;
}

bool insert_word(const rewrite_job *job, text_span literal, rewrite_place *out, char *reason, size_t size) {
  static const char *const blends[] = {"crossfade", "frozen", "inertial", NULL};
  const char *own[] = {job->field, NULL};
  bool blend = strcmp(job->field, "blend") == 0, off = strcmp(job->value, "false") == 0;
  text_span text = {literal.begin + 1, literal.size - 2};
  text_span clause = find_clause(text, blend ? blends : own);
  char words[128];
  if (!may_change(job, literal.begin, reason, size)) return false;
  if (!clause_of(job, words, sizeof words)) return refuse(reason, size, "'%s' has no word in the text", job->field);
  const char *colon = memchr(text.begin, ':', text.size), *end = text.begin + text.size;
  if (clause.begin && off && clause.begin[-1] == ',') {
    put(out, (size_t)(clause.begin - 1 - job->text), "%s", " ");
    out->text[0] = 0, out->length = clause.size + 1, out->is_new = false;
    return true;
  }
  if (clause.begin) {
    put(out, (size_t)(clause.begin - job->text), off ? "%.0s" : " %s", words);
    out->length = clause.size, out->is_new = false;
    return !off || refuse(reason, size, "'%s' is the only word of the transition", job->field);
  }
  return put(out, (size_t)(end - job->text), colon ? ", %s" : ": %s", words);
}

/* ---- all ---- */

bool insert_find(const rewrite_job *job, const constructors *all, rewrite_place *out, char *reason, size_t size) {
  int table = -1, count = 0;
  if (job->module) return as_statement(job, out, reason, size);
  if (!job->callee) return false;
  for (int i = 0; i < all->table_count; i++) {
    const constructor *c = all->tables + i;
    if (c->given != job->line || !is_text(&c->callee, job->callee)) continue;
    table = i;
    count++;
  }
  if (count > 1) return refuse(reason, size, "the line has several calls of '%s'", job->callee);
  if (count == 0) return into_call(job, all, out, reason, size);
  return in_table(job, all, table, out, reason, size);
}
