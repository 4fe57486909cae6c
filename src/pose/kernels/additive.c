#include "pose/kernels/pose_lanes.h"

#include <math.h>

typedef struct difference {
  quat_lanes rotation;
  lanes translation[3], scale[3];
} difference;

/* A scale of 0 has no ratio: nothing to add. */
static lanes scale_ratio(lanes pose, lanes reference) {
  lanes size = lanes_flip(reference, lanes_sign(reference));
  return lanes_select(lanes_greater(size, lanes_set(0)), lanes_div(pose, reference), lanes_set(1));
}

static difference find_difference(const sinew_pose_group *pose, const sinew_pose_group *reference) {
  difference d = {.rotation = quat_lanes_multiply(quat_lanes_conjugate(load_rotation(reference)), load_rotation(pose))};
  for (int c = 0; c < 3; c++) {
    d.translation[c] = lanes_sub(lanes_load(pose->translation[c]), lanes_load(reference->translation[c]));
    d.scale[c] = scale_ratio(lanes_load(pose->scale[c]), lanes_load(reference->scale[c]));
  }
  return d;
}

/* below · d^w, the power by normalised lerp from the identity along the shorter arc. */
static quat_lanes add_rotation(quat_lanes below, quat_lanes d, lanes w) {
  lanes s = lanes_flip(w, lanes_sign(d.w));
  quat_lanes part = {lanes_mul(s, d.x), lanes_mul(s, d.y), lanes_mul(s, d.z),
                     lanes_fma(s, d.w, lanes_sub(lanes_set(1), w))};
  return quat_lanes_normalize(quat_lanes_multiply(below, part));
}

static void add(const sinew_pose_group *below, const difference *d, lanes w, sinew_pose_group *output) {
  const lanes one = lanes_set(1);
  store_rotation(output, add_rotation(load_rotation(below), d->rotation, w));
  for (int c = 0; c < 3; c++) {
    lanes_store(output->translation[c], lanes_fma(w, d->translation[c], lanes_load(below->translation[c])));
    lanes factor = lanes_fma(w, lanes_sub(d->scale[c], one), one);
    lanes_store(output->scale[c], lanes_mul(lanes_load(below->scale[c]), factor));
  }
}

/* So that the square of what is added to a rotation is finite. */
static lanes additive_weights(float weight, const float *joint_weights, int group) {
  return group_weights(fminf(fmaxf(weight, -1e6f), 1e6f), joint_weights, group);
}

void LANES_NAME(pose_additive_make, LANES_SUFFIX)(const sinew_additive_make_job *job) {
  for (int group = 0; group < sinew_pose_group_count(job->output.joint_count); group++) {
    difference d = find_difference(job->pose.groups + group, job->reference.groups + group);
    sinew_pose_group *output = job->output.groups + group;
    store_rotation(output, d.rotation);
    for (int c = 0; c < 3; c++) {
      lanes_store(output->translation[c], d.translation[c]);
      lanes_store(output->scale[c], d.scale[c]);
    }
  }
}

static difference load_difference(const sinew_pose_group *additive) {
  difference d = {.rotation = load_rotation(additive)};
  for (int c = 0; c < 3; c++) {
    d.translation[c] = lanes_load(additive->translation[c]);
    d.scale[c] = lanes_load(additive->scale[c]);
  }
  return d;
}

void LANES_NAME(pose_additive_apply, LANES_SUFFIX)(const sinew_additive_apply_job *job) {
  for (int group = 0; group < sinew_pose_group_count(job->output.joint_count); group++) {
    difference d = load_difference(job->additive.groups + group);
    add(job->below.groups + group, &d, additive_weights(job->weight, job->joint_weights, group),
        job->output.groups + group);
  }
}

void LANES_NAME(pose_additive, LANES_SUFFIX)(const sinew_additive_job *job) {
  for (int group = 0; group < sinew_pose_group_count(job->output.joint_count); group++) {
    difference d = find_difference(job->pose.groups + group, job->reference.groups + group);
    add(job->below.groups + group, &d, additive_weights(job->weight, job->joint_weights, group),
        job->output.groups + group);
  }
}
