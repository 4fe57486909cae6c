/* Skinned vertices read back from the GPU, by the same shader code that draws them. */
#include "base/error.h"
#include "base/memory/memory.h"
#include "render/gl/buffer.h"
#include "render/gl/gl_debug.h"
#include "render/renderer.h"

#include <string.h>

/* Uses transform feedback if the renderer skins in vertex shaders, because the code is the same. False if the mesh is
 * too large. */
static bool run(sinew_renderer *renderer, float *vertices, size_t size) {
  preskin skin = renderer->skin;
  GLint bound = 0;
  if (skin.stage == SINEW_SKIN_VERTEX) skin.stage = SINEW_SKIN_FEEDBACK;
  skin.limit = INT32_MAX;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &bound);
  glBindFramebuffer(GL_FRAMEBUFFER, renderer->contact_map.framebuffer);
  preskin_run(&skin, &renderer->list);
  bool skinned = renderer->list.calls[0].skinned >= 0;
  glBindBuffer(GL_ARRAY_BUFFER, renderer->list.skinned);
  if (skinned) buffer_read(GL_ARRAY_BUFFER, size, vertices);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
  glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)bound);
  return skinned;
}

static void gather(float *out, const float *vertices, int count, int offset, int size) {
  for (int i = 0; out && i < count; i++)
    memcpy(out + (size_t)i * (size_t)size, vertices + (size_t)i * SKINNED_FLOATS + offset,
           (size_t)size * sizeof(float));
}

static bool check(const sinew_gpu_skin_job *job, sinew_error *error) {
  if (job->mesh < 0 || job->mesh >= job->model->mesh_count)
    return error_set(error, "mesh %d: the model has %d meshes", job->mesh, job->model->mesh_count);
  if (job->tangents && !job->model->meshes[job->mesh].has_tangents)
    return error_set(error, "mesh %d has no tangents", job->mesh);
  return true;
}

/* The list needs the weights of every mesh, but reads only this mesh's. */
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
  size_t size = (size_t)count * SKINNED_FLOATS * sizeof(float);
  float *vertices = mem_alloc(size);
  if (!vertices) return error_memory(error, "skinned vertices", size);
  bool skinned = run(renderer, vertices, size);
  if (skinned) {
    gather(job->positions, vertices, count, 0, 3);
    gather(job->normals, vertices, count, 3, 3);
    gather(job->tangents, vertices, count, 6, 4);
  }
  mem_free(vertices);
  if (!skinned) return error_set(error, "mesh %d: %d vertices are more than this GPU skins at once", job->mesh, count);
  return gl_check("skinning on the GPU", error);
}
