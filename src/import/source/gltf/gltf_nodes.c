/* Reads the nodes of the scene, parents first, and keeps the file's order as numbers. */
#include "base/error.h"
#include "import/source/gltf/gltf_file.h"

#include <string.h>

enum { MAX_DEPTH = 2000 };

/* ---- one node ---- */

static sinew_transform read_parts(const cJSON *node) {
  sinew_transform t = sinew_transform_identity();
  float v[4];
  if (gltf_numbers(node, "translation", v, 3)) t.translation = (sinew_vec3){v[0], v[1], v[2]};
  if (gltf_numbers(node, "scale", v, 3)) t.scale = (sinew_vec3){v[0], v[1], v[2]};
  if (gltf_numbers(node, "rotation", v, 4)) t.rotation = sinew_quat_normalize((sinew_quat){v[0], v[1], v[2], v[3]});
  return t;
}

sinew_mat3x4 gltf_matrix(const float *columns) {
  sinew_mat3x4 m;
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 4; c++) m.m[4 * r + c] = columns[4 * c + r];
  return m;
}

static void read_local(const cJSON *json, raw_node *node) {
  float matrix[16];
  if (gltf_numbers(json, "matrix", matrix, 16)) {
    node->local = gltf_matrix(matrix);
    return;
  }
  node->rest = read_parts(json);
  node->has_rest = true;
  node->local = sinew_mat3x4_from_transform(&node->rest);
}

static bool read_node(gltf *g, int index, int parent) {
  raw_model *raw = g->raw;
  const cJSON *json = g->nodes.items[index];
  raw_node *node = raw_grow(raw, (void **)&raw->nodes, &raw->node_count, &raw->node_capacity, sizeof *raw->nodes);
  if (!node) return false;
  *node = (raw_node){.name = gltf_name(g, json), .parent = parent, .file_number = index};
  node->has_mesh = gltf_index(json, "mesh", g->meshes.count) >= 0;
  read_local(json, node);
  g->node_of[index] = raw->node_count - 1;
  return node->name != NULL;
}

/* ---- the tree ---- */

typedef struct tree {
  gltf *g;
  int depth, repeated;
} tree;

/* A node visited twice would have two parents, or be its own ancestor. */
static bool visit(tree *t, int index, int parent) {
  gltf *g = t->g;
  const cJSON *child;
  if (t->depth == MAX_DEPTH)
    return error_set(g->raw->error, "%s: nodes are nested more than %d deep", g->raw->path, MAX_DEPTH);
  if (!gltf_item(&g->nodes, index)) return true;
  if (g->node_of[index] >= 0) {
    t->repeated++;
    return true;
  }
  if (!read_node(g, index, parent)) return false;
  int own = g->raw->node_count - 1;
  if (!gltf_read_instances(g, own)) return false;
  t->depth++;
  cJSON_ArrayForEach(child, gltf_member(g->nodes.items[index], "children")) {
    if (cJSON_IsNumber(child) && !visit(t, child->valuedouble >= 0 ? child->valueint : -1, own)) return false;
  }
  t->depth--;
  return true;
}

static bool *find_children(gltf *g) {
  bool *is_child = raw_alloc(g->raw, (size_t)g->nodes.count, sizeof *is_child);
  for (int i = 0; is_child && i < g->nodes.count; i++) {
    const cJSON *child;
    cJSON_ArrayForEach(child, gltf_member(g->nodes.items[i], "children")) {
      if (cJSON_IsNumber(child) && child->valuedouble >= 0 && child->valuedouble < g->nodes.count)
        is_child[(int)child->valuedouble] = true;
    }
  }
  return is_child;
}

/* A file without a scene is a library of meshes: everything is shown. */
static bool visit_all(tree *t) {
  gltf *g = t->g;
  bool *is_child = find_children(g);
  if (!is_child) return false;
  for (int i = 0; i < g->nodes.count; i++)
    if (!is_child[i] && !visit(t, i, -1)) return false;
  return g->nodes.count == 0 || raw_note(g->raw, "the file has no scene: all its nodes are shown");
}

