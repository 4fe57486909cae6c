/* Properties of actors, crowds and stages: names, settings, stale ids, visibility, opacity. */
#include "pair.h"

#include <sinew/crowd.h>

static void settings_are_read_back_and_bad_ones_refused(void **state) {
  world *w = *state;
  sinew_action c = play(w, 2, 0, 1, true, 0);
  sinew_play_def s;
  assert_true(sinew_action_read_state(w->stage, c, &s));
  s.speed = -2, s.time = 0.9, s.weight = 0.5f;
  assert_true(sinew_action_set_state(w->stage, c, &s));
  sinew_stage_update(w->stage, 0.1);
  assert_true(sinew_action_read_state(w->stage, c, &s));
  assert_near(s.time, 0.7, 1e-9);
  s.paused = true;
  assert_true(sinew_action_set_state(w->stage, c, &s));
  sinew_stage_update(w->stage, 0.1);
  assert_true(sinew_action_read_state(w->stage, c, &s));
  assert_near(s.time, 0.7, 1e-9);
  double bad[] = {NAN, INFINITY};
  for (int i = 0; i < 2; i++) {
    sinew_play_def t = s;
    t.time = bad[i];
    assert_false(sinew_action_set_state(w->stage, c, &t));
    t = s, t.speed = bad[i];
    assert_false(sinew_action_set_state(w->stage, c, &t));
    t = s, t.weight = (float)bad[i];
    assert_false(sinew_action_set_state(w->stage, c, &t));
  }
  s.weight = -1;
  assert_false(sinew_action_set_state(w->stage, c, &s));
}

static void misuse_gets_a_sentence(void **state) {
  world *w = *state;
  sinew_play_def defs[8];
  for (int i = 0; i < 8; i++) defs[i] = sinew_play_def_default();
  defs[0].clip = 4, defs[1].clip = -1, defs[2].layer = 1, defs[3].fade = NAN, defs[4].fade = -1, defs[5].weight = -1;
  defs[6].speed = INFINITY, defs[7].loop = SINEW_LOOP_COUNT, defs[7].loop_count = 0;
  for (int i = 0; i < 8; i++) {
    sinew_error error = {""};
    assert_int_equal(sinew_actor_play(w->stage, w->actor, defs + i, &error).id, 0);
    assert_true(strlen(error.message) > 20);
  }
  sinew_error error;
  assert_int_equal(sinew_actor_add_layer(w->stage, w->actor, "base", NULL, &error), -1);
  assert_int_equal(sinew_actor_add_layer(w->stage, w->actor, "", NULL, &error), -1);
  sinew_transform t = sinew_transform_identity();
  t.translation.x = NAN;
  assert_false(sinew_actor_set_transform(w->stage, w->actor, &t));
}

static void stale_ids_are_questions(void **state) {
  world *w = *state;
  sinew_action a = play(w, 0, 0, 1, true, 0);
  sinew_actor_destroy(w->stage, w->actor);
  sinew_actor_destroy(w->stage, w->actor);
  sinew_play_def s;
  assert_false(sinew_actor_is_valid(w->stage, w->actor));
  assert_false(sinew_action_is_valid(w->stage, a));
  assert_false(sinew_action_read_state(w->stage, a, &s));
  assert_null(sinew_actor_palette(w->stage, w->actor));
  assert_null(sinew_actor_name(w->stage, w->actor));
  sinew_action_stop(w->stage, a, 0.1);
  sinew_play_def def = sinew_play_def_default();
  assert_int_equal(sinew_actor_play(w->stage, w->actor, &def, NULL).id, 0);
  sinew_stage_update(w->stage, 0.1);
}

static void pausing_and_the_bind_pose(void **state) {
  world *w = *state;
  sinew_action c = play(w, 2, 0, 1, true, 0);
  sinew_actor_set_bind_pose(w->stage, w->actor, true);
  sinew_stage_update(w->stage, 0.5);
  assert_near(tip(w), 0, 0);
  sinew_actor_set_bind_pose(w->stage, w->actor, false);
  sinew_actor_set_paused(w->stage, w->actor, true);
  sinew_stage_update(w->stage, 0.3);
  assert_near(tip(w), 1, 1e-5);
  sinew_play_def s;
  sinew_action_read_state(w->stage, c, &s);
  assert_near(s.time, 0.5, 1e-12);
}

