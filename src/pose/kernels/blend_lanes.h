/* Weighted sums of eight joints' transforms. */
#ifndef SINEW_POSE_KERNELS_BLEND_LANES_H
#define SINEW_POSE_KERNELS_BLEND_LANES_H

#include "pose/kernels/group_lanes.h"

/* Weights and the threshold are taken as shares of a whole, the sum of all weights, or the threshold where that is
 * more: so no sum of them overflows. Doubles hold any sum of floats. */
LANES_INLINE double whole_of(double total, float threshold) {
  return total > (double)threshold ? total : (double)threshold;
}

LANES_INLINE float share_of(float weight, double whole) { return (float)((double)weight / whole); }

/* Never next to nothing, which would leave a joint that no source carries with a rotation too short to normalise. */
LANES_INLINE float threshold_share(float threshold, double whole) {
  const float least = 1e-15f;
  float share = share_of(threshold, whole);
  return share > least ? share : least;
}

/* The rotation that the others are sign-aligned to: the heaviest source's, ties to the first. */
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

LANES_INLINE vec_lanes vec_lanes_scale(vec_lanes v, lanes s) {
  return (vec_lanes){lanes_mul(v.x, s), lanes_mul(v.y, s), lanes_mul(v.z, s)};
}

/* sum + s · v */
LANES_INLINE vec_lanes vec_lanes_add_scaled(vec_lanes sum, lanes s, vec_lanes v) {
  return (vec_lanes){lanes_fma(s, v.x, sum.x), lanes_fma(s, v.y, sum.y), lanes_fma(s, v.z, sum.z)};
}

LANES_INLINE group_lanes no_sum(void) {
  lanes zero = lanes_set(0);
  return (group_lanes){{zero, zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero}};
}

/* Scales are left out where not `scaled`. */
LANES_INLINE void add_weighted(group_lanes *sum, const group_lanes *g, lanes weight, quat_lanes reference,
                               bool scaled) {
  lanes side = lanes_sign(quat_lanes_dot(g->rotation, reference));
  sum->rotation = quat_lanes_add_scaled(sum->rotation, lanes_flip(weight, side), g->rotation);
  sum->translation = vec_lanes_add_scaled(sum->translation, weight, g->translation);
  if (scaled) sum->scale = vec_lanes_add_scaled(sum->scale, weight, g->scale);
}

#endif
