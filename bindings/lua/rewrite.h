/* rewrite – finds the value that a script's text gives to an option of a call, or to a field by an assignment, and its
 * position. */
#ifndef SINEW_BINDINGS_REWRITE_H
#define SINEW_BINDINGS_REWRITE_H

#include <sinew/base.h>

typedef struct rewrite_job {
  const char *text;
  size_t size;
  int line;           /* of the call, from 1: where its parenthesis or brace opens */
  const char *callee; /* the last name of what is called: "play" of hero:play(…); NULL: an assignment */
  const char *path;  /* "speed", "params.turn", "[2][1]": keys, and positions from 1; for an assignment, the last key */
  const char *value; /* the new value, as Lua, of the same kind as the old one: a number, true or false, "text", or a
                        table of such values */
  const sinew_allocator *allocator;
} rewrite_job;

/* The position of the value: `begin` bytes into the text, `length` bytes. Returns false and a reason unless there is
 * exactly one: no such call, no such option, several, or a value that is not a literal there. */
bool rewrite_find(const rewrite_job *job, size_t *begin, size_t *length, char *reason, size_t reason_size);

/* The shortest Lua text that reads back as the same float. */
enum { REWRITE_NUMBER = 32 };
void rewrite_number(double value, char out[REWRITE_NUMBER]);

#endif
