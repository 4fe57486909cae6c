/* Numbers about how an actor moves, on motions whose numbers are known. */
#include "support/failing_heap.h"
#include "support/rig.h"
#include "support/stage_world.h"

#include "base/file.h"
#include "base/memory/memory.h"

#include <sinew/metrics.h>

static const double pi = 3.14159265358979323846;
static const double dt = 1.0 / 64;

enum { FOOT = 2, SECONDS = 2 };

/* A foot that goes 0.5 m a second along z on the ground for a second, then comes back through the air. */
static sinew_transform step_along(int joint, double t) {
  sinew_transform at = sinew_transform_identity();
  at.translation.y = joint == 0 ? 1 : -1;
  if (joint == 1) {
    at.translation.z = (float)(t < 1 ? 0.5 * t : 0.5 * (2 - t));
    at.translation.y += t <= 1 ? 0 : (float)(0.2 * sin(pi * (t - 1)));
  }
  return at;
}

static sinew_metrics metrics; /* of the last run */

static void open_world(world *w, rig_motion *motion) {
  const joint_desc joints[] = {{.name = "root", .parent = -1, .rest = motion(0, 0)},
                               {.name = "LeftFoot", .parent = 0, .rest = motion(1, 0)}};
  world_open(w, make_rig(joints, 2, motion, SECONDS, 16 * SECONDS + 1));
}

static sinew_metrics_def with_foot(const int *foot) {
  sinew_metrics_def def = sinew_metrics_def_default();
  def.feet = foot, def.foot_count = 1;
  return def;
}

static void measure(world *w) {
  static const int foot = FOOT;
  sinew_metrics_def def = with_foot(&foot);
  assert_true(sinew_actor_set_metrics(w->stage, w->actor, &def, NULL));
}

static void play(world *w, double speed, double time, double fade) {
  sinew_play_def def = sinew_play_def_default();
  def.speed = speed, def.time = time, def.fade = fade;
  assert_int_not_equal(sinew_actor_play(w->stage, w->actor, &def, NULL).id, 0);
}

static void run(world *w, double seconds) {
  for (int i = 0; i < (int)lround(seconds / dt); i++) sinew_stage_update(w->stage, dt);
  assert_true(sinew_actor_metrics(w->stage, w->actor, &metrics));
}

/* ---- feet ---- */

static void a_foot_that_slides_does_so_at_its_own_speed(void **state) {
  world w;
  (void)state;
  open_world(&w, step_along);
  play(&w, 1, 0, 0);
  measure(&w);
  run(&w, 1);
  assert_near(metrics.slide_max, 0.5, 1e-3);
  assert_near(metrics.slide_mean, 0.5, 1e-3);
  assert_int_equal(metrics.slide_joint, FOOT);
  assert_near(metrics.seconds, 1, 1e-9);
  assert_int_equal(metrics.frames, 64);
  world_close(&w);
}

/* The ground that the foot's way lies on: 0.3 m up for each along z, from 2 m below. Along it the way is longer. */
static float slope(void *user, float x, float z, sinew_vec3 *normal) {
  (void)x;
  *normal = (sinew_vec3){0, 2, -0.6f}; /* of any length */
  return *(const float *)user + 0.3f * z;
}

static sinew_transform step_up(int joint, double t) {
  sinew_transform at = sinew_transform_identity();
  if (joint == 1) at.translation = (sinew_vec3){0, (float)(0.3 * 0.5 * t), (float)(0.5 * t)};
  return at;
}

