#include "import/raw/names.h"

#include "import/raw/name_list.h"

#include <stdio.h>
#include <string.h>

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

/* Whether the entry begins a run of nodes with the same name. */
static bool begins_run(const name_index *index, int i) {
  const joint_entry *e = index->entries;
  bool is_next = i + 1 < index->count && strcmp(e[i].name, e[i + 1].name) == 0;
  return e[i].name[0] && is_next && (i == 0 || strcmp(e[i - 1].name, e[i].name) != 0);
}

/* Helpers have no names in the model. */
static void drop_helpers(name_index *index, const raw_model *raw) {
  int kept = 0;
  for (int i = 0; i < index->count; i++)
    if (!raw->nodes[index->entries[i].joint].helper) index->entries[kept++] = index->entries[i];
  index->count = kept;
}

/* Nodes can be distinguished by their parents' names only if these differ. */
static bool has_path(const raw_model *raw, const raw_node *one, const raw_node *other) {
  if (other->parent < 0) return false;
  return one->parent < 0 || strcmp(raw->nodes[one->parent].name, raw->nodes[other->parent].name) != 0;
}

bool note_equal_names(raw_model *raw) {
  name_index index;
  name_list names = {0};
  char example[128] = "";
  if (!name_index_build(&index, raw)) return false;
  drop_helpers(&index, raw);
  for (int i = 0; i < index.count; i++) {
    if (!begins_run(&index, i)) continue;
    const raw_node *other = raw->nodes + index.entries[i + 1].joint;
    if (!example[0] && has_path(raw, raw->nodes + index.entries[i].joint, other))
      snprintf(example, sizeof example, "; '%.40s/%.40s' names another", raw->nodes[other->parent].name, other->name);
    name_list_add(&names, index.entries[i].name, NULL);
  }
  return names.count == 0 || raw_note_count(raw, names.count,
                                            "%d {name is|names are} shared by several nodes (%s): such a name means "
                                            "the joint that bends a skin, else the first%s",
                                            names.count, names.text, example);
}
