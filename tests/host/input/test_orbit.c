#include "support/fixture.h"

#include "host/input/orbit.h"

static const orbit_input nothing = {.height = 720};

static double distance_to_target(const sinew_camera *c) { return distance_between(c->position, c->target); }

static void settle(orbit *o, sinew_camera *camera) {
  for (int i = 0; i < 200; i++) orbit_update(o, camera, &nothing, 1.0 / 60);
}

static void test_a_camera_at_rest_keeps_its_bits(void **state) {
  (void)state;
  orbit o = {0};
  sinew_camera camera = sinew_camera_default();
  camera.position = (sinew_vec3){1.234567f, 2.345678f, -3.456789f};
  sinew_camera before = camera;
  settle(&o, &camera);
  assert_memory_equal(&camera.position, &before.position, sizeof before.position);
  assert_memory_equal(&camera.target, &before.target, sizeof before.target);
}

static void test_turning_keeps_target_and_distance(void **state) {
  (void)state;
  orbit o = {0};
  sinew_camera camera = sinew_camera_default();
  double distance = distance_to_target(&camera);
  sinew_vec3 target = camera.target, position = camera.position;
  orbit_update(&o, &camera, &(orbit_input){.turn_x = 100, .turn_y = 40, .height = 720}, 1.0 / 60);
  settle(&o, &camera);
  assert_near(distance_to_target(&camera), distance, 1e-4);
  assert_memory_equal(&camera.target, &target, sizeof target);
  assert_true(distance_between(camera.position, position) > 0.5);
  assert_true(camera.position.y > position.y); /* dragging down lifts the camera */
}

/* The angle between the two views of a level camera is the angle that was asked for: 100 pixels at 0.006. */
static void test_the_angle_of_a_turn(void **state) {
  (void)state;
  orbit o = {0};
  sinew_camera camera = sinew_camera_default();
  camera.target = (sinew_vec3){0, 1, 0};
  camera.position = (sinew_vec3){0, 1, 4};
  orbit_update(&o, &camera, &(orbit_input){.turn_x = 100, .height = 720}, 1.0 / 60);
  settle(&o, &camera);
  assert_near(atan2((double)camera.position.x, (double)camera.position.z), -0.6, 1e-4);
  assert_near(camera.position.y, 1, 1e-5);
}

static void test_the_pole_is_never_reached(void **state) {
  (void)state;
  orbit o = {0};
  sinew_camera camera = sinew_camera_default();
  for (int sign = -1; sign <= 1; sign += 2) {
    for (int i = 0; i < 50; i++)
      orbit_update(&o, &camera, &(orbit_input){.turn_y = (float)sign * 1000, .height = 720}, 1.0 / 60);
    settle(&o, &camera);
    double flat = hypot((double)(camera.position.x - camera.target.x), (double)(camera.position.z - camera.target.z));
    assert_true(flat > 0.005 * distance_to_target(&camera));
  }
}

static void test_zoom_is_limited_and_finite(void **state) {
  (void)state;
  orbit o = {0};
  sinew_camera camera = sinew_camera_default();
  for (int sign = -1; sign <= 1; sign += 2) {
    for (int i = 0; i < 100; i++)
      orbit_update(&o, &camera, &(orbit_input){.zoom = (float)sign * 100, .height = 720}, 1.0 / 60);
    settle(&o, &camera);
    assert_true(isfinite(camera.position.x + camera.position.y + camera.position.z));
    assert_true(camera.near_plane > 0 && camera.near_plane < camera.far_plane && isfinite(camera.far_plane));
    assert_true(distance_to_target(&camera) > 0);
  }
}

/* A shift by half the picture's height moves the target by half of what is seen at its distance. */
static void test_shift_follows_the_mouse(void **state) {
  (void)state;
  orbit o = {0};
  sinew_camera camera = sinew_camera_default();
  camera.target = (sinew_vec3){0, 1, 0};
  camera.position = (sinew_vec3){0, 1, 4};
  camera.fov_y = 1;
  orbit_update(&o, &camera, &(orbit_input){.shift_y = 360, .height = 720}, 1.0 / 60);
  settle(&o, &camera);
  assert_near(camera.target.y, 1 + 4 * tan(0.5), 1e-3);
  assert_near(camera.target.x, 0, 1e-5);
  assert_near(distance_to_target(&camera), 4, 1e-4);
}

static void test_the_application_wins(void **state) {
  (void)state;
  orbit o = {0};
  sinew_camera camera = sinew_camera_default();
  orbit_update(&o, &camera, &(orbit_input){.turn_x = 300, .height = 720}, 1.0 / 60);
  camera.position = (sinew_vec3){7, 8, 9};
  orbit_update(&o, &camera, &nothing, 1.0 / 60);
  assert_true(camera.position.x == 7 && camera.position.y == 8 && camera.position.z == 9);
  camera.near_plane = 0.3f;
  orbit_update(&o, &camera, &(orbit_input){.zoom = 3, .height = 720}, 1.0 / 60);
  settle(&o, &camera);
  assert_true(camera.near_plane == 0.3f);
}

