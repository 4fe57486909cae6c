/* Eight characters side by side, one per lane: the same joint of each. No joint waits for its parent, and matrices are
 * multiplied without shuffles, by the same operations in the same order as for one character. */
#ifndef SINEW_POSE_KERNELS_EIGHT_LANES_H
#define SINEW_POSE_KERNELS_EIGHT_LANES_H

#include "math/lanes.h"

/* Eight 3×4 matrices, row major: element e of all of them starts at e · EIGHT. */
enum { EIGHT = 8, EIGHT_ROW = 4 * EIGHT, EIGHT_MATRIX = 3 * EIGHT_ROW };

typedef struct eight_matrix {
  lanes rows[3][4];
} eight_matrix;

/* A row of a product: that of the left matrix times all of the right one. */
LANES_INLINE void eight_multiply_row(const float *left, const eight_matrix *right, lanes out[4]) {
  const lanes none = lanes_set(0);
  lanes x = lanes_load(left), y = lanes_load(left + EIGHT), z = lanes_load(left + 2 * EIGHT);
  lanes last = lanes_load(left + 3 * EIGHT);
#pragma GCC unroll 4
  for (int c = 0; c < 4; c++)
    out[c] = lanes_affine_sum(x, right->rows[0][c], y, right->rows[1][c], z, right->rows[2][c], c < 3 ? none : last);
}

LANES_INLINE void eight_store_row(float *to, const lanes row[4]) {
#pragma GCC unroll 4
  for (int c = 0; c < 4; c++) lanes_store(to + c * EIGHT, row[c]);
}

#endif
