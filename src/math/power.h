/* power – powers of positive numbers with the same bits on every system, unlike the C library's. */
#ifndef SINEW_MATH_POWER_H
#define SINEW_MATH_POWER_H

#include <float.h>
#include <math.h>

/* ln m = 2 artanh((m − 1) / (m + 1)), for m within 1/√2 .. √2; the truncated terms are below 1e-16. */
static inline double power_logarithm(double m) {
  double s = (m - 1) / (m + 1), square = s * s, sum = 0;
  for (int n = 19; n >= 1; n -= 2) sum = sum * square + 1.0 / n;
  return 2 * s * sum;
}

/* e^x for x within ±0.35, by its series to x¹³ / 13!. */
static inline double power_exponential(double x) {
  double sum = 1;
  for (int n = 13; n >= 1; n--) sum = 1 + x / n * sum;
  return sum;
}

/* base^exponent for base > 0, clamped to 1e-6 .. 1e6. Uses only operations that IEEE 754 rounds correctly, in double
 * precision: the relative error is 1e-13 before rounding to a float. */
static inline float power_of(float base, float exponent) {
  const double ln_2 = 0.693147180559945309417, most = 13.8155105579642741;
  int power;
  double m = frexp((double)fminf(base, FLT_MAX), &power);
  if (m < 0.70710678118654752440) m *= 2, power--;
  double x = (double)exponent * (power_logarithm(m) + power * ln_2);
  if (x >= most) return 1e6f;
  if (x <= -most) return 1e-6f;
  double whole = floor(x / ln_2 + 0.5);
  return (float)ldexp(power_exponential(x - whole * ln_2), (int)whole);
}

#endif
