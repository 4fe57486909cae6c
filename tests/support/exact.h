/* exact – 3×4 matrices in doubles, row major, from the definition: what the core's are compared with. */
#ifndef SINEW_TESTS_EXACT_H
#define SINEW_TESTS_EXACT_H

#include <math.h>

typedef struct matrix {
  double m[12];
} matrix;

static inline matrix multiply(const matrix *a, const matrix *b) {
  matrix out;
  for (int i = 0; i < 12; i++) {
    const double *row = a->m + i / 4 * 4;
    out.m[i] = row[0] * b->m[i % 4] + row[1] * b->m[4 + i % 4] + row[2] * b->m[8 + i % 4] + (i % 4 == 3 ? row[3] : 0);
  }
  return out;
}

/* T·R·S of a rotation of any length, x y z w. */
static inline matrix make_matrix(const double *q, const double *at, const double *scale) {
  double n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  double x = q[0] / n, y = q[1] / n, z = q[2] / n, w = q[3] / n;
  const double r[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                       2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                       2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  matrix out;
  for (int i = 0; i < 12; i++) out.m[i] = i % 4 == 3 ? at[i / 4] : r[i / 4 * 3 + i % 4] * scale[i % 4];
  return out;
}

#endif
