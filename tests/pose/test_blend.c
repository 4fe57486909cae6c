/* The rules of blending, each by name. */
#include "support/fixture.h"

enum { JOINTS = 19 };

static const float threshold = 0.1f;

static sinew_pose blend(const sinew_blend_source *sources, int count, sinew_pose rest) {
  sinew_pose output = copy_pose(rest);
  assert_true(sinew_blend(&(sinew_blend_job){sources, count, rest, threshold, output}));
  return output;
}

static void one_pose_of_any_weight_is_itself(void **state) {
  (void)state;
  sinew_pose rest = random_pose(JOINTS, true), pose = random_pose(JOINTS, true);
  float weights[] = {0.1f, 0.5f, 1, 1000};
  for (int i = 0; i < 4; i++) {
    sinew_pose result = blend(&(sinew_blend_source){pose.groups, weights[i], NULL}, 1, rest);
    expect_same(result, pose, 2e-6);
    free(result.groups);
  }
  free(rest.groups), free(pose.groups);
}

static void a_blend_does_not_depend_on_order(void **state) {
  (void)state;
  sinew_pose rest = random_pose(JOINTS, true), p[3];
  for (int i = 0; i < 3; i++) p[i] = random_pose(JOINTS, true);
  float w[3] = {0.5f, 0.3f, 0.2f};
  int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  sinew_pose first = {0};
  for (int o = 0; o < 6; o++) {
    sinew_blend_source sources[3];
    for (int i = 0; i < 3; i++) sources[i] = (sinew_blend_source){p[orders[o][i]].groups, w[orders[o][i]], NULL};
    sinew_pose result = blend(sources, 3, rest);
    if (o == 0) first = result;
    else {
      expect_same(first, result, 4e-6);
      free(result.groups);
    }
  }
  free(first.groups), free(rest.groups);
  for (int i = 0; i < 3; i++) free(p[i].groups);
}

/* Poses not further apart than a third of a turn, and rotations of either sign. */
static void order_free_thirds(void **state) {
  (void)state;
  sinew_pose rest = random_pose(1, false), p[3];
  double sum[4] = {0}, third[3] = {0};
  for (int i = 0; i < 3; i++) {
    p[i] = random_pose(1, false);
    sinew_transform t = sinew_pose_joint(p + i, 0);
    t.rotation = sinew_quat_from_axis_angle((sinew_vec3){(float)i, 1, 2}, 0.9f * (float)(i - 1));
    for (int c = 0; c < 4; c++) sum[c] += (&t.rotation.x)[c];
    for (int c = 0; c < 3; c++) third[c] += (double)(&t.translation.x)[c] / 3;
    if (i == 1) t.rotation = (sinew_quat){-t.rotation.x, -t.rotation.y, -t.rotation.z, -t.rotation.w};
    sinew_pose_set_joint(p + i, 0, &t);
  }
  sinew_quat want = {(float)sum[0], (float)sum[1], (float)sum[2], (float)sum[3]};
  int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (int o = 0; o < 6; o++) {
    sinew_blend_source sources[3];
    for (int i = 0; i < 3; i++) sources[i] = (sinew_blend_source){p[orders[o][i]].groups, 1, NULL};
    sinew_pose result = blend(sources, 3, rest);
    for (int c = 0; c < 3; c++) assert_near(result.groups->translation[c][0], third[c], 1e-6);
    assert_true(angle_between(sinew_pose_joint(&result, 0).rotation, want) < 1e-6);
    free(result.groups);
  }
  free(rest.groups);
  for (int i = 0; i < 3; i++) free(p[i].groups);
}

/* Two that are 40 degrees from each other the short way, to which the heaviest is the middle of the long one: aligned
 * to either of them, the result would be on their side. */
