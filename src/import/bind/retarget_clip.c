/* Retargets a clip: transfers the source's whole pose at the times of its keys, and at more times where rotations do
 * not follow the shortest arc. */
#include "import/bind/bind.h"

#include "base/memory/memory.h"
#include "import/raw/curve.h"
#include "math/quat.h"
#include "math/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_HALVINGS = 6, CUBIC_HALVINGS = 3 };

/* Radians, and the fraction of a step's length, by which a straight line may be off. */
static const float straight_enough = 1e-3f;

typedef struct column {
  track_kind kind;
  int joint, offset; /* ours; in a frame */
} column;

typedef struct resampler {
  const binding *b;
  const raw_clip *clip;
  uint8_t *moves;  /* of their joints, in this clip */
  sinew_vec3 lift; /* of the whole clip, in their model space */
  sinew_transform *theirs, *theirs_model, *ours, *ours_model;
  column *columns;
  int column_count, frame_size;
  bool steps, cubic;
  double *times; /* of the frames */
  float *frames;
  int frame_count, frame_capacity;
  float *halves[MOST_HALVINGS]; /* a frame for each depth */
} resampler;

/* ---- the pose at a moment ---- */

static void pose_at(const resampler *r, double time) {
  raw_pose(&r->b->theirs, r->clip, time, r->theirs, r->theirs_model);
  for (int i = 1; i < r->b->theirs.count; i++)
    r->theirs_model[i].translation = vec3_add(r->theirs_model[i].translation, r->lift);
  retarget_apply(&r->b->plan, r->theirs_model, r->ours, r->ours_model);
  retarget_legs_apply(&r->b->legs, &r->b->plan, r->theirs_model, r->ours, r->ours_model);
}

/* A clip that wades through the ground of its own file is lifted out of it, unless it goes down on purpose. */
static void find_lift(resampler *r) {
  enum { MOMENTS = 32 };
  static const float shallow = 0.01f, deep = 0.1f; /* of a leg */
  const binding *b = r->b;
  double first, last;
  float most = 0;
  if (b->legs.count == 0 || !raw_clip_span(r->clip, &first, &last)) return;
  for (int i = 0; i < MOMENTS; i++) {
    pose_at(r, first + (last - first) * i / (MOMENTS - 1));
    most = fmaxf(most, -retarget_legs_height(&b->legs, &b->plan, r->theirs_model));
  }
  if (most <= shallow || most > deep) return;
  sinew_vec3 up = {0, (most - shallow) * retarget_legs_length(&b->legs, r->theirs_model), 0};
  r->lift = quat_rotate(quat_conjugate(b->plan.rotation), up);
}

static void sample_frame(const resampler *r, double time, float *frame) {
  pose_at(r, time);
  for (int i = 0; i < r->column_count; i++) {
    const column *c = r->columns + i;
    const sinew_transform *t = r->ours + c->joint;
    if (c->kind == TRACK_ROTATION) memcpy(frame + c->offset, &t->rotation, sizeof t->rotation);
    else memcpy(frame + c->offset, &t->translation, sizeof t->translation);
    for (int k = c->offset; k < c->offset + clip_kind_width(c->kind); k++) frame[k] = raw_bounded(frame[k]);
  }
}

/* ---- finding our joints that move ---- */

static int matched_above(const binding *b, int ours) {
  do ours = b->ours.parents[ours];
  while (ours > 0 && b->plan.joints[ours].source < 0);
  return ours;
}

/* How the clip moves the joint's partner, and the joints between that and the next partner above. */
static int moves_of(const resampler *r, int ours) {
  const binding *b = r->b;
  int above = matched_above(b, ours), end = above > 0 ? b->plan.joints[above].source : 0, moves = 0;
  int source = b->plan.joints[ours].source;
  for (int i = source; i > end; i = b->theirs.parents[i]) {
    moves |= r->moves[i];
    if (i != source && r->moves[i] & MOVE_ROTATION) moves |= MOVE_TRANSLATION;
  }
  return moves;
}

/* A joint that the clip does not animate takes its partner's rest pose if that differs from its own, and if the clip
 * moves something above or below it: a clip from a T-pose that never keys the upper arm means that the arm is level. */
static bool needs_rest(const resampler *r, const uint8_t *animated, int ours) {
  sinew_quat rest = r->b->ours.rest[ours].rotation, other = r->ours[ours].rotation;
  if (fabsf(quat_dot(rest, other)) > 1 - 1e-6f) return false;
  for (int above = r->b->ours.parents[ours]; above > 0; above = r->b->ours.parents[above])
    if (animated[above]) return true;
  for (int below = ours + 1; below < r->b->ours.count; below++)
    if (animated[below] && skeleton_is_above(&r->b->ours, ours, below)) return true;
  return false;
}