/* The clock goes on; what is shown stays, until it is visible again. */
static void a_hidden_actor_can_be_left_out(void **state) {
  world *w = *state;
  sinew_action a = play(w, 2, 0, 1, true, 0);
  sinew_stage_update(w->stage, 0.25);
  double before = tip(w);
  sinew_actor_set_visible(w->stage, w->actor, false);
  sinew_stage_update(w->stage, 0.125);
  assert_true(tip(w) != before); /* hidden alone is not left out */
  before = tip(w);
  sinew_actor_set_skip_hidden(w->stage, w->actor, true);
  assert_true(sinew_actor_skips_hidden(w->stage, w->actor));
  sinew_mat3x4 joint = sinew_actor_joints(w->stage, w->actor)[1];
  sinew_stage_update(w->stage, 0.125);
  assert_near(tip(w), before, 0);
  assert_memory_equal(&joint, sinew_actor_joints(w->stage, w->actor) + 1, sizeof joint);
  sinew_play_def now;
  assert_true(sinew_action_read_state(w->stage, a, &now));
  assert_near(now.time, 0.5, 1e-12);
  sinew_actor_set_visible(w->stage, w->actor, true);
  sinew_stage_update(w->stage, 0);
  assert_near(tip(w), 1, 1e-6);
}

static void programs_keep_a_pointer_with_each_thing(void **state) {
  world *w = *state;
  int stage, actor, crowd;
  sinew_crowd_def def = sinew_crowd_def_default();
  def.model = w->model;
  sinew_crowd c = sinew_crowd_create(w->stage, &def, NULL);
  assert_null(sinew_stage_user(w->stage));
  assert_null(sinew_actor_user(w->stage, w->actor));
  assert_null(sinew_crowd_user(w->stage, c));
  sinew_stage_set_user(w->stage, &stage);
  sinew_actor_set_user(w->stage, w->actor, &actor);
  sinew_crowd_set_user(w->stage, c, &crowd);
  assert_ptr_equal(sinew_stage_user(w->stage), &stage);
  assert_ptr_equal(sinew_actor_user(w->stage, w->actor), &actor);
  assert_ptr_equal(sinew_crowd_user(w->stage, c), &crowd);
  sinew_crowd_destroy(w->stage, c);
  assert_null(sinew_crowd_user(w->stage, c));
  assert_null(sinew_actor_user(w->stage, (sinew_actor){0}));
}

static void a_crowd_has_a_name(void **state) {
  world *w = *state;
  sinew_crowd_def def = sinew_crowd_def_default();
  def.model = w->model;
  sinew_crowd nameless = sinew_crowd_create(w->stage, &def, NULL);
  def.name = "walkers";
  sinew_crowd walkers = sinew_crowd_create(w->stage, &def, NULL);
  assert_string_equal(sinew_crowd_name(w->stage, nameless), "crowd");
  assert_string_equal(sinew_crowd_name(w->stage, walkers), "walkers");
  assert_true(sinew_crowd_set_name(w->stage, walkers, "runners"));
  assert_string_equal(sinew_crowd_name(w->stage, walkers), "runners");
  sinew_crowd_destroy(w->stage, walkers);
  assert_null(sinew_crowd_name(w->stage, walkers));
  assert_false(sinew_crowd_set_name(w->stage, walkers, "nobody"));
}

static void opacity_stays_between_nothing_and_all(void **state) {
  world *w = *state;
  assert_true(sinew_actor_opacity(w->stage, w->actor) == 1);
  sinew_actor_set_opacity(w->stage, w->actor, 0.25f);
  sinew_actor_set_opacity(w->stage, w->actor, NAN);
  assert_true(sinew_actor_opacity(w->stage, w->actor) == 0.25f);
  sinew_actor_set_opacity(w->stage, w->actor, -INFINITY);
  assert_true(sinew_actor_opacity(w->stage, w->actor) == 0);
  sinew_actor_set_opacity(w->stage, w->actor, 7);
  assert_true(sinew_actor_opacity(w->stage, w->actor) == 1);
  assert_true(sinew_actor_opacity(w->stage, (sinew_actor){0}) == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_WORLD(settings_are_read_back_and_bad_ones_refused),
      WITH_WORLD(misuse_gets_a_sentence),
      WITH_WORLD(stale_ids_are_questions),
      WITH_WORLD(pausing_and_the_bind_pose),
      WITH_WORLD(a_hidden_actor_can_be_left_out),
      WITH_WORLD(programs_keep_a_pointer_with_each_thing),
      WITH_WORLD(a_crowd_has_a_name),
      WITH_WORLD(opacity_stays_between_nothing_and_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
