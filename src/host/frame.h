/* pacing – the length of a frame in scene time. */
#ifndef SINEW_HOST_FRAME_H
#define SINEW_HOST_FRAME_H

#include <sinew/base.h>

enum { PACING_HISTORY = 4 };

/* Averages the last few real intervals: a frame that is late by a few milliseconds does not jerk the motion, and over a
 * run the sum is still the real time. Intervals over 0.1 s count as 0.1 s, so that a stopped scene continues where it
 * was. */
typedef struct pacing {
  double history[PACING_HISTORY];
  int count;
  double last; /* time of the last frame, seconds */
} pacing;

/* The step of the frame that begins now; the first one is 1/60 s. */
double pacing_step(pacing *p, double now);

#endif
