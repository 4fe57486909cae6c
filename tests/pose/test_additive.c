/* Additive poses: what is made of two poses and what becomes of it. */
#include "support/fixture.h"

enum { JOINTS = 19 };

/* Angles go with the weight, and ratios by its power. */
static void expect_share(sinew_pose got, sinew_pose below, sinew_pose pose, sinew_pose reference, double weight) {
  for (int j = 0; j < JOINTS; j++) {
    sinew_transform g = sinew_pose_joint(&got, j), b = sinew_pose_joint(&below, j), p = sinew_pose_joint(&pose, j),
                    r = sinew_pose_joint(&reference, j);
    const float *gt = &g.translation.x, *bt = &b.translation.x, *pt = &p.translation.x, *rt = &r.translation.x;
    const float *gs = &g.scale.x, *bs = &b.scale.x, *ps = &p.scale.x, *rs = &r.scale.x;
    for (int c = 0; c < 3; c++) {
      assert_near(gt[c], bt[c] + weight * ((double)pt[c] - rt[c]), 2e-6);
      assert_near(gs[c], bs[c] * pow((double)ps[c] / rs[c], weight), 1e-5 * fmax(1, fabs(gs[c])));
    }
    double whole = angle_between(p.rotation, r.rotation), part = angle_between(g.rotation, b.rotation);
    double turned = fmod(fabs(weight) * whole, 2 * 3.14159265358979324);
    assert_near(part, fmin(turned, 2 * 3.14159265358979324 - turned), 1e-4);
  }
}

static void an_additive_pose_is_the_difference_to_a_reference(void **state) {
  (void)state;
  for (int joints = 1; joints <= 17; joints++) {
    sinew_pose pose = random_pose(joints, true), reference = random_pose(joints, true);
    sinew_pose difference = copy_pose(pose), out = copy_pose(pose);
    assert_true(sinew_additive_make(&(sinew_additive_make_job){pose, reference, difference}));
    assert_true(sinew_additive_apply(&(sinew_additive_apply_job){reference, difference, 1, NULL, out}));
    expect_same(out, pose, 1e-6);
    assert_true(sinew_additive_make(&(sinew_additive_make_job){pose, pose, difference}));
    assert_true(sinew_additive_apply(&(sinew_additive_apply_job){reference, difference, 1, NULL, out}));
    expect_same(out, reference, 1e-6); /* no difference adds nothing */
    free(pose.groups), free(reference.groups), free(difference.groups), free(out.groups);
  }
}

/* A quarter turn about x on top of one about y. In the joint's own space its z axis first goes to −y, which the turn
 * about y leaves there; in the parent's space it would end along x. */
static void an_additive_pose_is_applied_in_the_joints_space(void **state) {
  (void)state;
  const float quarter = 1.57079633f;
  sinew_pose below = random_pose(1, false), reference = random_pose(1, false), pose = random_pose(1, false);
  sinew_transform t = sinew_transform_identity();
  sinew_pose_set_joint(&reference, 0, &t);
  t.rotation = sinew_quat_from_axis_angle((sinew_vec3){1, 0, 0}, quarter);
  sinew_pose_set_joint(&pose, 0, &t);
  t.rotation = sinew_quat_from_axis_angle((sinew_vec3){0, 1, 0}, quarter);
  sinew_pose_set_joint(&below, 0, &t);
  assert_true(sinew_additive(&(sinew_additive_job){below, pose, reference, 1, NULL, below}));
  t = sinew_pose_joint(&below, 0);
  sinew_mat3x4 m = sinew_mat3x4_from_transform(&t);
  sinew_vec3 axis = sinew_mat3x4_transform_point(&m, (sinew_vec3){0, 0, 1});
  assert_near(distance_between(axis, (sinew_vec3){0, -1, 0}), 0, 1e-6);
  free(below.groups), free(reference.groups), free(pose.groups);
}