static bool visit_scene(tree *t, const gltf_list *scenes) {
  gltf *g = t->g;
  int chosen = gltf_index(g->root, "scene", scenes->count);
  const cJSON *scene = gltf_item(scenes, chosen < 0 ? 0 : chosen), *node;
  cJSON_ArrayForEach(node, gltf_member(scene, "nodes")) {
    if (cJSON_IsNumber(node) && !visit(t, node->valuedouble >= 0 ? node->valueint : -1, -1)) return false;
  }
  const char *name = gltf_text(scene, "name");
  return scenes->count < 2 ||
         raw_note(g->raw, "the file has %d scenes: number %d is shown%s%.100s%s", scenes->count,
                  (chosen < 0 ? 0 : chosen) + 1, name ? " ('" : "", name ? name : "", name ? "')" : "");
}

static bool note_cameras(gltf *g) {
  int cameras = 0;
  for (int i = 0; i < g->nodes.count; i++)
    cameras += g->node_of[i] >= 0 && gltf_member(g->nodes.items[i], "camera") != NULL;
  return cameras == 0 || raw_note_count(g->raw, cameras,
                                        "%d {camera is not read: its node is a joint like any other|cameras are not "
                                        "read: their nodes are joints like any other}",
                                        cameras);
}

bool gltf_read_nodes(gltf *g) {
  tree t = {.g = g};
  gltf_list scenes;
  g->raw->numbered = true;
  g->node_of = raw_alloc(g->raw, (size_t)g->nodes.count, sizeof *g->node_of);
  if (!g->node_of || !gltf_list_members(g, g->root, "scenes", &scenes)) return false;
  for (int i = 0; i < g->nodes.count; i++) g->node_of[i] = -1;
  if (!(scenes.count > 0 ? visit_scene(&t, &scenes) : visit_all(&t))) return false;
  if (t.repeated && !raw_note_count(g->raw, t.repeated,
                                    "%d {node has two parents, or is its own ancestor|nodes have two parents, or "
                                    "are their own ancestors}: the first parent is kept",
                                    t.repeated))
    return false;
  return note_cameras(g);
}

/* ---- EXT_mesh_gpu_instancing ---- */

enum { MOST_NODES = 31990 /* and the joints that a model adds */ };

/* Reads the numbers of one attribute; NULL if it is missing, too short, or of another width. False when memory runs
 * out. */
static bool read_attribute(gltf *g, const cJSON *attributes, const char *name, int width, int count, float **values) {
  gltf_elements elements;
  *values = NULL;
  if (!gltf_accessor(g, gltf_index(attributes, name, g->accessors.count), &elements)) return false;
  if (elements.width != width || elements.count < count) return true;
  *values = gltf_floats(g, &elements, NULL, (size_t)count);
  return *values != NULL;
}

/* The number of elements of the first attribute, and the number that a model has room for. */
static bool count_instances(gltf *g, int node, const cJSON *attributes, int *count) {
  static const char *const names[] = {"TRANSLATION", "ROTATION", "SCALE"};
  *count = 0;
  for (int i = 0; i < 3 && *count == 0; i++) {
    gltf_elements elements;
    if (!gltf_accessor(g, gltf_index(attributes, names[i], g->accessors.count), &elements)) return false;
    *count = elements.count;
  }
  int all = *count, room = MOST_NODES - g->raw->node_count;
  if (all <= room) return true;
  *count = room > 0 ? room : 0;
  return raw_note_count(
      g->raw, all - *count,
      "node '%s': {an instance of its mesh is|instances of its mesh are} left out (%d), because a model "
      "has no room for more nodes",
      g->raw->nodes[node].name, all - *count);
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
  if (!count_instances(g, node, attributes, &count) ||
      !read_attribute(g, attributes, "TRANSLATION", 3, count, &moves) ||
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
