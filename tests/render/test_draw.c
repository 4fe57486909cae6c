/* Whole pictures: what must be where, and that a frame looks as it did. */
#include "render/stored.h"

static const uint8_t checker[4 * 4] = {220, 60, 40, 255, 240, 230, 210, 255, 240, 230, 210, 255, 220, 60, 40, 255};
static const sinew_image_view checker_image = {.name = "checker", .width = 2, .height = 2, .rgba = checker};

static sinew_material plain(float r, float g, float b) {
  sinew_material m = sinew_material_default();
  m.base_color[0] = r, m.base_color[1] = g, m.base_color[2] = b;
  m.roughness = 0.6f;
  m.alpha_cutoff = 0;
  return m;
}

static void sky_ground_figure_and_shadow(void **state) {
  gpu *g = *state;
  sinew_material red = plain(0.8f, 0.05f, 0.05f);
  post_scene *s = post_scene_make(g->renderer, &red, NULL);
  picture p = picture_draw(g->renderer, &s->frame);
  int x, y, ground_x, ground_y, shadow_x, shadow_y;
  const uint8_t *sky = picture_at(&p, 5, 2);
  assert_true(sky[2] > sky[0]); /* blue above … */
  picture_position(&s->frame, (sinew_vec3){0, 0.8f, 0.25f}, &x, &y);
  const uint8_t *post = picture_at(&p, x, y);
  assert_true(post[0] > post[1] + 60 && post[0] > post[2] + 60); /* … the red post in the middle … */
  picture_position(&s->frame, (sinew_vec3){-1.2f, 0, 0.4f}, &ground_x, &ground_y);
  picture_position(&s->frame, (sinew_vec3){0.8f, 0, -0.28f}, &shadow_x, &shadow_y);
  const uint8_t *ground = picture_at(&p, ground_x, ground_y);
  assert_true(abs(ground[0] - ground[2]) < 40); /* … grey below */
  double lit = picture_light(&p, ground_x, ground_y), shaded = picture_light(&p, shadow_x, shadow_y);
  assert_true(shaded < 0.8 * lit);
  assert_true(shaded > 0.1); /* the sky still lights it */
  picture_free(&p);
  post_scene_free(s, g->renderer);
}

/* The post's shadow on the ground, as when it stands alone, with 1,600 others behind it up to 130 m away. */
static void a_crowd_leaves_near_shadows_sharp(void **state) {
  enum { COUNT = 1600 };
  gpu *g = *state;
  post_scene *s = post_scene_make(g->renderer, NULL, NULL);
  picture alone = picture_draw(g->renderer, &s->frame);
  static sinew_mat3x4 transforms[COUNT];
  for (int i = 0; i < COUNT; i++) {
    transforms[i] = s->item.transform;
    transforms[i].m[3] = 3 * (float)(i % 40 - 20), transforms[i].m[11] = -10 - 3 * (float)(i / 40);
  }
  sinew_render_batch batch = {.model = s->uploaded, .count = COUNT, .transforms = transforms, .palettes = s->palette};
  s->frame.batches = &batch, s->frame.batch_count = 1;
  picture crowd = picture_draw(g->renderer, &s->frame);
  int left, right, top, bottom, darkened = 0, differ = 0;
  picture_position(&s->frame, (sinew_vec3){0.3f, 0, -0.6f}, &left, &top);
  picture_position(&s->frame, (sinew_vec3){1.2f, 0, 0.1f}, &right, &bottom);
  for (int y = top; y <= bottom; y++)
    for (int x = left; x <= right; x++) {
      double lit = picture_light(&alone, x, y);
      darkened += lit < 0.5;
      differ += fabs(lit - picture_light(&crowd, x, y)) > 0.06;
    }
  assert_true(darkened > 50); /* it is in the window … */
  assert_in_range(differ, 0, (bottom - top + 1) * (right - left + 1) / 50);
  picture_free(&alone), picture_free(&crowd);
  post_scene_free(s, g->renderer);
}

