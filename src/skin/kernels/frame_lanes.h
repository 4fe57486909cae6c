/* What moves eight vertices: a matrix each, in lanes, blended from those of their joints. */
#ifndef SINEW_SKIN_KERNELS_FRAME_LANES_H
#define SINEW_SKIN_KERNELS_FRAME_LANES_H

#include "skin/kernels.h"
#include "skin/kernels/lanes3.h"

#include <string.h>

/* The matrix's columns. */
typedef struct frame_lanes {
  lanes3 x, y, z, translation;
} frame_lanes;

/* Twelve floats as two rows of lanes that overlap by half. */
LANES_INLINE void blend_matrices(const skin_vertices *b, int used, float (*matrix)[12]) {
  const uint16_t *joints = b->joints;
  const float *weights = b->weights;
  for (int v = 0; v < b->count; v++, joints += b->influences, weights += b->influences) {
    const float *m = b->palette[joints[0]].m;
    lanes w = lanes_set(weights[0]), low = lanes_mul(w, lanes_load(m)), high = lanes_mul(w, lanes_load(m + 4));
    for (int k = 1; k < used; k++) {
      m = b->palette[joints[k]].m;
      w = lanes_set(weights[k]);
      low = lanes_fma(w, lanes_load(m), low);
      high = lanes_fma(w, lanes_load(m + 4), high);
    }
    lanes_store(matrix[v], low);
    lanes_store(matrix[v] + 4, high);
  }
}

LANES_INLINE frame_lanes frame_of_matrices(const skin_vertices *b, int used) {
  float matrix[SINEW_LANES][12];
  for (int v = b->count; v < SINEW_LANES; v++) memset(matrix[v], 0, sizeof matrix[v]);
  switch (used) { /* each with a loop that has gone */
  case 1: blend_matrices(b, 1, matrix); break;
  case 2: blend_matrices(b, 2, matrix); break;
  case 3: blend_matrices(b, 3, matrix); break;
  case 4: blend_matrices(b, 4, matrix); break;
  default: blend_matrices(b, used, matrix);
  }
  lanes row[3][4];
  for (int r = 0; r < 3; r++) lanes_load_rows(matrix[0] + 4 * r, 12, row[r]);
  return (frame_lanes){{row[0][0], row[1][0], row[2][0]},
                       {row[0][1], row[1][1], row[2][1]},
                       {row[0][2], row[1][2], row[2][2]},
                       {row[0][3], row[1][3], row[2][3]}};
}

#endif
