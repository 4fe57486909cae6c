/* ease – how a fade goes from 0 to 1. */
#ifndef SINEW_ACTOR_EASE_H
#define SINEW_ACTOR_EASE_H

#include <sinew/actor.h>

/* 0 at 0, 1 at 1; `share` is clamped to that. */
static inline double ease(sinew_ease kind, double share) {
  double t = share > 0 ? (share < 1 ? share : 1) : 0;
  switch (kind) {
  case SINEW_EASE_IN: return t * t;
  case SINEW_EASE_OUT: return t * (2 - t);
  case SINEW_EASE_IN_OUT: return t * t * (3 - 2 * t);
  case SINEW_EASE_LINEAR: break;
  }
  return t;
}

#endif
