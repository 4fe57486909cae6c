#include "actor/sync/sync.h"

#include <math.h>
#include <string.h>

/* ---- marks ---- */

static const sync_marks no_marks;

static bool is_rising(const sync_marks *m, double duration) {
  for (int i = 0; i < m->count; i++)
    if (m->time[i] < 0 || m->time[i] > duration || (i && m->time[i] <= m->time[i - 1])) return false;
  return m->count > 0 && m->time[0] + duration > m->time[m->count - 1];
}

static bool may_have_marks(const playback *p) { return p->loop != SINEW_LOOP_PING_PONG && p->duration > 0; }

sync_marks sync_marks_of(const playback *p, const clip_markers *m) {
  sync_marks marks = {.count = m->sync_count};
  if (!may_have_marks(p) || m->sync_count > SYNC_MARKERS) return no_marks;
  for (int i = 0; i < marks.count; i++) {
    marks.time[i] = m->items[m->sync[i]].time - p->begin;
    marks.name[i] = m->items[m->sync[i]].name;
  }
  return is_rising(&marks, p->duration) ? marks : no_marks;
}

sync_marks sync_marks_of_steps(const playback *p, const clip_gait *gait, double clip_duration,
                               const char *const names[GAIT_LEGS]) {
  sync_marks marks = {.count = gait->step_count};
  if (!may_have_marks(p) || p->begin != 0 || p->duration != clip_duration) return no_marks;
  for (int i = 0; i < marks.count; i++) {
    marks.time[i] = gait->steps[i].time;
    marks.name[i] = names[gait->steps[i].leg];
    if (!marks.name[i]) return no_marks;
  }
  return is_rising(&marks, p->duration) ? marks : no_marks;
}

sync_marks sync_marks_of_reach(const playback *p, const clip_gait *gait, double clip_duration, const char *name) {
  sync_marks marks = {.count = 1, .time = {gait->reach[0]}, .name = {name}};
  bool whole = may_have_marks(p) && p->begin == 0 && p->duration == clip_duration;
  return whole && gait->reaches && is_rising(&marks, p->duration) ? marks : no_marks;
}

static bool has_name(const sync_marks *m, const char *name) {
  for (int i = 0; i < m->count; i++)
    if (strcmp(m->name[i], name) == 0) return true;
  return false;
}

sync_marks sync_marks_common(const sync_marks *marks, const sync_marks *others) {
  sync_marks common = {0};
  for (int i = 0; i < marks->count; i++) {
    if (!has_name(others, marks->name[i])) continue;
    common.time[common.count] = marks->time[i];
    common.name[common.count++] = marks->name[i];
  }
  return common;
}

/* ---- patterns ---- */

static bool repeats_after(const sync_marks *m, int period) {
  for (int i = 0; i < m->count; i++)
    if (strcmp(m->name[i], m->name[(i + period) % m->count]) != 0) return false;
  return true;
}

sync_pattern sync_pattern_of(const playback *p, const sync_marks *m) {
  sync_pattern pattern = {.count = m->count};
  if (m->count == 0) return pattern;
  for (int period = m->count - 1; period > 0; period--)
    if (m->count % period == 0 && repeats_after(m, period)) pattern.count = period;
  double stride = p->duration * pattern.count / m->count;
  for (int i = 0; i < pattern.count; i++) {
    pattern.name[i] = m->name[i];
    pattern.fraction[i] = m->time[i] / stride;
  }
  return pattern;
}

/* The number of steps by which the marks are rotated against the pattern; −1 if they do not match it. */
static int find_shift(const sync_marks *m, const sync_pattern *pattern) {
  if (m->count == 0 || pattern->count == 0 || m->count % pattern->count) return -1;
  for (int shift = 0; shift < pattern->count; shift++) {
    int same = 0;
    while (same < m->count && strcmp(m->name[(shift + same) % m->count], pattern->name[same % pattern->count]) == 0)
      same++;
    if (same == m->count) return shift;
  }
  return -1;
}

int sync_strides(const sync_marks *m, const sync_pattern *pattern) {
  return find_shift(m, pattern) >= 0 ? m->count / pattern->count : 0;
}

