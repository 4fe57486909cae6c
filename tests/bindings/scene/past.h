/* past – a scene in a host that records, and the look back as a person has it, with keys. */
#ifndef SINEW_TESTS_BINDINGS_PAST_H
#define SINEW_TESTS_BINDINGS_PAST_H

#include "bindings/harness.h"

#include "host/capture/picture.h"
#include "host/host.h"
#include "host/timeline/timeline.h"

#include <time.h>

/* The scene's text has two %s: a fade, and what comes at its end. */
static const char *scene_text;
static bool by_clock; /* callbacks are ended by the clock, as in a window */

static inline void save(harness *h, const char *fade, const char *more) {
  char text[2048], beside[128];
  snprintf(text, sizeof text, scene_text, fade, more);
  snprintf(beside, sizeof beside, "%s/new", h->folder);
  harness_write(beside, text);
  assert_int_equal(rename(beside, h->path), 0);
}

static inline void open_scene(harness *h) {
  static char log[128];
  sinew_host_def def = sinew_host_def_default();
  sinew_error error;
  memset(h, 0, sizeof *h);
  snprintf(h->folder, sizeof h->folder, "/tmp/sinew-test-XXXXXX");
  assert_non_null(mkdtemp(h->folder));
  snprintf(h->path, sizeof h->path, "%s/scene.lua", h->folder);
  snprintf(log, sizeof log, "%s/run.rec", h->folder);
  def.output = SINEW_OUTPUT_OFFSCREEN;
  def.width = 960, def.height = 540;
  def.panels_only = true;
  def.samples = 1, def.shadow_size = getenv("SINEW_PICTURES") ? -1 : 0;
  def.watch = def.keeps_past = def.record_is_temporary = true;
  def.record_input = log;
  def.rerun_program = getenv("SINEW_PROGRAM");
  h->host = sinew_host_create(&def, &error);
  if (!h->host) fail_msg("%s", error.message);
  save(h, "0", "");
  sinew_scene_def scene = sinew_scene_def_default();
  scene.print = harness_print, scene.print_user = h;
  scene.count_instructions = !by_clock;
  h->scene = sinew_scene_create(h->host, h->path, &scene, &error);
  if (!h->scene) fail_msg("%s", error.message);
  sinew_app app = sinew_scene_app(h->scene);
  sinew_host_set_app(h->host, &app);
}

static inline void tap(harness *h, const char *key) {
  for (int down = 1; down >= 0; down--) {
    assert_true(sinew_host_send_key(h->host, key, down));
    harness_step(h, 1);
  }
}

/* Until the seconds are there, or the sentence why not; the loop stands still. */
static inline void wait_for(harness *h, bool good) {
  const rerun *r = &h->host->rerun;
  for (int i = 0; i < 3000; i++) {
    struct timespec pause = {0, 10000000};
    if (!rerun_is_running(r) && (good ? r->has_result : r->problem[0] != 0)) return;
    harness_step(h, 1);
    nanosleep(&pause, NULL);
  }
  fail_msg("%s after 30 s (%s)", good ? "no result" : "no sentence", r->problem);
}

/* Waits until the timeline describes the rerun with words that contain `part`, and returns them. */
static inline const char *wait_for_words(harness *h, const char *part) {
  static char words[TIMELINE_TEXT];
  wait_for(h, true);
  assert_string_equal(h->host->rerun.problem, "");
  harness_step(h, 1);
  assert_true(timeline_say_rerun(h->host, words));
  harness_expect(words, part);
  return words;
}

/* Scene times. */
static inline void set_loop(harness *h, double from, double to) {
  h->host->review.at = from;
  tap(h, "left_bracket");
  h->host->review.at = to;
  tap(h, "right_bracket");
}

/* As cmocka_run_group_tests; 77 where the machine has no offscreen pictures or no program to run seconds again. */
#define run_tests_of_the_past(tests) (past_is_missing() ? 77 : cmocka_run_group_tests(tests, NULL, NULL))

static inline bool past_is_missing(void) {
  sinew_error error;
  offscreen *context = offscreen_create(&error);
  bool missing = !context || !getenv("SINEW_PROGRAM");
  if (missing) fprintf(stderr, "skipped: %s\n", context ? "SINEW_PROGRAM is not set" : error.message);
  if (context) offscreen_destroy(context);
  return missing;
}

static inline void save_picture(harness *h, const char *name) {
  const char *folder = getenv("SINEW_PICTURES");
  char path[512];
  if (!folder) return;
  h->host->def.panels_only = false;
  harness_step(h, 1);
  assert_true(host_read_picture(h->host, &h->error));
  snprintf(path, sizeof path, "%s/%s", folder, name);
  assert_true(png_write(path, &h->host->pixels, &h->error));
  h->host->def.panels_only = true;
}

#endif
