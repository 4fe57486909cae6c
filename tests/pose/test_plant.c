/* Feet on uneven ground. */
#include "model/pose_group.h"
#include "pose/limbs.h"

/* A pelvis 1 m up and two legs of 0.5 + 0.48 m, the knees a little bent; in stored order. */
enum { PELVIS = 1, THIGH_L, THIGH_R, SHIN_L, SHIN_R, FOOT_L, FOOT_R };

static void make_legs(limb_rig *r) {
  joint_desc joints[7];
  int parents[7] = {-1, 0, 0, 1, 2, 3, 4};
  double positions[7][3] = {{0, 1, 0},       {0.1, 0, 0},      {-0.1, 0, 0},    {0, -0.49, 0.1},
                            {0, -0.49, 0.1}, {0, -0.45, -0.1}, {0, -0.45, -0.1}};
  for (int j = 0; j < 7; j++) {
    sinew_transform t = sinew_transform_identity();
    t.translation = (sinew_vec3){(float)positions[j][0], (float)positions[j][1], (float)positions[j][2]};
    joints[j] = (joint_desc){"j", parents[j], t, false, 0};
  }
  r->model = make_rig(joints, 7, NULL, 0, 0);
  r->posed = (sinew_posed){r->model, copy_pose(model_rest_pose(r->model)), r->joints};
  rig_settle(r);
}

static sinew_foot foot_on(int side, float ground) {
  return (sinew_foot){THIGH_L + side, SHIN_L + side, FOOT_L + side, {1, 0, 0}, ground, {0, 1, 0}, 1, {0, 0, 0}};
}

static sinew_plant_job make_job(const limb_rig *r, const sinew_foot *feet) {
  return (sinew_plant_job){r->posed, PELVIS, feet, 2, 0.5f, 0.6f, 1, NULL};
}

/* Bones keep their lengths (the pelvis itself moves, so its own does not), feet their height above the ground. */
static void both_feet_stand_on_their_ground(void **state) {
  (void)state;
  for (int i = 0; i < 100; i++) {
    limb_rig r;
    make_legs(&r);
    sinew_vec3 before[2] = {place_of(&r, FOOT_L), place_of(&r, FOOT_R)}, pelvis = place_of(&r, PELVIS);
    float left = random_range(-0.2f, 0.2f), right = random_range(-0.2f, 0.2f);
    sinew_foot feet[2] = {foot_on(0, left), foot_on(1, right)};
    sinew_plant_job job = make_job(&r, feet);
    assert_true(sinew_plant(&job));
    for (int f = 0; f < 2; f++) {
      sinew_vec3 want = before[f];
      want.y += feet[f].ground;
      assert_true(distance_between(place_of(&r, FOOT_L + f), want) < 1e-5);
    }
    assert_near(place_of(&r, PELVIS).y - pelvis.y, fminf(left, right), 1e-6);
    for (int j = THIGH_L; j <= FOOT_R; j++) assert_near(bone_length(&r, j), r.lengths[j], 1e-5);
    assert_true(place_of(&r, SHIN_L).z > 0 && place_of(&r, SHIN_R).z > 0); /* the knees bend forwards */
    rig_free(&r);
  }
}

static void a_foot_tilts_with_the_ground_up_to_its_limit(void **state) {
  (void)state;
  for (int i = 0; i < 20; i++) {
    limb_rig r;
    make_legs(&r);
    float slope = (float)i / 15; /* radians */
    sinew_foot feet[2] = {foot_on(0, 0), foot_on(1, 0)};
    feet[0].normal = (sinew_vec3){0, 2 * cosf(slope), 2 * sinf(slope)};
    sinew_plant_job job = make_job(&r, feet);
    assert_true(sinew_plant(&job));
    const float *m = r.joints[FOOT_L].m;
    double tilt = fmin((double)slope, 0.6);
    assert_near(m[5], cos(tilt), 1e-5);
    assert_near(m[9], sin(tilt), 1e-5);
    assert_near(r.joints[FOOT_R].m[5], 1, 1e-5);
    rig_free(&r);
  }
}

