#include "pose/kernels/pose_lanes.h"

static lanes lerp(lanes a, lanes b, lanes w) { return lanes_fma(w, lanes_sub(b, a), a); }

void LANES_NAME(pose_layer, LANES_SUFFIX)(const sinew_layer_job *job) {
  const lanes zero = lanes_set(0), one = lanes_set(1);
  for (int group = 0; group < sinew_pose_group_count(job->output.joint_count); group++) {
    const sinew_pose_group *below = job->below.groups + group, *above = job->above.groups + group;
    sinew_pose_group *output = job->output.groups + group;
    lanes w = lanes_min(lanes_max(group_weights(job->weight, job->joint_weights, group), zero), one);
    quat_lanes a = load_rotation(below), b = load_rotation(above);
    lanes side = lanes_sign(quat_lanes_dot(a, b));
    quat_lanes q = quat_lanes_add_scaled(quat_lanes_scale(a, lanes_sub(one, w)), lanes_flip(w, side), b);
    store_rotation(output, quat_lanes_normalize(q));
    for (int c = 0; c < 3; c++) {
      lanes_store(output->translation[c],
                  lerp(lanes_load(below->translation[c]), lanes_load(above->translation[c]), w));
      lanes_store(output->scale[c], lerp(lanes_load(below->scale[c]), lanes_load(above->scale[c]), w));
    }
  }
}

/* below · (reference⁻¹ · pose)^w, the power by normalised lerp from the identity along the shorter arc. */
static quat_lanes add_rotation(quat_lanes below, quat_lanes pose, quat_lanes reference, lanes w) {
  const lanes one = lanes_set(1), minus = lanes_set(-0.0f);
  quat_lanes inverse = {lanes_flip(reference.x, minus), lanes_flip(reference.y, minus), lanes_flip(reference.z, minus),
                        reference.w};
  quat_lanes d = quat_lanes_multiply(inverse, pose);
  lanes s = lanes_flip(w, lanes_sign(d.w));
  quat_lanes part = {lanes_mul(s, d.x), lanes_mul(s, d.y), lanes_mul(s, d.z), lanes_fma(s, d.w, lanes_sub(one, w))};
  return quat_lanes_normalize(quat_lanes_multiply(below, part));
}

/* A scale of 0 has no ratio: nothing to add. */
static lanes add_scale(lanes below, lanes pose, lanes reference, lanes w) {
  const lanes zero = lanes_set(0), one = lanes_set(1);
  lanes size = lanes_flip(reference, lanes_sign(reference));
  lanes ratio = lanes_select(lanes_greater(size, zero), lanes_div(pose, reference), one);
  return lanes_mul(below, lanes_fma(w, lanes_sub(ratio, one), one));
}

void LANES_NAME(pose_additive, LANES_SUFFIX)(const sinew_additive_job *job) {
  for (int group = 0; group < sinew_pose_group_count(job->output.joint_count); group++) {
    const sinew_pose_group *below = job->below.groups + group, *pose = job->pose.groups + group;
    const sinew_pose_group *reference = job->reference.groups + group;
    sinew_pose_group *output = job->output.groups + group;
    lanes w = group_weights(job->weight, job->joint_weights, group);
    store_rotation(output, add_rotation(load_rotation(below), load_rotation(pose), load_rotation(reference), w));
    for (int c = 0; c < 3; c++) {
      lanes moved = lanes_sub(lanes_load(pose->translation[c]), lanes_load(reference->translation[c]));
      lanes_store(output->translation[c], lanes_fma(w, moved, lanes_load(below->translation[c])));
      lanes_store(output->scale[c], add_scale(lanes_load(below->scale[c]), lanes_load(pose->scale[c]),
                                              lanes_load(reference->scale[c]), w));
    }
  }
}
