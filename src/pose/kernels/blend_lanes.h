/* Weighted sums of eight joints' transforms. */
#ifndef SINEW_POSE_KERNELS_BLEND_LANES_H
#define SINEW_POSE_KERNELS_BLEND_LANES_H

#include "pose/kernels/group_lanes.h"

#include <float.h>

/* Weights and the threshold are expressed as fractions of a whole: the sum of all weights, or the threshold if that is
 * larger. So no sum of them overflows. A double holds any sum of floats. */
LANES_INLINE double whole_of(double total, float threshold) {
  return total > (double)threshold ? total : (double)threshold;
}

LANES_INLINE float normalized_weight(float weight, double whole) { return (float)((double)weight / whole); }

/* Never almost zero, because a joint that no source animates would get a rotation too short to normalise. */
LANES_INLINE float normalized_threshold(float threshold, double whole) {
  const float least = 1e-15f;
  float normalized = normalized_weight(threshold, whole);
  return normalized > least ? normalized : least;
}

/* The heaviest source's rotation, ties to the first. */
typedef struct heaviest_lanes {
  quat_lanes rotation;
  lanes weight;
} heaviest_lanes;

LANES_INLINE void take_heavier(heaviest_lanes *heaviest, lanes weight, quat_lanes q) {
  lanes heavier = lanes_greater(weight, heaviest->weight);
  quat_lanes *r = &heaviest->rotation;
  heaviest->weight = lanes_select(heavier, weight, heaviest->weight);
  *r = (quat_lanes){lanes_select(heavier, q.x, r->x), lanes_select(heavier, q.y, r->y),
                    lanes_select(heavier, q.z, r->z), lanes_select(heavier, q.w, r->w)};
}

/* Flips q into the hemisphere of `reference`. */
LANES_INLINE quat_lanes add_rotation(quat_lanes sum, lanes weight, quat_lanes q, quat_lanes reference) {
  lanes side = lanes_sign(quat_lanes_dot(q, reference));
  return quat_lanes_add_scaled(sum, lanes_flip(weight, side), q);
}

/* ---- poses with joint weights ---- */

LANES_INLINE group_lanes no_sum(void) {
  lanes zero = lanes_set(0);
  return (group_lanes){{zero, zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero}};
}

LANES_INLINE void add_weighted(group_lanes *sum, const group_lanes *g, lanes weight, quat_lanes reference) {
  sum->rotation = add_rotation(sum->rotation, weight, g->rotation, reference);
  sum->translation = vec_lanes_add_scaled(sum->translation, weight, g->translation);
  sum->scale = vec_lanes_add_scaled(sum->scale, weight, g->scale);
}

/* The rest pose joins if the weights add up to less than the threshold; all are normalised. */
LANES_INLINE void finish_sum(group_lanes *sum, lanes total, const group_lanes *rest, float threshold,
                             quat_lanes reference) {
  lanes missing = lanes_max(lanes_sub(lanes_set(threshold), total), lanes_set(0));
  add_weighted(sum, rest, missing, reference);
  lanes inverse = lanes_div(lanes_set(1), lanes_add(total, missing));
  sum->rotation = quat_lanes_normalize(sum->rotation);
  sum->translation = vec_lanes_scale(sum->translation, inverse);
  sum->scale = vec_lanes_scale(sum->scale, inverse);
}

/* ---- poses with the same weight for every joint ---- */

/* The sources of the pose, heaviest first (ties: the first). Their weights are multiples of 2^−23 that add up to 1, so
 * that sums of them are exact: scales that are 1 in all poses are 1 in the sum. */
enum { FEW = 4 };
typedef struct even_blend {
  int count, sources[FEW];
  float weights[FEW];
} even_blend;

/* Rounds a weight of 0 .. 1 to the nearest multiple of 2^−23. */
static inline float round_weight(float weight) { return (weight + 1) - 1; }

/* False if there are too many, or the rest pose joins. */
static inline bool find_even(even_blend *even, const float *weights, int count, float threshold) {
  int heaviest = 0;
  double total = 0;
  if (count == 0 || count > FEW) return false;
  for (int i = 0; i < count; i++) {
    total += (double)weights[i];
    if (weights[i] > weights[heaviest]) heaviest = i;
  }
  if (!(total >= (double)threshold)) return false;
  *even = (even_blend){1, {heaviest}, {1}};
  for (int i = 0; i < count; i++) {
    if (i == heaviest) continue;
    float weight = round_weight(normalized_weight(weights[i], total));
    even->weights[0] -= weight;
    even->weights[even->count] = weight;
    even->sources[even->count++] = i;
  }
  return true;
}

