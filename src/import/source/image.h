/* image – pictures into 8-bit RGBA. The only file with stb_image is image.c. A picture that cannot be had becomes
 * a white one that no material uses (raw_check), and a note says why. */
#ifndef SINEW_IMPORT_IMAGE_H
#define SINEW_IMPORT_IMAGE_H

#include "import/raw/raw.h"

/* Each sets width, height and pixels of `image`, in raw memory; a large PNG, JPEG or WebP stays packed. False when
 * memory runs out. */
bool image_from_memory(raw_model *raw, const char *name, const void *data, size_t size, sinew_image_view *image);
/* `name` as the model file has it. */
bool image_from_file(raw_model *raw, const char *name, sinew_image_view *image);
/* `why` completes "image 'NAME' …". */
bool image_placeholder(raw_model *raw, const char *name, const char *why, sinew_image_view *image);

/* Unpacks a picture of the model into texels in raw memory, for code that examines them. False when memory runs out; a
 * broken picture becomes a placeholder. */
bool image_need_texels(raw_model *raw, sinew_image_view *image);

/* A picture file as texels in memory of its own; `rgba` is NULL where it is none, and `why` goes on after its name. Any
 * thread. */
typedef struct unpacked {
  int width, height;
  uint8_t *rgba;
  char why[128];
} unpacked;
unpacked image_unpack(const void *data, size_t size);
void image_unpacked_free(unpacked *texels);

/* Whether it could not be had. */
bool image_is_placeholder(const raw_model *raw, const sinew_image_view *image);

/* The model's picture of that name that shows the same beyond its edges, or -1. */
int image_find(const raw_model *raw, const sinew_image_view *like);
/* Its index, or -1 when memory runs out. */
int image_add(raw_model *raw, const sinew_image_view *image);

/* A picture with the colours of one and the opacity of another: its alpha, or its brightness where that is 1 all over.
 * It is as large as the larger of them. `color` may be without pixels: white. `out` has a name. False when memory is
 * out. */
bool image_join_opacity(raw_model *raw, const sinew_image_view *color, const sinew_image_view *opacity,
                        sinew_image_view *out);
/* The alpha mode that fits the picture's alpha: opaque, hard edges, or blended. */
sinew_alpha_mode image_alpha_mode(const sinew_image_view *image);

/* A picture of opacity goes into the alpha of the material's colours, and says how it is drawn. One that could not be
 * had leaves the material whole. False when memory runs out. */
bool image_take_opacity(raw_model *raw, sinew_material *material, const sinew_image_view *opacity);

#endif
