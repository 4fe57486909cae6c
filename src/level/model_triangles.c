#include "base/error.h"
#include "base/memory/memory.h"

#include <sinew/level.h>
#include <sinew/pose.h>

/* One block for all arrays, and how much of it is filled. */
typedef struct gathered {
  float *positions, *normals;
  uint32_t *indices;
  int vertex_count, index_count;
} gathered;

static bool rest_palette(const sinew_model *model, sinew_mat3x4 **palette, sinew_error *error) {
  int joints = sinew_model_joint_count(model), entries = sinew_model_palette_count(model);
  sinew_mat3x4 *matrices = mem_alloc_array((size_t)(joints + entries), sizeof *matrices);
  if (!matrices) return error_memory(error, "matrices", (size_t)(joints + entries) * sizeof *matrices);
  *palette = matrices;
  return sinew_evaluate(
      &(sinew_evaluate_job){.model = model, .threshold = 0.1f, .joints = matrices + entries, .palette = matrices});
}

static bool make_arrays(const sinew_model *model, gathered *g, sinew_error *error) {
  size_t vertices = 0, indices = 0;
  for (int i = 0; i < sinew_model_mesh_count(model); i++) {
    sinew_mesh_view mesh = sinew_model_mesh(model, i);
    vertices += (size_t)mesh.vertex_count, indices += (size_t)mesh.index_count;
  }
  if (!vertices || !indices) return error_set(error, "%s has no triangles", sinew_model_path(model));
  if (vertices > INT32_MAX / 3 || indices > INT32_MAX)
    return error_set(error, "%s has too many triangles", sinew_model_path(model));
  g->positions = mem_alloc_array(vertices, 3 * sizeof(float)),
  g->normals = mem_alloc_array(vertices, 3 * sizeof(float));
  g->indices = mem_alloc_array(indices, sizeof(uint32_t));
  return (g->positions && g->normals && g->indices) || error_memory(error, "triangles", vertices * 24 + indices * 4);
}

static bool take_mesh(const sinew_model *model, int index, const sinew_mat3x4 *palette, gathered *g) {
  sinew_mesh_view mesh = sinew_model_mesh(model, index);
  bool skinned = sinew_cpu_skin(&(sinew_cpu_skin_job){.model = model,
                                                      .mesh = index,
                                                      .palette = palette,
                                                      .positions = &g->positions[3 * g->vertex_count],
                                                      .normals = &g->normals[3 * g->vertex_count]});
  for (int i = 0; i < mesh.index_count; i++)
    g->indices[g->index_count + i] = mesh.indices[i] + (uint32_t)g->vertex_count;
  g->vertex_count += mesh.vertex_count, g->index_count += mesh.index_count;
  return skinned;
}

bool sinew_triangles_of_model(const sinew_model *model, sinew_triangles *triangles, sinew_error *error) {
  sinew_mat3x4 *palette = NULL;
  gathered g = {0};
  bool made = make_arrays(model, &g, error) && rest_palette(model, &palette, error);
  for (int i = 0; made && i < sinew_model_mesh_count(model); i++) made = take_mesh(model, i, palette, &g);
  mem_free(palette);
  *triangles = (sinew_triangles){g.positions, g.normals, NULL, g.indices, g.vertex_count, g.index_count};
  if (!made) sinew_triangles_free(triangles);
  return made;
}
