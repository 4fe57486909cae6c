#include "import/source/fbx/curves/fbx_clips.h"

#include "import/source/fbx/curves/fbx_sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the lines between keys may be off, as a part of the model's size: less than clips are allowed on the whole. */
static const double tolerance_of_size = 2e-5;
static const double most_rotation_error = 4e-4;
enum { MOST_MOMENTS = 1 << 18 };

typedef struct maker {
  fbx_scene *scene;
  const fbx_skeleton *skeleton;
  const fbx_stack *stack;
  double size;          /* of the model, the file's units */
  const double *scales; /* by joint: how much its parents stretch what it moves */
  const double *reach;  /* by joint: how far from it something hangs */
  bool *scale_moves;    /* by joint: whether the stack moves its effective scale */
  int64_t *moments;     /* MOST_MOMENTS */
  raw_clip *clip;
} maker;

/* ---- even scales ---- */

static bool is_even(const double *s) {
  double most = fmax(fabs(s[0]), fmax(fabs(s[1]), fabs(s[2])));
  return fabs(s[0] - s[1]) <= 1e-6 * most && fabs(s[0] - s[2]) <= 1e-6 * most;
}

static bool is_even_in(const fbx_stack *stack, const fbx_joint *joint) {
  int64_t moments[64];
  size_t count = fbx_stack_moments(stack, joint->object, FBX_SCALE, moments, 0, 62);
  moments[count++] = stack->start;
  moments[count++] = stack->stop;
  for (size_t i = 0; i < 2 * count; i++) {
    double scale[3];
    int64_t time = moments[i / 2] + (i % 2 ? (stack->stop - stack->start) / 257 : 0);
    memcpy(scale, joint->rest.value[FBX_SCALE], sizeof scale);
    fbx_stack_value(stack, joint->object, FBX_SCALE, time, FBX_AT, scale);
    if (!is_even(scale)) return false;
  }
  return true;
}

void fbx_find_even_scales(const fbx_animation *animation, fbx_skeleton *skeleton) {
  for (int i = 0; i < skeleton->count; i++) {
    fbx_joint *joint = skeleton->joints + i;
    joint->even = is_even(joint->rest.value[FBX_SCALE]);
    for (int k = 0; joint->even && k < animation->count; k++)
      if (fbx_first_animated(animation->stacks + k, joint->object, FBX_SCALE))
        joint->even = is_even_in(animation->stacks + k, joint);
  }
}

/* ---- joints ---- */

typedef struct moment_of {
  const maker *m;
  int64_t time;
  fbx_side side;
} moment_of;

static void local_at(const void *user, int joint, bool scale_only, fbx_local *local) {
  const moment_of *at = user;
  const fbx_joint *j = at->m->skeleton->joints + joint;
  *local = j->rest;
  for (int i = scale_only ? FBX_SCALE : 0; i < FBX_CHANNEL_COUNT; i++)
    fbx_stack_value(at->m->stack, j->object, i, at->time, at->side, local->value[i]);
}

typedef struct joint_function {
  const maker *m;
  int joint;
  bool rotates, moves, scales, helper_scales;
} joint_function;

static void joint_value(const void *user, int64_t time, fbx_side side, double *out, double *angles) {
  const joint_function *f = user;
  moment_of at = {f->m, time, side};
  fbx_placed p = fbx_place(f->m->skeleton, f->joint, f->m->scale_moves, local_at, &at);
  memcpy(angles, p.angles, sizeof p.angles);
  if (f->rotates) memcpy(out, p.rotation, sizeof p.rotation), out += 4;
  if (f->moves) memcpy(out, p.translation, sizeof p.translation), out += 3;
  if (f->scales) memcpy(out, p.scale, sizeof p.scale), out += 3;
  if (f->helper_scales) memcpy(out, p.helper_scale, sizeof p.helper_scale);
}

static bool has(const maker *m, int joint, int target) {
  return fbx_first_animated(m->stack, m->skeleton->joints[joint].object, target) != NULL;
}

/* Adds the moments of all curves that move a joint's effective scale; none where nothing does. */
static size_t scale_moments(const maker *m, int joint, size_t count) {
  for (int j = joint; j >= 0 && m->scale_moves[j]; j = m->skeleton->joints[j].scale_from)
    count = fbx_stack_moments(m->stack, m->skeleton->joints[j].object, FBX_SCALE, m->moments, count, MOST_MOMENTS - 2);
  return count;
}

static bool scale_moves(const maker *m, int joint) { return joint >= 0 && m->scale_moves[joint]; }

