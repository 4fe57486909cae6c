/* rewrite – finds the number that a script's text gives to an option of a call, and writes another in its place. */
#ifndef SINEW_BINDINGS_REWRITE_H
#define SINEW_BINDINGS_REWRITE_H

#include <sinew/base.h>

typedef struct rewrite_job {
  const char *text;
  size_t size;
  int line;           /* of the call, from 1: where its parenthesis opens, or its brace */
  const char *callee; /* the last name of what is called: "play" of hero:play(…) */
  const char *path;   /* "speed", "params.turn", "[2][1]": keys, and positions from 1 */
  const sinew_allocator *allocator;
} rewrite_job;

/* Where the number stands: `begin` bytes into the text, `length` bytes. False and a reason, without the place, where
 * there is not exactly one: no such call, no such option, several, a value that is not written there as a number. */
bool rewrite_find(const rewrite_job *job, size_t *begin, size_t *length, char *reason, size_t reason_size);

/* The value as Lua text that is no longer than it has to be to be read as the same float. */
enum { REWRITE_NUMBER = 32 };
void rewrite_number(double value, char out[REWRITE_NUMBER]);

#endif
