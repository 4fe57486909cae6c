/* Clips that turn round while they travel, and clips that wait, by distance: their actor goes exactly as they do, and
 * so they show what they show by themselves, with a warp, too. */
#include "support/hero.h"

#include "actor/stage.h"
#include "math/vec3.h"
#include "pose/modifiers/posed.h"

#include <sinew/actor_modifiers.h>
#include <sinew/graph.h>
#include <sinew/motion.h>

enum { TURN, PARAMS, WARPED = 10 };

static int set_up(void **state) {
  static world w;
  static const char *const names[PARAMS] = {"turn"};
  world_open(&w, load_hero_with("hero_locomotion.glb"));
  *state = &w;
  return sinew_actor_set_params(w.stage, w.actor, names, NULL, PARAMS, NULL) ? 0 : -1;
}

static void play(const world *w, const char *clip, sinew_match match) {
  sinew_error error = {""};
  sinew_node_def n = sinew_node_def_default();
  n.clip = hero_clip(w->model, clip), n.match = match;
  if (match >= SINEW_MATCH_TO_STOP) n.match_param = TURN;
  sinew_graph_def def = {&n, 1, NULL, 0};
  assert_true(sinew_actor_set_graph(w->stage, w->actor, 0, NULL, 0, NULL));
  if (!sinew_actor_set_graph(w->stage, w->actor, 0, &def, 0, &error)) fail_msg("%s", error.message);
}

static void give_warp(const world *w) {
  static const char *const names[WARPED] = {"Hips",     "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg",
                                            "RightLeg", "RightFoot", "Spine",   "Spine1",   "Spine2"};
  int joints[WARPED];
  for (int i = 0; i < WARPED; i++) joints[i] = hero_joint(w->model, names[i]);
  sinew_modifier_def def = sinew_modifier_def_default(SINEW_MODIFIER_WARP);
  def.name = "strides", def.joints = joints, def.joint_count = WARPED;
  assert_true(sinew_actor_set_modifiers(w->stage, w->actor, &def, 1, NULL));
}

static const clip_instance *instance(const world *w) { return stage_find(w->stage, w->actor)->instances.items; }

static double duration_of(const world *w, const char *clip) {
  return sinew_clip_duration(sinew_model_clip(w->model, hero_clip(w->model, clip)));
}

/* Where the clip's own root has come to. */
static sinew_transform root_at(const world *w, const char *clip, double time) {
  sinew_transform way;
  sinew_root_track track = {w->model, sinew_model_clip(w->model, hero_clip(w->model, clip)),
                            hero_joint(w->model, "Root"), SINEW_ROOT_X | SINEW_ROOT_Z | SINEW_ROOT_YAW};
  assert_true(sinew_root_motion(&(sinew_root_motion_job){track, 0, time, 0, 0, 0, &way}));
  return way;
}

static double yaw_of(sinew_transform t) { return 2 * atan2((double)t.rotation.y, (double)t.rotation.w); }

static sinew_vec3 foot_in_world(const world *w, const char *joint) {
  sinew_transform t = sinew_actor_transform(w->stage, w->actor);
  sinew_mat3x4 stands = sinew_mat3x4_from_transform(&t);
  sinew_mat3x4 m = sinew_mat3x4_multiply(&stands, sinew_actor_joints(w->stage, w->actor) + hero_joint(w->model, joint));
  return (sinew_vec3){m.m[3], m.m[7], m.m[11]};
}

/* Moves an actor as the clip's root moves; returns the largest distance of the feet from where the clip has them. */
static double follow(const world *w, const char *clip, sinew_match match, double rate) {
  double duration = duration_of(w, clip), whole = fabs(yaw_of(root_at(w, clip, duration))), farthest = 0;
  sinew_transform stands = sinew_transform_identity();
  assert_true(sinew_actor_set_transform(w->stage, w->actor, &stands));
  play(w, clip, match);
  give_warp(w);
  for (double t = 1 / rate; t < duration; t += 1 / rate) {
    sinew_transform here = root_at(w, clip, t);
    assert_true(sinew_actor_set_param(w->stage, w->actor, TURN, whole - fabs(yaw_of(here))));
    assert_true(sinew_actor_set_transform(w->stage, w->actor, &here));
    sinew_stage_update(w->stage, 1 / rate);
    for (int side = 0; side < 2; side++) {
      const char *foot = side ? "RightFoot" : "LeftFoot";
      sinew_mat3x4 own = joint_position(w->model, sinew_model_clip(w->model, hero_clip(w->model, clip)),
                                        hero_joint(w->model, foot), instance(w)->time);
      farthest =
          fmax(farthest, (double)vec3_distance(foot_in_world(w, foot), (sinew_vec3){own.m[3], own.m[7], own.m[11]}));
    }
  }
  return farthest;
}

