#include "render/meshes/morph.h"

#include "base/error.h"
#include "base/memory/memory.h"
#include "render/gl/gl_debug.h"

#include <stdint.h>
#include <string.h>

static void fill_target(float *texels, const sinew_morph_view *morph, int vertex_count) {
  for (int v = 0; v < vertex_count; v++) {
    memcpy(texels + 8 * (size_t)v, morph->positions + 3 * (size_t)v, 3 * sizeof(float));
    if (morph->normals) memcpy(texels + 8 * (size_t)v + 4, morph->normals + 3 * (size_t)v, 3 * sizeof(float));
  }
}

static bool upload(const sinew_mesh_view *view, int width, size_t rows, sinew_error *error) {
  size_t size;
  if (!size_multiply(rows * (size_t)width, 4 * sizeof(float), &size)) size = SIZE_MAX;
  float *texels = mem_alloc_zeroed(size);
  if (!texels) return error_memory(error, "morph targets for the GPU", size);
  for (int t = 0; t < view->morph_count; t++)
    fill_target(texels + 8 * (size_t)t * (size_t)view->vertex_count, &view->morphs[t], view->vertex_count);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, width, (GLsizei)rows, 0, GL_RGBA, GL_FLOAT, texels);
  mem_free(texels);
  return gl_check("morph targets for the GPU", error);
}

bool morph_create(GLuint *texture, int *width, const sinew_mesh_view *view, sinew_error *error) {
  GLint limit = 1024;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
  *width = limit < 4096 ? limit : 4096;
  size_t texels = 2 * (size_t)view->morph_count * (size_t)view->vertex_count;
  if (texels == 0) return true;
  size_t rows = (texels + (size_t)*width - 1) / (size_t)*width;
  if (rows > (size_t)limit || texels > INT32_MAX)
    return error_set(error, "mesh '%s': %d morph targets of %d vertices are more than this GPU's textures hold",
                     view->name, view->morph_count, view->vertex_count);
  glGenTextures(1, texture);
  glBindTexture(GL_TEXTURE_2D, *texture);
  bool good = upload(view, *width, rows, error);
  glBindTexture(GL_TEXTURE_2D, 0);
  return good;
}

int morph_active_count(const float *weights, int count) {
  int active = 0;
  for (int i = 0; weights && i < count; i++) active += weights[i] != 0.0f;
  return active;
}

void morph_write_list(const float *weights, int count, float *texels) {
  for (int i = 0; i < count; i++) {
    if (weights[i] == 0.0f) continue;
    texels[0] = weights[i];
    texels[1] = (float)i;
    texels += 4;
  }
}
