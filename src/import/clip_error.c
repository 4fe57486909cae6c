#include "import/clip_error.h"

#include "model/clip_pack.h"

#include <math.h>
#include <string.h>

/* ---- reach ---- */

static double distance(const sinew_mat3x4 *a, const sinew_mat3x4 *b) {
  double x = (double)a->m[3] - (double)b->m[3], y = (double)a->m[7] - (double)b->m[7];
  double z = (double)a->m[11] - (double)b->m[11];
  return sqrt(x * x + y * y + z * z);
}

static sinew_mat3x4 *rest_joints(raw_model *raw, const model_desc *model) {
  sinew_mat3x4 *joints = raw_alloc(raw, (size_t)model->joint_count, sizeof *joints);
  sinew_mat3x4 root = sinew_mat3x4_from_transform(&model->root);
  for (int i = 0; joints && i < model->joint_count; i++) {
    const joint_desc *joint = model->joints + i;
    sinew_mat3x4 local = sinew_mat3x4_from_transform(&joint->rest);
    joints[i] = sinew_mat3x4_multiply(joint->parent < 0 ? &root : joints + joint->parent, &local);
  }
  return joints;
}

static double column_length(const sinew_mat3x4 *m, int c) {
  return sqrt((double)m->m[c] * (double)m->m[c] + (double)m->m[4 + c] * (double)m->m[4 + c] +
              (double)m->m[8 + c] * (double)m->m[8 + c]);
}

/* The farthest vertex from a joint, in the joint's own space times its scale. */
static void reach_vertex(double *node, const sinew_mat3x4 *joint, const sinew_mat3x4 *bind, const float *p) {
  sinew_vec3 v = sinew_mat3x4_transform_point(bind, (sinew_vec3){p[0], p[1], p[2]});
  double scale = fmax(column_length(joint, 0), fmax(column_length(joint, 1), column_length(joint, 2)));
  double away = scale * sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z);
  if (isfinite(away) && away > *node) *node = away;
}

static void reach_mesh(const raw_mesh *mesh, const sinew_mat3x4 *joints, double *node) {
  sinew_mat3x4 identity = sinew_mat3x4_identity();
  for (int b = 0; b < mesh->bone_count; b++) {
    const raw_bone *bone = mesh->bones + b;
    for (int w = 0; bone->node >= 0 && w < bone->weight_count; w++)
      reach_vertex(node + bone->node, joints + bone->node, &bone->inverse_bind,
                   mesh->positions + (size_t)bone->weights[w].vertex * 3);
  }
  for (int v = 0; mesh->bone_count == 0 && mesh->node >= 0 && v < mesh->vertex_count; v++)
    reach_vertex(node + mesh->node, joints + mesh->node, &identity, mesh->positions + (size_t)v * 3);
}

bool clip_reach_find(raw_model *raw, const model_desc *model, clip_reach *reach) {
  double *node = raw_alloc(raw, (size_t)model->joint_count, sizeof *node);
  sinew_mat3x4 *joints = rest_joints(raw, model);
  *reach = (clip_reach){node, 1e-6};
  if (!node || !joints) return false;
  for (int m = 0; m < raw->mesh_count; m++) reach_mesh(raw->meshes + m, joints, node);
  for (int i = model->joint_count - 1; i >= 0; i--) {
    int parent = model->joints[i].parent;
    node[i] = fmax(node[i], 1e-6);
    reach->model = fmax(reach->model, node[i]);
    if (parent >= 0) node[parent] = fmax(node[parent], node[i] + distance(joints + parent, joints + i));
  }
  return true;
}

/* ---- error ---- */

typedef struct comparison {
  const raw_track **moving;
  int moving_count;
  const model_desc *model;
  const clip_desc *clip;
  clip_table_desc rounded[CLIP_MAX_TABLES];
  sinew_transform *source, *kept; /* of each joint, relative to its parent */
  double shell;
} comparison;

static void set_value(sinew_transform *t, track_kind kind, const double *v) {
  sinew_vec3 vector = {(float)v[0], (float)v[1], (float)v[2]};
  if (kind == TRACK_ROTATION) t->rotation = (sinew_quat){vector.x, vector.y, vector.z, (float)v[3]};
  else if (kind == TRACK_TRANSLATION) t->translation = vector;
  else t->scale = vector;
}

static void follow_curves(const comparison *c, double time) {
  for (int i = 0; i < c->moving_count; i++) {
    const raw_track *track = c->moving[i];
    double value[4] = {0};
    curve_value(track, time, value);
    set_value(c->source + track->node, track->kind, value);
  }
}

