/* The calls of a frame, their order, and the places of their data. */
#include "render/picture.h"

static sinew_material blended_material(void) {
  sinew_material m = sinew_material_default();
  m.base_color[3] = 0.5f;
  m.alpha_mode = SINEW_ALPHA_BLEND;
  return m;
}

/* The instances of a list as they lie on the GPU. */
static draw_instance *read_instances(const draw_list *list) {
  GLint size = 0;
  glBindBuffer(GL_ARRAY_BUFFER, list->instances);
  glGetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &size);
  draw_instance *instances = malloc((size_t)size);
  glGetBufferSubData(GL_ARRAY_BUFFER, 0, size, instances);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
  return instances;
}

static void read_texels(const texel_pages *pages, int page, float *texels, int count) {
  glBindBuffer(GL_TEXTURE_BUFFER, pages->pages[page].buffer);
  glGetBufferSubData(GL_TEXTURE_BUFFER, 0, count * 16, texels);
  glBindBuffer(GL_TEXTURE_BUFFER, 0);
}

static void opaque_first_then_far_to_near(void **state) {
  enum { COUNT = 9 };
  gpu *g = *state;
  sinew_error error = {0};
  sinew_material glass = blended_material();
  post_scene *solid = post_scene_make(g->renderer, NULL, NULL), *clear = post_scene_make(g->renderer, &glass, NULL);
  sinew_draw_item items[COUNT];
  static const float depth[COUNT] = {-1, -5, 2, -3, 0, 1, -4, -2, 3};
  for (int i = 0; i < COUNT; i++) {
    items[i] = i % 3 == 1 ? solid->item : clear->item;
    items[i].transform.m[11] = depth[i];
  }
  items[4].tint[3] = 0.5f; /* a tint can make a solid thing clear */
  solid->frame.items = items, solid->frame.item_count = COUNT;
  draw_list list = {0};
  assert_true(draw_list_build(&list, &solid->frame, &(draw_limits){65536, 1024, 0}, &error));
  draw_instance *instances = read_instances(&list);
  assert_int_equal(list.opaque_count, 1);
  assert_int_equal(list.calls[0].count, 2); /* both solid ones in one call */
  int drawn = 2;
  for (int i = 1; i < list.count; i++) {
    assert_int_equal(list.calls[i].first, drawn);
    drawn += list.calls[i].count;
  }
  assert_int_equal(drawn, COUNT);
  static const int order[COUNT] = {1, 7, 6, 3, 0, 4, 5, 2, 8};
  for (int i = 0; i < COUNT; i++) assert_true(instances[i].transform.m[11] == depth[order[i]]);
  free(instances);
  draw_list_release(&list);
  post_scene_free(solid, g->renderer);
  post_scene_free(clear, g->renderer);
}

static void only_active_morphs_are_sent(void **state) {
  gpu *g = *state;
  sinew_error error = {0};
  sinew_model *model = soup_model(&(soup_def){2, 4, 30, 6, false, false, false});
  sinew_gpu_model *uploaded = sinew_gpu_model_create(g->renderer, model, &error);
  sinew_mat3x4 palette[2] = {sinew_mat3x4_identity(), sinew_mat3x4_identity()};
  const float weights[6] = {0, 0.5f, 0, -0.25f, 0, 0}, none[6] = {0};
  const float *first[1] = {weights}, *second[1] = {none};
  sinew_draw_item items[3];
  for (int i = 0; i < 3; i++)
    items[i] = (sinew_draw_item){.model = uploaded, .transform = sinew_mat3x4_identity(), .palette = palette};
  items[0].morph_weights = first, items[1].morph_weights = second;
  for (int i = 0; i < 3; i++) items[i].tint[3] = 1;
  sinew_frame frame = {.width = 8,
                       .height = 8,
                       .camera = sinew_camera_default(),
                       .light = sinew_light_default(),
                       .items = items,
                       .item_count = 3};
  draw_list list = {0};
  assert_true(draw_list_build(&list, &frame, &(draw_limits){65536, 1024, 0}, &error));
  draw_instance *instances = read_instances(&list);
  assert_int_equal(list.count, 1);
  assert_int_equal(instances[0].morph_active, 2);
  assert_int_equal(instances[1].morph_active + instances[2].morph_active, 0);
  const float expected[8] = {0.5f, 1, 0, 0, -0.25f, 3, 0, 0};
  float texels[8];
  read_texels(&list.morph_lists, 0, texels, 2);
  for (int i = 0; i < 8; i += 4) assert_true(texels[i] == expected[i] && texels[i + 1] == expected[i + 1]);
  free(instances);
  draw_list_release(&list);
  sinew_gpu_model_destroy(g->renderer, uploaded);
  sinew_model_release(model);
}

