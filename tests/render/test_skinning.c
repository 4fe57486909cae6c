/* Where vertices are skinned, and what that costs: the same picture from pages of palettes, ahead of the passes, in
 * each pass, and from vertices that the caller has skinned. */
#include "render/picture.h"

/* A hundred posts, each of three joints; pages of 20 texels and of 9 must give what one page gives. */
static void paged_palettes_draw_the_same(void **state) {
  enum { COUNT = 100 };
  gpu *g = *state;
  int whole = g->renderer->texel_limit;
  post_scene *s = post_scene_make(g->renderer, NULL, NULL);
  sinew_draw_item items[COUNT];
  sinew_mat3x4 palettes[COUNT][3];
  random_seed(3);
  for (int i = 0; i < COUNT; i++) {
    items[i] = s->item;
    items[i].palette = palettes[i];
    items[i].transform.m[3] = random_range(-3, 3), items[i].transform.m[11] = random_range(-6, 0);
    for (int j = 0; j < 3; j++) palettes[i][j] = s->palette[j], palettes[i][j].m[3] = random_range(-0.2f, 0.2f);
  }
  s->frame.items = items, s->frame.item_count = COUNT;
  picture one = picture_draw(g->renderer, &s->frame);
  static const int limits[] = {65536, 20, 9};
  for (int i = 0; i < 3; i++) {
    g->renderer->texel_limit = limits[i];
    picture paged = picture_draw(g->renderer, &s->frame);
    int last_page = g->renderer->list.palettes.current;
    assert_int_equal(last_page, limits[i] == 65536 ? 0 : limits[i] == 20 ? COUNT / 2 - 1 : COUNT - 1);
    assert_int_equal(picture_difference(&one, &paged, 0), 0);
    picture_free(&paged);
  }
  g->renderer->texel_limit = 8; /* less than one palette */
  sinew_error error = {0};
  assert_false(sinew_renderer_draw(g->renderer, &s->frame, &error));
  assert_non_null(strstr(error.message, "9 texels"));
  g->renderer->texel_limit = whole;
  picture_free(&one);
  post_scene_free(s, g->renderer);
}

/* Skinned once for all passes (by feedback or by a compute shader), by each pass, or some calls so and some so: the
 * same pixels. */
static void skinned_ahead_is_drawn_the_same(void **state) {
  enum { COUNT = 5 };
  gpu *g = *state;
  int64_t whole = g->renderer->skin.limit;
  sinew_skin_stage usual = sinew_renderer_skin_stage(g->renderer);
  post_scene *s = post_scene_make(g->renderer, NULL, NULL);
  int vertices = sinew_model_mesh(s->model, 0).vertex_count;
  sinew_renderer_set_skin_stage(g->renderer, SINEW_SKIN_FEEDBACK, NULL);
  sinew_dual_quat dual_quats[3];
  sinew_draw_item items[COUNT];
  s->palette[1].m[3] = 0.2f, s->palette[2].m[0] = 1.4f;
  assert_true(sinew_dual_quat_palette(&(sinew_dual_quat_palette_job){s->model, s->palette, dual_quats}));
  for (int i = 0; i < COUNT; i++) {
    items[i] = s->item;
    items[i].transform.m[3] = 0.6f * (float)(i - 2);
    items[i].dual_quats = i % 2 ? dual_quats : NULL;
    items[i].tint[1] = 0.2f * (float)i;
  }
  items[4].transform.m[0] = -1;
  s->frame.items = items, s->frame.item_count = COUNT, s->frame.wireframe = true;
  picture ahead = picture_draw(g->renderer, &s->frame);
  for (int i = 0; i < g->renderer->list.count; i++) assert_true(g->renderer->list.calls[i].skinned >= 0);
  const int64_t limits[] = {0, 2 * vertices};
  for (int n = 0; n < 2; n++) {
    g->renderer->skin.limit = limits[n];
    picture other = picture_draw(g->renderer, &s->frame);
    int kept = 0;
    for (int i = 0; i < g->renderer->list.count; i++) kept += g->renderer->list.calls[i].skinned >= 0;
    assert_true(n == 0 ? kept == 0 : kept > 0 && kept < g->renderer->list.count);
    assert_int_equal(picture_difference(&ahead, &other, 0), 0);
    picture_free(&other);
  }
  g->renderer->skin.limit = whole;
  for (int stage = SINEW_SKIN_STAGE_COUNT - 1; stage >= 0; stage--) {
    if (!sinew_renderer_set_skin_stage(g->renderer, (sinew_skin_stage)stage, NULL)) continue;
    picture other = picture_draw(g->renderer, &s->frame);
    assert_int_equal(g->renderer->list.calls[0].skinned >= 0, stage != SINEW_SKIN_VERTEX);
    assert_int_equal(picture_difference(&ahead, &other, 0), 0);
    picture_free(&other);
  }
  assert_true(sinew_renderer_set_skin_stage(g->renderer, usual, NULL));
  picture_free(&ahead);
  post_scene_free(s, g->renderer);
}

