#include "render/gl/target.h"

#include "base/error.h"
#include "render/gl/gl_debug.h"
#include "render/gl/load.h"

#include <string.h>

static GLuint make_storage(GLenum format, int width, int height, int samples) {
  GLuint made = 0;
  glGenRenderbuffers(1, &made);
  glBindRenderbuffer(GL_RENDERBUFFER, made);
  if (samples > 1) glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
  else glRenderbufferStorage(GL_RENDERBUFFER, format, width, height);
  glBindRenderbuffer(GL_RENDERBUFFER, 0);
  return made;
}

static GLuint make_framebuffer(GLuint color, GLuint depth) {
  GLuint made = 0;
  glGenFramebuffers(1, &made);
  glBindFramebuffer(GL_FRAMEBUFFER, made);
  if (color) glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
  if (depth) glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
  return made;
}

static bool is_complete(GLuint framebuffer) {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

static GLuint make_texture(int width, int height) {
  GLuint made = 0;
  glGenTextures(1, &made);
  glBindTexture(GL_TEXTURE_2D, made);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glBindTexture(GL_TEXTURE_2D, 0);
  return made;
}

static void make_framebuffers(target *made, int width, int height, int samples, bool smooth) {
  made->scene_depth = make_storage(GL_DEPTH_COMPONENT24, width, height, samples);
  GLenum format = gl_is_es() ? GL_RGBA8 : GL_SRGB8_ALPHA8; /* OpenGL ES would always encode into the second */
  made->picture_color = make_storage(format, width, height, 1);
  if (samples > 1) {
    made->scene_color = make_storage(format, width, height, samples);
    made->scene = make_framebuffer(made->scene_color, made->scene_depth);
    made->picture = make_framebuffer(made->picture_color, 0);
  } else if (smooth) {
    made->scene_texture = make_texture(width, height);
    made->scene = make_framebuffer(0, made->scene_depth);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, made->scene_texture, 0);
    made->picture = make_framebuffer(made->picture_color, 0);
  } else {
    made->scene = made->picture = make_framebuffer(made->picture_color, made->scene_depth);
  }
}

bool target_resize(target *made, int width, int height, int samples, bool smooth, sinew_error *error) {
  if (made->width == width && made->height == height && made->samples == samples && made->smooth == smooth) return true;
  target_release(made);
  GLint limit = 0;
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &limit);
  if (width > limit || height > limit)
    return error_set(error, "a picture of %d × %d pixels: this GPU makes %d at most", width, height, (int)limit);
  make_framebuffers(made, width, height, samples, smooth);
  bool good = gl_check("a picture's memory", error);
  if (good && (!is_complete(made->scene) || !is_complete(made->picture)))
    good = error_set(error, "a picture of %d × %d pixels with %d samples: this GPU refuses the framebuffer", width,
                     height, samples);
  if (!good) {
    target_release(made);
    return false;
  }
  made->width = width;
  made->height = height;
  made->samples = samples;
  made->smooth = smooth && samples == 1;
  return true;
}

void target_release(target *made) {
  if (made->picture != made->scene) glDeleteFramebuffers(1, &made->picture);
  glDeleteFramebuffers(1, &made->scene);
  glDeleteTextures(1, &made->scene_texture);
  glDeleteRenderbuffers(1, &made->scene_color);
  glDeleteRenderbuffers(1, &made->scene_depth);
  glDeleteRenderbuffers(1, &made->picture_color);
  *made = (target){0};
}

void target_begin(const target *used) {
  glBindFramebuffer(GL_FRAMEBUFFER, used->scene);
  glViewport(0, 0, used->width, used->height);
  glDisable(GL_SCISSOR_TEST);
  glDepthMask(GL_TRUE);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  if (!gl_is_es() && used->smooth) glDisable(GL_FRAMEBUFFER_SRGB);
  else if (!gl_is_es()) glEnable(GL_FRAMEBUFFER_SRGB);
  glClearBufferfv(GL_COLOR, 0, (const float[4]){0.0f, 0.0f, 0.0f, 1.0f});
  glClearBufferfv(GL_DEPTH, 0, &(const float){1.0f});
}

static void blit(GLuint from, GLuint to, int width, int height) {
  glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
  glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void target_resolve(const target *used) {
  /* sRGB encoding is still on, so samples are averaged in linear light */
  if (used->samples > 1) blit(used->scene, used->picture, used->width, used->height);
  if (!gl_is_es()) glDisable(GL_FRAMEBUFFER_SRGB);
  glBindFramebuffer(GL_FRAMEBUFFER, used->picture);
}

void target_copy(const target *used, GLuint framebuffer) {
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
  if (glCheckFramebufferStatus(GL_DRAW_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE)
    blit(used->picture, framebuffer, used->width, used->height);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
}

static void swap_rows(uint8_t *a, uint8_t *b, size_t size) {
  uint8_t part[256];
  for (size_t at = 0; at < size; at += sizeof part) {
    size_t length = size - at < sizeof part ? size - at : sizeof part;
    memcpy(part, a + at, length);
    memcpy(a + at, b + at, length);
    memcpy(b + at, part, length);
  }
}

void target_read(const target *used, uint8_t *rgba) {
  size_t row = 4 * (size_t)used->width;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, used->picture);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, used->width, used->height, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
  for (int y = 0; y < used->height / 2; y++)
    swap_rows(rgba + (size_t)y * row, rgba + (size_t)(used->height - 1 - y) * row, row);
  for (size_t i = 3; i < row * (size_t)used->height; i += 4) rgba[i] = 255;
}