static void on_a_slope_a_foot_slides_along_it(void **state) {
  static const int foot = FOOT;
  float level = 0;
  world w;
  (void)state;
  open_world(&w, step_up);
  sinew_metrics_def def = with_foot(&foot);
  def.ground = slope, def.user = &level;
  play(&w, 1, 0, 0);
  assert_true(sinew_actor_set_metrics(w.stage, w.actor, &def, NULL));
  for (int i = 0; i < 64; i++) sinew_stage_update(w.stage, dt);
  assert_true(sinew_actor_metrics(w.stage, w.actor, &metrics));
  assert_near(metrics.slide_max, 0.5 * sqrt(1 + 0.3 * 0.3), 1e-3);
  level = -1; /* far below the foot; a height that is none counts as none */
  for (int i = 0; i < 2; i++, level = NAN) {
    assert_true(sinew_actor_set_metrics(w.stage, w.actor, &def, NULL));
    sinew_stage_update(w.stage, dt);
    sinew_stage_update(w.stage, dt);
    assert_true(sinew_actor_metrics(w.stage, w.actor, &metrics));
    assert_int_equal(metrics.slide_joint, -1);
  }
  world_close(&w);
}

static void a_foot_in_the_air_does_not_slide(void **state) {
  world w;
  (void)state;
  open_world(&w, step_along);
  play(&w, 1, 1.1, 0);
  measure(&w);
  run(&w, 0.75);
  assert_near(metrics.slide_max, 0, 0);
  assert_near(metrics.slide_mean, 0, 0);
  assert_int_equal(metrics.slide_joint, -1);
  world_close(&w);
}

static void a_foot_that_goes_back_as_fast_as_its_actor_goes_on_stands(void **state) {
  world w;
  (void)state;
  open_world(&w, step_along);
  play(&w, 1, 0, 0);
  measure(&w);
  for (int i = 0; i < 63; i++) {
    sinew_transform at = sinew_transform_identity();
    at.translation.z = (float)(-0.5 * dt * (i + 1));
    sinew_actor_set_transform(w.stage, w.actor, &at);
    sinew_stage_update(w.stage, dt);
  }
  sinew_actor_metrics(w.stage, w.actor, &metrics);
  assert_near(metrics.slide_max, 0, 1e-3);
  world_close(&w);
}

/* ---- jumps ---- */

static void a_clip_by_itself_does_not_pop(void **state) {
  world w;
  (void)state;
  open_world(&w, step_along); /* its foot turns round on the spot: a jump of 1 m/s, and one at the end of the loop */
  play(&w, 1, 0.3, 0);
  sinew_stage_update(w.stage, dt);
  measure(&w);
  run(&w, 5);
  assert_near(metrics.pop, 0, 2e-3);
  world_close(&w);
}

static void a_cut_pops_by_its_way_over_the_time_of_a_frame(void **state) {
  world w;
  (void)state;
  open_world(&w, step_along);
  play(&w, 0, 0, 0);
  measure(&w);
  run(&w, 0.5);
  assert_near(metrics.pop, 0, 1e-3);
  play(&w, 0, 1, 0); /* half a metre away */
  run(&w, 0.5);
  assert_near(metrics.pop, 0.5 / dt, 0.05);
  assert_int_equal(metrics.pop_joint, FOOT);
  assert_near(metrics.pop_seconds, 0.5 + dt, 1e-6);
  world_close(&w);
}

static void a_fade_pops_by_the_speed_that_it_begins_with(void **state) {
  world w;
  (void)state;
  open_world(&w, step_along);
  play(&w, 0, 0, 0);
  measure(&w);
  run(&w, 0.5);
  play(&w, 0, 1, 0.25);
  run(&w, 1);
  assert_near(metrics.pop, 0.5 / 0.25, 0.02);
  world_close(&w);
}

/* A limb of two bones whose second one turns back by as much as the first one turns: its end hardly moves. */
static sinew_transform fold(int joint, double t) {
  sinew_transform at = sinew_transform_identity();
  double angle = (t < 1 ? 0 : 0.6) * (joint == 0 ? 1 : -1);
  if (joint) at.translation.y = -1;
  if (joint < 2) at.rotation = (sinew_quat){(float)sin(angle / 2), 0, 0, (float)cos(angle / 2)};
  return at;
}

