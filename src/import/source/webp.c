#include "import/source/image.h"

#include <webp/decode.h>

#include <string.h>

bool webp_is(const void *data, size_t size) {
  const char *bytes = data;
  return size >= 12 && memcmp(bytes, "RIFF", 4) == 0 && memcmp(bytes + 8, "WEBP", 4) == 0;
}

bool webp_size(const void *data, size_t size, int *width, int *height) {
  return WebPGetInfo(data, size, width, height) != 0;
}

bool webp_decode(const void *data, size_t size, int width, int height, uint8_t *rgba) {
  return WebPDecodeRGBAInto(data, size, rgba, (size_t)width * (size_t)height * 4, width * 4) != NULL;
}
