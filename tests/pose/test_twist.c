/* Helper joints that turn a fraction of what another one turns. */
#include "model/pose_group.h"
#include "pose/limbs.h"

enum { SOURCE = 2, HELPER };

static void make_elbow(limb_rig *r) {
  joint_desc joints[3];
  for (int j = 0; j < 3; j++) joints[j] = (joint_desc){"j", j ? 0 : -1, random_transform(false), false, 0};
  r->model = make_rig(joints, 3, NULL, 0, 0);
  r->posed = (sinew_posed){r->model, copy_pose(model_rest_pose(r->model)), r->joints};
  rig_settle(r);
}

/* The source's rest rotation, turned by `angle` about an axis of the parent's space. */
static void turn_source(limb_rig *r, sinew_vec3 axis, float angle) {
  sinew_transform t = sinew_model_joint_rest(r->model, SOURCE);
  t.rotation = sinew_quat_multiply(sinew_quat_from_axis_angle(axis, angle), t.rotation);
  if (random_bits() % 2) t.rotation = (sinew_quat){-t.rotation.x, -t.rotation.y, -t.rotation.z, -t.rotation.w};
  sinew_pose_set_joint(&r->posed.pose, SOURCE, &t);
  rig_settle(r);
}

static sinew_quat followed(limb_rig *r, sinew_vec3 axis, float fraction, float weight) {
  assert_true(sinew_twist(&(sinew_twist_job){r->posed, HELPER, SOURCE, axis, fraction, weight}));
  expect_sound(r, 1e-5);
  return sinew_pose_joint(&r->posed.pose, HELPER).rotation;
}

static void it_turns_its_share_about_the_same_axis(void **state) {
  (void)state;
  for (int i = 0; i < 200; i++) {
    limb_rig r;
    make_elbow(&r);
    sinew_vec3 axis = random_position(1);
    float angle = random_range(-3, 3), fraction = random_range(-1, 1);
    turn_source(&r, axis, angle);
    sinew_quat got = followed(&r, (sinew_vec3){0, 0, 0}, fraction, 1);
    sinew_quat want = sinew_quat_multiply(sinew_quat_from_axis_angle(axis, fraction * angle),
                                          sinew_model_joint_rest(r.model, HELPER).rotation);
    assert_true(angle_between(got, want) < 3e-6);
    rig_free(&r);
  }
}

static void along_an_axis_it_takes_the_twist(void **state) {
  (void)state;
  for (int i = 0; i < 200; i++) {
    limb_rig r;
    make_elbow(&r);
    float twist = random_range(-3, 3), swing = random_range(-2, 2), side = random_range(0, 6);
    sinew_transform t = sinew_model_joint_rest(r.model, SOURCE);
    sinew_quat s = sinew_quat_from_axis_angle((sinew_vec3){0, cosf(side), sinf(side)}, swing);
    s = sinew_quat_multiply(s, sinew_quat_from_axis_angle((sinew_vec3){1, 0, 0}, twist));
    t.rotation = sinew_quat_multiply(s, t.rotation);
    sinew_pose_set_joint(&r.posed.pose, SOURCE, &t);
    rig_settle(&r);
    sinew_quat got = followed(&r, (sinew_vec3){3, 0, 0}, 0.5f, 1);
    sinew_quat want = sinew_quat_multiply(sinew_quat_from_axis_angle((sinew_vec3){1, 0, 0}, twist / 2),
                                          sinew_model_joint_rest(r.model, HELPER).rotation);
    assert_true(angle_between(got, want) < 1e-5);
    rig_free(&r);
  }
}

static void a_weight_goes_part_of_the_way(void **state) {
  (void)state;
  limb_rig r;
  make_elbow(&r);
  turn_source(&r, (sinew_vec3){0, 0, 1}, 1);
  sinew_quat rest = sinew_model_joint_rest(r.model, HELPER).rotation;
  assert_near(angle_between(followed(&r, (sinew_vec3){0, 0, 0}, 0.5f, 0.5f), rest), 0.25, 1e-5);
  rig_free(&r);
}

static void bad_jobs_are_refused_and_write_nothing(void **state) {
  (void)state;
  limb_rig r;
  make_elbow(&r);
  sinew_pose before = copy_pose(r.posed.pose);
  sinew_twist_job bad[9];
  for (int i = 0; i < 9; i++) bad[i] = (sinew_twist_job){r.posed, HELPER, SOURCE, {0, 0, 0}, 0.5f, 1};
  bad[0].joint = -1, bad[1].source = 99, bad[2].source = HELPER, bad[3].source = 1, bad[4].axis = not_finite[0];
  bad[5].fraction = NAN, bad[6].fraction = 2, bad[7].weight = NAN, bad[8].posed.model = NULL;
  for (int i = 0; i < 9; i++) {
    assert_non_null(sinew_twist_check(bad + i));
    assert_false(sinew_twist(bad + i));
  }
  assert_memory_equal(before.groups, r.posed.pose.groups, sizeof *before.groups);
  free(before.groups);
  rig_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_turns_its_share_about_the_same_axis),
      cmocka_unit_test(along_an_axis_it_takes_the_twist),
      cmocka_unit_test(a_weight_goes_part_of_the_way),
      cmocka_unit_test(bad_jobs_are_refused_and_write_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