/* The pixels that change when the post is taken away are its outline, its shadow and nothing in the sky. */
static void figure_covers_what_it_should(void **state) {
  gpu *g = *state;
  post_scene *s = post_scene_make(g->renderer, NULL, NULL);
  s->frame.ground = false;
  picture with = picture_draw(g->renderer, &s->frame);
  s->frame.item_count = 0;
  picture without = picture_draw(g->renderer, &s->frame);
  int left, right, top, bottom, ignored, changed = picture_difference(&with, &without, 12);
  picture_position(&s->frame, (sinew_vec3){-0.25f, 0.8f, 0}, &left, &ignored);
  picture_position(&s->frame, (sinew_vec3){0.25f, 0.8f, 0}, &right, &ignored);
  picture_position(&s->frame, (sinew_vec3){0, 1.6f, 0}, &ignored, &top);
  picture_position(&s->frame, (sinew_vec3){0, 0, 0}, &ignored, &bottom);
  int expected = (right - left) * (bottom - top);
  assert_in_range(changed, expected * 85 / 100, expected * 125 / 100);
  for (int y = 0; y < with.height; y++)
    for (int x = 0; x < with.width; x++)
      if (x < left - 4 || x > right + 4 || y < top - 6 || y > bottom + 6)
        assert_memory_equal(picture_at(&with, x, y), picture_at(&without, x, y), 3);
  picture_free(&with), picture_free(&without);
  post_scene_free(s, g->renderer);
}

static void joints_move_the_picture(void **state) {
  gpu *g = *state;
  post_scene *s = post_scene_make(g->renderer, NULL, NULL);
  s->frame.ground = false;
  picture straight = picture_draw(g->renderer, &s->frame);
  s->palette[2].m[3] = 0.6f; /* the upper end leans to +x */
  picture bent = picture_draw(g->renderer, &s->frame);
  int x, y;
  picture_position(&s->frame, (sinew_vec3){0.6f, 1.5f, 0.2f}, &x, &y);
  assert_true(fabs(picture_light(&straight, x, y) - picture_light(&bent, x, y)) > 0.1);
  picture_free(&straight), picture_free(&bent);
  post_scene_free(s, g->renderer);
}

static void wireframe_changes_the_figure_only(void **state) {
  gpu *g = *state;
  post_scene *s = post_scene_make(g->renderer, NULL, NULL);
  picture shaded = picture_draw(g->renderer, &s->frame);
  s->frame.wireframe = true;
  picture wires = picture_draw(g->renderer, &s->frame);
  assert_true(picture_difference(&shaded, &wires, 12) > 200);
  assert_memory_equal(picture_at(&shaded, 5, 5), picture_at(&wires, 5, 5), 3);
  assert_memory_equal(picture_at(&shaded, 5, 170), picture_at(&wires, 5, 170), 3);
  picture_free(&shaded), picture_free(&wires);
  post_scene_free(s, g->renderer);
}

static void same_frame_same_pixels(void **state) {
  gpu *g = *state;
  post_scene *s = post_scene_make(g->renderer, NULL, NULL);
  picture first = picture_draw(g->renderer, &s->frame), second = picture_draw(g->renderer, &s->frame);
  assert_int_equal(picture_difference(&first, &second, 0), 0);
  picture_free(&first), picture_free(&second);
  post_scene_free(s, g->renderer);
}

static void refuse(gpu *g, const sinew_frame *frame, const char *word) {
  sinew_error error = {0};
  assert_false(sinew_renderer_draw(g->renderer, frame, &error));
  if (!strstr(error.message, word)) fail_msg("'%s' does not say '%s'", error.message, word);
}

