#include "import/cook/model_check.h"

#include <math.h>

static bool check_numbers(const sinew_mesh_view *mesh) {
  int64_t vertices = mesh->vertex_count;
  bool finite = check_finite(mesh->positions, vertices * 3) && check_finite(mesh->normals, vertices * 3) &&
                check_finite(mesh->tangents, vertices * 4) && check_finite(mesh->uvs, vertices * 2) &&
                check_finite(mesh->uvs2, vertices * 2) && check_finite(mesh->weights, vertices * mesh->influences);
  for (int i = 0; finite && i < mesh->morph_count; i++) {
    const sinew_morph_view *morph = mesh->morphs + i;
    finite = check_finite(morph->positions, vertices * 3) && check_finite(morph->normals, vertices * 3);
  }
  return finite;
}

/* Even an influence of weight 0 must name an existing joint: shaders read its matrix anyway. */
static bool check_joints(const sinew_mesh_view *mesh, int joint_count) {
  int64_t count = (int64_t)mesh->vertex_count * mesh->influences;
  int highest = -1;
  for (int64_t i = 0; i < count; i++) highest = mesh->joints[i] > highest ? mesh->joints[i] : highest;
  return highest < joint_count;
}

static bool check_weights(const sinew_mesh_view *mesh) {
  const float *weights = mesh->weights;
  for (int v = 0; v < mesh->vertex_count; v++, weights += mesh->influences) {
    float sum = 0;
    bool negative = false;
    for (int i = 0; i < mesh->influences; i++) {
      sum += weights[i];
      negative |= weights[i] < 0;
    }
    if (negative || !(fabsf(sum - 1) < 1e-3f)) return false;
  }
  return true;
}

static bool check_indices(const sinew_mesh_view *mesh) {
  uint32_t highest = 0;
  for (int i = 0; i < mesh->index_count; i++) highest = mesh->indices[i] > highest ? mesh->indices[i] : highest;
  return mesh->index_count == 0 || highest < (uint32_t)mesh->vertex_count;
}

static bool check_references(const sinew_model *m, const sinew_mesh_view *mesh, int index, sinew_error *error) {
  if (mesh->joint < 0 || mesh->joint >= m->joint_count)
    return check_refuse(m, error, "mesh %d hangs from joint %d, and there are %d", index, mesh->joint, m->joint_count);
  if (mesh->skin < 0 || mesh->skin >= m->skin_count)
    return check_refuse(m, error, "mesh %d has skin %d, and there are %d", index, mesh->skin, m->skin_count);
  if (mesh->material < -1 || mesh->material >= m->material_count)
    return check_refuse(m, error, "mesh %d has material %d, and there are %d", index, mesh->material,
                        m->material_count);
  if (mesh->influences != 4 && mesh->influences != 8)
    return check_refuse(m, error, "mesh %d has %d influences, and must have 4 or 8", index, mesh->influences);
  return mesh->index_count % 3 == 0 ||
         check_refuse(m, error, "mesh %d has %d indices, which do not make triangles", index, mesh->index_count);
}

bool check_same_mesh(const sinew_model *model, const sinew_mesh_view *mesh, int index, sinew_error *error) {
  const sinew_mesh_view *first = mesh->same_as >= 0 && mesh->same_as < index ? model->meshes + mesh->same_as : NULL;
  return (first && first->same_as == -1 && first->vertex_count == mesh->vertex_count &&
          first->index_count == mesh->index_count && first->influences == mesh->influences &&
          first->morph_count == mesh->morph_count) ||
         check_refuse(model, error, "mesh %d has the arrays of mesh %d, which is not like it", index, mesh->same_as);
}

/* Arrays that belong to another mesh were checked there, except with this mesh's skin. */
bool check_mesh(const sinew_model *model, const sinew_mesh_view *mesh, int index, sinew_error *error) {
  if (!check_references(model, mesh, index, error)) return false;
  if (mesh->same_as != -1 && !check_same_mesh(model, mesh, index, error)) return false;
  if (mesh->same_as < 0 && !check_numbers(mesh))
    return check_refuse(model, error, "mesh %d has a number that is not finite", index);
  if (!check_joints(mesh, model->skins[mesh->skin].count))
    return check_refuse(model, error, "a vertex of mesh %d names a joint that its skin does not have", index);
  for (int i = 0; i < mesh->morph_count; i++)
    if (!check_finite(&mesh->morphs[i].rest_weight, 1))
      return check_refuse(model, error, "mesh %d has a number that is not finite", index);
  if (mesh->same_as >= 0) return true;
  if (!check_weights(mesh))
    return check_refuse(model, error, "the weights of a vertex of mesh %d are negative or do not add up to 1", index);
  return check_indices(mesh) ||
         check_refuse(model, error, "a triangle of mesh %d names a vertex that does not exist", index);
}
