/* Angles of eight lanes, by polynomials (minimax, found by Lawson's weights): the same bits on every machine, which the
 * C library does not promise, and no lane by itself. */
#ifndef SINEW_MATH_LANES_ANGLE_H
#define SINEW_MATH_LANES_ANGLE_H

#include "math/lanes.h"

/* c[0] + c[1] x + … + c[count − 1] x^(count − 1). */
LANES_INLINE lanes lanes_polynomial(const float *c, int count, lanes x) {
  lanes sum = lanes_set(c[count - 1]);
#pragma GCC unroll 16
  for (int i = count - 2; i >= 0; i--) sum = lanes_fma(sum, x, lanes_set(c[i]));
  return sum;
}

/* The arctangent of 0..1, relatively within 1.5e-8 before rounding. */
LANES_INLINE lanes lanes_arctangent(lanes t) {
  static const float c[] = {0.999999985f, -0.333330733f, 0.199926191f,   -0.14203642f,  0.106409244f,
                            -0.07504274f, 0.0426912759f, -0.0160684788f, 0.00284985202f};
  return lanes_mul(t, lanes_polynomial(c, 9, lanes_mul(t, t)));
}

/* x without its multiples of π, in −π/2..π/2; for |x| up to 2^22. Adding 1.5 · 2^23 rounds to whole numbers. */
LANES_INLINE lanes lanes_within_half_turn(lanes x) {
  const lanes rounds = lanes_set(12582912.0f);
  lanes turns = lanes_sub(lanes_fma(x, lanes_set(0.318309886f), rounds), rounds);
  return lanes_fnma(turns, lanes_set(-8.74227766e-8f), lanes_fnma(turns, lanes_set(3.14159274f), x));
}

/* Of −π/2..π/2, within 5.3e-9 (relatively) and 2.2e-10 before rounding. */
LANES_INLINE lanes lanes_sine(lanes x) {
  static const float c[] = {0.999999995f, -0.166666567f, 0.00833302514f, -0.000198074187f, 2.60190303e-06f};
  return lanes_mul(x, lanes_polynomial(c, 5, lanes_mul(x, x)));
}

LANES_INLINE lanes lanes_cosine(lanes x) {
  static const float c[] = {1, -0.499999994f, 0.0416666363f, -0.00138883614f, 2.47601613e-05f, -2.6051495e-07f};
  return lanes_polynomial(c, 6, lanes_mul(x, x));
}

#endif
