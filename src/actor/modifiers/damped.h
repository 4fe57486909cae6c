/* damped – critically damped springs. */
#ifndef SINEW_ACTOR_MODIFIERS_DAMPED_H
#define SINEW_ACTOR_MODIFIERS_DAMPED_H

#include <sinew/math.h>

#include <math.h>

/* A spring of half-life h moves at the rate DAMPED_RATE / h. */
#define DAMPED_RATE 1.3862943611198906

/* The exact step of a value and its velocity towards a goal; the half-life `life` makes y = 2 ln 2 / life. */
static inline void damped_step(float *x, float *v, float goal, double life, double dt) {
  double y = DAMPED_RATE / life, left = sinew_exp(-y * dt), off = (double)(*x - goal), j = (double)*v + y * off;
  *x = goal + (float)(left * (off + j * dt));
  *v = (float)(left * ((double)*v - j * y * dt));
  if (fabsf(*v) < 1e-20f) *v = 0; /* and never a number too small for a float's usual range */
}

/* A value that follows a goal: what the goal does evenly without a lag, and every jump of it softly. */
typedef struct glide {
  float at, rate; /* and its change per second */
} glide;

/* `rate`: the goal's change per second in this step, as far as it is even. */
static inline void glide_follow(glide *g, float goal, float rate, double life, double dt) {
  float off = g->at - (goal - rate * (float)dt), push = g->rate - rate;
  damped_step(&off, &push, 0, life, dt);
  g->at = goal + off;
  g->rate = rate + push;
}

#endif