static void the_heaviest_source_gives_the_hemisphere(void **state) {
  (void)state;
  sinew_pose rest = random_pose(1, false), p[3];
  const sinew_transform none = sinew_transform_identity();
  sinew_pose_set_joint(&rest, 0, &none);
  float degrees[3] = {0, 160, -160}, weights[3] = {0.4f, 0.3f, 0.3f};
  for (int i = 0; i < 3; i++) {
    sinew_transform t = sinew_transform_identity();
    t.rotation = sinew_quat_from_axis_angle((sinew_vec3){0, 0, 1}, degrees[i] * 0.0174532925f);
    p[i] = copy_pose(rest);
    sinew_pose_set_joint(p + i, 0, &t);
  }
  for (int first = 0; first < 3; first++) {
    sinew_blend_source sources[3];
    for (int i = 0; i < 3; i++)
      sources[i] = (sinew_blend_source){p[(first + i) % 3].groups, weights[(first + i) % 3], NULL};
    sinew_pose result = blend(sources, 3, rest);
    assert_true(angle_between(sinew_pose_joint(&result, 0).rotation, (sinew_quat){0, 0, 0, 1}) < 1e-6);
    free(result.groups);
  }
  free(rest.groups);
  for (int i = 0; i < 3; i++) free(p[i].groups);
}

/* To either side of the rest pose: they blend across it although they are more than half a turn apart. From 240 degrees
 * on they take the shorter way, which the rest pose is no longer near. */
static void rotations_blend_across_the_rest_pose(void **state) {
  (void)state;
  const float ones[SINEW_LANES] = {1}, to_radians = 0.0174532925f;
  const sinew_vec3 axis = {0.6f, 0, 0.8f};
  sinew_pose rest = random_pose(1, false), p[2] = {copy_pose(rest), copy_pose(rest)};
  sinew_quat middle = sinew_pose_joint(&rest, 0).rotation;
  sinew_quat opposite = sinew_quat_multiply(middle, sinew_quat_from_axis_angle(axis, 180 * to_radians));
  for (int degrees = 31; degrees < 180; degrees += 2) {
    for (int i = 0; i < 2; i++) {
      sinew_transform t = sinew_pose_joint(&rest, 0);
      t.rotation =
          sinew_quat_multiply(middle, sinew_quat_from_axis_angle(axis, (float)(i ? -degrees : degrees) * to_radians));
      sinew_pose_set_joint(p + i, 0, &t);
    }
    for (int masked = 0; masked < 2; masked++) {
      const float *mask = masked ? ones : NULL;
      const sinew_blend_source sources[] = {{p[0].groups, 0.5f, NULL}, {p[1].groups, 0.5f, mask}};
      sinew_pose result = blend(sources, 2, rest);
      assert_true(angle_between(sinew_pose_joint(&result, 0).rotation, degrees <= 120 ? middle : opposite) < 1e-4);
      free(result.groups);
    }
  }
  free(rest.groups), free(p[0].groups), free(p[1].groups);
}

static void masks_are_weights_of_each_joint(void **state) {
  (void)state;
  sinew_pose rest = random_pose(8, false), a = random_pose(8, false), b = random_pose(8, false);
  float masks[2][8];
  for (int j = 0; j < 8; j++) masks[0][j] = (float)j / 7, masks[1][j] = 1 - (float)j / 7;
  sinew_blend_source sources[2] = {{a.groups, 1, masks[0]}, {b.groups, 1, masks[1]}};
  sinew_pose result = blend(sources, 2, rest);
  for (int j = 0; j < 8; j++) {
    double share = j / 7.0, x = sinew_pose_joint(&a, j).translation.x, y = sinew_pose_joint(&b, j).translation.x;
    assert_near(sinew_pose_joint(&result, j).translation.x, share * x + (1 - share) * y, 1e-6);
  }
  free(result.groups), free(rest.groups), free(a.groups), free(b.groups);
}

static void q_and_minus_q_are_one_rotation(void **state) {
  (void)state;
  sinew_pose rest = random_pose(JOINTS, false), a = random_pose(JOINTS, false), b = copy_pose(a);
  for (int g = 0; g < sinew_pose_group_count(JOINTS); g++)
    for (int c = 0; c < 4; c++)
      for (int i = 0; i < SINEW_LANES; i++) b.groups[g].rotation[c][i] = -b.groups[g].rotation[c][i];
  sinew_blend_source sources[2] = {{a.groups, 0.5f, NULL}, {b.groups, 0.5f, NULL}};
  sinew_pose result = blend(sources, 2, rest);
  expect_same(result, a, 2e-6);
  sinew_pose over = copy_pose(a);
  assert_true(sinew_layer(&(sinew_layer_job){a, b, 0.5f, NULL, over, NULL}));
  expect_same(over, a, 2e-6);
  free(result.groups), free(rest.groups), free(a.groups), free(b.groups), free(over.groups);
}

