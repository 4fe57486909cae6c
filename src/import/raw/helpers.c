#include "import/raw/helpers.h"

#include <math.h>

void replace_nodes(raw_model *raw, raw_node *nodes, int count, const int32_t *map) {
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