static void bad_frames_get_a_sentence(void **state) {
  gpu *g = *state;
  post_scene *s = post_scene_make(g->renderer, NULL, NULL);
  sinew_frame f = s->frame;
  f.camera.position.x = NAN, refuse(g, &f, "camera"), f = s->frame;
  f.camera.target = f.camera.position, refuse(g, &f, "apart"), f = s->frame;
  f.camera.fov_y = 0, refuse(g, &f, "fov_y"), f = s->frame;
  f.camera.fov_y = 4, refuse(g, &f, "fov_y"), f = s->frame;
  f.camera.near_plane = 0, refuse(g, &f, "near"), f = s->frame;
  f.camera.far_plane = INFINITY, refuse(g, &f, "far"), f = s->frame;
  f.light.direction = (sinew_vec3){0, 0, 0}, refuse(g, &f, "direction"), f = s->frame;
  f.light.sky[1] = -1, refuse(g, &f, "colours"), f = s->frame;
  f.light.exposure = NAN, refuse(g, &f, "exposure"), f = s->frame;
  f.light.fog = -1, refuse(g, &f, "fog"), f = s->frame;
  f.surface = SINEW_SURFACE_COUNT, refuse(g, &f, "surface"), f = s->frame;
  f.width = 1 << 20, refuse(g, &f, "pixels"), f = s->frame;
  sinew_line line = {{0, NAN, 0}, {1, 1, 1}, {255, 255, 255, 255}};
  f.lines = &line, f.line_count = 1, refuse(g, &f, "line 0"), f = s->frame;
  sinew_draw_item item = s->item;
  f.items = &item;
  item.transform.m[3] = INFINITY, refuse(g, &f, "item 0"), item = s->item;
  item.tint[2] = NAN, refuse(g, &f, "tint"), item = s->item;
  item.palette = NULL, refuse(g, &f, "palette"), item = s->item;
  item.model = NULL, refuse(g, &f, "model"), item = s->item;
  s->palette[1].m[7] = NAN, refuse(g, &f, "palette");
  post_scene_free(s, g->renderer);
}

static void zero_size_draws_nothing(void **state) {
  gpu *g = *state;
  sinew_error error = {0};
  post_scene *s = post_scene_make(g->renderer, NULL, NULL);
  picture before = picture_draw(g->renderer, &s->frame);
  sinew_frame none = s->frame;
  none.width = 0, none.item_count = 0;
  assert_true(sinew_renderer_draw(g->renderer, &none, &error));
  picture after = {before.width, before.height, malloc((size_t)before.width * (size_t)before.height * 4)};
  assert_true(sinew_renderer_read(g->renderer, after.width, after.height, after.rgba, &error));
  assert_int_equal(picture_difference(&before, &after, 0), 0);
  assert_false(sinew_renderer_read(g->renderer, 10, 10, after.rgba, &error));
  assert_non_null(strstr(error.message, "240 × 180"));
  picture_free(&before), picture_free(&after);
  post_scene_free(s, g->renderer);
}

/* A mirrored item must be lit from the same side and keep its front faces. */
static void mirrored_items_keep_their_fronts(void **state) {
  gpu *g = *state;
  sinew_material grey = plain(0.5f, 0.5f, 0.5f);
  post_scene *s = post_scene_make(g->renderer, &grey, NULL);
  picture as_is = picture_draw(g->renderer, &s->frame);
  s->item.transform.m[0] = -1;
  picture by_transform = picture_draw(g->renderer, &s->frame);
  s->item.transform.m[0] = 1;
  for (int i = 0; i < 3; i++) s->palette[i].m[0] = -1;
  picture by_palette = picture_draw(g->renderer, &s->frame);
  assert_true(picture_difference(&as_is, &by_transform, 6) < 60);
  assert_true(picture_difference(&as_is, &by_palette, 6) < 60);
  picture_free(&as_is), picture_free(&by_transform), picture_free(&by_palette);
  post_scene_free(s, g->renderer);
}

