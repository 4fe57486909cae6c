#include "import/source/gltf/gltf_file.h"
#include "import/source/image.h"
#include "math/elementary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void read_alpha(const cJSON *json, sinew_material *m) {
  const char *mode = gltf_text(json, "alphaMode");
  if (mode && strcmp(mode, "MASK") == 0) m->alpha_mode = SINEW_ALPHA_MASK;
  if (mode && strcmp(mode, "BLEND") == 0) m->alpha_mode = SINEW_ALPHA_BLEND;
  m->alpha_cutoff = gltf_number(json, "alphaCutoff", 0.5f);
}

static void read_emission(const cJSON *json, sinew_material *m) {
  float strength = gltf_number(gltf_extension(json, "KHR_materials_emissive_strength"), "emissiveStrength", 1);
  gltf_numbers(json, "emissiveFactor", m->emissive, 3);
  for (int i = 0; i < 3; i++) m->emissive[i] *= strength;
}

/* Unlike in the core, roughness without a factor is 0 here. */
static void read_layers(const cJSON *json, sinew_material *m) {
  const cJSON *coat = gltf_extension(json, "KHR_materials_clearcoat"),
              *sheen = gltf_extension(json, "KHR_materials_sheen");
  m->clearcoat = gltf_number(coat, "clearcoatFactor", 0);
  m->clearcoat_roughness = gltf_number(coat, "clearcoatRoughnessFactor", 0);
  gltf_numbers(sheen, "sheenColorFactor", m->sheen_color, 3);
  m->sheen_roughness = gltf_number(sheen, "sheenRoughnessFactor", 0);
  m->unlit = gltf_extension(json, "KHR_materials_unlit") != NULL;
}

static bool read_textures(gltf *g, const cJSON *json, sinew_material *m) {
  const cJSON *metal = gltf_member(json, "pbrMetallicRoughness");
  const cJSON *coat = gltf_extension(json, "KHR_materials_clearcoat"),
              *sheen = gltf_extension(json, "KHR_materials_sheen");
  const struct {
    const cJSON *object;
    const char *name;
  } positions[SINEW_TEXTURE_ROLES] = {[SINEW_TEXTURE_BASE_COLOR] = {metal, "baseColorTexture"},
                                      [SINEW_TEXTURE_NORMAL] = {json, "normalTexture"},
                                      [SINEW_TEXTURE_METALLIC_ROUGHNESS] = {metal, "metallicRoughnessTexture"},
                                      [SINEW_TEXTURE_EMISSIVE] = {json, "emissiveTexture"},
                                      [SINEW_TEXTURE_OCCLUSION] = {json, "occlusionTexture"},
                                      [SINEW_TEXTURE_CLEARCOAT] = {coat, "clearcoatTexture"},
                                      [SINEW_TEXTURE_CLEARCOAT_ROUGHNESS] = {coat, "clearcoatRoughnessTexture"},
                                      [SINEW_TEXTURE_CLEARCOAT_NORMAL] = {coat, "clearcoatNormalTexture"},
                                      [SINEW_TEXTURE_SHEEN_COLOR] = {sheen, "sheenColorTexture"},
                                      [SINEW_TEXTURE_SHEEN_ROUGHNESS] = {sheen, "sheenRoughnessTexture"}};
  for (int i = 0; i < SINEW_TEXTURE_ROLES; i++)
    if (!gltf_read_texture(g, gltf_member(positions[i].object, positions[i].name), m->textures + i)) return false;
  m->normal_scale = gltf_number(gltf_member(json, "normalTexture"), "scale", 1);
  m->occlusion_strength = gltf_number(gltf_member(json, "occlusionTexture"), "strength", 1);
  m->clearcoat_normal_scale = gltf_number(gltf_member(coat, "clearcoatNormalTexture"), "scale", 1);
  return true;
}

static bool read_material(gltf *g, const cJSON *json, sinew_material *m) {
  const cJSON *metal = gltf_member(json, "pbrMetallicRoughness");
  *m = sinew_material_default();
  m->name = gltf_name(g, json);
  if (!m->name) return false;
  gltf_numbers(metal, "baseColorFactor", m->base_color, 4);
  m->metallic = gltf_number(metal, "metallicFactor", 1);
  m->roughness = gltf_number(metal, "roughnessFactor", 1);
  m->double_sided = gltf_flag(json, "doubleSided");
  read_emission(json, m);
  read_alpha(json, m);
  read_layers(json, m);
  return read_textures(g, json, m) && gltf_read_specular_glossiness(g, json, m);
}

bool gltf_read_materials(gltf *g) {
  raw_model *raw = g->raw;
  raw->material_count = g->materials.count;
  raw->materials = raw_alloc(raw, (size_t)g->materials.count, sizeof *raw->materials);
  g->images_made = raw_alloc(raw, (size_t)g->images.count * 9, sizeof *g->images_made);
  if (!raw->materials || !g->images_made) return false;
  for (int i = 0; i < g->materials.count; i++)
    if (!read_material(g, g->materials.items[i], raw->materials + i)) return false;
  return true;
}

/* ---- Textures ---- */

/* ---- pictures ---- */

