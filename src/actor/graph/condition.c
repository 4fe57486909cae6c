#include "actor/graph/condition.h"

#include "base/error.h"
#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* From CONDITION_LESS on the result is a truth value; before that, a number. */
typedef enum condition_op {
  CONDITION_NUMBER,
  CONDITION_PARAM,
  CONDITION_WORD, /* one of condition_words */
  CONDITION_NEGATE,
  CONDITION_ABS,
  CONDITION_ADD,
  CONDITION_SUBTRACT,
  CONDITION_MULTIPLY,
  CONDITION_DIVIDE,
  CONDITION_LESS,
  CONDITION_AT_MOST,
  CONDITION_GREATER,
  CONDITION_AT_LEAST,
  CONDITION_EQUAL,
  CONDITION_UNEQUAL,
  CONDITION_NOT,
  CONDITION_AND,
  CONDITION_OR
} condition_op;

/* ---- Reads conditions, by precedence ---- */

static const char *const words[CONDITION_WORDS] = {"time_left", "phase", "state_time"};

enum { LEVELS = 5, DEPTH = 24 };

static const struct {
  const char *text;
  condition_op op;
  int level; /* 0 binds least */
} operators[] = {{"or", CONDITION_OR, 0},       {"and", CONDITION_AND, 1},    {"<=", CONDITION_AT_MOST, 2},
                 {">=", CONDITION_AT_LEAST, 2}, {"==", CONDITION_EQUAL, 2},   {"~=", CONDITION_UNEQUAL, 2},
                 {"!=", CONDITION_UNEQUAL, 2},  {"<", CONDITION_LESS, 2},     {">", CONDITION_GREATER, 2},
                 {"+", CONDITION_ADD, 3},       {"-", CONDITION_SUBTRACT, 3}, {"*", CONDITION_MULTIPLY, 4},
                 {"/", CONDITION_DIVIDE, 4}};
enum { OPERATORS = sizeof operators / sizeof *operators };

static const char *condition_op_text(condition_op op) {
  int i = 0;
  while (i < OPERATORS - 1 && operators[i].op != op) i++;
  return operators[i].text;
}

typedef struct reader {
  condition_code *out;
  const char *const *params;
  int param_count;
  const char *word; /* the current word; "" at the end */
  int size, depth;
  bool failed;
  sinew_error *error;
} reader;

static bool is_letter(char c) { return isalpha((unsigned char)c) || c == '_'; }

static int word_size(const char *at) {
  int size = 0;
  char *end;
  if (is_letter(*at)) {
    while (is_letter(at[size]) || isdigit((unsigned char)at[size])) size++;
  } else if (isdigit((unsigned char)*at) || *at == '.') {
    text_number(at, &end);
    size = (int)(end - at);
  } else if (*at) {
    size = strchr("<>=~!", *at) && at[1] == '=' ? 2 : 1;
    while ((at[size] & 0xC0) == 0x80) size++; /* one character of UTF-8 */
  }
  return size > 0 || !*at ? size : 1;
}

static void step(reader *r) {
  r->word += r->size;
  while (isspace((unsigned char)*r->word)) r->word++;
  r->size = word_size(r->word);
}

static bool is_word(const reader *r, const char *text) {
  return strlen(text) == (size_t)r->size && memcmp(r->word, text, (size_t)r->size) == 0;
}

/* "…: 'sped' is no number that it knows; allowed are …" */
static int fail(reader *r, const char *what) {
  if (!r->failed) {
    int column = (int)(r->word - r->out->text) + 1;
    if (r->size) error_set(r->error, "\"%s\": '%.*s' at character %d %s", r->out->text, r->size, r->word, column, what);
    else error_set(r->error, "\"%s\": its end %s", r->out->text, what);
  }
  r->failed = true;
  return 0;
}

static int fail_name(reader *r) {
  char known[400] = "";
  size_t used = 0;
  for (int i = 0; i < r->param_count && used < sizeof known - 80; i++)
    used += (size_t)text_format(known + used, sizeof known - used, "%.60s, ", r->params[i]);
  char what[480];
  text_format(what, sizeof what, "is not known; there are the actor's parameters and %s%s, %s, %s, abs(…), true, false",
              known, words[0], words[1], words[2]);
  return fail(r, what);
}

