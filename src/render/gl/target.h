/* target – the framebuffers of a picture: the scene's light with samples and depth, and the picture that is made of it.
 */
#ifndef SINEW_RENDER_TARGET_H
#define SINEW_RENDER_TARGET_H

#include <sinew/base.h>

#include <glad/gl.h>

typedef struct target {
  int width, height, samples;
  GLuint scene, light, picture;    /* framebuffers; the first two are the same one without multisampling */
  GLuint light_texture;            /* linear, half floats */
  GLuint scene_color, scene_depth; /* renderbuffers */
  GLuint picture_color;            /* a renderbuffer, encoded as sRGB */
} target;

/* Changes the size; keeps the contents if it already fits. */
bool target_resize(target *made, int width, int height, int samples, sinew_error *error);
void target_release(target *made);

/* Binds and clears the scene. */
void target_begin(const target *used);
/* Resolves samples to pixels, in `light`. */
void target_resolve(const target *used);
/* Copies the picture into a framebuffer, if that exists (a context without a surface has none). */
void target_copy(const target *used, GLuint framebuffer);
/* Reads the picture, RGBA, top row first. */
void target_read(const target *used, uint8_t *rgba);

/* A clamped, filtered texture without mipmaps, and a framebuffer that draws into it. */
GLuint target_texture(GLenum format, int width, int height);
GLuint target_framebuffer(GLuint texture);

#endif
