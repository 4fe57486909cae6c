#include "actor/play/playback.h"

#include <math.h>

static const double most_loops = 0x1p60;

int64_t loops_of(double whole) { return isnan(whole) ? 0 : (int64_t)fmin(fmax(whole, -most_loops), most_loops); }

int64_t loops_add(int64_t a, int64_t b) {
  int64_t sum = a + b, most = (int64_t)most_loops;
  return sum > most ? most : sum < -most ? -most : sum;
}

playback playback_start(double clip_duration, double from, double to) {
  double begin = isnan(from) ? 0 : fmin(fmax(from, 0), clip_duration);
  double end = isnan(to) ? clip_duration : fmin(fmax(to, begin), clip_duration);
  return (playback){.begin = begin,
                    .duration = end - begin,
                    .speed = 1,
                    .loop = SINEW_LOOP_FOREVER,
                    .fresh = true,
                    .matched = (double)NAN};
}

double playback_time(const playback *p) {
  return p->begin + (p->position > p->duration ? 2 * p->duration - p->position : p->position);
}

bool playback_is_back(const playback *p) { return p->loop == SINEW_LOOP_PING_PONG && p->position > p->duration; }

void playback_turn(playback *p, bool back) {
  if (p->loop == SINEW_LOOP_PING_PONG && playback_is_back(p) != back) p->position = 2 * p->duration - p->position;
}

double playback_cycle(const playback *p) { return p->loop == SINEW_LOOP_PING_PONG ? 2 * p->duration : p->duration; }

double playback_remaining(const playback *p) {
  if (p->finished) return 0;
  bool back = p->speed < 0;
  if (playback_is_back(p)) return back ? p->position - p->duration : 2 * p->duration - p->position;
  return back ? p->position : p->duration - p->position;
}

/* The current loop: a counted clip that has ended is at the end of its last one. */
static int64_t loop_of(const playback *p, int64_t loops, bool finished) {
  bool counted = p->loop == SINEW_LOOP_ONCE || p->loop == SINEW_LOOP_COUNT;
  return finished && counted ? (loops > 0 ? loops - 1 : loops + 1) : loops;
}

/* A playback that had ended plays its last loop again. */
void playback_seek(playback *p, double time) {
  p->position = fmin(fmax(time - p->begin, 0), p->duration);
  p->loops = loop_of(p, p->loops, p->finished);
  p->finished = p->passed = false;
  p->marks = 0;
}

void playback_pass_to(playback *p, double time) {
  double from = p->passed ? p->passed_from : p->position;
  playback_seek(p, time);
  p->passed = true;
  p->passed_from = from;
}

playback_span playback_last_span(const playback *p) {
  playback before = *p;
  before.position = p->from_position;
  int64_t loops = loop_of(p, p->loops, p->finished) - loop_of(p, p->from_loops, p->from_finished);
  return (playback_span){playback_time(&before), playback_time(p), p->loop == SINEW_LOOP_PING_PONG ? 0 : loops};
}

/* Splits a position into whole periods and a rest in 0 .. period. */
static double wrap(double position, double period, int64_t *periods) {
  *periods = 0;
  if (position >= 0 && position < period) return position;
  double whole = floor(position / period);
  double rest = position - whole * period;
  if (!isfinite(rest)) rest = 0;                             /* a huge position by a tiny period */
  if (rest < 0 || rest >= period) rest = fmod(rest, period); /* rounding of a huge position */
  if (rest < 0) rest += period;
  *periods = loops_of(whole);
  return rest;
}

void playback_set_part(playback *p, double clip_duration, double from, double to) {
  playback part = playback_start(clip_duration, from, to);
  bool back = playback_is_back(p);
  bool loops = p->loop == SINEW_LOOP_FOREVER || p->loop == SINEW_LOOP_PING_PONG;
  double position = playback_time(p) - part.begin;
  bool inside = position >= 0 && position <= part.duration;
  int64_t ignored;
  if (part.begin == p->begin && part.duration == p->duration) return;
  p->marks = 0;
  if (!inside && loops && part.duration > 0) position = wrap(position, part.duration, &ignored);
  p->loops = loop_of(p, p->loops, p->finished);
  p->begin = part.begin;
  p->duration = part.duration;
  p->position = fmin(fmax(position, 0), part.duration);
  if (back) p->position = 2 * part.duration - p->position;
  p->finished = p->passed = false;
}

void playback_set_loop(playback *p, sinew_loop_mode loop, int count) {
  p->loop_count = count;
  if (loop == p->loop) return;
  p->position = playback_time(p) - p->begin;
  p->loop = loop;
  p->loops = 0;
  p->marks = 0; /* the distance is counted from another beginning */
  p->finished = p->passed = false;
}

void playback_move(playback *p, double clip_before, double clip_after) {
  bool whole = p->begin == 0 && p->duration == clip_before && clip_before > 0;
  if (clip_before == clip_after) return;
  if (!whole) {
    playback_set_part(p, clip_after, p->begin, p->begin + p->duration);
    return;
  }
  p->duration = clip_after;
  p->position *= clip_after / clip_before;
  p->marks = 0;
  p->passed = false;
}

static void stop_at(playback *p, double position, int64_t loops) {
  p->position = position;
  p->loops = loops;
  p->finished = true;
}

/* Plays once, or `count` times, then holds at the end it was playing towards. */
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

static void remember(playback *p, bool moves) {
  p->from_position = p->passed ? p->passed_from : p->position;
  p->from_loops = p->loops;
  p->from_finished = p->finished;
  p->from_fresh = p->fresh && moves;
  if (moves) p->fresh = false;
  p->passed = false;
}

void playback_position(playback *p, double unrolled) {
  remember(p, true);
  p->position = p->duration > 0 ? wrap(unrolled, playback_cycle(p), &p->loops) : 0;
}

void playback_mark(playback *p) {
  double now = (double)p->loops * playback_cycle(p) + p->position;
  bool known = p->marks > 0 && p->mark_speed != 0;
  p->advanced = known ? (now - p->mark) * p->speed / p->mark_speed : 0;
  p->marks = known ? 2 : 1;
  p->mark = now;
  p->mark_speed = p->speed;
}

void playback_advance(playback *p, double dt) {
  double step = dt * p->speed;
  bool counted = p->loop == SINEW_LOOP_ONCE || p->loop == SINEW_LOOP_COUNT;
  if (!isfinite(step)) step = 0;
  remember(p, step != 0 || p->passed);
  if (!(p->duration > 0)) {
    p->finished = p->finished || (counted && step != 0);
    return;
  }
  if (counted) {
    advance_counted(p, step, p->loop == SINEW_LOOP_ONCE ? 1 : p->loop_count);
    return;
  }
  int64_t periods;
  p->position = wrap(p->position + step, playback_cycle(p), &periods);
  p->loops = loops_add(p->loops, periods);
}
