#include "import/names.h"

#include <stdlib.h>
#include <string.h>

const char *name_without_namespace(const char *name) {
  const char *bare = name;
  for (const char *c = name; *c; c++)
    if ((*c == ':' || *c == '|') && c[1]) bare = c + 1;
  return bare;
}

static int compare_entries(const void *a, const void *b) {
  const name_entry *x = a, *y = b;
  int names = strcmp(x->name, y->name);
  if (names) return names;
  return x->rank != y->rank ? x->rank - y->rank : x->node - y->node;
}

bool name_index_build(name_index *index, raw_model *raw, bool stripped) {
  index->count = raw->node_count;
  index->entries = raw_alloc(raw, (size_t)raw->node_count, sizeof *index->entries);
  if (!index->entries) return false;
  for (int i = 0; i < raw->node_count; i++) {
    const raw_node *node = raw->nodes + i;
    int rank = node->is_joint ? 0 : node->has_mesh ? 2 : 1;
    index->entries[i] = (name_entry){stripped ? name_without_namespace(node->name) : node->name, i, rank};
  }
  if (index->count > 1) qsort(index->entries, (size_t)index->count, sizeof *index->entries, compare_entries);
  return true;
}

int name_index_find(const name_index *index, const char *name) {
  int low = 0, high = index->count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (strcmp(index->entries[middle].name, name) < 0) low = middle + 1;
    else high = middle;
  }
  return low < index->count && strcmp(index->entries[low].name, name) == 0 ? index->entries[low].node : -1;
}
