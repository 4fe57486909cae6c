/* Culling never drops a box that reaches into the view. The second opinion projects points in doubles. */
#include "support/fixture.h"

#include "render/camera.h"
#include "render/cull.h"
#include "render/meshes/history.h"

static sinew_mat4 view_projection(const sinew_camera *camera) {
  sinew_mat4 view = sinew_camera_view(camera), projection = sinew_camera_projection(camera, 1.5f);
  return mat4_multiply(&projection, &view);
}

static bool is_in_view(const sinew_mat4 *m, sinew_vec3 p) {
  double clip[4];
  for (int r = 0; r < 4; r++)
    clip[r] = (double)m->m[r] * p.x + (double)m->m[4 + r] * p.y + (double)m->m[8 + r] * p.z + (double)m->m[12 + r];
  return fabs(clip[0]) <= clip[3] && fabs(clip[1]) <= clip[3] && fabs(clip[2]) <= clip[3];
}

static sinew_vec3 random_point(float reach) {
  return (sinew_vec3){random_range(-reach, reach), random_range(-reach, reach), random_range(-reach, reach)};
}

static void no_box_in_view_is_left_out(void **state) {
  (void)state;
  random_seed(21);
  int seen = 0, hidden = 0;
  for (int n = 0; n < 4000; n++) {
    sinew_camera camera = sinew_camera_default();
    camera.position = random_point(10), camera.target = random_point(3), camera.far_plane = random_range(5, 30);
    sinew_mat4 m = view_projection(&camera);
    frustum f = frustum_of(&m);
    bounds_box box = bounds_empty();
    bounds_add(&box, random_point(15), random_range(0.1f, 3));
    bool sees = frustum_sees(&f, &box);
    sees ? seen++ : hidden++;
    for (int i = 0; i < 20 && !sees; i++) {
      sinew_vec3 p = {random_range(box.minimum.x, box.maximum.x), random_range(box.minimum.y, box.maximum.y),
                      random_range(box.minimum.z, box.maximum.z)};
      assert_false(is_in_view(&m, p));
    }
  }
  assert_true(seen > 100 && hidden > 1000);
  bounds_box nothing = bounds_empty();
  sinew_camera camera = sinew_camera_default();
  sinew_mat4 m = view_projection(&camera);
  frustum f = frustum_of(&m);
  assert_false(frustum_sees(&f, &nothing));
}

/* A point of a box and any point in its shadow, down to the ground, lie in the grown box. */
static void the_grown_box_holds_the_shadow(void **state) {
  (void)state;
  random_seed(22);
  for (int n = 0; n < 500; n++) {
    bounds_box box = bounds_empty();
    bounds_add(&box, random_point(5), random_range(0.1f, 2));
    sinew_vec3 d = {random_range(-1, 1), random_range(0.1f, 1), random_range(-1, 1)};
    float length = sqrtf(d.x * d.x + d.y * d.y + d.z * d.z);
    const float sun[3] = {d.x / length, d.y / length, d.z / length};
    float reach = shadow_reach(&box, sun);
    bounds_box grown = bounds_with_shadow(&box, sun, reach);
    sinew_vec3 p = {random_range(box.minimum.x, box.maximum.x), random_range(box.minimum.y, box.maximum.y),
                    random_range(box.minimum.z, box.maximum.z)};
    float down = p.y > 0 ? p.y / sun[1] : 0;
    for (int i = 0; i <= 4; i++) {
      float way = down * (float)i / 4;
      sinew_vec3 at = {p.x - sun[0] * way, p.y - sun[1] * way, p.z - sun[2] * way};
      assert_true(at.x >= grown.minimum.x - 1e-4f && at.x <= grown.maximum.x + 1e-4f);
      assert_true(at.y >= grown.minimum.y - 1e-4f && at.y <= grown.maximum.y + 1e-4f);
      assert_true(at.z >= grown.minimum.z - 1e-4f && at.z <= grown.maximum.z + 1e-4f);
    }
  }
}

/* A sun at the horizon, or below it, draws no endless shadows: they end where those of a sun at 1 : 20 do. */
static void shadows_of_a_low_sun_end(void **state) {
  static const float heights[] = {0.9f, 0.1f, 0.05f, 0.049f, 0.01f, 0, -0.4f};
  (void)state;
  bounds_box tall = bounds_empty(), buried = bounds_empty(), nothing = bounds_empty();
  bounds_add(&tall, (sinew_vec3){3, 2, -1}, 0.5f), bounds_add(&buried, (sinew_vec3){3, -2, -1}, 0.5f);
  for (size_t i = 0; i < sizeof heights / sizeof *heights; i++) {
    float y = heights[i];
    const float sun[3] = {sqrtf(1 - y * y), y, 0};
    double diagonal = sqrt(3), per_height = y > 0.05f ? 1 / (double)y : 20;
    assert_near(shadow_reach(&tall, sun), fmax(diagonal, 2.5 * per_height), 1e-4);
    assert_near(shadow_reach(&buried, sun), diagonal, 1e-5);
    assert_true(shadow_reach(&nothing, sun) == 0);
  }
}

/* ---- poses of the last picture ---- */

static void the_last_picture_is_found_in_any_order(void **state) {
  (void)state;
  enum { COUNT = 50 };
  history kept = {0};
  for (int round = 0; round < 4; round++) {
    history_begin(&kept);
    for (int n = 0; n < COUNT; n++) {
      int i = round % 2 ? COUNT - 1 - n : n;
      const float number[2] = {(float)(100 * round + i), 0};
      const history_entry *before = history_find(&kept, (uint64_t)i + 1, 3, 2);
      assert_int_equal(before != NULL, round > 0);
      if (before) assert_true(kept.last.numbers[before->first] == (float)(100 * (round - 1) + i));
      assert_null(history_find(&kept, (uint64_t)i + 1, 4, 2));
      assert_null(history_find(&kept, (uint64_t)i + 1, 3, 1));
      assert_true(history_add(&kept, &(history_entry){.id = (uint64_t)i + 1, .part = 3, .count = 2}, number));
    }
    assert_null(history_find(&kept, COUNT + 1, 3, 2));
  }
  history_begin(&kept), history_begin(&kept);
  assert_null(history_find(&kept, 1, 3, 2)); /* two pictures ago is not the last one */
  history_release(&kept);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_box_in_view_is_left_out), cmocka_unit_test(the_grown_box_holds_the_shadow),
      cmocka_unit_test(shadows_of_a_low_sun_end), cmocka_unit_test(the_last_picture_is_found_in_any_order)};
  return cmocka_run_group_tests_name("cull", tests, NULL, NULL);
}
