/* Samples and blends some groups of a character with the same operations as the jobs, in the same order; if the pose is
 * not needed, with some fewer. */
#ifndef SINEW_POSE_KERNELS_EVALUATE_LANES_H
#define SINEW_POSE_KERNELS_EVALUATE_LANES_H

#include "pose/kernels/blend_lanes.h"
#include "pose/kernels/clip_lanes.h"

typedef struct evaluation {
  const sinew_evaluate_job *job;
  clip_reader readers[SINEW_EVALUATE_SOURCES]; /* in the order of `even`, or of the job if the rest pose joins */
  even_blend even;
  int reader_of[SINEW_EVALUATE_SOURCES]; /* of the job's sources */
  /* If weights differ by joint: normalised weights, computed once a group needs them (weigh). */
  float weights[SINEW_EVALUATE_SOURCES], threshold;
  bool weighed;
} evaluation;

/* Some groups, from `first` on: their poses, and which of them have a scale that is not 1. */
enum { PART = 16 };
typedef struct part {
  int first, count;
  sinew_pose_group *poses;
  bool scaled[PART];
} part;

/* ---- weights that differ by joint: joints that a clip does not animate have weight 0 ---- */

static void weigh(evaluation *e) {
  const sinew_evaluate_job *job = e->job;
  double total = 0;
  for (int i = 0; i < job->source_count; i++) total += (double)job->sources[i].weight;
  const double whole = whole_of(total, job->threshold);
  e->threshold = normalized_threshold(job->threshold, whole);
  for (int i = 0; i < job->source_count; i++) e->weights[i] = normalized_weight(job->sources[i].weight, whole);
  e->weighed = true;
}

static void blend_animated(evaluation *e, int group, sinew_pose_group *output) {
  group_lanes rest = load_group(e->job->model->rest + group), sum = no_sum(), read[SINEW_EVALUATE_SOURCES];
  heaviest_lanes heaviest = {rest.rotation, lanes_set(0)};
  lanes weights[SINEW_EVALUATE_SOURCES], total = lanes_set(0);
  int count = e->job->source_count;
  for (int i = 0; i < count; i++) {
    clip_reader *reader = e->readers + e->reader_of[i];
    const sinew_clip *clip = reader->clip;
    read[i] = read_group(reader, group);
    weights[i] = group_weights(e->weights[i], clip->animates_all ? NULL : clip->animated, group);
    take_heavier(&heaviest, weights[i], read[i].rotation);
  }
  const quat_lanes reference = side_reference(heaviest.rotation, rest.rotation);
  for (int i = 0; i < count; i++) {
    add_weighted(&sum, read + i, weights[i], reference);
    total = lanes_add(total, weights[i]);
  }
  finish_sum(&sum, total, &rest, e->threshold, reference);
  store_group(output, &sum);
}

/* For groups without a scale in which some sources animate a joint and some do not, if only the joints' matrices are
 * needed: blend_animated without normalising. The rest pose joins only where a source does not animate a joint; that
 * source is at rest there, so it has no scale either. */
static void blend_animated_loose(evaluation *e, int group, int all, sinew_pose_group *output) {
  const sinew_pose_group *rest = e->job->model->rest + group;
  const bool placed = all & CLIP_GROUP_PLACED;
  const lanes none = lanes_set(0);
  quat_lanes rests = load_rotation(rest), q[FEW], rotation = {none, none, none, none};
  vec_lanes v[FEW], translation = {none, none, none};
  lanes weights[FEW], total = none;
  heaviest_lanes heaviest = {rests, none};
  int count = e->even.count;
  for (int i = 0; i < count; i++) {
    clip_reader *reader = e->readers + e->reader_of[i];
    q[i] = read_group_rotations(reader, group);
    if (!placed) v[i] = read_group_translations(reader, group);
    weights[i] =
        lanes_mul(lanes_set(e->weights[i]),
                  lanes_load(weights_of_group(reader->clip->animates_all ? NULL : reader->clip->animated, group)));
    take_heavier(&heaviest, weights[i], q[i]);
  }
  const quat_lanes reference = side_reference(heaviest.rotation, rests);
  for (int i = 0; i < count; i++) {
    rotation = add_rotation(rotation, weights[i], q[i], reference);
    if (!placed) translation = vec_lanes_add_scaled(translation, weights[i], v[i]);
    total = lanes_add(total, weights[i]);
  }
  lanes missing = lanes_max(lanes_sub(lanes_set(e->threshold), total), none);
  store_rotation(output, add_rotation(rotation, missing, rests, reference));
  vec_lanes at = load_vectors(rest->translation);
  if (!placed)
    at = vec_lanes_scale(vec_lanes_add_scaled(translation, missing, at),
                         lanes_div(lanes_set(1), lanes_add(total, missing)));
  store_vectors(output->translation, at);
}

/* Whether the result has a scale. */
static bool blend_mixed(evaluation *e, int group, int any, int all, sinew_pose_group *output) {
  bool loose = !e->job->pose.groups && !(any & CLIP_GROUP_SCALED);
  if (!e->weighed) weigh(e);
  if (loose) blend_animated_loose(e, group, all, output);
  else blend_animated(e, group, output);
  return !loose;
}

