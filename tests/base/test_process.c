#include "support/failing_heap.h"
#include "support/fixture.h"

#include "base/clock.h"
#include "base/process/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_LINES = 64 };

static process *start(const char *kind, process_def def) {
  const char *arguments[] = {TEST_CHILD, kind, NULL};
  sinew_error error = {""};
  def.arguments = arguments;
  process *p = process_start(&def, &error);
  if (!p) fail_msg("%s", error.message);
  return p;
}

static process *run(const char *kind, process_def def) {
  process *p = start(kind, def);
  assert_true(process_wait(p, 60));
  return p;
}

static bool holds(process_bytes bytes, const char *text) {
  return bytes.size == strlen(text) && memcmp(bytes.data, text, bytes.size) == 0;
}

static void assert_ends(const char *kind, process_def def, int status, const char *ending) {
  process *p = run(kind, def);
  if (process_status(p) != status || strcmp(process_ending(p), ending) != 0)
    fail_msg("%s: status %d, '%s'", kind, process_status(p), process_ending(p));
  process_destroy(p);
}

static int count_descriptors(void) {
  int count = 0;
  for (int i = 0; i < 1024; i++) count += fcntl(i, F_GETFD) >= 0;
  return count;
}

static void it_speaks_in_three_ways_and_hears_nothing(void **state) {
  (void)state;
  process *p = run("speak", process_def_default());
  assert_true(holds(process_output(p), "to standard output\n"));
  assert_true(holds(process_errors(p), "to standard error\n"));
  assert_true(holds(process_answer(p), "the answer"));
  assert_int_equal(process_status(p), 5);
  assert_string_equal(process_ending(p), "ended with status 5");
  process_destroy(p);
}

static void arguments_arrive_as_they_are(void **state) {
  (void)state;
  const char *arguments[] = {"/bin/echo", "$HOME; *", "a  b", NULL};
  process_def def = process_def_default();
  def.arguments = arguments;
  process *p = process_start(&def, NULL);
  assert_non_null(p);
  assert_true(process_wait(p, 60));
  assert_true(holds(process_output(p), "$HOME; * a  b\n"));
  process_destroy(p);
}

static void each_end_has_its_words(void **state) {
  (void)state;
  process_def def = process_def_default();
  assert_ends("silent", def, 0, "ended with status 0");
  assert_ends("crash", def, -1, "crashed (segmentation fault)");
  assert_ends("abort", def, -1, "crashed (abort)");
  assert_ends("crash-late", def, -1, "crashed (segmentation fault)");
  assert_ends("detach", def, 7, "ended with status 7");
  def.deadline = 0.2;
  assert_ends("linger", def, -1, "took longer than 0.2 s");
}

/* How long it takes does not matter, because the machine may be busy: only whether it does anything. */
static void one_that_does_nothing_is_ended(void **state) {
  (void)state;
  process_def def = process_def_default();
  def.idle_seconds = 0.2;
  assert_ends("linger", def, -1, "did nothing for 0.2 s");
  assert_ends("stop", def, -1, "did nothing for 0.2 s");
  def.limits.processor_seconds = 1;
  assert_ends("spin", def, -1, "used more processor time than allowed");
  atomic_bool is_served = true;
  def.is_served = &is_served;
  process *p = start("linger", def);
  assert_false(process_wait(p, 0.6)); /* it waits for us */
  atomic_store(&is_served, false);
  assert_true(process_wait(p, 60));
  process_destroy(p);
}

static void limits_hold(void **state) {
  (void)state;
  process_def def = process_def_default();
  def.limits.processor_seconds = 1;
  assert_ends("spin", def, -1, "used more processor time than allowed");
  def.limits.file_bytes = 4096;
  assert_ends("write", def, -1, "wrote a larger file than allowed");
  def.limits.memory = (int64_t)256 << 20;
  assert_ends("eat", def, 42, "ended with status 42");
}

static int read_lines(process_bytes bytes, long long *lines) {
  int count = 0;
  char text[4096] = "";
  assert_true(bytes.size < sizeof text);
  memcpy(text, bytes.data, bytes.size);
  for (char *line = strtok(text, "\n"); line && count < MOST_LINES; line = strtok(NULL, "\n"))
    lines[count++] = strtoll(line, NULL, 10);
  return count;
}

static void limits_are_those_asked_for(void **state) {
  (void)state;
  process_def def = process_def_default();
  def.limits = (process_limits){.memory = 1 << 28, .processor_seconds = 9, .open_files = 32, .file_bytes = 0};
  process *p = run("limits", def);
  long long lines[MOST_LINES], wanted[] = {1 << 28, 9, 32, 0, 0};
  assert_int_equal(read_lines(process_output(p), lines), 5);
  for (int i = 0; i < 5; i++) assert_int_equal(lines[i], wanted[i]);
  process_destroy(p);
}

