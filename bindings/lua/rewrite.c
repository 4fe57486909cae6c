#include "lua/rewrite.h"

#include <sinew/math.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_text(const text_span *span, const char *text, size_t size) {
  return span->begin && span->size == size && memcmp(span->begin, text, size) == 0;
}

/* ---- one step of the path ---- */

typedef struct path_step {
  const char *key;
  size_t size;
  int position; /* or 0: by key */
} path_step;

/* Takes a step off the path: "params", "[2]". False at its end. */
static bool take_step(const char **path, path_step *out) {
  *out = (path_step){0};
  if (**path == '.') ++*path;
  if (!**path) return false;
  if (**path == '[') {
    char *end;
    out->position = (int)strtol(*path + 1, &end, 10);
    *path = *end == ']' ? end + 1 : end;
    return out->position > 0;
  }
  out->key = *path;
  out->size = strcspn(*path, ".[");
  *path += out->size;
  return true;
}

/* The effective item: Lua uses the last one of a key. −1: none. */
static int find_item(const constructors *all, int table, const path_step *step) {
  int found = -1;
  for (int i = 0; i < all->item_count; i++) {
    const constructor_item *item = all->items + i;
    bool same = step->key ? is_text(&item->key, step->key, step->size) : item->position == step->position;
    if (item->table == table && same) found = i;
  }
  return found;
}

/* ---- the call ---- */

typedef enum outcome { FOUND, NO_CALL, NO_OPTION, NO_LITERAL, SEVERAL } outcome;

typedef enum value_kind { NUMBER, TRUTH, TEXT, TABLE } value_kind;

static value_kind kind_of(char first) {
  if (first == 't' || first == 'f') return TRUTH;
  if (first == '"' || first == '\'') return TEXT;
  return first == '{' ? TABLE : NUMBER;
}

bool rewrite_same_kind(const char *a, const char *b) { return kind_of(*a) == kind_of(*b); }

/* Whether all keys and values of a table are literals, so that replacing it loses nothing else. */
static bool is_constant(const constructors *all, int table) {
  const constructor *c = all->tables + table;
  for (int i = 0; i < all->item_count; i++) {
    const constructor_item *item = all->items + i;
    if (item->table == table && (!item->literal.begin || (!item->key.begin && item->position == 0))) return false;
  }
  for (size_t i = 1; i < c->text.size; i++)
    if (c->text.begin[i] == '-' && c->text.begin[i - 1] == '-') return false; /* nor a comment */
  return c->text.size > 0;
}

static text_span value_of(const constructors *all, const constructor_item *item) {
  if (item->value >= 0 && is_constant(all, item->value)) return all->tables[item->value].text;
  return item->literal;
}

/* Follows the path down from a constructor that is an argument of the call. */
static outcome walk(const rewrite_job *job, const constructors *all, int table, text_span *value) {
  path_step step;
  int item = -1;
  for (const char *rest = job->path; take_step(&rest, &step);) {
    if (item >= 0) table = all->items[item].value;
    if (table < 0) return NO_LITERAL;
    item = find_item(all, table, &step);
    if (item < 0) return NO_OPTION;
  }
  if (item < 0) return NO_OPTION;
  *value = value_of(all, all->items + item);
  return value->begin && kind_of(*value->begin) == kind_of(*job->value) ? FOUND : NO_LITERAL;
}

static outcome search_calls(const rewrite_job *job, const constructors *all, text_span *value) {
  outcome best = NO_CALL;
  int found = 0;
  for (int i = 0; job->callee && i < all->table_count; i++) {
    const constructor *c = all->tables + i;
    text_span at;
    if (c->given != job->line || !is_text(&c->callee, job->callee, strlen(job->callee))) continue;
    outcome one = walk(job, all, i, &at);
    if (one == FOUND && found++ == 0) *value = at;
    /* another call sets the option to something else, so the call is ambiguous */
    if (one == NO_LITERAL) best = NO_LITERAL;
    if (one == NO_OPTION && best == NO_CALL) best = NO_OPTION;
  }
  if (found > 1 || (found == 1 && best == NO_LITERAL)) return SEVERAL;
  return found == 1 ? FOUND : best;
}

/* Whether a complete value ends here: before another statement, a comment, or the end of the line. */
static bool is_at_end(const rewrite_job *job, const char *at) {
  const char *end = job->text + job->size;
  while (at < end && strchr(" \t\r\n", *at)) at++;
  size_t left = (size_t)(end - at);
  bool joins = (left > 3 && memcmp(at, "and ", 4) == 0) || (left > 2 && memcmp(at, "or ", 3) == 0);
  return left == 0 || *at == ';' || (left > 1 && at[0] == '-' && at[1] == '-') ||
         (!joins && (isalpha((unsigned char)*at) || *at == '_'));
}