static void add_column(resampler *r, track_kind kind, int joint) {
  r->columns[r->column_count++] = (column){kind, joint, r->frame_size};
  r->frame_size += clip_kind_width(kind);
}

/* Inverse kinematics moves a whole leg where the clip moves any of it, or what carries it. */
static void animate_legs(const resampler *r, uint8_t *animated) {
  const binding *b = r->b;
  bool moves = false;
  for (int leg = 0; leg < b->legs.count; leg++)
    for (int i = b->legs.legs[leg].foot; i > 0; i = b->ours.parents[i]) moves |= animated[i] != 0;
  for (int leg = 0; leg < b->legs.count && moves; leg++) {
    const retarget_leg *l = b->legs.legs + leg;
    animated[l->thigh] |= MOVE_ROTATION, animated[l->shin] |= MOVE_ROTATION, animated[l->foot] |= MOVE_ROTATION;
  }
}

static bool choose_columns(resampler *r) {
  const binding *b = r->b;
  uint8_t *animated = raw_alloc(b->raw, (size_t)b->ours.count, 1);
  r->columns = raw_alloc(b->raw, 2 * (size_t)b->ours.count, sizeof *r->columns);
  if (!animated || !r->columns) return false;
  for (int i = 1; i < b->ours.count; i++)
    if (b->plan.joints[i].source >= 0) animated[i] = (uint8_t)(moves_of(r, i) & (MOVE_ROTATION | MOVE_TRANSLATION));
  animate_legs(r, animated);
  retarget_apply(&b->plan, b->their_rest, r->ours, r->ours_model);
  for (int i = 1; i < b->ours.count; i++) {
    const retarget_joint *joint = b->plan.joints + i;
    if (joint->source < 0) continue;
    if (animated[i] & MOVE_ROTATION || needs_rest(r, animated, i)) add_column(r, TRACK_ROTATION, i);
    if (joint->follows >= 0 || (animated[i] & MOVE_TRANSLATION && joint->travels)) add_column(r, TRACK_TRANSLATION, i);
  }
  return true;
}

/* ---- frames ---- */

static bool add_frame(resampler *r, double time, const float *frame) {
  if (r->frame_count == r->frame_capacity) {
    int capacity = r->frame_capacity ? 2 * r->frame_capacity : 64;
    double *times = mem_resize(r->times, (size_t)capacity * sizeof *times);
    if (times) r->times = times;
    float *frames = mem_resize(r->frames, (size_t)capacity * (size_t)r->frame_size * sizeof *frames);
    if (frames) r->frames = frames;
    if (!times || !frames) return false;
    r->frame_capacity = capacity;
  }
  r->times[r->frame_count] = time;
  memcpy(r->frames + (size_t)r->frame_count++ * (size_t)r->frame_size, frame, (size_t)r->frame_size * sizeof *frame);
  return true;
}

static bool is_straight(const resampler *r, const float *a, const float *middle, const float *b) {
  for (int i = 0; i < r->column_count; i++) {
    int at = r->columns[i].offset;
    sinew_quat half, is;
    if (r->columns[i].kind == TRACK_ROTATION) {
      sinew_quat first, last;
      memcpy(&first, a + at, sizeof first), memcpy(&last, b + at, sizeof last), memcpy(&is, middle + at, sizeof is);
      half = sinew_quat_slerp(first, last, 0.5f);
      sinew_quat off = sinew_quat_multiply(quat_conjugate(half), is);
      if (off.x * off.x + off.y * off.y + off.z * off.z > 0.25f * straight_enough * straight_enough) return false;
      continue;
    }
    float miss = 0, offset = 0;
    for (int k = at; k < at + 3; k++) {
      miss += fabsf(middle[k] - 0.5f * (a[k] + b[k]));
      offset += fabsf(b[k] - a[k]);
    }
    if (miss > straight_enough * offset + 1e-6f) return false;
  }
  return true;
}

/* Adds the frames that are needed between two moments, and the second moment. */
static bool add_between(resampler *r, double from, const float *a, double to, const float *b, int depth) {
  if (depth < MOST_HALVINGS && !r->steps) {
    float *middle = r->halves[depth];
    double time = 0.5 * (from + to);
    sample_frame(r, time, middle);
    if (!is_straight(r, a, middle, b) || (r->cubic && depth < CUBIC_HALVINGS))
      return add_between(r, from, a, time, middle, depth + 1) && add_between(r, time, middle, to, b, depth + 1);
  }
  return add_frame(r, to, b);
}

