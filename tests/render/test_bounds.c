/* The box around a pose holds every skinned vertex and is not much larger than it must be. */
#include "render/shapes.h"

#include "render/meshes/bounds.h"

static void holds_every_vertex(void **state) {
  (void)state;
  random_seed(5);
  for (int round = 0; round < 20; round++) {
    soup_def def = {1 + round * 3, round % 2 ? 8 : 4, 400, 3, false, false, false};
    sinew_model *model = soup_model(&def);
    sinew_mat3x4 *palette = random_palette(def.joint_count, round % 3 == 0);
    joint_ball *balls = calloc((size_t)def.joint_count, sizeof *balls);
    float *positions = calloc(400 * 3, sizeof *positions);
    sinew_transform position = random_transform(true);
    sinew_mat3x4 world = sinew_mat3x4_from_transform(&position);
    bounds_measure(model, balls);
    bounds_box box = bounds_empty();
    assert_true(bounds_is_empty(&box));
    const float weights[3] = {random_range(-2, 3), 0, random_range(-1, 1)};
    sinew_mesh_view mesh = sinew_model_mesh(model, 0);
    float morphs = bounds_morph_reach(&mesh) * (fabsf(weights[0]) + fabsf(weights[2]));
    bounds_add_pose(&box, balls, morphs, palette, def.joint_count, &world);
    assert_true(sinew_cpu_skin(&(sinew_cpu_skin_job){model, 0, palette, weights, positions, NULL, NULL, NULL}));
    for (int v = 0; v < 400; v++) {
      sinew_vec3 p = {positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]};
      p = sinew_mat3x4_transform_point(&world, p);
      assert_true(p.x >= box.minimum.x - 1e-4f && p.x <= box.maximum.x + 1e-4f);
      assert_true(p.y >= box.minimum.y - 1e-4f && p.y <= box.maximum.y + 1e-4f);
      assert_true(p.z >= box.minimum.z - 1e-4f && p.z <= box.maximum.z + 1e-4f);
    }
    free(palette), free(balls), free(positions);
    sinew_model_release(model);
  }
}

static void a_post_is_not_a_house(void **state) {
  (void)state;
  sinew_model *model = post_model(1.6f, NULL, NULL);
  sinew_mat3x4 palette[3] = {sinew_mat3x4_identity(), sinew_mat3x4_identity(), sinew_mat3x4_identity()},
               here = palette[0];
  joint_ball balls[3];
  bounds_measure(model, balls);
  bounds_box box = bounds_empty();
  bounds_add_pose(&box, balls, 0, palette, 3, &here);
  assert_true(box.minimum.y <= 0 && box.minimum.y > -0.6f);
  assert_true(box.maximum.y >= 1.6f && box.maximum.y < 2.2f);
  assert_true(box.maximum.x < 1.1f && box.minimum.x > -1.1f);
  sinew_model_release(model);
}

static void broken_matrices_are_left_out(void **state) {
  (void)state;
  joint_ball balls[3] = {{{0, 0, 0}, 1}, {{0, 0, 0}, 1}, {{5, 0, 0}, -1}};
  sinew_mat3x4 palette[3] = {sinew_mat3x4_identity(), sinew_mat3x4_identity(), sinew_mat3x4_identity()},
               here = palette[0];
  palette[1].m[3] = NAN;
  bounds_box box = bounds_empty();
  bounds_add_pose(&box, balls, 0, palette, 3, &here);
  assert_true(box.maximum.x == 1 && box.minimum.x == -1);
}

/* A moved box holds its moved corners and is no larger than they need; what is not finite is left out. */
static void moved_boxes_hold_their_corners(void **state) {
  (void)state;
  random_seed(5);
  for (int n = 0; n < 200; n++) {
    sinew_transform t = random_transform(true);
    sinew_mat3x4 m = sinew_mat3x4_from_transform(&t);
    const sinew_vec3 corners[2] = {{-0.3f, -1, -0.2f}, {0.3f, 0.9f, 0.4f}};
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int c = 0; c < 8; c++) {
      const double p[3] = {corners[c & 1].x, corners[c >> 1 & 1].y, corners[c >> 2].z};
      for (int r = 0; r < 3; r++) {
        double at = m.m[4 * r] * p[0] + m.m[4 * r + 1] * p[1] + m.m[4 * r + 2] * p[2] + m.m[4 * r + 3];
        low[r] = fmin(low[r], at), high[r] = fmax(high[r], at);
      }
    }
    bounds_box box = bounds_empty();
    bounds_add_box(&box, corners, &m);
    const double found[6] = {box.minimum.x, box.minimum.y, box.minimum.z, box.maximum.x, box.maximum.y, box.maximum.z};
    for (int r = 0; r < 3; r++) {
      assert_true(fabs(found[r] - low[r]) < 1e-4);
      assert_true(fabs(found[r + 3] - high[r]) < 1e-4);
    }
  }
  bounds_box box = bounds_empty();
  const sinew_vec3 broken[2] = {{0, 0, 0}, {NAN, 1, 1}};
  sinew_mat3x4 identity = sinew_mat3x4_identity();
  bounds_add_box(&box, broken, &identity);
  assert_true(bounds_is_empty(&box));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(holds_every_vertex), cmocka_unit_test(a_post_is_not_a_house),
                                     cmocka_unit_test(broken_matrices_are_left_out),
                                     cmocka_unit_test(moved_boxes_hold_their_corners)};
  return cmocka_run_group_tests_name("bounds", tests, NULL, NULL);
}
