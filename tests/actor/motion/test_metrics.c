/* Numbers about how an actor moves, on motions whose numbers are known. */
#include "support/failing_heap.h"
#include "support/rig.h"
#include "support/stage_world.h"

#include "base/file.h"
#include "base/memory/memory.h"

#include <sinew/marks.h>

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

static double metrics_metre(const world *w) {
  assert_true(sinew_actor_metrics(w->stage, w->actor, &metrics));
  return metrics.metre;
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

static void a_cut_pops_by_its_way(void **state) {
  world w;
  (void)state;
  open_world(&w, step_along);
  play(&w, 0, 0, 0);
  measure(&w);
  run(&w, 0.5);
  assert_near(metrics.pop, 0, 1e-3);
  play(&w, 0, 1, 0); /* half a metre away */
  run(&w, 0.5);
  assert_near(metrics.pop, 0.5, 1e-3);
  assert_int_equal(metrics.pop_joint, FOOT);
  assert_near(metrics.pop_seconds, 0.5 + dt, 1e-6);
  world_close(&w);
}

static void a_fade_does_not_pop(void **state) {
  world w;
  (void)state;
  open_world(&w, step_along);
  play(&w, 0, 0, 0);
  measure(&w);
  run(&w, 0.5);
  play(&w, 0, 1, 0.25);
  run(&w, 1);
  assert_near(metrics.pop, 0, 1e-4);
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
  assert_near(metrics.pop, 2 * sin(0.3), 1e-3); /* the lower joint on a circle; the end moves on a line */
  assert_near(metrics.turn, 0.6, 1e-4);
  world_close(&w);
}

/* ---- a jump does not depend on how long an update is ---- */

enum { RATES = 4 };
static const double rates[RATES] = {10, 30, 60, 144};

typedef struct cut_run {
  sinew_model *model;
  sinew_stage *stage;
  sinew_actor actor;
  sinew_action walk;
} cut_run;

typedef void change_function(cut_run *r);

static sinew_metrics measure_change(sinew_model *model, double rate, change_function *change) {
  cut_run r = {.model = model, .stage = sinew_stage_create(NULL)};
  r.actor = sinew_actor_create(r.stage, "hero", model, NULL);
  sinew_play_def def = sinew_play_def_default();
  def.clip = sinew_model_find_clip(model, "Walk"), def.fade = 0;
  r.walk = sinew_actor_play(r.stage, r.actor, &def, NULL);
  sinew_stage_update(r.stage, 0);
  sinew_metrics_def measured = sinew_metrics_def_default();
  assert_true(sinew_actor_set_metrics(r.stage, r.actor, &measured, NULL));
  for (int i = 0; i < (int)lround(rate / 2); i++) sinew_stage_update(r.stage, 1 / rate);
  change(&r);
  for (int i = 0; i < (int)lround(rate / 2); i++) sinew_stage_update(r.stage, 1 / rate);
  assert_true(sinew_actor_metrics(r.stage, r.actor, &metrics));
  sinew_stage_destroy(r.stage);
  return metrics;
}

static void play_run(const cut_run *r, double fade, sinew_transition_kind kind) {
  sinew_play_def def = sinew_play_def_default();
  def.clip = sinew_model_find_clip(r->model, "Run"), def.fade = fade, def.kind = kind;
  assert_int_not_equal(sinew_actor_play(r->stage, r->actor, &def, NULL).id, 0);
}

static void cut(cut_run *r) { play_run(r, 0, SINEW_TRANSITION_CROSSFADE); }
static void fade_soon(cut_run *r) { play_run(r, 0.07, SINEW_TRANSITION_CROSSFADE); }
static void turn_inertial(cut_run *r) { play_run(r, 0.2, SINEW_TRANSITION_INERTIAL); }

static void seek(cut_run *r) { assert_true(sinew_action_seek(r->stage, r->walk, 0.1, false)); }

/* The joint whose positions in two poses of clips differ most: an independent measure. */
static float distance_of_poses(const sinew_model *model, const char *from, double from_time, const char *to,
                               double to_time) {
  sinew_pose poses[2];
  float most = 0;
  int joints = sinew_model_joint_count(model);
  sinew_mat3x4 *matrices = mem_alloc_array(2 * (size_t)joints, sizeof *matrices);
  for (int i = 0; i < 2; i++) {
    poses[i] = (sinew_pose){mem_alloc_array((size_t)sinew_pose_group_count(joints), sizeof(sinew_pose_group)), joints};
    const sinew_clip *clip = sinew_model_clip(model, sinew_model_find_clip(model, i ? to : from));
    assert_true(sinew_sample(&(sinew_sample_job){model, clip, i ? to_time : from_time, poses[i]}));
    assert_true(sinew_local_to_model(&(sinew_local_to_model_job){model, poses[i], matrices + i * joints, 0}));
  }
  for (int i = 0; i < joints; i++) {
    const float *a = matrices[i].m, *b = matrices[joints + i].m;
    float apart = hypotf(hypotf(a[3] - b[3], a[7] - b[7]), a[11] - b[11]);
    if (apart > most) most = apart;
  }
  mem_free(poses[0].groups), mem_free(poses[1].groups), mem_free(matrices);
  return most;
}

static void a_jump_is_the_same_at_each_rate(void **state) {
  char path[1024];
  (void)state;
  snprintf(path, sizeof path, "%s/assets/hero.glb", SINEW_SOURCE);
  if (!file_exists(path)) skip();
  sinew_model *model = sinew_model_load(path, NULL, NULL);
  assert_non_null(model);
  double of_cut = (double)distance_of_poses(model, "Walk", 0.5, "Run", 0);
  double of_seek = (double)distance_of_poses(model, "Walk", 0.5, "Walk", 0.1);
  for (int i = 0; i < RATES; i++) {
    assert_near(measure_change(model, rates[i], cut).pop, of_cut, 1e-3 * of_cut);
    assert_near(measure_change(model, rates[i], seek).pop, of_seek, 1e-3 * of_seek);
    assert_near(measure_change(model, rates[i], fade_soon).pop, 0, 1e-4);
    assert_near(measure_change(model, rates[i], turn_inertial).pop, 0, 1e-4);
  }
  sinew_model_release(model);
}

/* ---- what is written in each update moves, and does not jump ---- */

static void go_to(world *w, double x, double turn) {
  sinew_transform at = sinew_transform_identity();
  at.translation.x = (float)x;
  at.rotation = (sinew_quat){0, (float)sin(turn / 2), 0, (float)cos(turn / 2)};
  sinew_actor_set_transform(w->stage, w->actor, &at);
}

static sinew_mark pop_of(const world *w, int index) {
  sinew_mark mark;
  for (int i = 0; sinew_actor_mark(w->stage, w->actor, i, &mark); i++)
    if (mark.kind == SINEW_MARK_POP && index-- == 0) return mark;
  return (sinew_mark){.rank = 0};
}

static void an_actor_that_goes_does_not_jump_and_one_that_is_moved_does(void **state) {
  (void)state;
  for (int turns = 0; turns <= 1; turns++) {
    world w;
    open_world(&w, step_along);
    measure(&w);
    for (int i = 0; i < 16; i++) go_to(&w, turns ? 0 : 0.2 * i, turns ? 0.2 * i : 0), sinew_stage_update(w.stage, dt);
    sinew_stage_update(w.stage, dt);
    assert_near(pop_of(&w, 0).rank, 0, 0);
    go_to(&w, turns ? 3 : 6, turns ? 4.5 : 0);
    for (int i = 0; i < 2; i++) sinew_stage_update(w.stage, dt);
    assert_int_equal(pop_of(&w, 0).joint, -1);
    assert_near(pop_of(&w, 0).size * (float)metrics_metre(&w), 3, 1e-4);
    assert_near(pop_of(&w, 0).angle, turns ? 1.5 : 0, 1e-4);
    assert_near(pop_of(&w, 1).rank, 0, 0);
    world_close(&w);
  }
}

/* A function whose effect grows evenly, and then by a step. */
static void bend(void *user, sinew_actor actor, int modifier, const sinew_posed *posed, float weight, double step) {
  double *angle = user;
  (void)actor, (void)modifier, (void)weight;
  *angle += 0.5 * step;
  sinew_transform t = sinew_pose_joint(&posed->pose, 1);
  t.rotation = sinew_quat_multiply(t.rotation, (sinew_quat){(float)sin(*angle / 2), 0, 0, (float)cos(*angle / 2)});
  sinew_pose_set_joint(&posed->pose, 1, &t);
}

static void a_function_that_steps_jumps(void **state) {
  world w;
  double angle = 0;
  (void)state;
  open_world(&w, step_along);
  sinew_modifier_def def = sinew_modifier_def_default(SINEW_MODIFIER_FUNCTION);
  def.name = "bend", def.function = bend, def.user = &angle;
  assert_true(sinew_actor_set_modifiers(w.stage, w.actor, &def, 1, NULL));
  play(&w, 1, 0, 0);
  measure(&w);
  run(&w, 0.5);
  assert_near(metrics.turn, 0, 1e-4);
  angle += 0.6;
  run(&w, 0.5);
  assert_near(metrics.turn, 0.6, 1e-3);
  assert_int_equal(pop_of(&w, 0).modifier, 0);
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
  sinew_modifier_def near = {.weight = 1, .target = {0, 0, 0}};
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
  printf("# %s: feet slide %.3f m/s at most, %.3f m/s in the mean; pop %.3f m\n", in_step ? "in step" : "out of step",
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
  assert_true(metrics.pop < 0.02f); /* no knee snaps as its leg is bent to where the foot belongs */
  float out_of_step = slide_of_a_crossfade(model, false);
  assert_true(in_step < 0.5f);
  assert_true(out_of_step > 2 * in_step);
  sinew_model_release(model);
}

/* From standing into a run: the foot leaves its contact at once, and what the cut moves it by is the jump's. */
static void a_cut_is_no_slide(void **state) {
  char path[1024];
  (void)state;
  snprintf(path, sizeof path, "%s/assets/hero.glb", SINEW_SOURCE);
  if (!file_exists(path)) skip();
  sinew_model *model = sinew_model_load(path, NULL, NULL);
  assert_non_null(model);
  sinew_stage *stage = sinew_stage_create(NULL);
  sinew_actor actor = sinew_actor_create(stage, "hero", model, NULL);
  sinew_play_def play = sinew_play_def_default();
  play.fade = 0;
  play.clip = sinew_model_find_clip(model, "Idle");
  sinew_actor_play(stage, actor, &play, NULL);
  sinew_metrics_def def = sinew_metrics_def_default();
  assert_true(sinew_actor_set_metrics(stage, actor, &def, NULL));
  for (int i = 0; i < 60; i++) sinew_stage_update(stage, 1.0 / 60);
  sinew_actor_metrics(stage, actor, &metrics);
  double before = metrics.slid;
  play.clip = sinew_model_find_clip(model, "Run");
  sinew_actor_play(stage, actor, &play, NULL);
  for (int i = 0; i < 2; i++) sinew_stage_update(stage, 1.0 / 60);
  sinew_actor_metrics(stage, actor, &metrics);
  assert_true(metrics.pop > 0.2f);
  assert_true(metrics.slid - before < 0.15); /* two frames of a run on the spot at 4 m/s; the cut itself is 0.2 m */
  sinew_stage_destroy(stage);
  sinew_model_release(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_foot_that_slides_does_so_at_its_own_speed),
      cmocka_unit_test(a_cut_is_no_slide),
      cmocka_unit_test(on_a_slope_a_foot_slides_along_it),
      cmocka_unit_test(a_foot_in_the_air_does_not_slide),
      cmocka_unit_test(a_foot_that_goes_back_as_fast_as_its_actor_goes_on_stands),
      cmocka_unit_test(a_clip_by_itself_does_not_pop),
      cmocka_unit_test(a_cut_pops_by_its_way),
      cmocka_unit_test(a_fade_does_not_pop),
      cmocka_unit_test(joints_that_jump_against_each_other_pop),
      cmocka_unit_test(a_jump_is_the_same_at_each_rate),
      cmocka_unit_test(an_actor_that_goes_does_not_jump_and_one_that_is_moved_does),
      cmocka_unit_test(a_function_that_steps_jumps),
      cmocka_unit_test(the_largest_miss_is_kept),
      cmocka_unit_test(nothing_is_measured_until_asked_for),
      cmocka_unit_test(measuring_allocates_only_as_it_begins),
      cmocka_unit_test(walk_and_run_in_step_keep_their_feet),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
