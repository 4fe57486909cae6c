/* webp – reads pictures in WebP. Only webp.c uses libwebp. */
#ifndef SINEW_IMPORT_WEBP_H
#define SINEW_IMPORT_WEBP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* By the first bytes. */
bool webp_is(const void *data, size_t size);
/* False if the picture is broken. */
bool webp_size(const void *data, size_t size, int *width, int *height);
/* Decodes into width × height × 4 bytes, RGBA. False if the picture is broken, or memory runs out. */
bool webp_decode(const void *data, size_t size, int width, int height, uint8_t *rgba);

#endif
