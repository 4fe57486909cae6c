/* rerun_result – seconds of a run that ran again with other code: a ring of them, and their marks. One process writes
 * it to a file, and another reads it. */
#ifndef SINEW_HOST_RERUN_RESULT_H
#define SINEW_HOST_RERUN_RESULT_H

#include "host/past/past_marks.h"
#include "host/past/ring.h"

enum { RERUN_FILES = 16, RERUN_RESULT_TEXT = 1 << 15 }; /* FILES: that one rerun may replace */

typedef struct rerun_result {
  ring ring;
  past_marks marks;
  char text[RERUN_RESULT_TEXT];    /* the answer to what was asked about its end; "" */
  char printed[RERUN_RESULT_TEXT]; /* by the application meanwhile: lines, the first that there is room for */
  bool refused;                    /* the text says why there is no answer */
} rerun_result;

void rerun_result_release(rerun_result *t);
bool rerun_result_write(const rerun_result *t, const char *path, sinew_error *error);

/* The actors of a file are those of `then` with the same name and as many joints; others are left out, and counted in
 * `missing`. All of it is checked. False and an error message. */
bool rerun_result_read(rerun_result *t, const char *path, const ring *then, int *missing, sinew_error *error);

/* The scene time at which the poses of two runs begin to differ; −1 if they never do in the time that both have. A
 * joint differs by 0.1 mm in model space, an actor by 0.1 mm of its position. `last`: metres between its positions at
 * the end. */
double rerun_result_compare(const ring *one, const ring *other, sinew_actor actor, double from, double to,
                            double *last);

/* The name of a crowd whose members are not the same in both, as seen about three times a second; NULL: there is none.
 */
const char *rerun_result_compare_crowds(const ring *one, const ring *other);

#endif
