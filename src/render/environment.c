#include "render/environment.h"

#include "math/vec3.h"
#include "render/gl/gl.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265f

enum { FACE = 32, LEVELS = 5, SAMPLES = 64, TABLE = 32, TABLE_SAMPLES = 128 };

static const surroundings named[SINEW_ENVIRONMENT_COUNT] = {
    [SINEW_ENVIRONMENT_STUDIO] = {.sun = {-0.42f, 0.68f, 0.60f},
                                  .sun_color = {2.3f, 2.22f, 2.1f},
                                  .zenith = {0.40f, 0.41f, 0.43f},
                                  .horizon = {0.46f, 0.47f, 0.49f},
                                  .ground = {0.22f, 0.22f, 0.22f},
                                  .steepness = 2,
                                  .lamps = {{{0.86f, 0.36f, 0.36f}, 0.45f, {1.5f, 1.6f, 1.8f}},
                                            {{-0.30f, 0.42f, -0.86f}, 0.40f, {3.2f, 3.0f, 2.8f}},
                                            {{0.0f, 1.0f, 0.0f}, 0.50f, {1.6f, 1.6f, 1.6f}}}},
    [SINEW_ENVIRONMENT_NOON] = {.sun = {0.35f, 0.83f, 0.43f},
                                .sun_color = {3.3f, 3.15f, 2.9f},
                                .zenith = {0.14f, 0.29f, 0.66f},
                                .horizon = {0.62f, 0.74f, 0.90f},
                                .ground = {0.26f, 0.24f, 0.20f},
                                .steepness = 4.5f,
                                .glow = 1},
    [SINEW_ENVIRONMENT_GOLDEN_HOUR] = {.sun = {-0.76f, 0.27f, 0.59f},
                                       .sun_color = {3.9f, 2.25f, 1.05f},
                                       .zenith = {0.17f, 0.25f, 0.44f},
                                       .horizon = {0.86f, 0.62f, 0.44f},
                                       .ground = {0.20f, 0.15f, 0.11f},
                                       .steepness = 3.5f,
                                       .glow = 2.5f},
    [SINEW_ENVIRONMENT_OVERCAST] = {.sun = {0.25f, 0.93f, 0.27f},
                                    .sun_color = {0.55f, 0.55f, 0.56f},
                                    .zenith = {0.80f, 0.83f, 0.87f},
                                    .horizon = {0.56f, 0.59f, 0.63f},
                                    .ground = {0.20f, 0.20f, 0.19f},
                                    .steepness = 2},
    [SINEW_ENVIRONMENT_NIGHT] = {.sun = {-0.45f, 0.72f, 0.53f},
                                 .sun_color = {0.42f, 0.55f, 0.85f},
                                 .zenith = {0.010f, 0.018f, 0.046f},
                                 .horizon = {0.040f, 0.058f, 0.110f},
                                 .ground = {0.020f, 0.022f, 0.030f},
                                 .steepness = 4,
                                 .glow = 0.6f}};

/* A clear sky of that colour: brighter and paler at the horizon, deeper above. */
static surroundings of_colors(const sinew_light *light) {
  surroundings around = {.steepness = 6.5f, .glow = 1};
  const float *sky = light->sky, luminance = 0.2126f * sky[0] + 0.7152f * sky[1] + 0.0722f * sky[2];
  const float pale[3] = {1.12f, 1.0f, 0.88f}, most = fmaxf(fmaxf(sky[0], fmaxf(sky[1], sky[2])), 1e-4f);
  for (int i = 0; i < 3; i++) {
    around.sun_color[i] = light->color[i] * light->intensity;
    around.horizon[i] = 1.5f * (0.55f * sky[i] + 0.45f * luminance * pale[i]);
    around.zenith[i] = sky[i] * (0.5f + 0.6f * sky[i] / most);
    around.ground[i] = light->ground[i];
  }
  memcpy(around.sun, &light->direction, sizeof around.sun);
  return around;
}

surroundings surroundings_of(const sinew_light *light) {
  surroundings around = light->environment == SINEW_ENVIRONMENT_COLORS ? of_colors(light) : named[light->environment];
  sinew_vec3 sun = vec3_unit((sinew_vec3){around.sun[0], around.sun[1], around.sun[2]}, (sinew_vec3){0, 1, 0});
  memcpy(around.sun, &sun, sizeof around.sun);
  return around;
}

