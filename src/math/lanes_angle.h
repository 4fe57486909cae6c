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

/* The same in two halves, neither of which waits for the other; at least four terms. */
LANES_INLINE lanes lanes_long_polynomial(const float *c, int count, lanes x) {
  int top = count - 1;
  lanes square = lanes_mul(x, x), high = lanes_set(c[top]), low = lanes_set(c[top - 1]);
#pragma GCC unroll 16
  for (int i = top - 2; i >= 0; i -= 2) {
    high = lanes_fma(high, square, lanes_set(c[i]));
    if (i > 0) low = lanes_fma(low, square, lanes_set(c[i - 1]));
  }
  return count % 2 ? lanes_fma(x, low, high) : lanes_fma(x, high, low);
}

/* θ² and θ / sin θ of angles up to a right one; t is (1 − cos θ) / 2. */
LANES_INLINE lanes lanes_squared_angle(lanes t) {
  return lanes_mul(t, lanes_long_polynomial(squared_angle_terms, SQUARED_ANGLE_TERMS, t));
}
LANES_INLINE lanes lanes_angle_to_sine(lanes t) {
  return lanes_long_polynomial(angle_to_sine_terms, ANGLE_TO_SINE_TERMS, t);
}

/* x without its multiples of π, in −π/2..π/2; for |x| up to 2^22. Adding 1.5 · 2^23 rounds to whole numbers. */
LANES_INLINE lanes lanes_within_half_turn(lanes x) {
  const lanes rounds = lanes_set(12582912.0f);
  lanes turns = lanes_sub(lanes_fma(x, lanes_set(0.318309886f), rounds), rounds);
  return lanes_fnma(turns, lanes_set(-8.74227766e-8f), lanes_fnma(turns, lanes_set(3.14159274f), x));
}

/* sin(x) / x and cos(x) of −π/2..π/2, over x². */
LANES_INLINE lanes lanes_sine_ratio(lanes square) { return lanes_polynomial(sine_terms, SINE_TERMS, square); }
LANES_INLINE lanes lanes_cosine(lanes square) { return lanes_polynomial(cosine_terms, COSINE_TERMS, square); }

#endif
