/* Recordings that an application asks for while it runs: what is written, at what pace, and what cannot be. */
#include "host_fixture.h"

#include "host/host.h"

static sinew_host *make_host(sinew_output output, double fixed_dt) {
  sinew_host_def def = sinew_host_def_default();
  sinew_error error = {0};
  def.output = output;
  def.width = 32, def.height = 18;
  def.samples = 1, def.shadow_size = 0;
  def.fixed_dt = fixed_dt;
  def.frame_limit = 6;
  sinew_host *host = sinew_host_create(&def, &error);
  if (!host) fail_msg("%s", error.message);
  return host;
}

static void step(sinew_host *host, int frames) {
  sinew_error error = {0};
  for (int i = 0; i < frames; i++)
    if (!sinew_host_step(host, 1.0 / 60, &error)) fail_msg("%s", error.message);
}

/* `target` under the test's folder. */
static bool record(sinew_host *host, const char *target, double rate, double seconds, sinew_error *error) {
  return sinew_host_record(host, &(sinew_record_def){test_file(target), rate, seconds}, error);
}

static int count_pictures(const char *pattern) {
  char name[64];
  int count = 0;
  for (bool there = true; there; count += there) {
    snprintf(name, sizeof name, pattern, count);
    there = file_exists(test_file(name));
  }
  return count;
}

/* Half a second at eight a second is four pictures, the first of them of the next frame; then it has ended. */
static void it_ends_after_its_seconds(void **state) {
  (void)state;
  sinew_host *host = make_host(SINEW_OUTPUT_OFFSCREEN, 0);
  sinew_error error = {0};
  step(host, 1);
  if (!record(host, "timed_%d.png", 8, 0.5, &error)) fail_msg("%s", error.message);
  assert_string_equal(sinew_host_recording(host), test_file("timed_%d.png"));
  step(host, 6);
  assert_null(sinew_host_recording(host));
  assert_int_equal(count_pictures("timed_%d.png"), 4);
  sinew_host_destroy(host);
}

/* The same target goes on, another one ends the first, and nothing ends the last. */
static void one_at_a_time(void **state) {
  (void)state;
  sinew_host *host = make_host(SINEW_OUTPUT_OFFSCREEN, 0);
  sinew_error error = {0};
  for (int i = 0; i < 3; i++) {
    assert_true(record(host, "same_%d.png", 30, 0, &error));
    step(host, 1);
  }
  assert_true(record(host, "other_%d.png", 30, 0, &error));
  step(host, 2);
  assert_true(sinew_host_record(host, NULL, &error));
  assert_null(sinew_host_recording(host));
  step(host, 2);
  assert_int_equal(count_pictures("same_%d.png"), 3);
  assert_int_equal(count_pictures("other_%d.png"), 2);
  assert_true(sinew_host_record(host, NULL, &error)); /* nothing to end */
  sinew_host_destroy(host);
}

static double steps[8];
static int step_count;

static void keep_step(void *user, double dt) {
  (void)user;
  if (step_count < 8) steps[step_count++] = dt;
}

/* A frame takes the time of a picture, unless the run has a step of its own; the end of the run ends the recording. */
static void the_scene_keeps_the_pace_of_the_film(void **state) {
  (void)state;
  for (int fixed = 0; fixed < 2; fixed++) {
    sinew_host *host = make_host(SINEW_OUTPUT_OFFSCREEN, fixed ? 0.02 : 0);
    sinew_error error = {0};
    step_count = 0;
    sinew_host_set_app(host, &(sinew_app){.update = keep_step});
    assert_true(record(host, fixed ? "fixed_%d.png" : "free_%d.png", 10, 0, &error));
    assert_true(sinew_host_run(host, &error));
    assert_int_equal(step_count, 6);
    for (int i = 0; i < 6; i++) assert_float_equal(steps[i], fixed ? 0.02 : 0.1, 1e-12);
    assert_null(sinew_host_recording(host));
    assert_int_equal(count_pictures(fixed ? "fixed_%d.png" : "free_%d.png"), 6);
    sinew_host_destroy(host);
  }
}

static void a_contact_sheet_spreads_over_the_seconds(void **state) {
  (void)state;
  sinew_host *host = make_host(SINEW_OUTPUT_OFFSCREEN, 0);
  sinew_error error = {0};
  if (!record(host, "sheet.png:2", 8, 0.5, &error)) fail_msg("%s", error.message);
  step(host, 4);
  assert_null(sinew_host_recording(host));
  picture sheet = read_png(test_file("sheet.png"));
  assert_true(sheet.width > 60);
  picture_release(&sheet);
  sinew_host_destroy(host);
}

static void refuse(sinew_host *host, const char *target, double rate, double seconds, const char *word) {
  sinew_error error = {0};
  assert_false(record(host, target, rate, seconds, &error));
  if (!strstr(error.message, word)) fail_msg("'%s' does not say '%s'", error.message, word);
  assert_null(sinew_host_recording(host));
}

static void what_cannot_be_recorded(void **state) {
  (void)state;
  sinew_host *host = make_host(SINEW_OUTPUT_OFFSCREEN, 0);
  refuse(host, "a_%d.png", 0, 1, "rate");
  refuse(host, "a_%d.png", NAN, 1, "rate");
  refuse(host, "a_%d.png", 1e9, 1, "rate");
  refuse(host, "a_%d.png", 30, -1, "seconds");
  refuse(host, "a_%d.png", 30, INFINITY, "seconds");
  refuse(host, "one.png", 30, 1, "contact sheet");
  refuse(host, "sheet.png:3", 30, 0, "number of frames");
  refuse(host, "no/such/folder/a.mp4", 30, 1, "folder");
  refuse(host, "a.xyz", 30, 1, ".webm");
  sinew_host_destroy(host);
  host = make_host(SINEW_OUTPUT_NONE, 0);
  refuse(host, "a_%d.png", 30, 1, "nothing is drawn");
  sinew_host_destroy(host);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(it_ends_after_its_seconds), cmocka_unit_test(one_at_a_time),
                                     cmocka_unit_test(the_scene_keeps_the_pace_of_the_film),
                                     cmocka_unit_test(a_contact_sheet_spreads_over_the_seconds),
                                     cmocka_unit_test(what_cannot_be_recorded)};
  if (no_pictures_here()) return 77;
  return cmocka_run_group_tests_name("record", tests, make_test_folder, remove_test_folder);
}
