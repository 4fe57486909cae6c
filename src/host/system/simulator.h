/* simulator – a process without a picture that has repeated a recording up to a frame and waits there. Each take that
 * it is asked for is made by a fork of it, so neither the time before nor its models are gone through once more. POSIX;
 * elsewhere none can be started.
 *
 * A request is lines of text: "take EDIT_AT FROM TO FILES", the output, what is to be explained and what is to be
 * evaluated ("" for nothing), and each file; its answer, on standard output, is "done STATUS". */
#ifndef SINEW_HOST_SIMULATOR_H
#define SINEW_HOST_SIMULATOR_H

#include <sinew/host.h>

typedef struct simulator simulator;

/* `environment` as in process_def. NULL where there can be none, or it cannot be started. */
simulator *simulator_start(const char *program, const char *recording, int64_t frame, const char *const *environment);
void simulator_end(simulator *s); /* NULL is allowed */
/* Whether it is there and not busy, and waits at that frame or at an earlier one. */
bool simulator_can(const simulator *s, int64_t frame);
/* False where it is gone. */
bool simulator_ask(simulator *s, const sinew_remake *wanted);
/* True where the answer has come, or it has ended: its status; −1: no status. */
bool simulator_poll(simulator *s, int *status);
/* What it has said on standard error. */
const char *simulator_errors(const simulator *s, size_t *size);

/* ---- in the process ---- */

typedef enum simulator_step { SIMULATOR_ENDS, SIMULATOR_MAKES } simulator_step;

/* Waits for requests and forks for each. MAKES: this is the fork, and it is to do what is wanted, which is static.
 * ENDS: there are no more requests. */
simulator_step simulator_serve(sinew_remake *wanted);

#endif