/* Pages are kept from frame to frame; fewer items leave later pages empty. Each page is one call. */
static void pages_are_reused(void **state) {
  gpu *g = *state;
  sinew_error error = {0};
  post_scene *s = post_scene_make(g->renderer, NULL, NULL);
  sinew_draw_item items[7];
  for (int i = 0; i < 7; i++) items[i] = s->item;
  s->frame.items = items;
  draw_list list = {0};
  for (int count = 7; count >= 0; count--) {
    s->frame.item_count = count;
    assert_true(
        draw_list_build(&list, &s->frame, &(draw_limits){18, 1024, 0}, &error)); /* two palettes of nine texels each */
    assert_int_equal(list.palettes.count, 4);
    assert_int_equal(texel_pages_total(&list.palettes), 9 * count);
    assert_int_equal(list.count, (count + 1) / 2);
    draw_instance *instances = read_instances(&list);
    for (int i = 0; i < count; i++) {
      assert_int_equal(list.calls[i / 2].palette_page, i / 2);
      assert_int_equal(instances[i].palette, i % 2 * 9);
    }
    free(instances);
    assert_int_equal(bounds_is_empty(&list.bounds), count == 0);
  }
  draw_list_release(&list);
  post_scene_free(s, g->renderer);
}

/* A model out of view is drawn only if its shadow falls into the picture, and then only by the shadow's pass. */
static void only_what_is_seen_or_casts_a_shadow_is_sent(void **state) {
  gpu *g = *state;
  sinew_error error = {0};
  post_scene *s = post_scene_make(g->renderer, NULL, NULL);
  /* Seen; towards the sun just outside of the picture; the other way; behind the camera. */
  static const float positions[4][2] = {{0, 0}, {-4.5f, 0}, {7, 0}, {0, 12}};
  sinew_draw_item items[4];
  for (int i = 0; i < 4; i++) {
    items[i] = s->item;
    items[i].transform.m[3] = positions[i][0], items[i].transform.m[11] = positions[i][1];
  }
  s->frame.items = items, s->frame.item_count = 4;
  s->frame.light.direction = (sinew_vec3){-1, 1, 0};
  draw_list list = {0};
  assert_true(draw_list_build(&list, &s->frame, &(draw_limits){65536, 1024, 0}, &error));
  assert_int_equal(list.count, 1);
  assert_int_equal(list.calls[0].count, 2);
  assert_int_equal(list.calls[0].seen, 1);
  assert_int_equal(texel_pages_total(&list.palettes), 2 * 9);
  assert_true(list.bounds.maximum.x < 1); /* the shadow map is fitted to these two */
  draw_list_release(&list);
  post_scene_free(s, g->renderer);
}

/* Rows of posts away from the camera: those near it cast shadows, seen or not, and come last in the call. */
static void what_is_far_away_casts_no_shadow(void **state) {
  enum { COUNT = 900 };
  gpu *g = *state;
  sinew_error error = {0};
  post_scene *s = post_scene_make(g->renderer, NULL, NULL);
  static sinew_mat3x4 transforms[COUNT];
  for (int i = 0; i < COUNT; i++) {
    transforms[i] = s->item.transform;
    transforms[i].m[3] = 2 * (float)(i % 30 - 15), transforms[i].m[11] = -4 * (float)(i / 30);
  }
  sinew_render_batch batch = {.model = s->uploaded, .count = COUNT, .transforms = transforms, .palettes = s->palette};
  s->frame.item_count = 0, s->frame.batches = &batch, s->frame.batch_count = 1;
  draw_list list = {0};
  assert_true(draw_list_build(&list, &s->frame, &(draw_limits){1 << 20, 1024, 0}, &error));
  assert_true(list.shadows_end > 15 && list.shadows_end < 40);
  const draw_call *call = &list.calls[0];
  assert_true(list.count == 1 && call->casts > 20 && call->casts < call->count / 2 && call->seen < call->count);
  draw_instance *instances = read_instances(&list);
  for (int i = 0; i < call->count; i++) {
    const float *m = instances[i].transform.m;
    float away = hypotf(m[3] - s->frame.camera.position.x, m[11] - s->frame.camera.position.z);
    assert_true(i < call->count - call->casts ? away > list.shadows_end - 1 : away < list.shadows_end + 1);
  }
  free(instances);
  assert_true(draw_list_build(&list, &s->frame, &(draw_limits){1 << 20, 16384, 0}, &error));
  assert_true(isinf(list.shadows_end) && list.calls[0].casts == list.calls[0].count); /* a map for all */
  draw_list_release(&list);
  post_scene_free(s, g->renderer);
}

