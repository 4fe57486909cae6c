#include "import/image.h"

#include "base/file.h"
#include "base/memory.h"
#include "import/files.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define STB_IMAGE_IMPLEMENTATION
#define STBI_NO_STDIO
#define STBI_NO_HDR
#define STBI_NO_LINEAR
#define STBI_MAX_DIMENSIONS 16384
#define STBI_MALLOC(size) mem_alloc(size)
#define STBI_REALLOC(pointer, size) mem_resize(pointer, size)
#define STBI_FREE(pointer) mem_free(pointer)
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

enum { PLACEHOLDER_SIZE = 64, CHECK = 8 };
static const size_t max_pixels = (size_t)1 << 26;

bool image_placeholder(raw_model *raw, const char *name, const char *why, sinew_image_view *image) {
  static const uint8_t colors[2][4] = {{255, 0, 200, 255}, {30, 30, 30, 255}};
  uint8_t *rgba = raw_alloc(raw, (size_t)PLACEHOLDER_SIZE * PLACEHOLDER_SIZE, 4);
  if (!rgba) return false;
  for (int y = 0; y < PLACEHOLDER_SIZE; y++)
    for (int x = 0; x < PLACEHOLDER_SIZE; x++)
      memcpy(rgba + 4 * (size_t)(y * PLACEHOLDER_SIZE + x), colors[(x / CHECK + y / CHECK) % 2], 4);
  image->width = image->height = PLACEHOLDER_SIZE;
  image->rgba = rgba;
  return raw_note(raw, "image '%s' %s: a checkerboard stands in its place", name, why);
}

bool inflate_exactly(void *out, size_t size, const void *data, size_t count) {
  return size <= INT_MAX && count <= INT_MAX && stbi_zlib_decode_buffer(out, (int)size, data, (int)count) == (int)size;
}

bool image_from_memory(raw_model *raw, const char *name, const void *data, size_t size, sinew_image_view *image) {
  int width, height, channels;
  if (size > INT_MAX || !stbi_info_from_memory(data, (int)size, &width, &height, &channels))
    return image_placeholder(raw, name, "is in no format that is read (PNG, JPEG, TGA, BMP, GIF, PSD, PNM are)", image);
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
  image->rgba = raw_copy(raw, pixels, (size_t)width * (size_t)height, 4);
  mem_free(pixels);
  return image->rgba != NULL;
}

bool image_from_file(raw_model *raw, const char *name, sinew_image_view *image) {
  char path[4096];
  size_t size;
  if (!files_find(raw->sources, raw->path, name, path, sizeof path))
    return image_placeholder(raw, name, "is not in the model's folder", image);
  unsigned char *data = source_read(raw->sources, path, files_limit, &size, NULL);
  if (!data) return image_placeholder(raw, name, "cannot be read", image);
  bool loaded = image_from_memory(raw, name, data, size, image);
  mem_free(data);
  return loaded;
}