static void materials_change_the_picture(void **state) {
  gpu *g = *state;
  sinew_material hidden = plain(1, 0, 0), half = plain(1, 0, 0), glowing = plain(0, 0, 0);
  hidden.alpha_mode = SINEW_ALPHA_MASK, hidden.alpha_cutoff = 0.5f, hidden.base_color[3] = 0.3f;
  half.alpha_mode = SINEW_ALPHA_BLEND, half.base_color[3] = 0.5f;
  glowing.emissive[1] = 0.5f;
  const sinew_material *all[3] = {&hidden, &half, &glowing};
  uint8_t color[4][4];
  int x, y;
  for (int i = 0; i < 4; i++) {
    post_scene *s = post_scene_make(g->renderer, i < 3 ? all[i] : NULL, NULL);
    s->frame.ground = false;
    if (i == 3) s->frame.item_count = 0;
    picture_position(&s->frame, (sinew_vec3){0, 0.8f, 0.25f}, &x, &y);
    picture p = picture_draw(g->renderer, &s->frame);
    memcpy(color[i], picture_at(&p, x, y), 4);
    picture_free(&p);
    post_scene_free(s, g->renderer);
  }
  assert_memory_equal(color[0], color[3], 3);                                   /* cut away */
  assert_true(color[1][0] > color[1][1] + 20 && color[1][1] > color[3][1] / 4); /* the sky shines through */
  assert_true(color[2][1] > 150 && color[2][1] > color[2][0] + 50);
}

/* Of a solid that is shown half there one sees its front and what is behind it, not its own far side: whether the far
 * side is drawn makes no difference. */
static void a_faded_solid_hides_its_far_side(void **state) {
  gpu *g = *state;
  picture drawn[2];
  for (int i = 0; i < 2; i++) {
    sinew_material red = plain(0.9f, 0.1f, 0.1f);
    red.double_sided = i == 1;
    post_scene *s = post_scene_make(g->renderer, &red, NULL);
    s->item.tint[3] = 0.5f;
    drawn[i] = picture_draw(g->renderer, &s->frame);
    post_scene_free(s, g->renderer);
  }
  assert_true(picture_difference(&drawn[0], &drawn[1], 4) < 20);
  const uint8_t *middle = picture_at(&drawn[1], 120, 90);
  assert_true(middle[0] > middle[1] + 20 && middle[1] > 60); /* red, and what is behind */
  picture_free(&drawn[0]), picture_free(&drawn[1]);
}

/* A normal map that leans every normal the same way: the mesh's tangents and the ones from derivatives must agree, and
 * leaning up must catch more of a sun overhead than leaning down. */
static void normal_maps_lean_the_same_way(void **state) {
  static const uint8_t up[4] = {128, 218, 218, 255}, down[4] = {128, 38, 218, 255};
  gpu *g = *state;
  picture drawn[4];
  for (int i = 0; i < 4; i++) {
    sinew_material bumpy = plain(0.5f, 0.5f, 0.5f);
    bumpy.textures[SINEW_TEXTURE_NORMAL].image = 0;
    post_scene *s = post_scene_make(
        g->renderer, &bumpy, &(sinew_image_view){.name = "bumps", .width = 1, .height = 1, .rgba = i < 2 ? up : down});
    s->frame.light.direction = (sinew_vec3){0, 1, 0.4f};
    s->uploaded->meshes[0].has_tangents = i % 2;
    drawn[i] = picture_draw(g->renderer, &s->frame);
    post_scene_free(s, g->renderer);
  }
  assert_true(picture_difference(&drawn[0], &drawn[1], 8) < 40);
  assert_true(picture_difference(&drawn[2], &drawn[3], 8) < 40);
  assert_true(picture_light(&drawn[1], 120, 90) > picture_light(&drawn[3], 120, 90) + 0.1);
  for (int i = 0; i < 4; i++) picture_free(&drawn[i]);
}

