#include "import/source/image.h"

#include "base/file.h"
#include "base/memory.h"
#include "import/source/files.h"
#include "import/source/webp.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define STB_IMAGE_IMPLEMENTATION
#define STBI_NO_STDIO
#define STBI_NO_HDR
#define STBI_NO_LINEAR
#define STBI_MAX_DIMENSIONS 16384
#define STBI_MALLOC(size) raw_loose_resize(NULL, size)
#define STBI_REALLOC(pointer, size) raw_loose_resize(pointer, size)
#define STBI_FREE(pointer) raw_loose_free(pointer)
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wcast-qual"
#endif
#include <stb_image.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

enum { PLACEHOLDER_SIZE = 4 };
static const size_t max_pixels = (size_t)1 << 26;

bool image_placeholder(raw_model *raw, const char *name, const char *why, sinew_image_view *image) {
  uint8_t *white = raw->placeholder ? NULL : raw_alloc(raw, (size_t)PLACEHOLDER_SIZE * PLACEHOLDER_SIZE, 4);
  if (white) raw->placeholder = memset(white, 255, (size_t)PLACEHOLDER_SIZE * PLACEHOLDER_SIZE * 4);
  if (!raw->placeholder) return false;
  image->width = image->height = PLACEHOLDER_SIZE;
  image->rgba = raw->placeholder;
  return raw_note(raw, "image '%s' %s: materials do without it", name, why);
}

bool image_is_placeholder(const raw_model *raw, const sinew_image_view *image) {
  return raw->placeholder && image->rgba == raw->placeholder;
}

static bool from_webp(raw_model *raw, const char *name, const void *data, size_t size, sinew_image_view *image) {
  int width, height;
  if (!webp_size(data, size, &width, &height) || (size_t)width * (size_t)height > max_pixels)
    return image_placeholder(raw, name, "is a broken WebP picture, or too large", image);
  uint8_t *rgba = raw_alloc(raw, (size_t)width * (size_t)height, 4);
  if (!rgba) return false;
  if (!webp_decode(data, size, width, height, rgba))
    return image_placeholder(raw, name, "is a broken WebP picture", image);
  image->width = width;
  image->height = height;
  image->rgba = rgba;
  return true;
}

/* Khronos' container, which glTF files use for Basis Universal. */
static bool is_ktx2(const void *data, size_t size) {
  static const unsigned char magic[12] = {0xAB, 'K', 'T', 'X', ' ', '2', '0', 0xBB, '\r', '\n', 0x1A, '\n'};
  return size >= sizeof magic && memcmp(data, magic, sizeof magic) == 0;
}

bool image_from_memory(raw_model *raw, const char *name, const void *data, size_t size, sinew_image_view *image) {
  int width, height, channels;
  if (webp_is(data, size)) return from_webp(raw, name, data, size, image);
  if (is_ktx2(data, size))
    return image_placeholder(raw, name, "is in KTX2 (Basis Universal), which is not read", image);
  if (size > INT_MAX || !stbi_info_from_memory(data, (int)size, &width, &height, &channels))
    return image_placeholder(raw, name, "is in no format that is read (PNG, JPEG, WebP, TGA, BMP, GIF, PSD, PNM are)",
                             image);
  if (width <= 0 || height <= 0 || (size_t)width * (size_t)height > max_pixels)
    return image_placeholder(raw, name, "is larger than 67 million pixels", image);
  stbi_uc *pixels = stbi_load_from_memory(data, (int)size, &width, &height, &channels, 4);
  if (!pixels) {
    char why[128];
    snprintf(why, sizeof why, "is broken (%.100s)", stbi_failure_reason());
    return image_placeholder(raw, name, why, image);
  }
  image->width = width;
  image->height = height;
  raw_keep(raw, pixels);
  image->rgba = pixels;
  return true;
}

bool image_from_file(raw_model *raw, const char *name, sinew_image_view *image) {
  served_file found;
  if (!raw->files || !files_read(raw->files, name, &found))
    return image_placeholder(raw, name, "is not in the model's folder", image);
  bool loaded = image_from_memory(raw, name, found.data, found.size, image);
  files_free(raw->files, &found);
  return loaded;
}

/* ---- the model's pictures ---- */

