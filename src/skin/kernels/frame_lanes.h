/* The matrices that move eight vertices, in lanes, blended from those of their joints. */
#ifndef SINEW_SKIN_KERNELS_FRAME_LANES_H
#define SINEW_SKIN_KERNELS_FRAME_LANES_H

#include "skin/kernels.h"
#include "skin/kernels/lanes3.h"

#include <string.h>

/* The matrix's columns. */
typedef struct frame_lanes {
  lanes3 x, y, z, translation;
} frame_lanes;

/* Blends the matrices of a vertex's joints, for the first `used` of its influences. */
LANES_INLINE lanes_affine blend_any(const skin_vertices *b, int vertex, int used) {
  const uint16_t *joints = b->joints + vertex * b->influences;
  const float *weights = b->weights + vertex * b->influences;
  lanes_affine sum = lanes_affine_mul(b->palette[joints[0]].m, lanes_set(weights[0]));
  for (int k = 1; k < used; k++) sum = lanes_affine_fma(b->palette[joints[k]].m, lanes_set(weights[k]), sum);
  return sum;
}

/* The same for a vertex with 4 influences, whose weights are read at once. */
LANES_INLINE lanes_affine blend_four(const skin_vertices *b, int vertex, int used) {
  const uint16_t *joints = b->joints + 4 * vertex;
  lanes weights = lanes_load_twice(b->weights + 4 * vertex);
  lanes_affine sum = lanes_affine_mul(b->palette[joints[0]].m, LANES_SPLAT(weights, 0));
  if (used > 1) sum = lanes_affine_fma(b->palette[joints[1]].m, LANES_SPLAT(weights, 1), sum);
  if (used > 2) sum = lanes_affine_fma(b->palette[joints[2]].m, LANES_SPLAT(weights, 2), sum);
  if (used > 3) sum = lanes_affine_fma(b->palette[joints[3]].m, LANES_SPLAT(weights, 3), sum);
  return sum;
}

/* For vertices i and i + 4 side by side. The last vertex stands in for missing ones. */
LANES_INLINE frame_lanes frame_of_matrices(const skin_vertices *b, int count, int used, bool fours) {
  lanes pairs[3][4], m[3][4];
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) {
    int low = i < count ? i : count - 1, high = i + 4 < count ? i + 4 : count - 1;
    lanes rows[3];
    if (fours) lanes_affine_pair(blend_four(b, low, used), blend_four(b, high, used), rows);
    else lanes_affine_pair(blend_any(b, low, used), blend_any(b, high, used), rows);
    for (int r = 0; r < 3; r++) pairs[r][i] = rows[r];
  }
  for (int r = 0; r < 3; r++) lanes_transpose(pairs[r], m[r]);
  return (frame_lanes){{m[0][0], m[1][0], m[2][0]},
                       {m[0][1], m[1][1], m[2][1]},
                       {m[0][2], m[1][2], m[2][2]},
                       {m[0][3], m[1][3], m[2][3]}};
}

#endif
