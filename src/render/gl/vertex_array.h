/* vertex_array – sets the offset of an attribute in the bound buffer in bytes; OpenGL wants it as a pointer. */
#ifndef SINEW_RENDER_VERTEX_ARRAY_H
#define SINEW_RENDER_VERTEX_ARRAY_H

#include <sinew/base.h>

#include <glad/gl.h>

static inline const void *buffer_offset(size_t bytes) { return (const void *)(uintptr_t)bytes; }

void vertex_array_enable(GLuint attribute, GLint size, GLenum type, bool normalized, size_t stride, size_t offset);
/* Four integers that stay integers. */
void vertex_array_enable_integers(GLuint attribute, GLenum type, size_t stride, size_t offset);

#endif
