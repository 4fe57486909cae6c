/* Heads that look: they go to where they are to look as fast as heads do, and stay with what moves. */
#include "support/hero.h"

#include "math/vec3.h"

#include <sinew/actor_modifiers.h>

static int set_up(void **state) {
  static world w;
  world_open(&w, load_hero());
  *state = &w;
  sinew_play_def def = sinew_play_def_default();
  def.clip = hero_clip(w.model, "Idle");
  return sinew_actor_play(w.stage, w.actor, &def, NULL).id ? 0 : -1;
}

static void give_look(world *w, float half_life) {
  const int chain[] = {hero_joint(w->model, "Spine2"), hero_joint(w->model, "Neck"), hero_joint(w->model, "Head")};
  sinew_modifier_def def = sinew_modifier_def_default(SINEW_MODIFIER_AIM);
  def.name = "look", def.joints = chain, def.joint_count = 3, def.half_life = half_life, def.limit = 3;
  assert_true(sinew_actor_set_modifiers(w->stage, w->actor, NULL, 0, NULL));
  assert_true(sinew_actor_set_modifiers(w->stage, w->actor, &def, 1, NULL));
}

static void look_at(world *w, sinew_vec3 target) {
  sinew_modifier_def s = {.weight = 1, .target = target};
  assert_true(sinew_actor_set_modifier_state(w->stage, w->actor, 0, &s));
}

static sinew_vec3 gaze_of(const world *w) {
  const float *m = sinew_actor_joints(w->stage, w->actor)[hero_joint(w->model, "Head")].m;
  return vec3_unit((sinew_vec3){m[2], m[6], m[10]}, (sinew_vec3){0, 0, 1});
}

static sinew_vec3 way_to(const world *w, sinew_vec3 target) {
  const float *m = sinew_actor_joints(w->stage, w->actor)[hero_joint(w->model, "Head")].m;
  return vec3_unit(vec3_sub(target, (sinew_vec3){m[3], m[7], m[11]}), (sinew_vec3){0, 0, 1});
}

static double between(sinew_vec3 a, sinew_vec3 b) { return acos(fmin(fmax((double)vec3_dot(a, b), -1), 1)); }

/* The largest turn in a frame, a second, and the way of all of them. */
static double fastest(world *w, double rate, double seconds, double *turned) {
  double most = 0;
  *turned = 0;
  for (int i = 0; i < (int)(seconds * rate); i++) {
    sinew_vec3 before = gaze_of(w);
    sinew_stage_update(w->stage, 1 / rate);
    double turn = between(before, gaze_of(w));
    *turned += turn;
    most = fmax(most, turn * rate);
  }
  return most;
}

/* 90 degrees: 8 rad/s by the spring (A y / e), where it was 94 rad/s at 60 Hz. */
static void a_target_that_jumps_is_followed_by_a_turn(void **state) {
  world *w = *state;
  const sinew_vec3 ahead = {0, 1.6f, 9}, left = {9, 1.6f, 0}, none = {NAN, NAN, NAN};
  for (int r = 0; r < FRAME_RATES; r++) {
    double turned;
    give_look(w, 0.1f);
    look_at(w, ahead);
    fastest(w, frame_rates[r], 1, &turned);
    look_at(w, left);
    double most = fastest(w, frame_rates[r], 1, &turned);
    if (!(most > 5 && most < 9)) fail_msg("%g Hz: %g rad/s", frame_rates[r], most);
    assert_near(turned, 1.57, 0.05);
    assert_near(between(gaze_of(w), way_to(w, left)), 0, 0.01);
    look_at(w, none); /* back to where the clip looks, as softly */
    most = fastest(w, frame_rates[r], 1, &turned);
    if (!(most > 4 && most < 9)) fail_msg("%g Hz, back: %g rad/s", frame_rates[r], most);
    assert_near(between(gaze_of(w), (sinew_vec3){0, 0, 1}), 0, 0.1);
  }
}

/* 1 rad/s round the head. */
static void a_target_that_moves_is_looked_at_without_a_lag(void **state) {
  world *w = *state;
  for (int r = 0; r < FRAME_RATES; r++) {
    double turned;
    give_look(w, 0.1f);
    look_at(w, (sinew_vec3){-4, 1.6f, 4});
    fastest(w, frame_rates[r], 1, &turned);
    for (int i = 0; i < (int)frame_rates[r]; i++) {
      double angle = i / frame_rates[r] - 0.785;
      sinew_vec3 target = {(float)(5.66 * sin(angle)), 1.6f, (float)(5.66 * cos(angle))};
      look_at(w, target);
      sinew_stage_update(w->stage, 1 / frame_rates[r]);
      assert_near(between(gaze_of(w), way_to(w, target)), 0, 0.01);
    }
  }
}

static void without_a_half_life_it_is_there_at_once(void **state) {
  world *w = *state;
  const sinew_vec3 left = {9, 1.6f, 0};
  give_look(w, 0);
  sinew_stage_update(w->stage, 1.0 / 60);
  look_at(w, left);
  sinew_stage_update(w->stage, 1.0 / 60);
  assert_near(between(gaze_of(w), way_to(w, left)), 0, 0.01);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_WORLD(a_target_that_jumps_is_followed_by_a_turn),
      WITH_WORLD(a_target_that_moves_is_looked_at_without_a_lag),
      WITH_WORLD(without_a_half_life_it_is_there_at_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
