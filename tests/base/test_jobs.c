/* Threads that share ranges: each thing is done once, whatever the counts, and nothing waits for a thread that is not
 * there. */
#include "base/jobs.h"
#include "base/memory/memory.h"
#include "support/failing_heap.h"
#include "support/fixture.h"

#include <dirent.h>
#include <fenv.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 5000 };

typedef struct count {
  jobs *jobs;
  int grain, total;
  atomic_int done[MOST];
  atomic_int busy[JOBS_MOST_THREADS];
  atomic_int wrong;
} count;

static void count_range(void *user, int worker, int begin, int end) {
  count *c = user;
  if (worker < 0 || worker >= jobs_threads(c->jobs) || atomic_fetch_add(&c->busy[worker], 1))
    atomic_store(&c->wrong, 1);
  if (begin % c->grain || (end - begin != c->grain && end != c->total)) atomic_store(&c->wrong, 2);
  for (int i = begin; i < end; i++) atomic_fetch_add(&c->done[i], 1);
  atomic_fetch_sub(&c->busy[worker], 1);
}

static void expect_each_once(const count *c) {
  assert_int_equal(atomic_load(&c->wrong), 0);
  for (int i = 0; i < MOST; i++) assert_int_equal(atomic_load(&c->done[i]), i < c->total);
}

static void each_is_done_once(void **state) {
  (void)state;
  random_seed(1);
  static count c;
  for (int threads = 1; threads <= 9; threads += threads < 3 ? 1 : 3) {
    jobs *j = jobs_create(threads, NULL);
    assert_int_equal(jobs_threads(j), threads);
    for (int i = 0; i < 40; i++) {
      memset(&c, 0, sizeof c);
      c.jobs = j;
      c.total = i < 12 ? i : (int)(random_bits() % MOST);
      c.grain = i % 3 ? 1 + (int)(random_bits() % 64) : 8;
      jobs_run(j, c.total, c.grain, count_range, &c);
      expect_each_once(&c);
    }
    jobs_destroy(j);
  }
}

static void note_call(void *user, int worker, int begin, int end) {
  (void)worker, (void)begin, (void)end;
  *(int *)user = 1;
}

static void nothing_to_do_calls_nothing(void **state) {
  (void)state;
  jobs *j = jobs_create(3, NULL);
  int called = 0;
  jobs_run(j, 0, 8, note_call, &called);
  jobs_run(j, -5, 8, note_call, &called);
  assert_int_equal(called, 0);
  jobs_destroy(j);
  jobs_destroy(NULL);
}

/* The largest count there is: the last range begins below it and ends at it. */
static void add_length(void *user, int worker, int begin, int end) {
  (void)worker;
  atomic_fetch_add((_Atomic int64_t *)user, begin < end ? end - begin : 1LL << 40);
}

static void a_count_near_the_end_of_int_is_no_overflow(void **state) {
  (void)state;
  jobs *j = jobs_create(3, NULL);
  _Atomic int64_t sum = 0;
  jobs_run(j, INT32_MAX, 1 << 30, add_length, &sum);
  assert_true(sum == INT32_MAX);
  jobs_run(j, INT32_MAX, INT32_MAX - 1, add_length, &sum);
  assert_true(sum == 2LL * INT32_MAX);
  jobs_destroy(j);
}

/* ---- nested ---- */

typedef struct nest {
  jobs *jobs, *other;
  atomic_int done[64], wrong;
} nest;

typedef struct inner {
  nest *nest;
  int outer, worker;
} inner;

static void run_inner(void *user, int worker, int begin, int end) {
  const inner *in = user;
  if (in->worker >= 0 && worker != in->worker) atomic_store(&in->nest->wrong, 1);
  for (int i = begin; i < end; i++) atomic_fetch_add(&in->nest->done[i], 1);
}