/* Vertices that the caller has skinned: those that the palette would have given are the same picture, whichever stage
 * skins the others, and others are not. */
static void given_vertices_are_drawn(void **state) {
  gpu *g = *state;
  post_scene *s = post_scene_make(g->renderer, NULL, NULL);
  sinew_skin_stage usual = sinew_renderer_skin_stage(g->renderer);
  int count = sinew_model_mesh(s->model, 0).vertex_count;
  float *positions = calloc((size_t)count * 3, sizeof *positions),
        *normals = calloc((size_t)count * 3, sizeof *normals);
  const sinew_skinned_mesh skinned = {positions, normals, NULL};
  s->palette[1].m[3] = 0.2f, s->palette[2].m[0] = 1.4f;
  sinew_draw_item items[2] = {s->item, s->item};
  items[0].transform.m[3] = -1, items[1].transform.m[3] = 1;
  s->frame.items = items, s->frame.item_count = 2, s->frame.wireframe = true;
  picture expected = picture_draw(g->renderer, &s->frame);
  int64_t bytes = sinew_renderer_stats(g->renderer).bytes;
  assert_true(sinew_cpu_skin(
      &(sinew_cpu_skin_job){.model = s->model, .palette = s->palette, .positions = positions, .normals = normals}));
  items[0].skinned = &skinned;
  for (int stage = 0; stage < SINEW_SKIN_STAGE_COUNT; stage++) {
    if (!sinew_renderer_set_skin_stage(g->renderer, (sinew_skin_stage)stage, NULL)) continue;
    picture given = picture_draw(g->renderer, &s->frame);
    assert_in_range(picture_difference(&expected, &given, 8), 0, 20);
    assert_int_equal(sinew_renderer_stats(g->renderer).bytes, bytes + count * 40);
    picture_free(&given);
  }
  for (int v = 0; v < count; v++) positions[3 * v] += 0.4f;
  picture moved = picture_draw(g->renderer, &s->frame);
  assert_true(picture_difference(&expected, &moved, 8) > 500);
  s->frame.surface = SINEW_SURFACE_NORMALS; /* reads the palette */
  picture normals_given = picture_draw(g->renderer, &s->frame);
  items[0].skinned = NULL;
  picture normals_skinned = picture_draw(g->renderer, &s->frame);
  assert_int_equal(picture_difference(&normals_given, &normals_skinned, 0), 0);
  assert_true(sinew_renderer_set_skin_stage(g->renderer, usual, NULL));
  picture_free(&expected), picture_free(&moved), picture_free(&normals_given), picture_free(&normals_skinned);
  free(positions), free(normals);
  post_scene_free(s, g->renderer);
}