static void test_a_camera_of_nan_does_no_harm(void **state) {
  (void)state;
  orbit o = {0};
  sinew_camera camera = sinew_camera_default();
  orbit_update(&o, &camera, &nothing, 1.0 / 60);
  camera.position.x = NAN;
  orbit_update(&o, &camera, &nothing, NAN);
  camera = sinew_camera_default();
  orbit_update(&o, &camera, &(orbit_input){.turn_x = 10, .height = 0, .shift_x = 5}, -1);
  settle(&o, &camera);
  assert_true(isfinite(camera.position.x));
}

/* Projects the corners with the renderer's own matrices: all inside, and one near the edge. */
static double widest_corner(const sinew_camera *camera, sinew_vec3 low, sinew_vec3 high, float aspect) {
  sinew_mat4 view = sinew_camera_view(camera), projection = sinew_camera_projection(camera, aspect);
  double widest = 0;
  for (int corner = 0; corner < 8; corner++) {
    double p[4] = {(double)(corner & 1 ? high.x : low.x), (double)(corner & 2 ? high.y : low.y),
                   (double)(corner & 4 ? high.z : low.z), 1};
    double eye[4] = {0}, clip[4] = {0};
    for (int r = 0; r < 4; r++)
      for (int c = 0; c < 4; c++) eye[r] += (double)view.m[4 * c + r] * p[c];
    for (int r = 0; r < 4; r++)
      for (int c = 0; c < 4; c++) clip[r] += (double)projection.m[4 * c + r] * eye[c];
    assert_true(clip[3] > 0 && fabs(clip[2]) <= clip[3]); /* between the planes */
    widest = fmax(widest, fmax(fabs(clip[0] / clip[3]), fabs(clip[1] / clip[3])));
  }
  return widest;
}

static void test_a_box_of_any_size_fills_the_picture(void **state) {
  (void)state;
  const float sizes[] = {0.01f, 0.3f, 2, 200, 5000}, aspects[] = {16.0f / 9, 1, 0.5f};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    for (size_t a = 0; a < sizeof aspects / sizeof aspects[0]; a++) {
      orbit o = {0};
      sinew_camera camera = sinew_camera_default();
      float s = sizes[i];
      sinew_vec3 low = {-0.2f * s, 0, -0.4f * s}, high = {0.3f * s, s, 0.1f * s};
      orbit_frame_box(&o, &camera, low, high, aspects[a]);
      assert_in_range((int)(widest_corner(&camera, low, high, aspects[a]) * 1000), 600, 999);
    }
  }
}

static void test_boxes_without_sense(void **state) {
  (void)state;
  orbit o = {0};
  sinew_camera camera = sinew_camera_default();
  orbit_frame_box(&o, &camera, (sinew_vec3){0, 0, 0}, (sinew_vec3){0, 0, 0}, 1);
  assert_true(distance_to_target(&camera) > 0.5 && distance_to_target(&camera) < 20);
  sinew_camera before = camera;
  orbit_frame_box(&o, &camera, (sinew_vec3){1, 0, 0}, (sinew_vec3){-1, 0, 0}, 1);
  orbit_frame_box(&o, &camera, (sinew_vec3){NAN, 0, 0}, (sinew_vec3){1, 1, 1}, 1);
  assert_memory_equal(&camera.position, &before.position, sizeof before.position);
}

/* Only movements by the application count; a camera that is moved along keeps its direction. */
static void test_who_moves_the_camera(void **state) {
  (void)state;
  orbit o = {0};
  sinew_camera camera = sinew_camera_default();
  settle(&o, &camera);
  for (int i = 0; i < 10; i++) {
    camera.target.x += 0.5f, camera.position.x += 0.5f;
    orbit_update(&o, &camera, &nothing, 1.0 / 60);
  }
  assert_near(o.carried.x, 5, 1e-5);
  orbit_update(&o, &camera, &(orbit_input){.turn_x = 50, .shift_x = 80, .height = 720}, 1.0 / 60);
  sinew_vec3 view = {camera.position.x - camera.target.x, 0, camera.position.z - camera.target.z};
  sinew_vec3 goal = o.goal.target;
  orbit_carry(&o, &camera, (sinew_vec3){7, 0, -2});
  assert_near(camera.position.x - camera.target.x, view.x, 1e-5);
  assert_near(camera.position.z - camera.target.z, view.z, 1e-5);
  settle(&o, &camera);
  assert_near(camera.target.x, goal.x + 7, 1e-4);
  assert_near(camera.target.z, goal.z - 2, 1e-4);
  camera.target.z += 3, orbit_adopt(&o, &camera);
  orbit_update(&o, &camera, &nothing, 1.0 / 60);
  assert_near(o.carried.x, 5, 1e-5);
  assert_near(o.carried.z, 0, 1e-5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_camera_at_rest_keeps_its_bits),
      cmocka_unit_test(test_turning_keeps_target_and_distance),
      cmocka_unit_test(test_the_angle_of_a_turn),
      cmocka_unit_test(test_the_pole_is_never_reached),
      cmocka_unit_test(test_zoom_is_limited_and_finite),
      cmocka_unit_test(test_shift_follows_the_mouse),
      cmocka_unit_test(test_the_application_wins),
      cmocka_unit_test(test_a_camera_of_nan_does_no_harm),
      cmocka_unit_test(test_a_box_of_any_size_fills_the_picture),
      cmocka_unit_test(test_boxes_without_sense),
      cmocka_unit_test(test_who_moves_the_camera),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