/* Half of a quarter turn keeps a child's distance: a blend of matrices would shorten it to 0.707. */
static void a_joint_at_90_degrees_keeps_its_length(void **state) {
  (void)state;
  sinew_pose rest = random_pose(1, false), a = copy_pose(rest), b = copy_pose(rest);
  sinew_transform still = sinew_transform_identity(), turned = still;
  turned.rotation = sinew_quat_from_axis_angle((sinew_vec3){0, 0, 1}, 1.57079633f);
  sinew_pose_set_joint(&a, 0, &still);
  sinew_pose_set_joint(&b, 0, &turned);
  sinew_blend_source sources[2] = {{a.groups, 1, NULL}, {b.groups, 1, NULL}};
  sinew_pose result = blend(sources, 2, rest);
  sinew_transform half = sinew_pose_joint(&result, 0);
  sinew_quat q = half.rotation;
  assert_near(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1, 1e-6);
  sinew_mat3x4 m = sinew_mat3x4_from_transform(&half);
  sinew_vec3 tip = sinew_mat3x4_transform_point(&m, (sinew_vec3){1, 0, 0});
  assert_near(tip.x, sqrt(0.5), 1e-6);
  assert_near(tip.y, sqrt(0.5), 1e-6);
  free(result.groups), free(rest.groups), free(a.groups), free(b.groups);
}

static void disjoint_tracks_do_not_dilute_each_other(void **state) {
  (void)state;
  sinew_pose rest = random_pose(8, true), a = random_pose(8, true), b = random_pose(8, true);
  float low[8] = {1, 1, 1, 1, 0, 0, 0, 0}, high[8] = {0, 0, 0, 0, 1, 1, 1, 1};
  sinew_blend_source sources[2] = {{a.groups, 0.5f, low}, {b.groups, 0.5f, high}};
  sinew_pose result = blend(sources, 2, rest);
  for (int j = 0; j < 8; j++) {
    sinew_transform got = sinew_pose_joint(&result, j), want = sinew_pose_joint(j < 4 ? &a : &b, j);
    assert_true(distance_between(got.translation, want.translation) < 1e-6);
    assert_true(angle_between(got.rotation, want.rotation) < 2e-6);
  }
  free(result.groups), free(rest.groups), free(a.groups), free(b.groups);
}

static void the_rest_pose_joins_below_the_rest_threshold(void **state) {
  (void)state;
  sinew_pose rest = random_pose(3, false), a = random_pose(3, false);
  float weights[] = {0, 0.025f, 0.05f, 0.0999f, 0.1f};
  for (int i = 0; i < 5; i++) {
    sinew_pose result = blend(&(sinew_blend_source){a.groups, weights[i], NULL}, 1, rest);
    double share = (double)weights[i] / 0.1;
    double want = share * (double)a.groups->translation[0][1] + (1 - share) * (double)rest.groups->translation[0][1];
    assert_near(result.groups->translation[0][1], want, 2e-6);
    free(result.groups);
  }
  sinew_pose nothing = blend(NULL, 0, rest);
  expect_same(nothing, rest, 2e-6);
  free(nothing.groups), free(rest.groups), free(a.groups);
}