/* Blends a group of `count` poses, a constant in each call. Computing the length of a rotation takes long, so vectors
 * are summed meanwhile. */
LANES_INLINE void blend_group(const sinew_pose_group *const *poses, const float *weights, int count,
                              const sinew_pose_group *rest, sinew_pose_group *output) {
  const lanes heaviest = lanes_set(weights[0]);
  /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): there is always one pose. */
  quat_lanes first = load_rotation(poses[0]), rotation = quat_lanes_scale(first, heaviest);
  const quat_lanes reference = side_reference(rotation, load_rotation(rest));
#pragma GCC unroll 4
  for (int i = 1; i < count; i++)
    rotation = add_rotation(rotation, lanes_set(weights[i]), load_rotation(poses[i]), reference);
  rotation = quat_lanes_normalize(rotation);
  vec_lanes translation = vec_lanes_scale(load_vectors(poses[0]->translation), heaviest);
  vec_lanes scale = vec_lanes_scale(load_vectors(poses[0]->scale), heaviest);
#pragma GCC unroll 4
  for (int i = 1; i < count; i++) {
    lanes weight = lanes_set(weights[i]);
    translation = vec_lanes_add_scaled(translation, weight, load_vectors(poses[i]->translation));
    scale = vec_lanes_add_scaled(scale, weight, load_vectors(poses[i]->scale));
  }
  store_group(output, &(group_lanes){rotation, translation, scale});
}

LANES_INLINE void blend_any_group(const sinew_pose_group *const *poses, const even_blend *even,
                                  const sinew_pose_group *rest, sinew_pose_group *output) {
  if (even->count == 1) *output = *poses[0];
  else if (even->count == 2) blend_group(poses, even->weights, 2, rest, output);
  else if (even->count == 3) blend_group(poses, even->weights, 3, rest, output);
  else blend_group(poses, even->weights, 4, rest, output);
}

/* ---- poses that all animate the same joints of a group ---- */

/* The joint weights in a group; without any, all are 1. */
static inline const float *weights_of_group(const float *joint_weights, int group) {
  static const float ones[SINEW_LANES] = {1, 1, 1, 1, 1, 1, 1, 1};
  return joint_weights ? joint_weights + group * SINEW_LANES : ones;
}

/* More than 0 in lanes that are not 0; NaN counts as 0. */
LANES_INLINE lanes is_not_zero(lanes a) {
  lanes zero = lanes_greater(lanes_set(FLT_TRUE_MIN), lanes_flip(a, lanes_sign(a)));
  return lanes_select(zero, lanes_set(0), lanes_set(1));
}

LANES_INLINE bool has_lane(lanes a) { return lanes_any(lanes_greater(a, lanes_set(0))); }

/* Whether each joint is animated fully or not at all, and equally by all poses. */
LANES_INLINE bool animate_alike(const float *const *weights, int count) {
  lanes first = lanes_load(weights[0]), other = is_not_zero(lanes_mul(first, lanes_sub(lanes_set(1), first)));
  for (int i = 1; i < count; i++) other = lanes_max(other, is_not_zero(lanes_sub(lanes_load(weights[i]), first)));
  return !has_lane(other);
}

/* For weights that are 0 or 1. */
LANES_INLINE bool animate_all(const float *weights) {
  return !has_lane(is_not_zero(lanes_sub(lanes_load(weights), lanes_set(1))));
}

LANES_INLINE vec_lanes vec_lanes_select(lanes mask, vec_lanes a, vec_lanes b) {
  return (vec_lanes){lanes_select(mask, a.x, b.x), lanes_select(mask, a.y, b.y), lanes_select(mask, a.z, b.z)};
}

/* Joints that none animates are at rest. */
LANES_INLINE void store_animated(const sinew_pose_group *blended, const float *weights, const sinew_pose_group *rest,
                                 sinew_pose_group *output) {
  lanes animated = lanes_greater(lanes_load(weights), lanes_set(0));
  group_lanes a = load_group(blended), b = load_group(rest);
  quat_lanes q = {
      lanes_select(animated, a.rotation.x, b.rotation.x), lanes_select(animated, a.rotation.y, b.rotation.y),
      lanes_select(animated, a.rotation.z, b.rotation.z), lanes_select(animated, a.rotation.w, b.rotation.w)};
  a = (group_lanes){q, vec_lanes_select(animated, a.translation, b.translation),
                    vec_lanes_select(animated, a.scale, b.scale)};
  store_group(output, &a);
}

#endif
