/* Lines in the world: where they are, what hides them, and ends behind the camera. */
#include "render/picture.h"

static bool is_green(const uint8_t *c) { return c[1] > c[0] + 80 && c[1] > c[2] + 80; }

static void hidden_and_on_top(void **state) {
  gpu *g = *state;
  post_scene *s = post_scene_make(g->renderer, NULL, NULL);
  sinew_line line = {{-1, 0.8f, -0.5f}, {1, 0.8f, -0.5f}, {0, 255, 0, 255}}; /* behind the post */
  int beside_x, beside_y, behind_x, behind_y;
  picture_position(&s->frame, (sinew_vec3){0.7f, 0.8f, -0.5f}, &beside_x, &beside_y);
  picture_position(&s->frame, (sinew_vec3){0, 0.8f, -0.5f}, &behind_x, &behind_y);
  s->frame.lines = &line, s->frame.line_count = 1;
  picture p = picture_draw(g->renderer, &s->frame);
  assert_true(is_green(picture_at(&p, beside_x, beside_y)));
  assert_false(is_green(picture_at(&p, behind_x, behind_y)));
  picture_free(&p);
  s->frame.line_count = 0, s->frame.overlay_lines = &line, s->frame.overlay_line_count = 1;
  p = picture_draw(g->renderer, &s->frame);
  assert_true(is_green(picture_at(&p, behind_x, behind_y)));
  picture_free(&p);
  post_scene_free(s, g->renderer);
}

/* The visible part must be where it is, wherever the hidden end lies; points and lines wholly behind draw nothing bad.
 */
static void ends_behind_the_camera(void **state) {
  gpu *g = *state;
  post_scene *s = post_scene_make(g->renderer, NULL, NULL);
  s->frame.item_count = 0;
  sinew_line lines[3] = {{{0.3f, 1, 0}, {0.3f, 1, 50}, {0, 255, 0, 255}},
                         {{0, 1, 20}, {3, 1, 30}, {255, 0, 0, 255}},
                         {{9, 9, 9}, {9, 9, 9}, {255, 0, 0, 255}}};
  s->frame.overlay_lines = lines, s->frame.overlay_line_count = 3;
  picture p = picture_draw(g->renderer, &s->frame);
  int x, y, red = 0;
  picture_position(&s->frame, (sinew_vec3){0.3f, 1, 2}, &x, &y);
  assert_true(is_green(picture_at(&p, x, y)));
  for (int i = 0; i < p.width * p.height; i++) red += p.rgba[4 * i] > p.rgba[4 * i + 1] + 80;
  assert_int_equal(red, 0);
  picture_free(&p);
  post_scene_free(s, g->renderer);
}

int main(void) {
  gpu_or_skip();
  const struct CMUnitTest tests[] = {gpu_test(hidden_and_on_top), gpu_test(ends_behind_the_camera)};
  return cmocka_run_group_tests_name("line_pass", tests, gpu_setup, gpu_teardown);
}
