#include "import/raw/curve.h"

#include <math.h>
#include <string.h>

double curve_dot4(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]; }

void curve_normalize4(double *q) {
  double length = sqrt(curve_dot4(q, q));
  for (int k = 0; k < 4; k++) q[k] = length > 0 ? q[k] / length : k == 3;
}

static void read_values(const float *from, int width, double *out) {
  for (int k = 0; k < width; k++) out[k] = (double)from[k];
}

/* The last key at or before `time`; 0 before the first. */
static int find_key(const raw_track *track, double time) {
  int low = 0, high = track->key_count - 1;
  while (low < high) {
    int middle = low + (high - low + 1) / 2;
    if (track->times[middle] <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

/* glTF 2.0, appendix C: a cubic spline with tangents scaled by the interval, as a polynomial in the fraction t of the
 * interval. `key` is the last one at or before the time. */
static void cubic_at(const raw_track *track, int key, double time, double *value, double *slope) {
  int width = clip_kind_width(track->kind);
  const float *a = raw_key(track, key), *b = a + 3 * width;
  read_values(a + width, width, value);
  for (int k = 0; k < width; k++) slope[k] = 0;
  if (key == track->key_count - 1 || time < track->times[key]) return;
  double interval = track->times[key + 1] - track->times[key], t = (time - track->times[key]) / interval;
  for (int k = 0; k < width; k++) {
    double from = (double)a[width + k], to = (double)b[width + k];
    double out = interval * (double)a[2 * width + k], in = interval * (double)b[k];
    double c = 3 * (to - from) - 2 * out - in, d = 2 * (from - to) + out + in;
    value[k] = from + t * (out + t * (c + t * d));
    slope[k] = (out + t * (2 * c + 3 * t * d)) / interval;
  }
}

void curve_cubic(const raw_track *track, double time, double *value, double *slope) {
  cubic_at(track, find_key(track, time), time, value, slope);
}

void curve_key(const raw_track *track, int key, double *out) {
  int width = clip_kind_width(track->kind);
  read_values(raw_key(track, key) + (track->interpolation == RAW_CUBIC ? width : 0), width, out);
  if (track->kind == TRACK_ROTATION) curve_normalize4(out);
}

static void load_keys(curve_cursor *c, int key) {
  const raw_track *track = c->track;
  bool known = track->interpolation == RAW_LINEAR && key == c->key + 1; /* except for the sign of a rotation */
  c->key = key;
  c->angle = -1;
  if (known) memcpy(c->a, c->b, sizeof c->a);
  else curve_key(track, key, c->a);
  if (track->interpolation != RAW_LINEAR) return;
  curve_key(track, key + 1 < track->key_count ? key + 1 : key, c->b);
  if (track->kind != TRACK_ROTATION) return;
  double cosine = curve_dot4(c->a, c->b);
  for (int k = 0; cosine < 0 && k < 4; k++) c->b[k] = -c->b[k];
}

curve_cursor curve_cursor_make(const raw_track *track) {
  curve_cursor c = {.track = track};
  load_keys(&c, 0);
  return c;
}

/* Whether a moment is between the same keys. */
static bool has(const curve_cursor *c, double time) {
  const double *times = c->track->times;
  return (c->key == 0 || times[c->key] <= time) && (c->key == c->track->key_count - 1 || time < times[c->key + 1]);
}

/* Finds the keys around a moment; a and b are then their values, equal past the last one. */
static void seek(curve_cursor *c, double time) {
  const double *times = c->track->times;
  int last = c->track->key_count - 1;
  if (has(c, time)) return;
  int next = c->key + 1;
  bool near = next <= last && times[next] <= time && (next == last || time < times[next + 1]);
  int key = near ? next : find_key(c->track, time);
  if (key != c->key) load_keys(c, key);
}

/* The angle between the rotations a and b. */
static double angle_of(curve_cursor *c) {
  if (c->angle < 0) {
    c->angle = sinew_acos(fmin(curve_dot4(c->a, c->b), 1));
    c->sine = sinew_sin(c->angle);
  }
  return c->angle;
}

/* The fraction of the interval from a to b at a moment, 0 … 1. */
static double part_of(const curve_cursor *c, double time) {
  const double *times = c->track->times + c->key;
  if (c->key == c->track->key_count - 1 || time <= times[0]) return 0;
  return (time - times[0]) / (times[1] - times[0]);
}

/* sin(t φ) / sin φ; for the small angles between frames a series, accurate to 1e-9. */
static double slerp_weight(double t, double angle, double sine) {
  static const double small_angle = 0.2;
  double q = angle * angle, u = t * t;
  if (angle > small_angle) return sinew_sin(t * angle) / sine;
  return t + t * (1 - u) * q * (1.0 / 6 + q * ((7 - 3 * u) / 360 + q * (31 - u * (18 - 3 * u)) / 15120));
}

static void between_keys(curve_cursor *c, double t, double *out) {
  double wa = 1 - t, wb = t;
  if (c->track->kind == TRACK_ROTATION) { /* Shoemake 1985, along the shorter arc */
    double angle = angle_of(c);
    wa = slerp_weight(1 - t, angle, c->sine);
    wb = slerp_weight(t, angle, c->sine);
  }
  for (int k = 0; k < clip_kind_width(c->track->kind); k++) out[k] = wa * c->a[k] + wb * c->b[k];
}

void curve_cursor_value(curve_cursor *c, double time, double *out) {
  const raw_track *track = c->track;
  seek(c, time);
  bool at_key = c->key == track->key_count - 1 || time <= track->times[c->key];
  if (at_key || track->interpolation == RAW_STEP) {
    memcpy(out, c->a, (size_t)clip_kind_width(track->kind) * sizeof *out);
    return;
  }
  if (track->interpolation == RAW_CUBIC) {
    double slope[4];
    cubic_at(track, c->key, time, out, slope);
    if (track->kind == TRACK_ROTATION) curve_normalize4(out);
    return;
  }
  between_keys(c, part_of(c, time), out);
}

void curve_value(const raw_track *track, double time, double *out) {
  curve_cursor cursor = curve_cursor_make(track);
  curve_cursor_value(&cursor, time, out);
}

bool curve_moves(const raw_track *track) {
  int width = clip_kind_width(track->kind);
  if (track->key_count < 2) return false;
  if (track->interpolation == RAW_CUBIC) return true;
  for (int i = 1; i < track->key_count; i++)
    for (int k = 0; k < width; k++) {
      float first = track->values[k];
      if (fabsf(raw_key(track, i)[k] - first) > 1e-7f * fmaxf(1e-3f, fabsf(first))) return true;
    }
  return false;
}

static double distance(const float *a, const float *b, int width, double sign) {
  double sum = 0;
  for (int k = 0; k < width; k++) sum += ((double)a[k] - sign * (double)b[k]) * ((double)a[k] - sign * (double)b[k]);
  return sqrt(sum);
}

static double length(const float *v, int width) {
  static const float zero[4];
  return distance(v, zero, width, 1);
}

/* A cubic curve deviates from the line between its keys by less than the sum of its tangents. */
static double bend_at(const raw_track *track, int key, int width) {
  const float *in = raw_key(track, key), *out = in + 2 * width;
  double before = key > 0 ? track->times[key] - track->times[key - 1] : 0;
  double after = key + 1 < track->key_count ? track->times[key + 1] - track->times[key] : 0;
  return before * length(in, width) + after * length(out, width);
}

bool curve_stays(const raw_track *track, double slack) {
  int width = clip_kind_width(track->kind);
  bool cubic = track->interpolation == RAW_CUBIC;
  const float *first = track->values + (cubic ? width : 0);
  for (int i = 0; i < track->key_count; i++) {
    const float *value = raw_key(track, i) + (cubic ? width : 0);
    double off = distance(value, first, width, 1);
    if (track->kind == TRACK_ROTATION) off = fmin(off, distance(value, first, width, -1));
    if (!(off + (cubic ? bend_at(track, i, width) : 0) <= slack)) return false;
  }
  return true;
}

/* ---- the pose of a raw clip at a moment ---- */

static void set_value(sinew_transform *t, track_kind kind, const double *v) {
  sinew_vec3 vector = {(float)v[0], (float)v[1], (float)v[2]};
  if (kind == TRACK_ROTATION) t->rotation = (sinew_quat){vector.x, vector.y, vector.z, (float)v[3]};
  else if (kind == TRACK_TRANSLATION) t->translation = vector;
  else t->scale = vector;
}

void raw_pose(const skeleton_view *skeleton, const raw_clip *clip, double time, sinew_transform *local,
              sinew_transform *model) {
  memcpy(local, skeleton->rest, (size_t)skeleton->count * sizeof *local);
  for (int i = 0; i < clip->track_count; i++) {
    const raw_track *track = clip->tracks + i;
    double value[4] = {0};
    if (track->kind == TRACK_MORPH) continue;
    curve_value(track, time, value);
    set_value(local + track->node + 1, track->kind, value);
  }
  skeleton_to_model(skeleton, local, model);
}

bool raw_clip_span(const raw_clip *clip, double *first, double *last) {
  *first = (double)INFINITY;
  *last = -(double)INFINITY;
  for (int i = 0; i < clip->track_count; i++) {
    const raw_track *track = clip->tracks + i;
    if (track->kind == TRACK_MORPH || track->key_count == 0) continue;
    *first = fmin(*first, track->times[0]);
    *last = fmax(*last, track->times[track->key_count - 1]);
  }
  return *first <= *last;
}
