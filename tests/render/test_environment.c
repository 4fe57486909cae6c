/* What shines from all around: ambient light and reflections against sums over many directions, in doubles. */
#include "render/picture.h"

#include "render/environment.h"

/* The n-th of `count` directions that are spread evenly over a sphere (a spiral by the golden angle). */
static void spread(int n, int count, double out[3]) {
  double y = 1 - (2.0 * n + 1) / count, across = sqrt(1 - y * y), turn = 2.399963229728653 * n;
  out[0] = across * cos(turn), out[1] = y, out[2] = across * sin(turn);
}

static void radiance(const surroundings *around, const double direction[3], double color[3]) {
  const float d[3] = {(float)direction[0], (float)direction[1], (float)direction[2]};
  float c[3];
  surroundings_radiance(around, d, c);
  for (int i = 0; i < 3; i++) color[i] = (double)c[i];
}

static double dot3(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static surroundings around_of(int name) {
  sinew_light light = sinew_light_default();
  light.environment = (sinew_environment)name;
  return surroundings_of(&light);
}

/* Light from everywhere times the cosine, over pi. Nine harmonics cannot follow lamps closely. */
static void ambient_light_is_its_integral(void **state) {
  (void)state;
  enum { DIRECTIONS = 20000 };
  for (int e = 0; e < SINEW_ENVIRONMENT_COUNT; e++) {
    surroundings around = around_of(e);
    float terms[ENVIRONMENT_TERMS][4];
    surroundings_ambient(&around, terms);
    double brightest = 0;
    for (int i = 0; i < 3; i++) brightest = fmax(brightest, (double)(terms[0][i]));
    for (int n = 0; n < 40; n++) {
      double normal[3], sum[3] = {0};
      spread(n, 40, normal);
      for (int k = 0; k < DIRECTIONS; k++) {
        double d[3], c[3];
        spread(k, DIRECTIONS, d);
        radiance(&around, d, c);
        for (int i = 0; i < 3; i++) sum[i] += fmax(dot3(d, normal), 0) * c[i] * 4 / DIRECTIONS;
      }
      double x = normal[0], y = normal[1], z = normal[2];
      const double basis[ENVIRONMENT_TERMS] = {1, y, z, x, x * y, y * z, 3 * z * z - 1, x * z, x * x - y * y};
      for (int i = 0; i < 3; i++) {
        double light = 0;
        for (int t = 0; t < ENVIRONMENT_TERMS; t++) light += (double)terms[t][i] * basis[t];
        double most = e == SINEW_ENVIRONMENT_STUDIO ? 0.08 : 0.04;
        if (fabs(light - sum[i]) > most * brightest)
          fail_msg("environment %d, normal %d: %g instead of %g", e, n, light, sum[i]);
      }
    }
  }
}

static float half_to_float(uint16_t half) {
  int exponent = half >> 10 & 31, fraction = half & 1023;
  float size = exponent == 0 ? ldexpf((float)fraction, -24) : ldexpf((float)(fraction + 1024), exponent - 25);
  return half & 0x8000 ? -size : size;
}

/* Reads a texture's level by drawing from it. */
static void read_level(GLenum kind, GLuint texture, int level, int side, float (*texels)[4]) {
  GLuint framebuffer = 0;
  static uint16_t halves[32 * 32][4];
  glGenFramebuffers(1, &framebuffer);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
  glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, kind, texture, level);
  glReadPixels(0, 0, side, side, GL_RGBA, GL_HALF_FLOAT, halves);
  for (int i = 0; i < side * side; i++)
    for (int c = 0; c < 4; c++) texels[i][c] = half_to_float(halves[i][c]);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
  glDeleteFramebuffers(1, &framebuffer);
}

