#include "import/build/skeleton.h"

#include "import/raw/raw_nodes.h"

bool raw_skeleton(raw_model *owner, const raw_model *raw, skeleton_view *view) {
  size_t count = (size_t)raw->node_count + 1;
  const char **names = raw_alloc(owner, count, sizeof *names);
  int32_t *parents = raw_alloc(owner, count, sizeof *parents);
  sinew_transform *rest = raw_alloc(owner, count, sizeof *rest);
  uint8_t *ranks = raw_alloc(owner, count, 1);
  uint8_t *parts = raw_alloc(owner, count, 1);
  if (!names || !parents || !rest || !ranks || !parts) return false;
  parents[0] = -1;
  rest[0] = sinew_transform_from_mat3x4(&raw->conversion);
  for (int i = 0; i < raw->node_count; i++) {
    const raw_node *node = raw->nodes + i;
    names[i + 1] = node->helper ? NULL : node->name;
    parents[i + 1] = node->parent + 1;
    rest[i + 1] = raw_node_rest(node);
    ranks[i + 1] = (uint8_t)name_rank(node);
    parts[i + 1] = node->part;
  }
  *view = (skeleton_view){(int)count, names, parents, rest, ranks, parts};
  return true;
}
