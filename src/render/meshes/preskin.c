#include "render/meshes/preskin.h"

#include "render/gl/gl.h"
#include "render/passes/item_pass.h"

#include <string.h>

enum { GROUP = 64 }; /* vertices, as in skin.comp */

/* The bindings of skin.comp's buffers. */
enum { BUFFER_VERTICES, BUFFER_INSTANCES, BUFFER_SKINNED };

/* Vertices that are skinned beforehand make each instance a draw call, which takes a GPU longer than skinning in each
 * pass. */
void preskin_start(preskin *made, bool software) {
  made->computes = GLAD_GL_VERSION_4_3;
  made->stage = !software ? SINEW_SKIN_VERTEX : made->computes ? SINEW_SKIN_COMPUTE : SINEW_SKIN_FEEDBACK;
  made->limit = 1 << 20; /* 40 MB */
}

/* A compute shader is limited by the size of a storage block, and to one dimension of groups. */
static int64_t limit_of(const preskin *used) {
  GLint64 block = 0;
  GLint groups = 0;
  int64_t limit = used->limit;
  if (used->stage != SINEW_SKIN_COMPUTE) return limit;
  glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &block);
  glGetIntegeri_v(GL_MAX_COMPUTE_WORK_GROUP_COUNT, 0, &groups);
  if (limit > block / SKINNED_BYTES) limit = block / SKINNED_BYTES;
  return limit > (int64_t)groups * GROUP ? (int64_t)groups * GROUP : limit;
}

/* Many instances of a small mesh take longer as a call each than skinned again in each pass. */
static bool is_worth_it(const draw_call *call) {
  enum { FEW_INSTANCES = 16, FEW_VERTICES = 64 };
  return call->count <= FEW_INSTANCES || call->mesh->vertex_count >= FEW_VERTICES;
}

/* Assigns each call its place in the buffer; returns the number of vertices. */
static int64_t place_calls(draw_list *list, int64_t limit) {
  int64_t total = 0;
  for (int i = 0; i < list->count; i++) {
    draw_call *call = &list->calls[i];
    int64_t vertices = (int64_t)call->mesh->vertex_count * call->count;
    call->skinned = call->given || (total + vertices <= limit && is_worth_it(call)) ? total : -1;
    if (call->skinned >= 0) total += vertices;
  }
  return total;
}

/* Without memory, the GPU skins after all. */
static void write_given(draw_call *call) {
  static const float no_tangent[4] = {0.0f, 0.0f, 0.0f, 1.0f};
  const sinew_skinned_mesh *from = call->given;
  size_t count = (size_t)call->mesh->vertex_count;
  buffer_write written;
  float *to = buffer_begin(&written, GL_ARRAY_BUFFER, (size_t)call->skinned * SKINNED_BYTES, count * SKINNED_BYTES);
  for (size_t v = 0; to && v < count; v++, to += SKINNED_FLOATS) {
    memcpy(to, from->positions + v * 3, 3 * sizeof *to);
    memcpy(to + 3, from->normals + v * 3, 3 * sizeof *to);
    memcpy(to + 6, from->tangents ? from->tangents + v * 4 : no_tangent, 4 * sizeof *to);
  }
  if (!to || !buffer_end(&written)) call->skinned = -1;
}

static void write_all_given(draw_list *list) {
  glBindBuffer(GL_ARRAY_BUFFER, list->skinned);
  for (int i = 0; i < list->count; i++)
    if (list->calls[i].given && list->calls[i].mesh->vertex_count > 0) write_given(&list->calls[i]);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
}

static bool is_to_skin(const draw_call *call) {
  return call->skinned >= 0 && !call->given && call->mesh->vertex_count > 0;
}

/* Instances are adjacent, each with all of its vertices. */
static void feed_call(const draw_list *list, const draw_call *call) {
  GLsizeiptr vertices = (GLsizeiptr)call->mesh->vertex_count * call->count;
  glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, list->skinned, (GLintptr)call->skinned * SKINNED_BYTES,
                    vertices * SKINNED_BYTES);
  glBeginTransformFeedback(GL_POINTS);
  glDrawArraysInstanced(GL_POINTS, 0, call->mesh->vertex_count, call->count);
  glEndTransformFeedback();
}

static void compute_call(const program *compute, const draw_call *call) {
  const vertex_layout *layout = &call->mesh->layout;
  const int word = sizeof(float), tangent = call->mesh->has_tangents ? (int)layout->tangent / word : 0;
  const int words[4] = {(int)layout->stride / word, tangent, (int)layout->joints / word, (int)layout->weights / word};
  const int range[4] = {call->first, call->count, (int)call->skinned, layout->influences};
  int vertices = call->mesh->vertex_count * call->count;
  program_set_ivec4(compute, "u_words", words);
  program_set_ivec4(compute, "u_range", range);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_VERTICES, call->mesh->vertices);
  glDispatchCompute((GLuint)(vertices + GROUP - 1) / GROUP, 1, 1);
}

static void run_feedback(const preskin *used, const draw_list *list) {
  program_use(&used->feedback);
  glEnable(GL_RASTERIZER_DISCARD);
  for (int i = 0; i < list->count; i++) {
    const draw_call *call = &list->calls[i];
    if (!is_to_skin(call)) continue;
    item_pass_bind_skinning(&used->feedback, list, call);
    feed_call(list, call);
  }
  glDisable(GL_RASTERIZER_DISCARD);
  glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
}

static void run_compute(const preskin *used, const draw_list *list) {
  program_use(&used->compute);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_INSTANCES, list->instances);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_SKINNED, list->skinned);
  for (int i = 0; i < list->count; i++) {
    const draw_call *call = &list->calls[i];
    if (!is_to_skin(call)) continue;
    item_pass_bind_skinning(&used->compute, list, call);
    compute_call(&used->compute, call);
  }
  glMemoryBarrier(GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
  for (GLuint i = BUFFER_VERTICES; i <= BUFFER_SKINNED; i++) glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, 0);
}

void preskin_run(const preskin *used, draw_list *list) {
  int64_t vertices = place_calls(list, used->stage == SINEW_SKIN_VERTEX ? 0 : limit_of(used));
  if (vertices == 0) return;
  if (!list->skinned) glGenBuffers(1, &list->skinned);
  glBindBuffer(GL_ARRAY_BUFFER, list->skinned);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)vertices * SKINNED_BYTES, NULL, GL_STREAM_COPY);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
  if (list->has_given) write_all_given(list);
  if (used->stage == SINEW_SKIN_COMPUTE) run_compute(used, list);
  else run_feedback(used, list);
  glBindVertexArray(0);
  glUseProgram(0);
}
