/* Looks back at scenes that load in the background, use gamepads, run out of time and fail. */
#include "bindings/scene/past.h"

#include "base/sanitizers.h"
#include "base/text.h"

#include <sys/stat.h>

/* The importer never comes back: in the seconds that run again the model is on its way, as it was. */
static void while_a_model_is_on_its_way(void **state) {
  (void)state;
  harness h;
  char importer[] = "/tmp/sinew-test-XXXXXX";
  int file = mkstemp(importer);
  assert_true(file >= 0 && dprintf(file, "#!/bin/sh\nexec sleep 600\n") > 0);
  close(file);
  assert_int_equal(chmod(importer, 0700), 0);
  scene_text = "local sinew = require 'sinew'\n"
               "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
               "hero:play 'Idle'\n"
               "local late\n"
               "function sinew.update(dt)\n"
               "  if sinew.frame == 5 then late = sinew.model('fox.glb', { wait = false, unit = 1.234 }) end\n"
               "  if sinew.frame == 6 then sinew.actor('fox', late) end\n"
               "  assert(not late or not late.loaded)\n"
               "  if sinew.frame == 240 then hero:play('Jump', { fade = %s }) end\n"
               "end\n"
               "%s";
  open_scene(&h);
  setenv("SINEW_IMPORT", importer, 1);
  harness_step(&h, 10);
  unsetenv("SINEW_IMPORT");
  harness_step(&h, 290);
  tap(&h, "f9");
  assert_true(h.host->review.mark >= 0);
  save(&h, "0", "-- the same");
  wait_for_words(&h, "nothing differs");
  tap(&h, "s");
  wait_for_words(&h, "from the scene's start: nothing differs");
  harness_close(&h);
  remove(importer);
}

/* Sticks and buttons are in the recording. */
static void with_a_gamepad(void **state) {
  (void)state;
  harness h;
  scene_text = "local sinew = require 'sinew'\n"
               "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
               "hero:play 'Walk'\n"
               "function sinew.update(dt)\n"
               "  local ahead = sinew.strength 'left_stick_up' * (1 + %s)\n"
               "  hero.position = hero.position + sinew.vec3(0, 0, ahead * dt)\n"
               "end\n"
               "function sinew.key_pressed(key) if key == 'pad_a' then hero:play('Jump', { fade = 0 }) end end\n"
               "%s";
  open_scene(&h);
  for (int i = 0; i < 270; i++) {
    if (i % 10 == 0) sinew_host_send_strength(h.host, "left_stick_up", 0.5 + 0.5 * sin(0.1 * i));
    if (i == 240 || i == 244) sinew_host_send_key(h.host, "pad_a", i == 240);
    harness_step(&h, 1);
  }
  tap(&h, "f9");
  assert_int_equal(h.host->past.marks[h.host->review.mark].mark.kind, SINEW_MARK_POP);
  save(&h, "0", "-- the same");
  wait_for_words(&h, "nothing differs");
  rerun_drop_result(&h.host->rerun);
  save(&h, "1", "");
  wait_for_words(&h, "differs from");
  harness_close(&h);
}

/* An update that fails in each frame from some on: the seconds run again with the save that mends it. */
static void with_an_update_that_fails(void **state) {
  (void)state;
  harness h;
  scene_text = "local sinew = require 'sinew'\n"
               "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
               "hero:play 'Walk'\n"
               "local speed = %s\n"
               "function sinew.update(dt)\n"
               "  if sinew.frame > 200 then hero.position = hero.position + sinew.vec3(0, 0, dt * speeed) end\n"
               "end\n"
               "%s";
  open_scene(&h);
  harness_step(&h, 270);
  assert_non_null(sinew_scene_problem(h.scene));
  tap(&h, "f9");
  assert_true(h.host->review.is_on);
  bool told = false; /* it stands over the past, too */
  for (int i = 0; i < PROBLEM_LIMIT; i++) told |= h.host->messages.problems[i].text != NULL;
  assert_true(told);
  set_loop(&h, 3, 4);
  save(&h, "1", "speeed = speed");
  wait_for_words(&h, "differs from");
  tap(&h, "escape");
  harness_step(&h, 30);
  assert_null(sinew_scene_problem(h.scene));
  harness_close(&h);
}

/* Feet that stand all the time keep their marks; those that came later and are a minute old go all the same. */
static void with_feet_that_stand_for_minutes(void **state) {
  (void)state;
  if (SANITIZES_THREADS || SANITIZES_ADDRESSES) skip(); /* it counts what is kept, and takes minutes there */
  harness h;
  scene_text =
      "local sinew = require 'sinew'\n"
      "local man = sinew.model 'hero.glb'\n"
      "sinew.actor('first', man):play 'Idle'\n"
      "local hero = sinew.actor('hero', man)\n"
      "function sinew.update(dt)\n"
      "  if sinew.frame %% 8 == 0 then hero:play(sinew.frame %% 16 == 0 and 'Wave' or 'Run', { fade = %s }) end\n"
      "end\n"
      "%s";
  open_scene(&h);
  harness_step(&h, 65 * 60);
  const past_marks *p = &h.host->past;
  double oldest = ring_time(&h.host->ring, h.host->ring.first);
  int minute = p->count, capacity = p->capacity;
  assert_true(minute > 400 && p->marks[0].begin < 1);
  harness_step(&h, 120 * 60);
  assert_true(p->capacity <= 2 * capacity);
  int living = 0, standing = 0;
  for (int i = 0; i < p->count; i++) living += p->marks[i].end >= ring_time(&h.host->ring, h.host->ring.first);
  for (int i = 0; i < p->count; i++) standing += p->marks[i].begin < 1 && p->marks[i].end > oldest + 110;
  assert_true(living > minute / 2 && living <= p->count);
  assert_true(standing > 0);
  harness_close(&h);
}