static void looks_as_it_did(void **state) {
  gpu *g = *state;
  sinew_material material = plain(1, 1, 1);
  material.textures[SINEW_TEXTURE_BASE_COLOR].image = 0;
  sinew_renderer *renderer = gpu_renderer(4, 1024);
  post_scene *s = post_scene_make(renderer, &material, &checker_image);
  s->palette[2].m[3] = 0.35f;
  s->frame.light = sinew_light_default();
  sinew_line line = {{-0.6f, 0.01f, 0.6f}, {-0.6f, 0.8f, 0.6f}, {40, 200, 90, 255}};
  s->frame.lines = &line, s->frame.line_count = 1;
  picture drawn = picture_draw(renderer, &s->frame);
  expect_stored("post", &drawn);
  picture_free(&drawn);
  post_scene_free(s, renderer);
  assert_int_equal(renderer->debug_messages, 0);
  sinew_renderer_destroy(renderer);
  gl_debug_start(&g->renderer->debug_messages);
}

/* A bent post beside a straight one, in each material. */
static void draw_material(sinew_renderer *renderer, const char *name, const sinew_material *material) {
  static const uint8_t holes[4 * 4] = {90, 160, 60, 255, 90, 160, 60, 0, 90, 160, 60, 0, 90, 160, 60, 255};
  static const sinew_image_view leaf = {.name = "holes", .width = 2, .height = 2, .rgba = holes};
  post_scene *s =
      post_scene_make(renderer, material, material->alpha_mode == SINEW_ALPHA_MASK ? &leaf : &checker_image);
  s->palette[2].m[3] = 0.4f;
  sinew_mat3x4 straight[3];
  for (int i = 0; i < 3; i++) straight[i] = sinew_mat3x4_identity();
  sinew_draw_item items[2] = {s->item, s->item};
  items[1].palette = straight;
  items[0].transform.m[3] = -0.5f, items[1].transform.m[3] = 0.6f, items[1].transform.m[11] = -0.8f;
  s->frame.items = items, s->frame.item_count = 2;
  s->frame.width = 160, s->frame.height = 120;
  picture drawn = picture_draw(renderer, &s->frame);
  expect_stored(name, &drawn);
  picture_free(&drawn);
  post_scene_free(s, renderer);
}

static void materials_look_as_they_did(void **state) {
  gpu *g = *state;
  sinew_material metal = plain(0.9f, 0.6f, 0.3f), glass = plain(0.3f, 0.6f, 0.9f), leaf = plain(1, 1, 1);
  sinew_material both_sides = leaf, glowing = plain(0.05f, 0.05f, 0.05f);
  metal.metallic = 1, metal.roughness = 0.3f;
  glass.base_color[3] = 0.4f, glass.alpha_mode = SINEW_ALPHA_BLEND, glass.roughness = 0.1f;
  leaf.alpha_mode = SINEW_ALPHA_MASK, leaf.alpha_cutoff = 0.5f, leaf.textures[SINEW_TEXTURE_BASE_COLOR].image = 0;
  both_sides = leaf, both_sides.double_sided = true;
  glowing.emissive[0] = 0.9f, glowing.emissive[1] = 0.3f;
  draw_material(g->renderer, "metal", &metal);
  draw_material(g->renderer, "glass", &glass);
  draw_material(g->renderer, "cutout", &leaf);
  draw_material(g->renderer, "double_sided", &both_sides);
  draw_material(g->renderer, "glowing", &glowing);
}

