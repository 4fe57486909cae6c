/* fade – a weight that changes over time. In a crossfade (action.c) one action's fade falls as another's rises. */
#ifndef SINEW_ACTOR_FADE_H
#define SINEW_ACTOR_FADE_H

#include <sinew/actor.h>

#include <math.h>

/* 0 at 0, 1 at 1; `fraction` is clamped to that. */
static inline double ease(sinew_ease kind, double fraction) {
  double t = fraction > 0 ? (fraction < 1 ? fraction : 1) : 0;
  switch (kind) {
  case SINEW_EASE_IN: return t * t;
  case SINEW_EASE_OUT: return t * (2 - t);
  case SINEW_EASE_IN_OUT: return t * t * (3 - 2 * t);
  case SINEW_EASE_LINEAR: break;
  }
  return t;
}

/* ∫ ease from 0 to `fraction`, which may lie beyond 1. */
static inline double ease_integral(sinew_ease kind, double fraction) {
  double t = fraction > 0 ? (fraction < 1 ? fraction : 1) : 0, beyond = fraction > 1 ? fraction - 1 : 0;
  switch (kind) {
  case SINEW_EASE_IN: return t * t * t / 3 + beyond;
  case SINEW_EASE_OUT: return t * t - t * t * t / 3 + beyond;
  case SINEW_EASE_IN_OUT: return t * t * t - t * t * t * t / 2 + beyond;
  case SINEW_EASE_LINEAR: break;
  }
  return t * t / 2 + beyond;
}

/* The mean of ease over the last `dt` of `elapsed` seconds, in a fade of `duration`. */
static inline double ease_mean(sinew_ease kind, double elapsed, double duration, double dt) {
  if (!(duration > 0)) return 1;
  if (!(dt > 0)) return ease(kind, elapsed / duration);
  double whole = ease_integral(kind, elapsed / duration) - ease_integral(kind, (elapsed - dt) / duration);
  return whole * duration / dt;
}

typedef struct fading {
  double from, to, elapsed, duration; /* elapsed may be negative: it begins later in this update */
  sinew_ease ease;
} fading;

static inline double fade_value(const fading *f) {
  bool over = !(f->duration > 0) || f->elapsed >= f->duration;
  return over ? f->to : f->from + (f->to - f->from) * ease(f->ease, f->elapsed / f->duration);
}

/* The value `ago` seconds ago, within the last update. */
static inline double fade_value_ago(const fading *f, double ago) {
  fading then = *f;
  then.elapsed -= ago;
  return fade_value(&then);
}

/* Over the last dt seconds. */
static inline double fade_mean(const fading *f, double dt) {
  if (!(f->duration > 0) || f->elapsed - fmax(dt, 0) >= f->duration) return f->to;
  return f->from + (f->to - f->from) * ease_mean(f->ease, f->elapsed, f->duration, dt);
}

/* From where it is. */
static inline void fade_begin(fading *f, double to, double seconds, sinew_ease how) {
  *f = (fading){.from = fade_value(f), .to = to, .duration = seconds, .ease = how};
}

#endif
