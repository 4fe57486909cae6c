#include "render/preskin.h"

#include "render/item_pass.h"

/* Gives each call its place in the buffer; the vertices in all. */
static int64_t place_calls(draw_list *list, int64_t limit) {
  int64_t total = 0;
  for (int i = 0; i < list->count; i++) {
    draw_call *call = &list->calls[i];
    int64_t vertices = (int64_t)call->mesh->vertex_count * call->count;
    call->skinned = total + vertices <= limit ? total : -1;
    if (call->skinned >= 0) total += vertices;
  }
  return total;
}

/* Instances come one after the other, each with all of its vertices. */
static void skin_call(const program *skin, const draw_list *list, const draw_call *call) {
  GLsizeiptr vertices = (GLsizeiptr)call->mesh->vertex_count * call->count;
  if (call->skinned < 0 || vertices == 0) return;
  item_pass_bind_skinning(skin, list, call);
  glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, list->skinned, (GLintptr)call->skinned * SKINNED_BYTES,
                    vertices * SKINNED_BYTES);
  glBeginTransformFeedback(GL_POINTS);
  glDrawArraysInstanced(GL_POINTS, 0, call->mesh->vertex_count, call->count);
  glEndTransformFeedback();
}

void preskin_run(const program *skin, draw_list *list, int64_t limit) {
  int64_t vertices = place_calls(list, limit);
  if (vertices == 0) return;
  if (!list->skinned) glGenBuffers(1, &list->skinned);
  glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, list->skinned);
  glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, (GLsizeiptr)vertices * SKINNED_BYTES, NULL, GL_STREAM_COPY);
  program_use(skin);
  glEnable(GL_RASTERIZER_DISCARD);
  for (int i = 0; i < list->count; i++) skin_call(skin, list, &list->calls[i]);
  glDisable(GL_RASTERIZER_DISCARD);
  glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
  glBindVertexArray(0);
  glUseProgram(0);
}
