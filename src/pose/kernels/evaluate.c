/* Sample, blend and local to model in one pass over the joints, some groups at a time, so that they stay in L1: the
 * operations of the jobs, and their order. */
#include "pose/kernels/blend_lanes.h"
#include "pose/kernels/clip_lanes.h"

typedef struct evaluation {
  const sinew_evaluate_job *job;
  clip_reader readers[SINEW_EVALUATE_SOURCES]; /* in the order of the blend, or of the job where weights differ */
  even_blend even;
  float weights[SINEW_EVALUATE_SOURCES], threshold; /* where weights differ by joint: shares of the whole */
} evaluation;

/* Some groups, from `first` on: where their poses go, and which of them have a scale that is not 1. */
enum { PART = 16 };
typedef struct part {
  int first, count;
  sinew_pose_group *poses;
  bool scaled[PART];
} part;

/* ---- weights that differ by joint: those that a clip does not carry weigh nothing ---- */

static void blend_carried(evaluation *e, int group, sinew_pose_group *output) {
  group_lanes rest = load_group(e->job->model->rest + group), sum = no_sum(), read[SINEW_EVALUATE_SOURCES];
  heaviest_lanes heaviest = {rest.rotation, lanes_set(0)};
  lanes weights[SINEW_EVALUATE_SOURCES], total = lanes_set(0);
  int count = e->job->source_count;
  for (int i = 0; i < count; i++) {
    const sinew_clip *clip = e->readers[i].clip;
    read[i] = read_group(e->readers + i, group);
    weights[i] = group_weights(e->weights[i], clip->carries_all ? NULL : clip->carried, group);
    take_heavier(&heaviest, weights[i], read[i].rotation);
  }
  for (int i = 0; i < count; i++) {
    add_weighted(&sum, read + i, weights[i], heaviest.rotation);
    total = lanes_add(total, weights[i]);
  }
  finish_sum(&sum, total, &rest, e->threshold, heaviest.rotation);
  store_group(output, &sum);
}

static void read_carried(evaluation *e, part *p) {
  for (int i = 0; i < p->count; i++) {
    blend_carried(e, p->first + i, p->poses + i);
    p->scaled[i] = true;
  }
}

/* ---- one weight for every joint ---- */

/* Any groups of sources, sampled one after the other. */
static void read_any(evaluation *e, int group, sinew_pose_group *output) {
  sinew_pose_group read[FEW];
  const sinew_pose_group *poses[FEW];
  for (int i = 0; i < e->even.count; i++) {
    group_lanes g = read_group(e->readers + i, group);
    store_group(e->even.count > 1 ? read + i : output, &g);
    poses[i] = read + i;
  }
  if (e->even.count == 1) return;
  if (e->even.count == 2) blend_group(poses, e->even.weights, 2, output);
  else if (e->even.count == 3) blend_group(poses, e->even.weights, 3, output);
  else blend_group(poses, e->even.weights, 4, output);
}

LANES_INLINE quat_lanes read_turn(clip_reader *reader, int group, bool full) {
  return full ? read_full_rotations(reader) : read_few_rotations(reader, group);
}

/* Groups of sources in which joints turn, every one of them where `full`, and nothing else moves or scales: most. */
LANES_INLINE void read_turning(evaluation *e, int group, int count, bool full, sinew_pose_group *output) {
  const lanes one = lanes_set(1);
  lanes weight = lanes_set(e->even.weights[0]);
  quat_lanes first = read_turn(e->readers, group, full), rotation = first;
  vec_lanes translation = load_vectors(e->readers->clip->base[group].translation);
  if (count > 1) {
    rotation = quat_lanes_scale(first, weight);
    translation = vec_lanes_scale(translation, weight);
  }
#pragma GCC unroll 4
  for (int i = 1; i < count; i++) {
    weight = lanes_set(e->even.weights[i]);
    rotation = add_rotation(rotation, weight, read_turn(e->readers + i, group, full), first);
    translation = vec_lanes_add_scaled(translation, weight, load_vectors(e->readers[i].clip->base[group].translation));
  }
  store_rotation(output, count > 1 ? quat_lanes_normalize(rotation) : rotation);
  store_vectors(output->translation, translation);
  if (e->job->pose.groups) store_vectors(output->scale, (vec_lanes){one, one, one});
}

/* The number of sources is known where this is called. Scales that are all 1 stay 1. */
LANES_INLINE void read_even(evaluation *e, part *p, int count) {
  for (int k = 0; k < p->count; k++) {
    int group = p->first + k, any = 0, all = CLIP_GROUP_FULL | CLIP_GROUP_ONE;
#pragma GCC unroll 4
    for (int i = 0; i < count; i++) {
      any |= e->readers[i].clip->groups[group];
      all &= e->readers[i].clip->groups[group];
    }
    if (!all || any & (CLIP_GROUP_MOVES | CLIP_GROUP_SCALED)) read_any(e, group, p->poses + k);
    else if (all & CLIP_GROUP_FULL) read_turning(e, group, count, true, p->poses + k);
    else read_turning(e, group, count, false, p->poses + k);
    p->scaled[k] = any & CLIP_GROUP_SCALED;
  }
}

static void read_one(evaluation *e, part *p) { read_even(e, p, 1); }
static void read_two(evaluation *e, part *p) { read_even(e, p, 2); }
static void read_three(evaluation *e, part *p) { read_even(e, p, 3); }
static void read_four(evaluation *e, part *p) { read_even(e, p, 4); }

/* ---- all of it ---- */

/* False where a clip does not carry every joint, or the rest pose joins. */
static bool open_even(evaluation *e) {
  const sinew_evaluate_job *job = e->job;
  float weights[SINEW_EVALUATE_SOURCES];
  for (int i = 0; i < job->source_count; i++) {
    if (!job->sources[i].clip->carries_all) return false;
    weights[i] = job->sources[i].weight;
  }
  if (!find_even(&e->even, weights, job->source_count, job->threshold)) return false;
  for (int i = 0; i < e->even.count; i++) {
    const sinew_evaluate_source *source = job->sources + e->even.sources[i];
    open_clip(e->readers + i, source->clip, source->time);
  }
  return true;
}

static void open_carried(evaluation *e) {
  const sinew_evaluate_job *job = e->job;
  double total = 0;
  for (int i = 0; i < job->source_count; i++) total += (double)job->sources[i].weight;
  const double whole = whole_of(total, job->threshold);
  e->even.count = 0;
  e->threshold = threshold_share(job->threshold, whole);
  for (int i = 0; i < job->source_count; i++) {
    e->weights[i] = share_of(job->sources[i].weight, whole);
    open_clip(e->readers + i, job->sources[i].clip, job->sources[i].time);
  }
}

void LANES_NAME(pose_evaluate, LANES_SUFFIX)(const sinew_evaluate_job *job) {
  static void (*const readers[])(evaluation *, part *) = {read_carried, read_one, read_two, read_three, read_four};
  _Alignas(64) sinew_pose_group scratch[PART];
  evaluation e; /* not initialised: it is large */
  e.job = job;
  if (!open_even(&e)) open_carried(&e);
  int count = sinew_pose_group_count(job->model->joint_count);
  for (int first = 0; first < count; first += PART) {
    part p = {.first = first, .count = count - first < PART ? count - first : PART};
    p.poses = job->pose.groups ? job->pose.groups + first : scratch;
    readers[e.even.count](&e, &p);
    place_groups(p.poses, p.scaled, job->model, job->joints, first, first + p.count);
  }
}