/* Two models in turn, ten thousand in all: a call for each of their meshes and pages. */
static void a_crowd_is_a_handful_of_calls(void **state) {
  enum { COUNT = 10000 };
  gpu *g = *state;
  sinew_error error = {0};
  post_scene *a = post_scene_make(g->renderer, NULL, NULL), *b = post_scene_make(g->renderer, NULL, NULL);
  sinew_draw_item *items = calloc(COUNT, sizeof *items);
  sinew_mat3x4 *transforms = calloc(COUNT, sizeof *transforms);
  for (int i = 0; i < COUNT; i++) {
    items[i] = i % 2 ? a->item : b->item;
    transforms[i] = items[i].transform;
    transforms[i].m[3] = items[i].transform.m[3] = (float)(i % 100) * 0.01f;
  }
  a->frame.items = items, a->frame.item_count = COUNT;
  draw_list list = {0};
  assert_true(draw_list_build(&list, &a->frame, &(draw_limits){65536, 1024, 0}, &error));
  assert_int_equal(list.count, 4); /* 90,000 texels of either model: two pages */
  draw_list_release(&list);
  sinew_render_batch batches[2] = {
      {.model = a->uploaded, .count = COUNT, .transforms = transforms, .palettes = a->palette},
      {.model = b->uploaded, .count = COUNT, .transforms = transforms, .palettes = b->palette}};
  a->frame.item_count = 0, a->frame.batches = batches, a->frame.batch_count = 2;
  assert_true(draw_list_build(&list, &a->frame, &(draw_limits){1 << 20, 1024, 0}, &error));
  assert_int_equal(list.count, 2);
  assert_int_equal(list.calls[0].count, COUNT);
  free(items), free(transforms);
  draw_list_release(&list);
  post_scene_free(a, g->renderer);
  post_scene_free(b, g->renderer);
}

/* Posts in a row away from the camera: what fits are the nearest. */
static void beyond_the_budget_the_farthest_are_left_out(void **state) {
  enum { COUNT = 50 };
  gpu *g = *state;
  sinew_error error = {0};
  post_scene *s = post_scene_make(g->renderer, NULL, NULL);
  sinew_draw_item items[COUNT];
  for (int i = 0; i < COUNT; i++) {
    items[i] = s->item;
    items[i].transform.m[11] = -(float)(i * 7 % COUNT); /* in any order */
  }
  s->frame.items = items, s->frame.item_count = COUNT;
  draw_list list = {0};
  int before = 0;
  for (double most = 4000; before < COUNT; most *= 2) {
    assert_true(draw_list_build(&list, &s->frame, &(draw_limits){65536, 1024, most}, &error));
    int drawn = list.count ? list.calls[0].count : 0;
    assert_true(list.budget.spent <= most && drawn >= before && drawn + list.budget.left_out == COUNT);
    draw_instance *instances = drawn ? read_instances(&list) : NULL;
    for (int i = 0; i < drawn; i++) assert_true(-instances[i].transform.m[11] < (float)drawn);
    free(instances);
    before = drawn;
  }
  assert_true(draw_list_build(&list, &s->frame, &(draw_limits){65536, 1024, DRAW_CALL_COST - 1}, &error));
  assert_true(list.count == 0 && list.budget.left_out == COUNT);
  draw_list_release(&list);
  post_scene_free(s, g->renderer);
}

int main(void) {
  gpu_or_skip();
  const struct CMUnitTest tests[] = {gpu_test(opaque_first_then_far_to_near),
                                     gpu_test(only_active_morphs_are_sent),
                                     gpu_test(pages_are_reused),
                                     gpu_test(only_what_is_seen_or_casts_a_shadow_is_sent),
                                     gpu_test(what_is_far_away_casts_no_shadow),
                                     gpu_test(a_crowd_is_a_handful_of_calls),
                                     gpu_test(beyond_the_budget_the_farthest_are_left_out)};
  return cmocka_run_group_tests_name("draw_list", tests, gpu_setup, gpu_teardown);
}