static int find_row(const clip_table_desc *table, float time) {
  int low = 0, high = table->row_count - 1;
  while (low < high) {
    int middle = low + (high - low + 1) / 2;
    if (table->times[middle] <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

static void follow_table(const comparison *c, const clip_table_desc *table, double time) {
  int row = find_row(table, (float)time), next = row + 1 < table->row_count ? row + 1 : row;
  double span = (double)table->times[next] - (double)table->times[row];
  double w = span > 0 ? fmin(fmax((time - (double)table->times[row]) / span, 0), 1) : 0;
  for (int i = 0; i < table->track_count; i++) {
    const clip_track *track = table->tracks + i;
    const float *a = table->rows + (size_t)row * (size_t)table->row_size + track->offset;
    const float *b = table->rows + (size_t)next * (size_t)table->row_size + track->offset;
    double value[4] = {0};
    if (track->kind == TRACK_MORPH) continue;
    for (int k = 0; k < track_width(track->kind); k++)
      value[k] = (double)a[k] + (track->hold ? 0 : w) * ((double)b[k] - (double)a[k]);
    set_value(c->kept + track->joint, track->kind, value);
  }
}

/* The farthest that a point on the shell about a joint, or the joint itself, is from the same point of the other. */
static double joint_error(const sinew_mat3x4 *a, const sinew_mat3x4 *b, double shell) {
  double worst = distance(a, b);
  for (int column = 0; column < 3; column++) {
    double sum = 0, length = fmax(column_length(a, column), 1e-12);
    for (int r = 0; r < 3; r++) {
      double moved = (double)a->m[4 * r + 3] - (double)b->m[4 * r + 3];
      double turned = ((double)a->m[4 * r + column] - (double)b->m[4 * r + column]) / length;
      sum += (moved + shell * turned) * (moved + shell * turned);
    }
    worst = fmax(worst, sqrt(sum));
  }
  return worst;
}

static double pose_error(const comparison *c, sinew_mat3x4 *source, sinew_mat3x4 *kept) {
  sinew_mat3x4 root = sinew_mat3x4_from_transform(&c->model->root);
  double worst = 0;
  for (int i = 0; i < c->model->joint_count; i++) {
    int parent = c->model->joints[i].parent;
    sinew_mat3x4 a = sinew_mat3x4_from_transform(c->source + i), b = sinew_mat3x4_from_transform(c->kept + i);
    source[i] = sinew_mat3x4_multiply(parent < 0 ? &root : source + parent, &a);
    kept[i] = sinew_mat3x4_multiply(parent < 0 ? &root : kept + parent, &b);
    worst = fmax(worst, joint_error(source + i, kept + i, c->shell));
  }
  return worst;
}

static bool find_moving(raw_model *raw, const raw_clip *from, comparison *c) {
  c->moving = raw_alloc(raw, (size_t)from->track_count, sizeof *c->moving);
  for (int i = 0; c->moving && i < from->track_count; i++)
    if (from->tracks[i].kind != TRACK_MORPH && curve_moves(from->tracks + i))
      c->moving[c->moving_count++] = from->tracks + i;
  return c->moving != NULL;
}

static bool round_tables(raw_model *raw, comparison *c) {
  for (int i = 0; i < c->clip->table_count; i++) {
    clip_table_desc *table = c->rounded + i;
    *table = c->clip->tables[i];
    float *rows = raw_copy(raw, table->rows, (size_t)table->row_count * (size_t)table->row_size, sizeof *rows);
    if (!rows) return false;
    clip_table_round(&c->clip->tables[i], rows);
    table->rows = rows;
  }
  return true;
}

bool clip_error_measure(raw_model *raw, const raw_clip *from, const model_desc *model, const clip_reach *reach,
                        const clip_desc *clip, double *error) {
  size_t count = (size_t)model->joint_count;
  /* A person's reach is about two metres, so a tenth of a metre is a twentieth. */
  comparison c = {.model = model, .clip = clip, .shell = reach->model / 20};
  c.source = raw_copy(raw, clip->base, count, sizeof *c.source);
  c.kept = raw_copy(raw, clip->base, count, sizeof *c.kept);
  sinew_mat3x4 *joints = raw_alloc(raw, count * 2, sizeof *joints);
  if (!c.source || !c.kept || !joints || !find_moving(raw, from, &c) || !round_tables(raw, &c)) return false;
  int moments = (int)fmin(fmax(clip->duration * 240, 1), 480);
  *error = 0;
  for (int i = 0; i <= moments; i++) {
    double time = clip->duration * i / moments;
    follow_curves(&c, clip->start + time);
    for (int t = 0; t < clip->table_count; t++) follow_table(&c, c.rounded + t, time);
    *error = fmax(*error, pose_error(&c, joints, joints + count));
  }
  /* Products over a chain of huge scales are no lengths. */
  if (!(*error < 1e30)) *error = -1;
  return true;
}