/* It ends where it began, and yet its root goes 2 m. A foot swings up to 0.27 m in a frame at 30 Hz. */
static void who_turns_round_comes_back(void **state) {
  for (int r = 0; r < FRAME_RATES; r++) {
    double far = follow(*state, "RunPivotRight", SINEW_MATCH_TURN, frame_rates[r]);
    if (far > 0.1) fail_msg("%g Hz: %g m", frame_rates[r], far);
  }
}

/* Ahead is where the clip looks by now, and not where it looked at first. */
static void who_has_turned_is_not_warped_back(void **state) {
  for (int r = 0; r < FRAME_RATES; r++) {
    double far = follow(*state, "PivotRight", SINEW_MATCH_TURN, frame_rates[r]);
    if (far > 0.1) fail_msg("%g Hz: %g m", frame_rates[r], far);
  }
}

static void who_gains_speed_keeps_the_clip_s_strides(void **state) {
  for (int r = 0; r < FRAME_RATES; r++) {
    double far = follow(*state, "RunStart", SINEW_MATCH_TRAVELLED, frame_rates[r]);
    if (far > 0.1) fail_msg("%g Hz: %g m", frame_rates[r], far);
  }
}

/* For 0.56 s nothing turns, and nothing does in the end: meanwhile it goes by time, and not slower, or faster. */
static void before_and_after_the_turn_it_goes_by_time(void **state) {
  world *w = *state;
  double dt = 1 / 60.0, before = 0;
  play(w, "RunPivotRight", SINEW_MATCH_TURN);
  assert_true(sinew_actor_set_param(w->stage, w->actor, TURN, 3.1));
  for (int i = 0; i < 30; i++) sinew_stage_update(w->stage, dt);
  assert_float_equal(instance(w)->time, 0.5, 1e-6);
  for (int i = 0; i < 200; i++) {
    double left = sinew_actor_param(w->stage, w->actor, TURN);
    sinew_matched_turn turn;
    assert_true(sinew_actor_matched_turn(w->stage, w->actor, dt, &turn));
    assert_true(sinew_actor_set_param(w->stage, w->actor, TURN, isnan(turn.fraction) ? 0 : left * (1 - turn.fraction)));
    before = instance(w)->time;
    sinew_stage_update(w->stage, dt);
    assert_true(instance(w)->time - before < 1.2 * dt);
  }
}

/* An inertial transition into a matched clip continues the speed of the old motion. */
static void it_begins_with_a_speed(void **state) {
  world *w = *state;
  sinew_transform here = sinew_transform_identity();
  play(w, "RunStop", SINEW_MATCH_TO_STOP);
  assert_true(sinew_actor_set_param(w->stage, w->actor, TURN, 1));
  sinew_stage_update(w->stage, 1 / 60.0);
  assert_float_equal(instance(w)->rate, 1, 1e-6);
  assert_true(instance(w)->time > 0.1);
  for (int k = 0; k < 2; k++) { /* a start: as fast as its actor, which may stand */
    play(w, "RunStart", SINEW_MATCH_TRAVELLED);
    here.translation.z += k ? 0.003f : 0;
    assert_true(sinew_actor_set_transform(w->stage, w->actor, &here));
    sinew_stage_update(w->stage, 1 / 60.0);
    assert_float_equal(instance(w)->rate, k ? 0.57 : 0, 0.03); /* 0.18 of 0.32 m/s */
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_WORLD(who_turns_round_comes_back), WITH_WORLD(who_has_turned_is_not_warped_back),
      WITH_WORLD(who_gains_speed_keeps_the_clip_s_strides), WITH_WORLD(before_and_after_the_turn_it_goes_by_time),
      WITH_WORLD(it_begins_with_a_speed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