/* `hero.position = { 0, 1, 2 }` */
static bool find_assigned(const rewrite_job *job, const constructors *all, const char *key, text_span *value) {
  int found = 0;
  for (int i = 0; i < all->table_count; i++) {
    const constructor *c = all->tables + i;
    bool here = c->line == job->line && is_text(&c->assigned, key, strlen(key)) && c->assigned.begin[-1] == '.';
    if (!here || !is_constant(all, i) || !is_at_end(job, c->text.begin + c->text.size)) continue;
    *value = c->text;
    found++;
  }
  return found == 1;
}

/* Finds it by the last key of the path, whatever comes before it. */
static outcome search_assignments(const rewrite_job *job, const constructors *all, text_span *value) {
  const char *dot = strchr(job->path, '.'), *key = dot ? dot + 1 : job->path;
  int others, found = assignments_read(job->text, job->size, job->line, (text_span){key, strlen(key)}, value, &others);
  if (found + others > 1) return SEVERAL;
  if (found == 0 && others > 0 && !find_assigned(job, all, key, value)) return NO_LITERAL;
  if (found + others == 0) return NO_CALL;
  return kind_of(*value->begin) == kind_of(*job->value) ? FOUND : NO_LITERAL;
}

/* Succeeds in exactly one of the two ways. */
static outcome search(const rewrite_job *job, const constructors *all, text_span *value) {
  text_span assigned = {NULL, 0};
  outcome call = search_calls(job, all, value), assignment = search_assignments(job, all, &assigned);
  if (call == NO_CALL || call == NO_OPTION) {
    if (assignment == FOUND) *value = assigned;
    return assignment == NO_CALL ? call : assignment;
  }
  return assignment == NO_CALL ? call : SEVERAL;
}

static void explain(const rewrite_job *job, outcome why, char *reason, size_t size) {
  static const char *const kinds[] = {"a number", "true or false", "a text", "a table of constants"};
  const char *path = job->path, *kind = kinds[kind_of(*job->value)];
  if (why == NO_CALL && !job->callee) snprintf(reason, size, "the line does not set '%s'", path);
  else if (why == NO_CALL) snprintf(reason, size, "the line has no call of '%s' with a table", job->callee);
  else if (why == NO_OPTION) snprintf(reason, size, "the call of '%s' has no '%s'", job->callee, path);
  else if (why == NO_LITERAL) snprintf(reason, size, "'%s' is not written there as %s", path, kind);
  else if (!job->callee) snprintf(reason, size, "the line sets '%s' several times", path);
  else snprintf(reason, size, "several calls of '%s' in this line have '%s'", job->callee, path);
}

/* A text: of a clip, or of a transition. */
static bool find_text(const rewrite_job *job, const constructors *all, rewrite_place *out, char *reason, size_t size) {
  rewrite_job text = *job;
  text_span literal = {NULL, 0};
  text.value = "\"\"";
  outcome got = search_calls(&text, all, &literal);
  if (got == FOUND) return (job->is_transition ? insert_word : insert_clip)(job, literal, out, reason, size);
  return explain(&text, got, reason, size), false;
}

static bool find_with(const rewrite_job *job, const constructors *all, rewrite_place *out, char *reason, size_t size) {
  text_span value = {NULL, 0};
  if (job->field) return find_text(job, all, out, reason, size);
  outcome got = search(job, all, &value);
  if (got == SEVERAL) return explain(job, got, reason, size), false;
  if (got != FOUND) {
    explain(job, got, reason, size);
    return insert_find(job, all, out, reason, size);
  }
  out->begin = (size_t)(value.begin - job->text);
  out->length = value.size;
  snprintf(out->text, sizeof out->text, "%s", job->value);
  return strlen(job->value) < sizeof out->text;
}

bool rewrite_find(const rewrite_job *job, rewrite_place *out, char *reason, size_t reason_size) {
  constructors all = {0};
  int tables, items;
  constructors_count(job->text, job->size, &tables, &items);
  const sinew_allocator *a = job->allocator;
  all.tables = a->reallocate(a->user, NULL, (size_t)tables * sizeof *all.tables);
  all.items = a->reallocate(a->user, NULL, (size_t)items * sizeof *all.items);
  bool good = false;
  *out = (rewrite_place){0};
  snprintf(reason, reason_size, "out of memory");
  if (all.tables && all.items) {
    constructors_read(job->text, job->size, &all);
    good = find_with(job, &all, out, reason, reason_size);
  }
  a->reallocate(a->user, all.tables, 0);
  a->reallocate(a->user, all.items, 0);
  return good;
}

/* The value that reading it back with this many digits gives. */
static double rounded(double value, int digits) {
  if (value == 0) return 0;
  double scale = sinew_pow(10, digits - 1 - floor(sinew_log10(fabs(value))));
  return round(value * scale) / scale;
}

void rewrite_number(double value, char out[REWRITE_NUMBER]) {
  int digits = 3;
  while (digits < 9 && (float)rounded(value, digits) != (float)value) digits++;
  snprintf(out, REWRITE_NUMBER, "%.*g", digits, value);
}