/* Farther away less is left of a thing's own colour, by the density given. */
/* A coat over black: where its normals lean up it mirrors a sun overhead, and more so by its scale. */
static void a_clear_coat_has_bumps_of_its_own(void **state) {
  static const uint8_t up[4] = {128, 200, 224, 255}, down[4] = {128, 56, 224, 255};
  gpu *g = *state;
  double light[4];
  for (int i = 0; i < 4; i++) {
    sinew_material lacquer = plain(0, 0, 0);
    lacquer.roughness = 1, lacquer.clearcoat = 1, lacquer.clearcoat_roughness = 0.3f;
    lacquer.clearcoat_normal_scale = i == 3 ? 0 : 1;
    if (i > 0) lacquer.textures[SINEW_TEXTURE_CLEARCOAT_NORMAL].image = 0;
    post_scene *s =
        post_scene_make(g->renderer, &lacquer,
                        &(sinew_image_view){.name = "bumps", .width = 1, .height = 1, .rgba = i == 2 ? down : up});
    s->frame.light.direction = (sinew_vec3){0, 1, 0.6f};
    s->frame.ground = false;
    picture p = picture_draw(g->renderer, &s->frame);
    int x, y;
    picture_position(&s->frame, (sinew_vec3){0, 0.8f, 0.25f}, &x, &y);
    light[i] = picture_light(&p, x, y);
    picture_free(&p);
    post_scene_free(s, g->renderer);
  }
  assert_true(light[1] > light[0] + 0.3 && light[1] > light[2] + 0.3);
  assert_true(light[3] == light[0]);
}

static void fog_hides_what_is_far(void **state) {
  gpu *g = *state;
  sinew_material black = plain(0, 0, 0);
  post_scene *s = post_scene_make(g->renderer, &black, NULL);
  s->frame.light.fog = 0.1f;
  double light[3];
  for (int i = 0; i < 3; i++) {
    s->item.transform.m[11] = -8.0f * (float)i;
    picture p = picture_draw(g->renderer, &s->frame);
    int x, y;
    picture_position(&s->frame, (sinew_vec3){0, 1.2f, s->item.transform.m[11] + 0.25f}, &x, &y);
    light[i] = picture_light(&p, x, y);
    if (i == 1) expect_stored("fog", &p);
    picture_free(&p);
  }
  assert_true(light[1] > light[0] + 0.05 && light[2] > light[1] + 0.03);
  post_scene_free(s, g->renderer);
}

/* No step of the sky's gradient is a clean line: along it, neighbouring columns change at different rows. */
static void the_sky_shows_no_bands(void **state) {
  gpu *g = *state;
  post_scene *s = post_scene_make(g->renderer, NULL, NULL);
  s->frame.item_count = 0;
  s->frame.camera.target.y = 3;
  s->frame.light.direction = (sinew_vec3){0, 1, -0.1f};
  picture p = picture_draw(g->renderer, &s->frame);
  int clean = 0, steps = 0;
  for (int y = 1; y < 60; y++) {
    int same = 0, changes = 0;
    for (int x = 100; x < 140; x++) {
      int change = picture_at(&p, x, y)[1] - picture_at(&p, x, y - 1)[1];
      changes += change != 0;
      same += change == 0;
    }
    steps += changes > 0;
    clean += changes > 0 && same == 0;
  }
  assert_true(steps > 10);
  assert_int_equal(clean, 0);
  picture_free(&p);
  post_scene_free(s, g->renderer);
}

int main(void) {
  gpu_or_skip();
  const struct CMUnitTest tests[] = {gpu_test(sky_ground_figure_and_shadow),
                                     gpu_test(a_crowd_leaves_near_shadows_sharp),
                                     gpu_test(figure_covers_what_it_should),
                                     gpu_test(joints_move_the_picture),
                                     gpu_test(wireframe_changes_the_figure_only),
                                     gpu_test(same_frame_same_pixels),
                                     gpu_test(bad_frames_get_a_sentence),
                                     gpu_test(zero_size_draws_nothing),
                                     gpu_test(mirrored_items_keep_their_fronts),
                                     gpu_test(materials_change_the_picture),
                                     gpu_test(a_faded_solid_hides_its_far_side),
                                     gpu_test(normal_maps_lean_the_same_way),
                                     gpu_test(looks_as_it_did),
                                     gpu_test(materials_look_as_they_did),
                                     gpu_test(a_clear_coat_has_bumps_of_its_own),
                                     gpu_test(fog_hides_what_is_far),
                                     gpu_test(the_sky_shows_no_bands)};
  return cmocka_run_group_tests_name("draw", tests, gpu_setup, gpu_teardown);
}
