#include "render/passes/line_pass.h"

#include "render/gl/gl_debug.h"
#include "render/gl/vertex_array.h"
#include "render/passes/blending.h"

#include <stddef.h>

static void enable(GLuint attribute, GLint size, GLenum type, bool normalized, size_t offset) {
  vertex_array_enable(attribute, size, type, normalized, sizeof(sinew_line), offset);
  glVertexAttribDivisor(attribute, 1);
}

bool line_pass_create(line_pass *made, sinew_error *error) {
  glGenVertexArrays(1, &made->vertex_array);
  glGenBuffers(1, &made->buffer);
  glBindVertexArray(made->vertex_array);
  glBindBuffer(GL_ARRAY_BUFFER, made->buffer);
  enable(0, 3, GL_FLOAT, false, offsetof(sinew_line, a));
  enable(1, 3, GL_FLOAT, false, offsetof(sinew_line, b));
  enable(2, 4, GL_UNSIGNED_BYTE, true, offsetof(sinew_line, color));
  glBindVertexArray(0);
  return gl_check("the line pass", error);
}

void line_pass_release(line_pass *made) {
  program_destroy(&made->shader);
  glDeleteVertexArrays(1, &made->vertex_array);
  glDeleteBuffers(1, &made->buffer);
  *made = (line_pass){0};
}

void line_pass_draw(const line_pass *pass, const sinew_line *lines, int count, bool hidden) {
  if (count <= 0) return;
  glBindBuffer(GL_ARRAY_BUFFER, pass->buffer);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)count * sizeof *lines), lines, GL_STREAM_DRAW);
  program_use(&pass->shader);
  program_set_float(&pass->shader, "u_width", 1.8f);
  glEnable(GL_BLEND);
  blend_colors();
  glDepthMask(GL_FALSE);
  if (hidden) glEnable(GL_DEPTH_TEST);
  else glDisable(GL_DEPTH_TEST);
  glBindVertexArray(pass->vertex_array);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, count);
  glBindVertexArray(0);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
}
