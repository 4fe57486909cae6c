#include "pose/kernels/blend_lanes.h"

#include <string.h>

static double total_weight(const sinew_blend_job *job) {
  double total = 0;
  for (int s = 0; s < job->source_count; s++) total += (double)job->sources[s].weight;
  return total;
}

/* Any weights. */
static void blend_masked(const sinew_blend_job *job) {
  const double whole = whole_of(total_weight(job), job->threshold);
  const float threshold = threshold_share(job->threshold, whole);
  for (int g = 0, count = sinew_pose_group_count(job->output.joint_count); g < count; g++) {
    group_lanes rest = load_group(job->rest.groups + g), sum = no_sum();
    heaviest_lanes heaviest = {rest.rotation, lanes_set(0)};
    lanes total = lanes_set(0);
    for (int s = 0; s < job->source_count; s++) {
      const sinew_blend_source *source = job->sources + s;
      lanes weight = group_weights(share_of(source->weight, whole), source->joint_weights, g);
      take_heavier(&heaviest, weight, load_rotation(source->pose + g));
    }
    for (int s = 0; s < job->source_count; s++) {
      const sinew_blend_source *source = job->sources + s;
      lanes weight = group_weights(share_of(source->weight, whole), source->joint_weights, g);
      group_lanes pose = load_group(source->pose + g);
      add_weighted(&sum, &pose, weight, heaviest.rotation);
      total = lanes_add(total, weight);
    }
    finish_sum(&sum, total, &rest, threshold, heaviest.rotation);
    store_group(job->output.groups + g, &sum);
  }
}

/* False where weights differ by joint, too. */
static bool find_even_poses(const sinew_blend_job *job, even_blend *even) {
  float weights[FEW];
  if (job->source_count > FEW) return false;
  for (int s = 0; s < job->source_count; s++) {
    if (job->sources[s].joint_weights) return false;
    weights[s] = job->sources[s].weight;
  }
  return find_even(even, weights, job->source_count, job->threshold);
}

/* `count` is known where this is called. */
LANES_INLINE void blend_even(const sinew_blend_job *job, const even_blend *even, int count) {
  const sinew_pose_group *poses[FEW];
  for (int i = 0; i < count; i++) poses[i] = job->sources[even->sources[i]].pose;
  for (int g = 0, groups = sinew_pose_group_count(job->output.joint_count); g < groups; g++) {
    blend_group(poses, even->weights, count, job->output.groups + g);
    for (int i = 0; i < count; i++) poses[i]++;
  }
}

/* One pose is itself. */
static void copy_pose(const sinew_blend_job *job, const sinew_pose_group *pose) {
  memmove(job->output.groups, pose, (size_t)sinew_pose_group_count(job->output.joint_count) * sizeof *pose);
}

void LANES_NAME(pose_blend, LANES_SUFFIX)(const sinew_blend_job *job) {
  even_blend even;
  if (!find_even_poses(job, &even)) blend_masked(job);
  else if (even.count == 1) copy_pose(job, job->sources[even.sources[0]].pose);
  else if (even.count == 2) blend_even(job, &even, 2);
  else if (even.count == 3) blend_even(job, &even, 3);
  else blend_even(job, &even, 4);
}
