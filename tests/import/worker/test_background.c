#include "support/failing_heap.h"
#include "support/fixture.h"

#include "base/file.h"
#include "base/memory/memory.h"
#include "base/sanitizers.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define HERO SINEW_SOURCE "/assets/hero.glb"

static char folder[64], model_path[128], cache[128];

/* A model and a cache of their own. */
static int make(void **state) {
  (void)state;
  size_t size;
  snprintf(folder, sizeof folder, "/tmp/sinew-load-XXXXXX");
  assert_non_null(mkdtemp(folder));
  snprintf(model_path, sizeof model_path, "%s/hero.glb", folder);
  snprintf(cache, sizeof cache, "%s/cache", folder);
  unsigned char *bytes = file_read(HERO, (size_t)1 << 28, &size, NULL);
  assert_non_null(bytes);
  assert_true(file_write(model_path, bytes, size, NULL));
  mem_free(bytes);
  setenv("SINEW_CACHE", "off", 1);
  setenv("SINEW_IMPORT", TEST_IMPORT, 1);
  return 0;
}

static int clean(void **state) {
  (void)state;
  char command[128];
  snprintf(command, sizeof command, "rm -r %s", folder);
  return system(command);
}

static int count_descriptors(void) {
  int count = 0;
  for (int i = 0; i < 1024; i++) count += fcntl(i, F_GETFD) >= 0;
  return count;
}

static void assert_nothing_is_left(int descriptors) {
  assert_int_equal(count_descriptors(), descriptors);
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
  assert_int_equal(errno, ECHILD);
}

static sinew_load *begin(const char *path, const sinew_load_options *options) {
  sinew_error error = {""};
  sinew_load *load = sinew_load_begin(path, options, &error);
  if (!load) fail_msg("%s", error.message);
  return load;
}

static sinew_load_state poll_to_the_end(sinew_load *load, sinew_model **model, sinew_error *error) {
  for (int i = 0; i < 60000; i++) {
    sinew_load_state state = sinew_load_poll(load, model, error);
    if (state != SINEW_LOAD_RUNNING) return state;
    assert_null(*model);
    nanosleep(&(struct timespec){0, 1000000}, NULL);
  }
  fail_msg("the load does not end");
  return SINEW_LOAD_RUNNING;
}

static void a_model_comes_while_the_caller_goes_on(void **state) {
  (void)state;
  int descriptors = count_descriptors();
  sinew_error error = {""};
  sinew_model *model = NULL, *again = NULL;
  sinew_load *load = begin(model_path, NULL);
  assert_int_equal(poll_to_the_end(load, &model, &error), SINEW_LOAD_DONE);
  assert_true(sinew_model_find_clip(model, "Walk") >= 0);
  assert_string_equal(sinew_model_path(model), model_path);
  assert_int_equal(sinew_load_poll(load, &again, &error), SINEW_LOAD_DONE);
  assert_null(again);
  sinew_load_end(load);
  sinew_model_release(model);
  assert_nothing_is_left(descriptors);
}

static void a_model_that_nobody_fetches_is_released(void **state) {
  (void)state;
  sinew_load *load = begin(model_path, NULL);
  while (sinew_load_poll(load, NULL, NULL) == SINEW_LOAD_RUNNING) nanosleep(&(struct timespec){0, 1000000}, NULL);
  sinew_load_end(load);
  sinew_load_end(NULL);
}

static void what_is_wrong_is_said_by_poll(void **state) {
  (void)state;
  sinew_error error = {""};
  sinew_model *model = NULL;
  sinew_load *load = begin("nobody.glb", NULL);
  assert_int_equal(poll_to_the_end(load, &model, &error), SINEW_LOAD_FAILED);
  assert_string_equal(error.message, "nobody.glb: no such file");
  assert_null(model);
  assert_int_equal(sinew_load_poll(load, &model, NULL), SINEW_LOAD_FAILED);
  sinew_load_end(load);
  assert_null(sinew_load_begin(model_path, &(sinew_load_options){.max_influences = 5}, &error));
  assert_non_null(strstr(error.message, "max_influences"));
}

static void a_load_can_be_cancelled(void **state) {
  (void)state;
  int descriptors = count_descriptors();
  setenv("SINEW_IMPORT", TEST_CHILD, 1);
  sinew_load *load = begin("linger.glb", NULL);
  for (int i = 0; i < 10; i++) assert_int_equal(sinew_load_poll(load, NULL, NULL), SINEW_LOAD_RUNNING);
  sinew_load_end(load);
  setenv("SINEW_IMPORT", TEST_IMPORT, 1);
  assert_nothing_is_left(descriptors);
}

static void many_loads_run_at_once(void **state) {
  (void)state;
  sinew_load *loads[6];
  sinew_model *models[6] = {NULL};
  for (int i = 0; i < 6; i++) loads[i] = begin(model_path, NULL);
  for (int i = 5; i >= 0; i--) assert_int_equal(poll_to_the_end(loads[i], models + i, NULL), SINEW_LOAD_DONE);
  for (int i = 0; i < 6; i++) {
    sinew_load_end(loads[i]);
    sinew_model_release(models[i]);
  }
}