static void it_inherits_four_descriptors(void **state) {
  (void)state;
  int extra[20];
  for (int i = 0; i < 20; i++) extra[i] = open("/dev/null", O_RDONLY); /* without FD_CLOEXEC */
  process *p = run("open", process_def_default());
  for (int i = 0; i < 20; i++) close(extra[i]);
  long long lines[MOST_LINES];
  assert_int_equal(read_lines(process_output(p), lines), 4);
  for (int i = 0; i < 4; i++) assert_int_equal(lines[i], i);
  process_destroy(p);
}

static void answers_and_texts_are_bounded(void **state) {
  (void)state;
  process_def def = process_def_default();
  def.answer_limit = 100000;
  def.text_limit = 1000;
  assert_ends("flood", def, -1, "answered with more than 100000 bytes");
  assert_ends("garble", def, 0, "ended with status 0"); /* exactly as many */
  process *p = run("shout", def);
  assert_int_equal(process_status(p), 0);
  assert_int_equal(process_output(p).size, 1000);
  assert_int_equal(process_errors(p).size, 1000);
  assert_true(process_output(p).cut && process_errors(p).cut);
  process_destroy(p);
}

/* Orphans come to this process, which can then see how they ended. */
static void adopt_orphans(void) {
#ifdef __linux__
  prctl(PR_SET_CHILD_SUBREAPER, 1);
#else
  skip();
#endif
}

static void assert_killed(long long number) {
  int status = 0;
  assert_true(number > 1);
  assert_true(waitpid((pid_t)number, &status, 0) == (pid_t)number); /* else the test runs out of time */
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void its_whole_group_ends_with_it(void **state) {
  (void)state;
  adopt_orphans();
  process *p = start("grandchild", process_def_default());
  assert_true(process_wait(p, 50)); /* the grandchild, which holds the pipes, would sleep for sixty */
  long long left[MOST_LINES];
  assert_int_equal(read_lines(process_answer(p), left), 1);
  assert_killed(left[0]);
  process_destroy(p);
}

static void it_gets_the_environment_that_it_is_given(void **state) {
  (void)state;
  process_def def = process_def_default();
  process *p = run("environment", def);
  assert_true(holds(process_answer(p), ""));
  process_destroy(p);
  def.environment = (const char *const[]){"A=1", "B=two", NULL};
  p = run("environment", def);
  assert_true(holds(process_answer(p), "A=1\nB=two\n"));
  process_destroy(p);
}

/* ---- a served child ---- */

static void tell(void *user, int socket) {
  char heard[8] = "";
  *(bool *)user = read(socket, heard, 4) == 4 && strcmp(heard, "how?") == 0 && write(socket, "well", 4) == 4;
  while (read(socket, heard, 1) > 0) {
  }
}

static void a_served_child_asks_on_its_socket(void **state) {
  (void)state;
  bool told = false;
  int before = count_descriptors();
  process_def def = process_def_default();
  def.serve = tell;
  def.serve_user = &told;
  process *p = run("ask", def);
  assert_true(told && holds(process_answer(p), "well"));
  process_destroy(p);
  process_destroy(start("linger", def)); /* while it is being served */
  def.arguments = (const char *const[]){"/nowhere/program", NULL};
  sinew_error error = {""};
  assert_null(process_start(&def, &error));
  assert_non_null(strstr(error.message, "/nowhere/program: cannot be started"));
  assert_int_equal(count_descriptors(), before);
}

static void *start_and_end(void *data) {
  process_def def = process_def_default();
  bool told;
  def.serve = tell;
  def.serve_user = &told;
  *(process **)data = start("silent", def);
  return NULL;
}

/* Linux would end it with the thread that started it. */
static void a_served_child_outlives_the_thread_that_asked_for_it(void **state) {
  (void)state;
  process *p = NULL;
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, start_and_end, &p), 0);
  pthread_join(thread, NULL);
  assert_true(process_wait(p, 60));
  assert_int_equal(process_status(p), 0);
  process_destroy(p);
}

static void a_served_child_ends_with_its_parent(void **state) {
  (void)state;
  adopt_orphans();
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  pid_t parent = fork();
  if (parent == 0) {
    bool told;
    process_def def = process_def_default();
    def.serve = tell;
    def.serve_user = &told;
    process *p = start("name", def);
    while (process_answer(p).size == 0) process_wait(p, 0.1);
    if (write(ends[1], process_answer(p).data, process_answer(p).size) > 0) raise(SIGKILL);
    _exit(9);
  }
  char text[32] = "";
  assert_true(read(ends[0], text, sizeof text - 1) > 0);
  assert_int_equal(waitpid(parent, NULL, 0), parent);
  assert_killed(strtoll(text, NULL, 10));
  close(ends[0]);
  close(ends[1]);
}

static void polling_does_not_wait(void **state) {
  (void)state;
  process *p = start("linger", process_def_default());
  while (process_answer(p).size < 4) assert_false(process_wait(p, 0));
  assert_true(holds(process_answer(p), "soon"));
  process_destroy(p); /* while it still runs */
}

