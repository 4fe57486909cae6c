#include "import/source/image.h"

#include "base/file.h"
#include "base/memory/memory.h"
#include "import/source/files.h"
#include "import/source/ktx2/ktx2.h"

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

static bool image_is_placeholder(const raw_model *raw, const sinew_image_view *image) {
  return raw->placeholder && image->rgba == raw->placeholder;
}

static bool is_png(const unsigned char *data, size_t size) {
  static const unsigned char magic[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
  return size >= sizeof magic && memcmp(data, magic, sizeof magic) == 0;
}

static bool is_jpeg(const unsigned char *data, size_t size) {
  return size >= 4 && data[0] == 0xFF && data[1] == 0xD8 && data[2] == 0xFF;
}

/* ---- texels ---- */

/* Reads the header of a picture, or says why it is not one. */
static const char *read_size(const void *data, size_t size, int *width, int *height) {
  int channels;
  *width = *height = 0;
  if (ktx2_is(data, size)) {
    const char *why = ktx2_size(data, size, width, height);
    if (why) return why;
  } else if (webp_is(data, size)) {
    if (!webp_size(data, size, width, height)) return "is a broken WebP picture";
  } else if (size > INT_MAX || !stbi_info_from_memory(data, (int)size, width, height, &channels)) {
    return "is in no format that is read (PNG, JPEG, WebP, KTX2, TGA, BMP, GIF, PSD, PNM are)";
  }
  bool small = *width > 0 && *height > 0 && (size_t)*width * (size_t)*height <= max_pixels;
  return small ? NULL : "is larger than 67 million pixels";
}

static const char *decode_ktx2_or_webp(const void *data, size_t size, int width, int height, uint8_t *rgba) {
  if (ktx2_is(data, size)) return ktx2_decode(data, size, width, height, rgba);
  return webp_decode(data, size, width, height, rgba) ? NULL : "is broken (WebP)";
}

static const char *unpack_ktx2_or_webp(const void *data, size_t size, unpacked *u) {
  u->rgba = raw_loose_resize(NULL, (size_t)u->width * (size_t)u->height * 4);
  if (!u->rgba) return "needs more memory than there is";
  const char *why = decode_ktx2_or_webp(data, size, u->width, u->height, u->rgba);
  if (why) image_unpacked_free(u);
  return why;
}

unpacked image_unpack(const void *data, size_t size) {
  unpacked u = {0};
  int channels;
  const char *why = data ? read_size(data, size, &u.width, &u.height) : "could not be transferred";
  bool ours = !why && (webp_is(data, size) || ktx2_is(data, size));
  if (ours) why = unpack_ktx2_or_webp(data, size, &u);
  else if (!why) u.rgba = stbi_load_from_memory(data, (int)size, &u.width, &u.height, &channels, 4);
  if (why) snprintf(u.why, sizeof u.why, "%s", why);
  else if (!u.rgba) snprintf(u.why, sizeof u.why, "is broken (%.100s)", stbi_failure_reason());
  return u;
}

void image_unpacked_free(unpacked *texels) {
  if (texels->rgba) raw_loose_free(texels->rgba);
  texels->rgba = NULL;
}

static bool take_texels(raw_model *raw, const char *name, const void *data, size_t size, sinew_image_view *image) {
  unpacked u = image_unpack(data, size);
  if (!u.rgba) return image_placeholder(raw, name, u.why, image);
  raw_keep(raw, u.rgba);
  image->width = u.width;
  image->height = u.height;
  image->rgba = u.rgba;
  return true;
}

bool image_need_texels(raw_model *raw, sinew_image_view *image) {
  const uint8_t *packed = image->packed;
  size_t size = (size_t)image->packed_size;
  image->packed = NULL;
  image->packed_size = 0;
  return !packed || take_texels(raw, image->name, packed, size, image);
}

/* ---- packed ---- */

static uint32_t read_big_endian(const unsigned char *at) {
  return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Whether a file is complete: a truncated one is detected before it is unpacked. */
static bool is_whole_png(const unsigned char *data, size_t size) {
  for (size_t at = 8; size - at >= 12;) {
    uint32_t length = read_big_endian(data + at);
    if (length > size - at - 12) return false;
    if (memcmp(data + at + 4, "IEND", 4) == 0) return true;
    at += 12 + (size_t)length;
  }
  return false;
}

static bool is_whole_jpeg(const unsigned char *data, size_t size) {
  while (size > 4 && !(data[size - 2] == 0xFF && data[size - 1] == 0xD9)) size--; /* some files have trailing bytes */
  return size > 4;
}

static bool is_whole_webp(const unsigned char *data, size_t size) {
  uint32_t told = (uint32_t)data[7] << 24 | (uint32_t)data[6] << 16 | (uint32_t)data[5] << 8 | data[4];
  return told <= size - 8;
}

/* Pictures with more texels than this stay packed; a megabyte is unpacked in some milliseconds, and available at once.
 */
static const size_t worth_packing = (size_t)1 << 20;

static bool stays_packed(const unsigned char *data, size_t size) {
  int width, height;
  if (read_size(data, size, &width, &height) || (size_t)width * (size_t)height * 4 <= worth_packing) return false;
  return ktx2_is(data, size)   ? true
         : webp_is(data, size) ? is_whole_webp(data, size)
         : is_png(data, size)  ? is_whole_png(data, size)
         : is_jpeg(data, size) ? is_whole_jpeg(data, size)
                               : false;
}

bool image_from_memory(raw_model *raw, const char *name, const void *data, size_t size, sinew_image_view *image) {
  if (!stays_packed(data, size)) return take_texels(raw, name, data, size, image);
  read_size(data, size, &image->width, &image->height);
  image->packed = raw_copy(raw, data, size, 1);
  image->packed_size = size;
  return image->packed != NULL;
}

bool image_from_file(raw_model *raw, const char *name, sinew_image_view *image) {
  served_file found;
  if (!raw->files || !files_read(raw->files, name, &found))
    return image_placeholder(raw, name, "is not in the model's folder", image);
  bool loaded = sniff_is_pointer(found.data, found.size)
                    ? image_placeholder(raw, name, "is a pointer of Git LFS, and not the picture itself", image)
                    : image_from_memory(raw, name, found.data, found.size, image);
  files_free(raw->files, &found);
  return loaded;
}

/* ---- the pictures of the model ---- */

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
  /* a cut-out also has soft edges, but few */
  return seen_through == 0 ? SINEW_ALPHA_OPAQUE : soft * 10 < count ? SINEW_ALPHA_MASK : SINEW_ALPHA_BLEND;
}

/* Rec. 709, of the encoded values, because this is a mask and not light. */
static uint8_t brightness(const uint8_t *texel) {
  return (uint8_t)((54 * texel[0] + 183 * texel[1] + 19 * texel[2] + 128) / 256);
}

/* The texel of a picture at a position in another size. */
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

/* The index of the combined picture, or -1 when memory runs out. */
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
  sinew_image_view color = {.name = ""}, own = *opacity;
  if (!image_need_texels(raw, &own)) return false;
  opacity = &own;
  if (image_is_placeholder(raw, opacity)) return true;
  if (*index >= 0 && !image_need_texels(raw, raw->images + *index)) return false;
  if (*index >= 0) color = raw->images[*index];
  if (strcmp(color.name, opacity->name) != 0) *index = joined_image(raw, &color, opacity); /* else it has been so */
  if (*index < 0) return false;
  if (material->alpha_mode == SINEW_ALPHA_OPAQUE) material->alpha_mode = image_alpha_mode(raw->images + *index);
  return true;
}