/* ---- terms ---- */

static bool is_truth(const condition_code *c, int term) { return c->terms[term].op >= CONDITION_LESS; }

static int end_of(const condition_term *t) { return t->begin + t->size; }

static int add(reader *r, condition_term term) {
  if (r->failed) return 0;
  if (r->out->count == CONDITION_TERMS) return fail(r, "is one term too many: a condition has at most 32 terms");
  r->out->terms[r->out->count] = term;
  return r->out->count++;
}

static void span(condition_term *t, int begin, int end) {
  t->begin = (uint8_t)begin;
  t->size = (uint8_t)(end - begin);
}

static int place(const reader *r) { return (int)(r->word - r->out->text); }

static int add_leaf(reader *r, condition_op op, int index, double value) {
  condition_term t = {.op = (uint8_t)op, .index = index, .value = value};
  span(&t, place(r), place(r) + r->size);
  int added = add(r, t);
  step(r);
  return added;
}

static int find_param(const char *name, int size, const char *const *params, int count) {
  for (int i = 0; i < count; i++)
    if (strlen(params[i]) == (size_t)size && memcmp(params[i], name, (size_t)size) == 0) return i;
  return -1;
}

static int read_binary(reader *r, int level);

static int read_parentheses(reader *r) {
  int begin = place(r);
  step(r);
  int inner = read_binary(r, 0);
  if (!is_word(r, ")")) return fail(r, "comes where ')' was expected");
  span(&r->out->terms[inner], begin, place(r) + 1);
  step(r);
  return inner;
}

static int read_name(reader *r) {
  int param = find_param(r->word, r->size, r->params, r->param_count);
  if (param >= 0) return add_leaf(r, CONDITION_PARAM, param, 0);
  for (int i = 0; i < CONDITION_WORDS; i++)
    if (is_word(r, words[i])) return add_leaf(r, CONDITION_WORD, i, 0);
  for (int i = 0; i < OPERATORS; i++)
    if (is_word(r, operators[i].text)) return fail(r, "comes where a number was expected");
  return fail_name(r);
}

static int read_primary(reader *r) {
  if (is_word(r, "(")) return read_parentheses(r);
  if (isdigit((unsigned char)*r->word) || (*r->word == '.' && isdigit((unsigned char)r->word[1])))
    return add_leaf(r, CONDITION_NUMBER, 0, text_number(r->word, NULL));
  if (is_word(r, "true") || is_word(r, "false")) { /* 0 = 0, or 0 ~= 0 */
    bool holds = is_word(r, "true");
    int zero = add(r, (condition_term){.op = CONDITION_NUMBER});
    int truth = add_leaf(r, holds ? CONDITION_EQUAL : CONDITION_UNEQUAL, 0, 0);
    r->out->terms[truth].left = r->out->terms[truth].right = (uint8_t)zero;
    return truth;
  }
  return is_letter(*r->word) ? read_name(r) : fail(r, "comes where a number was expected");
}

static int read_unary(reader *r);

/* `not x`, `-x`, `abs(x)`. */
static int read_prefix(reader *r, condition_op op) {
  condition_term t = {.op = (uint8_t)op};
  int begin = place(r);
  step(r);
  if (op == CONDITION_ABS && !is_word(r, "(")) return fail(r, "comes where '(' was expected, as in abs(turn)");
  t.left = (uint8_t)(op == CONDITION_NOT ? read_binary(r, 2) : read_unary(r));
  if (r->failed) return 0;
  if (op != CONDITION_NOT && is_truth(r->out, t.left)) return fail(r, "follows a sign, but is not a number");
  span(&t, begin, end_of(&r->out->terms[t.left]));
  return add(r, t);
}

static int read_unary(reader *r) {
  int term;
  if (r->failed) return 0;
  if (++r->depth > DEPTH) return fail(r, "is nested too deep: 24 levels at most");
  if (is_word(r, "not")) term = read_prefix(r, CONDITION_NOT);
  else if (is_word(r, "-")) term = read_prefix(r, CONDITION_NEGATE);
  else if (is_word(r, "abs")) term = read_prefix(r, CONDITION_ABS);
  else term = read_primary(r);
  r->depth--;
  return term;
}

