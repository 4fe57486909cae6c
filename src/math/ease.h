#ifndef SINEW_MATH_EASE_H
#define SINEW_MATH_EASE_H

#include <math.h>

/* 0 up to 0, 1 from 1 on, and in between x² (3 − 2x), with slope 0 at both ends. */
static inline float ease_smooth(float x) {
  x = fminf(fmaxf(x, 0), 1);
  return x * x * (3 - 2 * x);
}

#endif
