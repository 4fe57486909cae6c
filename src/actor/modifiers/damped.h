/* damped – critically damped springs. */
#ifndef SINEW_ACTOR_MODIFIERS_DAMPED_H
#define SINEW_ACTOR_MODIFIERS_DAMPED_H

#include <sinew/math.h>

#include <math.h>

/* The exact step of a value and its velocity towards a goal; the half-life `life` makes y = 2 ln 2 / life. */
static inline void damped_step(float *x, float *v, float goal, double life, double dt) {
  double y = 1.3862943611198906 / life, left = sinew_exp(-y * dt), off = (double)(*x - goal), j = (double)*v + y * off;
  *x = goal + (float)(left * (off + j * dt));
  *v = (float)(left * ((double)*v - j * y * dt));
  if (fabsf(*v) < 1e-20f) *v = 0; /* and never a number too small for a float's usual range */
}

#endif