static int compare_times(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The times of all keys, each once. */
static double *list_times(resampler *r, int *count) {
  size_t keys = 0;
  for (int i = 0; i < r->clip->track_count; i++) keys += (size_t)r->clip->tracks[i].key_count;
  double *times = raw_alloc(r->b->raw, keys, sizeof *times);
  *count = 0;
  if (!times) return NULL;
  for (int i = 0; i < r->clip->track_count; i++) {
    const raw_track *track = r->clip->tracks + i;
    if (track->kind == TRACK_MORPH) continue;
    memcpy(times + *count, track->times, (size_t)track->key_count * sizeof *times);
    *count += track->key_count;
  }
  qsort(times, (size_t)*count, sizeof *times, compare_times);
  int kept = 0;
  for (int i = 0; i < *count; i++)
    if (kept == 0 || times[i] > times[kept - 1] + 1e-9) times[kept++] = times[i];
  *count = kept;
  return times;
}

static bool build_frames(resampler *r) {
  int count;
  double *times = list_times(r, &count);
  float *ends = raw_alloc(r->b->raw, (MOST_HALVINGS + 2) * (size_t)r->frame_size, sizeof *ends);
  if (!times || !ends) return false;
  float *a = ends, *b = ends + r->frame_size;
  for (int i = 0; i < MOST_HALVINGS; i++) r->halves[i] = ends + (size_t)(i + 2) * (size_t)r->frame_size;
  if (count == 0 || r->column_count == 0) return true;
  sample_frame(r, times[0], a);
  if (!add_frame(r, times[0], a)) return false;
  for (int i = 1; i < count; i++) {
    sample_frame(r, times[i], b);
    if (!add_between(r, times[i - 1], a, times[i], b, 0)) return false;
    float *swap = a;
    a = b, b = swap;
  }
  return true;
}

/* ---- tracks ---- */

static bool is_constant(const resampler *r, const column *c) {
  for (int i = 1; i < r->frame_count; i++)
    for (int k = c->offset; k < c->offset + clip_kind_width(c->kind); k++)
      if (fabsf(r->frames[(size_t)i * (size_t)r->frame_size + (size_t)k] - r->frames[k]) > 1e-6f) return false;
  return true;
}

static bool add_tracks(const resampler *r, raw_clip *clip) {
  raw_model *raw = r->b->raw;
  double *times = raw_copy(raw, r->times, (size_t)r->frame_count, sizeof *times);
  for (int i = 0; times && i < r->column_count && r->frame_count > 0; i++) {
    const column *c = r->columns + i;
    size_t width = (size_t)clip_kind_width(c->kind);
    raw_track *track = add_raw_track(raw, clip);
    if (!track) return false;
    *track = (raw_track){.kind = c->kind,
                         .node = c->joint - 1,
                         .interpolation = r->steps ? RAW_STEP : RAW_LINEAR,
                         .key_count = is_constant(r, c) ? 1 : r->frame_count,
                         .times = times};
    track->values = raw_alloc(raw, (size_t)track->key_count * width, sizeof *track->values);
    for (int k = 0; track->values && k < track->key_count; k++)
      memcpy(track->values + (size_t)k * width, r->frames + (size_t)k * (size_t)r->frame_size + c->offset,
             width * sizeof(float));
    if (!track->values) return false;
  }
  return times != NULL;
}

/* ---- a clip ---- */

static void read_tracks(resampler *r) {
  r->steps = true;
  for (int i = 0; i < r->clip->track_count; i++) {
    const raw_track *track = r->clip->tracks + i;
    if (track->kind == TRACK_MORPH) continue;
    r->moves[track->node + 1] |= (uint8_t)(1 << track->kind);
    if (!curve_moves(track)) continue;
    if (track->interpolation != RAW_STEP) r->steps = false;
    if (track->interpolation == RAW_CUBIC) r->cubic = true;
  }
}

bool retarget_clip(const binding *b, const raw_clip *from, raw_clip *clip) {
  size_t theirs = (size_t)b->theirs.count, ours = (size_t)b->ours.count;
  resampler r = {.b = b,
                 .clip = from,
                 .moves = raw_alloc(b->raw, theirs, 1),
                 .theirs = raw_alloc(b->raw, theirs, sizeof *r.theirs),
                 .theirs_model = raw_alloc(b->raw, theirs, sizeof *r.theirs_model),
                 .ours = raw_alloc(b->raw, ours, sizeof *r.ours),
                 .ours_model = raw_alloc(b->raw, ours, sizeof *r.ours_model)};
  if (!r.moves || !r.theirs || !r.theirs_model || !r.ours || !r.ours_model) return false;
  read_tracks(&r);
  find_lift(&r);
  bool good = choose_columns(&r) && build_frames(&r) && add_tracks(&r, clip);
  mem_free(r.times);
  mem_free(r.frames);
  return good;
}
