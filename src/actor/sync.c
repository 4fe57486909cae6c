#include "actor/sync.h"

#include "actor/playback.h"

#include <math.h>
#include <string.h>

static const sinew_marker *nth(const clip_markers *m, int index) { return m->items + m->sync[index % m->sync_count]; }

bool sync_has_pattern(const playback *p, const clip_markers *m) {
  if (p->loop == SINEW_LOOP_PING_PONG || m->sync_count == 0 || m->sync_count > SYNC_MARKERS || !(p->duration > 0))
    return false;
  for (int i = 0; i < m->sync_count; i++) {
    double at = nth(m, i)->time - p->begin;
    if (at < 0 || at > p->duration || (i && at <= nth(m, i - 1)->time - p->begin)) return false;
  }
  return nth(m, 0)->time + p->duration > nth(m, m->sync_count - 1)->time;
}

/* How far the clip's markers are turned against the pattern's; -1: other names. */
static int find_turn(const clip_markers *m, const clip_markers *pattern) {
  if (m->sync_count != pattern->sync_count) return -1;
  for (int turn = 0; turn < m->sync_count; turn++) {
    int same = 0;
    while (same < m->sync_count && strcmp(nth(m, turn + same)->name, nth(pattern, same)->name) == 0) same++;
    if (same == m->sync_count) return turn;
  }
  return -1;
}

sync_track sync_track_of(const playback *p, const clip_markers *m, const clip_markers *pattern) {
  int stretches = pattern ? pattern->sync_count : 1;
  int turn = pattern && sync_has_pattern(p, m) ? find_turn(m, pattern) : -1;
  sync_track track = {.stretches = stretches, .begin = 0};
  for (int i = 0; i < stretches; i++) track.length[i] = playback_cycle(p) / stretches;
  if (turn < 0) return track;
  track.begin = nth(m, turn)->time - p->begin;
  for (int i = 0; i < stretches; i++) {
    double gap = nth(m, turn + i + 1)->time - nth(m, turn + i)->time;
    track.length[i] = gap > 0 ? gap : gap + p->duration;
  }
  return track;
}

static double cycle_length(const double *seconds, int stretches) {
  double sum = 0;
  for (int i = 0; i < stretches; i++) sum += seconds[i];
  return sum;
}

double sync_unroll(const sync_track *track, sync_phase phase) {
  double cycle = cycle_length(track->length, track->stretches), at = track->begin;
  int whole = (int)phase.position;
  for (int i = 0; i < whole && i < track->stretches; i++) at += track->length[i];
  if (whole < track->stretches) at += (phase.position - whole) * track->length[whole];
  return (double)phase.cycles * cycle + at;
}

/* The position of `at` seconds after the first marker, 0 <= at <= the cycle's length. */
static double position_of(const double *seconds, int stretches, double at) {
  for (int i = 0; i < stretches; i++) {
    if (at < seconds[i]) return i + at / seconds[i];
    at -= seconds[i];
  }
  return nextafter(stretches, 0);
}

sync_phase sync_locate(const sync_track *track, double unrolled) {
  double cycle = cycle_length(track->length, track->stretches);
  sync_phase phase = {0, 0, track->stretches};
  if (!(cycle > 0)) return phase;
  double at = unrolled - track->begin, cycles = floor(at / cycle);
  phase.cycles = loops_of(cycles);
  phase.position = position_of(track->length, track->stretches, fmax(at - cycles * cycle, 0));
  return phase;
}

void sync_advance(sync_phase *phase, const double *seconds, double dt) {
  sync_track own = {.stretches = phase->stretches};
  memcpy(own.length, seconds, (size_t)phase->stretches * sizeof *seconds);
  if (!(cycle_length(seconds, phase->stretches) > 0)) return;
  int64_t cycles = phase->cycles;
  phase->cycles = 0; /* whole cycles are counted apart, so that a long run loses no precision */
  sync_phase moved = sync_locate(&own, sync_unroll(&own, *phase) + dt);
  moved.cycles = loops_add(moved.cycles, cycles);
  *phase = moved;
}

void sync_restretch(sync_phase *phase, int stretches) {
  if (phase->stretches == stretches) return;
  if (phase->stretches) phase->position *= (double)stretches / phase->stretches;
  phase->stretches = stretches;
}
