/* A user interface's triangles: place, clipping, textures, blending in display space. */
#include "render/picture.h"

static sinew_overlay_vertex corner(float x, float y, float u, float v, uint32_t rgba) {
  return (sinew_overlay_vertex){x, y, u, v, rgba};
}

static const uint32_t RED = 0xFF0000FFu, HALF_WHITE = 0x80FFFFFFu, WHITE = 0xFFFFFFFFu;
static const uint16_t quad[6] = {0, 1, 2, 0, 2, 3};

static sinew_frame black_frame(void) {
  sinew_frame frame = {.width = 64, .height = 48, .camera = sinew_camera_default(), .light = sinew_light_default()};
  frame.light.intensity = 0;
  for (int i = 0; i < 3; i++) frame.light.sky[i] = frame.light.ground[i] = 0;
  return frame;
}

static picture draw_quad(sinew_renderer *renderer, const float box[4], uint32_t rgba,
                         const sinew_overlay_command *command) {
  sinew_overlay_vertex v[5] = {{0},
                               corner(box[0], box[1], 0, 0, rgba),
                               corner(box[2], box[1], 1, 0, rgba),
                               corner(box[2], box[3], 1, 1, rgba),
                               corner(box[0], box[3], 0, 1, rgba)};
  sinew_overlay overlay = {v, 5, quad, 6, command, 1};
  sinew_frame frame = black_frame();
  frame.overlay = &overlay;
  return picture_draw(renderer, &frame);
}

static void pixels_and_clipping(void **state) {
  gpu *g = *state;
  sinew_overlay_command command = {{0, 0, 20, 48}, 0, 0, 6, 1};
  picture p = draw_quad(g->renderer, (float[4]){10, 5, 30, 15}, RED, &command);
  for (int y = 0; y < p.height; y++)
    for (int x = 0; x < p.width; x++) {
      bool inside = x >= 10 && x < 20 && y >= 5 && y < 15; /* the quad, cut off at 20 */
      const uint8_t *c = picture_at(&p, x, y);
      assert_int_equal(c[0], inside ? 255 : 0);
      assert_int_equal(c[1], 0);
      assert_int_equal(c[3], 255);
    }
  picture_free(&p);
}

/* Half of white over black is 128 as screens count it, not the 188 that light would give. */
static void blends_in_display_space(void **state) {
  gpu *g = *state;
  sinew_overlay_command command = {{0, 0, 64, 48}, 0, 0, 6, 1};
  picture p = draw_quad(g->renderer, (float[4]){0, 0, 64, 48}, HALF_WHITE, &command);
  assert_in_range(picture_at(&p, 30, 20)[1], 126, 130);
  picture_free(&p);
}

static void font_and_pictures(void **state) {
  static const uint8_t coverage[4] = {0, 255, 0, 255}; /* the right half */
  static const uint8_t picture_texel[4] = {10, 200, 30, 255};
  gpu *g = *state;
  sinew_error error = {0};
  assert_true(sinew_renderer_set_font(g->renderer, 2, 2, coverage, &error));
  sinew_overlay_command command = {{0, 0, 64, 48}, 0, 0, 6, 1};
  picture p = draw_quad(g->renderer, (float[4]){0, 0, 64, 48}, WHITE, &command);
  assert_int_equal(picture_at(&p, 5, 20)[0], 0);
  assert_int_equal(picture_at(&p, 60, 20)[0], 255);
  picture_free(&p);
  command.texture = sinew_renderer_overlay_texture(g->renderer, 1, 1, picture_texel, &error);
  assert_true(command.texture > 0);
  p = draw_quad(g->renderer, (float[4]){0, 0, 64, 48}, WHITE, &command);
  assert_memory_equal(picture_at(&p, 30, 20), picture_texel, 4);
  picture_free(&p);
  assert_int_equal(sinew_renderer_overlay_texture(g->renderer, 0, 1, picture_texel, &error), 0);
  assert_false(sinew_renderer_set_font(g->renderer, 1 << 20, 2, coverage, &error));
  assert_false(sinew_renderer_set_font(g->renderer, 2, 2, NULL, &error));
}

static void refuse(gpu *g, sinew_overlay_command command, const char *word) {
  sinew_overlay_vertex v[4] = {{0}};
  sinew_overlay overlay = {v, 4, quad, 6, &command, 1};
  sinew_frame frame = black_frame();
  sinew_error error = {0};
  frame.overlay = &overlay;
  assert_false(sinew_renderer_draw(g->renderer, &frame, &error));
  if (!strstr(error.message, word)) fail_msg("'%s' does not say '%s'", error.message, word);
}

static void hostile_commands(void **state) {
  gpu *g = *state;
  refuse(g, (sinew_overlay_command){{0, 0, 9, 9}, 77, 0, 6, 0}, "texture 77");
  refuse(g, (sinew_overlay_command){{0, 0, 9, 9}, 0, 3, 6, 0}, "past");
  refuse(g, (sinew_overlay_command){{0, 0, 9, 9}, 0, -1, 3, 0}, "past");
  refuse(g, (sinew_overlay_command){{0, 0, 9, 9}, 0, 0, INT32_MAX, 0}, "past");
  refuse(g, (sinew_overlay_command){{0, 0, 9, 9}, 0, INT32_MAX, INT32_MAX, 0}, "past");
  refuse(g, (sinew_overlay_command){{0, 0, 9, 9}, 0, 0, 6, 1}, "past"); /* index 3 + 1 of 4 */
  refuse(g, (sinew_overlay_command){{0, NAN, 9, 9}, 0, 0, 6, 0}, "clip");
  sinew_overlay_command outside = {{-1e30f, 50, INFINITY, 40}, 0, 0, 6, 1}; /* an empty rectangle is nothing bad */
  picture p = draw_quad(g->renderer, (float[4]){0, 0, 64, 48}, WHITE, &outside);
  assert_int_equal(picture_at(&p, 30, 20)[0], 0);
  picture_free(&p);
}

int main(void) {
  gpu_or_skip();
  const struct CMUnitTest tests[] = {gpu_test(pixels_and_clipping), gpu_test(blends_in_display_space),
                                     gpu_test(font_and_pictures), gpu_test(hostile_commands)};
  return cmocka_run_group_tests_name("overlay_pass", tests, gpu_setup, gpu_teardown);
}