static void run_outer(void *user, int worker, int begin, int end) {
  nest *n = user;
  for (int i = begin; i < end; i++) {
    inner in = {n, i, worker};
    if (n->other) {
      inner any = {n, i, -1};
      jobs_run(n->other, 64, 3, run_inner, &any);
    }
    jobs_run(n->jobs, 64, 3, run_inner, &in);
  }
}

static void a_run_inside_a_run_stays_in_its_thread(void **state) {
  (void)state;
  for (int outer = 1; outer <= 20; outer += 19) {
    nest n = {.jobs = jobs_create(4, NULL)};
    jobs_run(n.jobs, outer, 1, run_outer, &n);
    assert_int_equal(n.wrong, 0);
    for (int i = 0; i < 64; i++) assert_int_equal(n.done[i], outer);
    jobs_destroy(n.jobs);
  }
}

static void a_run_of_another_pool_does_not_hide_the_first(void **state) {
  (void)state;
  nest n = {.jobs = jobs_create(4, NULL), .other = jobs_create(2, NULL)};
  jobs_run(n.jobs, 1, 1, run_outer, &n);
  assert_int_equal(n.wrong, 0);
  for (int i = 0; i < 64; i++) assert_int_equal(n.done[i], 2);
  jobs_destroy(n.other);
  jobs_destroy(n.jobs);
}

/* ---- threads ---- */

/* Waits (for at most ten seconds) until another worker has come, so that this one does not do it all. */
typedef struct meeting {
  atomic_int workers[JOBS_MOST_THREADS], rounding;
} meeting;

static void meet(void *user, int worker, int begin, int end) {
  (void)begin, (void)end;
  meeting *m = user;
  if (fegetround() != FE_UPWARD) atomic_store(&m->rounding, 1);
  atomic_store(&m->workers[worker], 1);
  for (int wait = 0; !atomic_load(&m->workers[!worker]) && wait < 10000; wait++)
    nanosleep(&(struct timespec){0, 1000000}, NULL);
}

static void several_threads_work_and_round_as_the_caller_does(void **state) {
  (void)state;
  jobs *j = jobs_create(2, NULL);
  meeting m = {0};
  fesetround(FE_UPWARD);
  jobs_run(j, 2, 1, meet, &m);
  fesetround(FE_TONEAREST);
  assert_true(m.workers[0] && m.workers[1]);
  assert_int_equal(m.rounding, 0);
  jobs_destroy(j);
}

/* Threads of this process that are not asleep, but for the one that asks. */
static int threads_awake(void) {
  int awake = 0;
  DIR *tasks = opendir("/proc/self/task");
  for (struct dirent *task; (task = readdir(tasks));) {
    if (task->d_name[0] == '.' || atoi(task->d_name) == getpid()) continue;
    char path[512], text[512];
    snprintf(path, sizeof path, "/proc/self/task/%s/stat", task->d_name);
    FILE *file = fopen(path, "r");
    if (!file) continue;
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    const char *name_end = strrchr(text, ')');
    awake += name_end && name_end[2] != 'S';
  }
  closedir(tasks);
  return awake;
}

/* A thread that spins never sleeps, so the wait would last until the test's own deadline. */
static void a_pool_that_has_nothing_to_do_sleeps(void **state) {
  (void)state;
  if (access("/proc/self/task", R_OK)) skip();
  jobs *j = jobs_create(4, NULL);
  static count c;
  memset(&c, 0, sizeof c);
  c.jobs = j, c.grain = 8, c.total = 1000;
  jobs_run(j, c.total, c.grain, count_range, &c);
  for (int wait = 0; threads_awake() && wait < 10000; wait++) nanosleep(&(struct timespec){0, 1000000}, NULL);
  assert_int_equal(threads_awake(), 0);
  jobs_destroy(j);
}

static void a_warm_run_allocates_nothing(void **state) {
  (void)state;
  jobs *j = jobs_create(4, NULL);
  static count c;
  c.jobs = j, c.grain = 4, c.total = 100;
  uint64_t before = mem_request_count();
  for (int i = 0; i < 50; i++) jobs_run(j, c.total, c.grain, count_range, &c);
  assert_int_equal(mem_request_count(), before);
  jobs_destroy(j);
}