static float dot(const float a[3], const float b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static float ramp(float from, float to, float x) {
  float t = fminf(fmaxf((x - from) / (to - from), 0.0f), 1.0f);
  return t * t * (3.0f - 2.0f * t);
}

/* The sky is as in shaders/include/sky.glsl; the ground meets it within some degrees. */
void surroundings_radiance(const surroundings *around, const float direction[3], float color[3]) {
  float up = fmaxf(direction[1], 0.0f), high = 1.0f - exp2f(-around->steepness * up);
  float below = ramp(0.02f, -0.12f, direction[1]), toward = fmaxf(dot(direction, around->sun), 0.0f);
  float toward8 = powf(toward, 8.0f), glow = around->glow * (0.05f * toward8 + 0.08f * powf(toward8, 8.0f));
  for (int i = 0; i < 3; i++) {
    float sky = around->horizon[i] + high * (around->zenith[i] - around->horizon[i]) + glow * around->sun_color[i];
    color[i] = sky + below * (around->ground[i] - sky);
  }
  for (int n = 0; n < ENVIRONMENT_LAMPS && around->lamps[n].size > 0.0f; n++) {
    const environment_lamp *lamp = &around->lamps[n];
    float lit = ramp(cosf(1.2f * lamp->size), cosf(0.8f * lamp->size), dot(direction, lamp->direction));
    for (int i = 0; i < 3; i++) color[i] += lit * lamp->color[i];
  }
}

/* The direction of a point of a cube's face, x and y in −1 .. 1, as OpenGL numbers faces. */
static void cube_direction(int face, float x, float y, float out[3]) {
  const float at[6][3] = {{1, -y, -x}, {-1, -y, x}, {x, 1, y}, {x, -1, -y}, {x, -y, 1}, {-x, -y, -1}};
  float size = 1.0f / sqrtf(1.0f + x * x + y * y);
  for (int i = 0; i < 3; i++) out[i] = at[face][i] * size;
}

/* ---- ambient light ---- */

static void harmonics(const float n[3], float terms[ENVIRONMENT_TERMS]) {
  const float all[ENVIRONMENT_TERMS] = {
      1, n[1], n[2], n[0], n[0] * n[1], n[1] * n[2], 3 * n[2] * n[2] - 1, n[0] * n[2], n[0] * n[0] - n[1] * n[1]};
  memcpy(terms, all, sizeof all);
}

void surroundings_ambient(const surroundings *around, float terms[ENVIRONMENT_TERMS][4]) {
  /* squares of the harmonics' constants, times the share of a band that a cosine lets through: 1, 2/3, 1/4 */
  static const float factors[ENVIRONMENT_TERMS] = {0.0795775f, 0.1591549f, 0.1591549f, 0.1591549f, 0.2984155f,
                                                   0.2984155f, 0.0248680f, 0.2984155f, 0.0746039f};
  double sums[ENVIRONMENT_TERMS][3] = {{0}};
  enum { SIDE = 16 };
  for (int face = 0; face < 6; face++)
    for (int at = 0; at < SIDE * SIDE; at++) {
      float x = (float)(at % SIDE * 2 + 1) / SIDE - 1.0f, y = (float)(at / SIDE * 2 + 1) / SIDE - 1.0f;
      float direction[3], color[3], basis[ENVIRONMENT_TERMS], far = 1.0f + x * x + y * y;
      cube_direction(face, x, y, direction);
      surroundings_radiance(around, direction, color);
      harmonics(direction, basis);
      float solid = 4.0f / (SIDE * SIDE * far * sqrtf(far)); /* steradians */
      for (int t = 0; t < ENVIRONMENT_TERMS; t++)
        for (int i = 0; i < 3; i++) sums[t][i] += (double)(basis[t] * color[i] * solid);
    }
  for (int t = 0; t < ENVIRONMENT_TERMS; t++)
    for (int i = 0; i < 4; i++) terms[t][i] = i < 3 ? factors[t] * (float)sums[t][i] : 0.0f;
}

/* ---- reflections ---- */

/* The n-th of `count` directions about z that facets of a GGX surface have (Walter 2007), evenly spread (Hammersley).
 */
static void ggx_facet(int n, int count, float alpha, float out[3]) {
  uint32_t bits = (uint32_t)n;
  bits = bits << 16 | bits >> 16;
  bits = (bits & 0x55555555) << 1 | (bits & 0xaaaaaaaa) >> 1;
  bits = (bits & 0x33333333) << 2 | (bits & 0xcccccccc) >> 2;
  bits = (bits & 0x0f0f0f0f) << 4 | (bits & 0xf0f0f0f0) >> 4;
  bits = (bits & 0x00ff00ff) << 8 | (bits & 0xff00ff00) >> 8;
  float u = ((float)n + 0.5f) / (float)count, turn = 2.0f * PI * ((float)(bits >> 8) / 16777216.0f);
  float z = sqrtf((1.0f - u) / (1.0f + (alpha * alpha - 1.0f) * u)), across = sqrtf(fmaxf(1.0f - z * z, 0.0f));
  out[0] = across * cosf(turn), out[1] = across * sinf(turn), out[2] = z;
}

/* Directions in which a surface mirrors who looks along its normal, and how much each counts. */
static void make_lobe(float roughness, float lobe[SAMPLES][4]) {
  for (int n = 0; n < SAMPLES; n++) {
    float h[3];
    ggx_facet(n, SAMPLES, roughness * roughness, h);
    const float mirrored[4] = {2 * h[2] * h[0], 2 * h[2] * h[1], 2 * h[2] * h[2] - 1, fmaxf(2 * h[2] * h[2] - 1, 0.0f)};
    memcpy(lobe[n], mirrored, sizeof mirrored);
  }
}

static void filter(const surroundings *around, const float axis[3], float lobe[SAMPLES][4], float color[3]) {
  sinew_vec3 z = {axis[0], axis[1], axis[2]};
  sinew_vec3 side = fabsf(z.y) < 0.9f ? (sinew_vec3){z.z, 0, -z.x} : (sinew_vec3){0, -z.z, z.y};
  sinew_vec3 x = vec3_unit(side, (sinew_vec3){1, 0, 0}), y = vec3_cross(z, x);
  float sum[3] = {0}, total = 0;
  for (int n = 0; n < SAMPLES; n++) {
    const float *l = lobe[n];
    const float direction[3] = {l[0] * x.x + l[1] * y.x + l[2] * z.x, l[0] * x.y + l[1] * y.y + l[2] * z.y,
                                l[0] * x.z + l[1] * y.z + l[2] * z.z};
    float one[3];
    if (l[3] == 0.0f) continue;
    surroundings_radiance(around, direction, one);
    for (int i = 0; i < 3; i++) sum[i] += l[3] * one[i];
    total += l[3];
  }
  for (int i = 0; i < 3; i++) color[i] = sum[i] / total;
}

static void upload_face(const surroundings *around, int face, int level, float lobe[SAMPLES][4]) {
  float texels[FACE * FACE][4];
  int side = FACE >> level;
  for (int at = 0; at < side * side; at++) {
    float axis[3];
    cube_direction(face, (float)(at % side * 2 + 1) / (float)side - 1.0f,
                   (float)(at / side * 2 + 1) / (float)side - 1.0f, axis);
    if (level == 0) surroundings_radiance(around, axis, texels[at]);
    else filter(around, axis, lobe, texels[at]);
  }
  glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + (GLenum)face, level, GL_RGBA16F, side, side, 0, GL_RGBA, GL_FLOAT,
               texels);
}