/* Transitions are ranked by the jumps of joints, not by the positions of limb ends. */
static void joints_that_jump_against_each_other_pop(void **state) {
  world w;
  (void)state;
  const joint_desc joints[] = {{.name = "upper", .parent = -1, .rest = fold(0, 0)},
                               {.name = "lower", .parent = 0, .rest = fold(1, 0)},
                               {.name = "end", .parent = 1, .rest = fold(2, 0)}};
  world_open(&w, make_rig(joints, 3, fold, SECONDS, 16 * SECONDS + 1));
  play(&w, 0, 0.5, 0);
  measure(&w);
  run(&w, 0.5);
  assert_near(metrics.pop, 0, 1e-3);
  play(&w, 0, 1.5, 0);
  run(&w, 0.5);
  assert_near(metrics.pop, 0.6 / dt * 2, 0.1); /* the upper joint carries 2 m */
  assert_int_equal(metrics.pop_joint, 1);
  world_close(&w);
}

/* ---- reach ---- */

static void the_largest_miss_is_kept(void **state) {
  world w;
  (void)state;
  open_world(&w, step_along);
  int joints[] = {1, FOOT};
  sinew_modifier_def def = sinew_modifier_def_default(SINEW_MODIFIER_FABRIK);
  def.name = "kick", def.joints = joints, def.joint_count = 2;
  def.target = (sinew_vec3){0, 1, 3}; /* the bone is 1 m long and hangs at y = 1 */
  assert_true(sinew_actor_set_modifiers(w.stage, w.actor, &def, 1, NULL));
  measure(&w);
  run(&w, 0.25);
  assert_near(metrics.reach, 2, 1e-3);
  assert_int_equal(metrics.reach_modifier, 0);
  sinew_modifier_state near = {.weight = 1, .target = {0, 0, 0}};
  sinew_actor_set_modifier_state(w.stage, w.actor, 0, &near);
  run(&w, 0.25);
  assert_near(metrics.reach, 2, 1e-3);
  measure(&w); /* afresh */
  run(&w, 0.25);
  assert_near(metrics.reach, 0, 1e-2);
  world_close(&w);
}

/* ---- on and off ---- */

static void nothing_is_measured_until_asked_for(void **state) {
  world w;
  sinew_error error;
  (void)state;
  open_world(&w, step_along);
  assert_false(sinew_actor_metrics(w.stage, w.actor, &metrics));
  int wrong = 77;
  sinew_metrics_def def = with_foot(&wrong);
  assert_false(sinew_actor_set_metrics(w.stage, w.actor, &def, &error));
  assert_non_null(strstr(error.message, "not a joint"));
  def = sinew_metrics_def_default();
  def.foot_height = 0;
  assert_false(sinew_actor_set_metrics(w.stage, w.actor, &def, &error));
  measure(&w);
  sinew_actor_set_paused(w.stage, w.actor, true);
  run(&w, 1);
  assert_int_equal(metrics.frames, 0);
  assert_true(sinew_actor_set_metrics(w.stage, w.actor, NULL, NULL));
  assert_false(sinew_actor_metrics(w.stage, w.actor, &metrics));
  world_close(&w);
}

static void measuring_allocates_only_as_it_begins(void **state) {
  world w;
  (void)state;
  failing_heap heap = {.left = -1};
  failing_heap_install(&heap);
  open_world(&w, step_along);
  play(&w, 1, 0, 0);
  sinew_metrics_def def = sinew_metrics_def_default();
  sinew_error error;
  for (long left = 0; left < 2; left++) {
    heap.left = left;
    assert_false(sinew_actor_set_metrics(w.stage, w.actor, &def, &error));
    assert_non_null(strstr(error.message, "memory"));
  }
  heap.left = -1;
  measure(&w);
  sinew_stage_update(w.stage, dt);
  uint64_t before = mem_request_count();
  for (int i = 0; i < 10; i++) sinew_stage_update(w.stage, dt);
  assert_true(mem_request_count() == before);
  world_close(&w);
  assert_int_equal(heap.living, 0);
  sinew_set_allocator(NULL);
}

