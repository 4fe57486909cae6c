/* What a frame draws, in which order, and where its numbers lie. */
#include "render/picture.h"

static sinew_material blended_material(void) {
  return (sinew_material){.name = "glass",
                          .base_color = {1, 1, 1, 0.5f},
                          .alpha_mode = SINEW_ALPHA_BLEND,
                          .base_color_image = -1,
                          .normal_image = -1,
                          .metallic_roughness_image = -1,
                          .emissive_image = -1};
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
  assert_true(draw_list_build(&list, &solid->frame, 65536, &error));
  assert_int_equal(list.count, COUNT);
  assert_int_equal(list.opaque_count, 2);
  assert_ptr_equal(list.calls[0].item, &items[1]);
  assert_ptr_equal(list.calls[1].item, &items[7]);
  static const int order[] = {6, 3, 0, 4, 5, 2, 8};
  for (int i = 0; i < 7; i++) assert_ptr_equal(list.calls[2 + i].item, &items[order[i]]);
  draw_list_release(&list);
  post_scene_free(solid, g->renderer);
  post_scene_free(clear, g->renderer);
}

static void only_active_morphs_are_sent(void **state) {
  gpu *g = *state;
  sinew_error error = {0};
  sinew_model *model = soup_model(&(soup_def){2, 4, 30, 6, false, false});
  sinew_gpu_model *uploaded = sinew_gpu_model_create(g->renderer, model, &error);
  sinew_mat3x4 palette[2] = {sinew_mat3x4_identity(), sinew_mat3x4_identity()};
  const float weights[6] = {0, 0.5f, 0, -0.25f, 0, 0}, none[6] = {0};
  const float *first[1] = {weights}, *second[1] = {none};
  sinew_draw_item items[3];
  for (int i = 0; i < 3; i++)
    items[i] = (sinew_draw_item){uploaded, sinew_mat3x4_identity(), palette, NULL, {1, 1, 1, 1}};
  items[0].morph_weights = first, items[1].morph_weights = second;
  sinew_frame frame = {.width = 8,
                       .height = 8,
                       .camera = sinew_camera_default(),
                       .light = sinew_light_default(),
                       .items = items,
                       .item_count = 3};
  draw_list list = {0};
  assert_true(draw_list_build(&list, &frame, 65536, &error));
  assert_int_equal(list.calls[0].morph_active, 2);
  assert_int_equal(list.calls[1].morph_active + list.calls[2].morph_active, 0);
  const float expected[8] = {0.5f, 1, 0, 0, -0.25f, 3, 0, 0}, *texels = list.morph_lists.pages[0].texels;
  for (int i = 0; i < 8; i += 4) assert_true(texels[i] == expected[i] && texels[i + 1] == expected[i + 1]);
  draw_list_release(&list);
  sinew_gpu_model_destroy(g->renderer, uploaded);
  sinew_model_release(model);
}

/* Pages are kept from frame to frame; fewer items leave later pages empty. */
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
    assert_true(draw_list_build(&list, &s->frame, 18, &error)); /* two palettes of nine texels each */
    assert_int_equal(list.palettes.count, 4);
    assert_int_equal(list.count, count);
    for (int i = 0; i < count; i++) {
      assert_int_equal(list.calls[i].palette.page, i / 2);
      assert_int_equal(list.calls[i].palette.first, i % 2 * 9);
    }
    assert_int_equal(bounds_is_empty(&list.bounds), count == 0);
  }
  draw_list_release(&list);
  post_scene_free(s, g->renderer);
}

int main(void) {
  gpu_or_skip();
  const struct CMUnitTest tests[] = {gpu_test(opaque_first_then_far_to_near), gpu_test(only_active_morphs_are_sent),
                                     gpu_test(pages_are_reused)};
  return cmocka_run_group_tests_name("draw_list", tests, gpu_setup, gpu_teardown);
}
