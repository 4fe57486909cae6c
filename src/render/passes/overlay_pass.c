#include "render/passes/overlay_pass.h"

#include "base/error.h"
#include "render/gl/gl.h"
#include "render/meshes/texture.h"

#include <math.h>
#include <stddef.h>

bool overlay_pass_create(overlay_pass *made, sinew_error *error) {
  made->texture_count = 1;
  made->textures[0] = texture_create_texel(255, 255, 255, 255);
  glGenVertexArrays(1, &made->vertex_array);
  glGenBuffers(1, &made->vertices);
  glGenBuffers(1, &made->indices);
  glBindVertexArray(made->vertex_array);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, made->indices);
  glBindVertexArray(0);
  return gl_check("the overlay pass", error);
}

void overlay_pass_release(overlay_pass *made) {
  program_destroy(&made->shader);
  glDeleteTextures(made->texture_count, made->textures);
  glDeleteVertexArrays(1, &made->vertex_array);
  glDeleteBuffers(1, &made->vertices);
  glDeleteBuffers(1, &made->indices);
  *made = (overlay_pass){0};
}

static bool check_command(const overlay_pass *pass, const sinew_overlay *overlay, int index, sinew_error *error) {
  const sinew_overlay_command *c = &overlay->commands[index];
  if (c->texture >= (uint32_t)pass->texture_count)
    return error_set(error, "overlay command %d: there is no texture %u", index, c->texture);
  if (c->first_index < 0 || c->index_count < 0 || c->first_index > overlay->index_count - c->index_count ||
      c->first_vertex < 0 || c->first_vertex > overlay->vertex_count)
    return error_set(error, "overlay command %d reads past the vertices or indices", index);
  for (int i = 0; i < c->index_count; i++)
    if (overlay->indices[c->first_index + i] >= overlay->vertex_count - c->first_vertex)
      return error_set(error, "overlay command %d reads past the vertices or indices", index);
  for (int i = 0; i < 4; i++)
    if (isnan(c->clip[i])) return error_set(error, "overlay command %d: the clip rectangle must be numbers", index);
  return true;
}

bool overlay_check(const overlay_pass *pass, const sinew_overlay *overlay, sinew_error *error) {
  if (overlay->vertex_count < 0 || overlay->index_count < 0 || overlay->command_count < 0)
    return error_set(error, "the overlay has a negative count");
  for (int i = 0; i < overlay->command_count; i++)
    if (!check_command(pass, overlay, i, error)) return false;
  return true;
}

static int to_pixel(float value, int limit) {
  return value <= 0.0f ? 0 : value >= (float)limit ? limit : (int)(value + 0.5f);
}

/* OpenGL ES 3.0 always begins with the first vertex, so the pointers move. */
static void bind_vertices(size_t first) {
  const size_t stride = sizeof(sinew_overlay_vertex), at = first * stride;
  vertex_array_enable(0, 2, GL_FLOAT, false, stride, at + offsetof(sinew_overlay_vertex, x));
  vertex_array_enable(1, 2, GL_FLOAT, false, stride, at + offsetof(sinew_overlay_vertex, u));
  vertex_array_enable(2, 4, GL_UNSIGNED_BYTE, true, stride, at + offsetof(sinew_overlay_vertex, rgba));
}

static void draw_command(const overlay_pass *pass, const sinew_overlay_command *c, int width, int height) {
  int left = to_pixel(c->clip[0], width), top = to_pixel(c->clip[1], height);
  int right = to_pixel(c->clip[2], width), bottom = to_pixel(c->clip[3], height);
  if (right <= left || bottom <= top || c->index_count == 0) return;
  glScissor(left, height - bottom, right - left, bottom - top);
  glActiveTexture(GL_TEXTURE0 + UNIT_IMAGE);
  glBindTexture(GL_TEXTURE_2D, pass->textures[c->texture]);
  bind_vertices((size_t)c->first_vertex);
  glDrawElements(GL_TRIANGLES, c->index_count, GL_UNSIGNED_SHORT,
                 buffer_offset((size_t)c->first_index * sizeof(uint16_t)));
}

void overlay_pass_draw(const overlay_pass *pass, const sinew_overlay *overlay, int width, int height) {
  if (overlay->command_count == 0) return;
  glBindVertexArray(pass->vertex_array);
  glBindBuffer(GL_ARRAY_BUFFER, pass->vertices);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)overlay->vertex_count * sizeof *overlay->vertices),
               overlay->vertices, GL_STREAM_DRAW);
  glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)((size_t)overlay->index_count * sizeof *overlay->indices),
               overlay->indices, GL_STREAM_DRAW);
  program_use(&pass->shader);
  program_set_vec4(&pass->shader, "u_scale", (float[4]){2.0f / (float)width, -2.0f / (float)height, 0.0f, 0.0f});
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glEnable(GL_SCISSOR_TEST);
  for (int i = 0; i < overlay->command_count; i++) draw_command(pass, &overlay->commands[i], width, height);
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_BLEND);
  glBindVertexArray(0);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
}

/* ---- draws coloured lines in the world, slightly over a pixel wide and soft at the edges ---- */

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