static void read_animated(evaluation *e, part *p) {
  if (!e->weighed) weigh(e);
  for (int i = 0; i < p->count; i++) {
    blend_animated(e, p->first + i, p->poses + i);
    p->scaled[i] = true;
  }
}

/* ---- one weight for all joints ---- */

LANES_INLINE quat_lanes read_turns(evaluation *e, int group, int count) {
  quat_lanes first = read_group_rotations(e->readers, group);
  if (count == 1) return first;
  quat_lanes sum = quat_lanes_scale(first, lanes_set(e->even.weights[0]));
  const quat_lanes reference = side_reference(sum, load_rotation(e->job->model->rest + group));
#pragma GCC unroll 4
  for (int i = 1; i < count; i++)
    sum = add_rotation(sum, lanes_set(e->even.weights[i]), read_group_rotations(e->readers + i, group), reference);
  return quat_lanes_normalize(sum);
}

/* The same up to rounding, but not normalised, which a matrix does not need. `full` if all sources are. */
LANES_INLINE quat_lanes read_loose_turns(evaluation *e, int group, int count, bool full) {
  loose_rotations first = read_loose_rotations(e->readers, group, full);
  if (count == 1) return first.q;
  quat_lanes sum = quat_lanes_scale(first.q, lanes_mul(first.factors, lanes_set(e->even.weights[0])));
  const quat_lanes reference = side_reference(sum, load_rotation(e->job->model->rest + group));
#pragma GCC unroll 4
  for (int i = 1; i < count; i++) {
    loose_rotations next = read_loose_rotations(e->readers + i, group, full);
    lanes side = quat_lanes_dot(next.q, reference);
    /* if all are full, their factors are negative: the weight changes its sign instead */
    if (!full) side = lanes_mul(side, next.factors);
    lanes weight = lanes_mul(next.factors, lanes_set(full ? -e->even.weights[i] : e->even.weights[i]));
    sum = quat_lanes_add_scaled(sum, lanes_flip(weight, lanes_sign(side)), next.q);
  }
  return sum;
}

LANES_INLINE vec_lanes read_position(clip_reader *reader, int group, bool still) {
  return still ? load_vectors(clip_held(reader->clip, group, TRACK_TRANSLATION))
               : read_group_translations(reader, group);
}

/* `still`: no source moves a joint. */
LANES_INLINE vec_lanes read_positions(evaluation *e, int group, int count, bool still) {
  vec_lanes first = read_position(e->readers, group, still);
  if (count == 1) return first;
  vec_lanes sum = vec_lanes_scale(first, lanes_set(e->even.weights[0]));
#pragma GCC unroll 4
  for (int i = 1; i < count; i++)
    sum = vec_lanes_add_scaled(sum, lanes_set(e->even.weights[i]), read_position(e->readers + i, group, still));
  return sum;
}

static vec_lanes read_sizes(evaluation *e, int group, int count) {
  vec_lanes sum = read_group_scales(e->readers, group);
  if (count == 1) return sum;
  sum = vec_lanes_scale(sum, lanes_set(e->even.weights[0]));
  for (int i = 1; i < count; i++)
    sum = vec_lanes_add_scaled(sum, lanes_set(e->even.weights[i]), read_group_scales(e->readers + i, group));
  return sum;
}

/* `any` and `all`: the sources' combined flags of the group. If only the joints' matrices are needed, rotations without
 * a scale are not normalised, and translations that are at rest in all sources are not blended. */
LANES_INLINE void read_blended(evaluation *e, int group, int count, int any, int all, sinew_pose_group *output) {
  const bool loose = !e->job->pose.groups;
  const sinew_pose_group *rest = e->job->model->rest + group;
  if (!loose || any & CLIP_GROUP_SCALED) store_rotation(output, read_turns(e, group, count));
  else store_rotation(output, read_loose_turns(e, group, count, false));
  if (loose && all & CLIP_GROUP_PLACED) store_vectors(output->translation, load_vectors(rest->translation));
  else if (any & CLIP_GROUP_MOVES) store_vectors(output->translation, read_positions(e, group, count, false));
  else store_vectors(output->translation, read_positions(e, group, count, true));
  const lanes one = lanes_set(1);
  if (any & CLIP_GROUP_SCALED) store_vectors(output->scale, read_sizes(e, group, count));
  else if (!loose) store_vectors(output->scale, (vec_lanes){one, one, one});
}

/* The same without a pose, if all rotations are full and translations are at rest. A separate function, so that neither
 * shares registers. */
LANES_INLINE void read_full(evaluation *e, int group, int count, sinew_pose_group *output) {
  const sinew_pose_group *rest = e->job->model->rest + group;
  store_rotation(output, read_loose_turns(e, group, count, true));
  store_vectors(output->translation, load_vectors(rest->translation));
}

