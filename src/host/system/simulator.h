/* simulator – a process without a picture that follows the recording of a run while it is written, some time behind it.
 * To run a part again, a fork of it goes to a frame and waits there, and each rerun is a fork of that one: so neither
 * the time before nor its models are gone through once more, however long the run is. POSIX; elsewhere none can be
 * started.
 *
 * Requests are lines of text. "follow FRAME": goes there. "hold FRAME": goes there in a fork, which serves from then on
 * until "release". "rerun EDIT_AT FROM TO FILES", the output, what is to be explained and what is to be evaluated (""
 * for nothing), and each file: runs it. Any further line ends a rerun that is under way; "stop" does nothing else.
 * The answers are bytes: 'f' once a frame is reached that was to be followed, and 't' and the status for each rerun. */
#ifndef SINEW_HOST_SIMULATOR_H
#define SINEW_HOST_SIMULATOR_H

#include <sinew/host.h>

typedef struct simulator simulator;

/* `environment` as in process_def. NULL where there can be none, or it cannot be started. */
simulator *simulator_start(const char *program, const char *recording, const char *const *environment);
void simulator_end(simulator *s); /* NULL is allowed */
/* False where it has ended: then it is of no use. */
bool simulator_runs(simulator *s);
/* Whether it is where it follows to, and waits. */
bool simulator_waits(const simulator *s);
/* It goes to that frame, if it is not still on its way to another one. */
void simulator_follow(simulator *s, int64_t frame);
/* Takes begin at that frame or later from now on. False where it has gone past it. */
bool simulator_hold(simulator *s, int64_t frame);
/* No more reruns for now. */
void simulator_release(simulator *s);
/* The frame where it waits, or is going to wait; −1: nowhere. */
int64_t simulator_held(const simulator *s);
/* Asks for a rerun; one that is under way is ended. False where the process is gone. */
bool simulator_ask(simulator *s, const sinew_rerun *wanted);
/* The rerun that is under way is ended. */
void simulator_stop(simulator *s);
/* True where its result is there, or the process has ended: its status; −1: no status. */
bool simulator_poll(simulator *s, int *status);
/* The simulator's output on standard error. */
const char *simulator_errors(const simulator *s, size_t *size);

/* ---- in the process ---- */

typedef enum simulator_step { SIMULATOR_ENDS, SIMULATOR_FOLLOWS, SIMULATOR_HOLDS, SIMULATOR_MAKES } simulator_step;

/* Waits for a request. ENDS: there are no more. FOLLOWS, HOLDS: go to `frame`, and serve again; HOLDS: this is a fork,
 * and nothing follows in the recording. MAKES: this is a fork, and it is to do what is wanted, which is static. */
simulator_step simulator_serve(int64_t *frame, sinew_rerun *wanted);

#endif
