/* Saves as editors make them, under a running host that watches: by renaming, in pieces, in quick succession. Frames
 * are counted, 25 ms apart: a file counts as saved once its size and time have held for 20. */
#include "bindings/scene/watched.h"

static const char *const scene =
    "local man = sinew.model 'hero.glb'\n"
    "local hero = sinew.actor('hero', man, { position = { 1, 0, 0 } })\n"
    "hero:play('Walk', { fade = 0 })\n"
    "-- here a prefix ends that is a scene of its own\n"
    "local tune = sinew.keep('tune', { speed = 1 })\n"
    "local pal = sinew.actor('pal', man)\n"
    "local idle = pal:play('Idle', { fade = 0 })\n"
    "hero:layer('arm', { mask = { Head = 1 } }):play('Wave', { fade = 0 })\n"
    "sinew.camera.position = { 0, 2, 5 }\n"
    "sinew.on('key_pressed', function() tune.speed = 3 idle.speed = 0.5 sinew.camera.position = { 7, 7, 7 }\n"
    "  pal.position = { 4, 4, 4 } hero:layer('arm').weight = 0.25 end)\n"
    "function sinew.draw() print(tune.speed) end\n";

static void open_scene(harness *h, const char *text) {
  open_watched(h);
  if (!harness_load(h, text, NULL)) fail_msg("%s", h->error.message);
  harness_step(h, 2);
}

static void wait_and_step(harness *h) {
  pause_for(0.025);
  harness_step(h, 1);
}

/* The number of frames until the summary of the last load contains these words. */
static int frames_until(harness *h, const char *words) {
  for (int frame = 1; frame <= 40; frame++) {
    wait_and_step(h);
    if (strstr(sinew_scene_summary(h->scene), words)) return frame;
  }
  fail_msg("the save is not seen: %s", sinew_scene_summary(h->scene));
  return 0;
}

