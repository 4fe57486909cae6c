#include "import/clip/clip_truth.h"

#include "base/error.h"
#include "base/memory/memory.h"

#include <math.h>

/* Moments per second; fewer if keys are further apart than 64 of them, or if there would be more than a million joints
 * at all moments together. */
static const double moment_rate = 240;
enum { MOMENTS_A_KEY = 64, MOST_PLACES = 1 << 20, FEWEST_MOMENTS = 480 };
/* Baked curves have at least this many keys per second, with lines between them: three moments between two keys come
 * within 3 % of the largest error, which is at 0.21 of the distance. */
static const double least_baked = 20;
enum { MOMENTS_BAKED = 4 };

int moments_first(track_kind kind) {
  return kind == TRACK_ROTATION ? MOMENTS_ROTATION : kind == TRACK_TRANSLATION ? MOMENTS_TRANSLATION : MOMENTS_SCALE;
}

double clip_truth_time(const clip_truth *truth, int moment) { return fmin(moment * truth->step, truth->duration); }

/* ---- which joints ---- */

static bool is_placed(const raw_track *track) { return track->kind != TRACK_MORPH && curve_moves(track); }

static void list_joints(clip_truth *t, const raw_clip *from, const model_desc *model) {
  for (int i = 0; i < model->joint_count; i++) t->slots[i] = -1;
  for (int i = 0; i < from->track_count; i++)
    if (from->tracks[i].kind != TRACK_MORPH) t->slots[from->tracks[i].node] = 0;
  for (int i = 0; i < model->joint_count; i++) {
    int parent = model->joints[i].parent, above = parent < 0 ? -1 : t->slots[parent];
    if (t->slots[i] < 0 && above < 0) continue;
    t->slots[i] = t->joint_count;
    t->joints[t->joint_count] = i;
    t->parents[t->joint_count++] = above;
  }
}

/* Places the parents of the topmost animated joints at rest. */
static void place_still(clip_truth *t, const model_desc *model, const clip_desc *clip, sinew_mat3x4 *joints) {
  sinew_mat3x4 root = sinew_mat3x4_from_transform(&model->root);
  for (int i = 0; i < model->joint_count; i++) {
    int parent = model->joints[i].parent, slot = t->slots[i];
    const sinew_mat3x4 *above = parent < 0 ? &root : joints + parent;
    sinew_mat3x4 local = sinew_mat3x4_from_transform(clip->base + i);
    joints[i] = sinew_mat3x4_multiply(above, &local);
    if (slot < 0) continue;
    moments_fill(t->still + slot, clip->base + i);
    for (int c = 0; c < 12; c++)
      for (int m = 0; m < MOMENTS; m++) t->above[slot].m[c][m] = above->m[c];
  }
}

/* ---- which moments ---- */

/* The keys per second of the track with the most, or 0 if a curve bends between its keys. */
static double baked_rate(const clip_truth *t, const raw_clip *from, double keys) {
  for (int i = 0; i < from->track_count; i++)
    if (from->tracks[i].interpolation == RAW_CUBIC) return 0;
  return t->duration > 0 ? (keys - 1) / t->duration : 0;
}

static void choose_moments(clip_truth *t, const raw_clip *from) {
  double keys = 0, rate = moment_rate;
  for (int i = 0; i < from->track_count; i++) keys = fmax(keys, from->tracks[i].key_count);
  double baked = baked_rate(t, from, keys);
  if (baked >= least_baked) rate = fmin(rate, MOMENTS_BAKED * baked);
  double most = fmin(MOMENTS_A_KEY * keys, (double)MOST_PLACES / fmax(t->joint_count, 1));
  double wanted = ceil(t->duration * rate - 1e-6) + 1;
  most = fmax(most, FEWEST_MOMENTS);
  t->moment_count = (int)fmin(wanted, most);
  t->step = wanted <= most ? 1 / rate : t->duration / (t->moment_count - 1);
}

/* ---- the curves ---- */

/* The last position in a curve: moments ascend. */
typedef struct follower {
  curve_cursor cursor;
  int key;
} follower;

/* Eight moments one by one. */
static void follow_moments(curve_cursor *cursor, const double *times, float (*to)[MOMENTS]) {
  double sooner = cursor->track->interpolation == RAW_STEP ? clip_same_time : 0;
  for (int m = 0; m < MOMENTS; m++) {
    double value[4];
    curve_cursor_value(cursor, times[m] + sooner, value);
    for (int k = 0; k < clip_kind_width(cursor->track->kind); k++) to[k][m] = (float)value[k];
  }
}

