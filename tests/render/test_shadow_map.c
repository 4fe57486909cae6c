/* Where the shadow map looks: it holds the box, and it moves in whole texels. */
#include "support/fixture.h"

#include "render/passes/shadow_map.h"

static void apply(const sinew_mat4 *m, const double p[3], double out[3]) {
  for (int r = 0; r < 3; r++) out[r] = m->m[r] * p[0] + m->m[4 + r] * p[1] + m->m[8 + r] * p[2] + m->m[12 + r];
}

static void unit_sun(float sun[4]) {
  sinew_quat q = random_quat();
  sun[0] = 2 * (q.x * q.z + q.w * q.y), sun[1] = 2 * (q.y * q.z - q.w * q.x), sun[2] = 1 - 2 * (q.x * q.x + q.y * q.y);
  sun[3] = 0;
}

static void holds_the_box(void **state) {
  (void)state;
  random_seed(11);
  for (int round = 0; round < 500; round++) {
    float sun[4], texel;
    unit_sun(sun);
    if (round == 0) memcpy(sun, (float[4]){0, 1, 0, 0}, sizeof sun);
    if (round == 1) memcpy(sun, (float[4]){0, -1, 0, 0}, sizeof sun);
    bounds_box box = bounds_empty();
    bounds_add(&box, (sinew_vec3){random_range(-50, 50), random_range(-2, 2), random_range(-50, 50)},
               random_range(0.2f, 9));
    sinew_mat4 matrix = shadow_fit(&box, sun, 1024, &texel);
    for (int corner = 0; corner < 8; corner++) {
      double p[3] = {corner & 1 ? box.maximum.x : box.minimum.x, corner & 2 ? box.maximum.y : box.minimum.y,
                     corner & 4 ? box.maximum.z : box.minimum.z},
             q[3];
      apply(&matrix, p, q);
      for (int k = 0; k < 3; k++) assert_true(fabs(q[k]) <= 1.001);
    }
    double toward[3] = {sun[0], sun[1], sun[2]}, zero[3] = {0}, a[3], b[3];
    apply(&matrix, toward, a), apply(&matrix, zero, b);
    assert_true(fabs(a[0] - b[0]) < 1e-4 && fabs(a[1] - b[1]) < 1e-4); /* the sun's way is depth alone … */
    assert_true(a[2] < b[2]);                                          /* … and nearer to the sun is nearer */
  }
}

/* A point fixed in the world may move on the map only by whole texels while the box walks. */
static void walks_in_whole_texels(void **state) {
  (void)state;
  const float sun[4] = {0.45f, 0.8f, 0.397f, 0};
  double last[3] = {0};
  for (int step = 0; step < 200; step++) {
    float texel;
    bounds_box box = bounds_empty();
    bounds_add(&box, (sinew_vec3){0.0137f * (float)step, 0.9f, -0.0071f * (float)step}, 1.1f);
    sinew_mat4 matrix = shadow_fit(&box, sun, 512, &texel);
    double p[3] = {0.3, 0.2, 0.1}, q[3];
    apply(&matrix, p, q);
    for (int k = 0; k < 2 && step > 0; k++) {
      double texels = (q[k] - last[k]) * 256;
      assert_true(fabs(texels - round(texels)) < 0.02);
    }
    memcpy(last, q, sizeof last);
  }
}

static void grows_in_steps(void **state) {
  (void)state;
  map_square a = map_square_fit(0, 0, 1.01f, 512), b = map_square_fit(0, 0, 1.1f, 512),
             c = map_square_fit(0, 0, 1.3f, 512);
  assert_true(a.radius == b.radius && c.radius > b.radius && a.radius >= 1.1f);
  assert_true(isfinite(map_square_fit(0, 0, INFINITY, 512).radius));
  assert_true(map_square_fit(0, 0, 0, 512).radius > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(holds_the_box), cmocka_unit_test(walks_in_whole_texels),
                                     cmocka_unit_test(grows_in_steps)};
  return cmocka_run_group_tests_name("shadow_map", tests, NULL, NULL);
}
