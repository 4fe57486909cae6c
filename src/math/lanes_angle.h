/* Angles of eight lanes: the polynomials of math/angle.h. */
#ifndef SINEW_MATH_LANES_ANGLE_H
#define SINEW_MATH_LANES_ANGLE_H

#include "math/angle.h"
#include "math/lanes.h"

LANES_INLINE lanes lanes_polynomial(const float *c, int count, lanes x) {
  lanes sum = lanes_set(c[count - 1]);
#pragma GCC unroll 16
  for (int i = count - 2; i >= 0; i--) sum = lanes_fma(sum, x, lanes_set(c[i]));
  return sum;
}

/* Of 0..1. */
LANES_INLINE lanes lanes_arctangent(lanes t) {
  return lanes_mul(t, lanes_polynomial(arctangent_terms, ARCTANGENT_TERMS, lanes_mul(t, t)));
}

/* x without its multiples of π, in −π/2..π/2; for |x| up to 2^22. Adding 1.5 · 2^23 rounds to whole numbers. */
LANES_INLINE lanes lanes_within_half_turn(lanes x) {
  const lanes rounds = lanes_set(12582912.0f);
  lanes turns = lanes_sub(lanes_fma(x, lanes_set(0.318309886f), rounds), rounds);
  return lanes_fnma(turns, lanes_set(-8.74227766e-8f), lanes_fnma(turns, lanes_set(3.14159274f), x));
}

/* Of −π/2..π/2. */
LANES_INLINE lanes lanes_sine(lanes x) {
  return lanes_mul(x, lanes_polynomial(sine_terms, SINE_TERMS, lanes_mul(x, x)));
}
LANES_INLINE lanes lanes_cosine(lanes x) { return lanes_polynomial(cosine_terms, COSINE_TERMS, lanes_mul(x, x)); }

#endif