static sync_track track_of_marks(const playback *p, const sync_marks *m, const sync_pattern *pattern, int shift) {
  sync_track track = {.strides = m->count / pattern->count, .intervals = pattern->count, .begin = m->time[shift]};
  for (int i = 0; i < m->count; i++) {
    double gap = m->time[(shift + i + 1) % m->count] - m->time[(shift + i) % m->count];
    track.length[i] = gap > 0 ? gap : gap + p->duration;
  }
  return track;
}

sync_track sync_track_of(const playback *p, const sync_marks *m, const sync_pattern *pattern, int strides) {
  int shift = find_shift(m, pattern);
  if (shift >= 0) return track_of_marks(p, m, pattern, shift);
  int intervals = pattern->count ? pattern->count : 1;
  if (strides < 1 || strides * intervals > SYNC_MARKERS) strides = 1;
  double stride = playback_cycle(p) / strides;
  sync_track track = {.strides = strides, .intervals = intervals, .begin = pattern->fraction[0] * stride};
  for (int i = 0; i < strides * intervals; i++) {
    int k = i % intervals;
    double end = k + 1 < intervals ? pattern->fraction[k + 1] : pattern->fraction[0] + 1;
    track.length[i] = (end - pattern->fraction[k]) * stride;
  }
  return track;
}

/* ---- phases ---- */

static double sum_of(const double *seconds, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) sum += seconds[i];
  return sum;
}

static int64_t floor_divide(int64_t a, int64_t b) { return a / b - (a % b < 0); }

double sync_unroll(const sync_track *track, sync_phase phase) {
  double loop = sum_of(track->length, track->strides * track->intervals);
  int64_t loops = floor_divide(phase.cycles, track->strides);
  const double *stride = track->length + (phase.cycles - loops * track->strides) * track->intervals;
  int whole = (int)phase.position;
  if (whole > track->intervals) whole = track->intervals;
  double at = track->begin + sum_of(track->length, (int)(stride - track->length)) + sum_of(stride, whole);
  if (whole < track->intervals) at += (phase.position - whole) * stride[whole];
  return (double)loops * loop + at;
}

/* The position `at` seconds after the first mark, 0 <= at <= the sum of all intervals. */
static double position_of(const double *seconds, int count, double at) {
  for (int i = 0; i < count; i++) {
    if (at < seconds[i]) return i + at / seconds[i];
    at -= seconds[i];
  }
  return nextafter(count, 0);
}

sync_phase sync_locate(const sync_track *track, double unrolled) {
  int count = track->strides * track->intervals;
  double loop = sum_of(track->length, count);
  sync_phase phase = {.intervals = track->intervals};
  if (!(loop > 0)) return phase;
  double at = unrolled - track->begin, loops = floor(at / loop);
  double position = position_of(track->length, count, fmax(at - loops * loop, 0));
  int stride = (int)position / track->intervals;
  int64_t whole = loops_of(loops * track->strides);
  phase.cycles = loops_add(whole, stride);
  phase.position = position - stride * track->intervals;
  return phase;
}

sync_phase sync_align(const sync_track *track, sync_phase phase, double unrolled) {
  if (track->strides == 1) return phase;
  sync_phase at = sync_locate(track, unrolled);
  double ahead = (at.position - phase.position) / track->intervals;
  int64_t strides = at.cycles - phase.cycles + (int64_t)floor(ahead + 0.5);
  phase.cycles = loops_add(phase.cycles, strides - floor_divide(strides, track->strides) * track->strides);
  return phase;
}

void sync_advance(sync_phase *phase, const double *seconds, double dt) {
  sync_track own = {.strides = 1, .intervals = phase->intervals};
  memcpy(own.length, seconds, (size_t)phase->intervals * sizeof *seconds);
  if (!(sum_of(seconds, phase->intervals) > 0)) return;
  int64_t cycles = phase->cycles;
  phase->cycles = 0; /* whole strides are counted apart, so that a long run loses no precision */
  sync_phase moved = sync_locate(&own, sync_unroll(&own, *phase) + dt);
  moved.cycles = loops_add(moved.cycles, cycles);
  moved.pattern = phase->pattern;
  *phase = moved;
}
