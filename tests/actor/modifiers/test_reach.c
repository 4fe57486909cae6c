/* Hands that reach softly: to a target that appears, jumps or disappears they go in the time of their half-life, and
 * with one that moves they go along. */
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

static void give_arm(world *w, sinew_modifier_kind kind, float half_life) {
  const int limb[] = {hero_joint(w->model, "RightArm"), hero_joint(w->model, "RightForeArm"),
                      hero_joint(w->model, "RightHand")};
  const int ends[] = {limb[0], limb[2]};
  bool chain = kind == SINEW_MODIFIER_FABRIK;
  sinew_modifier_def def = sinew_modifier_def_default(kind);
  def.name = "reach", def.joints = chain ? ends : limb, def.joint_count = chain ? 2 : 3, def.half_life = half_life;
  sinew_error error;
  assert_true(sinew_actor_set_modifiers(w->stage, w->actor, NULL, 0, NULL));
  if (!sinew_actor_set_modifiers(w->stage, w->actor, &def, 1, &error)) fail_msg("%s", error.message);
}

static void reach_for(world *w, sinew_vec3 target) {
  sinew_modifier_def s = {.weight = 1, .target = target};
  assert_true(sinew_actor_set_modifier_state(w->stage, w->actor, 0, &s));
}

static sinew_vec3 hand_of(const world *w) {
  const float *m = sinew_actor_joints(w->stage, w->actor)[hero_joint(w->model, "RightHand")].m;
  return (sinew_vec3){m[3], m[7], m[11]};
}

static const sinew_vec3 near = {-0.25f, 1.2f, 0.35f}, other = {-0.45f, 1.35f, 0.1f}, none = {NAN, NAN, NAN};

static double fastest(world *w, double rate, double seconds) {
  double most = 0;
  for (int i = 0; i < (int)(seconds * rate); i++) {
    sinew_vec3 before = hand_of(w);
    sinew_stage_update(w->stage, 1 / rate);
    most = fmax(most, (double)vec3_distance(before, hand_of(w)) * rate);
  }
  return most;
}

/* A spring from rest goes A y / e at most, y being 2 ln 2 / h; in a frame a little less. A hand that is let go passes
 * on what the clip does. */
static void expect_softly(world *w, double rate, sinew_vec3 target, const char *what) {
  sinew_vec3 from = hand_of(w), to = isnan(target.x) ? (sinew_vec3){-0.25f, 0.8f, 0.05f} : target;
  double most = (double)vec3_distance(from, to) * 13.86 / exp(1);
  reach_for(w, target);
  double speed = fastest(w, rate, 1);
  if (isnan(target.x) ? speed > 8 : !(speed > 0.6 * most && speed < 1.1 * most + 0.05))
    fail_msg("%s, %g Hz: %g m/s, not %g", what, rate, speed, most);
  if (!isnan(target.x)) assert_near(vec3_distance(hand_of(w), target), 0, 0.002);
}

static void a_hand_goes_to_its_target_and_back(void **state) {
  world *w = *state;
  static const sinew_modifier_kind kinds[] = {SINEW_MODIFIER_TWO_BONE, SINEW_MODIFIER_FABRIK};
  for (int k = 0; k < 2; k++)
    for (int r = 0; r < FRAME_RATES; r++) {
      give_arm(w, kinds[k], 0.1f);
      sinew_stage_update(w->stage, 0.5);
      sinew_vec3 hanging = hand_of(w);
      expect_softly(w, frame_rates[r], near, "appears");
      expect_softly(w, frame_rates[r], other, "jumps");
      expect_softly(w, frame_rates[r], none, "disappears");
      assert_near(vec3_distance(hand_of(w), hanging), 0, 0.05);
    }
}

/* 1 m/s. */
static void a_hand_stays_with_what_moves(void **state) {
  world *w = *state;
  for (int r = 0; r < FRAME_RATES; r++) {
    give_arm(w, SINEW_MODIFIER_TWO_BONE, 0.1f);
    reach_for(w, near);
    fastest(w, frame_rates[r], 1.5);
    for (int i = 0; i < (int)(0.2 * frame_rates[r]); i++) {
      sinew_vec3 there = vec3_add_scaled(near, (float)(i / frame_rates[r]), (sinew_vec3){0, 1, 0});
      reach_for(w, there);
      sinew_stage_update(w->stage, 1 / frame_rates[r]);
      assert_near(vec3_distance(hand_of(w), there), 0, 0.002);
    }
  }
}

static void without_a_half_life_it_is_there_at_once(void **state) {
  world *w = *state;
  give_arm(w, SINEW_MODIFIER_TWO_BONE, 0);
  reach_for(w, near);
  sinew_stage_update(w->stage, 1.0 / 60);
  assert_near(vec3_distance(hand_of(w), near), 0, 1e-3);
}

static void a_wrong_half_life_is_refused(void **state) {
  world *w = *state;
  const int limb[] = {hero_joint(w->model, "RightArm"), hero_joint(w->model, "RightForeArm"),
                      hero_joint(w->model, "RightHand")};
  sinew_modifier_def def = sinew_modifier_def_default(SINEW_MODIFIER_TWO_BONE);
  sinew_error error = {""};
  def.name = "reach", def.joints = limb, def.joint_count = 3, def.half_life = -1;
  assert_false(sinew_actor_set_modifiers(w->stage, w->actor, &def, 1, &error));
  assert_non_null(strstr(error.message, "its half-life is not a number of seconds"));
}

/* IK and then a chest that turns, which takes the hand along; both see joints that nobody has placed before them. */
static void the_reach_error_is_what_is_left_after_all_modifiers(void **state) {
  world *w = *state;
  const int limb[] = {hero_joint(w->model, "RightArm"), hero_joint(w->model, "RightForeArm"),
                      hero_joint(w->model, "RightHand")};
  const int chest = hero_joint(w->model, "Spine2");
  sinew_modifier_def defs[] = {sinew_modifier_def_default(SINEW_MODIFIER_TWO_BONE),
                               sinew_modifier_def_default(SINEW_MODIFIER_AIM)};
  defs[0].name = "reach", defs[0].joints = limb, defs[0].joint_count = 3, defs[0].target = near;
  defs[1].name = "look", defs[1].joints = &chest, defs[1].joint_count = 1, defs[1].half_life = 0;
  defs[1].target = (sinew_vec3){2, 1.5f, 2};
  assert_true(sinew_actor_set_modifiers(w->stage, w->actor, defs, 2, NULL));
  sinew_stage_update(w->stage, 0.1);
  float error = sinew_actor_reach_error(w->stage, w->actor, 0);
  assert_true(error > 0.05f);
  assert_near(error, vec3_distance(hand_of(w), near), 1e-5);
  sinew_pose pose = sinew_actor_pose(w->stage, w->actor);
  sinew_mat3x4 *joints = calloc((size_t)pose.joint_count, sizeof *joints);
  assert_true(sinew_local_to_model(&(sinew_local_to_model_job){w->model, pose, joints, 0}));
  assert_memory_equal(joints, sinew_actor_joints(w->stage, w->actor), (size_t)pose.joint_count * sizeof *joints);
  free(joints);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_WORLD(a_hand_goes_to_its_target_and_back), WITH_WORLD(the_reach_error_is_what_is_left_after_all_modifiers),
      WITH_WORLD(a_hand_stays_with_what_moves),       WITH_WORLD(without_a_half_life_it_is_there_at_once),
      WITH_WORLD(a_wrong_half_life_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
