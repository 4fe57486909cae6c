/* Sync with clips that do not simply loop. */
#include "pair.h"

static sinew_action play_in_step(world *w, int clip, sinew_loop_mode loop, double speed) {
  sinew_play_def def = sinew_play_def_default();
  def.clip = clip, def.fade = 0, def.weight = 0.5f, def.solo = false, strcpy(def.sync_group, "legs"), def.loop = loop;
  def.speed = speed;
  sinew_action action = sinew_actor_play(w->stage, w->actor, &def, NULL);
  assert_int_not_equal(action.id, 0);
  return action;
}

/* There and back is one cycle: of 2 s, with one of 1 s, 1.5 s for both. The clip goes from 0 to 2. */
static void a_ping_pong_in_sync_goes_there_and_back_in_one_cycle(void **state) {
  world *w = *state;
  play_in_step(w, 0, SINEW_LOOP_FOREVER, 1); /* stands at 1 */
  play_in_step(w, 2, SINEW_LOOP_PING_PONG, 1);
  double last = 0;
  for (int i = 1; i <= 600; i++) {
    sinew_stage_update(w->stage, 0.01);
    double share = fmod(i * 0.01 / 1.5, 1), there = 2 * (share < 0.5 ? 2 * share : 2 - 2 * share);
    assert_near(tip(w), 0.5 * 1 + 0.5 * there, 1e-4);
    assert_true(fabs(tip(w) - last) < 0.6); /* and never leaps */
    last = tip(w);
  }
}

static void a_ping_pong_in_sync_may_run_backwards(void **state) {
  world *w = *state;
  play_in_step(w, 0, SINEW_LOOP_FOREVER, -1);
  play_in_step(w, 2, SINEW_LOOP_PING_PONG, -1);
  sinew_stage_update(w->stage, 0);
  double last = tip(w);
  for (int i = 0; i < 600; i++) {
    sinew_stage_update(w->stage, 0.01);
    assert_true(fabs(tip(w) - last) < 0.02);
    last = tip(w);
  }
}

static void set_speed(world *w, sinew_action action, double speed) {
  sinew_play_def now;
  assert_true(sinew_action_read_state(w->stage, action, &now));
  now.speed = speed;
  assert_true(sinew_action_set_state(w->stage, action, &now));
}

/* Clips in sync play on together. */
static void a_huge_speed_does_no_harm(void **state) {
  static const double speeds[] = {1e300, -1e300, 1e20, -1e20, 3e18, 9.3e18, 1e15};
  world *w = *state;
  sinew_action action = play_in_step(w, 0, SINEW_LOOP_FOREVER, 1);
  play_in_step(w, 2, SINEW_LOOP_PING_PONG, 1);
  for (int i = 0; i < 100; i++) {
    set_speed(w, action, speeds[i % 7]);
    sinew_stage_update(w->stage, i % 3 ? 1e20 : 0.01);
    assert_true(isfinite(tip(w)));
  }
  set_speed(w, action, 1);
  double before = tip(w);
  sinew_stage_update(w->stage, 0.01);
  assert_true(isfinite(tip(w)) && fabs(tip(w) - before) < 0.6);
}

/* Of two clips of a second, one has a stride and the other two: a stride of both takes the mean, 0.75 s, at any rate of
 * frames, and the other one plays half of its loop in it. */
static void a_clip_of_two_cycles_matches_one_of_one(void **state) {
  static const int rates[] = {30, 60, 144};
  for (int r = 0; r < 3; r++) {
    if (r) tear_down(state), set_up(state);
    world *w = *state;
    sinew_play_def def = sinew_play_def_default();
    def.clip = 2, def.fade = 0, def.weight = 0.5f, def.solo = false, strcpy(def.sync_group, "legs");
    sinew_action one = sinew_actor_play(w->stage, w->actor, &def, NULL);
    def.cycles = 2;
    sinew_action two = sinew_actor_play(w->stage, w->actor, &def, NULL);
    for (int i = 1; i <= 6 * rates[r]; i++) {
      sinew_play_def a, b;
      sinew_stage_update(w->stage, 1.0 / rates[r]);
      assert_true(sinew_action_read_state(w->stage, one, &a) && sinew_action_read_state(w->stage, two, &b));
      double strides = (double)i / rates[r] / 0.75; /* of 1 s and of 0.5 s */
      double loops[2] = {(double)sinew_action_loops(w->stage, one), (double)sinew_action_loops(w->stage, two)};
      double off = remainder(loops[0] + a.time - strides, 1), second = loops[1] + b.time - strides / 2;
      assert_near(off, 0, 1e-9);
      assert_near(remainder(second, 1), 0, 1e-9);
      assert_int_equal(b.cycles, 2);
    }
  }
}

static void cycles_out_of_range_are_refused(void **state) {
  world *w = *state;
  sinew_play_def def = sinew_play_def_default();
  sinew_error error;
  sinew_play_def s;
  sinew_action action = sinew_actor_play(w->stage, w->actor, &def, NULL);
  assert_true(sinew_action_read_state(w->stage, action, &s));
  for (int cycles = -1; cycles <= 9; cycles++) {
    bool fits = cycles >= 0 && cycles <= SINEW_MAX_CYCLES;
    def.cycles = s.cycles = cycles;
    assert_int_equal(sinew_actor_play(w->stage, w->actor, &def, &error).id != 0, fits);
    assert_int_equal(sinew_action_set_state(w->stage, action, &s), fits);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_WORLD(a_ping_pong_in_sync_goes_there_and_back_in_one_cycle),
      WITH_WORLD(a_ping_pong_in_sync_may_run_backwards),
      WITH_WORLD(a_clip_of_two_cycles_matches_one_of_one),
      WITH_WORLD(cycles_out_of_range_are_refused),
      WITH_WORLD(a_huge_speed_does_no_harm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
