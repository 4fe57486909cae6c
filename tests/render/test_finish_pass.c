/* From light to the colours of a display: the curves, what bypasses them, and the glow of what is too bright. */
#include "render/picture.h"

/* PBR Neutral as its specification defines it, and the encoding of sRGB, in doubles. */
static void neutral(const double light[3], double shown[3]) {
  double least = fmin(light[0], fmin(light[1], light[2]));
  double offset = least < 0.08 ? least - 6.25 * least * least : 0.04, peak = 0;
  for (int i = 0; i < 3; i++) shown[i] = light[i] - offset, peak = fmax(peak, shown[i]);
  if (peak < 0.76) return;
  double compressed = 1 - 0.24 * 0.24 / (peak + 0.24 - 0.76), pale = 1 - 1 / (0.15 * (peak - compressed) + 1);
  for (int i = 0; i < 3; i++) shown[i] = shown[i] * compressed / peak * (1 - pale) + compressed * pale;
}

static double srgb(double linear) {
  return 255 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055);
}

/* A post that shines in a colour, in the dark, as large as the picture. */
static post_scene *lamp(sinew_renderer *renderer, const float light[3], bool unlit) {
  sinew_material m = sinew_material_default();
  for (int i = 0; i < 3; i++) m.base_color[i] = unlit ? light[i] : 0, m.emissive[i] = unlit ? 0 : light[i];
  m.unlit = unlit;
  post_scene *s = post_scene_make(renderer, &m, NULL);
  s->frame.light = (sinew_light){.direction = {0, 1, 0}, .exposure = 1};
  s->frame.ground = false;
  s->frame.camera.position = (sinew_vec3){0, 0.8f, 0.7f};
  return s;
}

static void middle_of_lamp(gpu *g, const float light[3], bool unlit, sinew_curve curve, float exposure, int color[3]) {
  post_scene *s = lamp(g->renderer, light, unlit);
  s->frame.light.curve = curve, s->frame.light.exposure = exposure;
  picture p = picture_draw(g->renderer, &s->frame);
  for (int i = 0; i < 3; i++) color[i] = picture_at(&p, p.width / 2, p.height / 2)[i];
  picture_free(&p);
  post_scene_free(s, g->renderer);
}

static void neutral_is_what_its_specification_says(void **state) {
  static const float lights[][3] = {{0, 1, 0},    {1, 1, 1},        {0.22f, 0.22f, 0.22f}, {0.5f, 0.3f, 0.1f},
                                    {2, 0.1f, 0}, {0.04f, 0.8f, 0}, {0.01f, 0.02f, 0.05f}};
  gpu *g = *state;
  for (size_t n = 0; n < sizeof lights / sizeof lights[0]; n++) {
    int color[3];
    double light[3] = {(double)lights[n][0], (double)lights[n][1], (double)lights[n][2]}, shown[3];
    neutral(light, shown);
    middle_of_lamp(g, lights[n], false, SINEW_CURVE_NEUTRAL, 1, color);
    /* what exceeds 1 glows a little, and lights itself */
    double most = fmax(light[0], fmax(light[1], light[2]));
    for (int i = 0; i < 3; i++)
      if (most <= 1 && fabs(color[i] - srgb(shown[i])) > 2)
        fail_msg("light %zu, channel %d: %d instead of %.1f", n, i, color[i], srgb(shown[i]));
    if (n == 0) assert_true(abs(color[0] - 36) <= 4 && abs(color[1] - 241) <= 2 && abs(color[2] - 36) <= 4);
  }
}

/* A quarter of the light at four times the exposure. */
static void exposure_multiplies_light(void **state) {
  gpu *g = *state;
  int bright[3], dim[3];
  middle_of_lamp(g, (const float[3]){0.6f, 0.4f, 0.2f}, false, SINEW_CURVE_NEUTRAL, 1, bright);
  middle_of_lamp(g, (const float[3]){0.15f, 0.1f, 0.05f}, false, SINEW_CURVE_NEUTRAL, 4, dim);
  for (int i = 0; i < 3; i++) assert_in_range(dim[i], bright[i] - 1, bright[i] + 1);
}

