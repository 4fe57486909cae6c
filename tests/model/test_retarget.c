/* A pose on another skeleton, against what it means: limbs point the same way, the rest turns as much. In doubles. */
#include "model/body.h"

#include "model/model_space.h"
#include "model/retarget/retarget.h"

static const rot no_turn = {0, 0, 0, 1};

typedef struct pair_of_bodies {
  body theirs, ours;
  joint_map map;
  retarget_plan plan;
  retarget_joint joints[BODY_JOINTS];
  sinew_transform pose[BODY_JOINTS], result[BODY_JOINTS]; /* local */
  rot their_turns[BODY_JOINTS], our_turns[BODY_JOINTS];   /* posed, model space */
  vec their_positions[BODY_JOINTS], our_positions[BODY_JOINTS];
} pair_of_bodies;

static void plan(pair_of_bodies *p) {
  joint_map_job job = {&p->theirs.view, &p->ours.view, NULL, 0, "test", NULL, NULL, NULL};
  assert_true(joint_map_find(&job, &p->map));
  p->plan = (retarget_plan){.theirs = &p->theirs.view, .ours = &p->ours.view, .joints = p->joints};
  assert_true(retarget_plan_make(&p->plan, &p->map));
}

static void apply(pair_of_bodies *p) {
  sinew_transform model[BODY_JOINTS], scratch[BODY_JOINTS];
  skeleton_to_model(&p->theirs.view, p->pose, model);
  retarget_apply(&p->plan, model, p->result, scratch);
  body_evaluate(p->pose, p->their_turns, p->their_positions);
  body_evaluate(p->result, p->our_turns, p->our_positions);
}

/* Every joint turned by up to a radian or so. */
static void pose_at_random(pair_of_bodies *p) {
  memcpy(p->pose, p->theirs.rest, sizeof p->pose);
  for (int i = 1; i < BODY_JOINTS; i++) {
    sinew_vec3 axis = {random_range(-1, 1), random_range(-1, 1), random_range(-1, 1)};
    sinew_quat rotation = sinew_quat_from_axis_angle(axis, random_range(-1, 1));
    p->pose[i].rotation = sinew_quat_multiply(p->pose[i].rotation, rotation);
  }
  p->pose[B_HIPS].translation.x += random_range(-0.3f, 0.3f);
  p->pose[B_HIPS].translation.y += random_range(-0.3f, 0.3f);
  p->pose[B_HIPS].translation.z += random_range(-0.3f, 0.3f);
}

static double between(vec a, vec b) {
  vec cross = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  return atan2(long_is(cross), a.x * b.x + a.y * b.y + a.z * b.z);
}

static const int limbs[][2] = {{B_L_ARM, B_L_FOREARM},  {B_L_FOREARM, B_L_HAND}, {B_R_ARM, B_R_FOREARM},
                               {B_R_FOREARM, B_R_HAND}, {B_L_THIGH, B_L_SHIN},   {B_L_SHIN, B_L_FOOT},
                               {B_R_THIGH, B_R_SHIN},   {B_R_SHIN, B_R_FOOT}};
static const int trunk[] = {B_HIPS, B_SPINE, B_CHEST, B_NECK, B_HEAD, B_L_CLAVICLE, B_R_CLAVICLE, B_L_FOOT, B_R_FOOT};

