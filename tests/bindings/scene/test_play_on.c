/* From a moment of the past on: the run is what it was, what is pressed now counts from there, and the run that was
 * left comes back. */
#include "bindings/scene/past.h"

enum { FRAMES = 270, ON = 60 };

static const char walk_text[] = "local sinew = require 'sinew'\n"
                                "local hero = sinew.actor('hero', sinew.model('hero.glb', { wait = false }))\n"
                                "local told = 0\n"
                                "hero:play 'Idle'\n"
                                "function sinew.update(dt)\n"
                                "  local step = sinew.is_down 'w' and 1 or 0.1\n"
                                "  hero.position = hero.position + sinew.vec3(math.random() * dt, 0, dt * step)\n"
                                "  if sinew.frame == 240 then hero:play('Jump', { fade = %s }) end\n"
                                "  told = told + 1\n"
                                "end\n"
                                "function sinew.key_released(key) if key == 'w' then print 'w is up' end end\n"
                                "function sinew.key_pressed(key) if key == 't' then print('told', told) end end\n"
                                "%s";

/* The poses of all actors and where they stand. */
static uint64_t state_of(sinew_host *host) {
  uint64_t hash = 14695981039346656037u;
  for (int i = 0; i < sinew_stage_actor_count(host->stage); i++) {
    sinew_actor actor = sinew_stage_actor(host->stage, i);
    sinew_pose pose = sinew_actor_pose(host->stage, actor);
    sinew_transform at = sinew_actor_transform(host->stage, actor);
    const unsigned char *bytes[] = {(const unsigned char *)pose.groups, (const unsigned char *)&at};
    size_t sizes[] = {(size_t)sinew_pose_group_count(pose.joint_count) * sizeof *pose.groups, sizeof at};
    for (int k = 0; k < 2; k++)
      for (size_t b = 0; b < sizes[k]; b++) hash = (hash ^ bytes[k][b]) * 1099511628211u;
  }
  return hash;
}

static uint64_t states[FRAMES + 400];

static void follow(harness *h, int frames) {
  for (int i = 0; i < frames; i++) {
    harness_step(h, 1);
    states[h->host->frame] = state_of(h->host);
  }
}

/* W is held from frame 100 to 150. */
static void run(harness *h) {
  scene_text = walk_text;
  memset(states, 0, sizeof states);
  open_scene(h);
  follow(h, 100);
  sinew_host_send_key(h->host, "w", true);
  follow(h, 50);
  sinew_host_send_key(h->host, "w", false);
  follow(h, FRAMES - 150);
  sinew_host_send_key(h->host, "f9", true);
  follow(h, 1);
  sinew_host_send_key(h->host, "f9", false);
  harness_step(h, 1);
  assert_true(h->host->review.is_on);
}

/* Enter, and frames until the window is in another run. */
static void play_on(harness *h) {
  assert_true(sinew_host_send_key(h->host, "enter", true));
  harness_step(h, 1);
  assert_true(sinew_host_send_key(h->host, "enter", false));
  for (int i = 0; i < 2000 && h->host->review.is_on; i++) harness_step(h, 1);
  if (h->host->review.is_on) fail_msg("still looking back: %s", h->host->branch.problem);
}

static void go_to(harness *h, int64_t frame) {
  h->host->review.at = (double)frame / 60;
  harness_step(h, 1);
}

static void ctrl_z(harness *h) {
  sinew_host_send_key(h->host, "left_ctrl", true);
  tap(h, "z");
  sinew_host_send_key(h->host, "left_ctrl", false);
}

/* ---- */

