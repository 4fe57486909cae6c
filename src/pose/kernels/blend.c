#include "pose/kernels/pose_lanes.h"

typedef struct sums {
  quat_lanes rotation;
  lanes translation[3], scale[3], weight;
} sums;

static lanes source_weights(const sinew_blend_source *source, int group) {
  return group_weights(source->weight, source->joint_weights, group);
}

/* The rotation that the others are sign-aligned to: the heaviest source's, ties to the lowest index. */
static quat_lanes find_heaviest(const sinew_blend_job *job, int group) {
  quat_lanes reference = load_rotation(job->rest.groups + group);
  lanes heaviest = lanes_set(0);
  for (int s = 0; s < job->source_count; s++) {
    lanes weight = source_weights(job->sources + s, group), heavier = lanes_greater(weight, heaviest);
    quat_lanes q = load_rotation(job->sources[s].pose + group);
    heaviest = lanes_select(heavier, weight, heaviest);
    reference = (quat_lanes){lanes_select(heavier, q.x, reference.x), lanes_select(heavier, q.y, reference.y),
                             lanes_select(heavier, q.z, reference.z), lanes_select(heavier, q.w, reference.w)};
  }
  return reference;
}

static void add_weighted(sums *sum, const sinew_pose_group *pose, lanes weight, quat_lanes reference) {
  quat_lanes q = load_rotation(pose);
  lanes side = lanes_sign(quat_lanes_dot(q, reference));
  sum->rotation = quat_lanes_add_scaled(sum->rotation, lanes_flip(weight, side), q);
  for (int c = 0; c < 3; c++) {
    sum->translation[c] = lanes_fma(weight, lanes_load(pose->translation[c]), sum->translation[c]);
    sum->scale[c] = lanes_fma(weight, lanes_load(pose->scale[c]), sum->scale[c]);
  }
  sum->weight = lanes_add(sum->weight, weight);
}

static void store_normalized(const sums *sum, lanes inverse, sinew_pose_group *output) {
  store_rotation(output, quat_lanes_normalize(sum->rotation));
  for (int c = 0; c < 3; c++) {
    lanes_store(output->translation[c], lanes_mul(sum->translation[c], inverse));
    lanes_store(output->scale[c], lanes_mul(sum->scale[c], inverse));
  }
}

static sums no_sums(void) {
  lanes zero = lanes_set(0);
  return (sums){{zero, zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero}, zero};
}

/* Weights that differ by joint. */
static void blend_masked(const sinew_blend_job *job) {
  const lanes zero = lanes_set(0), threshold = lanes_set(job->threshold);
  for (int group = 0; group < sinew_pose_group_count(job->output.joint_count); group++) {
    quat_lanes reference = find_heaviest(job, group);
    sums sum = no_sums();
    for (int s = 0; s < job->source_count; s++)
      add_weighted(&sum, job->sources[s].pose + group, source_weights(job->sources + s, group), reference);
    lanes missing = lanes_max(lanes_sub(threshold, sum.weight), zero);
    add_weighted(&sum, job->rest.groups + group, missing, reference);
    store_normalized(&sum, lanes_div(lanes_set(1), sum.weight), job->output.groups + group);
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
  float missing = job->threshold > total ? job->threshold - total : 0;
  lanes inverse = lanes_set(1 / (total + missing));
  for (int group = 0; group < sinew_pose_group_count(job->output.joint_count); group++) {
    quat_lanes reference = load_rotation(heaviest + group);
    sums sum = no_sums();
    for (int s = 0; s < job->source_count; s++)
      add_weighted(&sum, job->sources[s].pose + group, lanes_set(job->sources[s].weight), reference);
    if (missing > 0) add_weighted(&sum, job->rest.groups + group, lanes_set(missing), reference);
    store_normalized(&sum, inverse, job->output.groups + group);
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
