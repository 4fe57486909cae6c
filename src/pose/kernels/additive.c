#include "math/lanes_angle.h"
#include "math/power.h"
#include "pose/kernels/pose_lanes.h"

#include <math.h>

typedef struct difference {
  quat_lanes rotation;
  lanes translation[3], scale[3];
  bool scaled; /* a ratio is not 1 */
} difference;

/* A scale of 0 has no ratio: nothing to add. */
LANES_COPIED lanes scale_ratio(lanes pose, lanes reference) {
  lanes size = lanes_flip(reference, lanes_sign(reference));
  return lanes_select(lanes_greater(size, lanes_set(0)), lanes_div(pose, reference), lanes_set(1));
}

/* Whether any of 24 differs. */
LANES_COPIED bool is_apart(const lanes a[3], const lanes b[3]) {
  lanes most = lanes_set(0);
  for (int c = 0; c < 3; c++) {
    lanes apart = lanes_sub(a[c], b[c]);
    most = lanes_max(lanes_flip(apart, lanes_sign(apart)), most);
  }
  return lanes_any(lanes_greater(most, lanes_set(0)));
}

LANES_COPIED void find_ratios(difference *d, const sinew_pose_group *pose, const sinew_pose_group *reference) {
  lanes over[3], under[3];
  for (int c = 0; c < 3; c++) {
    over[c] = lanes_load(pose->scale[c]);
    under[c] = lanes_load(reference->scale[c]);
  }
  d->scaled = is_apart(over, under);
  for (int c = 0; c < 3; c++) d->scale[c] = d->scaled ? scale_ratio(over[c], under[c]) : lanes_set(1);
}

LANES_COPIED difference find_difference(const sinew_pose_group *pose, const sinew_pose_group *reference) {
  difference d = {.rotation = quat_lanes_multiply(quat_lanes_conjugate(load_rotation(reference)), load_rotation(pose))};
  for (int c = 0; c < 3; c++)
    d.translation[c] = lanes_sub(lanes_load(pose->translation[c]), lanes_load(reference->translation[c]));
  find_ratios(&d, pose, reference);
  return d;
}

/* All or nothing needs no power. */
LANES_COPIED bool is_whole(lanes w) {
  lanes part = lanes_mul(w, lanes_sub(lanes_set(1), w));
  return !lanes_any(lanes_greater(lanes_flip(part, lanes_sign(part)), lanes_set(0)));
}

/* (n sin a, cos a)^w is (n sin wa, cos wa); of q and −q the one that turns less. A half turn more is the same
 * rotation. */
LANES_COPIED quat_lanes power_of_rotation(quat_lanes q, lanes w) {
  const lanes zero = lanes_set(0);
  lanes side = lanes_sign(q.w), square = lanes_fma(q.x, q.x, lanes_fma(q.y, q.y, lanes_mul(q.z, q.z)));
  lanes sine = lanes_sqrt(square), length = lanes_sqrt(lanes_fma(q.w, q.w, square));
  lanes quarter = lanes_arctangent(lanes_div(sine, lanes_add(length, lanes_flip(q.w, side))));
  lanes angle = lanes_within_half_turn(lanes_mul(lanes_add(w, w), quarter));
  lanes s = lanes_select(lanes_greater(sine, zero), lanes_div(lanes_sine(angle), sine), zero);
  s = lanes_flip(s, side);
  return (quat_lanes){lanes_mul(q.x, s), lanes_mul(q.y, s), lanes_mul(q.z, s), lanes_cosine(angle)};
}

/* A ratio has powers where it is positive; a mirror comes and goes in proportion. */
static float power_of_scale(float ratio, float w) {
  if (ratio == 1) return 1;
  return ratio > 0 ? power_of(ratio, w) : 1 + w * (ratio - 1);
}

/* One lane at a time: scales are seldom added. */
LANES_APART void take_power_of_scale(lanes scale[3], lanes w) {
  float ratios[SINEW_LANES], weights[SINEW_LANES];
  lanes_store(weights, w);
  for (int c = 0; c < 3; c++) {
    lanes_store(ratios, scale[c]);
    for (int i = 0; i < SINEW_LANES; i++) ratios[i] = power_of_scale(ratios[i], weights[i]);
    scale[c] = lanes_load(ratios);
  }
}

/* d^w */
LANES_COPIED void take_power(difference *d, lanes w) {
  d->rotation = power_of_rotation(d->rotation, w);
  if (!d->scaled) return;
  lanes scale[3] = {d->scale[0], d->scale[1], d->scale[2]};
  take_power_of_scale(scale, w);
  for (int c = 0; c < 3; c++) d->scale[c] = scale[c];
}

/* The same of weights that are 0 or 1. */
LANES_COPIED void take_whole(difference *d, lanes w) {
  const lanes one = lanes_set(1), s = lanes_flip(w, lanes_sign(d->rotation.w));
  d->rotation = (quat_lanes){lanes_mul(s, d->rotation.x), lanes_mul(s, d->rotation.y), lanes_mul(s, d->rotation.z),
                             lanes_fma(s, d->rotation.w, lanes_sub(one, w))};
  for (int c = 0; c < 3; c++) d->scale[c] = lanes_fma(w, lanes_sub(d->scale[c], one), one);
}

/* below · d^w */
LANES_COPIED void add(const sinew_pose_group *below, difference *d, lanes w, sinew_pose_group *output) {
  if (is_whole(w)) take_whole(d, w);
  else take_power(d, w);
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

LANES_COPIED difference load_difference(const sinew_pose_group *additive) {
  const lanes ones[3] = {lanes_set(1), lanes_set(1), lanes_set(1)};
  difference d = {.rotation = load_rotation(additive)};
  for (int c = 0; c < 3; c++) {
    d.translation[c] = lanes_load(additive->translation[c]);
    d.scale[c] = lanes_load(additive->scale[c]);
  }
  d.scaled = is_apart(d.scale, ones);
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
