#include "base/jobs.h"

#include "base/error.h"
#include "base/memory/memory.h"
#include "base/system.h"

#include <assert.h>
#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct run {
  jobs_function *function;
  void *user;
  int count, grain;
  fenv_t environment;
} run;

typedef struct helper {
  jobs *jobs;
  pthread_t thread;
  int number;
} helper;

struct jobs {
  pid_t owner;  /* the process that started the threads */
  bool is_lent; /* of the reserved pool: somebody has it */
  int threads, started;
  helper helpers[JOBS_MOST_THREADS - 1];
  _Atomic int64_t next; /* the next range of the run */

  pthread_mutex_t mutex; /* of everything below */
  pthread_cond_t work, done;
  run run;
  uint64_t number; /* of the run */
  bool open;       /* helpers may still join it */
  int busy;        /* helpers in it */
  bool ending;
};

/* The pool for which a thread is working now, and its number there. */
typedef struct position {
  const jobs *jobs;
  int worker;
} position;

static _Thread_local position inside;

static jobs *reserved;

int jobs_default_threads(void) {
  const char *text = getenv("SINEW_THREADS");
  char *end = NULL;
  long wanted = text ? strtol(text, &end, 10) : 0;
  if (text && wanted >= 1 && wanted <= JOBS_MOST_THREADS && !*end) return (int)wanted;
  int processors = system_processors();
  int threads = processors < 1 ? 1 : processors > JOBS_MOST_THREADS ? JOBS_MOST_THREADS : processors;
  if (text && *text)
    sinew_log(SINEW_LOG_WARNING, "SINEW_THREADS is '%s', not a number from 1 to %d: using %d", text, JOBS_MOST_THREADS,
              threads);
  return threads;
}

/* ---- a run ---- */

static void take_ranges(const jobs *j, const run *r, _Atomic int64_t *next, int worker) {
  position before = inside;
  inside = (position){j, worker};
  for (;;) {
    int64_t begin = atomic_fetch_add_explicit(next, 1, memory_order_relaxed) * r->grain;
    if (begin >= r->count) break;
    int left = r->count - (int)begin;
    r->function(r->user, worker, (int)begin, (int)begin + (left < r->grain ? left : r->grain));
  }
  inside = before;
}

/* Takes part in the open run; the mutex is locked on entry and on return. */
static void help(jobs *j, int worker) {
  run r = j->run;
  j->busy++;
  pthread_mutex_unlock(&j->mutex);
  fesetenv(&r.environment);
  take_ranges(j, &r, &j->next, worker);
  pthread_mutex_lock(&j->mutex);
  if (--j->busy == 0) pthread_cond_signal(&j->done);
}

static void *run_helper(void *user) {
  const helper *self = user;
  jobs *j = self->jobs;
  uint64_t seen = 0;
  pthread_mutex_lock(&j->mutex);
  while (!j->ending) {
    if (j->open && j->number != seen && self->number < j->threads) {
      seen = j->number;
      help(j, self->number);
    } else {
      pthread_cond_wait(&j->work, &j->mutex);
    }
  }
  pthread_mutex_unlock(&j->mutex);
  return NULL;
}

static void open_run(jobs *j, const run *r, int helpers) {
  pthread_mutex_lock(&j->mutex);
  j->run = *r;
  j->number++;
  j->open = true;
  atomic_store_explicit(&j->next, 0, memory_order_relaxed);
  pthread_mutex_unlock(&j->mutex);
  if (j->threads <= j->started) pthread_cond_broadcast(&j->work); /* a signal might wake one that takes no part */
  else
    for (int i = 0; i < helpers; i++) pthread_cond_signal(&j->work);
}

static void close_run(jobs *j) {
  pthread_mutex_lock(&j->mutex);
  j->open = false;
  while (j->busy) pthread_cond_wait(&j->done, &j->mutex);
  pthread_mutex_unlock(&j->mutex);
}

void jobs_run(jobs *j, int count, int grain, jobs_function *function, void *user) {
  assert(grain > 0);
  run r = {.function = function, .user = user, .count = count, .grain = grain};
  bool nested = inside.jobs == j;
  int64_t ranges = ((int64_t)count + grain - 1) / grain;
  int64_t helpers = ranges < j->threads ? ranges - 1 : j->threads - 1;
  if (nested || helpers < 1) {
    _Atomic int64_t next = 0;
    take_ranges(j, &r, &next, nested ? inside.worker : 0);
    return;
  }
  fegetenv(&r.environment);
  open_run(j, &r, (int)helpers);
  take_ranges(j, &r, &j->next, 0);
  close_run(j);
}

/* ---- threads ---- */

static bool start_helper(jobs *j) {
  helper *h = j->helpers + j->started;
  *h = (helper){.jobs = j, .number = j->started + 1};
  int why = pthread_create(&h->thread, NULL, run_helper, h);
  if (why == 0) j->started++;
  return why == 0;
}

/* The program's own threads should get its signals. */
static bool start_helpers(jobs *j) {
  system_block_signals();
  bool good = true;
  while (good && j->started < j->threads - 1) good = start_helper(j);
  system_unblock_signals();
  return good;
}

static jobs *take_reserved(int threads) {
  if (!reserved || reserved->is_lent || reserved->owner != getpid()) return NULL;
  reserved->is_lent = true; /* its helpers sleep, and read `threads` at the next run */
  reserved->threads = threads < reserved->started + 1 ? threads : reserved->started + 1;
  return reserved;
}

static jobs *start(int threads, sinew_error *error) {
  jobs *j = mem_alloc_zeroed(sizeof *j);
  if (!j) {
    error_memory(error, "threads", sizeof *j);
    return NULL;
  }
  j->owner = getpid();
  j->threads = threads;
  pthread_mutex_init(&j->mutex, NULL);
  pthread_cond_init(&j->work, NULL);
  pthread_cond_init(&j->done, NULL);
  if (start_helpers(j)) return j;
  error_set(error, "thread %d of %d cannot be started: the system has no more threads or memory", j->started + 2,
            threads);
  jobs_destroy(j);
  return NULL;
}

jobs *jobs_create(int threads, sinew_error *error) {
  assert(threads >= 1 && threads <= JOBS_MOST_THREADS);
  jobs *kept = take_reserved(threads);
  return kept ? kept : start(threads, error);
}

bool jobs_reserve(int threads) {
  if (!reserved) reserved = start(threads, NULL);
  return reserved != NULL;
}

static void end_helpers(jobs *j) {
  pthread_mutex_lock(&j->mutex);
  j->ending = true;
  pthread_cond_broadcast(&j->work);
  pthread_mutex_unlock(&j->mutex);
  for (int i = 0; i < j->started; i++) pthread_join(j->helpers[i].thread, NULL);
  pthread_cond_destroy(&j->done);
  pthread_cond_destroy(&j->work);
  pthread_mutex_destroy(&j->mutex);
}

void jobs_destroy(jobs *j) {
  if (j) j->is_lent = false;
  if (!j || j == reserved) return;
  if (j->owner == getpid()) end_helpers(j);
  mem_free(j);
}

int jobs_threads(const jobs *j) { return j->threads; }
