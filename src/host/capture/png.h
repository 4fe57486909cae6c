/* png – writes pictures. The only file with stb_image_write is png.c. */
#ifndef SINEW_HOST_PNG_H
#define SINEW_HOST_PNG_H

#include "host/capture/picture.h"

bool png_write(const char *path, const picture *p, sinew_error *error);

#endif
