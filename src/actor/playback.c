#include "actor/playback.h"

#include <math.h>

double playback_time(const playback *p) {
  return p->position > p->duration ? 2 * p->duration - p->position : p->position;
}

void playback_seek(playback *p, double time) {
  p->position = fmin(fmax(time, 0), p->duration);
  p->finished = false;
}

/* Splits a position into whole periods and a rest in 0 .. period. */
static double wrap(double position, double period, int64_t *periods) {
  double whole = floor(position / period);
  double rest = position - whole * period;
  if (rest < 0 || rest >= period) rest = fmod(rest, period); /* rounding of a huge position */
  if (rest < 0) rest += period;
  *periods = fabs(whole) < 9e18 ? (int64_t)whole : 0;
  return rest;
}

static void stop_at(playback *p, double position, int64_t loops) {
  p->position = position;
  p->loops = loops;
  p->finished = true;
}

/* One pass, or `count` of them: holds at the end that it runs towards. */
static void advance_counted(playback *p, double step, int count) {
  if (p->finished) return;
  double travelled = (double)p->loops * p->duration + p->position + step;
  int64_t periods;
  if (step > 0 && travelled >= (double)count * p->duration) {
    stop_at(p, p->duration, count);
  } else if (step < 0 && travelled <= -(double)(count - 1) * p->duration) {
    stop_at(p, 0, -count);
  } else if (step != 0) {
    p->position = wrap(travelled, p->duration, &periods);
    p->loops = periods;
  }
}

void playback_advance(playback *p, double dt) {
  double step = dt * p->speed;
  bool counted = p->loop == SINEW_LOOP_ONCE || p->loop == SINEW_LOOP_COUNT;
  if (!isfinite(step)) return;
  if (!(p->duration > 0)) {
    p->finished = p->finished || (counted && step != 0);
    return;
  }
  if (counted) {
    advance_counted(p, step, p->loop == SINEW_LOOP_ONCE ? 1 : p->loop_count);
    return;
  }
  int64_t periods;
  bool ping_pong = p->loop == SINEW_LOOP_PING_PONG;
  p->position = wrap(p->position + step, ping_pong ? 2 * p->duration : p->duration, &periods);
  p->loops += periods;
}