int image_find(const raw_model *raw, const sinew_image_view *like) {
  for (int i = 0; i < raw->image_count; i++) {
    const sinew_image_view *image = raw->images + i;
    if (strcmp(image->name, like->name) == 0 && image->wrap_u == like->wrap_u && image->wrap_v == like->wrap_v)
      return i;
  }
  return -1;
}

int image_add(raw_model *raw, const sinew_image_view *image) {
  sinew_image_view *kept =
      raw_grow(raw, (void **)&raw->images, &raw->image_count, &raw->image_capacity, sizeof *raw->images);
  if (!kept) return -1;
  *kept = *image;
  return raw->image_count - 1;
}

/* ---- opacity ---- */

static size_t texel_count(const sinew_image_view *image) { return (size_t)image->width * (size_t)image->height; }

sinew_alpha_mode image_alpha_mode(const sinew_image_view *image) {
  enum { SOFT = 32 };
  size_t seen_through = 0, soft = 0, count = texel_count(image);
  for (size_t i = 0; i < count; i++) {
    int alpha = image->rgba[4 * i + 3];
    seen_through += alpha < 255;
    soft += alpha >= SOFT && alpha < 255 - SOFT;
  }
  /* The edges of a cut-out are soft, too, but they are few. */
  return seen_through == 0 ? SINEW_ALPHA_OPAQUE : soft * 10 < count ? SINEW_ALPHA_MASK : SINEW_ALPHA_BLEND;
}

/* Rec. 709, of the encoded values: this is a mask and no light. */
static uint8_t brightness(const uint8_t *texel) {
  return (uint8_t)((54 * texel[0] + 183 * texel[1] + 19 * texel[2] + 128) / 256);
}

/* The texel of a picture at a place in another size. */
static const uint8_t *texel_at(const sinew_image_view *image, int x, int y, const sinew_image_view *size) {
  size_t row = (size_t)((int64_t)y * image->height / size->height);
  return image->rgba + 4 * (row * (size_t)image->width + (size_t)((int64_t)x * image->width / size->width));
}

bool image_join_opacity(raw_model *raw, const sinew_image_view *color, const sinew_image_view *opacity,
                        sinew_image_view *out) {
  const sinew_image_view *size = color->rgba && texel_count(color) >= texel_count(opacity) ? color : opacity;
  bool by_alpha = image_alpha_mode(opacity) != SINEW_ALPHA_OPAQUE;
  uint8_t *rgba = raw_alloc(raw, texel_count(size), 4);
  if (!rgba) return false;
  out->width = size->width;
  out->height = size->height;
  out->rgba = rgba;
  for (int y = 0; y < size->height; y++)
    for (int x = 0; x < size->width; x++, rgba += 4) {
      const uint8_t *from = texel_at(opacity, x, y, size);
      memset(rgba, 255, 3);
      if (color->rgba) memcpy(rgba, texel_at(color, x, y, size), 3);
      rgba[3] = by_alpha ? from[3] : brightness(from);
    }
  return true;
}

/* The index of the picture that has both, or -1 when memory is out. */
static int joined_image(raw_model *raw, const sinew_image_view *color, const sinew_image_view *opacity) {
  sinew_image_view joined = color->rgba ? *color : *opacity;
  char name[1024];
  snprintf(name, sizeof name, "%s%s%s", color->name, color->name[0] ? " and " : "opacity of ", opacity->name);
  joined.name = name;
  int known = image_find(raw, &joined);
  if (known >= 0) return known;
  joined.name = raw_string(raw, name);
  return joined.name && image_join_opacity(raw, color, opacity, &joined) ? image_add(raw, &joined) : -1;
}

bool image_take_opacity(raw_model *raw, sinew_material *material, const sinew_image_view *opacity) {
  int *index = &material->textures[SINEW_TEXTURE_BASE_COLOR].image;
  sinew_image_view color = {.name = ""};
  if (image_is_placeholder(raw, opacity)) return true;
  if (*index >= 0) color = raw->images[*index];
  if (strcmp(color.name, opacity->name) != 0) *index = joined_image(raw, &color, opacity); /* else it has been so */
  if (*index < 0) return false;
  if (material->alpha_mode == SINEW_ALPHA_OPAQUE) material->alpha_mode = image_alpha_mode(raw->images + *index);
  return true;
}
