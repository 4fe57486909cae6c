/* Debug views: what surfaces show in place of their materials. */
#include "render/stored.h"

static post_scene *view_scene(sinew_renderer *renderer, sinew_surface surface) {
  post_scene *s = post_scene_make(renderer, NULL, NULL);
  s->item.id = 7;
  s->frame.surface = surface;
  s->frame.width = 160, s->frame.height = 120;
  return s;
}

/* The colour at a height of the post, on the side that faces the camera. */
static const uint8_t *on_post(const post_scene *s, const picture *p, float height) {
  int x, y;
  picture_position(&s->frame, (sinew_vec3){s->item.transform.m[3], height, 0.25f}, &x, &y);
  return picture_at(p, x, y);
}

static void normals_are_colours(void **state) {
  gpu *g = *state;
  post_scene *s = view_scene(g->renderer, SINEW_SURFACE_NORMALS);
  picture p = picture_draw(g->renderer, &s->frame);
  const uint8_t *c = on_post(s, &p, 0.8f); /* towards +z: half, half, one */
  assert_in_range(c[0], 108, 148);         /* a side of the post is 15° wide */
  assert_in_range(c[1], 118, 142);
  assert_in_range(c[2], 244, 255);
  expect_stored("view_normals", &p);
  picture_free(&p);
  post_scene_free(s, g->renderer);
}

static void joints_have_colours(void **state) {
  gpu *g = *state;
  post_scene *s = view_scene(g->renderer, SINEW_SURFACE_JOINTS);
  picture p = picture_draw(g->renderer, &s->frame);
  const uint8_t *low = on_post(s, &p, 0.08f), *middle = on_post(s, &p, 0.8f), *high = on_post(s, &p, 1.52f);
  for (int i = 0; i < 3; i++) {
    const uint8_t *a = i == 0 ? low : i == 1 ? middle : high, *b = i == 0 ? middle : i == 1 ? high : low;
    assert_true(abs(a[0] - b[0]) + abs(a[1] - b[1]) + abs(a[2] - b[2]) > 100);
  }
  expect_stored("view_joints", &p);
  picture_free(&p);
  post_scene_free(s, g->renderer);
}

static void show_joint(const post_scene *s, const char *name, float value) {
  float weights[16] = {0};
  int joint = sinew_model_find_joint(s->model, name);
  assert_in_range(joint, 0, 15);
  assert_in_range(sinew_model_joint_count(s->model), 1, 16);
  weights[joint] = value;
  sinew_gpu_model_show_weights(s->uploaded, weights);
}

/* The middle joint weighs 1 half way up and nothing at the ends. */
static void a_joint_s_weights_are_heat(void **state) {
  gpu *g = *state;
  post_scene *s = view_scene(g->renderer, SINEW_SURFACE_WEIGHT);
  show_joint(s, "middle", 1);
  picture p = picture_draw(g->renderer, &s->frame);
  const uint8_t *low = on_post(s, &p, 0.05f), *middle = on_post(s, &p, 0.8f), *half = on_post(s, &p, 0.4f);
  assert_true(middle[0] > 200 && middle[1] < 110 && middle[2] < 110); /* red */
  assert_true(half[1] > half[0] && half[1] > half[2]);                /* green */
  assert_true(low[2] > low[0] + 30 && low[1] < low[2]);               /* dark blue */
  expect_stored("view_weight", &p);
  sinew_gpu_model_show_weights(s->uploaded, NULL);
  picture none = picture_draw(g->renderer, &s->frame);
  const uint8_t *grey = on_post(s, &none, 0.8f);
  assert_true(grey[0] == grey[1] && grey[1] == grey[2]);
  picture_free(&p), picture_free(&none);
  post_scene_free(s, g->renderer);
}

/* The upper end moves 5 cm in a sixtieth of a second: 3 m/s there, nothing at the foot; then it stands. By matrices and
 * by dual quaternions; what has no id has no velocity. */