/* From straight above, by the distribution of GGX facets (Walter 2007) over even directions: rougher is softer. */
static void rough_mirrors_see_their_lobe(void **state) {
  gpu *g = *state;
  enum { DIRECTIONS = 100000 };
  static float texels[32 * 32][4];
  sinew_light light = sinew_light_default();
  sinew_error error = {0};
  light.environment = SINEW_ENVIRONMENT_STUDIO;
  assert_true(environment_update(&g->renderer->environment, &light, &error));
  surroundings around = surroundings_of(&light);
  for (int level = 2; level < 5; level++) {
    int side = 32 >> level, at = side / 2 * side + side / 2;
    read_level(GL_TEXTURE_CUBE_MAP_POSITIVE_Y, g->renderer->environment.mirrored, level, side, texels);
    double r = 1.0 / side, size = sqrt(1 + 2 * r * r), axis[3] = {r / size, 1 / size, r / size}, sum[3] = {0},
           total = 0;
    double alpha = pow(level / 4.0, 2), squared = alpha * alpha;
    for (int k = 0; k < DIRECTIONS; k++) {
      double d[3], c[3], h[3], length = 0;
      spread(k, DIRECTIONS, d);
      double cosine = dot3(d, axis);
      if (cosine <= 0) continue;
      for (int i = 0; i < 3; i++) h[i] = d[i] + axis[i], length += h[i] * h[i];
      double nh = dot3(h, axis) / sqrt(length), base = nh * nh * (squared - 1) + 1;
      double weight = squared / (base * base) * cosine / 4; /* seen along the normal, n · h and v · h are the same */
      radiance(&around, d, c);
      for (int i = 0; i < 3; i++) sum[i] += weight * c[i];
      total += weight;
    }
    for (int i = 0; i < 3; i++)
      if (fabs((double)texels[at][i] - sum[i] / total) > 0.08 * sum[i] / total)
        fail_msg("level %d, channel %d: %g instead of %g", level, i, (double)texels[at][i], sum[i] / total);
  }
}

/* At a roughness of 1 what facets with an f0 of 1 reflect is known: 1 − μ ln((1 + μ)/μ). */
static void the_roughest_reflectance_is_known(void **state) {
  gpu *g = *state;
  static float texels[32 * 32][4];
  sinew_light light = sinew_light_default();
  sinew_error error = {0};
  assert_true(environment_update(&g->renderer->environment, &light, &error));
  read_level(GL_TEXTURE_2D, g->renderer->environment.reflectance, 0, 32, texels);
  for (int x = 4; x < 32; x++) {
    double mu = (x + 0.5) / 32, known = 1 - mu * log((1 + mu) / mu);
    double both = (double)(texels[31 * 32 + x][0] + texels[31 * 32 + x][1]);
    if (fabs(both - known) > 0.03) fail_msg("at a cosine of %g: %g instead of %g", mu, both, known);
  }
  for (int x = 8; x < 32; x++) assert_true(texels[x][0] + texels[x][1] > 0.98f); /* a smooth mirror loses nothing */
}

/* Each is a light of its own; names replace the light's own colours, and those count without a name. */
static void environments_differ(void **state) {
  gpu *g = *state;
  picture drawn[SINEW_ENVIRONMENT_COUNT + 1];
  post_scene *s = post_scene_make(g->renderer, NULL, NULL);
  for (int e = 0; e < SINEW_ENVIRONMENT_COUNT; e++) {
    s->frame.light.environment = (sinew_environment)e;
    drawn[e] = picture_draw(g->renderer, &s->frame);
    for (int before = 0; before < e; before++)
      assert_true(picture_difference(&drawn[e], &drawn[before], 10) > drawn[e].width * drawn[e].height / 3);
  }
  s->frame.light.sky[0] = 0.9f;
  drawn[SINEW_ENVIRONMENT_COUNT] = picture_draw(g->renderer, &s->frame);
  assert_int_equal(picture_difference(&drawn[SINEW_ENVIRONMENT_COUNT], &drawn[SINEW_ENVIRONMENT_COUNT - 1], 0), 0);
  picture_free(&drawn[SINEW_ENVIRONMENT_COUNT]);
  s->frame.light.environment = SINEW_ENVIRONMENT_COLORS;
  drawn[SINEW_ENVIRONMENT_COUNT] = picture_draw(g->renderer, &s->frame);
  assert_true(picture_difference(&drawn[SINEW_ENVIRONMENT_COUNT], &drawn[0], 10) > 1000);
  for (int e = 0; e <= SINEW_ENVIRONMENT_COUNT; e++) picture_free(&drawn[e]);
  post_scene_free(s, g->renderer);
}

int main(void) {
  gpu_or_skip();
  const struct CMUnitTest tests[] = {gpu_test(ambient_light_is_its_integral), gpu_test(rough_mirrors_see_their_lobe),
                                     gpu_test(the_roughest_reflectance_is_known), gpu_test(environments_differ)};
  return cmocka_run_group_tests_name("environment", tests, gpu_setup, gpu_teardown);
}