static void a_weight_adds_its_share(void **state) {
  (void)state;
  sinew_pose below = random_pose(JOINTS, true), pose = random_pose(JOINTS, true), reference = random_pose(JOINTS, true);
  sinew_pose difference = copy_pose(pose), out = copy_pose(pose), fused = copy_pose(pose);
  assert_true(sinew_additive_make(&(sinew_additive_make_job){pose, reference, difference}));
  float weights[] = {0, 0.3f, 0.5f, 1, 2, -1, 1.7f, -0.4f};
  for (int i = 0; i < 8; i++) {
    assert_true(sinew_additive_apply(&(sinew_additive_apply_job){below, difference, weights[i], NULL, out}));
    expect_share(out, below, pose, reference, (double)weights[i]);
    assert_true(sinew_additive(&(sinew_additive_job){below, pose, reference, weights[i], NULL, fused}));
    expect_same(fused, out, 1e-6);
  }
  free(below.groups), free(pose.groups), free(reference.groups), free(difference.groups), free(out.groups),
      free(fused.groups);
}

/* r² r⁻¹ = r, and r^0.3 r^0.7 = r: twice as far, and back. */
static void powers_add_up(void **state) {
  (void)state;
  static const float parts[][2] = {{2, -1}, {0.3f, 0.7f}, {1.7f, -0.7f}};
  sinew_pose below = random_pose(JOINTS, true), pose = random_pose(JOINTS, true), reference = random_pose(JOINTS, true);
  sinew_pose once = copy_pose(pose), twice = copy_pose(pose);
  assert_true(sinew_additive(&(sinew_additive_job){below, pose, reference, 1, NULL, once}));
  for (int i = 0; i < 3; i++) {
    assert_true(sinew_additive(&(sinew_additive_job){below, pose, reference, parts[i][0], NULL, twice}));
    assert_true(sinew_additive(&(sinew_additive_job){twice, pose, reference, parts[i][1], NULL, twice}));
    expect_same(twice, once, 2e-5);
  }
  free(below.groups), free(pose.groups), free(reference.groups), free(once.groups), free(twice.groups);
}

/* below · (n sin a, cos a)^w in double precision; of both signs of the difference the one that turns less. */
static void expect_power(const sinew_pose *got, const sinew_pose *below, const sinew_pose *turn, int j, double w) {
  sinew_transform g = sinew_pose_joint(got, j), b = sinew_pose_joint(below, j), t = sinew_pose_joint(turn, j);
  double q[4] = {t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w}, sign = q[3] < 0 ? -1 : 1;
  double sine = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]), half = atan2(sine, fabs(q[3]));
  double s = sine > 0 ? sign * sin(half * w) / sine : 0;
  double x = s * q[0], y = s * q[1], z = s * q[2], c = cos(half * w);
  double a[4] = {b.rotation.x, b.rotation.y, b.rotation.z, b.rotation.w};
  double want[4] = {a[3] * x + a[0] * c + a[1] * z - a[2] * y, a[3] * y - a[0] * z + a[1] * c + a[2] * x,
                    a[3] * z + a[0] * y - a[1] * x + a[2] * c, a[3] * c - a[0] * x - a[1] * y - a[2] * z};
  double side = want[0] * (double)g.rotation.x + want[1] * (double)g.rotation.y + want[2] * (double)g.rotation.z +
                want[3] * (double)g.rotation.w;
  const float *r = &g.rotation.x;
  for (int i = 0; i < 4; i++) assert_near(r[i], side < 0 ? -want[i] : want[i], 4e-7 * fmax(1, fabs(w)));
}

/* From no turn to half a turn, and weights that differ from lane to lane; some are whole. */
static void powers_of_rotations_are_exact(void **state) {
  (void)state;
  enum { MANY = 4096 };
  static float mask[MANY];
  sinew_pose below = random_pose(MANY, false), turn = random_pose(MANY, false), out = copy_pose(below);
  const float weights[] = {1, 0.5f, -1, 3, -2.5f};
  for (int i = 0; i < MANY; i++) {
    sinew_transform t = sinew_pose_joint(&turn, i);
    float angle = i % 8 == 0 ? powf(10, random_range(-12, 0)) : random_range(0, 3.14159265f);
    sinew_vec3 axis = {random_range(-1, 1), random_range(-1, 1), random_range(-1, 1)};
    t.rotation = sinew_quat_from_axis_angle(axis, i % 3 ? angle : -angle);
    sinew_pose_set_joint(&turn, i, &t);
    mask[i] = i % 5 == 0 ? (float)(i % 2) : random_range(0, 1);
  }
  for (int w = 0; w < 5; w++) {
    assert_true(sinew_additive_apply(&(sinew_additive_apply_job){below, turn, weights[w], mask, out}));
    for (int i = 0; i < MANY; i++) expect_power(&out, &below, &turn, i, (double)(weights[w] * mask[i]));
  }
  free(below.groups), free(turn.groups), free(out.groups);
}

