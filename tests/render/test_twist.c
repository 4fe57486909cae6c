/* A cylinder whose joints turn about its axis, on the GPU: what linear blending takes away from it and dual quaternions
 * keep. */
#include "render/picture.h"

enum { RINGS = 17, SIDES = 24, RING = SIDES + 1 };
static const double step = 170 * 3.14159265358979 / 180, radius = 0.25;

static void twist(post_scene *s, sinew_dual_quat *dual_quats) {
  for (int i = 0; i < 3; i++) {
    sinew_transform turn = sinew_transform_identity();
    turn.rotation = sinew_quat_from_axis_angle((sinew_vec3){0, 1, 0}, (float)(step * i));
    s->palette[i] = sinew_mat3x4_from_transform(&turn);
  }
  assert_true(sinew_dual_quat_palette(&(sinew_dual_quat_palette_job){s->model, s->palette, dual_quats}));
}

static void skin(gpu *g, const post_scene *s, const sinew_dual_quat *dual_quats, float *positions) {
  sinew_error error = {0};
  const sinew_gpu_skin_job job = {
      .model = s->uploaded, .palette = s->palette, .dual_quats = dual_quats, .positions = positions};
  if (!sinew_renderer_skin(g->renderer, &job, &error)) fail_msg("%s", error.message);
}

/* The mean of r² over a ring, as a share of the whole one's: its area, where it stays round. */
static double area(const float *positions, int ring) {
  double sum = 0;
  for (int s = 0; s < RING; s++) {
    const float *p = positions + 3 * (ring * RING + s);
    sum += ((double)p[0] * p[0] + (double)p[2] * p[2]) / (radius * radius);
  }
  return sum / RING;
}

/* Simpson's rule over the rings: exact for the quadratic that linear blending gives. */
static double volume(const float *positions) {
  double sum = 0;
  for (int r = 0; r < RINGS; r++) sum += area(positions, r) * (r == 0 || r == RINGS - 1 ? 1 : r % 2 ? 4 : 2);
  return sum / (3 * (RINGS - 1));
}

/* Half way between two joints that are 170° apart, (1 − t) + t·e^{iφ} has the square 1 − 2t(1 − t)(1 − cos φ); its mean
 * over t is 1 − (1 − cos φ) / 3, a third of the volume. */
static void dual_quaternions_keep_the_volume(void **state) {
  gpu *g = *state;
  post_scene *s = post_scene_make(g->renderer, NULL, NULL);
  sinew_dual_quat dual_quats[3];
  int count = sinew_model_mesh(s->model, 0).vertex_count;
  float *linear = calloc((size_t)count * 3, sizeof *linear), *dual = calloc((size_t)count * 3, sizeof *dual);
  twist(s, dual_quats);
  skin(g, s, NULL, linear);
  skin(g, s, dual_quats, dual);
  for (int r = 0; r < RINGS; r++) {
    double t = fmod(2.0 * r / (RINGS - 1), 1), expected = 1 - 2 * t * (1 - t) * (1 - cos(step));
    assert_true(fabs(area(linear, r) - expected) < 1e-5);
    assert_true(fabs(area(dual, r) - 1) < 1e-5);
  }
  printf("  volume kept: linear %.4f, dual quaternions %.6f\n", volume(linear), volume(dual));
  assert_true(fabs(volume(linear) - (1 - (1 - cos(step)) / 3)) < 1e-4);
  assert_true(fabs(volume(dual) - 1) < 1e-5);
  free(linear), free(dual);
  post_scene_free(s, g->renderer);
}

/* Both in one picture, as two calls of one mesh: the waists of the linear one are thin, the other is straight. */
static void both_are_drawn_side_by_side(void **state) {
  gpu *g = *state;
  post_scene *s = post_scene_make(g->renderer, NULL, NULL);
  sinew_dual_quat dual_quats[3];
  twist(s, dual_quats);
  sinew_draw_item items[2] = {s->item, s->item};
  items[0].transform.m[3] = -0.5f, items[1].transform.m[3] = 0.5f;
  items[1].dual_quats = dual_quats;
  s->frame.items = items, s->frame.item_count = 2, s->frame.ground = false;
  picture with = picture_draw(g->renderer, &s->frame);
  assert_int_equal(g->renderer->list.count, 2);
  s->frame.item_count = 0;
  picture without = picture_draw(g->renderer, &s->frame);
  for (int item = 0; item < 2; item++) {
    int x, y, width = 0;
    picture_position(&s->frame, (sinew_vec3){item ? 0.5f : -0.5f, 0.4f, 0}, &x, &y); /* half way between two joints */
    for (int at = x - 30; at < x + 30; at++)
      width += abs(picture_at(&with, at, y)[1] - picture_at(&without, at, y)[1]) > 6;
    assert_in_range(width, item ? 14 : 1, item ? 40 : 9);
  }
  picture_free(&with), picture_free(&without);
  post_scene_free(s, g->renderer);
}

int main(void) {
  gpu_or_skip();
  const struct CMUnitTest tests[] = {gpu_test(dual_quaternions_keep_the_volume), gpu_test(both_are_drawn_side_by_side)};
  return cmocka_run_group_tests_name("twist", tests, gpu_setup, gpu_teardown);
}
