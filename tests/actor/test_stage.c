/* Actions of an actor: crossfades, weights, and the rules that a person notices. */
#include "pair.h"

#include "base/memory/memory.h"

static void an_actor_without_actions_rests(void **state) {
  world *w = *state;
  const sinew_mat3x4 *before_any_update = sinew_actor_joints(w->stage, w->actor);
  assert_near(before_any_update[1].m[0] + before_any_update[1].m[5] + before_any_update[1].m[10], 3, 1e-6);
  sinew_stage_update(w->stage, 0.1);
  assert_near(tip(w), 0, 0);
  assert_string_equal(sinew_actor_name(w->stage, w->actor), "hero");
}

static void a_crossfade_is_linear_and_the_old_action_ends(void **state) {
  world *w = *state;
  sinew_action a = play(w, 0, 0, 1, true, 0), b = play(w, 1, 0.5, 1, true, 0);
  assert_true(sinew_action_is_stopping(w->stage, a));
  for (int i = 1; i <= 4; i++) {
    sinew_stage_update(w->stage, 0.1);
    assert_near(tip(w), 1 + 2 * 0.2 * i, 1e-5);
  }
  sinew_stage_update(w->stage, 0.1);
  assert_near(tip(w), 3, 1e-6);
  assert_false(sinew_action_is_valid(w->stage, a));
  assert_true(sinew_action_is_valid(w->stage, b));
}

static void each_ease_shapes_a_fade(void **state) {
  world *w = *state;
  for (double t = 0.2; t < 0.9; t += 0.2) {
    const double shares[] = {t, t * t, 1 - (1 - t) * (1 - t), 3 * t * t - 2 * t * t * t};
    for (int i = 0; i < 4; i++) {
      sinew_play_def def = sinew_play_def_default();
      play(w, 0, 0, 1, true, 0);
      def.clip = 1, def.fade = 0.5, def.ease = (sinew_ease)i;
      sinew_actor_play(w->stage, w->actor, &def, NULL);
      sinew_stage_update(w->stage, t * def.fade);
      assert_near(tip(w), 1 + 2 * shares[i], 1e-5);
    }
  }
}

/* C goes on from 0.5 beneath a crossfade, and stands beneath a frozen one. */
static void a_frozen_fade_comes_from_a_standing_picture(void **state) {
  world *w = *state;
  for (int frozen = 0; frozen < 2; frozen++) {
    sinew_play_def def = sinew_play_def_default();
    play(w, 2, 0, 1, true, 0);
    sinew_stage_update(w->stage, 0.25);
    def.clip = 1, def.fade = 0.5, def.kind = frozen ? SINEW_TRANSITION_FROZEN : SINEW_TRANSITION_CROSSFADE;
    sinew_actor_play(w->stage, w->actor, &def, NULL);
    sinew_stage_update(w->stage, 0.25);
    assert_near(tip(w), 0.5 * 3 + 0.5 * (frozen ? 0.5 : 1), 1e-5);
  }
}

static void an_interrupted_crossfade_does_not_jump(void **state) {
  world *w = *state;
  play(w, 0, 0, 1, true, 0);
  play(w, 1, 0.5, 1, true, 0);
  sinew_stage_update(w->stage, 0.25);
  double before = tip(w);
  play(w, 0, 0.5, 1, true, 0);
  sinew_stage_update(w->stage, 1e-4);
  assert_near(tip(w), before, 2e-3);
}

static void a_clip_crossfades_with_itself(void **state) {
  world *w = *state;
  play(w, 2, 0, 1, true, 0);
  sinew_stage_update(w->stage, 0.5);
  assert_near(tip(w), 1, 1e-6);
  sinew_action again = play(w, 2, 0.2, 1, true, 0);
  assert_int_equal(sinew_actor_action_count(w->stage, w->actor, 0), 2);
  sinew_stage_update(w->stage, 0.1); /* half of the old at 0.6 s, half of the new at 0.1 s */
  assert_near(tip(w), 0.5 * 1.2 + 0.5 * 0.2, 1e-5);
  sinew_stage_update(w->stage, 0.1);
  assert_int_equal(sinew_actor_action_count(w->stage, w->actor, 0), 1);
  assert_true(sinew_action_is_valid(w->stage, again));
}

