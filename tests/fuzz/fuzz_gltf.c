/* The JSON, buffers, accessors and curves of glTF, without Assimp: gltf_open rewrites the file, nodes and meshes appear
 * as Assimp would give them, gltf_finish reads names, curves and weights, raw_check takes what came of it. */
#include "fuzz/feed.h"

#include "import/source/gltf/gltf_file.h"

static bool add_node(raw_model *raw, const cJSON *json, int index, int mesh) {
  raw_node *node = raw_grow(raw, (void **)&raw->nodes, &raw->node_count, &raw->node_capacity, sizeof *node);
  char name[64];
  if (!node) return false;
  snprintf(name, sizeof name, index < 0 ? "ROOT" : GLTF_NODE_NAME "%d", index);
  *node = (raw_node){.name = raw_string(raw, name), .parent = raw->node_count - 2, .local = sinew_mat3x4_identity()};
  if (!node->name) return false;
  if (mesh < 0 || !json) return true;
  raw_mesh *added = raw_grow(raw, (void **)&raw->meshes, &raw->mesh_count, &raw->mesh_capacity, sizeof *added);
  if (!added) return false;
  *added = (raw_mesh){.name = "mesh", .node = raw->node_count - 1, .material = -1, .morph_count = 1 + index % 3};
  added->morphs = raw_alloc(raw, (size_t)added->morph_count, sizeof *added->morphs);
  for (int i = 0; added->morphs && i < added->morph_count; i++) added->morphs[i].name = "morph";
  return added->morphs != NULL;
}

static bool add_nodes(raw_model *raw, const gltf *g) {
  if (!add_node(raw, NULL, -1, -1)) return false;
  for (int i = 0; i < g->nodes.count; i++)
    if (!add_node(raw, g->nodes.items[i], i, gltf_index(g->nodes.items[i], "mesh", INT32_MAX))) return false;
  return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sinew_error error = {""};
  raw_model raw;
  feed_allocator();
  if (size == 0) return 0;
  /* file_read puts a zero behind what it reads */
  unsigned char *copy = malloc(size + 1);
  memcpy(copy, data, size);
  copy[size] = 0;
  import_files files = {.path = "/nonexistent/fuzz.gltf", .data = copy, .size = size};
  raw_init(&raw, files.path, &error);
  raw.format = RAW_GLTF;
  gltf *g = gltf_open(&raw, &files);
  bool read = g && add_nodes(&raw, g) && gltf_finish(g, &raw);
  gltf_close(g);
  if (read) read = raw_check(&raw);
  if (!read && !error.message[0]) abort();
  raw_release(&raw);
  free(copy);
  return 0;
}
