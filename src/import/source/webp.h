/* webp – pictures in WebP. The only file with libwebp is webp.c. */
#ifndef SINEW_IMPORT_WEBP_H
#define SINEW_IMPORT_WEBP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* By the first bytes. */
bool webp_is(const void *data, size_t size);
/* False where the picture is broken. */
bool webp_size(const void *data, size_t size, int *width, int *height);
/* Into width × height × 4 bytes, RGBA. False where the picture is broken, or memory runs out. */
bool webp_decode(const void *data, size_t size, int width, int height, uint8_t *rgba);

#endif