/* Times come some pictures later and only where they are asked for; counts are those of the picture. */
static void what_a_picture_cost_is_told(void **state) {
  gpu *g = *state;
  sinew_error error = {0};
  sinew_skin_stage usual = sinew_renderer_skin_stage(g->renderer);
  sinew_renderer_set_skin_stage(g->renderer, SINEW_SKIN_FEEDBACK, NULL);
  post_scene *s = post_scene_make(g->renderer, NULL, NULL);
  sinew_draw_item items[3] = {s->item, s->item, s->item};
  items[2].transform.m[11] = 100; /* behind the camera */
  s->frame.items = items, s->frame.item_count = 3;
  for (int i = 0; i < 8; i++) {
    sinew_renderer_set_timing(g->renderer, i >= 2);
    assert_true(sinew_renderer_draw(g->renderer, &s->frame, &error));
    glFinish();
    if (i < 2) assert_true(sinew_renderer_stats(g->renderer).seconds == 0);
  }
  sinew_render_stats stats = sinew_renderer_stats(g->renderer);
  if (gl_is_es()) assert_true(stats.seconds == 0); /* it has no clock */
  else assert_true(stats.seconds > 0 && stats.shadow_seconds > 0 && stats.shadow_seconds < stats.seconds);
  assert_int_equal(stats.characters, 3);
  assert_int_equal(stats.seen, 2);
  assert_int_equal(stats.instances, 2);
  assert_int_equal(stats.calls, 1);
  assert_int_equal(stats.vertices, 2 * sinew_model_mesh(s->model, 0).vertex_count);
  assert_int_equal(stats.bytes, 2 * (3 * 48 + 80));
  assert_int_equal(stats.skinned_once, stats.vertices);
  int64_t limit = g->renderer->skin.limit;
  g->renderer->skin.limit = 1; /* no room for them */
  assert_true(sinew_renderer_draw(g->renderer, &s->frame, &error));
  g->renderer->skin.limit = limit;
  stats = sinew_renderer_stats(g->renderer);
  assert_true(stats.skinned_once == 0 && stats.vertices > 0);
  sinew_renderer_set_timing(g->renderer, false);
  sinew_renderer_set_skin_stage(g->renderer, usual, NULL);
  post_scene_free(s, g->renderer);
}

/* 24,000 matrices are 72,000 texels: more than the 65,536 that OpenGL 3.3 promises for one buffer. */
static void the_least_buffer_that_is_promised(void **state) {
  enum { COUNT = 80, JOINTS = 300 };
  gpu *g = *state;
  sinew_error error = {0};
  int whole = g->renderer->texel_limit;
  random_seed(4);
  sinew_model *model = soup_model(&(soup_def){.joint_count = JOINTS, .influences = 4, .vertex_count = 300});
  sinew_gpu_model *uploaded = sinew_gpu_model_create(g->renderer, model, &error);
  sinew_draw_item items[COUNT];
  for (int i = 0; i < COUNT; i++) {
    items[i] = (sinew_draw_item){.model = uploaded,
                                 .transform = sinew_mat3x4_identity(),
                                 .palette = random_palette(JOINTS, false),
                                 .tint = {1, 1, 1, 1}};
    items[i].transform.m[3] = random_range(-3, 3), items[i].transform.m[11] = random_range(-9, -3);
  }
  sinew_frame frame = {.width = 96,
                       .height = 64,
                       .camera = sinew_camera_default(),
                       .light = sinew_light_default(),
                       .items = items,
                       .item_count = COUNT};
  picture drawn[2];
  for (int i = 0; i < 2; i++) {
    g->renderer->texel_limit = i ? 65536 : 1 << 20;
    drawn[i] = picture_draw(g->renderer, &frame);
    assert_int_equal(g->renderer->list.palettes.current, i);
  }
  assert_int_equal(picture_difference(&drawn[0], &drawn[1], 0), 0);
  g->renderer->texel_limit = whole;
  for (int i = 0; i < COUNT; i++) free((void *)(uintptr_t)items[i].palette);
  picture_free(&drawn[0]), picture_free(&drawn[1]);
  sinew_gpu_model_destroy(g->renderer, uploaded);
  sinew_model_release(model);
}

int main(void) {
  gpu_or_skip();
  const struct CMUnitTest tests[] = {gpu_test(paged_palettes_draw_the_same), gpu_test(skinned_ahead_is_drawn_the_same),
                                     gpu_test(given_vertices_are_drawn), gpu_test(what_a_picture_cost_is_told),
                                     gpu_test(the_least_buffer_that_is_promised)};
  return cmocka_run_group_tests_name("skinning", tests, gpu_setup, gpu_teardown);
}