static void options_are_copied(void **state) {
  (void)state;
  char clips[128];
  const char *names[] = {clips};
  snprintf(clips, sizeof clips, "%s", model_path);
  sinew_load_options options = sinew_load_options_default();
  options.clip_files = names;
  options.clip_file_count = 1;
  sinew_load *load = begin(model_path, &options);
  memset(clips, 'x', sizeof clips - 1);
  names[0] = NULL;
  sinew_model *model = NULL, *alone = sinew_model_load(model_path, NULL, NULL);
  assert_int_equal(poll_to_the_end(load, &model, NULL), SINEW_LOAD_DONE);
  assert_int_equal(sinew_model_clip_count(model), 2 * sinew_model_clip_count(alone));
  sinew_load_end(load);
  sinew_model_release(model);
  sinew_model_release(alone);
}

static void in_process_is_done_at_once(void **state) {
  (void)state;
  setenv("SINEW_IMPORT", TEST_CHILD, 1); /* would fail */
  sinew_load_options options = sinew_load_options_default();
  options.in_process = true;
  sinew_model *model = NULL;
  sinew_load *load = begin(model_path, &options);
  assert_int_equal(sinew_load_poll(load, &model, NULL), SINEW_LOAD_DONE);
  sinew_load_end(load);
  sinew_model_release(model);
  setenv("SINEW_IMPORT", "in-process", 1);
  model = sinew_model_load(model_path, NULL, NULL);
  assert_non_null(model);
  sinew_model_release(model);
  setenv("SINEW_IMPORT", TEST_IMPORT, 1);
}

static void waiting_is_the_same_work(void **state) {
  (void)state;
  int descriptors = count_descriptors();
  sinew_error error = {""};
  sinew_model *model = sinew_model_load(model_path, NULL, &error);
  if (!model) fail_msg("%s", error.message);
  sinew_model_release(model);
  setenv("SINEW_IMPORT", TEST_CHILD, 1);
  assert_null(sinew_model_load("crash.glb", NULL, &error));
  assert_non_null(strstr(error.message, "crash.glb: the importer crashed"));
  setenv("SINEW_IMPORT", "/no/such/program", 1);
  assert_null(sinew_model_load("crash.glb", NULL, &error));
  assert_non_null(strstr(error.message, "crash.glb: cannot be imported: /no/such/program"));
  setenv("SINEW_IMPORT", TEST_IMPORT, 1);
  assert_nothing_is_left(descriptors);
}

static sinew_model *load_by(const char *program) {
  setenv("SINEW_IMPORT", program, 1);
  sinew_model *model = sinew_model_load(model_path, NULL, NULL);
  setenv("SINEW_IMPORT", TEST_IMPORT, 1);
  return model;
}

static void what_a_child_imported_comes_from_the_cache(void **state) {
  (void)state;
  setenv("SINEW_CACHE", cache, 1);
  sinew_model *first = load_by(TEST_IMPORT), *second = load_by(TEST_CHILD); /* which could not */
  assert_non_null(first);
  assert_non_null(second);
  assert_int_equal(sinew_model_clip_count(first), sinew_model_clip_count(second));
  sinew_model_release(first);
  sinew_model_release(second);
  /* The same bytes and one more: a change that only the importer can judge. */
  size_t size;
  unsigned char *bytes = file_read(model_path, (size_t)1 << 28, &size, NULL);
  assert_true(file_write(model_path, bytes, size + 1, NULL));
  assert_null(load_by(TEST_CHILD));
  sinew_model *third = load_by(TEST_IMPORT), *fourth = load_by(TEST_CHILD);
  assert_non_null(third);
  assert_non_null(fourth);
  sinew_model_release(third);
  sinew_model_release(fourth);
  mem_free(bytes);
  setenv("SINEW_CACHE", "off", 1);
}

/* ---- memory ---- */

static failing_heap heap = {.left = -1};

static void running_out_of_memory_is_an_error(void **state) {
  (void)state;
  sinew_load_options options = sinew_load_options_default();
  options.clip_files = (const char *const[]){HERO};
  options.clip_file_count = 1;
  failing_heap_install(&heap);
  setenv("SINEW_CACHE", cache, 1);
  int descriptors = count_descriptors();
  bool complete = false;
  for (long n = 0; !complete; n += SANITIZES_ADDRESSES ? 5 : 1) {
    sinew_error error = {""};
    heap.left = n;
    sinew_model *model = sinew_model_load(HERO, &options, &error);
    complete = heap.left > 0;
    if (!model && !error.message[0]) fail_msg("request %ld: no sentence", n);
    if (complete) assert_non_null(model);
    sinew_model_release(model);
    assert_true(n < 500);
  }
  heap.left = -1;
  setenv("SINEW_CACHE", "off", 1);
  sinew_set_allocator(NULL);
  assert_nothing_is_left(descriptors);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_model_comes_while_the_caller_goes_on),
      cmocka_unit_test(a_model_that_nobody_fetches_is_released),
      cmocka_unit_test(what_is_wrong_is_said_by_poll),
      cmocka_unit_test(a_load_can_be_cancelled),
      cmocka_unit_test(many_loads_run_at_once),
      cmocka_unit_test(options_are_copied),
      cmocka_unit_test(in_process_is_done_at_once),
      cmocka_unit_test(waiting_is_the_same_work),
      cmocka_unit_test(what_a_child_imported_comes_from_the_cache),
      cmocka_unit_test(running_out_of_memory_is_an_error),
  };
  return cmocka_run_group_tests(tests, make, clean);
}
