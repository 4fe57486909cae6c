#include "import/source/assimp/assimp_scene.h"

#include "base/error.h"

#include <string.h>

enum { MAX_DEPTH = 2000 };

sinew_mat3x4 assimp_matrix(const struct aiMatrix4x4 *m) {
  return (sinew_mat3x4){{m->a1, m->a2, m->a3, m->a4, m->b1, m->b2, m->b3, m->b4, m->c1, m->c2, m->c3, m->c4}};
}

char *assimp_string(raw_model *raw, const struct aiString *text) {
  size_t length = text->length < sizeof text->data ? text->length : sizeof text->data - 1;
  char *copy = raw_alloc(raw, length + 1, 1);
  if (copy) memcpy(copy, text->data, length);
  return copy;
}

/* Whether Assimp added the node above or beside the file's own. */
static bool is_invented(const assimp_source *source, const struct aiNode *node) {
  const char *name = node->mName.data;
  switch (source->raw->format) {
  case RAW_MD5:
    return strcmp(name, "<MD5_Root>") == 0 || strcmp(name, "<MD5_Mesh>") == 0 || strcmp(name, "<MD5_Hierarchy>") == 0;
  case RAW_GLTF:
  case RAW_FBX:
  case RAW_COLLADA:
  case RAW_OTHER: break;
  }
  return false;
}

/* Collada and MD5 are converted to y up, and Collada to metres, by the root's matrix. */
static bool is_root_the_conversion(const assimp_source *source, const struct aiNode *node) {
  raw_format format = source->raw->format;
  return node == source->scene->mRootNode && (format == RAW_COLLADA || format == RAW_MD5);
}

static int count_nodes(const struct aiNode *node, int depth) {
  if (depth > MAX_DEPTH) return -1;
  int count = 1;
  for (unsigned i = 0; i < node->mNumChildren; i++) {
    int below = count_nodes(node->mChildren[i], depth + 1);
    if (below < 0) return -1;
    count += below;
  }
  return count;
}

static bool add_node(assimp_source *source, const struct aiNode *from, int parent) {
  raw_model *raw = source->raw;
  int index = raw->node_count;
  raw_node *node = raw->nodes + index;
  *node = (raw_node){.name = assimp_string(raw, &from->mName),
                     .parent = parent,
                     .local = assimp_matrix(&from->mTransformation),
                     .has_mesh = from->mNumMeshes > 0};
  if (!node->name) return false;
  source->nodes[index] = from;
  raw->node_count++;
  return true;
}

static bool visit(assimp_source *source, const struct aiNode *node, int parent) {
  raw_model *raw = source->raw;
  bool conversion = is_root_the_conversion(source, node);
  if (conversion) raw->conversion = assimp_matrix(&node->mTransformation);
  if (!is_invented(source, node)) {
    int index = raw->node_count;
    if (!add_node(source, node, parent)) return false;
    if (conversion) raw->nodes[index].local = sinew_mat3x4_identity();
    parent = index;
  }
  for (unsigned i = 0; i < node->mNumChildren; i++)
    if (!visit(source, node->mChildren[i], parent)) return false;
  return true;
}

bool assimp_read_nodes(assimp_source *source) {
  raw_model *raw = source->raw;
  const struct aiNode *root = source->scene->mRootNode;
  if (!root) return error_set(raw->error, "%s: holds no nodes", raw->path);
  int count = count_nodes(root, 0);
  if (count < 0) return error_set(raw->error, "%s: nodes are nested more than %d deep", raw->path, MAX_DEPTH);
  raw->nodes = raw_alloc(raw, (size_t)count, sizeof *raw->nodes);
  raw->node_capacity = count;
  source->nodes = raw_alloc(raw, (size_t)count, sizeof *source->nodes);
  return raw->nodes && source->nodes && visit(source, root, -1);
}
