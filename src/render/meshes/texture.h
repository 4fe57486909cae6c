/* texture – pictures on the GPU. */
#ifndef SINEW_RENDER_TEXTURE_H
#define SINEW_RENDER_TEXTURE_H

#include <sinew/model.h>

#include <glad/gl.h>

/* A mipmapped RGBA texture; one larger than the GPU supports is halved until it fits. `srgb`: colours, not numbers. 0
 * and an error message on failure. */
GLuint texture_create(const sinew_image_view *image, bool srgb, sinew_error *error);

/* One texel of the colour, so that a missing picture needs no second shader. */
GLuint texture_create_texel(uint8_t r, uint8_t g, uint8_t b, uint8_t a);

/* For an overlay: no mipmaps, clamped. One byte per texel is coverage of white, four are RGBA. */
GLuint texture_create_overlay(int width, int height, int channels, const uint8_t *texels, sinew_error *error);

#endif