static int find_operator(const reader *r, int level) {
  for (int i = 0; i < OPERATORS; i++)
    if (operators[i].level == level && is_word(r, operators[i].text)) return i;
  return -1;
}

static int join(reader *r, int i, int left, int right) {
  bool numbers = operators[i].level >= 2;
  if (r->failed) return 0;
  if (numbers && (is_truth(r->out, left) || is_truth(r->out, right))) {
    char what[80];
    text_format(what, sizeof what, "comes after '%s', which takes numbers on both sides", operators[i].text);
    return fail(r, what);
  }
  condition_term t = {.op = (uint8_t)operators[i].op, .left = (uint8_t)left, .right = (uint8_t)right};
  span(&t, r->out->terms[left].begin, end_of(&r->out->terms[right]));
  return add(r, t);
}

static int read_binary(reader *r, int level) {
  if (level == LEVELS) return read_unary(r);
  int left = read_binary(r, level + 1), found;
  while (!r->failed && (found = find_operator(r, level)) >= 0) {
    step(r);
    left = join(r, found, left, read_binary(r, level + 1));
  }
  return left;
}

bool condition_read(const char *text, const char *const *params, int param_count, condition_code *out,
                    sinew_error *error) {
  reader r = {.out = out, .params = params, .param_count = param_count, .word = text, .error = error};
  *out = (condition_code){.text = text};
  if (strlen(text) > CONDITION_TEXT) return error_set(error, "a condition has 255 characters at most");
  step(&r);
  read_binary(&r, 0);
  if (!r.failed && *r.word) fail(&r, "comes where 'and', 'or' or the end was expected");
  return !r.failed;
}

bool sinew_condition_check(const char *when, const char *const *params, int param_count, sinew_error *error) {
  condition_code read;
  return condition_read(when, params, param_count, &read, error);
}

void condition_bind(condition_code *c, const char *const *params, int param_count) {
  for (int i = 0; i < c->count; i++) {
    condition_term *t = c->terms + i;
    if (t->op == CONDITION_PARAM) t->index = find_param(c->text + t->begin, t->size, params, param_count);
  }
}

/* ---- condition ---- */

static double value_of(const condition_code *c, int term, const condition_values *v);

static double leaf_value(const condition_term *t, const condition_values *v) {
  if (t->op == CONDITION_NUMBER) return t->value;
  if (t->op == CONDITION_WORD) return v->words[t->index];
  return t->index >= 0 ? v->params[t->index] : (double)NAN;
}

static double calculate(condition_op op, double a, double b) {
  switch (op) {
  case CONDITION_ADD: return a + b;
  case CONDITION_SUBTRACT: return a - b;
  case CONDITION_MULTIPLY: return a * b;
  default: return a / b;
  }
}

static bool compare(condition_op op, double a, double b) {
  switch (op) {
  case CONDITION_LESS: return a < b;
  case CONDITION_AT_MOST: return a <= b;
  case CONDITION_GREATER: return a > b;
  case CONDITION_AT_LEAST: return a >= b;
  case CONDITION_EQUAL: return a == b;
  default: return a < b || a > b; /* unequal; false if either is NaN */
  }
}

/* A number holds if it is not 0. */
static bool holds(const condition_code *c, int term, const condition_values *v) {
  const condition_term *t = c->terms + term;
  switch (t->op) {
  case CONDITION_NOT: return !holds(c, t->left, v);
  case CONDITION_AND: return holds(c, t->left, v) && holds(c, t->right, v);
  case CONDITION_OR: return holds(c, t->left, v) || holds(c, t->right, v);
  default: break;
  }
  if (t->op >= CONDITION_LESS) return compare(t->op, value_of(c, t->left, v), value_of(c, t->right, v));
  return compare(CONDITION_UNEQUAL, value_of(c, term, v), 0);
}