static void a_mask_chooses_the_joints(void **state) {
  (void)state;
  sinew_pose below = random_pose(JOINTS, true), difference = random_pose(JOINTS, true), out = copy_pose(below);
  sinew_pose whole = copy_pose(below);
  float mask[24] = {0};
  for (int i = 0; i < JOINTS; i += 2) mask[i] = 1;
  assert_true(sinew_additive_apply(&(sinew_additive_apply_job){below, difference, 1, NULL, whole}));
  assert_true(sinew_additive_apply(&(sinew_additive_apply_job){below, difference, 1, mask, out}));
  for (int j = 0; j < JOINTS; j++) {
    sinew_transform got = sinew_pose_joint(&out, j), want = sinew_pose_joint(j % 2 ? &below : &whole, j);
    assert_true(angle_between(got.rotation, want.rotation) < 1e-6);
    assert_true(distance_between(got.translation, want.translation) < 1e-6);
  }
  free(below.groups), free(difference.groups), free(out.groups), free(whole.groups);
}

static void a_scale_of_nothing_adds_nothing(void **state) {
  (void)state;
  sinew_pose reference = random_pose(1, true), pose = random_pose(1, true), out = copy_pose(pose);
  for (int c = 0; c < 3; c++) reference.groups->scale[c][0] = 0;
  assert_true(sinew_additive_make(&(sinew_additive_make_job){pose, reference, out}));
  for (int c = 0; c < 3; c++) assert_near(out.groups->scale[c][0], 1, 0);
  free(reference.groups), free(pose.groups), free(out.groups);
}

static void bad_jobs_are_refused_and_write_nothing(void **state) {
  (void)state;
  sinew_pose pose = random_pose(3, false), out = random_pose(3, false), before = copy_pose(out);
  sinew_pose none = {NULL, 3}, other = {pose.groups, 2};
  assert_false(sinew_additive_make(&(sinew_additive_make_job){none, pose, out}));
  assert_false(sinew_additive_make(&(sinew_additive_make_job){pose, none, out}));
  assert_false(sinew_additive_make(&(sinew_additive_make_job){pose, other, out}));
  assert_false(sinew_additive_make(&(sinew_additive_make_job){pose, pose, none}));
  assert_false(sinew_additive_apply(&(sinew_additive_apply_job){pose, pose, NAN, NULL, out}));
  assert_false(sinew_additive_apply(&(sinew_additive_apply_job){pose, pose, INFINITY, NULL, out}));
  assert_false(sinew_additive_apply(&(sinew_additive_apply_job){pose, other, 1, NULL, out}));
  assert_false(sinew_additive(&(sinew_additive_job){pose, pose, none, 1, NULL, out}));
  assert_false(sinew_additive(&(sinew_additive_job){pose, pose, pose, NAN, NULL, out}));
  assert_memory_equal(before.groups, out.groups, sizeof *out.groups);
  free(pose.groups), free(out.groups), free(before.groups);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_additive_pose_is_the_difference_to_a_reference),
      cmocka_unit_test(an_additive_pose_is_applied_in_the_joints_space),
      cmocka_unit_test(a_weight_adds_its_share),
      cmocka_unit_test(powers_add_up),
      cmocka_unit_test(powers_of_rotations_are_exact),
      cmocka_unit_test(a_mask_chooses_the_joints),
      cmocka_unit_test(a_scale_of_nothing_adds_nothing),
      cmocka_unit_test(bad_jobs_are_refused_and_write_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