/* `turn` brings their space to ours. */
static void assert_same_motion(const pair_of_bodies *p, rot rotation) {
  for (size_t i = 0; i < sizeof limbs / sizeof *limbs; i++) {
    vec theirs = turned(rotation, minus(p->their_positions[limbs[i][1]], p->their_positions[limbs[i][0]]));
    vec ours = minus(p->our_positions[limbs[i][1]], p->our_positions[limbs[i][0]]);
    assert_near(between(theirs, ours), 0, 2e-5);
  }
  for (size_t i = 0; i < sizeof trunk / sizeof *trunk; i++) {
    rot theirs = rot_times(p->their_turns[trunk[i]], rot_back(p->theirs.turns[trunk[i]]));
    rot ours = rot_times(p->our_turns[trunk[i]], rot_back(p->ours.turns[trunk[i]]));
    theirs = rot_times(rot_times(rotation, theirs), rot_back(rotation));
    assert_near(angle_of(rot_times(ours, rot_back(theirs))), 0, 2e-5);
  }
  for (int i = B_SPINE; i < BODY_JOINTS; i++) { /* our bones keep their length */
    vec rest = minus(p->ours.positions[i], p->ours.positions[body_parents[i]]);
    vec posed = minus(p->our_positions[i], p->our_positions[body_parents[i]]);
    assert_near(long_is(posed), long_is(rest), 1e-5);
  }
}

static void limbs_point_alike_whatever_the_rest_poses(void **state) {
  (void)state;
  static const double arms[] = {0, 0.8, 1.4}, legs[] = {0, 0.35};
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++)
      for (int l = 0; l < 4; l++) {
        pair_of_bodies p;
        body_make(&p.theirs, mixamo_names, 1.2, arms[a], legs[l % 2], true, no_turn);
        body_make(&p.ours, mixamo_names, 1.8, arms[b], legs[l / 2], true, no_turn);
        plan(&p);
        assert_near(p.plan.scale, 1.5, 1e-5);
        for (int k = 0; k < 5; k++) {
          pose_at_random(&p);
          apply(&p);
          assert_same_motion(&p, no_turn);
        }
        joint_map_reset(&p.map);
      }
}

static void a_skeleton_that_looks_elsewhere_is_turned(void **state) {
  (void)state;
  const double h = sqrt(0.5);
  const rot turns[] = {{0, 1, 0, 0}, {0, h, 0, h}, {h, 0, 0, h}, {0.5, 0.5, 0.5, 0.5}};
  for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
    pair_of_bodies p;
    body_make(&p.theirs, mixamo_names, 1.8, 0.4, 0.1, true, turns[i]);
    body_make(&p.ours, mixamo_names, 1.8, 0.9, 0, true, no_turn);
    plan(&p);
    assert_near(angle_of(rot_times(rot_of(p.plan.rotation), turns[i])), 0, 1e-5);
    pose_at_random(&p);
    apply(&p);
    assert_same_motion(&p, rot_back(turns[i]));
    joint_map_reset(&p.map);
  }
}

/* Small differences are a matter of the rest pose, not of where a skeleton looks. */
static void a_slouch_is_no_turn(void **state) {
  (void)state;
  pair_of_bodies p;
  body_make(&p.theirs, mixamo_names, 1.8, 0, 0, false, (rot){sin(0.15), 0, 0, cos(0.15)});
  body_make(&p.ours, mixamo_names, 1.8, 0, 0, false, no_turn);
  plan(&p);
  assert_near(fabs(p.plan.rotation.w), 1, 1e-6);
  joint_map_reset(&p.map);
}

static void the_same_skeleton_keeps_its_pose(void **state) {
  (void)state;
  pair_of_bodies p;
  random_seed(3), body_make(&p.theirs, mixamo_names, 1.8, 0.6, 0.1, true, no_turn);
  random_seed(3), body_make(&p.ours, mixamo_names, 1.8, 0.6, 0.1, true, no_turn);
  plan(&p);
  pose_at_random(&p);
  apply(&p);
  for (int i = 0; i < BODY_JOINTS; i++) {
    assert_near(long_is(minus(p.our_positions[i], p.their_positions[i])), 0, 3e-6);
    assert_near(angle_of(rot_times(p.our_turns[i], rot_back(p.their_turns[i]))), 0, 1e-5);
  }
  joint_map_reset(&p.map);
}

/* Straight legs under level hips put both ankles where ours are with straight legs, also where the source's rest pose
 * has its legs apart, is of another size, or is around the origin with the height in its curves. */
