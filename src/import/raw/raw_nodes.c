#include "import/raw/raw_nodes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- finds a node of a raw_model by name ---- */

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

/* ---- "a, b, c, d, …" ---- */

enum { SHOWN = 4 };

void name_list_add(name_list *list, const char *name, const char *to) {
  char *end = list->text + strlen(list->text);
  size_t room = sizeof list->text - (size_t)(end - list->text);
  int before = list->count++;
  const char *comma = before ? ", " : "";
  if (before > SHOWN) return;
  if (before == SHOWN) snprintf(end, room, ", …");
  else if (to) snprintf(end, room, "%s%.24s → %.24s", comma, name, to);
  else snprintf(end, room, "%s%.40s", comma, name);
}

/* ---- adds joints above a node of the file, for transforms that a single T·R·S cannot express ---- */

/* Replaces the nodes; `map` gives the new index of each old node, for all references. */
static void replace_nodes(raw_model *raw, raw_node *nodes, int count, const int32_t *map) {
  for (int c = 0; c < raw->clip_count; c++)
    for (int i = 0; i < raw->clips[c].track_count; i++) {
      raw_track *track = raw->clips[c].tracks + i;
      if (track->kind != TRACK_MORPH) track->node = map[track->node];
    }
  for (int m = 0; m < raw->mesh_count; m++) {
    raw_mesh *mesh = raw->meshes + m;
    if (mesh->node >= 0) mesh->node = map[mesh->node];
    for (int b = 0; b < mesh->bone_count; b++)
      if (mesh->bones[b].node >= 0) mesh->bones[b].node = map[mesh->bones[b].node];
  }
  raw->nodes = nodes;
  raw->node_count = raw->node_capacity = count;
}

/* ---- shear ---- */

static double column_dot(double m[3][3], int a, int b) {
  return m[0][a] * m[0][b] + m[1][a] * m[1][b] + m[2][a] * m[2][b];
}

/* Whether columns are not at right angles, measured as the cosine between them. */
static bool is_sheared(const sinew_mat3x4 *local) {
  double m[3][3];
  for (int i = 0; i < 9; i++) m[i / 3][i % 3] = (double)local->m[i / 3 * 4 + i % 3];
  for (int a = 0; a < 3; a++)
    for (int b = a + 1; b < 3; b++) {
      double lengths = sqrt(column_dot(m, a, a) * column_dot(m, b, b));
      if (lengths > 0 && fabs(column_dot(m, a, b)) > 1e-4 * lengths) return true;
    }
  return false;
}

/* One-sided Jacobi (Hestenes 1958): rotates pairs of columns until all are at right angles. The lengths of the columns
 * of u = m·v are then the singular values. */
static void orthogonalize_columns(double u[3][3], double v[3][3]) {
  for (int sweep = 0; sweep < 30; sweep++)
    for (int a = 0; a < 2; a++)
      for (int b = a + 1; b < 3; b++) {
        double cross = column_dot(u, a, b);
        if (fabs(cross) < 1e-30) continue;
        double zeta = (column_dot(u, b, b) - column_dot(u, a, a)) / (2 * cross);
        double t = (zeta < 0 ? -1 : 1) / (fabs(zeta) + sqrt(1 + zeta * zeta));
        double cosine = 1 / sqrt(1 + t * t), sine = cosine * t;
        for (int r = 0; r < 3; r++) {
          double ua = u[r][a], va = v[r][a];
          u[r][a] = cosine * ua - sine * u[r][b];
          u[r][b] = sine * ua + cosine * u[r][b];
          v[r][a] = cosine * va - sine * v[r][b];
          v[r][b] = sine * va + cosine * v[r][b];
        }
      }
}

static void split(const raw_node *node, raw_node *above, raw_node *below) {
  double u[3][3], v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int i = 0; i < 9; i++) u[i / 3][i % 3] = (double)node->local.m[i / 3 * 4 + i % 3];
  orthogonalize_columns(u, v);
  *above = (raw_node){.name = node->name, .parent = node->parent, .helper = true};
  *below = *node; /* with everything that the file stores in the node */
  below->has_rest = false;
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) {
      above->local.m[4 * r + c] = (float)u[r][c];
      below->local.m[4 * r + c] = (float)v[c][r];
    }
  for (int r = 0; r < 3; r++) {
    above->local.m[4 * r + 3] = node->local.m[4 * r + 3];
    below->local.m[4 * r + 3] = 0;
  }
}

/* A node that a clip moves is not sheared while it moves. */
static void leave_moved(const raw_model *raw, bool *sheared) {
  for (int c = 0; c < raw->clip_count; c++)
    for (int i = 0; i < raw->clips[c].track_count; i++) {
      const raw_track *track = raw->clips[c].tracks + i;
      if (track->kind != TRACK_MORPH) sheared[track->node] = false;
    }
}

bool split_shear(raw_model *raw) {
  bool *sheared = raw_alloc(raw, (size_t)raw->node_count, sizeof *sheared);
  int extra = 0;
  if (!sheared) return false;
  for (int i = 0; i < raw->node_count; i++) sheared[i] = is_sheared(&raw->nodes[i].local);
  leave_moved(raw, sheared);
  for (int i = 0; i < raw->node_count; i++) extra += sheared[i];
  if (extra == 0) return true;
  raw_node *nodes = raw_alloc(raw, (size_t)(raw->node_count + extra), sizeof *nodes);
  int32_t *map = raw_alloc(raw, (size_t)raw->node_count, sizeof *map);
  if (!nodes || !map) return false;
  int count = 0;
  for (int i = 0; i < raw->node_count; i++) {
    raw_node node = raw->nodes[i];
    if (node.parent >= 0) node.parent = map[node.parent];
    if (sheared[i]) split(&node, nodes + count, nodes + count + 1);
    else nodes[count] = node;
    if (sheared[i]) nodes[count + 1].parent = count;
    count += sheared[i] ? 2 : 1;
    map[i] = count - 1;
  }
  replace_nodes(raw, nodes, count, map);
  return raw_note_count(raw, extra,
                        "%d sheared {node has a helper joint above it|nodes have a helper joint above them}", extra);
}
