#include "actor/graph/condition.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

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
