/* pattern – Lua's patterns with their steps counted. Follows the definition in the Lua 5.4 manual, §6.4.1. */
#ifndef SINEW_BINDINGS_PATTERN_H
#define SINEW_BINDINGS_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PATTERN_CAPTURES = 32, PATTERN_DEPTH = 200, CAPTURE_OPEN = -1, CAPTURE_POSITION = -2 };

typedef struct matcher {
  const char *text, *text_end;
  const char *pattern_end;
  int level; /* captures so far, finished or not */
  int depth;
  int64_t steps; /* that are not charged yet */
  struct {
    const char *start;
    ptrdiff_t length; /* or CAPTURE_OPEN, CAPTURE_POSITION */
  } captures[PATTERN_CAPTURES];
  void *user;
  void (*charge)(void *user, int64_t steps);      /* may not come back */
  void (*fail)(void *user, const char *sentence); /* does not come back */
} matcher;

/* The end of the match of pattern p at s, or NULL. */
const char *pattern_match(matcher *m, const char *s, const char *p);

#endif
