/* Skinned vertices read back from the GPU, by the same shader code that draws them. */
#include "base/error.h"
#include "base/memory.h"
#include "render/gl_debug.h"
#include "render/renderer.h"

#include <string.h>

enum { FLOATS = 3 + 3 + 4 };

static void run_feedback(const sinew_renderer *renderer, const draw_call *call, float *vertices, size_t size) {
  GLint bound = 0;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &bound);
  /* Any complete framebuffer: nothing is drawn, but a context without a surface has none of its own. */
  glBindFramebuffer(GL_FRAMEBUFFER, renderer->contact_map.framebuffer);
  program_use(&renderer->skin);
  item_pass_bind_skinning(&renderer->skin, &renderer->list, call);
  glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, renderer->feedback_buffer);
  glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, (GLsizeiptr)size, NULL, GL_STREAM_READ);
  glEnable(GL_RASTERIZER_DISCARD);
  glBeginTransformFeedback(GL_POINTS);
  glDrawArraysInstanced(GL_POINTS, 0, call->mesh->vertex_count, 1);
  glEndTransformFeedback();
  glDisable(GL_RASTERIZER_DISCARD);
  glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, (GLsizeiptr)size, vertices);
  glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
  glBindVertexArray(0);
  glUseProgram(0);
  glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)bound);
}

static void gather(float *out, const float *vertices, int count, int offset, int size) {
  for (int i = 0; out && i < count; i++)
    memcpy(out + (size_t)i * (size_t)size, vertices + (size_t)i * FLOATS + offset, (size_t)size * sizeof(float));
}

static bool check(const sinew_gpu_skin_job *job, sinew_error *error) {
  if (job->mesh < 0 || job->mesh >= job->model->mesh_count)
    return error_set(error, "mesh %d: the model has %d meshes", job->mesh, job->model->mesh_count);
  if (job->tangents && !job->model->meshes[job->mesh].has_tangents)
    return error_set(error, "mesh %d has no tangents", job->mesh);
  return true;
}

/* The list takes the weights of every mesh; this mesh's are the only ones that are read. */
static bool build(sinew_renderer *renderer, const sinew_gpu_skin_job *job, sinew_error *error) {
  const float **all = mem_alloc_array((size_t)job->model->mesh_count, sizeof *all);
  if (!all) return error_memory(error, "morph weights", (size_t)job->model->mesh_count * sizeof *all);
  all[job->mesh] = job->morph_weights;
  const sinew_draw_item item = {.model = job->model,
                                .transform = sinew_mat3x4_identity(),
                                .palette = job->palette,
                                .dual_quats = job->dual_quats,
                                .morph_weights = all,
                                .tint = {1.0f, 1.0f, 1.0f, 1.0f}};
  bool good = draw_list_build_mesh(&renderer->list, &item, job->mesh, renderer->texel_limit, error);
  mem_free(all);
  return good;
}

bool sinew_renderer_skin(sinew_renderer *renderer, const sinew_gpu_skin_job *job, sinew_error *error) {
  if (!check(job, error)) return false;
  int count = job->model->meshes[job->mesh].vertex_count;
  if (count == 0) return true;
  if (!build(renderer, job, error)) return false;
  size_t size = (size_t)count * FLOATS * sizeof(float);
  float *vertices = mem_alloc(size);
  if (!vertices) return error_memory(error, "skinned vertices", size);
  run_feedback(renderer, &renderer->list.calls[0], vertices, size);
  gather(job->positions, vertices, count, 0, 3);
  gather(job->normals, vertices, count, 3, 3);
  gather(job->tangents, vertices, count, 6, 4);
  mem_free(vertices);
  return gl_check("skinning on the GPU", error);
}
