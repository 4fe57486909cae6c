/* image – reads pictures as 8-bit RGBA. Only image.c uses stb_image. A picture that cannot be read becomes a white one
 * that no material uses (raw_check), with a note that says why. */
#ifndef SINEW_IMPORT_IMAGE_H
#define SINEW_IMPORT_IMAGE_H

#include "import/raw/raw.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Each sets width, height and pixels of `image`, in raw memory; a large PNG, JPEG, WebP or KTX2 stays packed. False when
 * memory runs out. */
bool image_from_memory(raw_model *raw, const char *name, const void *data, size_t size, sinew_image_view *image);
/* `name` as in the model file. */
bool image_from_file(raw_model *raw, const char *name, sinew_image_view *image);
/* `why` completes "image 'NAME' …". */
bool image_placeholder(raw_model *raw, const char *name, const char *why, sinew_image_view *image);

/* Unpacks a picture of the model into texels in raw memory, for code that examines them. False when memory runs out; a
 * broken picture becomes a placeholder. */
bool image_need_texels(raw_model *raw, sinew_image_view *image);

/* A picture file as texels in separately allocated memory; `rgba` is NULL if it is not a picture, and `why` completes a
 * sentence after its name. Any thread. */
typedef struct unpacked {
  int width, height;
  uint8_t *rgba;
  char why[128];
} unpacked;
unpacked image_unpack(const void *data, size_t size);
void image_unpacked_free(unpacked *texels);

/* The model's picture with that name and wrap mode, or -1. */
int image_find(const raw_model *raw, const sinew_image_view *like);
/* Its index, or -1 when memory runs out. */
int image_add(raw_model *raw, const sinew_image_view *image);

/* Combines the colours of one picture with the opacity of another: its alpha, or its brightness if alpha is 1
 * everywhere. The result is as large as the larger of them. `color` without pixels is white. `out` has a name. False
 * when memory runs out. */
bool image_join_opacity(raw_model *raw, const sinew_image_view *color, const sinew_image_view *opacity,
                        sinew_image_view *out);
/* The alpha mode that fits the picture's alpha: opaque, hard edges, or blended. */
sinew_alpha_mode image_alpha_mode(const sinew_image_view *image);

/* Writes a picture of opacity into the alpha of the material's colours, and sets the material's alpha mode. A picture
 * that could not be read leaves the material opaque. False when memory runs out. */
bool image_take_opacity(raw_model *raw, sinew_material *material, const sinew_image_view *opacity);

/* ---- reads pictures in WebP ---- */

/* By the first bytes. */
bool webp_is(const void *data, size_t size);
/* False if the picture is broken. */
bool webp_size(const void *data, size_t size, int *width, int *height);
/* Decodes into width × height × 4 bytes, RGBA. False if the picture is broken, or memory runs out. */
bool webp_decode(const void *data, size_t size, int width, int height, uint8_t *rgba);

#endif