static void velocity_is_heat(void **state) {
  gpu *g = *state;
  post_scene *s = view_scene(g->renderer, SINEW_SURFACE_VELOCITY);
  sinew_dual_quat dual_quats[3];
  for (int dual = 0; dual < 2; dual++) {
    s->item.id = 0;
    picture first = picture_draw(g->renderer, &s->frame);
    s->item.id = 7 + (uint64_t)dual;
    for (int n = 0; n < 3; n++) {
      if (n < 2) s->palette[2].m[3] += 0.05f;
      assert_true(sinew_dual_quat_palette(&(sinew_dual_quat_palette_job){s->model, s->palette, dual_quats}));
      s->item.dual_quats = dual ? dual_quats : NULL;
      picture p = picture_draw(g->renderer, &s->frame);
      const uint8_t *low = on_post(s, &p, 0.05f), *high = on_post(s, &p, 1.5f);
      assert_true(low[0] < 60 && low[1] < 60);
      if (n == 1) assert_true(high[0] > 180 && high[1] > 120 && high[2] < 110); /* yellow: three quarters of 4 m/s */
      else assert_true(high[0] < 60 && high[1] < 60);
      if (n == 1 && !dual) expect_stored("view_velocity", &p);
      picture_free(&p);
    }
    picture_free(&first);
  }
  s->item.dual_quats = NULL; /* another kind of palette: the picture after the next one has a past again */
  picture without = picture_draw(g->renderer, &s->frame);
  assert_true(on_post(s, &without, 0.1f)[0] < 60);
  picture_free(&without);
  s->item.transform.m[3] += 0.05f; /* the whole post */
  picture moved = picture_draw(g->renderer, &s->frame);
  assert_true(on_post(s, &moved, 0.1f)[0] > 180);
  picture_free(&moved);
  post_scene_free(s, g->renderer);
}

/* Shape keys move vertices though no joint does: half a metre per second and height; then they stand. */
static void shape_keys_have_a_velocity(void **state) {
  gpu *g = *state;
  post_scene *s = view_scene(g->renderer, SINEW_SURFACE_VELOCITY);
  float lean = 0;
  const float *weights[1] = {&lean};
  s->item.morph_weights = weights;
  for (int n = 0; n < 4; n++) {
    if (n == 1 || n == 2) lean += 0.05f;
    picture p = picture_draw(g->renderer, &s->frame);
    const uint8_t *low = on_post(s, &p, 0.05f), *high = on_post(s, &p, 1.5f);
    assert_true(low[0] < 60 && low[1] < 60);
    if (n == 1 || n == 2) assert_true(high[0] > 180 && high[1] > 120 && high[2] < 110); /* yellow: near 3 m/s */
    else assert_true(high[0] < 60 && high[1] < 60);
    picture_free(&p);
  }
  post_scene_free(s, g->renderer);
}

/* The second of two moves. */
static void the_members_of_a_batch_have_a_velocity(void **state) {
  gpu *g = *state;
  post_scene *s = view_scene(g->renderer, SINEW_SURFACE_VELOCITY);
  sinew_mat3x4 positions[2] = {sinew_mat3x4_identity(), sinew_mat3x4_identity()};
  positions[0].m[3] = -0.8f, positions[1].m[3] = 0.75f;
  sinew_render_batch batch = {
      .model = s->uploaded, .count = 2, .transforms = positions, .palettes = s->palette, .id = 90};
  s->frame.item_count = 0, s->frame.batches = &batch, s->frame.batch_count = 1;
  picture first = picture_draw(g->renderer, &s->frame);
  positions[1].m[3] += 0.05f;
  picture p = picture_draw(g->renderer, &s->frame);
  s->item.transform = positions[0];
  assert_true(on_post(s, &p, 0.5f)[0] < 60);
  s->item.transform = positions[1];
  assert_true(on_post(s, &p, 0.5f)[0] > 180);
  assert_true(on_post(s, &first, 0.5f)[0] < 60);
  picture_free(&first), picture_free(&p);
  post_scene_free(s, g->renderer);
}

static void bounds_surround_the_item(void **state) {
  gpu *g = *state;
  post_scene *s = view_scene(g->renderer, SINEW_SURFACE_SHADED);
  const sinew_vec3 corners[2] = {{-0.5f, 0.05f, -0.5f}, {0.5f, 1.7f, 0.5f}};
  s->item.bounds = corners;
  s->frame.bounds = true;
  picture p = picture_draw(g->renderer, &s->frame);
  for (int i = 0; i < 2; i++) {
    int x, y;
    picture_position(&s->frame, (sinew_vec3){i ? 0.5f : -0.5f, 0.9f, 0.5f}, &x, &y);
    const uint8_t *c = picture_at(&p, x, y);
    assert_true(c[0] > c[2] + 60); /* yellow */
  }
  expect_stored("view_bounds", &p);
  picture_free(&p);
  post_scene_free(s, g->renderer);
}

int main(void) {
  gpu_or_skip();
  const struct CMUnitTest tests[] = {
      gpu_test(normals_are_colours),        gpu_test(joints_have_colours),
      gpu_test(a_joint_s_weights_are_heat), gpu_test(velocity_is_heat),
      gpu_test(shape_keys_have_a_velocity), gpu_test(the_members_of_a_batch_have_a_velocity),
      gpu_test(bounds_surround_the_item)};
  return cmocka_run_group_tests_name("views", tests, gpu_setup, gpu_teardown);
}