/* Parents come before their children. */
static void find_moving_scales(const maker *m) {
  for (int i = 0; i < m->skeleton->count; i++)
    m->scale_moves[i] = has(m, i, FBX_SCALE) || scale_moves(m, m->skeleton->joints[i].scale_from);
}

static int compare_times(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static size_t sort_moments(const maker *m, size_t count) {
  size_t kept = 0;
  m->moments[count++] = m->stack->start;
  m->moments[count++] = m->stack->stop;
  qsort(m->moments, count, sizeof *m->moments, compare_times);
  for (size_t i = 0; i < count; i++)
    if (kept == 0 || m->moments[i] > m->moments[kept - 1]) m->moments[kept++] = m->moments[i];
  return kept;
}

static int list_parts(const joint_function *f, fbx_part *parts) {
  const maker *m = f->m;
  const fbx_joint *joint = m->skeleton->joints + f->joint;
  double reach = fmax(m->reach[f->joint], 1e-9 * m->size), length = tolerance_of_size * m->size;
  double angle = fmin(length / reach, most_rotation_error);
  int n = 0, above = joint->helper >= 0 ? joint->helper : joint->node;
  if (f->rotates) parts[n++] = (fbx_part){TRACK_ROTATION, joint->node, 0, angle};
  if (f->moves) parts[n++] = (fbx_part){TRACK_TRANSLATION, above, 0, length / m->scales[f->joint]};
  if (f->scales) parts[n++] = (fbx_part){TRACK_SCALE, joint->node, 0, angle};
  if (f->helper_scales) parts[n++] = (fbx_part){TRACK_SCALE, joint->helper, 0, angle};
  return n;
}

static bool make_joint(const maker *m, int index) {
  const fbx_joint *joint = m->skeleton->joints + index;
  joint_function f = {.m = m, .joint = index};
  bool own[FBX_CHANNEL_COUNT], above = joint->relative && scale_moves(m, joint->parent);
  bool whole = scale_moves(m, joint->scale_from);
  size_t count = 0;
  for (int i = 0; i < FBX_CHANNEL_COUNT; i++) {
    own[i] = has(m, index, i);
    count = fbx_stack_moments(m->stack, joint->object, i, m->moments, count, MOST_MOMENTS - 2);
  }
  if (above) count = scale_moments(m, joint->parent, count);
  if (whole) count = scale_moments(m, joint->scale_from, count);
  f.rotates = own[FBX_ROTATION];
  f.moves = own[FBX_TRANSLATION] || (joint->pivots.moves && (own[FBX_ROTATION] || own[FBX_SCALE]));
  f.scales = own[FBX_SCALE] || whole || (above && joint->helper < 0);
  f.helper_scales = above && joint->helper >= 0;
  if (!f.rotates && !f.moves && !f.scales && !f.helper_scales) return true;
  fbx_part parts[4];
  fbx_function function = {.value = joint_value, .user = &f, .parts = parts, .part_count = list_parts(&f, parts)};
  function.straight = !f.rotates && !above && !whole && !joint->pivots.moves;
  for (int i = 0; i < FBX_CHANNEL_COUNT; i++) function.straight &= fbx_stack_is_straight(m->stack, joint->object, i);
  return fbx_sample(m->scene, m->clip, &function, m->moments, sort_moments(m, count));
}

/* ---- morph weights ---- */

typedef struct channel_function {
  const maker *m;
  const fbx_blend_channel *channel;
  int shape;
} channel_function;

static void channel_value(const void *user, int64_t time, fbx_side side, double *out, double *angles) {
  const channel_function *f = user;
  const fbx_scene *scene = f->m->scene;
  double percent = fbx_rest_percent(scene, scene->objects + f->channel->object), weights[64];
  fbx_stack_value(f->m->stack, f->channel->object, FBX_PERCENT, time, side, &percent);
  fbx_shape_weights(f->channel->full, f->channel->count, percent, weights);
  out[0] = weights[f->shape];
  angles[0] = angles[1] = angles[2] = 0;
}

static double percent_at(const maker *m, const fbx_blend_channel *channel, int64_t time) {
  double percent = fbx_rest_percent(m->scene, m->scene->objects + channel->object);
  fbx_stack_value(m->stack, channel->object, FBX_PERCENT, time, FBX_AT, &percent);
  return percent;
}

/* When the percentage passes a value that it has another side of at the two moments. */
static int64_t find_passing(const maker *m, const fbx_blend_channel *channel, int64_t from, int64_t to, double value) {
  bool above = percent_at(m, channel, from) > value;
  while (to - from > 1) {
    int64_t middle = from + (to - from) / 2;
    if ((percent_at(m, channel, middle) > value) == above) from = middle;
    else to = middle;
  }
  return to;
}

/* In-betweens share a percentage in another way from each of them on: weights have a kink there. Looked for in eighths
 * of the time between two moments. */
static size_t add_kinks(const maker *m, const fbx_blend_channel *channel, size_t count) {
  enum { PARTS = 8 };
  size_t before = count;
  for (size_t i = 0; channel->count > 1 && i + 1 < before; i++)
    for (int part = 0; part < PARTS; part++) {
      int64_t from = m->moments[i], length = m->moments[i + 1] - from;
      int64_t a = from + length / PARTS * part, b = part + 1 < PARTS ? a + length / PARTS : from + length - 1;
      double at = percent_at(m, channel, a), to = percent_at(m, channel, b);
      for (int k = -1; k < channel->count && count < MOST_MOMENTS - 2; k++) {
        double kink = k < 0 ? 0 : channel->full[k];
        if ((at > kink) != (to > kink)) m->moments[count++] = find_passing(m, channel, a, b, kink);
      }
    }
  return count > before ? sort_moments(m, count) : count;
}

static bool make_channel(const maker *m, const fbx_blend_channel *channel) {
  if (!fbx_first_animated(m->stack, channel->object, FBX_PERCENT)) return true;
  size_t count = fbx_stack_moments(m->stack, channel->object, FBX_PERCENT, m->moments, 0, MOST_MOMENTS - 2);
  count = add_kinks(m, channel, sort_moments(m, count));
  double tolerance = tolerance_of_size * m->size / fmax(channel->largest, 1e-9 * m->size);
  for (int i = 0; i < channel->count; i++) {
    channel_function f = {m, channel, i};
    fbx_part part = {TRACK_MORPH, channel->mesh, channel->first + i, fmax(1e-6, fmin(tolerance, 1e-3))};
    fbx_function function = {.value = channel_value, .user = &f, .parts = &part, .part_count = 1};
    function.straight = channel->count == 1 && fbx_stack_is_straight(m->stack, channel->object, FBX_PERCENT);
    if (!fbx_sample(m->scene, m->clip, &function, m->moments, count)) return false;
  }
  return true;
}

/* ---- sizes ---- */

/* Where the joints rest, whole, by rows; and how much each stretches what hangs from it. */
static void find_places(const raw_model *raw, double (*places)[12]) {
  for (int i = 0; i < raw->node_count; i++) {
    double local[12];
    int parent = raw->nodes[i].parent;
    for (int k = 0; k < 12; k++) local[k] = (double)raw->nodes[i].local.m[k];
    if (parent < 0) memcpy(places[i], local, sizeof local);
    else fbx_matrix_multiply(places[parent], local, places[i]);
  }
}

static double column_length(const double *m) {
  double longest = 0;
  for (int c = 0; c < 3; c++) longest = fmax(longest, m[c] * m[c] + m[4 + c] * m[4 + c] + m[8 + c] * m[8 + c]);
  return sqrt(longest);
}

static void widen(double *low, double *high, const double *p) {
  for (int k = 0; k < 3; k++) low[k] = fmin(low[k], p[k]), high[k] = fmax(high[k], p[k]);
}

/* The box of all joints and all meshes; meshes that are bound are taken as they were modelled. */
static double find_size(const raw_model *raw, double (*places)[12]) {
  double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, size = 0;
  for (int i = 0; i < raw->node_count; i++) widen(low, high, (double[]){places[i][3], places[i][7], places[i][11]});
  for (int m = 0; m < raw->mesh_count; m++) {
    const raw_mesh *mesh = raw->meshes + m;
    const double *at = mesh->node >= 0 && mesh->bone_count == 0 ? places[mesh->node] : NULL;
    for (int v = 0; v < mesh->vertex_count; v++) {
      const float *p = mesh->positions + 3 * (size_t)v;
      double x = (double)p[0], y = (double)p[1], z = (double)p[2], point[3] = {x, y, z};
      for (int k = 0; at && k < 3; k++)
        point[k] = at[4 * k] * x + at[4 * k + 1] * y + at[4 * k + 2] * z + at[4 * k + 3];
      widen(low, high, point);
    }
  }
  for (int k = 0; k < 3; k++) size = fmax(size, high[k] - low[k]);
  return isfinite(size) && size > 0 ? size : 1;
}

static double distance(const double *a, const double *b) {
  double x = a[3] - b[3], y = a[7] - b[7], z = a[11] - b[11];
  return sqrt(x * x + y * y + z * z);
}

/* What is bound to nothing is compared a twentieth of the model beside its joint, as clips do it. */
static const double least_reach = 0.05;

/* How far from a bone its vertices are, in the model's units. */
static double bone_reach(const raw_mesh *mesh, const raw_bone *bone, double scale) {
  float farthest = 0;
  for (int i = 0; i < bone->weight_count; i++) {
    const float *p = mesh->positions + 3 * (size_t)bone->weights[i].vertex;
    sinew_vec3 v = sinew_mat3x4_transform_point(&bone->inverse_bind, (sinew_vec3){p[0], p[1], p[2]});
    farthest = fmaxf(farthest, v.x * v.x + v.y * v.y + v.z * v.z);
  }
  return scale * sqrt((double)farthest);
}

/* By raw node, or NULL when memory is out. */
static double *find_skins(const maker *m, double (*places)[12]) {
  const raw_model *raw = m->scene->raw;
  double *skins = fbx_take(m->scene->file, (size_t)raw->node_count, sizeof *skins);
  for (int i = 0; skins && i < raw->mesh_count; i++)
    for (int b = 0; b < raw->meshes[i].bone_count; b++) {
      int node = raw->meshes[i].bones[b].node;
      if (node < 0) continue;
      double far = bone_reach(raw->meshes + i, raw->meshes[i].bones + b, column_length(places[node]));
      skins[node] = fmin(fmax(skins[node], far), m->size);
    }
  return skins;
}

/* Children are behind their parents: from the last joint on, each hands its reach up. */
static void find_reach(const maker *m, double (*places)[12], const double *skins, double *scales, double *reach) {
  const fbx_skeleton *k = m->skeleton;
  for (int i = 0; i < k->count; i++) {
    const raw_node *node = m->scene->raw->nodes + k->joints[i].node;
    reach[i] = node->has_mesh ? m->size : fmax(least_reach * m->size, skins[k->joints[i].node]);
    int above = k->joints[i].parent < 0 ? -1 : k->joints[k->joints[i].parent].node;
    scales[i] = above < 0 ? 1 : fmax(column_length(places[above]), 1e-9);
  }
  for (int i = k->count - 1; i > 0; i--) {
    int parent = k->joints[i].parent;
    if (parent < 0) continue;
    double far = reach[i] + distance(places[k->joints[i].node], places[k->joints[parent].node]);
    reach[parent] = fmax(reach[parent], fmin(far, 4 * m->size));
  }
}

static bool open_maker(maker *m, fbx_scene *scene, const fbx_skeleton *skeleton) {
  const raw_model *raw = scene->raw;
  double(*places)[12] = fbx_take(scene->file, (size_t)raw->node_count, sizeof *places);
  double *scales = fbx_take(scene->file, (size_t)skeleton->count, sizeof *scales);
  double *reach = fbx_take(scene->file, (size_t)skeleton->count, sizeof *reach);
  *m = (maker){.scene = scene, .skeleton = skeleton, .scales = scales, .reach = reach};
  m->moments = fbx_take(scene->file, MOST_MOMENTS, sizeof *m->moments);
  m->scale_moves = fbx_take(scene->file, (size_t)skeleton->count, sizeof *m->scale_moves);
  if (!places || !scales || !reach || !m->moments || !m->scale_moves) return false;
  find_places(raw, places);
  m->size = find_size(raw, places);
  double *skins = find_skins(m, places);
  if (skins) find_reach(m, places, skins, scales, reach);
  return skins != NULL;
}

/* ---- clips ---- */

static bool make_clip(maker *m, const fbx_blends *blends) {
  raw_model *raw = m->scene->raw;
  m->clip = raw_grow(raw, (void **)&raw->clips, &raw->clip_count, &raw->clip_capacity, sizeof *raw->clips);
  if (!m->clip) return false;
  *m->clip = (raw_clip){.name = raw_string(raw, m->stack->name)};
  if (!m->clip->name) return false;
  find_moving_scales(m);
  for (int i = 0; i < m->skeleton->count; i++)
    if (!make_joint(m, i)) return false;
  for (int i = 0; i < blends->count; i++)
    if (!make_channel(m, blends->items + i)) return false;
  return true;
}

bool fbx_make_clips(fbx_scene *scene, const fbx_animation *animation, const fbx_skeleton *skeleton,
                    const fbx_blends *blends) {
  maker m;
  if (animation->count == 0) return true;
  if (!open_maker(&m, scene, skeleton)) return false;
  for (int i = 0; i < animation->count; i++) {
    m.stack = animation->stacks + i;
    if (m.stack->item_count && !make_clip(&m, blends)) return false;
  }
  return true;
}
