/* Converts KHR_materials_pbrSpecularGlossiness to metallic and roughness, as in the extension's own appendix: a surface
 * that reflects more than a dielectric (0.04) is metallic to the degree that explains it. */
#include "import/source/gltf/gltf_file.h"
#include "import/source/image.h"
#include "math/elementary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const float dielectric = 0.04f, tiny = 1e-6f;

typedef struct surface {
  float diffuse[3], specular[3];
} surface;

/* Perceived brightness (the weights of HSP). */
static float brightness(const float *c) {
  return sqrtf(0.299f * c[0] * c[0] + 0.587f * c[1] * c[1] + 0.114f * c[2] * c[2]);
}

static float largest(const float *c) { return fmaxf(c[0], fmaxf(c[1], c[2])); }

/* The root at which diffuse and specular of a metallic-roughness surface are as bright as these. */
static float solve_metallic(const surface *s) {
  float diffuse = brightness(s->diffuse), specular = brightness(s->specular);
  if (specular < dielectric) return 0;
  float b = diffuse * (1 - largest(s->specular)) / (1 - dielectric) + specular - 2 * dielectric;
  float d = b * b - 4 * dielectric * (dielectric - specular);
  float metallic = (-b + sqrtf(fmaxf(d, 0))) / (2 * dielectric);
  return fminf(fmaxf(metallic, 0), 1);
}

/* Computes the base colour, and returns the metallic factor. */
static float convert(const surface *s, float *base) {
  float metallic = solve_metallic(s), one = 1 - largest(s->specular);
  for (int k = 0; k < 3; k++) {
    float as_diffuse = s->diffuse[k] * one / (1 - dielectric) / fmaxf(1 - metallic, tiny);
    float as_metal = (s->specular[k] - dielectric * (1 - metallic)) / fmaxf(metallic, tiny);
    float mixed = as_diffuse + (as_metal - as_diffuse) * metallic * metallic;
    base[k] = fminf(fmaxf(mixed, 0), 1);
  }
  return metallic;
}

/* ---- pictures ---- */

/* Of 0..255 in sRGB. */
static float to_linear(float value) {
  float v = value / 255;
  return v <= 0.04045f ? v / 12.92f : float_pow((v + 0.055f) / 1.055f, 2.4f);
}

typedef struct conversion {
  const sinew_image_view *diffuse, *gloss; /* or NULL */
  float diffuse_factor[4], specular_factor[3], gloss_factor;
  int width, height;
  uint8_t *color, *rough;         /* what is made */
  float linear[256], limits[256]; /* of each byte in sRGB, and of the value half-way to the next */
} conversion;

/* The byte whose limits are around v. */
static uint8_t to_srgb(const conversion *c, float v) {
  int byte = 0;
  for (int step = 128; step > 0; step /= 2)
    if (v >= c->limits[byte + step - 1]) byte += step;
  return (uint8_t)byte;
}

static const uint8_t *texel(const sinew_image_view *image, const conversion *c, int x, int y) {
  static const uint8_t white[4] = {255, 255, 255, 255};
  if (!image) return white;
  size_t row = (size_t)((int64_t)y * image->height / c->height),
         column = (size_t)((int64_t)x * image->width / c->width);
  return image->rgba + 4 * (row * (size_t)image->width + column);
}

static void convert_texel(const conversion *c, int x, int y) {
  size_t at = 4 * ((size_t)y * (size_t)c->width + (size_t)x);
  const uint8_t *diffuse = texel(c->diffuse, c, x, y), *gloss = texel(c->gloss, c, x, y);
  surface s;
  float base[3];
  for (int k = 0; k < 3; k++) {
    s.diffuse[k] = c->linear[diffuse[k]] * c->diffuse_factor[k];
    s.specular[k] = c->linear[gloss[k]] * c->specular_factor[k];
  }
  float metallic = convert(&s, base), smooth = (float)gloss[3] / 255 * c->gloss_factor;
  for (int k = 0; k < 3; k++) c->color[at + (size_t)k] = to_srgb(c, base[k]);
  c->color[at + 3] = diffuse[3];
  c->rough[at + 1] = (uint8_t)((1 - fminf(fmaxf(smooth, 0), 1)) * 255 + 0.5f);
  c->rough[at + 2] = (uint8_t)(metallic * 255 + 0.5f);
  c->rough[at + 3] = 255;
}

