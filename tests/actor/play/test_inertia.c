/* Inertial transitions and joins: what is shown goes on in place and speed, whatever has changed below it. */
#include "pair.h"

#include <sinew/actor_modifiers.h>

/* The places of the tip in the last three frames, and the largest second difference since it was reset. */
typedef struct way {
  double x[3], bend;
} way;

static void follow(world *w, way *t, int frames) {
  for (int i = 0; i < frames; i++) {
    sinew_stage_update(w->stage, 0.001);
    t->x[0] = t->x[1], t->x[1] = t->x[2], t->x[2] = tip(w);
    t->bend = fmax(t->bend, fabs(t->x[2] - 2 * t->x[1] + t->x[0]));
  }
}

/* By second differences at 1 kHz: a jump in place is of the size of the way (2), one in speed of 2e-3; the quintic
 * itself bends by at most 5.8 × 2 / 0.3² = 128 a second², 1.3e-4 a step, and two of them may overlap. */
static void expect_smooth(const way *t) {
  if (!(t->bend < 1e-3)) fail_msg("the way bends by %g in a millisecond", t->bend);
}

static sinew_action go_on(world *w, int clip, double fade) {
  sinew_play_def def = sinew_play_def_default();
  def.clip = clip, def.fade = fade, def.kind = SINEW_TRANSITION_INERTIAL, def.loop = SINEW_LOOP_ONCE;
  sinew_action action = sinew_actor_play(w->stage, w->actor, &def, NULL);
  assert_int_not_equal(action.id, 0);
  assert_int_equal(sinew_actor_action_count(w->stage, w->actor, 0), 1); /* the price of one pose */
  return action;
}

static void an_interrupted_inertial_transition_is_continuous(void **state) {
  world *w = *state;
  const int clips[] = {1, 0, 2, 1, 1};
  way t = {0};
  play(w, 2, 0, 1, true, 0);
  follow(w, &t, 200);
  t.bend = 0;
  for (int i = 0; i < 5; i++) {
    go_on(w, clips[i], 0.3);
    follow(w, &t, i < 4 ? 150 : 400);
  }
  expect_smooth(&t);
}

/* Of an actor that has remembered nothing so far; the tip moves at 2 m/s. */
static void the_first_inertial_transition_keeps_place_and_speed(void **state) {
  world *w = *state;
  way t = {0};
  play(w, 2, 0, 1, true, 0);
  follow(w, &t, 400);
  t.bend = 0;
  go_on(w, 0, 0.3);
  follow(w, &t, 1);
  assert_near(t.x[2] - t.x[1], 0.002, 2e-5);
  follow(w, &t, 500);
  expect_smooth(&t);
  assert_near(t.x[2], 1, 1e-5);
}

/* The speed of the fade counts, too: 2 m in 0.4 s. */
static void the_first_inertial_transition_may_interrupt_a_crossfade(void **state) {
  world *w = *state;
  way t = {0};
  play(w, 0, 0, 1, true, 0);
  follow(w, &t, 10);
  play(w, 1, 0.4, 1, true, 0);
  follow(w, &t, 200);
  t.bend = 0;
  go_on(w, 0, 0.3);
  follow(w, &t, 1);
  assert_near(t.x[2] - t.x[1], 0.005, 5e-5);
  follow(w, &t, 400);
  expect_smooth(&t);
}

/* After one frame of a clip there is a place and no speed; out of the bind pose there is neither. */
static void what_was_not_shown_gives_no_speed(void **state) {
  world *w = *state;
  way t = {0};
  play(w, 1, 0, 1, true, 0);
  follow(w, &t, 1);
  go_on(w, 0, 0.3);
  follow(w, &t, 1);
  assert_near(t.x[2], 3, 1e-3);
  follow(w, &t, 400);
  sinew_actor_set_bind_pose(w->stage, w->actor, true);
  follow(w, &t, 3);
  assert_near(t.x[2], 0, 0);
  sinew_actor_set_bind_pose(w->stage, w->actor, false);
  follow(w, &t, 1);
  assert_near(t.x[2], 1, 1e-3);
}

/* ---- under and over modifiers ---- */

/* Moves the tip by what `user` says. */
static void shift(void *user, sinew_actor actor, int modifier, const sinew_posed *posed, float weight, double dt) {
  sinew_pose pose = posed->pose;
  sinew_transform t = sinew_pose_joint(&pose, 2);
  (void)actor, (void)modifier, (void)dt;
  t.translation.x += weight * *(const float *)user;
  sinew_pose_set_joint(&pose, 2, &t);
  sinew_local_to_model(&(sinew_local_to_model_job){posed->model, pose, posed->joints, 0});
}