/* ---- our own character ---- */

/* Half a cycle away from where the action stands. */
static double opposite(const sinew_model *model, const sinew_stage *stage, sinew_action action, int clip) {
  sinew_play_def state;
  assert_true(sinew_action_read_state(stage, action, &state));
  double share = state.time / sinew_clip_duration(sinew_model_clip(model, state.clip)) + 0.5;
  return fmod(share, 1) * sinew_clip_duration(sinew_model_clip(model, clip));
}

static float slide_of_a_crossfade(sinew_model *model, bool in_step) {
  sinew_stage *stage = sinew_stage_create(NULL);
  sinew_actor actor = sinew_actor_create(stage, "hero", model, NULL);
  sinew_root_def root = sinew_root_def_default();
  root.joint = sinew_model_find_joint(model, "Root");
  assert_true(root.joint > 0 && sinew_actor_set_root(stage, actor, &root, NULL));
  sinew_play_def def = sinew_play_def_default();
  def.clip = sinew_model_find_clip(model, "WalkRoot"), def.fade = 0;
  strcpy(def.sync_group, in_step ? "gait" : "");
  sinew_action walk = sinew_actor_play(stage, actor, &def, NULL);
  for (int i = 0; i < 30; i++) sinew_stage_update(stage, 1.0 / 60);
  sinew_metrics_def measured = sinew_metrics_def_default(); /* feet by name */
  assert_true(sinew_actor_set_metrics(stage, actor, &measured, NULL));
  def.clip = sinew_model_find_clip(model, "RunRoot"), def.fade = 1;
  if (!in_step) def.time = opposite(model, stage, walk, def.clip);
  sinew_actor_play(stage, actor, &def, NULL);
  for (int i = 0; i < 60; i++) sinew_stage_update(stage, 1.0 / 60);
  sinew_actor_metrics(stage, actor, &metrics);
  printf("# %s: feet slide %.3f m/s at most, %.3f m/s in the mean; pop %.2f m/s\n", in_step ? "in step" : "out of step",
         (double)metrics.slide_max, (double)metrics.slide_mean, (double)metrics.pop);
  sinew_stage_destroy(stage);
  return metrics.slide_mean;
}

static void walk_and_run_in_step_keep_their_feet(void **state) {
  char path[1024];
  (void)state;
  snprintf(path, sizeof path, "%s/assets/hero.glb", SINEW_SOURCE);
  if (!file_exists(path)) skip();
  sinew_model *model = sinew_model_load(path, NULL, NULL);
  assert_non_null(model);
  float in_step = slide_of_a_crossfade(model, true);
  assert_true(metrics.pop < 5); /* no knee snaps as its leg is bent to where the foot belongs */
  float out_of_step = slide_of_a_crossfade(model, false);
  assert_true(in_step < 0.5f);
  assert_true(out_of_step > 2 * in_step);
  sinew_model_release(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_foot_that_slides_does_so_at_its_own_speed),
      cmocka_unit_test(on_a_slope_a_foot_slides_along_it),
      cmocka_unit_test(a_foot_in_the_air_does_not_slide),
      cmocka_unit_test(a_foot_that_goes_back_as_fast_as_its_actor_goes_on_stands),
      cmocka_unit_test(a_clip_by_itself_does_not_pop),
      cmocka_unit_test(a_cut_pops_by_its_way_over_the_time_of_a_frame),
      cmocka_unit_test(a_fade_pops_by_the_speed_that_it_begins_with),
      cmocka_unit_test(joints_that_jump_against_each_other_pop),
      cmocka_unit_test(the_largest_miss_is_kept),
      cmocka_unit_test(nothing_is_measured_until_asked_for),
      cmocka_unit_test(measuring_allocates_only_as_it_begins),
      cmocka_unit_test(walk_and_run_in_step_keep_their_feet),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