/* Equal masks of one take the other way through the kernel and come to the same. */
static void masks_of_one_change_nothing(void **state) {
  (void)state;
  sinew_pose rest = random_pose(JOINTS, true), p[3];
  float ones[24], weights[3] = {0.3f, 0.5f, 0.05f};
  for (int i = 0; i < 24; i++) ones[i] = 1;
  sinew_blend_source even[3], masked[3];
  for (int i = 0; i < 3; i++) {
    p[i] = random_pose(JOINTS, true);
    even[i] = (sinew_blend_source){p[i].groups, weights[i], NULL};
    masked[i] = (sinew_blend_source){p[i].groups, weights[i], ones};
  }
  for (int first = 0; first < 3; first++) { /* the last one alone is under the threshold */
    sinew_pose a = blend(even + first, 3 - first, rest), b = blend(masked + first, 3 - first, rest);
    expect_same(a, b, 1e-6);
    free(a.groups), free(b.groups);
  }
  free(rest.groups);
  for (int i = 0; i < 3; i++) free(p[i].groups);
}

static void a_layer_covers_by_weight_and_mask(void **state) {
  (void)state;
  sinew_pose a = random_pose(JOINTS, true), b = random_pose(JOINTS, true), out = copy_pose(a);
  float mask[24] = {0};
  for (int i = 0; i < JOINTS; i++) mask[i] = (float)(i % 3) / 2;
  assert_true(sinew_layer(&(sinew_layer_job){a, b, 1, mask, out, NULL}));
  for (int j = 0; j < JOINTS; j++) {
    sinew_transform got = sinew_pose_joint(&out, j), s = sinew_pose_joint(&a, j), t = sinew_pose_joint(&b, j);
    double w = (j % 3) / 2.0;
    assert_near(got.translation.y, (1 - w) * (double)s.translation.y + w * (double)t.translation.y, 1e-6);
    assert_near(angle_between(got.rotation, s.rotation), w * angle_between(s.rotation, t.rotation), 3e-5);
  }
  assert_true(sinew_layer(&(sinew_layer_job){a, b, 7, NULL, out, NULL}));
  expect_same(out, b, 2e-6);
  assert_true(sinew_layer(&(sinew_layer_job){a, b, -7, NULL, out, NULL}));
  expect_same(out, a, 2e-6);
  free(a.groups), free(b.groups), free(out.groups);
}

static void bad_jobs_are_refused_and_write_nothing(void **state) {
  (void)state;
  sinew_pose rest = random_pose(3, false), out = random_pose(3, false), before = copy_pose(out);
  sinew_blend_source bad[] = {
      {rest.groups, NAN, NULL}, {rest.groups, -1, NULL}, {rest.groups, INFINITY, NULL}, {NULL, 1, NULL}};
  for (int i = 0; i < 4; i++) assert_false(sinew_blend(&(sinew_blend_job){bad + i, 1, rest, threshold, out}));
  assert_false(sinew_blend(&(sinew_blend_job){NULL, 1, rest, threshold, out}));
  assert_false(sinew_blend(&(sinew_blend_job){NULL, -1, rest, threshold, out}));
  assert_false(sinew_blend(&(sinew_blend_job){NULL, 0, rest, 0, out}));
  assert_false(sinew_blend(&(sinew_blend_job){NULL, 0, {rest.groups, 2}, threshold, out}));
  assert_false(sinew_layer(&(sinew_layer_job){rest, rest, NAN, NULL, out, NULL}));
  assert_memory_equal(before.groups, out.groups, sizeof *out.groups);
  free(rest.groups), free(out.groups), free(before.groups);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_pose_of_any_weight_is_itself),
      cmocka_unit_test(a_blend_does_not_depend_on_order),
      cmocka_unit_test(order_free_thirds),
      cmocka_unit_test(the_heaviest_source_gives_the_hemisphere),
      cmocka_unit_test(rotations_blend_across_the_rest_pose),
      cmocka_unit_test(masks_are_weights_of_each_joint),
      cmocka_unit_test(q_and_minus_q_are_one_rotation),
      cmocka_unit_test(a_joint_at_90_degrees_keeps_its_length),
      cmocka_unit_test(disjoint_tracks_do_not_dilute_each_other),
      cmocka_unit_test(the_rest_pose_joins_below_the_rest_threshold),
      cmocka_unit_test(masks_of_one_change_nothing),
      cmocka_unit_test(a_layer_covers_by_weight_and_mask),
      cmocka_unit_test(bad_jobs_are_refused_and_write_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
