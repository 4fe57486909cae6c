#include "render/gl/vertex_array.h"

void vertex_array_enable(GLuint attribute, GLint size, GLenum type, bool normalized, size_t stride, size_t offset) {
  glEnableVertexAttribArray(attribute);
  glVertexAttribPointer(attribute, size, type, normalized ? GL_TRUE : GL_FALSE, (GLsizei)stride, buffer_offset(offset));
}

void vertex_array_enable_integers(GLuint attribute, GLenum type, size_t stride, size_t offset) {
  glEnableVertexAttribArray(attribute);
  glVertexAttribIPointer(attribute, 4, type, (GLsizei)stride, buffer_offset(offset));
}
