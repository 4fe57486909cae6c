/* arc – what lies between two rotations, in doubles, from the definition. */
#ifndef SINEW_TESTS_ARC_H
#define SINEW_TESTS_ARC_H

#include <math.h>

/* The rotation at the part w of the arc from a to b, which are of unit length and in one hemisphere. */
static inline void exact_slerp(const float *a, const float *b, double w, double *out) {
  double cosine = 0;
  for (int i = 0; i < 4; i++) cosine += (double)a[i] * (double)b[i];
  double angle = acos(fmin(cosine, 1)), sine = sin(angle);
  for (int i = 0; i < 4; i++)
    out[i] = sine > 1e-6 ? (sin((1 - w) * angle) * (double)a[i] + sin(w * angle) * (double)b[i]) / sine : (double)a[i];
}

#endif
