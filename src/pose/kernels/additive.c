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

/* All or nothing needs no power. */
static bool is_whole(const float w[SINEW_LANES]) {
  for (int i = 0; i < SINEW_LANES; i++)
    if (w[i] != 0 && w[i] != 1) return false;
  return true;
}

/* (n sin a, cos a)^w is (n sin wa, cos wa); of q and −q the one that turns less. */
static void power_of_rotation(float q[4][SINEW_LANES], int i, float w) {
  float sine = sqrtf(q[0][i] * q[0][i] + q[1][i] * q[1][i] + q[2][i] * q[2][i]), half = atan2f(sine, fabsf(q[3][i]));
  float part = sine > 0 ? sinf(half * w) / sine * (q[3][i] < 0 ? -1.0f : 1.0f) : 0;
  for (int c = 0; c < 3; c++) q[c][i] *= part;
  q[3][i] = cosf(half * w);
}

/* A ratio has powers where it is positive; a mirror comes and goes in proportion. */
static float power_of_scale(float ratio, float w) {
  if (ratio == 1) return 1;
  return ratio > 0 ? fminf(fmaxf(powf(ratio, w), 1e-6f), 1e6f) : 1 + w * (ratio - 1);
}

/* d^w. One lane at a time: there are no sines of lanes. */
static void take_power(difference *d, const float w[SINEW_LANES]) {
  float q[4][SINEW_LANES], scale[3][SINEW_LANES];
  const lanes parts[4] = {d->rotation.x, d->rotation.y, d->rotation.z, d->rotation.w};
  for (int c = 0; c < 4; c++) lanes_store(q[c], parts[c]);
  for (int c = 0; c < 3; c++) lanes_store(scale[c], d->scale[c]);
  for (int i = 0; i < SINEW_LANES; i++) {
    power_of_rotation(q, i, w[i]);
    for (int c = 0; c < 3; c++) scale[c][i] = power_of_scale(scale[c][i], w[i]);
  }
  d->rotation = (quat_lanes){lanes_load(q[0]), lanes_load(q[1]), lanes_load(q[2]), lanes_load(q[3])};
  for (int c = 0; c < 3; c++) d->scale[c] = lanes_load(scale[c]);
}

/* The same of weights that are 0 or 1. */
static void take_whole(difference *d, lanes w) {
  const lanes one = lanes_set(1), s = lanes_flip(w, lanes_sign(d->rotation.w));
  d->rotation = (quat_lanes){lanes_mul(s, d->rotation.x), lanes_mul(s, d->rotation.y), lanes_mul(s, d->rotation.z),
                             lanes_fma(s, d->rotation.w, lanes_sub(one, w))};
  for (int c = 0; c < 3; c++) d->scale[c] = lanes_fma(w, lanes_sub(d->scale[c], one), one);
}

/* below · d^w */
static void add(const sinew_pose_group *below, difference *d, lanes w, sinew_pose_group *output) {
  float weights[SINEW_LANES];
  lanes_store(weights, w);
  if (is_whole(weights)) take_whole(d, w);
  else take_power(d, weights);
  store_rotation(output, quat_lanes_normalize(quat_lanes_multiply(load_rotation(below), d->rotation)));
  for (int c = 0; c < 3; c++) {
    lanes_store(output->translation[c], lanes_fma(w, d->translation[c], lanes_load(below->translation[c])));
    lanes_store(output->scale[c], lanes_mul(lanes_load(below->scale[c]), d->scale[c]));
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
