/* Camera matrices against values worked out by hand. */
#include "support/fixture.h"

#include "render/camera.h"

static void expect_matrix(const sinew_mat4 *found, const double rows[16]) {
  for (int r = 0; r < 4; r++)
    for (int c = 0; c < 4; c++)
      if (fabs(found->m[4 * c + r] - rows[4 * r + c]) > 1e-6)
        fail_msg("row %d column %d: %g, expected %g", r, c, (double)found->m[4 * c + r], rows[4 * r + c]);
}

static void view_from_the_front(void **state) {
  (void)state;
  sinew_camera camera = {{0, 1, 5}, {0, 1, 0}, {0, 1, 0}, 1, 0.1f, 100, 0, 0};
  sinew_mat4 view = sinew_camera_view(&camera);
  expect_matrix(&view, (double[]){1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1, -5, 0, 0, 0, 1});
}

/* From +x towards −x: the world's z is to the left, so x_view = −z. */
static void view_from_the_side(void **state) {
  (void)state;
  sinew_camera camera = {{2, 3, 4}, {-1, 3, 4}, {0, 5, 0}, 1, 0.1f, 100, 0, 0};
  sinew_mat4 view = sinew_camera_view(&camera);
  expect_matrix(&view, (double[]){0, 0, -1, 4, 0, 1, 0, -3, 1, 0, 0, -2, 0, 0, 0, 1});
}

/* fov 90°: cot 45° = 1; near 1, far 3: (n + f)/(n − f) = −2, 2nf/(n − f) = −3. */
static void projection(void **state) {
  (void)state;
  sinew_camera camera = {{0, 0, 1}, {0, 0, 0}, {0, 1, 0}, 1.57079632679f, 1, 3, 0, 0};
  sinew_mat4 found = sinew_camera_projection(&camera, 2);
  expect_matrix(&found, (double[]){0.5, 0, 0, 0, 0, 1, 0, 0, 0, 0, -2, -3, 0, 0, -1, 0});
}

/* At the left edge of a picture that is moved to the right by its half: what was in the middle is at the right edge. */
static void a_shift_moves_the_whole_picture(void **state) {
  (void)state;
  sinew_camera camera = {{0, 0, 1}, {0, 0, 0}, {0, 1, 0}, 1.57079632679f, 1, 3, 1, -0.25f};
  sinew_mat4 found = sinew_camera_projection(&camera, 2);
  expect_matrix(&found, (double[]){0.5, 0, -1, 0, 0, 1, 0.25, 0, 0, 0, -2, -3, 0, 0, -1, 0});
  for (float z = -3; z < -1; z += 0.5f) { /* all that lies ahead */
    assert_near(found.m[8] * z / -z, 1, 1e-6);
    assert_near(found.m[9] * z / -z, -0.25, 1e-6);
  }
}

static void straight_down_is_no_dead_end(void **state) {
  (void)state;
  sinew_camera camera = {{0, 5, 0}, {0, 0, 0}, {0, 1, 0}, 1, 0.1f, 100, 0, 0};
  sinew_mat4 view = sinew_camera_view(&camera);
  for (int i = 0; i < 16; i++) assert_true(isfinite(view.m[i]));
  expect_matrix(&view, (double[]){1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, -5, 0, 0, 0, 1}); /* north is up */
}

static void product_and_inverse(void **state) {
  (void)state;
  sinew_camera camera = {{1, 2, 3}, {-2, 0.5f, 1}, {0, 1, 0}, 0.8f, 0.1f, 50, 0, 0};
  sinew_mat4 view = sinew_camera_view(&camera), lens = sinew_camera_projection(&camera, 1.5f);
  sinew_mat4 both = mat4_multiply(&lens, &view), inverse = mat4_inverse(&both), one = mat4_multiply(&both, &inverse);
  for (int i = 0; i < 16; i++) assert_true(fabs(one.m[i] - (i % 5 == 0)) < 1e-4);
  for (int r = 0; r < 4; r++)
    for (int c = 0; c < 4; c++) {
      double sum = 0;
      for (int k = 0; k < 4; k++) sum += (double)lens.m[4 * k + r] * (double)view.m[4 * c + k];
      assert_true(fabs(sum - both.m[4 * c + r]) < 1e-5);
    }
}

static void orthographic_box(void **state) {
  (void)state;
  const float low[3] = {-1, 0, 2}, high[3] = {3, 4, 10};
  sinew_mat4 found = mat4_orthographic(low, high);
  expect_matrix(&found, (double[]){0.5, 0, 0, -0.5, 0, 0.5, 0, -1, 0, 0, -0.25, -1.5, 0, 0, 0, 1});
}

static void the_default_camera_is_usable(void **state) {
  (void)state;
  sinew_error error = {0};
  sinew_camera camera = sinew_camera_default();
  assert_true(camera_check(&camera, &error));
  float x = camera.position.x - camera.target.x, z = camera.position.z - camera.target.z;
  assert_true(sqrtf(x * x + z * z) > 2.5f && sqrtf(x * x + z * z) < 4.5f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(view_from_the_front),
                                     cmocka_unit_test(view_from_the_side),
                                     cmocka_unit_test(projection),
                                     cmocka_unit_test(a_shift_moves_the_whole_picture),
                                     cmocka_unit_test(straight_down_is_no_dead_end),
                                     cmocka_unit_test(product_and_inverse),
                                     cmocka_unit_test(orthographic_box),
                                     cmocka_unit_test(the_default_camera_is_usable)};
  return cmocka_run_group_tests_name("camera", tests, NULL, NULL);
}
