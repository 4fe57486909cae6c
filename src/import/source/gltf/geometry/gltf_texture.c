/* Textures: their picture, wrap mode and coordinates. A picture is read when a material first names it. */
#include "import/source/gltf/gltf_file.h"
#include "import/source/image.h"
#include "math/elementary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
