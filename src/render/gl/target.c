#include "render/gl/target.h"

#include "base/error.h"
#include "render/gl/gl.h"

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

GLuint target_framebuffer(GLuint texture) {
  GLuint made = 0;
  glGenFramebuffers(1, &made);
  glBindFramebuffer(GL_FRAMEBUFFER, made);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
  return made;
}

GLuint target_texture(GLenum format, int width, int height) {
  GLenum type = format == GL_RGBA16F ? GL_HALF_FLOAT : GL_UNSIGNED_BYTE;
  GLuint made = 0;
  glGenTextures(1, &made);
  glBindTexture(GL_TEXTURE_2D, made);
  glTexImage2D(GL_TEXTURE_2D, 0, (GLint)format, width, height, 0, GL_RGBA, type, NULL);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glBindTexture(GL_TEXTURE_2D, 0);
  return made;
}

static bool is_complete(GLuint framebuffer) {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

static void attach(GLuint framebuffer, GLenum attachment, GLuint storage) {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, storage);
}

static void make_framebuffers(target *made, int width, int height, int samples) {
  made->scene_depth = make_storage(GL_DEPTH_COMPONENT24, width, height, samples);
  made->picture_color = make_storage(GL_RGBA8, width, height, 1);
  made->light_texture = target_texture(GL_RGBA16F, width, height);
  made->scene = made->light = target_framebuffer(made->light_texture);
  glGenFramebuffers(1, &made->picture);
  attach(made->picture, GL_COLOR_ATTACHMENT0, made->picture_color);
  if (samples > 1) {
    made->scene_color = make_storage(GL_RGBA16F, width, height, samples);
    glGenFramebuffers(1, &made->scene);
    attach(made->scene, GL_COLOR_ATTACHMENT0, made->scene_color);
  }
  attach(made->scene, GL_DEPTH_ATTACHMENT, made->scene_depth);
}

bool target_resize(target *made, int width, int height, int samples, sinew_error *error) {
  if (made->width == width && made->height == height && made->samples == samples) return true;
  target_release(made);
  GLint limit = 0;
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &limit);
  if (width > limit || height > limit)
    return error_set(error, "a picture of %d × %d pixels: this GPU makes %d at most", width, height, (int)limit);
  make_framebuffers(made, width, height, samples);
  bool good = gl_check("a picture's memory", error);
  if (good && (!is_complete(made->scene) || !is_complete(made->light) || !is_complete(made->picture)))
    good = error_set(error, "a picture of %d × %d pixels with %d samples: this GPU refuses the framebuffer%s", width,
                     height, samples, gl_is_es() ? "; OpenGL ES needs EXT_color_buffer_float" : "");
  if (!good) {
    target_release(made);
    return false;
  }
  made->width = width;
  made->height = height;
  made->samples = samples;
  return true;
}

void target_release(target *made) {
  if (made->light != made->scene) glDeleteFramebuffers(1, &made->light);
  glDeleteFramebuffers(1, &made->scene);
  glDeleteFramebuffers(1, &made->picture);
  glDeleteTextures(1, &made->light_texture);
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
  glClearBufferfv(GL_COLOR, 0, (const float[4]){0.0f, 0.0f, 0.0f, 1.0f});
  glClearBufferfv(GL_DEPTH, 0, &(const float){1.0f});
}

static void blit(GLuint from, GLuint to, int width, int height) {
  glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
  glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void target_resolve(const target *used) {
  if (used->samples > 1) blit(used->scene, used->light, used->width, used->height);
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