static void the_run_goes_on_as_it_was(void **state) {
  (void)state;
  harness h;
  run(&h);
  double then = h.host->time;
  go_to(&h, 200);
  play_on(&h);
  assert_true(h.host->frame >= 199 && h.host->frame <= 203);
  assert_true(states[h.host->frame] == state_of(h.host)); /* the first frame after it is as it was */
  while (h.host->frame < FRAMES) {
    harness_step(&h, 1);
    assert_true(states[h.host->frame] == state_of(h.host));
  }
  assert_null(strstr(h.printed, "told"));
  h.printed[0] = 0;
  tap(&h, "t"); /* what is printed from now on is heard */
  char told[32];
  snprintf(told, sizeof told, "told\t%d\n", FRAMES);
  assert_string_equal(h.printed, told);
  /* Another key, another run. */
  sinew_host_send_key(h.host, "w", true);
  harness_step(&h, 2);
  uint64_t other = state_of(h.host);
  assert_true(other != states[FRAMES]);
  /* The run that was left is unchanged, to the bit. */
  sinew_host_send_key(h.host, "w", false);
  tap(&h, "f9");
  ctrl_z(&h);
  harness_step(&h, 1);
  assert_false(h.host->review.is_on);
  assert_true(h.host->time > then && h.host->time < then + 0.2);
  /* And back again. */
  tap(&h, "f9");
  ctrl_z(&h);
  assert_true(h.host->frame >= FRAMES + 2 && h.host->frame < FRAMES + 12);
  harness_close(&h);
}

/* The new run has a recording of its own, which repeats it, edit and all. */
static void an_edit_is_part_of_the_run(void **state) {
  (void)state;
  harness h;
  run(&h);
  save(&h, "0.5", "print 'mended'");
  wait_for(&h, true);
  go_to(&h, 250);
  play_on(&h);
  assert_true(states[h.host->frame] != state_of(h.host));
  harness_step(&h, ON);
  assert_null(strstr(h.printed, "mended")); /* it was told then, and not again */
  int64_t last = h.host->frame;
  uint64_t here = state_of(h.host);
  harness again = {.printed = ""};
  harness_open_replay(&again, h.host->log_path);
  assert_true(sinew_host_run(again.host, &h.error));
  assert_int_equal(sinew_host_frame(again.host), last);
  assert_true(state_of(again.host) == here);
  sinew_scene_destroy(again.scene);
  sinew_host_destroy(again.host);
  /* A save from now on is for both: the one that was left hears of it when it is back. */
  save(&h, "0.5", "print 'later'");
  for (int i = 0; i < 200 && !strstr(h.printed, "later"); i++) {
    struct timespec pause = {0, 10000000};
    harness_step(&h, 1);
    nanosleep(&pause, NULL);
  }
  assert_non_null(strstr(h.printed, "later"));
  h.printed[0] = 0;
  tap(&h, "f9");
  ctrl_z(&h);
  harness_step(&h, 2);
  assert_non_null(strstr(h.printed, "later"));
  harness_close(&h);
}

/* From a moment before the edit, the save comes with the first frame that is new. */
static void a_save_that_comes_later_is_told(void **state) {
  (void)state;
  harness h;
  run(&h);
  save(&h, "0.5", "print 'mended'");
  wait_for(&h, true);
  go_to(&h, 30);
  play_on(&h);
  harness_step(&h, 2);
  assert_non_null(strstr(h.printed, "mended"));
  /* And from there on once more. */
  harness_step(&h, 60);
  tap(&h, "f9");
  go_to(&h, 60);
  play_on(&h);
  assert_true(h.host->frame < 70);
  harness_step(&h, 30);
  harness_close(&h);
}

/* Then it was down, and now it is not: the scene is told. */
static void a_key_that_was_down_then_is_let_go(void **state) {
  (void)state;
  harness h;
  run(&h);
  go_to(&h, 120);
  h.printed[0] = 0;
  play_on(&h);
  harness_step(&h, 2);
  assert_string_equal(h.printed, "w is up\n");
  assert_false(sinew_host_is_down(h.host, "w"));
  harness_close(&h);
}

