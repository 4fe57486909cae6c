/* Skins. A vertex is Σ weight · bone's world · Transform · vertex, where Transform = (bone's world at binding)⁻¹ ·
 * mesh's world at binding; the geometric transform is already in the vertices. */
#include "import/source/fbx/geometry/fbx_mesh.h"
#include "import/source/fbx/objects/fbx_pivots.h"

#include "base/memory/memory.h"

#include <math.h>
#include <string.h>

/* Reads a matrix of 16 numbers, column by column, as rows; false if it is missing or zero. */
static bool read_matrix(fbx_scene *scene, const fbx_record *record, double m[12], bool *found) {
  double *numbers;
  size_t count;
  *found = false;
  if (!fbx_doubles(scene->file, record, &numbers, &count)) return false;
  for (int r = 0; count >= 16 && r < 3; r++)
    for (int c = 0; c < 4; c++) {
      m[4 * r + c] = numbers[4 * c + r];
      *found |= m[4 * r + c] != 0;
    }
  mem_free(numbers);
  return true;
}

static void rest_world(const raw_model *raw, int node, double m[12]) {
  static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  memcpy(m, identity, sizeof identity);
  for (; node >= 0; node = raw->nodes[node].parent) {
    double local[12];
    for (int k = 0; k < 12; k++) local[k] = (double)raw->nodes[node].local.m[k];
    fbx_matrix_multiply(local, m, m);
  }
}

/* Without Transform, TransformLink is the bone's world at binding; without either, that is its rest. */
static bool read_inverse_bind(fbx_scene *scene, const fbx_object *cluster, int node, int mesh_node, sinew_mat3x4 *out) {
  double m[12], bone[12], mesh[12];
  bool found, linked;
  if (!read_matrix(scene, fbx_child(cluster->record, "Transform"), m, &found) ||
      !read_matrix(scene, fbx_child(cluster->record, "TransformLink"), bone, &linked))
    return false;
  if (!found) {
    rest_world(scene->raw, mesh_node, mesh);
    if (!linked) rest_world(scene->raw, node, bone);
    fbx_matrix_inverse(bone, bone);
    fbx_matrix_multiply(bone, mesh, m);
  }
  *out = fbx_to_mat3x4(m);
  return true;
}

static size_t count_spread(const fbx_spread *spread, const int32_t *indices, size_t count) {
  size_t total = 0;
  for (size_t i = 0; i < count; i++)
    if (indices[i] >= 0 && (size_t)indices[i] < spread->point_count)
      total += spread->first[indices[i] + 1] - spread->first[indices[i]];
  return total;
}

/* A point listed twice in one cluster counts twice, as in FBX. */
static bool fill_weights(raw_model *raw, const fbx_spread *spread, const int32_t *indices, const double *weights,
                         size_t count, raw_bone *bone) {
  size_t total = count_spread(spread, indices, count);
  bone->weights = total <= INT32_MAX ? raw_alloc(raw, total, sizeof *bone->weights) : NULL;
  for (size_t i = 0; bone->weights && i < count; i++) {
    if (indices[i] < 0 || (size_t)indices[i] >= spread->point_count) continue;
    for (uint32_t k = spread->first[indices[i]]; k < spread->first[indices[i] + 1]; k++)
      bone->weights[bone->weight_count++] = (raw_weight){spread->vertices[k], (float)weights[i]};
  }
  return bone->weights != NULL;
}

static bool read_cluster(fbx_scene *scene, const fbx_object *cluster, int node, int mesh_node, const fbx_spread *spread,
                         raw_bone *bone) {
  int32_t *indices = NULL;
  double *weights = NULL;
  size_t index_count, weight_count;
  bone->node = node;
  bool read = fbx_int32s(scene->file, fbx_child(cluster->record, "Indexes"), &indices, &index_count) &&
              fbx_doubles(scene->file, fbx_child(cluster->record, "Weights"), &weights, &weight_count) &&
              fill_weights(scene->raw, spread, indices, weights,
                           index_count < weight_count ? index_count : weight_count, bone) &&
              read_inverse_bind(scene, cluster, node, mesh_node, &bone->inverse_bind);
  mem_free(indices);
  mem_free(weights);
  return read;
}

static bool read_clusters(fbx_scene *scene, const fbx_object *skin, raw_mesh *mesh, const fbx_spread *spread,
                          int *boneless) {
  const fbx_object *cluster;
  mesh->bones = raw_alloc(scene->raw, (size_t)skin->child_count, sizeof *mesh->bones);
  if (!mesh->bones) return false;
  for (int cursor = 0; (cluster = fbx_next_child(scene, skin, FBX_CLUSTER, &cursor, NULL));) {
    const fbx_object *bone = fbx_first_child(scene, cluster, FBX_MODEL);
    int node = bone ? bone->node : -1;
    if (node < 0 && !cluster->of_root) {
      ++*boneless;
      continue;
    }
    if (!read_cluster(scene, cluster, node, mesh->node, spread, mesh->bones + mesh->bone_count)) return false;
    if (node >= 0) scene->raw->nodes[node].is_joint = true;
    mesh->bone_count++;
  }
  return true;
}

static bool has_total(const fbx_scene *scene, const fbx_object *skin) {
  const fbx_object *cluster;
  for (int cursor = 0; (cluster = fbx_next_child(scene, skin, FBX_CLUSTER, &cursor, NULL));)
    if (fbx_says(fbx_child(cluster->record, "Mode"), 0, "Total1")) return true;
  return false;
}

/* Link mode Normalize divides by the sum of weights. Total1 does not: in Autodesk's sample ViewScene, the remainder of
 * such a vertex stays with its mesh. Both agree if weights add up to 1. */
static bool note_totals(fbx_scene *scene, const fbx_object *skin, const raw_mesh *mesh) {
  static const double same = 1e-3;
  int off = 0;
  if (!has_total(scene, skin)) return true;
  double *totals = fbx_take(scene->file, (size_t)mesh->vertex_count, sizeof *totals);
  if (!totals) return false;
  for (int b = 0; b < mesh->bone_count; b++)
    for (int i = 0; i < mesh->bones[b].weight_count; i++)
      totals[mesh->bones[b].weights[i].vertex] += (double)mesh->bones[b].weights[i].weight;
  for (int v = 0; v < mesh->vertex_count; v++) off += !(fabs(totals[v] - 1) <= same);
  return off == 0 ||
         raw_note_count(
             scene->raw, off,
             "mesh '%s': the weights of %d {vertex|vertices} do not add up to 1: normalised, although link mode "
             "Total1 would leave the rest with the mesh",
             mesh->name, off);
}

/* Before 7.0 the skin may be connected to the model. */
bool fbx_read_skin(fbx_scene *scene, const fbx_object *model, const fbx_object *geometry, int index,
                   const fbx_spread *spread) {
  const fbx_object *skin = fbx_first_child(scene, geometry, FBX_SKIN);
  if (!skin) skin = fbx_first_child(scene, model, FBX_SKIN);
  int boneless = 0;
  if (!skin) return true;
  raw_mesh *mesh = scene->raw->meshes + index;
  if (!read_clusters(scene, skin, mesh, spread, &boneless) || !note_totals(scene, skin, mesh)) return false;
  return boneless == 0 || raw_note_count(scene->raw, boneless,
                                         "mesh '%s': %d {cluster of weights dropped: no node is its|clusters of "
                                         "weights dropped: no node is their} joint",
                                         mesh->name, boneless);
}