/* Nobody knows the result of a callback that the clock ended: a message says so, and the rest of the past works. */
static void with_a_callback_that_took_too_long(void **state) {
  (void)state;
  if (SANITIZES_THREADS) skip(); /* instructions are counted there, as signals come too late */
  harness h;
  char words[TIMELINE_TEXT];
  scene_text = "local sinew = require 'sinew'\n"
               "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
               "hero:play 'Walk'\n"
               "function sinew.update(dt) if sinew.frame == 150 and %s == 0 then while true do end end end\n"
               "%s";
  by_clock = true;
  open_scene(&h);
  harness_step(&h, 200);
  by_clock = false;
  assert_non_null(sinew_scene_problem(h.scene));
  tap(&h, "f9");
  assert_true(h.host->review.is_on);
  assert_int_equal(h.host->review.cast.shown_count, 1);
  set_loop(&h, 2, 3);
  save(&h, "1", "");
  wait_for(&h, false);
  assert_true(timeline_say_rerun(h.host, words));
  harness_expect(words, "took longer than allowed");
  /* Before that frame, all is as usual. */
  set_loop(&h, 0.5, 1.5);
  save(&h, "1", "-- again");
  wait_for_words(&h, "");
  tap(&h, "escape");
  harness_step(&h, 30);
  assert_null(sinew_scene_problem(h.scene));
  harness_close(&h);
}

static void write_text(run_log_writer *w, const char *kind, const char *name, const char *text) {
  run_log_write_answer(w, kind, name, &(sinew_answer){.data = text, .size = strlen(text)});
}

/* A window stays open over a script that does not load, and a save mends it: so does the replay. */
static void with_a_script_that_fails_at_first(void **state) {
  (void)state;
  harness h = {.printed = ""};
  char path[] = "/tmp/sinew-test-XXXXXX";
  input nobody = {0};
  int file = mkstemp(path);
  assert_true(file >= 0 && close(file) == 0 && remove(path) == 0);
  run_log_writer *w = run_log_create(path, &(run_log_head){.scale = 1}, false, &h.error);
  assert_non_null(w);
  write_text(w, "scene", "path", "/nowhere/scene.lua");
  write_text(w, "text", "/nowhere/scene.lua", "oops(");
  for (int i = 1; i <= 30; i++) {
    run_log_write(w, 0.01, 64, 48, &nobody);
    if (i != 10) continue;
    run_log_write_save(w, "/nowhere/scene.lua");
    write_text(w, "text", "/nowhere/scene.lua", "print('mended in ' .. require('sinew').frame)");
  }
  run_log_end(w);
  harness_open_replay(&h, path);
  assert_non_null(sinew_scene_problem(h.scene));
  if (!sinew_host_run(h.host, &h.error)) fail_msg("%s", h.error.message);
  assert_null(sinew_scene_problem(h.scene));
  assert_non_null(strstr(h.printed, "mended in 1"));
  sinew_scene_destroy(h.scene);
  sinew_host_destroy(h.host);
  remove(path);
}

/* Wherever the look back goes, the one who is followed stands in the picture as he did; afterwards all is as before. */
static void the_camera_goes_back(const char *how) {
  harness h;
  char text[1024];
  text_format(text, sizeof text,
              "local sinew = require 'sinew'\n"
              "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
              "hero:play 'Idle'\n"
              "%s\n"
              "function sinew.update(dt)\n"
              "  hero.position = hero.position + sinew.vec3(0, 0, dt * 6)\n"
              "  if eye then sinew.camera.target, sinew.camera.position = hero.position, hero.position + eye end\n"
              "  if sinew.frame == 200 then hero:play('Jump', { fade = %%s }) end\n"
              "end\n"
              "%%s",
              how);
  scene_text = text;
  open_scene(&h);
  harness_step(&h, 230);
  const cast *shown = &h.host->review.cast;
  sinew_camera before = h.host->camera;
  tap(&h, "f9");
  for (int i = 0; i < 3; i++) {
    review_seek(&h.host->review, &h.host->ring, 1.5 + i);
    harness_step(&h, 1);
    float walked = 23 - shown->shown[0].transform.translation.z, gone = before.target.z - h.host->camera.target.z;
    assert_true(walked > 1);
    assert_float_equal(gone, walked, 0.11); /* a frame, which a camera that follows may be late */
    assert_float_equal(before.position.z - h.host->camera.position.z, gone, 1e-4);
    assert_float_equal(h.host->camera.position.x, before.position.x, 1e-4);
  }
  tap(&h, "escape");
  harness_step(&h, 1);
  assert_true(h.host->camera.target.z >= before.target.z);
  harness_close(&h);
}

static void the_camera_goes_back_with_whom_it_follows(void **state) {
  (void)state;
  the_camera_goes_back("local eye = sinew.vec3(3, 1, 4)");
  the_camera_goes_back("require('sinew.camera').follow(hero, { distance = 4 })");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(while_a_model_is_on_its_way),
      cmocka_unit_test(with_a_gamepad),
      cmocka_unit_test(with_an_update_that_fails),
      cmocka_unit_test(with_a_script_that_fails_at_first),
      cmocka_unit_test(with_a_callback_that_took_too_long),
      cmocka_unit_test(with_feet_that_stand_for_minutes),
      cmocka_unit_test(the_camera_goes_back_with_whom_it_follows),
  };
  return run_tests_of_the_past(tests);
}