static void feet_stay_on_the_ground(void **state) {
  (void)state;
  for (int around_origin = 0; around_origin < 2; around_origin++)
    for (int apart = 0; apart < 2; apart++) {
      pair_of_bodies p;
      double size = 5, legs = apart ? 0.35 : 0;
      body_make(&p.theirs, mixamo_names, size, 0, legs, false, no_turn);
      body_make(&p.ours, mixamo_names, 1.8, 0.8, 0, true, no_turn);
      if (around_origin) p.theirs.rest[B_HIPS].translation.y = 0;
      plan(&p);
      memcpy(p.pose, p.theirs.rest, sizeof p.pose);
      for (int side = 0; side < 2; side++) /* the thighs turned back until the legs hang down */
        p.pose[side ? B_R_THIGH : B_L_THIGH].rotation =
            sinew_quat_from_axis_angle((sinew_vec3){0, 0, 1}, (float)(side ? legs : -legs));
      double gained = apart ? 0.47 * (1 - cos(0.35)) * size : 0;
      /* their ankles stay as high as at rest; around the origin, as high over the ground as ours, in proportion */
      p.pose[B_HIPS].translation.y = (float)(around_origin ? 0.55 * size : 0.55 * size + gained);
      apply(&p);
      double wanted = p.ours.positions[B_L_FOOT].y;
      assert_near(p.our_positions[B_L_FOOT].y, wanted, 0.003);
      assert_near(p.our_positions[B_R_FOOT].y, wanted, 0.003);
      joint_map_reset(&p.map);
    }
}

/* A joint without a partner stays at rest; what their joints between two partners do reaches the lower one. */
static void joints_between_partners_are_folded(void **state) {
  (void)state;
  pair_of_bodies p;
  const char *names[BODY_JOINTS];
  memcpy(names, mixamo_names, sizeof names);
  names[B_SPINE] = "Belly-Thing", names[B_L_CLAVICLE] = "Wing";
  static const sinew_joint_pair pairs[] = {{"Spine", NULL}, {"LeftShoulder", NULL}};
  body_make(&p.theirs, mixamo_names, 1.8, 0.2, 0, true, no_turn);
  body_make(&p.ours, names, 1.8, 0.9, 0, true, no_turn);
  joint_map_job job = {&p.theirs.view, &p.ours.view, pairs, 2, "test", NULL, NULL, NULL};
  assert_true(joint_map_find(&job, &p.map));
  p.plan = (retarget_plan){.theirs = &p.theirs.view, .ours = &p.ours.view, .joints = p.joints};
  assert_true(retarget_plan_make(&p.plan, &p.map));
  pose_at_random(&p);
  apply(&p);
  assert_memory_equal(&p.result[B_SPINE], &p.ours.rest[B_SPINE], sizeof(sinew_transform));
  assert_memory_equal(&p.result[B_L_CLAVICLE], &p.ours.rest[B_L_CLAVICLE], sizeof(sinew_transform));
  rot theirs = rot_times(p.their_turns[B_CHEST], rot_back(p.theirs.turns[B_CHEST]));
  rot ours = rot_times(p.our_turns[B_CHEST], rot_back(p.ours.turns[B_CHEST]));
  assert_near(angle_of(rot_times(ours, rot_back(theirs))), 0, 1e-5);
  vec arm = minus(p.their_positions[B_L_FOREARM], p.their_positions[B_L_ARM]);
  assert_near(between(arm, minus(p.our_positions[B_L_FOREARM], p.our_positions[B_L_ARM])), 0, 1e-5);
  joint_map_reset(&p.map);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(limbs_point_alike_whatever_the_rest_poses),
      cmocka_unit_test(a_skeleton_that_looks_elsewhere_is_turned),
      cmocka_unit_test(a_slouch_is_no_turn),
      cmocka_unit_test(the_same_skeleton_keeps_its_pose),
      cmocka_unit_test(feet_stay_on_the_ground),
      cmocka_unit_test(joints_between_partners_are_folded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
