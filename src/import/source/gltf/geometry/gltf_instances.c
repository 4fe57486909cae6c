/* EXT_mesh_gpu_instancing: a node has its mesh many times; each instance is a helper joint below it. */
#include "import/source/gltf/gltf_file.h"

#include "base/error.h"

enum { MOST_INSTANCES = 32000 };

/* Reads the numbers of one attribute; NULL if it is missing, or has another width or count. False when memory runs out.
 */
static bool read_attribute(gltf *g, const cJSON *attributes, const char *name, int width, int count, float **values) {
  gltf_elements elements;
  *values = NULL;
  if (!gltf_accessor(g, gltf_index(attributes, name, g->accessors.count), &elements)) return false;
  if (elements.width != width || elements.count != count) return true;
  *values = gltf_floats(g, &elements, NULL, (size_t)count);
  return *values != NULL;
}

/* The number of elements, which must be the same in all attributes. */
static bool count_instances(gltf *g, const cJSON *attributes, int *count) {
  static const char *const names[] = {"TRANSLATION", "ROTATION", "SCALE"};
  *count = 0;
  for (int i = 0; i < 3 && *count == 0; i++) {
    gltf_elements elements;
    if (!gltf_accessor(g, gltf_index(attributes, names[i], g->accessors.count), &elements)) return false;
    *count = elements.count;
  }
  return *count <= MOST_INSTANCES ||
         error_set(g->raw->error, "%s: a node shows its mesh %d times, more than the %d that are read", g->raw->path,
                   *count, MOST_INSTANCES);
}

static bool add_instance(gltf *g, int parent, sinew_transform position) {
  raw_model *raw = g->raw;
  raw_node *node = raw_grow(raw, (void **)&raw->nodes, &raw->node_count, &raw->node_capacity, sizeof *raw->nodes);
  if (!node) return false;
  *node = (raw_node){.name = raw->nodes[parent].name,
                     .parent = parent,
                     .local = sinew_mat3x4_from_transform(&position),
                     .rest = position,
                     .has_rest = true,
                     .file_number = raw->nodes[parent].file_number,
                     .helper = true,
                     .has_mesh = true};
  return true;
}

bool gltf_read_instances(gltf *g, int node) {
  const cJSON *json = g->nodes.items[g->raw->nodes[node].file_number];
  const cJSON *attributes = gltf_member(gltf_extension(json, "EXT_mesh_gpu_instancing"), "attributes");
  float *moves, *turns, *scales;
  int count;
  if (!attributes) return true;
  if (!gltf_has_instances(json))
    return raw_note(g->raw, "node '%s': its mesh is bound to a skin, so there is only one instance, at its joints",
                    g->raw->nodes[node].name);
  if (!count_instances(g, attributes, &count) || !read_attribute(g, attributes, "TRANSLATION", 3, count, &moves) ||
      !read_attribute(g, attributes, "ROTATION", 4, count, &turns) ||
      !read_attribute(g, attributes, "SCALE", 3, count, &scales))
    return false;
  for (size_t i = 0; i < (size_t)count; i++) {
    sinew_transform position = sinew_transform_identity();
    if (moves) position.translation = (sinew_vec3){moves[3 * i], moves[3 * i + 1], moves[3 * i + 2]};
    if (scales) position.scale = (sinew_vec3){scales[3 * i], scales[3 * i + 1], scales[3 * i + 2]};
    const float *q = turns ? turns + 4 * i : NULL;
    if (q) position.rotation = sinew_quat_normalize((sinew_quat){q[0], q[1], q[2], q[3]});
    if (!add_instance(g, node, position)) return false;
  }
  return true;
}

bool gltf_has_instances(const cJSON *node) {
  bool is_bound = gltf_member(node, "skin") && gltf_member(node, "mesh");
  return !is_bound && gltf_member(gltf_extension(node, "EXT_mesh_gpu_instancing"), "attributes");
}