/* The name of a picture in the file, or of the file beside it, or its number. */
static const char *name_image(gltf *g, const cJSON *image, int index) {
  const char *uri = gltf_text(image, "uri"), *name = gltf_text(image, "name");
  char number[32];
  snprintf(number, sizeof number, "image %d", index);
  if (uri && strncmp(uri, "data:", 5) != 0) return raw_string(g->raw, uri);
  return raw_string(g->raw, name && name[0] ? name : number);
}

static bool load_image(gltf *g, const cJSON *json, sinew_image_view *image) {
  const char *uri = gltf_text(json, "uri");
  gltf_bytes bytes = {NULL, 0};
  if (uri && strncmp(uri, "data:", 5) != 0) return image_from_file(g->raw, image->name, image);
  if (uri && !gltf_read_data_uri(g, uri, &bytes)) return false;
  if (!uri) bytes = gltf_view(g, gltf_index(json, "bufferView", g->views.count));
  if (!bytes.data) return image_placeholder(g->raw, image->name, "is not in the file", image);
  return image_from_memory(g->raw, image->name, bytes.data, bytes.size, image);
}

/* ---- textures ---- */

static sinew_wrap read_wrap(const cJSON *sampler, const char *name) {
  enum { CLAMP_TO_EDGE = 33071, MIRRORED_REPEAT = 33648 };
  int mode = gltf_index(sampler, name, MIRRORED_REPEAT + 1);
  return mode == CLAMP_TO_EDGE ? SINEW_WRAP_CLAMP : mode == MIRRORED_REPEAT ? SINEW_WRAP_MIRROR : SINEW_WRAP_REPEAT;
}

/* The same picture with another wrap mode is another image of the model. `slot` stores 1 + its index. */
static bool add_image(gltf *g, int source, sinew_image_view *image, int32_t *slot) {
  raw_model *raw = g->raw;
  image->name = name_image(g, g->images.items[source], source);
  if (!image->name || !load_image(g, g->images.items[source], image)) return false;
  sinew_image_view *kept =
      raw_grow(raw, (void **)&raw->images, &raw->image_count, &raw->image_capacity, sizeof *raw->images);
  if (!kept) return false;
  *kept = *image;
  *slot = raw->image_count;
  return true;
}

/* The picture in the best supported format: extensions list theirs beside the plain one. */
static int find_source(const gltf *g, const cJSON *texture) {
  int webp = gltf_index(gltf_extension(texture, "EXT_texture_webp"), "source", g->images.count);
  int plain = gltf_index(texture, "source", g->images.count);
  int basis = gltf_index(gltf_extension(texture, "KHR_texture_basisu"), "source", g->images.count);
  int avif = gltf_index(gltf_extension(texture, "EXT_texture_avif"), "source", g->images.count);
  return webp >= 0 ? webp : plain >= 0 ? plain : basis >= 0 ? basis : avif;
}

static bool read_image(gltf *g, const cJSON *reference, int *index) {
  const cJSON *texture = gltf_item(&g->textures, gltf_index(reference, "index", g->textures.count));
  const cJSON *sampler = gltf_item(&g->samplers, gltf_index(texture, "sampler", g->samplers.count));
  int source = find_source(g, texture);
  *index = -1;
  if (source < 0) return true;
  sinew_image_view image = {.wrap_u = read_wrap(sampler, "wrapS"), .wrap_v = read_wrap(sampler, "wrapT")};
  int32_t *slot = g->images_made + 9 * (size_t)source + 3 * image.wrap_u + image.wrap_v;
  if (*slot == 0 && !add_image(g, source, &image, slot)) return false;
  *index = *slot - 1;
  return true;
}

/* KHR_texture_transform: T · R · S; a positive rotation turns the coordinates counter-clockwise in a picture with v
 * up, which is clockwise with v down: (u, v) becomes (u·cos + v·sin, v·cos − u·sin). */
static void read_transform(const cJSON *json, float *t) {
  float offset[2] = {0, 0}, scale[2] = {1, 1}, angle = gltf_number(json, "rotation", 0);
  gltf_numbers(json, "offset", offset, 2);
  gltf_numbers(json, "scale", scale, 2);
  float c = float_cos(angle), s = float_sin(angle);
  const float rows[6] = {c * scale[0], s * scale[1], offset[0], -s * scale[0], c * scale[1], offset[1]};
  memcpy(t, rows, sizeof rows);
}

static bool note_third_set(gltf *g) {
  if (g->noted_sets) return true;
  g->noted_sets = true;
  return raw_note(g->raw, "textures that use a third or later set of coordinates use the first instead");
}

bool gltf_read_texture(gltf *g, const cJSON *reference, sinew_texture *texture) {
  const cJSON *transform = gltf_extension(reference, "KHR_texture_transform");
  *texture = (sinew_texture){.image = -1};
  if (!reference || !read_image(g, reference, &texture->image)) return !reference;
  int set = gltf_index(gltf_member(transform, "texCoord") ? transform : reference, "texCoord", 64);
  if (transform) read_transform(transform, texture->transform);
  texture->uv_set = set == 1;
  return set < 2 || note_third_set(g);
}

/* Converts KHR_materials_pbrSpecularGlossiness to metallic and roughness, as in the extension's own appendix: a surface
 * that reflects more than a dielectric (0.04) is metallic to the degree that explains it. */

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