static const char stick_text[] = "local sinew = require 'sinew'\n"
                                 "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
                                 "hero:play 'Idle'\n"
                                 "function sinew.update(dt)\n"
                                 "  local ahead = sinew.strength 'left_stick_up' * (1 + %s)\n"
                                 "  hero.position = hero.position + sinew.vec3(0, 0, ahead * dt)\n"
                                 "end\n%s";

static double stick(const harness *h) { return sinew_host_strength(h->host, "left_stick_up"); }

/* A stick counts as it was until the moment, and as it is from there on, in the run and in its recording; the run that
 * was left has it as it was when it comes back. */
static void a_stick_counts_as_it_is_from_there_on(void **state) {
  static const double now[] = {0, 0.5}; /* while the run goes on; it was pushed 0.75 at the moment, then 0.5 */
  (void)state;
  for (int i = 0; i < 2; i++) {
    harness h;
    scene_text = stick_text;
    open_scene(&h);
    for (int frame = 0; frame < FRAMES; frame++) {
      if (frame == 60) sinew_host_send_strength(h.host, "left_stick_up", 0.75);
      if (frame == 150) sinew_host_send_strength(h.host, "left_stick_up", now[i]);
      harness_step(&h, 1);
    }
    tap(&h, "f9");
    go_to(&h, 120);
    play_on(&h);
    harness_step(&h, 5);
    assert_true(stick(&h) == now[i]);
    sinew_host_send_strength(h.host, "left_stick_up", 0.25);
    harness_step(&h, ON);
    uint64_t here = state_of(h.host);
    harness again = {.printed = ""};
    harness_open_replay(&again, h.host->log_path);
    assert_true(sinew_host_run(again.host, &h.error));
    assert_true(state_of(again.host) == here);
    sinew_scene_destroy(again.scene);
    sinew_host_destroy(again.host);
    tap(&h, "f9");
    ctrl_z(&h);
    harness_step(&h, 3);
    assert_false(h.host->review.is_on);
    assert_true(h.host->frame > FRAMES && stick(&h) == 0.25);
    harness_close(&h);
  }
}

static void escape_stops_it(void **state) {
  (void)state;
  harness h;
  run(&h);
  go_to(&h, 250);
  sinew_host_send_key(h.host, "enter", true);
  sinew_host_send_key(h.host, "escape", true);
  harness_step(&h, 1);
  assert_true(h.host->review.is_on);
  assert_null(h.host->branch.other);
  sinew_host_send_key(h.host, "enter", false);
  sinew_host_send_key(h.host, "escape", false);
  harness_step(&h, 3);
  assert_true(h.host->review.is_on);
  tap(&h, "escape");
  assert_false(h.host->review.is_on);
  harness_close(&h);
}

/* A run that broke off by the clock cannot be repeated past that: a sentence says so. */
static void what_cannot_be_repeated_says_so(void **state) {
  (void)state;
  harness h;
  char words[TIMELINE_TEXT];
  run(&h);
  run_log_write_strike(h.host->log, "update"); /* in its last frame */
  h.host->review.at = h.host->time;
  harness_step(&h, 1);
  assert_true(sinew_host_send_key(h.host, "enter", true));
  for (int i = 0; i < 2000 && !h.host->branch.problem[0]; i++) harness_step(&h, 1);
  assert_true(h.host->review.is_on);
  assert_true(timeline_say_rerun(h.host, words));
  assert_non_null(strstr(words, "'update' took longer than allowed"));
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_run_goes_on_as_it_was),          cmocka_unit_test(an_edit_is_part_of_the_run),
      cmocka_unit_test(a_save_that_comes_later_is_told),    cmocka_unit_test(escape_stops_it),
      cmocka_unit_test(a_key_that_was_down_then_is_let_go), cmocka_unit_test(a_stick_counts_as_it_is_from_there_on),
      cmocka_unit_test(what_cannot_be_repeated_says_so),
  };
  return run_tests_of_the_past(tests);
}
