#include "import/clip_rows.h"

#include "base/error.h"
#include "model/clip_pack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Parts of the tolerance that straight lines between rows, and rounding to 16 bits, may take. */
static const double line_share = 0.25, rounding_share = 0.5;
/* A rotation is never off by more, radians, however short its reach. */
static const double most_rotation_error = 1e-3;
/* Quaternions of neighbouring rows are this far apart at most (a dot product of 0.9), as sampling needs it. */
static const double most_rotation_step = 0.45;
/* Rounding a quaternion's parts to half a step of 1 / CLIP_ONE turns it by this at most, radians. */
static const double rotation_rounding = 2.0 / CLIP_ONE;
/* Values of cubic curves, as a part of the curve's range. */
static const double value_tolerance = 1e-4;
/* Key times nearer than this are one moment, seconds. */
static const double same_time = 1e-6;
enum { MAX_ROWS_BETWEEN_KEYS = 256, MAX_ROW_FLOATS = 1 << 28 };

/* ---- times ---- */

static int compare_times(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static bool gather_key_times(clip_rows *t) {
  size_t count = 2, kept = 0, n = 0;
  for (int i = 0; i < t->track_count; i++) count += (size_t)t->tracks[i]->key_count;
  t->times = raw_alloc(t->raw, count, sizeof *t->times);
  if (!t->times) return false;
  t->times[n++] = t->start;
  t->times[n++] = t->end;
  for (int i = 0; i < t->track_count; i++) {
    memcpy(t->times + n, t->tracks[i]->times, (size_t)t->tracks[i]->key_count * sizeof(double));
    n += (size_t)t->tracks[i]->key_count;
  }
  qsort(t->times, n, sizeof *t->times, compare_times);
  for (size_t i = 0; i < n; i++)
    if (kept == 0 || t->times[i] - t->times[kept - 1] > same_time) t->times[kept++] = t->times[i];
  t->row_count = (int)kept;
  return true;
}

/* Radians that a rotation may be off between rows: its reach makes a length of them. */
static double rotation_tolerance(const clip_rows *t, const raw_track *track) {
  double tolerance = t->tolerance > 0 ? t->tolerance : 1e-5 * t->reach->model;
  return fmin(line_share * tolerance / t->reach->node[track->node], most_rotation_error);
}

/* Normalised lerp runs ahead of and behind slerp by at most 0.0160 φ³ for quaternions φ apart (the first term of the
 * difference, t (1−t) (1−2t) φ³ / 6, at its largest); rotations turn by twice the quaternion's angle. */
static int rows_for_slerp(const clip_rows *t, const raw_track *track, double from, double to) {
  double a[4], b[4];
  curve_value(track, from, a);
  curve_value(track, to, b);
  double angle = acos(fmin(fabs(curve_dot4(a, b)), 1));
  return (int)ceil(angle / fmin(cbrt(rotation_tolerance(t, track) / (2 * 0.0161)), most_rotation_step));
}

/* How far the curve is from the straight line between two moments, at the quarter points. */
static double line_error(const raw_track *track, double from, double to) {
  double a[4], b[4], is[4], worst = 0;
  int width = track_width(track->kind);
  curve_value(track, from, a);
  curve_value(track, to, b);
  double sign = track->kind == TRACK_ROTATION && curve_dot4(a, b) < 0 ? -1 : 1;
  for (int step = 1; step <= 3; step++) {
    double t = 0.25 * step, line[4];
    curve_value(track, from + t * (to - from), is);
    for (int k = 0; k < width; k++) line[k] = a[k] + t * (sign * b[k] - a[k]);
    if (track->kind == TRACK_ROTATION) curve_normalize4(line);
    double flip = track->kind == TRACK_ROTATION && curve_dot4(line, is) < 0 ? -1 : 1;
    for (int k = 0; k < width; k++) worst = fmax(worst, fabs(line[k] - flip * is[k]));
  }
  return worst;
}

static double track_range(const raw_track *track) {
  double low = HUGE_VAL, high = -HUGE_VAL, value[4];
  for (int i = 0; i < track->key_count; i++) {
    curve_key(track, i, value);
    for (int k = 0; k < track_width(track->kind); k++) {
      low = fmin(low, value[k]);
      high = fmax(high, value[k]);
    }
  }
  return fmax(high - low, 1e-4);
}

static int rows_for_cubic(const clip_rows *t, const raw_track *track, double from, double to) {
  double tolerance =
      track->kind == TRACK_ROTATION ? 0.5 * rotation_tolerance(t, track) : value_tolerance * track_range(track);
  int rows = 1;
  for (; rows < MAX_ROWS_BETWEEN_KEYS; rows *= 2) {
    double worst = 0, step = (to - from) / rows;
    for (int i = 0; i < rows; i++) worst = fmax(worst, line_error(track, from + i * step, from + (i + 1) * step));
    if (worst <= tolerance) break;
  }
  return rows;
}

static int rows_between(const clip_rows *t, double from, double to) {
  int rows = 1;
  for (int i = 0; i < t->track_count; i++) {
    const raw_track *track = t->tracks[i];
    int wanted = 1;
    if (track->interpolation == RAW_CUBIC) wanted = rows_for_cubic(t, track, from, to);
    else if (track->interpolation == RAW_LINEAR && track->kind == TRACK_ROTATION)
      wanted = rows_for_slerp(t, track, from, to);
    if (wanted > rows) rows = wanted;
  }
  return rows < MAX_ROWS_BETWEEN_KEYS ? rows : MAX_ROWS_BETWEEN_KEYS;
}

static bool insert_rows(clip_rows *t) {
  int *wanted = raw_alloc(t->raw, (size_t)t->row_count, sizeof *wanted);
  if (!wanted) return false;
  size_t total = 1;
  for (int i = 0; i + 1 < t->row_count; i++) {
    wanted[i] = rows_between(t, t->times[i], t->times[i + 1]);
    total += (size_t)wanted[i];
  }
  if (total > MAX_ROW_FLOATS) return error_set(t->raw->error, "%s: a clip has too many keys", t->raw->path);
  double *times = raw_alloc(t->raw, total, sizeof *times);
  if (!times) return false;
  size_t n = 0;
  for (int i = 0; i + 1 < t->row_count; i++)
    for (int k = 0; k < wanted[i]; k++) times[n++] = t->times[i] + (t->times[i + 1] - t->times[i]) * k / wanted[i];
  times[n++] = t->times[t->row_count - 1];
  t->times = times;
  t->row_count = (int)n;
  return true;
}

/* ---- columns ---- */

static double widest_range(const raw_track *track) {
  double widest = 0;
  for (int c = 0; c < 3; c++) {
    double low = HUGE_VAL, high = -HUGE_VAL, value[4];
    for (int i = 0; i < track->key_count; i++) {
      curve_key(track, i, value);
      low = fmin(low, value[c]);
      high = fmax(high, value[c]);
    }
    widest = fmax(widest, high - low);
  }
  return widest;
}

/* Would 16 bits move a point by more than its share? */
static bool needs_floats(const clip_rows *t, const raw_track *track) {
  double reach = t->reach->node[track->node], allowed = rounding_share * t->tolerance;
  switch (track->kind) {
  case TRACK_ROTATION: return rotation_rounding * reach > allowed;
  case TRACK_TRANSLATION: return widest_range(track) / (2 * CLIP_ONE) > allowed;
  case TRACK_SCALE: return widest_range(track) / (2 * CLIP_ONE) * reach > allowed;
  case TRACK_MORPH: break;
  }
  return true;
}

static bool describe_tracks(clip_rows *t, clip_table_desc *desc) {
  clip_track *tracks = raw_alloc(t->raw, (size_t)t->track_count, sizeof *tracks);
  if (!tracks) return false;
  for (int i = 0; i < t->track_count; i++) {
    const raw_track *track = t->tracks[i];
    bool morph = track->kind == TRACK_MORPH;
    tracks[i] = (clip_track){track->kind,    track->node,
                             track->target,  track->interpolation == RAW_STEP,
                             desc->row_size, morph || needs_floats(t, track)};
    desc->row_size += track_width(track->kind);
  }
  desc->tracks = tracks;
  desc->track_count = t->track_count;
  return true;
}

/* Into the hemisphere of the row before, and no further from it than sampling can take: a cubic curve through zero
 * turns in no time, and reaches its new side some rows later. */
static void follow(const float *previous, double *q) {
  double before[4] = {(double)previous[0], (double)previous[1], (double)previous[2], (double)previous[3]};
  double cosine = curve_dot4(before, q), sign = cosine < 0 ? -1 : 1;
  for (int k = 0; k < 4; k++) q[k] *= sign;
  double angle = acos(fmin(fabs(cosine), 1));
  if (angle <= most_rotation_step) return;
  double wa = sin(angle - most_rotation_step) / sin(angle), wb = sin(most_rotation_step) / sin(angle);
  for (int k = 0; k < 4; k++) q[k] = wa * before[k] + wb * q[k];
  curve_normalize4(q);
}

static bool fill_rows(clip_rows *t, clip_table_desc *desc) {
  size_t row_size = (size_t)desc->row_size;
  if ((size_t)t->row_count * row_size > MAX_ROW_FLOATS)
    return error_set(t->raw->error, "%s: clip '%s' has %d rows of %d numbers, more than a clip may hold", t->raw->path,
                     t->clip->name, t->row_count, desc->row_size);
  float *rows = raw_alloc(t->raw, (size_t)t->row_count * row_size, sizeof *rows);
  float *times = raw_alloc(t->raw, (size_t)t->row_count, sizeof *times);
  if (!rows || !times) return false;
  for (int r = 0; r < t->row_count; r++) {
    times[r] = (float)(t->times[r] - t->start);
    /* Late in a long clip a float cannot tell two moments apart. */
    if (r && times[r] <= times[r - 1]) times[r] = nextafterf(times[r - 1], INFINITY);
    for (int i = 0; i < t->track_count; i++) {
      bool hold = desc->tracks[i].hold, rotation = desc->tracks[i].kind == TRACK_ROTATION;
      float *cell = rows + (size_t)r * row_size + desc->tracks[i].offset;
      double value[4];
      /* The row may stand a hair before the key that it was merged with: a step must have happened by then. */
      curve_value(t->tracks[i], t->times[r] + (hold ? same_time : 0), value);
      if (r && rotation && !hold) follow(cell - row_size, value);
      for (int k = 0; k < track_width(desc->tracks[i].kind); k++) cell[k] = (float)value[k];
    }
  }
  desc->rows = rows;
  desc->times = times;
  desc->row_count = t->row_count;
  return true;
}

bool clip_rows_build(clip_rows *rows, clip_table_desc *desc) {
  *desc = (clip_table_desc){0};
  return gather_key_times(rows) && insert_rows(rows) && describe_tracks(rows, desc) && fill_rows(rows, desc);
}
