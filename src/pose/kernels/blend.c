#include "pose/kernels/blend_lanes.h"

static void store_unit(group_lanes *sum, sinew_pose_group *output) {
  sum->rotation = quat_lanes_normalize(sum->rotation);
  store_group(output, sum);
}

/* Weights that differ by joint. */
static void blend_masked(const sinew_blend_job *job) {
  const lanes threshold = lanes_set(job->threshold), zero = lanes_set(0);
  for (int g = 0, count = sinew_pose_group_count(job->output.joint_count); g < count; g++) {
    group_lanes rest = load_group(job->rest.groups + g), sum = no_sum();
    heaviest_lanes heaviest = {rest.rotation, zero};
    lanes total = zero;
    for (int s = 0; s < job->source_count; s++) {
      const sinew_blend_source *source = job->sources + s;
      take_heavier(&heaviest, group_weights(source->weight, source->joint_weights, g), load_rotation(source->pose + g));
    }
    for (int s = 0; s < job->source_count; s++) {
      const sinew_blend_source *source = job->sources + s;
      lanes weight = group_weights(source->weight, source->joint_weights, g);
      group_lanes pose = load_group(source->pose + g);
      add_weighted(&sum, &pose, weight, heaviest.rotation, true);
      total = lanes_add(total, weight);
    }
    lanes missing = lanes_max(lanes_sub(threshold, total), zero);
    add_weighted(&sum, &rest, missing, heaviest.rotation, true);
    lanes inverse = lanes_div(lanes_set(1), lanes_add(total, missing));
    sum.translation = vec_lanes_scale(sum.translation, inverse);
    sum.scale = vec_lanes_scale(sum.scale, inverse);
    store_unit(&sum, job->output.groups + g);
  }
}

/* The same weights for every joint: who is heaviest and what they add up to is known once. */
static void blend_even(const sinew_blend_job *job) {
  const sinew_pose_group *heaviest = job->rest.groups;
  float most = 0, total = 0;
  for (int s = 0; s < job->source_count; s++) {
    total += job->sources[s].weight;
    if (job->sources[s].weight <= most) continue;
    most = job->sources[s].weight;
    heaviest = job->sources[s].pose;
  }
  float missing = job->threshold > total ? job->threshold - total : 0, inverse = 1 / (total + missing);
  for (int g = 0, count = sinew_pose_group_count(job->output.joint_count); g < count; g++) {
    quat_lanes reference = load_rotation(heaviest + g);
    group_lanes rest = load_group(job->rest.groups + g), sum = no_sum();
    if (missing > 0) add_weighted(&sum, &rest, lanes_set(missing * inverse), reference, true);
    for (int s = 0; s < job->source_count; s++) {
      group_lanes pose = load_group(job->sources[s].pose + g);
      add_weighted(&sum, &pose, lanes_set(job->sources[s].weight * inverse), reference, true);
    }
    store_unit(&sum, job->output.groups + g);
  }
}

void LANES_NAME(pose_blend, LANES_SUFFIX)(const sinew_blend_job *job) {
  for (int s = 0; s < job->source_count; s++)
    if (job->sources[s].joint_weights) {
      blend_masked(job);
      return;
    }
  blend_even(job);
}
