/* target – the framebuffers of a picture: a scene with samples and depth, and the picture it is resolved into. */
#ifndef SINEW_RENDER_TARGET_H
#define SINEW_RENDER_TARGET_H

#include <sinew/base.h>

#include <glad/gl.h>

typedef struct target {
  int width, height, samples;
  bool smooth; /* one sample, whose edges a later pass smooths: the scene is a texture with sRGB values as plain numbers
                */
  GLuint scene_texture;
  GLuint scene, picture;                          /* framebuffers; the same one without multisampling */
  GLuint scene_color, scene_depth, picture_color; /* renderbuffers; colours are sRGB encoded */
} target;

/* Changes the size; keeps the contents if it already fits. */
bool target_resize(target *made, int width, int height, int samples, bool smooth, sinew_error *error);
void target_release(target *made);

/* Binds and clears the scene. Drawing is linear, and is encoded unless the target is smoothed. */
void target_begin(const target *used);
/* Resolves samples to pixels (the smoothing pass is left to the caller). Later drawing goes into the picture and is
 * blended in display space, without encoding. */
void target_resolve(const target *used);
/* Copies the picture into a framebuffer, if that exists (a context without a surface has none). */
void target_copy(const target *used, GLuint framebuffer);
/* Reads the picture, RGBA, top row first. */
void target_read(const target *used, uint8_t *rgba);

#endif