/* Stephen Hill's fit, in doubles, divided by 0.6. */
static void aces(const double light[3], double shown[3]) {
  static const double to_curve[3][3] = {
      {0.59719, 0.35458, 0.04823}, {0.07600, 0.90834, 0.01566}, {0.02840, 0.13383, 0.83777}};
  static const double to_display[3][3] = {
      {1.60475, -0.53108, -0.07367}, {-0.10208, 1.10813, -0.00605}, {-0.00327, -0.07276, 1.07602}};
  double v[3];
  for (int i = 0; i < 3; i++) {
    v[i] = 0;
    for (int k = 0; k < 3; k++) v[i] += to_curve[i][k] * light[k] / 0.6;
    v[i] = (v[i] * (v[i] + 0.0245786) - 0.000090537) / (v[i] * (0.983729 * v[i] + 0.4329510) + 0.238081);
  }
  for (int i = 0; i < 3; i++) {
    shown[i] = 0;
    for (int k = 0; k < 3; k++) shown[i] += to_display[i][k] * v[k];
    shown[i] = fmin(fmax(shown[i], 0), 1);
  }
}

static void aces_is_its_fit(void **state) {
  static const float lights[][3] = {{0.18f, 0.18f, 0.18f}, {1, 0.2f, 0.1f}, {0.1f, 0.6f, 1}};
  gpu *g = *state;
  for (size_t n = 0; n < sizeof lights / sizeof lights[0]; n++) {
    int color[3];
    double shown[3];
    aces((const double[3]){(double)lights[n][0], (double)lights[n][1], (double)lights[n][2]}, shown);
    middle_of_lamp(g, lights[n], false, SINEW_CURVE_ACES, 1, color);
    for (int i = 0; i < 3; i++)
      if (fabs(color[i] - srgb(shown[i])) > 2)
        fail_msg("light %zu, channel %d: %d instead of %.1f", n, i, color[i], srgb(shown[i]));
  }
}

/* Unlit surfaces, lines and debug views are colours, not light: neither curve nor exposure changes them. */
static void colours_that_are_no_light_stay(void **state) {
  gpu *g = *state;
  const float color[3] = {0.9f, 0.4f, 0.02f};
  for (int curve = 0; curve < SINEW_CURVE_COUNT; curve++)
    for (int exposure = 1; exposure <= 3; exposure += 2) {
      int shown[3];
      middle_of_lamp(g, color, true, (sinew_curve)curve, (float)exposure, shown);
      for (int i = 0; i < 3; i++) assert_true(fabs(shown[i] - srgb((double)color[i])) <= 1);
    }
  post_scene *s = lamp(g->renderer, color, false);
  sinew_line lines[96];
  for (int i = 0; i < 96; i++)
    lines[i] = (sinew_line){
        {-1, 0.776f + 0.0005f * (float)i, 0.3f}, {1, 0.776f + 0.0005f * (float)i, 0.3f}, {40, 200, 90, 255}};
  s->frame.lines = lines, s->frame.line_count = 96, s->frame.light.exposure = 3;
  picture p = picture_draw(g->renderer, &s->frame);
  const uint8_t *line = picture_at(&p, p.width / 2, p.height / 2);
  assert_true(abs(line[0] - 40) <= 1 && abs(line[1] - 200) <= 1 && abs(line[2] - 90) <= 1);
  picture_free(&p);
  post_scene_free(s, g->renderer);
}

/* Beside a lamp of eight times white the dark is lit, the less the farther; beside one of white it stays dark. */
static void what_is_too_bright_glows(void **state) {
  gpu *g = *state;
  int near[2], far[2];
  for (int i = 0; i < 2; i++) {
    const float light[3] = {i ? 8.0f : 1.0f, i ? 8.0f : 1.0f, i ? 8.0f : 1.0f};
    post_scene *s = lamp(g->renderer, light, false);
    s->frame.camera.position.z = 4;
    picture p = picture_draw(g->renderer, &s->frame);
    int edge, y;
    picture_position(&s->frame, (sinew_vec3){0.25f, 0.8f, 0}, &edge, &y);
    near[i] = picture_at(&p, edge + 6, y)[1], far[i] = picture_at(&p, edge + 40, y)[1];
    picture_free(&p);
    post_scene_free(s, g->renderer);
  }
  assert_in_range(near[0], 0, 1);
  assert_true(near[1] > 20 && far[1] < near[1] / 2);
  assert_in_range(far[0], 0, 1);
}

int main(void) {
  gpu_or_skip();
  const struct CMUnitTest tests[] = {gpu_test(neutral_is_what_its_specification_says),
                                     gpu_test(exposure_multiplies_light), gpu_test(aces_is_its_fit),
                                     gpu_test(colours_that_are_no_light_stay), gpu_test(what_is_too_bright_glows)};
  return cmocka_run_group_tests_name("finish_pass", tests, gpu_setup, gpu_teardown);
}
