#include "render/meshes/texture.h"

#include "base/error.h"
#include "base/memory/memory.h"
#include "model/texels.h"
#include "render/gl/gl.h"

#include <string.h>

/* Core since OpenGL 4.6 and an extension everywhere before that; the loader is generated for an older version. */
enum { TEXTURE_MAX_ANISOTROPY = 0x84FE, MAX_TEXTURE_MAX_ANISOTROPY = 0x84FF };

static bool has_anisotropy(void) {
  GLint count = 0;
  glGetIntegerv(GL_NUM_EXTENSIONS, &count);
  for (GLint i = 0; i < count; i++) {
    const char *name = (const char *)glGetStringi(GL_EXTENSIONS, (GLuint)i);
    if (name && strstr(name, "texture_filter_anisotropic")) return true;
  }
  return false;
}

static void set_wrap(const sinew_image_view *image) {
  static const GLint modes[] = {
      [SINEW_WRAP_REPEAT] = GL_REPEAT, [SINEW_WRAP_CLAMP] = GL_CLAMP_TO_EDGE, [SINEW_WRAP_MIRROR] = GL_MIRRORED_REPEAT};
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, modes[image->wrap_u]);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, modes[image->wrap_v]);
}

static void set_filter(void) {
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  /* Mesa's software rasteriser derives the number of samples from the derivatives at a pixel. At the edge of a triangle
   * these may be unbounded, and the picture is never finished. */
  if (gl_is_software() || !has_anisotropy()) return;
  GLfloat most = 1.0f;
  glGetFloatv(MAX_TEXTURE_MAX_ANISOTROPY, &most);
  glTexParameterf(GL_TEXTURE_2D, TEXTURE_MAX_ANISOTROPY, most < 8.0f ? most : 8.0f);
}

static bool upload(const sinew_image_view *image, bool srgb, int limit, sinew_error *error) {
  int width = image->width, height = image->height;
  const uint8_t *texels = image->rgba;
  uint8_t *copy = NULL;
  if (width > limit || height > limit) {
    size_t size = (size_t)width * (size_t)height * 4;
    copy = mem_alloc(size);
    if (!copy) return error_memory(error, "a texture", size);
    memcpy(copy, texels, size);
    while (width > limit || height > limit) texels_halve(copy, &width, &height);
    texels = copy;
  }
  glTexImage2D(GL_TEXTURE_2D, 0, srgb ? GL_SRGB8_ALPHA8 : GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
               texels);
  glGenerateMipmap(GL_TEXTURE_2D);
  mem_free(copy);
  return gl_check("a texture", error);
}

GLuint texture_create(const sinew_image_view *image, bool srgb, sinew_error *error) {
  GLint limit = 1024;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
  GLuint made = 0;
  glGenTextures(1, &made);
  glBindTexture(GL_TEXTURE_2D, made);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  set_filter();
  set_wrap(image);
  bool good = upload(image, srgb, limit, error);
  glBindTexture(GL_TEXTURE_2D, 0);
  if (!good) glDeleteTextures(1, &made);
  return good ? made : 0;
}

GLuint texture_create_texel(uint8_t r, uint8_t g, uint8_t b, uint8_t a) {
  const uint8_t texel[4] = {r, g, b, a};
  return texture_create_overlay(1, 1, 4, texel, NULL);
}

/* Four channels of the pixels: coverage is of white. */
static uint8_t *whiten(int width, int height, const uint8_t *coverage) {
  size_t count = (size_t)width * (size_t)height;
  uint8_t *rgba = mem_alloc_array(count, 4);
  if (rgba) memset(rgba, 255, 4 * count);
  for (size_t i = 0; rgba && i < count; i++) rgba[4 * i + 3] = coverage[i];
  return rgba;
}

static GLuint create_clamped(int width, int height, const uint8_t *rgba, sinew_error *error) {
  GLuint made = 0;
  glGenTextures(1, &made);
  glBindTexture(GL_TEXTURE_2D, made);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
  glBindTexture(GL_TEXTURE_2D, 0);
  if (gl_check("an overlay texture", error)) return made;
  glDeleteTextures(1, &made);
  return 0;
}

GLuint texture_create_overlay(int width, int height, int channels, const uint8_t *texels, sinew_error *error) {
  GLint limit = 1024;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
  if (width < 1 || height < 1 || width > limit || height > limit || !texels) {
    error_set(error, "an overlay texture is %d × %d texels, but 1 .. %d are possible", width, height, (int)limit);
    return 0;
  }
  if (channels == 4) return create_clamped(width, height, texels, error);
  uint8_t *rgba = whiten(width, height, texels);
  GLuint made = rgba ? create_clamped(width, height, rgba, error) : 0;
  if (!rgba) error_memory(error, "an overlay texture", 4 * (size_t)width * (size_t)height);
  mem_free(rgba);
  return made;
}
