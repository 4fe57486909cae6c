/* Joint limits: what is inside stays, what is outside comes to the edge. */
#include "pose/limbs.h"

static const double pi = 3.14159265358979323846;

enum { JOINT = 3 };

static sinew_quat about(sinew_vec3 axis, double angle) { return sinew_quat_from_axis_angle(axis, (float)angle); }

/* rest · swing · twist, from a swing about an axis across y and a twist about y. */
static void put(limb_rig *r, double side, double swing, double twist) {
  sinew_quat rest = sinew_model_joint_rest(r->model, JOINT).rotation;
  sinew_quat s = about((sinew_vec3){(float)cos(side), 0, (float)sin(side)}, swing),
             t = about((sinew_vec3){0, 1, 0}, twist);
  sinew_transform local = sinew_pose_joint(&r->posed.pose, JOINT);
  local.rotation = sinew_quat_multiply(sinew_quat_multiply(rest, s), t);
  if (random_bits() % 2) /* the same rotation */
    local.rotation = (sinew_quat){-local.rotation.x, -local.rotation.y, -local.rotation.z, -local.rotation.w};
  sinew_pose_set_joint(&r->posed.pose, JOINT, &local);
  rig_settle(r);
}

static sinew_limit_job make_job(const limb_rig *r, double swing, double low, double high) {
  return (sinew_limit_job){.posed = r->posed,
                           .joint = JOINT,
                           .axis = {0, 2, 0},
                           .swing = (float)swing,
                           .twist_min = (float)low,
                           .twist_max = (float)high,
                           .weight = 1};
}

static void swing_and_twist_come_to_the_edge(void **state) {
  (void)state;
  for (int i = 0; i < 500; i++) {
    limb_rig r;
    rig_init(&r, 4, i % 2);
    double side = (double)random_range(0, 6), swing = (double)random_range(0, 3), twist = (double)random_range(-3, 3);
    put(&r, side, swing, twist);
    sinew_limit_job job = make_job(&r, 0.7, -0.4, 1.2);
    assert_true(sinew_limit(&job));
    expect_sound(&r, 1e-5);
    sinew_quat got = sinew_pose_joint(&r.posed.pose, JOINT).rotation;
    put(&r, side, fmin(swing, 0.7), fmin(fmax(twist, -0.4), 1.2));
    assert_true(angle_between(got, sinew_pose_joint(&r.posed.pose, JOINT).rotation) < 3e-6);
    rig_free(&r);
  }
}

static void what_is_inside_stays(void **state) {
  (void)state;
  limb_rig r;
  rig_init(&r, 4, false);
  for (int i = 0; i < 50; i++) {
    put(&r, (double)random_range(0, 6), (double)random_range(0, 0.69f), (double)random_range(-0.39f, 1.19f));
    sinew_pose before = copy_pose(r.posed.pose);
    sinew_limit_job job = make_job(&r, 0.7, -0.4, 1.2);
    assert_true(sinew_limit(&job));
    expect_same(before, r.posed.pose, 3e-6);
    free(before.groups);
  }
  rig_free(&r);
}

static void a_half_turn_of_swing_stays_finite(void **state) {
  (void)state;
  limb_rig r;
  rig_init(&r, 4, false);
  put(&r, 1, pi, 0.5);
  sinew_limit_job job = make_job(&r, 0.7, -0.4, 1.2);
  assert_true(sinew_limit(&job));
  expect_sound(&r, 1e-5);
  sinew_quat rest = sinew_model_joint_rest(r.model, JOINT).rotation;
  assert_true(angle_between(rest, sinew_pose_joint(&r.posed.pose, JOINT).rotation) <= 0.7 + 1.2 + 1e-5);
  rig_free(&r);
}

static void bad_jobs_are_refused_and_write_nothing(void **state) {
  (void)state;
  limb_rig r;
  rig_init(&r, 4, false);
  sinew_pose before = copy_pose(r.posed.pose);
  sinew_limit_job bad[12];
  for (int i = 0; i < 12; i++) bad[i] = make_job(&r, 0.1, -0.1, 0.1);
  for (int i = 0; i < 3; i++) bad[i].axis = not_finite[i];
  bad[3].axis = (sinew_vec3){0, 0, 0}, bad[4].swing = -1, bad[5].swing = NAN, bad[6].twist_min = 1,
  bad[7].twist_max = NAN;
  bad[8].twist_max = 9, bad[9].joint = -1, bad[10].joint = 99, bad[11].weight = NAN;
  for (int i = 0; i < 12; i++) {
    assert_non_null(sinew_limit_check(bad + i));
    assert_false(sinew_limit(bad + i));
  }
  assert_memory_equal(before.groups, r.posed.pose.groups, sizeof *before.groups);
  free(before.groups);
  rig_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(swing_and_twist_come_to_the_edge),
      cmocka_unit_test(what_is_inside_stays),
      cmocka_unit_test(a_half_turn_of_swing_stays_finite),
      cmocka_unit_test(bad_jobs_are_refused_and_write_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
