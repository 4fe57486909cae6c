/* Pictures on the GPU: colours and numbers, sizes that are too large, and formats of the overlay. */
#include "render/picture.h"

#include "render/meshes/texture.h"

static void level(GLuint texture, int index, int *width, int *height) {
  glBindTexture(GL_TEXTURE_2D, texture);
  glGetTexLevelParameteriv(GL_TEXTURE_2D, index, GL_TEXTURE_WIDTH, width);
  glGetTexLevelParameteriv(GL_TEXTURE_2D, index, GL_TEXTURE_HEIGHT, height);
}

static void colours_are_encoded_and_numbers_are_not(void **state) {
  (void)state;
  sinew_error error = {0};
  uint8_t rgba[4 * 6];
  for (int i = 0; i < 24; i++) rgba[i] = (uint8_t)(i * 10);
  sinew_image_view image = {.name = "picture", .width = 3, .height = 2, .rgba = rgba};
  for (int srgb = 0; srgb < 2; srgb++) {
    GLuint made = texture_create(&image, srgb, &error);
    assert_true(made > 0);
    int width, height;
    GLint encoding = 0;
    uint8_t back[24];
    level(made, 0, &width, &height);
    assert_true(width == 3 && height == 2);
    glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_INTERNAL_FORMAT, &encoding);
    assert_int_equal(encoding, srgb ? GL_SRGB8_ALPHA8 : GL_RGBA8);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, back);
    assert_memory_equal(back, rgba, 24);
    level(made, 1, &width, &height);
    assert_true(width == 1 && height == 1);
    glDeleteTextures(1, &made);
  }
}

/* One texel wider than the GPU takes: halved, with the average of neighbours. */
static void too_large_is_halved(void **state) {
  (void)state;
  sinew_error error = {0};
  GLint limit = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
  int width = limit + 2, found_width, found_height;
  uint8_t *rgba = malloc((size_t)width * 4 * 2), *back = malloc((size_t)width * 4);
  for (int i = 0; i < width * 2; i++) memset(rgba + 4 * i, i % 2 ? 100 : 200, 4);
  GLuint made =
      texture_create(&(sinew_image_view){.name = "wide", .width = width, .height = 2, .rgba = rgba}, false, &error);
  if (!made) fail_msg("%s", error.message);
  level(made, 0, &found_width, &found_height);
  assert_int_equal(found_width, width / 2);
  assert_int_equal(found_height, 1);
  glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, back);
  for (int i = 0; i < width / 2 * 4; i++) assert_int_equal(back[i], 150);
  glDeleteTextures(1, &made);
  free(rgba), free(back);
}

/* The post shows its picture four times from top to bottom, in coordinates from 0 to 4; the picture is red above and
 * green below. */
static void pictures_go_on_beyond_their_edges(void **state) {
  enum { SIZE = 8 };
  uint8_t rgba[SIZE * SIZE * 4];
  static const struct {
    sinew_wrap wrap;
    const char *seen; /* in the middle of each half of the picture */
  } wraps[] = {{SINEW_WRAP_REPEAT, "rgrgrgrg"}, {SINEW_WRAP_CLAMP, "rggggggg"}, {SINEW_WRAP_MIRROR, "rggrrggr"}};
  gpu *g = *state;
  sinew_material material = sinew_material_default();
  material.roughness = 1;
  material.textures[SINEW_TEXTURE_BASE_COLOR].image = 0;
  for (int i = 0; i < SIZE * SIZE; i++)
    memcpy(rgba + 4 * i, i < SIZE * SIZE / 2 ? (uint8_t[4]){230, 20, 20, 255} : (uint8_t[4]){20, 200, 20, 255}, 4);
  for (size_t i = 0; i < sizeof wraps / sizeof *wraps; i++) {
    sinew_image_view image = {.name = "halves", .width = SIZE, .height = SIZE, .rgba = rgba, .wrap_v = wraps[i].wrap};
    post_scene *s = post_scene_make(g->renderer, &material, &image);
    picture drawn = picture_draw(g->renderer, &s->frame);
    for (int half = 0; half < 8; half++) {
      int x, y;
      picture_position(&s->frame, (sinew_vec3){0, 1.6f * (1 - (0.5f * (float)half + 0.25f) / 4), 0.25f}, &x, &y);
      const uint8_t *at = picture_at(&drawn, x, y);
      char seen = at[0] > at[1] + 30 ? 'r' : at[1] > at[0] + 30 ? 'g' : '?';
      if (seen != wraps[i].seen[half])
        fail_msg("wrap %d, half %d: %c, not %c", (int)i, half, seen, wraps[i].seen[half]);
    }
    picture_free(&drawn);
    post_scene_free(s, g->renderer);
  }
}

static void overlay_sizes_are_checked(void **state) {
  static const uint8_t texels[4] = {1, 2, 3, 4};
  (void)state;
  sinew_error error = {0};
  assert_int_equal(texture_create_overlay(0, 1, 1, texels, &error), 0);
  assert_int_equal(texture_create_overlay(1, -1, 1, texels, &error), 0);
  assert_int_equal(texture_create_overlay(1 << 28, 1, 1, texels, &error), 0);
  assert_int_equal(texture_create_overlay(1, 1, 1, NULL, &error), 0);
  assert_non_null(strstr(error.message, "1 × 1 texels"));
}

int main(void) {
  gpu_or_skip();
  const struct CMUnitTest tests[] = {gpu_test(colours_are_encoded_and_numbers_are_not), gpu_test(too_large_is_halved),
                                     gpu_test(pictures_go_on_beyond_their_edges), gpu_test(overlay_sizes_are_checked)};
  return cmocka_run_group_tests_name("texture", tests, gpu_setup, gpu_teardown);
}