static bool add_picture(gltf *g, const sinew_image_view *like, const conversion *c, const char *what,
                        const uint8_t *rgba, int *index) {
  raw_model *raw = g->raw;
  char name[1024];
  snprintf(name, sizeof name, "%.900s as %s", like->name, what);
  sinew_image_view *image =
      raw_grow(raw, (void **)&raw->images, &raw->image_count, &raw->image_capacity, sizeof *raw->images);
  if (!image) return false;
  *image = (sinew_image_view){.name = raw_string(raw, name),
                              .width = c->width,
                              .height = c->height,
                              .rgba = rgba,
                              .wrap_u = like->wrap_u,
                              .wrap_v = like->wrap_v};
  *index = raw->image_count - 1;
  return image->name != NULL;
}

/* Scales both pictures to the size of the larger one. */
static bool convert_pictures(gltf *g, conversion *c, sinew_texture *color, sinew_texture *rough) {
  raw_model *raw = g->raw;
  bool by_gloss = !c->diffuse || (c->gloss && c->gloss->width > c->diffuse->width);
  sinew_image_view like = by_gloss ? *c->gloss : *c->diffuse;
  for (int i = 0; i < 256; i++) {
    c->linear[i] = to_linear((float)i);
    c->limits[i] = to_linear((float)i + 0.5f);
  }
  c->width = like.width;
  c->height = like.height;
  if (!gltf_spend(g, (size_t)c->width * (size_t)c->height, 2)) return false;
  c->color = raw_alloc(raw, (size_t)c->width * (size_t)c->height, 4);
  c->rough = raw_alloc(raw, (size_t)c->width * (size_t)c->height, 4);
  if (!c->color || !c->rough) return false;
  for (int y = 0; y < c->height; y++)
    for (int x = 0; x < c->width; x++) convert_texel(c, x, y);
  return add_picture(g, &like, c, "base colour", c->color, &color->image) &&
         add_picture(g, &like, c, "metal and roughness", c->rough, &rough->image);
}

static const sinew_image_view *image_of(const gltf *g, const sinew_texture *texture) {
  return texture->image >= 0 ? g->raw->images + texture->image : NULL;
}

static void convert_factors(const conversion *c, sinew_material *m) {
  surface s;
  memcpy(s.diffuse, c->diffuse_factor, sizeof s.diffuse);
  memcpy(s.specular, c->specular_factor, sizeof s.specular);
  m->metallic = convert(&s, m->base_color);
  m->roughness = 1 - fminf(fmaxf(c->gloss_factor, 0), 1);
}

bool gltf_read_specular_glossiness(gltf *g, const cJSON *json, sinew_material *m) {
  const cJSON *from = gltf_extension(json, "KHR_materials_pbrSpecularGlossiness");
  sinew_texture *color = m->textures + SINEW_TEXTURE_BASE_COLOR,
                *rough = m->textures + SINEW_TEXTURE_METALLIC_ROUGHNESS;
  conversion c = {.diffuse_factor = {1, 1, 1, 1}, .specular_factor = {1, 1, 1}};
  if (!from) return true;
  gltf_numbers(from, "diffuseFactor", c.diffuse_factor, 4);
  gltf_numbers(from, "specularFactor", c.specular_factor, 3);
  c.gloss_factor = gltf_number(from, "glossinessFactor", 1);
  if (!gltf_read_texture(g, gltf_member(from, "diffuseTexture"), color) ||
      !gltf_read_texture(g, gltf_member(from, "specularGlossinessTexture"), rough))
    return false;
  m->base_color[3] = c.diffuse_factor[3];
  if (color->image < 0 && rough->image < 0) {
    convert_factors(&c, m);
    return true;
  }
  c.diffuse = image_of(g, color);
  c.gloss = image_of(g, rough);
  if (color->image < 0) *color = *rough;
  if (rough->image < 0) *rough = *color;
  for (int k = 0; k < 3; k++) m->base_color[k] = 1;
  m->metallic = m->roughness = 1;
  int used[2] = {color->image, rough->image};
  for (int i = 0; i < 2; i++)
    if (!image_need_texels(g->raw, g->raw->images + used[i])) return false;
  sinew_image_view diffuse, gloss; /* the list of images may move */
  if (c.diffuse) diffuse = *c.diffuse, c.diffuse = &diffuse;
  if (c.gloss) gloss = *c.gloss, c.gloss = &gloss;
  return convert_pictures(g, &c, color, rough);
}
