/* Eight characters side by side, a lane each: the same joint of every one of them. No joint waits for its parent, and a
 * matrix is multiplied without a shuffle. The operations of one character, and their order. */
#ifndef SINEW_POSE_KERNELS_EIGHT_LANES_H
#define SINEW_POSE_KERNELS_EIGHT_LANES_H

#include "pose/kernels/group_lanes.h"

/* A 3×4 matrix of each: element e of all eight from e · SINEW_LANES on. */
enum { EIGHT_MATRICES = AFFINE * SINEW_LANES };

/* Row r of a product: a's row r times b's three, and a's translation. */
LANES_INLINE void eight_multiply_row(const float *a, const lanes b[3][4], lanes out[4]) {
  const lanes none = lanes_set(0);
  lanes x = lanes_load(a), y = lanes_load(a + SINEW_LANES), z = lanes_load(a + 2 * SINEW_LANES);
  lanes last = lanes_load(a + 3 * SINEW_LANES);
#pragma GCC unroll 4
  for (int c = 0; c < 4; c++) out[c] = lanes_affine_sum(x, b[0][c], y, b[1][c], z, b[2][c], c < 3 ? none : last);
}

LANES_INLINE void eight_store_row(float *to, const lanes row[4]) {
#pragma GCC unroll 4
  for (int c = 0; c < 4; c++) lanes_store(to + c * SINEW_LANES, row[c]);
}

/* Row by row to the characters' own matrices, each `offset` floats behind where its character's begin. */
LANES_INLINE void eight_store_rows(float *const to[SINEW_LANES], size_t offset, const lanes row[4]) {
  lanes_scatter_rows(row[0], row[1], row[2], row[3], to, offset);
}

#endif
