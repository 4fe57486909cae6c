/* Textures: which picture, and what it shows beyond its edges. A picture is read when a material names it first. */
#include "import/source/gltf/gltf_file.h"
#include "import/source/image.h"

#include <stdio.h>
#include <string.h>

/* ---- pictures ---- */

/* The file's name of a picture in the file, or beside it, or its number. */
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

/* One picture may be shown with several edges: each is an image of the model. `slot` remembers it as 1 + its index. */
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

bool gltf_read_texture(gltf *g, const cJSON *reference, int *index) {
  const cJSON *texture = gltf_item(&g->textures, gltf_index(reference, "index", g->textures.count));
  const cJSON *sampler = gltf_item(&g->samplers, gltf_index(texture, "sampler", g->samplers.count));
  int source = gltf_index(texture, "source", g->images.count);
  *index = -1;
  if (source < 0) return true;
  sinew_image_view image = {.wrap_u = read_wrap(sampler, "wrapS"), .wrap_v = read_wrap(sampler, "wrapT")};
  int32_t *slot = g->images_made + 9 * (size_t)source + 3 * image.wrap_u + image.wrap_v;
  if (*slot == 0 && !add_image(g, source, &image, slot)) return false;
  *index = *slot - 1;
  return true;
}
