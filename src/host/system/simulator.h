/* simulator – a process without a picture that follows the recording of a run while it is written, some time behind it.
 * For reruns, a fork of it goes to a frame and waits there, and each rerun is a fork of that one. So neither the time
 * before nor the models are processed again, however long the run is. POSIX only; elsewhere none can be started.
 *
 * Requests are lines of text. "follow FRAME" goes there. "hold FRAME" goes there in a fork, which then serves requests
 * until "release". "rerun EDIT_AT FROM TO FILES" runs it, with further lines for the output, what to explain, what to
 * evaluate ("" for nothing), and each file. Any other line ends a rerun in progress; "stop" does only that. Answers are
 * bytes: 'f' when a frame to follow is reached, and 't' and the status for each rerun. */
#ifndef SINEW_HOST_SIMULATOR_H
#define SINEW_HOST_SIMULATOR_H

#include <sinew/host.h>

typedef struct simulator simulator;

/* `environment` as in process_def. NULL if there can be none, or it cannot be started. */
simulator *simulator_start(const char *program, const char *recording, const char *const *environment);
void simulator_end(simulator *s); /* NULL is allowed */
/* False if it has ended and is of no use any more. */
bool simulator_runs(simulator *s);
/* True if it has reached the frame that it follows to, and waits. */
bool simulator_waits(const simulator *s);
/* Sends it to that frame, unless it is still on its way to another one. */
void simulator_follow(simulator *s, int64_t frame);
/* From now on reruns begin at that frame or later. False if it is already past it. */
bool simulator_hold(simulator *s, int64_t frame);
/* No more reruns for now. */
void simulator_release(simulator *s);
/* The frame where it waits, or will wait; −1: none. */
int64_t simulator_held(const simulator *s);
/* Requests a rerun; ends one in progress. False if the process is gone. */
bool simulator_ask(simulator *s, const sinew_rerun *wanted);
/* Ends the rerun in progress. */
void simulator_stop(simulator *s);
/* True if the result is there, with the status, or if the process has ended: −1. */
bool simulator_poll(simulator *s, int *status);
/* The simulator's output on standard error. */
const char *simulator_errors(const simulator *s, size_t *size);

/* ---- in the process ---- */

typedef enum simulator_step { SIMULATOR_ENDS, SIMULATOR_FOLLOWS, SIMULATOR_HOLDS, SIMULATOR_MAKES } simulator_step;

/* Waits for a request. ENDS: there are no more. FOLLOWS, HOLDS: go to `frame`, and serve again; with HOLDS this is a
 * fork, and nothing after that frame is read. MAKES: this is a fork that should do what is wanted, which is static. */
simulator_step simulator_serve(int64_t *frame, sinew_rerun *wanted);

#endif
