/* From seeing a jump to the mended seconds beside their ghost: F9, one edit, one save, as a person does it. */
#include "bindings/harness.h"

#include "host/capture/png.h"
#include "host/host.h"
#include "host/timeline/timeline.h"

#include <time.h>

enum { CUT = 240, FRAMES = 270 };

static const char scene_text[] = "local sinew = require 'sinew'\n"
                                 "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
                                 "hero:play 'Idle'\n"
                                 "function sinew.update(dt)\n"
                                 "  hero.position = hero.position + sinew.vec3(0, 0, dt * 0.1)\n"
                                 "  if sinew.frame == 240 then hero:play('Jump', { fade = %s }) end\n"
                                 "end\n"
                                 "%s";

static void save(harness *h, const char *fade, const char *more) {
  char text[2048], beside[128];
  snprintf(text, sizeof text, scene_text, fade, more);
  snprintf(beside, sizeof beside, "%s/new", h->folder);
  harness_write(beside, text);
  assert_int_equal(rename(beside, h->path), 0);
}

static void open_scene(harness *h) {
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
  def.capture = "never.png", def.capture_from = INT32_MAX; /* panels without pictures */
  def.watch = def.keeps_past = def.record_is_temporary = true;
  def.record_input = log;
  def.remaker = getenv("SINEW_PROGRAM");
  h->host = sinew_host_create(&def, &error);
  if (!h->host) fail_msg("%s", error.message);
  save(h, "0", "");
  sinew_scene_def scene = sinew_scene_def_default();
  scene.print = harness_print, scene.print_user = h;
  h->scene = sinew_scene_create(h->host, h->path, &scene, &error);
  if (!h->scene) fail_msg("%s", error.message);
  sinew_app app = sinew_scene_app(h->scene);
  sinew_host_set_app(h->host, &app);
}

static void tap(harness *h, const char *key) {
  for (int down = 1; down >= 0; down--) {
    assert_true(sinew_host_send_key(h->host, key, down));
    harness_step(h, 1);
  }
}

/* Until the seconds are there, or the sentence why not; the loop stands still. */
static void wait_for(harness *h, bool good) {
  const rerun *r = &h->host->rerun;
  for (int i = 0; i < 3000; i++) {
    struct timespec pause = {0, 10000000};
    if (!r->child && (good ? r->has_take : r->problem[0] != 0)) return;
    harness_step(h, 1);
    nanosleep(&pause, NULL);
  }
  fail_msg("%s after 30 s (%s)", good ? "no take" : "no sentence", r->problem);
}

static void look_back(harness *h) {
  open_scene(h);
  harness_step(h, FRAMES);
  tap(h, "f9");
  assert_true(h->host->review.is_on && h->host->review.mark >= 0);
  assert_non_null(strstr(h->host->past.marks[h->host->review.mark].text, "jumped by"));
}

static void save_picture(harness *h, const char *name) {
  const char *folder = getenv("SINEW_PICTURES");
  char path[512];
  if (!folder) return;
  h->host->def.capture_from = 0;
  harness_step(h, 1);
  assert_true(host_read_picture(h->host, &h->error));
  snprintf(path, sizeof path, "%s/%s", folder, name);
  assert_true(png_write(path, &h->host->pixels, &h->error));
  h->host->def.capture_from = INT32_MAX;
}

/* ---- */

static void a_save_runs_the_same_seconds_again(void **state) {
  (void)state;
  harness h;
  char words[TIMELINE_TEXT];
  double last;
  look_back(&h);
  sinew_host *host = h.host;
  const rerun *r = &host->rerun;
  save(&h, "0.3", "");
  wait_for(&h, true);
  assert_string_equal(r->problem, "");
  /* The edit enters in the loop's first frame, with the pose that was; it differs from the cut on. */
  const ring *again = &r->take.ring;
  assert_int_equal(ring_frame(again, again->first),
                   ring_frame(&host->ring, ring_find(&host->ring, host->review.loop[0])));
  double first =
      take_compare(&host->ring, again, host->review.actor, host->review.loop[0], host->review.loop[1], &last);
  assert_float_equal(first, CUT / 60.0, 2.5 / 60);
  assert_float_equal(last, 0, 1e-6);
  assert_true(timeline_say_rerun(host, words));
  assert_non_null(strstr(words, "differs from"));
  int jump_then, jump_now;
  assert_int_equal(sscanf(strstr(words, "jump "), "jump %d \xe2\x86\x92 %d", &jump_then, &jump_now), 2);
  assert_true(jump_now < jump_then / 3);
  /* Both are shown, one where the other stands. */
  assert_true(host->review.plays);
  tap(&h, "space");
  tap(&h, "p");
  host->review.at = first + 0.1;
  harness_step(&h, 1);
  assert_int_equal(host->review.cast.shown_count, 1);
  assert_int_equal(host->review.ghosts.shown_count, 1);
  assert_memory_not_equal(host->review.cast.shown[0].joints, host->review.ghosts.shown[0].joints,
                          30 * sizeof(sinew_mat3x4));
  assert_true(host->lines_on_top.count > 60); /* a ring about each joint that differs, and the mark's */
  save_picture(&h, "ghost.png");
  tap(&h, "g");
  assert_int_equal(host->review.ghosts.shown_count, 0);
  sinew_host_send_key(host, "left_ctrl", true);
  tap(&h, "z");
  sinew_host_send_key(host, "left_ctrl", false);
  assert_false(r->has_take);
  harness_close(&h);
}

static void the_same_code_makes_the_same_seconds(void **state) {
  (void)state;
  harness h;
  char words[TIMELINE_TEXT];
  look_back(&h);
  save(&h, "0", "-- a comment");
  wait_for(&h, true);
  assert_true(timeline_say_rerun(h.host, words));
  if (!strstr(words, "saved at the loop's beginning: nothing differs")) fail_msg("%s", words);
  tap(&h, "s");
  wait_for(&h, true);
  harness_step(&h, 1);
  assert_true(timeline_say_rerun(h.host, words));
  if (!strstr(words, "from the start: nothing differs")) fail_msg("%s", words);
  harness_close(&h);
}

static void a_mistake_is_told_and_the_present_takes_the_save(void **state) {
  (void)state;
  harness h;
  look_back(&h);
  save(&h, "0", "oops(");
  wait_for(&h, false);
  assert_non_null(strstr(h.host->rerun.problem, "scene.lua:"));
  assert_false(h.host->rerun.has_take);
  save(&h, "0.2", "print 'mended'");
  wait_for(&h, true);
  assert_null(strstr(h.printed, "mended"));
  tap(&h, "escape");
  harness_step(&h, 2);
  assert_non_null(strstr(h.printed, "mended"));
  assert_null(sinew_scene_problem(h.scene));
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_save_runs_the_same_seconds_again),
      cmocka_unit_test(the_same_code_makes_the_same_seconds),
      cmocka_unit_test(a_mistake_is_told_and_the_present_takes_the_save),
  };
  sinew_error error;
  offscreen *context = offscreen_create(&error);
  if (!context || !getenv("SINEW_PROGRAM")) {
    fprintf(stderr, "skipped: %s\n", context ? "SINEW_PROGRAM is not set" : error.message);
    return 77;
  }
  offscreen_destroy(context);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
