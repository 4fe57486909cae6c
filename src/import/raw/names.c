#include "import/raw/names.h"

int name_rank(const raw_node *node) { return node->is_joint ? 0 : node->has_mesh ? 2 : 1; }

bool name_index_build(name_index *index, raw_model *raw) {
  index->count = raw->node_count;
  index->entries = raw_alloc(raw, (size_t)raw->node_count, sizeof *index->entries);
  if (!index->entries) return false;
  for (int i = 0; i < raw->node_count; i++)
    index->entries[i] = (joint_entry){raw->nodes[i].name, i, name_rank(raw->nodes + i)};
  joint_index_sort(index->entries, index->count);
  return true;
}

int name_index_find(const name_index *index, const char *name) {
  int found = joint_index_find(index->entries, index->count, name);
  return found < index->count ? index->entries[found].joint : -1;
}
