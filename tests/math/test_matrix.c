#include "support/fixture.h"

/* R(q)·v by q v q*, in double: Rodrigues' form, not the matrix that is being tested. */
static void rotate(sinew_quat q, const double v[3], double out[3]) {
  double u[3] = {q.x, q.y, q.z}, w = q.w;
  double c[3] = {u[1] * v[2] - u[2] * v[1] + w * v[0], u[2] * v[0] - u[0] * v[2] + w * v[1],
                 u[0] * v[1] - u[1] * v[0] + w * v[2]};
  out[0] = v[0] + 2 * (u[1] * c[2] - u[2] * c[1]);
  out[1] = v[1] + 2 * (u[2] * c[0] - u[0] * c[2]);
  out[2] = v[2] + 2 * (u[0] * c[1] - u[1] * c[0]);
}

static void a_transform_scales_then_turns_then_moves(void **state) {
  (void)state;
  for (int i = 0; i < 500; i++) {
    sinew_transform t = random_transform(true);
    sinew_vec3 p = {random_range(-2, 2), random_range(-2, 2), random_range(-2, 2)};
    double scaled[3] = {(double)p.x * t.scale.x, (double)p.y * t.scale.y, (double)p.z * t.scale.z}, turned[3];
    rotate(t.rotation, scaled, turned);
    /* A quaternion of any length stands for the same rotation. */
    float length = random_range(0.2f, 5);
    t.rotation =
        (sinew_quat){t.rotation.x * length, t.rotation.y * length, t.rotation.z * length, t.rotation.w * length};
    sinew_mat3x4 m = sinew_mat3x4_from_transform(&t);
    sinew_vec3 q = sinew_mat3x4_transform_point(&m, p);
    assert_near(q.x, turned[0] + t.translation.x, 1e-5);
    assert_near(q.y, turned[1] + t.translation.y, 1e-5);
    assert_near(q.z, turned[2] + t.translation.z, 1e-5);
  }
}

static void a_matrix_times_its_inverse_is_the_identity(void **state) {
  (void)state;
  sinew_mat3x4 identity = sinew_mat3x4_identity(), inverse;
  for (int i = 0; i < 500; i++) {
    sinew_transform a = random_transform(true), b = random_transform(true);
    sinew_mat3x4 ma = sinew_mat3x4_from_transform(&a), mb = sinew_mat3x4_from_transform(&b);
    sinew_mat3x4 m = sinew_mat3x4_multiply(&ma, &mb); /* with shear */
    assert_true(sinew_mat3x4_inverse(&m, &inverse));
    sinew_mat3x4 product = sinew_mat3x4_multiply(&m, &inverse);
    for (int e = 0; e < 12; e++) assert_near(product.m[e], identity.m[e], 1e-4);
  }
  sinew_mat3x4 flat = {{1, 0, 0, 5, 0, 0, 0, 6, 0, 0, 1, 7}};
  assert_false(sinew_mat3x4_inverse(&flat, &inverse));
  assert_memory_equal(&inverse, &identity, sizeof inverse);
  flat.m[0] = NAN;
  assert_false(sinew_mat3x4_inverse(&flat, &inverse));
}

static void a_transform_survives_the_matrix(void **state) {
  (void)state;
  for (int i = 0; i < 1000; i++) {
    sinew_transform t = random_transform(true);
    if (i % 3 == 0) t.scale.x = -t.scale.x;
    if (i % 7 == 0) t.rotation = sinew_quat_from_axis_angle((sinew_vec3){i % 2 ? 1.f : 0.f, 1, 0}, 3.14159265f);
    sinew_mat3x4 m = sinew_mat3x4_from_transform(&t);
    sinew_transform back = sinew_transform_from_mat3x4(&m);
    assert_true(angle_between(t.rotation, back.rotation) < 2e-5);
    assert_true(distance_between(t.scale, back.scale) < 1e-5);
    assert_memory_equal(&t.translation, &back.translation, sizeof t.translation);
  }
}

static void degenerate_matrices_give_unit_rotations(void **state) {
  (void)state;
  sinew_mat3x4 flat[] = {{{0}}, {{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}, {{1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0}}};
  for (int i = 0; i < 3; i++) {
    sinew_quat q = sinew_transform_from_mat3x4(&flat[i]).rotation;
    assert_near((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w, 1, 1e-5);
  }
}

static void slerp_turns_evenly_along_the_shorter_arc(void **state) {
  (void)state;
  for (int i = 0; i < 300; i++) {
    sinew_quat a = random_quat(), b = random_quat();
    double whole = angle_between(a, b);
    float t = random_range(0, 1);
    sinew_quat q = sinew_quat_slerp(a, b, t);
    assert_near(angle_between(a, q), (double)t * whole, 2e-4);
    assert_near(angle_between(q, b), (double)(1 - t) * whole, 2e-4);
  }
}

static void broken_quaternions_become_the_identity(void **state) {
  (void)state;
  sinew_quat broken[] = {{0, 0, 0, 0}, {NAN, 0, 0, 1}, {INFINITY, 0, 0, 0}};
  for (int i = 0; i < 3; i++) assert_near(sinew_quat_normalize(broken[i]).w, 1, 0);
  sinew_quat huge = sinew_quat_normalize((sinew_quat){3e38f, 3e38f, 0, 0});
  assert_near(huge.x, sqrt(0.5), 1e-6);
  assert_near(sinew_quat_from_axis_angle((sinew_vec3){0, 0, 0}, 1).w, 1, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_transform_scales_then_turns_then_moves),
      cmocka_unit_test(a_matrix_times_its_inverse_is_the_identity),
      cmocka_unit_test(a_transform_survives_the_matrix),
      cmocka_unit_test(degenerate_matrices_give_unit_rotations),
      cmocka_unit_test(slerp_turns_evenly_along_the_shorter_arc),
      cmocka_unit_test(broken_quaternions_become_the_identity),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