static void set_shift(world *w, float *by) {
  sinew_modifier_def def = sinew_modifier_def_default(SINEW_MODIFIER_FUNCTION);
  def.name = "shift", def.function = shift, def.user = by;
  assert_true(sinew_actor_set_modifiers(w->stage, w->actor, &def, by ? 1 : 0, NULL));
}

/* The difference that the modifier makes is not taken for the clip's. */
static void a_transition_lies_under_the_modifiers(void **state) {
  world *w = *state;
  float by = 5;
  way t = {0};
  set_shift(w, &by);
  play(w, 2, 0, 1, true, 0);
  follow(w, &t, 400);
  t.bend = 0;
  go_on(w, 0, 0.3);
  follow(w, &t, 500);
  expect_smooth(&t);
  assert_near(t.x[2], 6, 1e-5);
}

static void modifiers_come_change_and_go_without_a_jump_where_the_actor_joins(void **state) {
  world *w = *state;
  float one = 1, minus = -1;
  float *const sets[] = {&one, &minus, NULL, &one, NULL};
  way t = {0};
  play(w, 2, 0, 1, true, 0);
  follow(w, &t, 10);
  t.bend = 0;
  for (int i = 0; i < 5; i++) {
    set_shift(w, sets[i]);
    assert_true(sinew_actor_join(w->stage, w->actor, w->actor, 0.15));
    follow(w, &t, 190);
  }
  expect_smooth(&t);
  assert_near(t.x[2], 2 * (0.01 + 5 * 0.19), 1e-4); /* the clip's own place */
}

/* Of the 2 m between them, in the middle: the quintic goes at 1.875 × 2 / 0.15 m/s there, and a jump in speed would
 * bend the way by 0.025 m in a millisecond; the quintic back from there bends it by a tenth of that. */
static void a_join_under_way_may_be_interrupted_without_a_jump_in_place_or_speed(void **state) {
  world *w = *state;
  float one = 1, minus = -1;
  way t = {0};
  play(w, 1, 0, 1, true, 0);
  set_shift(w, &one);
  follow(w, &t, 3);
  assert_near(t.x[2], 4, 1e-5);
  t.bend = 0;
  for (int i = 0; i < 4; i++) {
    set_shift(w, i % 2 ? &one : &minus);
    assert_true(sinew_actor_join(w->stage, w->actor, w->actor, 0.15));
    follow(w, &t, 75);
  }
  if (!(t.bend < 4e-3)) fail_msg("the way bends by %g in a millisecond", t.bend);
  follow(w, &t, 200);
  assert_near(t.x[2], 4, 1e-5);
}

/* Half of a quintic's time is half of its way; another actor's pose serves as well as its own. */
static void an_actor_joins_what_was_shown(void **state) {
  world *w = *state;
  play(w, 1, 0, 1, true, 0);
  sinew_stage_update(w->stage, 0.1);
  sinew_actor other = sinew_actor_create(w->stage, "other", w->model, NULL);
  assert_true(sinew_actor_join(w->stage, other, w->actor, 0.4));
  play(w, 0, 0, 1, true, 0);
  assert_true(sinew_actor_join(w->stage, w->actor, w->actor, 0.4));
  sinew_stage_update(w->stage, 0);
  assert_true(fabs(tip(w) - 3) < 1e-3);
  w->actor = other;
  assert_true(fabs(tip(w) - 3) < 1e-3);
  sinew_stage_update(w->stage, 0.2);
  assert_true(fabs(tip(w) - 1.5) < 1e-3); /* it rests at 0 */
  sinew_stage_update(w->stage, 0.3);
  assert_true(fabs(tip(w)) < 1e-3);
  assert_false(sinew_actor_join(w->stage, (sinew_actor){0}, w->actor, 1));
  assert_false(sinew_actor_join(w->stage, w->actor, (sinew_actor){0}, 1));
  sinew_model *small = sinew_model_placeholder("small", NULL);
  sinew_actor odd = sinew_actor_create(w->stage, "odd", small, NULL);
  assert_false(sinew_actor_join(w->stage, odd, w->actor, 1));
  sinew_model_release(small);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_WORLD(an_interrupted_inertial_transition_is_continuous),
      WITH_WORLD(the_first_inertial_transition_keeps_place_and_speed),
      WITH_WORLD(the_first_inertial_transition_may_interrupt_a_crossfade),
      WITH_WORLD(what_was_not_shown_gives_no_speed),
      WITH_WORLD(a_transition_lies_under_the_modifiers),
      WITH_WORLD(modifiers_come_change_and_go_without_a_jump_where_the_actor_joins),
      WITH_WORLD(a_join_under_way_may_be_interrupted_without_a_jump_in_place_or_speed),
      WITH_WORLD(an_actor_joins_what_was_shown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