/* Evaluates eight moments at once, for a curve with lines between its keys. False if quaternions turn too far for that.
 */
static bool follow_lines(follower *f, const double *times, float (*to)[MOMENTS]) {
  const raw_track *track = f->cursor.track;
  const moments_kernels *kernels = moments_kernels_current();
  const float *a[MOMENTS], *b[MOMENTS];
  float part[MOMENTS];
  int width = clip_kind_width(track->kind), last = track->key_count - 1, key = f->key;
  if (track->interpolation != RAW_LINEAR) return false;
  for (int m = 0; m < MOMENTS; m++) {
    while (key < last && track->times[key + 1] <= times[m]) key++;
    double begin = track->times[key], away = times[m] - begin;
    a[m] = raw_key(track, key);
    b[m] = key < last ? raw_key(track, key + 1) : a[m];
    part[m] = key < last && away > 0 ? (float)(away / (track->times[key + 1] - begin)) : 0;
  }
  if (width == 4 && !kernels->arcs(a, b, part, to)) return false;
  if (width < 4) kernels->lines(a, b, width, part, NULL, to);
  f->key = key;
  return true;
}

static void follow_curves(const clip_truth *t, follower *followers, int count, double start, int first,
                          moments_transform *held) {
  double times[MOMENTS];
  for (int m = 0; m < MOMENTS; m++) times[m] = start + clip_truth_time(t, first + m);
  for (int i = 0; i < count; i++) {
    const raw_track *track = followers[i].cursor.track;
    float(*to)[MOMENTS] = held[t->slots[track->node]].v + moments_first(track->kind);
    if (!follow_lines(followers + i, times, to)) follow_moments(&followers[i].cursor, times, to);
  }
}

/* `longest` gets the square of each joint's largest scale. */
static bool place_moments(clip_truth *t, raw_model *raw, const raw_clip *from, double start,
                          float (*longest)[MOMENTS]) {
  const moments_kernels *kernels = moments_kernels_current();
  follower *followers = raw_alloc(raw, (size_t)from->track_count, sizeof *followers);
  moments_transform *held = raw_copy(raw, t->still, (size_t)t->joint_count, sizeof *held);
  float farthest[MOMENTS] = {0};
  if (!followers || !held) return false;
  int count = 0;
  for (int i = 0; i < from->track_count; i++)
    if (is_placed(from->tracks + i)) followers[count++].cursor = curve_cursor_make(from->tracks + i);
  for (int first = 0; first < t->moment_count; first += MOMENTS) {
    moments_matrix *positions = t->positions + (size_t)(first / MOMENTS) * (size_t)t->joint_count;
    follow_curves(t, followers, count, start, first, held);
    kernels->position(t->joint_count, t->parents, t->above, held, positions);
    kernels->stretch(t->joint_count, positions, longest, farthest);
  }
  for (int m = 0; m < MOMENTS; m++) t->farthest = fmax(t->farthest, sqrt((double)farthest[m]));
  return true;
}

/* ---- points beside the joints ---- */

static void find_shells(clip_truth *t, const clip_reach *reach, float (*longest)[MOMENTS]) {
  for (int i = 0; i < t->joint_count; i++) {
    double largest = 0;
    for (int m = 0; m < MOMENTS; m++) largest = fmax(largest, sqrt((double)longest[i][m]));
    t->shells[i] = (float)fmax(reach->skin[t->joints[i]], reach->shell / fmax(largest, 1e-6));
  }
}

/* ---- all ---- */

bool clip_truth_find(clip_truth *t, raw_model *raw, const raw_clip *from, const model_desc *model,
                     const clip_reach *reach, const clip_desc *clip) {
  size_t count = (size_t)model->joint_count;
  *t = (clip_truth){.duration = clip->duration};
  t->joints = raw_alloc(raw, count, sizeof *t->joints);
  t->parents = raw_alloc(raw, count, sizeof *t->parents);
  t->slots = raw_alloc(raw, count, sizeof *t->slots);
  sinew_mat3x4 *joints = raw_alloc(raw, count, sizeof *joints);
  if (!t->joints || !t->parents || !t->slots || !joints) return false;
  list_joints(t, from, model);
  t->above = raw_alloc(raw, (size_t)t->joint_count, sizeof *t->above);
  t->still = raw_alloc(raw, (size_t)t->joint_count, sizeof *t->still);
  t->shells = raw_alloc(raw, (size_t)t->joint_count, sizeof *t->shells);
  float(*longest)[MOMENTS] = raw_alloc(raw, (size_t)t->joint_count, sizeof *longest);
  if (!t->above || !t->still || !t->shells || !longest) return false;
  place_still(t, model, clip, joints);
  choose_moments(t, from);
  size_t batches = ((size_t)t->moment_count + MOMENTS - 1) / MOMENTS, positions = batches * (size_t)t->joint_count;
  t->positions = mem_alloc((positions + 1) * sizeof *t->positions); /* large, so freed as soon as this clip is done */
  if (!t->positions) return error_memory(raw->error, raw->path, positions * sizeof *t->positions);
  if (!place_moments(t, raw, from, clip->start, longest)) return false;
  find_shells(t, reach, longest);
  return true;
}

