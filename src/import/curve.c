#include "import/curve.h"

#include <math.h>
#include <string.h>

double curve_dot4(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]; }

void curve_normalize4(double *q) {
  double length = sqrt(curve_dot4(q, q));
  for (int k = 0; k < 4; k++) q[k] = length > 0 ? q[k] / length : k == 3;
}

/* Shoemake 1985, along the shorter arc. */
static void slerp4(const double *a, const double *b, double t, double *out) {
  double cosine = curve_dot4(a, b), sign = cosine < 0 ? -1 : 1;
  double angle = acos(fmin(fabs(cosine), 1)), wa = 1 - t, wb = t;
  if (angle > 1e-6) {
    wa = sin((1 - t) * angle) / sin(angle);
    wb = sin(t * angle) / sin(angle);
  }
  for (int k = 0; k < 4; k++) out[k] = wa * a[k] + sign * wb * b[k];
  curve_normalize4(out);
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

/* glTF 2.0, appendix C: cubic spline with tangents scaled by the interval, as a polynomial of the part t of the
 * interval. */
void curve_cubic(const raw_track *track, double time, double *value, double *slope) {
  int key = find_key(track, time), width = track_width(track->kind);
  const float *a = track->values + (size_t)key * 3 * (size_t)width, *b = a + 3 * width;
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

void curve_key(const raw_track *track, int key, double *out) {
  int width = track_width(track->kind);
  size_t at = track->interpolation == RAW_CUBIC ? (size_t)key * 3 + 1 : (size_t)key;
  read_values(track->values + at * (size_t)width, width, out);
  if (track->kind == TRACK_ROTATION) curve_normalize4(out);
}

/* `out` gets track_width values. Times outside the keys hold the ends. */
void curve_value(const raw_track *track, double time, double *out) {
  int key = find_key(track, time), last = track->key_count - 1;
  curve_key(track, key, out);
  if (key == last || time <= track->times[key] || track->interpolation == RAW_STEP) return;
  if (track->interpolation == RAW_CUBIC) {
    double slope[4];
    curve_cubic(track, time, out, slope);
    if (track->kind == TRACK_ROTATION) curve_normalize4(out);
    return;
  }
  double interval = track->times[key + 1] - track->times[key], t = (time - track->times[key]) / interval;
  double a[4], b[4];
  memcpy(a, out, sizeof a);
  curve_key(track, key + 1, b);
  if (track->kind == TRACK_ROTATION) {
    slerp4(a, b, t, out);
    return;
  }
  for (int k = 0; k < track_width(track->kind); k++) out[k] = a[k] + t * (b[k] - a[k]);
}

bool curve_moves(const raw_track *track) {
  int width = track_width(track->kind);
  if (track->key_count < 2) return false;
  if (track->interpolation == RAW_CUBIC) return true;
  for (size_t i = (size_t)width; i < (size_t)track->key_count * (size_t)width; i++) {
    float first = track->values[i % (size_t)width];
    if (fabsf(track->values[i] - first) > 1e-7f * fmaxf(1e-3f, fabsf(first))) return true;
  }
  return false;
}
