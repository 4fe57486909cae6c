#include "import/source/gltf/geometry/gltf_mesh.h"

#include <stdio.h>

enum { MOST_SETS = 16 };

/* ---- joints ---- */

/* If there are fewer matrices than joints, or none, the others are identity. */
static bool read_inverse_binds(gltf *g, const cJSON *skin, float **values, int *count) {
  gltf_elements elements;
  *values = NULL;
  *count = 0;
  if (!gltf_accessor(g, gltf_index(skin, "inverseBindMatrices", g->accessors.count), &elements)) return false;
  if (elements.count == 0 || elements.width != 16) return true;
  *count = elements.count;
  *values = gltf_floats(g, &elements, NULL, (size_t)elements.count);
  return *values != NULL;
}

/* A joint outside the scene cannot move anything. */
static bool read_joint(gltf *g, const cJSON *number, raw_mesh *mesh, raw_bone *bone) {
  bool named = cJSON_IsNumber(number) && number->valuedouble >= 0 && number->valuedouble < g->nodes.count;
  int node = named ? g->node_of[(int)number->valuedouble] : -1;
  bone->node = node >= 0 ? node : mesh->node;
  if (node >= 0) g->raw->nodes[node].is_joint = true;
  return node >= 0 || raw_note(g->raw,
                               "mesh '%s': a joint of its skin is not a node of the scene: its vertices follow the "
                               "mesh's node",
                               mesh->name);
}

bool gltf_read_joints(gltf *g, const cJSON *skin, raw_mesh *mesh) {
  const cJSON *joints = gltf_member(skin, "joints"), *joint;
  int count = cJSON_GetArraySize(joints), i = 0, matrices;
  float *values;
  mesh->bones = raw_alloc(g->raw, (size_t)count, sizeof *mesh->bones);
  if (!mesh->bones || !read_inverse_binds(g, skin, &values, &matrices)) return false;
  if (values && matrices < count &&
      !raw_note_count(g->raw, matrices,
                      "a skin has %d inverse bind {matrix|matrices} for %d joints: identity for the others", matrices,
                      count))
    return false;
  cJSON_ArrayForEach(joint, joints) {
    raw_bone *bone = mesh->bones + i;
    bone->inverse_bind = i < matrices ? gltf_matrix(values + (size_t)i * 16) : sinew_mat3x4_identity();
    if (!read_joint(g, joint, mesh, bone)) return false;
    i++;
  }
  mesh->bone_count = count;
  return true;
}

/* ---- weights ---- */

/* One set: four joints and four weights of each vertex. */
typedef struct weight_set {
  uint32_t *joints;
  float *weights;
} weight_set;

static bool read_set(gltf_primitive *p, int index, weight_set *set) {
  char name[32];
  snprintf(name, sizeof name, "WEIGHTS_%d", index);
  if (!gltf_attribute(p, name, 4, &set->weights)) return false;
  snprintf(name, sizeof name, "JOINTS_%d", index);
  return gltf_integer_attribute(p, name, 4, &set->joints);
}

/* Sorts the weights by joint: counts them first, so that each bone's list has the right length. */
static int count_weights(const weight_set *set, int vertices, raw_mesh *mesh) {
  int missing = 0;
  for (size_t i = 0; i < (size_t)vertices * 4; i++) {
    if (set->weights[i] == 0) continue;
    if (set->joints[i] < (uint32_t)mesh->bone_count) mesh->bones[set->joints[i]].weight_count++;
    else missing++;
  }
  return missing;
}

static bool make_lists(raw_model *raw, raw_mesh *mesh) {
  for (int b = 0; b < mesh->bone_count; b++) {
    raw_bone *bone = mesh->bones + b;
    bone->weights = raw_alloc(raw, (size_t)bone->weight_count, sizeof *bone->weights);
    if (!bone->weights) return false;
    bone->weight_count = 0;
  }
  return true;
}

static void fill_lists(const weight_set *set, raw_mesh *mesh) {
  for (size_t i = 0; i < (size_t)mesh->vertex_count * 4; i++) {
    if (set->weights[i] == 0 || set->joints[i] >= (uint32_t)mesh->bone_count) continue;
    raw_bone *bone = mesh->bones + set->joints[i];
    bone->weights[bone->weight_count++] = (raw_weight){(uint32_t)(i / 4), set->weights[i]};
  }
}

static bool read_weights(gltf_primitive *p) {
  raw_mesh *mesh = p->mesh;
  weight_set sets[MOST_SETS];
  int count = 0, missing = 0;
  for (; count < MOST_SETS; count++) {
    if (!read_set(p, count, sets + count)) return false;
    if (!sets[count].joints || !sets[count].weights) break;
    missing += count_weights(sets + count, mesh->vertex_count, mesh);
  }
  if (!make_lists(p->g->raw, mesh)) return false;
  for (int i = 0; i < count; i++) fill_lists(sets + i, mesh);
  return !missing ||
         raw_note_count(p->g->raw, missing,
                        "mesh '%s': %d {weight dropped that names|weights dropped that name} joints that do not "
                        "exist",
                        mesh->name, missing);
}

bool gltf_read_skin(gltf_primitive *p, const cJSON *skin) {
  return gltf_read_joints(p->g, skin, p->mesh) && read_weights(p);
}