static void pools_come_and_go(void **state) {
  (void)state;
  for (int i = 0; i < 50; i++) {
    jobs *j = jobs_create(1 + i % 6, NULL);
    int called = 0;
    if (i % 2) jobs_run(j, 1, 1, note_call, &called);
    jobs_destroy(j);
  }
}

/* Only exits with 0 where the child could use the library and leave. */
static void the_child_of_a_fork_may_destroy_it(void **state) {
  (void)state;
  jobs *j = jobs_create(3, NULL);
  pid_t child = fork();
  if (child == 0) {
    alarm(20);
    jobs_destroy(j);
    _exit(0);
  }
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  jobs_destroy(j);
}

/* ---- failures ---- */

static void no_memory_is_a_sentence(void **state) {
  (void)state;
  failing_heap heap = {.left = 0};
  sinew_error error = {{0}};
  failing_heap_install(&heap);
  assert_null(jobs_create(4, &error));
  sinew_set_allocator(NULL);
  assert_non_null(strstr(error.message, "memory"));
}

/* In a process that may have no more address space, and so no stack for a thread: 0 where that was said in a sentence.
 */
static int start_without_space(void) {
  failing_heap heap = {.left = -1};
  failing_heap_install(&heap);
  jobs_destroy(jobs_create(1, NULL)); /* memory for the next, so that only stacks are missing (a few are kept) */
  sinew_error error = {{0}};
  setrlimit(RLIMIT_AS, &(struct rlimit){1, 1});
  if (jobs_create(JOBS_MOST_THREADS, &error)) return 1;
  if (!strstr(error.message, "of 64 cannot be started")) return 2;
  return heap.living == 0 ? 0 : 3;
}

static void a_thread_that_cannot_start_is_a_sentence(void **state) {
  (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  skip(); /* a sanitizer needs address space of its own */
#endif
  pid_t child = fork();
  if (child == 0) _exit(start_without_space());
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
}

static void count_lines(void *user, sinew_log_level level, const char *line) {
  *(int *)user += level == SINEW_LOG_WARNING && strstr(line, "SINEW_THREADS is ") != NULL;
}

static void the_environment_sets_the_number_of_threads(void **state) {
  (void)state;
  int warnings = 0;
  sinew_set_log(count_lines, &warnings);
  setenv("SINEW_THREADS", "3", 1);
  assert_int_equal(jobs_default_threads(), 3);
  unsetenv("SINEW_THREADS");
  int machine = jobs_default_threads();
  assert_in_range(machine, 1, JOBS_MOST_THREADS);
  static const char *const bad[] = {"", "0", "-1", "65", "many", "3x", "99999999999999999999"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    setenv("SINEW_THREADS", bad[i], 1);
    assert_int_equal(jobs_default_threads(), machine);
    assert_int_equal(warnings, i); /* an empty one says nothing */
  }
  unsetenv("SINEW_THREADS");
  sinew_set_log(NULL, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_is_done_once),
      cmocka_unit_test(nothing_to_do_calls_nothing),
      cmocka_unit_test(a_count_near_the_end_of_int_is_no_overflow),
      cmocka_unit_test(a_run_inside_a_run_stays_in_its_thread),
      cmocka_unit_test(a_run_of_another_pool_does_not_hide_the_first),
      cmocka_unit_test(several_threads_work_and_round_as_the_caller_does),
      cmocka_unit_test(a_pool_that_has_nothing_to_do_sleeps),
      cmocka_unit_test(a_warm_run_allocates_nothing),
      cmocka_unit_test(pools_come_and_go),
      cmocka_unit_test(the_child_of_a_fork_may_destroy_it),
      cmocka_unit_test(no_memory_is_a_sentence),
      cmocka_unit_test(a_thread_that_cannot_start_is_a_sentence),
      cmocka_unit_test(the_environment_sets_the_number_of_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
