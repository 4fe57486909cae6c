/* elementary – sines, powers and the like with the same bits on every system. In doubles they are public
 * (sinew/math.h); for floats these round a double, which makes them correct but for one case in a hundred million. */
#ifndef SINEW_MATH_ELEMENTARY_H
#define SINEW_MATH_ELEMENTARY_H

#include <math.h>
#include <sinew/math.h>

static inline float float_sin(float x) { return (float)sinew_sin((double)x); }

static inline float float_cos(float x) { return (float)sinew_cos((double)x); }

static inline float float_tan(float x) { return (float)sinew_tan((double)x); }

static inline float float_asin(float x) { return (float)sinew_asin((double)x); }

static inline float float_acos(float x) { return (float)sinew_acos((double)x); }

static inline float float_atan(float x) { return (float)sinew_atan((double)x); }

static inline float float_atan2(float y, float x) { return (float)sinew_atan2((double)y, (double)x); }

static inline float float_exp(float x) { return (float)sinew_exp((double)x); }

static inline float float_pow(float base, float exponent) { return (float)sinew_pow((double)base, (double)exponent); }

/* The squares of floats are exact in double precision, and neither overflow nor vanish there. */
static inline float float_hypot(float x, float y) { return (float)sqrt((double)x * (double)x + (double)y * (double)y); }

/* ---- ease ---- */

/* 0 up to 0, 1 from 1 on, and in between x² (3 − 2x), with slope 0 at both ends. */
static inline float ease_smooth(float x) {
  x = fminf(fmaxf(x, 0), 1);
  return x * x * (3 - 2 * x);
}

#endif
