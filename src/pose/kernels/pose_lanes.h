/* Eight joints of a pose in lanes. */
#ifndef SINEW_POSE_KERNELS_POSE_LANES_H
#define SINEW_POSE_KERNELS_POSE_LANES_H

#include "math/lanes.h"
#include "pose/kernels.h"

typedef struct quat_lanes {
  lanes x, y, z, w;
} quat_lanes;

/* Every array of a group is a sequence of components with eight lanes, so all are loaded and stored alike. */
LANES_INLINE quat_lanes load_rotation(const sinew_pose_group *g) {
  return (quat_lanes){lanes_load(g->rotation[0]), lanes_load(g->rotation[1]), lanes_load(g->rotation[2]),
                      lanes_load(g->rotation[3])};
}

LANES_INLINE void store_rotation(sinew_pose_group *g, quat_lanes q) {
  lanes_store(g->rotation[0], q.x);
  lanes_store(g->rotation[1], q.y);
  lanes_store(g->rotation[2], q.z);
  lanes_store(g->rotation[3], q.w);
}

LANES_INLINE quat_lanes quat_lanes_conjugate(quat_lanes q) {
  const lanes minus = lanes_set(-0.0f);
  return (quat_lanes){lanes_flip(q.x, minus), lanes_flip(q.y, minus), lanes_flip(q.z, minus), q.w};
}

/* Two sums, neither of which waits for the other. */
LANES_INLINE lanes quat_lanes_dot(quat_lanes a, quat_lanes b) {
  return lanes_add(lanes_fma(a.x, b.x, lanes_mul(a.y, b.y)), lanes_fma(a.z, b.z, lanes_mul(a.w, b.w)));
}

LANES_INLINE quat_lanes quat_lanes_scale(quat_lanes q, lanes s) {
  return (quat_lanes){lanes_mul(q.x, s), lanes_mul(q.y, s), lanes_mul(q.z, s), lanes_mul(q.w, s)};
}

LANES_INLINE quat_lanes quat_lanes_normalize(quat_lanes q) {
  return quat_lanes_scale(q, lanes_div(lanes_set(1), lanes_sqrt(quat_lanes_dot(q, q))));
}

/* Products of unit rotations are unit except for rounding: takes one Newton step towards 1/|q|. */
LANES_INLINE quat_lanes quat_lanes_keep_unit(quat_lanes q) {
  return quat_lanes_scale(q, lanes_fnma(lanes_set(0.5f), quat_lanes_dot(q, q), lanes_set(1.5f)));
}

/* sum + s · q */
LANES_INLINE quat_lanes quat_lanes_add_scaled(quat_lanes sum, lanes s, quat_lanes q) {
  return (quat_lanes){lanes_fma(s, q.x, sum.x), lanes_fma(s, q.y, sum.y), lanes_fma(s, q.z, sum.z),
                      lanes_fma(s, q.w, sum.w)};
}

LANES_INLINE quat_lanes quat_lanes_multiply(quat_lanes a, quat_lanes b) {
  return (quat_lanes){
      lanes_fma(a.w, b.x, lanes_fma(a.x, b.w, lanes_fnma(a.z, b.y, lanes_mul(a.y, b.z)))),
      lanes_fma(a.w, b.y, lanes_fma(a.y, b.w, lanes_fnma(a.x, b.z, lanes_mul(a.z, b.x)))),
      lanes_fma(a.w, b.z, lanes_fma(a.z, b.w, lanes_fnma(a.y, b.x, lanes_mul(a.x, b.y)))),
      lanes_fnma(a.x, b.x, lanes_fnma(a.y, b.y, lanes_fnma(a.z, b.z, lanes_mul(a.w, b.w)))),
  };
}

/* The weights of a group's joints: `weight`, times the joint weights if there are any, clamped to 0..1; NaN counts as
 * 0. */
LANES_INLINE lanes group_weights(float weight, const float *joint_weights, int group) {
  lanes w = lanes_set(weight);
  if (!joint_weights) return w;
  lanes own = lanes_max(lanes_load(joint_weights + group * SINEW_LANES), lanes_set(0));
  return lanes_mul(w, lanes_min(own, lanes_set(1)));
}

void LANES_NAME(pose_sample, LANES_SUFFIX)(const sinew_clip *clip, double time, sinew_pose_group *output);
void LANES_NAME(pose_blend, LANES_SUFFIX)(const sinew_blend_job *job);
void LANES_NAME(pose_layer, LANES_SUFFIX)(const sinew_layer_job *job);
void LANES_NAME(pose_additive, LANES_SUFFIX)(const sinew_additive_job *job);
void LANES_NAME(pose_additive_make, LANES_SUFFIX)(const sinew_additive_make_job *job);
void LANES_NAME(pose_additive_apply, LANES_SUFFIX)(const sinew_additive_apply_job *job);
void LANES_NAME(pose_inertialize_begin, LANES_SUFFIX)(const sinew_inertialize_begin_job *job);
void LANES_NAME(pose_inertialize, LANES_SUFFIX)(const sinew_inertialize_job *job);
void LANES_NAME(pose_local_to_model, LANES_SUFFIX)(const sinew_local_to_model_job *job);
void LANES_NAME(pose_place, LANES_SUFFIX)(const sinew_local_to_model_job *job, int first, int end);
void LANES_NAME(pose_evaluate, LANES_SUFFIX)(const sinew_evaluate_job *job, bool still);
void LANES_NAME(pose_evaluate_eight, LANES_SUFFIX)(const sinew_evaluate_job *jobs, float *matrices);

/* The rotation to which others are sign-aligned: b keeps its sign if a·b + 2 (a·r)(b·r) >= 0, where r is the rest pose.
 * With a·b alone, two moving clips that pass half a turn from each other would change the side on which they blend, and
 * the joint would jump. Joints bend about their rest pose, so the way across it may be up to 240 degrees long. Between
 * rotations that are alike, or far from the rest pose, a·b still decides. The length of `a` does not matter. */
LANES_INLINE quat_lanes side_reference(quat_lanes a, quat_lanes rest) {
  return quat_lanes_add_scaled(a, lanes_mul(lanes_set(2), quat_lanes_dot(a, rest)), rest);
}

#endif