static void edit(char out[4096], const char *text, const char *from, const char *to) {
  const char *at = strstr(text, from);
  assert_non_null(at);
  snprintf(out, 4096, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

static double clip_time(const harness *h, const char *name) {
  const sinew_stage *stage = sinew_host_stage(h->host);
  sinew_play_def state;
  sinew_actor actor = sinew_scene_find_actor(h->scene, name);
  assert_true(sinew_action_read_state(stage, sinew_actor_action(stage, actor, 0, 0), &state));
  return state.time;
}

/* One frame sees that something is going on, the next that it has held. */
static void a_save_is_there_in_three_frames(void **state) {
  (void)state;
  harness h;
  char text[4096];
  open_scene(&h, scene);
  edit(text, scene, "{ 1, 0, 0 }", "{ 2, 0, 0 }");
  harness_write(h.path, text);
  assert_in_range(frames_until(&h, "hero.position 1 0 0 → 2 0 0"), 1, 3);
  harness_close(&h);
}

static void a_save_by_rename_is_there_in_three_frames(void **state) {
  (void)state;
  harness h;
  char text[4096], beside[128];
  open_scene(&h, scene);
  for (int i = 2; i < 5; i++) { /* each puts another file in its place */
    char position[64], words[64];
    snprintf(position, sizeof position, "{ %d, 0, 0 }", i);
    snprintf(words, sizeof words, "→ %d 0 0", i);
    snprintf(beside, sizeof beside, "%s/.scene.lua.swp%d", h.folder, i);
    edit(text, scene, "{ 1, 0, 0 }", position);
    harness_write(beside, text);
    assert_int_equal(rename(beside, h.path), 0);
    assert_in_range(frames_until(&h, words), 1, 3);
  }
  harness_close(&h);
}

/* Emptied, then a prefix that is a scene, then the whole: held long enough for each to count. */
static void a_save_in_pieces_loses_nothing(void **state) {
  (void)state;
  harness h;
  open_scene(&h, scene);
  const sinew_stage *stage = sinew_host_stage(h.host);
  assert_true(sinew_host_send_key(h.host, "e", true));
  for (int i = 0; i < 5; i++) wait_and_step(&h);
  sinew_actor pal = sinew_scene_find_actor(h.scene, "pal");
  double idle = clip_time(&h, "pal"), walk = clip_time(&h, "hero");
  FILE *file = fopen(h.path, "wb");
  assert_non_null(file);
  int frames = 0;
  for (; !sinew_host_problem(h.host, 0) && frames < 40; frames++) wait_and_step(&h);
  harness_expect(sinew_host_problem(h.host, 0), "is empty");
  assert_true(sinew_scene_find_actor(h.scene, "pal").id == pal.id);
  idle += frames * 0.5 / 60;
  int emptied = frames;
  const char *rest = strstr(scene, "-- here");
  fwrite(scene, 1, (size_t)(rest - scene), file);
  fflush(file);
  frames += frames_until(&h, "pal is gone");
  idle += (frames - emptied - 1) * 0.5 / 60; /* until the frame in which it went */
  assert_null(sinew_host_problem(h.host, 0));
  for (int i = 0; i < 20; i++) wait_and_step(&h);
  frames += 20;
  assert_true(sinew_actor_opacity(stage, pal) == 0.0f);
  assert_true(sinew_host_camera(h.host)->position.z == sinew_camera_default().position.z);
  fputs(rest, file);
  fclose(file);
  frames += frames_until(&h, "pal is back");
  assert_true(sinew_scene_find_actor(h.scene, "pal").id == pal.id);
  sinew_play_def action;
  assert_int_equal(sinew_actor_action_count(stage, pal, 0), 1);
  assert_true(sinew_action_read_state(stage, sinew_actor_action(stage, pal, 0, 0), &action));
  assert_true(action.speed == 0.5);
  assert_true(fabs(action.time - idle - 0.5 / 60) < 1e-9);
  assert_true(fabs(clip_time(&h, "hero") - walk - frames / 60.0) < 1e-9);
  assert_true(sinew_actor_transform(stage, pal).translation.y == 4.0f);
  assert_true(sinew_host_camera(h.host)->position.z == 7.0f);
  sinew_actor hero = sinew_scene_find_actor(h.scene, "hero");
  assert_true(sinew_actor_layer(stage, hero, sinew_actor_find_layer(stage, hero, "arm")).weight == 0.25f);
  h.printed[0] = 0;
  harness_step(&h, 1);
  assert_string_equal(h.printed, "3\n"); /* what `keep` had become */
  harness_close(&h);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Where somebody is slow to write, what breaks off is no error until it stays so. */
static void a_save_that_breaks_off_is_waited_for(void **state) {
  static const char *const parts[] = {"", "local man = sinew.model 'hero.glb'\nlocal t = { { 1, 2 },", "--[[ all of"};
  harness h;
  (void)state;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    open_scene(&h, scene);
    sinew_actor pal = sinew_scene_find_actor(h.scene, "pal");
    harness_write(h.path, parts[i]);
    double begun = seconds();
    for (bool waits = true; waits;) {
      wait_and_step(&h);
      const char *problem = sinew_host_problem(h.host, 0);
      waits = seconds() - begun < 0.1;
      if (waits && problem) fail_msg("part %zu: %s", i, problem);
    }
    assert_true(sinew_scene_find_actor(h.scene, "pal").id == pal.id);
    harness_write(h.path, scene);
    frames_until(&h, "reloaded");
    assert_null(sinew_host_problem(h.host, 0));
    for (int k = 0; k < 8; k++) wait_and_step(&h);
    assert_null(sinew_host_problem(h.host, 0));
    harness_write(h.path, parts[i]);
    for (int k = 0; k < 40 && !sinew_host_problem(h.host, 0); k++) wait_and_step(&h);
    harness_expect(sinew_host_problem(h.host, 0), parts[i][0] ? "<eof>" : "is empty");
    harness_close(&h);
  }
}

/* Each save lands in the middle of the wait for the one before. */
static void ten_saves_in_a_second_end_with_the_last(void **state) {
  (void)state;
  harness h;
  char text[4096], position[64];
  open_scene(&h, scene);
  double walk = clip_time(&h, "hero");
  int frames = 0;
  for (int i = 1; i <= 10; i++) {
    snprintf(position, sizeof position, "{ %d, 0, 0 }", 10 + i);
    edit(text, scene, "{ 1, 0, 0 }", i == 5 ? "{ oops" : position);
    harness_write(h.path, text);
    for (int k = 0; k < 4; k++, frames++) wait_and_step(&h);
  }
  frames += frames_until(&h, "→ 20 0 0");
  assert_null(sinew_scene_problem(h.scene));
  assert_true(fabs(clip_time(&h, "hero") - walk - frames / 60.0) < 1e-9);
  assert_int_equal(sinew_stage_actor_count(sinew_host_stage(h.host)), 2);
  harness_close(&h);
}

/* A module that a module requires is part of the scene, and what depends on it runs again. */
static void a_module_two_levels_down_is_seen(void **state) {
  (void)state;
  harness h;
  char upper[128], lower[128];
  open_watched(&h);
  snprintf(upper, sizeof upper, "%s/upper.lua", h.folder);
  snprintf(lower, sizeof lower, "%s/lower.lua", h.folder);
  harness_write(upper, "return { place = { require('lower').x, 0, 0 } }");
  harness_write(lower, "return { x = 1 }");
  assert_true(
      harness_load(&h, "sinew.actor('hero', sinew.model 'hero.glb', { position = require('upper').place })", NULL));
  harness_step(&h, 2);
  harness_write(lower, "return { x = 6 }");
  assert_in_range(frames_until(&h, "hero.position 1 0 0 → 6 0 0"), 1, 3);
  harness_write(lower, "return { x = }");
  for (int i = 0; i < 4; i++) wait_and_step(&h);
  harness_expect(sinew_host_problem(h.host, 0), "return { x = }");
  harness_write(lower, "return { x = 7 }");
  assert_in_range(frames_until(&h, "→ 7 0 0"), 1, 3);
  assert_null(sinew_host_problem(h.host, 0));
  harness_close(&h);
}

static bool misses_a_file(const harness *h) {
  const char *problem = sinew_host_problem(h->host, 0);
  return problem && strstr(problem, "no file");
}

/* A checkout writes one file after the other: what the first of them asks for may come last. */
static void what_comes_after_the_scene_is_seen(void **state) {
  static const char *const wants[][2] = {{"later.lua", "require 'later'\n"},
                                         {"later.glb", "sinew.model 'later.glb'\n"}};
  (void)state;
  for (int i = 0; i < 2; i++) {
    harness h;
    char text[4096], path[128];
    open_scene(&h, scene);
    snprintf(text, sizeof text, "%s%s", scene, wants[i][1]);
    harness_write(h.path, text);
    for (int frame = 0; !misses_a_file(&h) && frame < 40; frame++) wait_and_step(&h);
    harness_expect(sinew_host_problem(h.host, 0), wants[i][0]);
    snprintf(path, sizeof path, "%s/%s", h.folder, wants[i][0]);
    harness_write(path, "return 1"); /* which is no model: another problem */
    for (int frame = 0; misses_a_file(&h) && frame < 40; frame++) wait_and_step(&h);
    if (misses_a_file(&h)) fail_msg("%s is not seen", wants[i][0]);
    harness_close(&h);
  }
}

static int count_loads(const harness *h) {
  int count = 0;
  for (const char *at = h->printed; (at = strstr(at, "a load begins")); at++) count++;
  return count;
}

/* What appears outside of the folders that a scene may read does not load it again. */
static void what_comes_outside_is_not_seen(void **state) {
  (void)state;
  harness h;
  char text[4096], outside[160], command[192];
  open_scene(&h, scene);
  snprintf(outside, sizeof outside, "%sb", h.folder);
  assert_int_equal(mkdir(outside, 0700), 0);
  snprintf(text, sizeof text, "print 'a load begins'\nsinew.model '../%s/later.glb'\n", strrchr(outside, '/') + 1);
  harness_write(h.path, text);
  for (int frame = 0; !sinew_host_problem(h.host, 0) && frame < 40; frame++) wait_and_step(&h);
  harness_expect(sinew_host_problem(h.host, 0), "is outside the folders");
  int loads = count_loads(&h);
  assert_in_range(loads, 1, 40);
  snprintf(text, sizeof text, "%s/later.glb", outside);
  harness_write(text, "glTF");
  for (int frame = 0; frame < 12; frame++) wait_and_step(&h);
  assert_int_equal(count_loads(&h), loads);
  snprintf(command, sizeof command, "rm -r '%s'", outside);
  assert_int_equal(system(command), 0);
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_save_is_there_in_three_frames),
      cmocka_unit_test(a_save_by_rename_is_there_in_three_frames),
      cmocka_unit_test(a_save_in_pieces_loses_nothing),
      cmocka_unit_test(a_save_that_breaks_off_is_waited_for),
      cmocka_unit_test(ten_saves_in_a_second_end_with_the_last),
      cmocka_unit_test(a_module_two_levels_down_is_seen),
      cmocka_unit_test(what_comes_after_the_scene_is_seen),
      cmocka_unit_test(what_comes_outside_is_not_seen),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