static void what_cannot_run_is_an_error(void **state) {
  (void)state;
  const char *const paths[] = {"/no/such/program", "/dev/null", "/"};
  int before = count_descriptors();
  for (int i = 0; i < 3; i++) {
    const char *arguments[] = {paths[i], NULL};
    process_def def = process_def_default();
    sinew_error error = {""};
    def.arguments = arguments;
    assert_null(process_start(&def, &error));
    assert_non_null(strstr(error.message, paths[i]));
    assert_non_null(strstr(error.message, "cannot be started"));
    assert_null(process_start(&def, NULL));
  }
  assert_int_equal(count_descriptors(), before);
}

static void out_of_descriptors_is_an_error(void **state) {
  (void)state;
  int taken[256], count = 0;
  struct rlimit before_all;
  getrlimit(RLIMIT_NOFILE, &before_all);
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &(struct rlimit){200, before_all.rlim_max}), 0);
  while (count < 256 && (taken[count] = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0) count++;
  assert_true(count > 50 && count < 256);
  for (int spare = 0; spare < 7; spare++) {
    const char *arguments[] = {TEST_CHILD, "silent", NULL};
    process_def def = process_def_default();
    sinew_error error = {""};
    def.arguments = arguments;
    int before = count_descriptors();
    assert_null(process_start(&def, &error));
    assert_non_null(strstr(error.message, "cannot be started"));
    assert_int_equal(count_descriptors(), before);
    close(taken[--count]);
  }
  while (count > 0) close(taken[--count]);
  setrlimit(RLIMIT_NOFILE, &before_all);
}

static void nothing_is_left_behind(void **state) {
  (void)state;
  int before = count_descriptors();
  const char *const kinds[] = {"silent", "crash", "speak", "shout"};
  for (int i = 0; i < 40; i++) process_destroy(run(kinds[i % 4], process_def_default()));
  process_destroy(start("linger", process_def_default()));
  assert_int_equal(count_descriptors(), before);
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no zombies */
  assert_int_equal(errno, ECHILD);
}

static void a_program_that_ignores_its_children_gets_answers(void **state) {
  (void)state;
  signal(SIGCHLD, SIG_IGN);
  process *p = run("speak", process_def_default());
  signal(SIGCHLD, SIG_DFL);
  assert_true(holds(process_answer(p), "the answer"));
  assert_int_equal(process_status(p), 0);
  process_destroy(p);
}

static void *run_many(void *user) {
  int *good = user;
  for (int i = 0; i < 20; i++) {
    const char *arguments[] = {TEST_CHILD, "speak", NULL};
    process_def def = process_def_default();
    def.arguments = arguments;
    process *p = process_start(&def, NULL);
    if (!p) continue;
    *good += process_wait(p, 60) && process_status(p) == 5 && holds(process_answer(p), "the answer");
    process_destroy(p);
  }
  return NULL;
}

static void threads_do_not_mix_their_children(void **state) {
  (void)state;
  pthread_t threads[4];
  int good[4] = {0}, before = count_descriptors();
  for (int i = 0; i < 4; i++) assert_int_equal(pthread_create(threads + i, NULL, run_many, good + i), 0);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < 4; i++) assert_int_equal(good[i], 20);
  assert_int_equal(count_descriptors(), before);
}

/* ---- memory ---- */

static failing_heap heap = {.left = -1};

static void running_out_of_memory_is_an_error(void **state) {
  (void)state;
  failing_heap_install(&heap);
  const char *arguments[] = {TEST_CHILD, "garble", NULL};
  process_def def = process_def_default();
  def.arguments = arguments;
  sinew_error error = {""};
  heap.left = 0;
  assert_null(process_start(&def, &error));
  assert_non_null(strstr(error.message, "out of memory"));
  heap.left = 1; /* enough to start it, and not to keep what it says */
  process *p = process_start(&def, &error);
  assert_non_null(p);
  assert_true(process_wait(p, 60));
  assert_int_equal(process_status(p), -1);
  assert_string_equal(process_ending(p), "wrote more output than there is memory for");
  process_destroy(p);
  sinew_set_allocator(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_speaks_in_three_ways_and_hears_nothing),
      cmocka_unit_test(arguments_arrive_as_they_are),
      cmocka_unit_test(each_end_has_its_words),
      cmocka_unit_test(one_that_does_nothing_is_ended),
      cmocka_unit_test(limits_hold),
      cmocka_unit_test(limits_are_those_asked_for),
      cmocka_unit_test(it_inherits_four_descriptors),
      cmocka_unit_test(answers_and_texts_are_bounded),
      cmocka_unit_test(its_whole_group_ends_with_it),
      cmocka_unit_test(it_gets_the_environment_that_it_is_given),
      cmocka_unit_test(a_served_child_asks_on_its_socket),
      cmocka_unit_test(a_served_child_outlives_the_thread_that_asked_for_it),
      cmocka_unit_test(a_served_child_ends_with_its_parent),
      cmocka_unit_test(polling_does_not_wait),
      cmocka_unit_test(what_cannot_run_is_an_error),
      cmocka_unit_test(out_of_descriptors_is_an_error),
      cmocka_unit_test(nothing_is_left_behind),
      cmocka_unit_test(a_program_that_ignores_its_children_gets_answers),
      cmocka_unit_test(threads_do_not_mix_their_children),
      cmocka_unit_test(running_out_of_memory_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
