/* jobs – threads that share ranges of work and sleep in between. */
#ifndef SINEW_BASE_JOBS_H
#define SINEW_BASE_JOBS_H

#include <sinew/base.h>

enum { JOBS_MOST_THREADS = 64 };

typedef struct jobs jobs;

/* Does begin .. end − 1. `worker` is the thread that does it, 0 .. jobs_threads − 1: no two ranges of one run that go
 * on at the same time have the same, so it may index scratch memory. */
typedef void jobs_function(void *user, int worker, int begin, int end);

/* The number of threads: SINEW_THREADS (1 .. 64), or else the machine's processors. */
int jobs_default_threads(void);

/* `threads`, 1 .. 64, counts the caller of jobs_run: 1 starts none. NULL and an error message where one cannot be
 * started. */
jobs *jobs_create(int threads, sinew_error *error);

/* Not while a run goes on. NULL is allowed, and so is the child of a fork, which has none of the threads. */
void jobs_destroy(jobs *j);
int jobs_threads(const jobs *j);

/* Calls `function` for ranges of `grain` (the last may be shorter) that cover 0 .. count − 1 once, and returns when all
 * are done. The caller takes part, and never waits for a thread that has not begun. Allocates nothing; every thread has
 * the caller's floating-point environment. From inside `function` it does everything in the calling thread. Otherwise
 * one thread at a time may run a pool. */
void jobs_run(jobs *j, int count, int grain, jobs_function *function, void *user);

#endif
