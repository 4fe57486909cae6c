#include "pose/kernels/blend_lanes.h"

#include <string.h>

static double total_weight(const sinew_blend_job *job) {
  double total = 0;
  for (int s = 0; s < job->source_count; s++) total += (double)job->sources[s].weight;
  return total;
}

/* A group with any weights. */
static void blend_weighted(const sinew_blend_job *job, double whole, int group) {
  const float threshold = normalized_threshold(job->threshold, whole);
  group_lanes rest = load_group(job->rest.groups + group), sum = no_sum();
  heaviest_lanes heaviest = {rest.rotation, lanes_set(0)};
  lanes total = lanes_set(0);
  for (int s = 0; s < job->source_count; s++) {
    const sinew_blend_source *source = job->sources + s;
    lanes weight = group_weights(normalized_weight(source->weight, whole), source->joint_weights, group);
    take_heavier(&heaviest, weight, load_rotation(source->pose + group));
  }
  const quat_lanes reference = side_reference(heaviest.rotation, rest.rotation);
  for (int s = 0; s < job->source_count; s++) {
    const sinew_blend_source *source = job->sources + s;
    lanes weight = group_weights(normalized_weight(source->weight, whole), source->joint_weights, group);
    group_lanes pose = load_group(source->pose + group);
    add_weighted(&sum, &pose, weight, reference);
    total = lanes_add(total, weight);
  }
  finish_sum(&sum, total, &rest, threshold, reference);
  store_group(job->output.groups + group, &sum);
}

/* False if the joints of a group have different joint weights. */
static bool blend_alike(const sinew_blend_job *job, const even_blend *even, int group) {
  const float *weights[FEW] = {NULL};
  const sinew_pose_group *poses[FEW];
  const sinew_pose_group *rest = job->rest.groups + group;
  sinew_pose_group blended;
  for (int i = 0; i < even->count; i++) {
    const sinew_blend_source *source = job->sources + even->sources[i];
    weights[i] = weights_of_group(source->joint_weights, group);
    poses[i] = source->pose + group;
  }
  if (!animate_alike(weights, even->count)) return false;
  if (animate_all(weights[0])) {
    blend_any_group(poses, even, rest, job->output.groups + group);
    return true;
  }
  blend_any_group(poses, even, rest, &blended);
  store_animated(&blended, weights[0], rest, job->output.groups + group);
  return true;
}

/* For any weights; `even`, or NULL, are the weights without joint weights. */
static void blend_masked(const sinew_blend_job *job, const even_blend *even) {
  const double whole = whole_of(total_weight(job), job->threshold);
  for (int g = 0, count = sinew_pose_group_count(job->output.joint_count); g < count; g++)
    if (!even || !blend_alike(job, even, g)) blend_weighted(job, whole, g);
}

static bool has_masks(const sinew_blend_job *job) {
  bool has = false;
  for (int s = 0; s < job->source_count; s++) has |= job->sources[s].joint_weights != NULL;
  return has;
}

/* Finds the weights without joint weights. */
static bool find_even_poses(const sinew_blend_job *job, even_blend *even) {
  float weights[FEW];
  if (job->source_count > FEW) return false;
  for (int s = 0; s < job->source_count; s++) weights[s] = job->sources[s].weight;
  return find_even(even, weights, job->source_count, job->threshold);
}

/* `count` is a constant in each call. */
LANES_INLINE void blend_even(const sinew_blend_job *job, const even_blend *even, int count) {
  const sinew_pose_group *poses[FEW];
  for (int i = 0; i < count; i++) poses[i] = job->sources[even->sources[i]].pose;
  for (int g = 0, groups = sinew_pose_group_count(job->output.joint_count); g < groups; g++) {
    blend_group(poses, even->weights, count, job->rest.groups + g, job->output.groups + g);
    for (int i = 0; i < count; i++) poses[i]++;
  }
}

/* One pose is itself. */
static void copy_pose(const sinew_blend_job *job, const sinew_pose_group *pose) {
  memmove(job->output.groups, pose, (size_t)sinew_pose_group_count(job->output.joint_count) * sizeof *pose);
}

void LANES_NAME(pose_blend, LANES_SUFFIX)(const sinew_blend_job *job) {
  even_blend even;
  if (!find_even_poses(job, &even)) blend_masked(job, NULL);
  else if (has_masks(job)) blend_masked(job, &even);
  else if (even.count == 1) copy_pose(job, job->sources[even.sources[0]].pose);
  else if (even.count == 2) blend_even(job, &even, 2);
  else if (even.count == 3) blend_even(job, &even, 3);
  else blend_even(job, &even, 4);
}