static double value_of(const condition_code *c, int term, const condition_values *v) {
  const condition_term *t = c->terms + term;
  if (t->op <= CONDITION_WORD) return leaf_value(t, v);
  if (t->op == CONDITION_NEGATE) return -value_of(c, t->left, v);
  if (t->op == CONDITION_ABS) return fabs(value_of(c, t->left, v));
  return calculate(t->op, value_of(c, t->left, v), value_of(c, t->right, v));
}

bool condition_holds(const condition_code *c, const condition_values *values) { return holds(c, c->count - 1, values); }

/* ---- in words ---- */

typedef struct writer {
  const condition_code *c;
  const condition_values *v;
  char *out;
  size_t size, used;
} writer;

static void put(writer *w, const char *text, int size) {
  if (size == 0) return;
  int n = text_format(w->out + w->used, w->size - w->used, "%.*s", size, text);
  w->used = n > 0 && w->used + (size_t)n < w->size ? w->used + (size_t)n : w->size - 1;
}

static void put_text(writer *w, const char *text) { put(w, text, (int)strlen(text)); }

static bool is_constant(const condition_code *c, int term) {
  const condition_term *t = c->terms + term;
  if (t->op <= CONDITION_WORD) return t->op == CONDITION_NUMBER;
  bool alone = t->op == CONDITION_NEGATE || t->op == CONDITION_ABS;
  return is_constant(c, t->left) && (alone || is_constant(c, t->right));
}

/* Prints a number as it is written; an expression also with its value. */
static void put_number(writer *w, int term) {
  const condition_term *t = w->c->terms + term;
  char value[32];
  put(w, w->c->text + t->begin, t->size);
  text_format(value, sizeof value, " %.3g", value_of(w->c, term, w->v));
  if (!is_constant(w->c, term)) put_text(w, value);
}

static void put_term(writer *w, int term);

static void put_joined(writer *w, const condition_term *t, const char *between) {
  put_term(w, t->left);
  put_text(w, between);
  put_term(w, t->right);
}

static void put_comparison(writer *w, const condition_term *t) {
  char between[8];
  text_format(between, sizeof between, " %s ", condition_op_text(t->op));
  if (t->left == t->right) { /* true, false */
    put(w, w->c->text + t->begin, t->size);
    return;
  }
  put_number(w, t->left);
  put_text(w, between);
  put_number(w, t->right);
}

static void put_term(writer *w, int term) {
  const condition_term *t = w->c->terms + term;
  if (t->op == CONDITION_AND) put_joined(w, t, " and ");
  else if (t->op == CONDITION_OR) put_joined(w, t, " or ");
  else if (t->op == CONDITION_NOT) put_text(w, "not ("), put_term(w, t->left), put_text(w, ")");
  else if (t->op >= CONDITION_LESS) put_comparison(w, t);
  else put_number(w, term);
}

/* Finds the part that does not hold: of `and` the first false operand, of `or` both. */
static int put_false(writer *w, int term) {
  const condition_term *t = w->c->terms + term;
  if (t->op == CONDITION_AND) return put_false(w, holds(w->c, t->left, w->v) ? t->right : t->left);
  if (t->op != CONDITION_OR) return put_term(w, term), term;
  put_false(w, t->left);
  put_text(w, " or ");
  put_false(w, t->right);
  return term;
}

int condition_refuse(const condition_code *c, const condition_values *values, char *out, size_t size) {
  writer w = {c, values, out, size, 0};
  out[0] = 0;
  return put_false(&w, c->count - 1);
}

/* Finds the operand with that number below a term, from left to right; −1, with the number reduced, if it is not there.
 */
static int find_operand(const condition_code *c, int term, int *index) {
  const condition_term *t = c->terms + term;
  if (t->op != CONDITION_AND) return (*index)-- == 0 ? term : -1;
  int found = find_operand(c, t->left, index);
  return found >= 0 ? found : find_operand(c, t->right, index);
}

int condition_part(const condition_code *c, const condition_values *values, int index, char *out, size_t size) {
  int term = find_operand(c, c->count - 1, &index);
  writer w = {c, values, out, size, 0};
  out[0] = 0;
  if (term < 0) return -1;
  put_term(&w, term);
  return holds(c, term, values);
}
