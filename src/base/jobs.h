/* jobs – threads that share ranges of work and sleep in between. */
#ifndef SINEW_BASE_JOBS_H
#define SINEW_BASE_JOBS_H

#include <sinew/base.h>

enum { JOBS_MOST_THREADS = 64 };

typedef struct jobs jobs;

/* Does begin .. end − 1. `worker` is the number of the thread, 0 .. jobs_threads − 1: simultaneous ranges of one run
 * have different numbers, so they may index scratch memory. */
typedef void jobs_function(void *user, int worker, int begin, int end);

/* The number of threads: SINEW_THREADS (1 .. 64), or else the machine's processors. */
int jobs_default_threads(void);

/* `threads`, 1 .. 64, includes the caller of jobs_run, so 1 starts none. NULL and an error message if one cannot be
 * started. */
jobs *jobs_create(int threads, sinew_error *error);

/* Starts the threads for a later pool of at most that size, for a program that gives up the right to start any. One
 * pool at a time has them. False if one cannot be started. */
bool jobs_reserve(int threads);

/* Not during a run. NULL is allowed; so is a call in the child of a fork, which has none of the threads. */
void jobs_destroy(jobs *j);
int jobs_threads(const jobs *j);

/* Calls `function` for ranges of `grain` (the last may be shorter) that cover 0 .. count − 1 once, and returns when all
 * are done. The caller takes part, and never waits for a thread that has not started. Allocates nothing; every thread
 * has the caller's floating-point environment. A nested call does everything in the calling thread. Apart from that,
 * one thread at a time may run a pool. */
void jobs_run(jobs *j, int count, int grain, jobs_function *function, void *user);

#endif
