/* rerun_result – the result of running seconds again with other code: a ring of them, and their marks. One process
 * writes it to a file, and another reads it. */
#ifndef SINEW_HOST_RERUN_RESULT_H
#define SINEW_HOST_RERUN_RESULT_H

#include "host/past/past_marks.h"
#include "host/past/ring.h"

enum { RERUN_FILES = 16, RERUN_RESULT_TEXT = 1 << 15 }; /* FILES: the most that a rerun can replace */

typedef struct rerun_result {
  ring ring;
  past_marks marks;
  char text[RERUN_RESULT_TEXT];    /* the answer to the question about its end; "" */
  char printed[RERUN_RESULT_TEXT]; /* lines printed by the application meanwhile, the first ones that fit */
  bool refused;                    /* the text says why there is no answer */
} rerun_result;

void rerun_result_release(rerun_result *t);
bool rerun_result_write(const rerun_result *t, const char *path, sinew_error *error);

/* Actors of a file are matched with those of `then` by name and number of joints; others are left out and counted in
 * `missing`. Everything is checked. False and an error message on failure. */
bool rerun_result_read(rerun_result *t, const char *path, const ring *then, int *missing, sinew_error *error);

/* The scene time at which the poses of two runs begin to differ; −1 if they never do in the time that both cover. A
 * difference is 0.1 mm of a joint in model space, or of an actor's position. `last`: metres between the actor's
 * positions at the end. */
double rerun_result_compare(const ring *one, const ring *other, sinew_actor actor, double from, double to,
                            double *last);

/* The name of a crowd whose members differ between the two, compared about three times a second; NULL if there is none.
 */
const char *rerun_result_compare_crowds(const ring *one, const ring *other);

#endif