void clip_truth_reset(clip_truth *t) {
  mem_free(t->positions);
  *t = (clip_truth){0};
}

/* ---- the distance from a joint to the points that it moves, which turns an angle into a length ---- */

/* Metres. */
static const double least_reach = 1e-6;
/* A person's reach is about two metres, so this is a tenth of one. */
static const double shell_of_model = 0.05;

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

static double largest_scale(const sinew_mat3x4 *m) {
  return fmax(column_length(m, 0), fmax(column_length(m, 1), column_length(m, 2)));
}

static void reach_vertex(double *skin, const sinew_mat3x4 *bind, const float *p) {
  sinew_vec3 v = sinew_mat3x4_transform_point(bind, (sinew_vec3){p[0], p[1], p[2]});
  double away = sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z);
  if (isfinite(away) && away > *skin) *skin = away;
}

static void reach_mesh(const raw_mesh *mesh, double *skin) {
  sinew_mat3x4 identity = sinew_mat3x4_identity();
  for (int b = 0; b < mesh->bone_count; b++) {
    const raw_bone *bone = mesh->bones + b;
    for (int w = 0; bone->node >= 0 && w < bone->weight_count; w++)
      reach_vertex(skin + bone->node, &bone->inverse_bind, mesh->positions + (size_t)bone->weights[w].vertex * 3);
  }
  for (int v = 0; mesh->bone_count == 0 && mesh->node >= 0 && v < mesh->vertex_count; v++)
    reach_vertex(skin + mesh->node, &identity, mesh->positions + (size_t)v * 3);
}

/* Computes the distance from each joint to the farthest point that it moves; a joint moves points at least `least`
 * beside it. Returns the largest. */
static double reach_nodes(const model_desc *model, const sinew_mat3x4 *joints, const double *skin, double least,
                          double *node) {
  double largest = least;
  for (int i = 0; i < model->joint_count; i++) {
    double skinned = skin[i] * largest_scale(joints + i);
    node[i] = isfinite(skinned) ? fmax(skinned, least) : least;
  }
  for (int i = model->joint_count - 1; i >= 0; i--) {
    int parent = model->joints[i].parent;
    largest = fmax(largest, node[i]);
    if (parent >= 0) node[parent] = fmax(node[parent], node[i] + distance(joints + parent, joints + i));
  }
  return largest;
}

/* A joint without a length, or with one too small to divide by, moves nothing visible: any unit will do. */
static void find_stretch(const model_desc *model, const sinew_mat3x4 *joints, double *stretch) {
  sinew_mat3x4 root = sinew_mat3x4_from_transform(&model->root);
  for (int i = 0; i < model->joint_count; i++) {
    int parent = model->joints[i].parent;
    double scale = largest_scale(parent < 0 ? &root : joints + parent);
    stretch[i] = scale > 1e-12 && isfinite(scale) ? scale : 1;
  }
}

bool clip_reach_find(raw_model *raw, const model_desc *model, clip_reach *reach) {
  double *node = raw_alloc(raw, (size_t)model->joint_count, sizeof *node);
  double *skin = raw_alloc(raw, (size_t)model->joint_count, sizeof *skin);
  double *stretch = raw_alloc(raw, (size_t)model->joint_count, sizeof *stretch);
  sinew_mat3x4 *joints = rest_joints(raw, model);
  if (!node || !skin || !stretch || !joints) return false;
  for (int m = 0; m < raw->mesh_count; m++) reach_mesh(raw->meshes + m, skin);
  *reach = (clip_reach){.skin = skin, .node = node, .stretch = stretch};
  reach->model = reach_nodes(model, joints, skin, least_reach, node);
  if (!(reach->model > least_reach)) reach->model = 1; /* all joints are at one point, so there is no size */
  reach->shell = shell_of_model * reach->model;
  reach_nodes(model, joints, skin, reach->shell, node);
  find_stretch(model, joints, stretch);
  return true;
}