static void make_mirrored(environment *made) {
  if (!made->mirrored) glGenTextures(1, &made->mirrored);
  glBindTexture(GL_TEXTURE_CUBE_MAP, made->mirrored);
  for (int level = 0; level < LEVELS; level++) {
    float lobe[SAMPLES][4];
    make_lobe((float)level / (LEVELS - 1), lobe);
    for (int face = 0; face < 6; face++) upload_face(&made->around, face, level, lobe);
  }
  glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MAX_LEVEL, LEVELS - 1);
  glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glBindTexture(GL_TEXTURE_CUBE_MAP, 0);
}

/* Of light from everywhere, the part that a surface of GGX facets with Smith's height-correlated shadowing reflects
 * towards the viewer: scale and offset of f0 (Karis 2013, "Real shading in Unreal Engine 4"). */
static void reflect_all(float nv, float roughness, float out[4]) {
  float alpha = roughness * roughness, aa = alpha * alpha;
  const float view[3] = {sqrtf(1.0f - nv * nv), 0.0f, nv};
  out[0] = out[1] = out[2] = out[3] = 0.0f;
  for (int n = 0; n < TABLE_SAMPLES; n++) {
    float h[3];
    ggx_facet(n, TABLE_SAMPLES, alpha, h);
    float vh = fmaxf(dot(view, h), 0.0f), nl = 2 * vh * h[2] - view[2];
    if (nl <= 0.0f || vh <= 0.0f) continue;
    float shadowed = 2 * nl * nv / (nl * sqrtf(nv * nv * (1 - aa) + aa) + nv * sqrtf(nl * nl * (1 - aa) + aa));
    float part = shadowed * vh / (fmaxf(h[2], 1e-4f) * nv), fresnel = powf(1.0f - vh, 5.0f);
    out[0] += (1.0f - fresnel) * part / TABLE_SAMPLES;
    out[1] += fresnel * part / TABLE_SAMPLES;
  }
}

static void make_reflectance(environment *made) {
  float texels[TABLE * TABLE][4];
  for (int at = 0; at < TABLE * TABLE; at++)
    reflect_all(((float)(at % TABLE) + 0.5f) / TABLE, ((float)(at / TABLE) + 0.5f) / TABLE, texels[at]);
  glGenTextures(1, &made->reflectance);
  glBindTexture(GL_TEXTURE_2D, made->reflectance);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA16F, TABLE, TABLE, 0, GL_RGBA, GL_FLOAT, texels);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glBindTexture(GL_TEXTURE_2D, 0);
}

bool environment_update(environment *made, const sinew_light *light, sinew_error *error) {
  surroundings around = surroundings_of(light);
  if (made->mirrored && memcmp(&around, &made->around, sizeof around) == 0) return true;
  made->around = around;
  surroundings_ambient(&around, made->ambient);
  if (!gl_is_es()) glEnable(GL_TEXTURE_CUBE_MAP_SEAMLESS); /* as OpenGL ES always does */
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  make_mirrored(made);
  if (!made->reflectance) make_reflectance(made);
  return gl_check("the environment", error);
}

void environment_release(environment *made) {
  glDeleteTextures(1, &made->mirrored);
  glDeleteTextures(1, &made->reflectance);
  *made = (environment){0};
}