/* Clip 3 moves the base alone, the others the tip alone. A whole one of each is a whole of both; less is so much less.
 */
static void weighted_actions_share_and_whole_ones_do_not_dilute(void **state) {
  world *w = *state;
  play(w, 0, 0, 0.25f, false, 0);
  play(w, 1, 0, 0.75f, false, 0);
  sinew_action third = play(w, 3, 0, 1, false, 0);
  sinew_stage_update(w->stage, 0);
  assert_near(tip(w), 2.5, 1e-5);
  assert_near(base(w), 10, 1e-5);
  sinew_play_def s;
  assert_true(sinew_action_read_state(w->stage, third, &s));
  s.weight = 0.4f;
  assert_true(sinew_action_set_state(w->stage, third, &s));
  sinew_stage_update(w->stage, 0);
  assert_near(tip(w), 2.5, 1e-5);
  assert_near(base(w), 4, 1e-3);
}

/* The tip moves in the first alone, and the base in the second: each comes and goes with its clip. */
static void a_joint_of_one_clip_fades_evenly(void **state) {
  world *w = *state;
  play(w, 0, 0, 1, true, 0);
  sinew_stage_update(w->stage, 0);
  assert_near(tip(w), 1, 1e-5);
  play(w, 3, 1, 1, true, 0);
  for (int i = 1; i <= 100; i++) {
    sinew_stage_update(w->stage, 0.01);
    assert_near(tip(w), 1 - 0.01 * i, 2e-4);
    assert_near(base(w), 0.1 * i, 2e-3);
  }
}

static void fading_the_only_action_does_not_snap(void **state) {
  world *w = *state;
  sinew_action b = play(w, 1, 0, 1, true, 0);
  sinew_action_stop(w->stage, b, 1);
  double last = 3;
  for (int i = 0; i < 1010; i++) {
    sinew_stage_update(w->stage, 0.001);
    assert_true(last - tip(w) < 0.04);
    last = tip(w);
  }
  assert_near(last, 0, 0);
}

static void many_plays_stay_bounded_and_smooth(void **state) {
  world *w = *state;
  for (int i = 0; i < 500; i++) {
    play(w, i % 2, 2, 1, true, 0);
    sinew_stage_update(w->stage, 0.001);
    assert_true(tip(w) >= 0 && tip(w) <= 3.0001);
  }
  assert_true(sinew_actor_action_count(w->stage, w->actor, 0) <= 32);
}

static void strange_steps_do_no_harm(void **state) {
  world *w = *state;
  play(w, 2, 0.2, 1, true, 0);
  double steps[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300, -0.1, 0};
  for (int i = 0; i < 7; i++) {
    sinew_stage_update(w->stage, steps[i]);
    assert_true(isfinite(tip(w)));
  }
}

static void a_warm_update_allocates_nothing(void **state) {
  world *w = *state;
  play(w, 0, 0, 1, true, 0);
  int layer = sinew_actor_add_layer(w->stage, w->actor, "upper", NULL, NULL);
  play(w, 1, 1, 1, true, layer);
  sinew_stage_update(w->stage, 0.01);
  uint64_t before = mem_request_count();
  for (int i = 0; i < 200; i++) sinew_stage_update(w->stage, 0.01);
  assert_int_equal(mem_request_count(), before);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_WORLD(an_actor_without_actions_rests),
      WITH_WORLD(a_crossfade_is_linear_and_the_old_action_ends),
      WITH_WORLD(each_ease_shapes_a_fade),
      WITH_WORLD(a_frozen_fade_comes_from_a_standing_picture),
      WITH_WORLD(an_interrupted_crossfade_does_not_jump),
      WITH_WORLD(a_clip_crossfades_with_itself),
      WITH_WORLD(weighted_actions_share_and_whole_ones_do_not_dilute),
      WITH_WORLD(a_joint_of_one_clip_fades_evenly),
      WITH_WORLD(fading_the_only_action_does_not_snap),
      WITH_WORLD(many_plays_stay_bounded_and_smooth),
      WITH_WORLD(strange_steps_do_no_harm),
      WITH_WORLD(a_warm_update_allocates_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
