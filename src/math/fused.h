/* fused – a·b + c rounded once, in plain C. */
#ifndef SINEW_MATH_FUSED_H
#define SINEW_MATH_FUSED_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* In double precision the product is exact, and the sum has more than twice a float's bits. If the sum is not exact, it
 * is rounded to the neighbour whose last bit is odd, so that the second rounding sees on which side of a float's
 * half-way point it lies (Boldo and Melquiond 2008). */
static inline float fused_multiply_add(float a, float b, float c) {
  double product = (double)a * (double)b, added = (double)c, sum = product + added, of_c = sum - product;
  double error = (product - (sum - of_c)) + (added - of_c);
  uint64_t bits;
  memcpy(&bits, &sum, sizeof bits);
  if (error != 0 && bits % 2 == 0 && isfinite(sum)) {
    bits += (error > 0) == (sum > 0) ? 1 : UINT64_MAX;
    memcpy(&sum, &bits, sizeof sum);
  }
  return (float)sum;
}

#endif