/* The same without a pose, if no joint rotates and translations are at rest. */
LANES_INLINE void read_held(evaluation *e, int group, int count, sinew_pose_group *output) {
  const sinew_pose_group *rest = e->job->model->rest + group;
  quat_lanes first = load_quats(clip_held(e->readers->clip, group, TRACK_ROTATION)), sum = first;
  if (count > 1) sum = quat_lanes_scale(first, lanes_set(e->even.weights[0]));
  const quat_lanes reference = side_reference(sum, load_rotation(rest));
#pragma GCC unroll 4
  for (int i = 1; i < count; i++)
    sum = add_rotation(sum, lanes_set(e->even.weights[i]),
                       load_quats(clip_held(e->readers[i].clip, group, TRACK_ROTATION)), reference);
  store_rotation(output, sum);
  store_vectors(output->translation, load_vectors(rest->translation));
}

/* Whether the sources, which agree on this, animate all joints of a group. The flags include the virtual root, which no
 * clip animates. */
LANES_INLINE bool is_animated(int group, int flags) {
  const int all = (1 << SINEW_LANES) - 1;
  return group > 0 && (flags >> CLIP_GROUP_ANIMATES & all) == all;
}

/* Sets joints that no source animates to exactly their rest pose. */
static void rest_where_none(const evaluation *e, int group, sinew_pose_group *output) {
  for (int i = 0; i < e->even.count; i++) {
    const sinew_clip *clip = e->readers[i].clip;
    if (clip->animates_all) continue;
    store_animated(output, clip->animated + group * SINEW_LANES, e->job->model->rest + group, output);
    return;
  }
}

/* Whether no source animates this group, and all hold the rest pose in it. */
LANES_INLINE bool all_rest(const evaluation *e, int group, int count) {
  int held = -1;
#pragma GCC unroll 4
  for (int i = 0; i < count; i++) {
    const int32_t *own = e->readers[i].groups[group].held;
    held &= own[TRACK_ROTATION] & own[TRACK_TRANSLATION] & own[TRACK_SCALE];
  }
  return held < 0;
}

LANES_INLINE void store_rest(const evaluation *e, int group, sinew_pose_group *output) {
  group_lanes rest = load_group(e->job->model->rest + group);
  store_group(output, &rest);
}

/* The number of sources is a constant in each call. Scales that are all 1 stay 1. */
LANES_INLINE void read_even(evaluation *e, part *p, int count) {
  const int moves = CLIP_GROUP_TURNS | CLIP_GROUP_MOVES | CLIP_GROUP_SCALES, full = CLIP_GROUP_FULL | CLIP_GROUP_PLACED;
  const bool loose = !e->job->pose.groups;
  for (int k = 0; k < p->count; k++) {
    int group = p->first + k, any = 0, all = -1;
#pragma GCC unroll 4
    for (int i = 0; i < count; i++) {
      int flags = e->readers[i].groups[group].flags;
      any |= flags;
      all &= flags;
    }
    sinew_pose_group *output = p->poses + k;
    if ((any ^ all) >> CLIP_GROUP_ANIMATES) { /* a joint that some animate, and some do not */
      p->scaled[k] = blend_mixed(e, group, any, all, output);
      continue;
    }
    p->scaled[k] = any & CLIP_GROUP_SCALED;
    if (loose && (all & full) == full && !(any & CLIP_GROUP_SCALED)) read_full(e, group, count, output);
    else if (loose && !(any & moves) && all_rest(e, group, count)) store_rest(e, group, output);
    else if (loose && all & CLIP_GROUP_PLACED && !(any & (CLIP_GROUP_SCALED | CLIP_GROUP_TURNS)))
      read_held(e, group, count, output);
    else read_blended(e, group, count, any, all, output);
    if (count > 1 && !loose && !is_animated(group, all)) rest_where_none(e, group, output);
  }
}

static void read_one(evaluation *e, part *p) { read_even(e, p, 1); }
static void read_two(evaluation *e, part *p) { read_even(e, p, 2); }
static void read_three(evaluation *e, part *p) { read_even(e, p, 3); }
static void read_four(evaluation *e, part *p) { read_even(e, p, 4); }

/* ---- all of it ---- */

/* False if the rest pose joins. */
static bool open_even(evaluation *e) {
  const sinew_evaluate_job *job = e->job;
  float weights[SINEW_EVALUATE_SOURCES];
  for (int i = 0; i < job->source_count; i++) weights[i] = job->sources[i].weight;
  return find_even(&e->even, weights, job->source_count, job->threshold);
}

static void open_sources(evaluation *e, bool even) {
  const sinew_evaluate_job *job = e->job;
  e->weighed = false;
  if (!even) e->even.count = 0;
  for (int i = 0; i < job->source_count; i++) {
    int source = even ? e->even.sources[i] : i;
    e->reader_of[source] = i;
    open_clip(e->readers + i, job->sources[source].clip, job->sources[source].time);
  }
}

static void open_evaluation(evaluation *e, const sinew_evaluate_job *job) {
  e->job = job;
  open_sources(e, open_even(e));
}

static void read_part(evaluation *e, part *p) {
  static void (*const readers[])(evaluation *, part *) = {read_animated, read_one, read_two, read_three, read_four};
  readers[e->even.count](e, p);
}

#endif