static void a_foot_in_the_air_is_left_to_the_clip(void **state) {
  (void)state;
  limb_rig r;
  make_legs(&r);
  sinew_foot feet[2] = {foot_on(0, -0.1f), foot_on(1, 0)};
  feet[1].weight = 0;
  sinew_pose before = copy_pose(r.posed.pose);
  sinew_plant_job job = make_job(&r, feet);
  assert_true(sinew_plant(&job));
  for (int j = THIGH_R; j <= FOOT_R; j += 2)
    assert_true(angle_between(sinew_pose_joint(&before, j).rotation, sinew_pose_joint(&r.posed.pose, j).rotation) <
                1e-6);
  free(before.groups);
  rig_free(&r);
}

static void flat_ground_and_no_weight_change_nothing(void **state) {
  (void)state;
  limb_rig r;
  make_legs(&r);
  sinew_pose before = copy_pose(r.posed.pose);
  sinew_foot feet[2] = {foot_on(0, 0), foot_on(1, 0)};
  sinew_plant_job job = make_job(&r, feet);
  assert_true(sinew_plant(&job));
  expect_same(before, r.posed.pose, 1e-3);
  rig_restore(&r, before);
  feet[0].ground = 0.3f, job.weight = 0;
  assert_true(sinew_plant(&job));
  expect_same(before, r.posed.pose, 1e-6);
  free(before.groups);
  rig_free(&r);
}

/* A hole that is deeper than the pelvis may go leaves the foot hanging, its leg stretched. */
static void the_pelvis_keeps_to_its_limit(void **state) {
  (void)state;
  limb_rig r;
  make_legs(&r);
  float height = place_of(&r, PELVIS).y;
  sinew_foot feet[2] = {foot_on(0, -3), foot_on(1, 0)};
  sinew_plant_job job = make_job(&r, feet);
  assert_true(sinew_plant(&job));
  assert_near(height - place_of(&r, PELVIS).y, 0.5, 1e-6);
  assert_near(distance_between(place_of(&r, THIGH_L), place_of(&r, FOOT_L)), r.lengths[SHIN_L] + r.lengths[FOOT_L],
              2e-3); /* it falls softly short */
  rig_free(&r);
}

static void bad_jobs_are_refused_and_write_nothing(void **state) {
  (void)state;
  limb_rig r;
  make_legs(&r);
  sinew_pose before = copy_pose(r.posed.pose);
  sinew_foot good[2] = {foot_on(0, 0.1f), foot_on(1, 0)}, feet[8][2];
  for (int i = 0; i < 8; i++) memcpy(feet[i], good, sizeof good);
  feet[0][1].ground = NAN, feet[1][1].normal = not_finite[0], feet[2][1].normal = (sinew_vec3){0, -1, 0};
  feet[3][1].weight = 2, feet[4][1].tip = THIGH_R, feet[5][1].upper = 99, feet[6][1].hinge = not_finite[1];
  feet[7][1].normal = (sinew_vec3){0, 0, 0};
  for (int i = 0; i < 8; i++) {
    sinew_plant_job job = make_job(&r, feet[i]);
    assert_non_null(sinew_plant_check(&job));
    assert_false(sinew_plant(&job));
  }
  sinew_plant_job bad[9];
  for (int i = 0; i < 9; i++) bad[i] = make_job(&r, good);
  bad[0].pelvis = -1, bad[1].pelvis = SHIN_L, bad[2].feet = NULL, bad[3].count = -1, bad[4].max_shift = -1;
  bad[5].max_shift = NAN, bad[6].max_tilt = 3, bad[7].weight = NAN, bad[8].posed.pose.groups = NULL;
  for (int i = 0; i < 9; i++) assert_false(sinew_plant(bad + i));
  assert_memory_equal(before.groups, r.posed.pose.groups, sizeof *before.groups);
  free(before.groups);
  rig_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_feet_stand_on_their_ground),
      cmocka_unit_test(a_foot_tilts_with_the_ground_up_to_its_limit),
      cmocka_unit_test(a_foot_in_the_air_is_left_to_the_clip),
      cmocka_unit_test(flat_ground_and_no_weight_change_nothing),
      cmocka_unit_test(the_pelvis_keeps_to_its_limit),
      cmocka_unit_test(bad_jobs_are_refused_and_write_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
