/* Sample, blend and local to model in one pass over the groups of joints, so that they stay in registers and L1. */
#include "pose/kernels/blend_lanes.h"
#include "pose/kernels/clip_lanes.h"

typedef struct evaluation {
  const sinew_evaluate_job *job;
  sinew_pose rest;
  /* The sources, the heaviest first (ties: the first). */
  clip_reader readers[SINEW_EVALUATE_SOURCES];
  float weights[SINEW_EVALUATE_SOURCES], threshold; /* shares of the whole: see blend_lanes.h */
  bool covered;                                     /* the weights add up to 1: they reach the threshold */
} evaluation;

static void open_source(evaluation *e, int place, const sinew_evaluate_source *source, double whole) {
  open_clip(e->readers + place, source->clip, source->time);
  e->weights[place] = share_of(source->weight, whole);
}

static void open_sources(evaluation *e) {
  const sinew_evaluate_job *job = e->job;
  int heaviest = 0, count = job->source_count;
  double total = 0;
  for (int i = 0; i < count; i++) {
    total += (double)job->sources[i].weight;
    if (job->sources[i].weight > job->sources[heaviest].weight) heaviest = i;
  }
  const double whole = whole_of(total, job->threshold);
  e->covered = count > 0 && total >= whole;
  e->threshold = threshold_share(job->threshold, whole);
  if (count > 0) open_source(e, 0, job->sources + heaviest, whole);
  for (int i = 0, place = 1; i < count; i++)
    if (i != heaviest) open_source(e, place++, job->sources + i, whole);
}

/* Of one source that covers the rest pose, which its clip has where it does not carry a joint. */
LANES_INLINE group_lanes take_one(clip_reader *reader, int group, bool unit, bool *scaled) {
  *scaled = unit || reader->clip->groups[group] & CLIP_GROUP_SCALED;
  return read_group(reader, group, unit, *scaled);
}

/* Where all clips carry every joint of the group, the first is the heaviest of each. What makes a rotation unit is
 * multiplied into its weight. */
LANES_INLINE group_lanes blend_even(evaluation *e, int group, bool scaled) {
  lanes weight = lanes_set(e->weights[0]), unit;
  quat_lanes first = read_group_rotations(e->readers, group, &unit);
  group_lanes sum = no_sum();
  sum.rotation = quat_lanes_scale(first, lanes_mul(weight, unit));
  sum.translation = vec_lanes_scale(read_group_translations(e->readers, group), weight);
  if (scaled) sum.scale = vec_lanes_scale(read_group_scales(e->readers, group), weight);
  for (int i = 1; i < e->job->source_count; i++) {
    weight = lanes_set(e->weights[i]);
    quat_lanes q = read_group_rotations(e->readers + i, group, &unit);
    lanes side = lanes_sign(quat_lanes_dot(q, first));
    sum.rotation = quat_lanes_add_scaled(sum.rotation, lanes_flip(lanes_mul(weight, unit), side), q);
    sum.translation = vec_lanes_add_scaled(sum.translation, weight, read_group_translations(e->readers + i, group));
    if (scaled) sum.scale = vec_lanes_add_scaled(sum.scale, weight, read_group_scales(e->readers + i, group));
  }
  return sum;
}

/* By the rules of sinew_blend, where a source has the weight 0 for the joints that its clip does not carry. */
LANES_INLINE group_lanes blend_carried(evaluation *e, int group, bool scaled) {
  const lanes zero = lanes_set(0), threshold = lanes_set(e->threshold);
  group_lanes rest = load_group(e->rest.groups + group), sum = no_sum();
  heaviest_lanes heaviest = {rest.rotation, zero};
  group_lanes read[SINEW_EVALUATE_SOURCES];
  lanes weights[SINEW_EVALUATE_SOURCES], total = zero;
  int count = e->job->source_count;
  for (int i = 0; i < count; i++) {
    read[i] = read_group(e->readers + i, group, true, scaled);
    weights[i] = group_weights(e->weights[i], e->readers[i].clip->carried, group);
    take_heavier(&heaviest, weights[i], read[i].rotation);
    total = lanes_add(total, weights[i]);
  }
  for (int i = 0; i < count; i++) add_weighted(&sum, read + i, weights[i], heaviest.rotation, scaled);
  lanes missing = lanes_max(lanes_sub(threshold, total), zero);
  add_weighted(&sum, &rest, missing, heaviest.rotation, scaled);
  lanes inverse = lanes_div(lanes_set(1), lanes_add(total, missing));
  sum.translation = vec_lanes_scale(sum.translation, inverse);
  if (scaled) sum.scale = vec_lanes_scale(sum.scale, inverse);
  return sum;
}

LANES_INLINE group_lanes blend_sources(evaluation *e, int group, bool *scaled) {
  int any = 0, all = CLIP_GROUP_WHOLE;
  for (int i = 0; i < e->job->source_count; i++) {
    any |= e->readers[i].clip->groups[group];
    all &= e->readers[i].clip->groups[group];
  }
  *scaled = !e->covered || any & CLIP_GROUP_SCALED || e->job->pose.groups;
  return e->covered && all ? blend_even(e, group, *scaled) : blend_carried(e, group, *scaled);
}

LANES_INLINE group_lanes take_group(evaluation *e, int group, bool one, bool keep, bool *scaled) {
  if (one) return take_one(e->readers, group, keep, scaled);
  group_lanes g = blend_sources(e, group, scaled);
  if (keep) g.rotation = quat_lanes_normalize(g.rotation);
  return g;
}

LANES_INLINE void make_local_matrices(evaluation *e, int group, bool one, bool keep, float *local) {
  bool scaled;
  group_lanes g = take_group(e, group, one, keep, &scaled);
  if (keep) store_group(e->job->pose.groups + group, &g);
  if (scaled) store_local_matrices(g.rotation, g.translation, &g.scale, local);
  else store_local_matrices(g.rotation, g.translation, NULL, local);
}

/* `one` (a source that covers the rest pose) and `keep` (the pose is wanted) are known where this is called, so that
 * each has code of its own. The next group is on its way while a group's joints are placed, which wait for each other.
 */
LANES_INLINE void evaluate_groups(evaluation *e, const int32_t *parents, bool one, bool keep) {
  float local[2][SINEW_LANES * AFFINE];
  int count = sinew_pose_group_count(e->rest.joint_count);
  for (int group = 0; group <= count; group++) {
    if (group < count) make_local_matrices(e, group, one, keep, local[group % 2]);
    if (group > 0) place_group(local[(group - 1) % 2], parents, e->job->joints, group - 1, e->rest.joint_count);
  }
}

void LANES_NAME(pose_evaluate, LANES_SUFFIX)(const sinew_evaluate_job *job, sinew_pose rest, const int32_t *parents) {
  evaluation e; /* not initialised: it is large */
  e.job = job;
  e.rest = rest;
  open_sources(&e);
  bool one = job->source_count == 1 && e.covered;
  if (one && job->pose.groups) evaluate_groups(&e, parents, true, true);
  else if (one) evaluate_groups(&e, parents, true, false);
  else evaluate_groups(&e, parents, false, job->pose.groups);
}
