/* image – pictures into 8-bit RGBA. The only file with stb_image is image.c. A picture that cannot be had is replaced
 * by a checkerboard that nobody overlooks, and a note says why. */
#ifndef SINEW_IMPORT_IMAGE_H
#define SINEW_IMPORT_IMAGE_H

#include "import/raw.h"

/* Each sets width, height and pixels of `image`, in raw memory. False when memory is out. */
bool image_from_memory(raw_model *raw, const char *name, const void *data, size_t size, sinew_image_view *image);
/* `name` as the model file has it. */
bool image_from_file(raw_model *raw, const char *name, sinew_image_view *image);
/* zlib data of which the result is known to have `size` bytes. */
bool inflate_exactly(void *out, size_t size, const void *data, size_t count);
/* `why` completes "image 'NAME' …". */
bool image_placeholder(raw_model *raw, const char *name, const char *why, sinew_image_view *image);

#endif
