/* condition – the condition of a transition, as text: "speed > 0.2 and (turn < 1 or time_left < 0.1)".
 *
 * The text is read once into a list of terms, operands before operators. Evaluating the list allocates nothing and
 * calls no function. */
#ifndef SINEW_ACTOR_CONDITION_H
#define SINEW_ACTOR_CONDITION_H

#include <sinew/graph.h>

enum { CONDITION_TERMS = 32, CONDITION_TEXT = 255, CONDITION_WORDS = 3 };

typedef struct condition_term {
  uint8_t op, left, right; /* operands: terms before it */
  uint8_t begin, size;     /* of its text */
  int index;               /* PARAM: −1 if the actor has no such parameter; WORD: in condition_words */
  double value;            /* NUMBER */
} condition_term;

typedef struct condition_code {
  const char *text;
  int count; /* the last term is the whole condition */
  condition_term terms[CONDITION_TERMS];
} condition_code;

typedef struct condition_values {
  const double *params;
  double words[CONDITION_WORDS]; /* time_left, phase, state_time */
} condition_values;

/* `out` keeps `text`. False, and an error message that names the word and what is allowed. */
bool condition_read(const char *text, const char *const *params, int param_count, condition_code *out,
                    sinew_error *error);
/* Finds the parameters again by their names. A parameter that is gone becomes NaN, and no comparison with it holds. */
void condition_bind(condition_code *c, const char *const *params, int param_count);

bool condition_holds(const condition_code *c, const condition_values *values);
/* Returns the term that makes the condition fail, so that reasons can be compared, and prints it with its values, as
 * "speed 0.14 > 0.2". */
int condition_refuse(const condition_code *c, const condition_values *values, char *out, size_t size);
/* The i-th operand of the outermost `and`, with its values. Returns 0 if it does not hold, 1 if it does, −1 past the
 * last. */
int condition_part(const condition_code *c, const condition_values *values, int index, char *out, size_t size);

#endif
