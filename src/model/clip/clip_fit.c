#include "model/clip/clip_fit.h"

#include <math.h>
#include <string.h>

/* The integers for the largest number of a component, of either sign. */
enum { LARGEST = 32767, LARGEST_BYTE = 127, BYTE = 256 };
/* Of a rotation relative to the middle, x² + y² + z² stays below: 90 degrees. Beyond, the integers of w are too far
 * apart for a length near 1. */
static const double most_square = 0.5;
/* Up to here, 7 degrees, w can be 1, and the length is near it all the same. */
static const double least_square = 0.004;

static const float *frame_of(const track_group_desc *desc, const clip_track *track, int frame) {
  return desc->frames + (size_t)frame * (size_t)desc->frame_size + (size_t)track->offset;
}

/* ---- rotations relative to a middle ---- */

static void multiply(const double *a, const double *b, double *out) {
  const double product[4] = {
      a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
      a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
  memcpy(out, product, sizeof product);
}

/* middle⁻¹ · q */
static inline void find_relative(const double *m, const float *q, double *out) {
  double x = (double)q[0], y = (double)q[1], z = (double)q[2], w = (double)q[3];
  out[0] = m[3] * x - m[0] * w - m[1] * z + m[2] * y;
  out[1] = m[3] * y + m[0] * z - m[1] * w - m[2] * x;
  out[2] = m[3] * z - m[0] * y + m[1] * x - m[2] * w;
  out[3] = m[3] * w + m[0] * x + m[1] * y + m[2] * z;
}

static void widen(const float *from, double *out) {
  for (int k = 0; k < 4; k++) out[k] = (double)from[k];
}

static bool set_unit(const double *q, float *out) {
  double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int k = 0; k < 4; k++) out[k] = (float)(q[k] / length);
  return length > 1e-3;
}

/* The mean, or the first frame where there is none. */
static void find_mean(const track_group_desc *desc, const clip_track *track, int first, int last, float *middle) {
  double sum[4] = {0};
  for (int r = first; r <= last; r++)
    for (int k = 0; k < 4; k++) sum[k] += (double)frame_of(desc, track, r)[k];
  if (!set_unit(sum, middle)) memcpy(middle, frame_of(desc, track, first), 4 * sizeof *middle);
}

typedef struct extent {
  double low[3], high[3];
} extent;

static const extent empty = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};

static inline void extend(extent *e, const double *v) {
  for (int c = 0; c < 3; c++) {
    e->low[c] = v[c] < e->low[c] ? v[c] : e->low[c];
    e->high[c] = v[c] > e->high[c] ? v[c] : e->high[c];
  }
}

/* False where a rotation is too far from the middle. */
static bool find_turns(const track_group_desc *desc, const clip_track *track, int first, int last, const float *middle,
                       extent *e) {
  extent reached = empty;
  double from[4], least_w = HUGE_VAL, farthest = 0;
  widen(middle, from);
  for (int r = first; r <= last; r++) {
    double v[4];
    find_relative(from, frame_of(desc, track, r), v);
    double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    least_w = v[3] < least_w ? v[3] : least_w;
    farthest = square > farthest ? square : farthest;
    extend(&reached, v);
  }
  *e = reached;
  return least_w > 0 && farthest < most_square;
}

/* Moves the middle to where components reach equally far to both sides, nearly. */
static void center(const extent *e, float *middle) {
  double rotation[4], square = 0, own[4];
  for (int c = 0; c < 3; c++) {
    rotation[c] = 0.5 * (e->low[c] + e->high[c]);
    square += rotation[c] * rotation[c];
    own[c] = (double)middle[c];
  }
  own[3] = (double)middle[3];
  rotation[3] = sqrt(fmax(1 - square, 0));
  multiply(own, rotation, own);
  set_unit(own, middle);
}

static bool fit_rotation(const track_group_desc *desc, const clip_track *track, int first, int last, float *middle,
                         extent *e) {
  find_mean(desc, track, first, last, middle);
  if (find_turns(desc, track, first, last, middle, e)) center(e, middle);
  return find_turns(desc, track, first, last, middle, e);
}

/* ---- vectors ---- */

static void fit_vector(const track_group_desc *desc, const clip_track *track, int first, int last, float *middle,
                       extent *e) {
  *e = empty;
  for (int r = first; r <= last; r++) {
    const float *v = frame_of(desc, track, r);
    extend(e, (const double[3]){(double)v[0], (double)v[1], (double)v[2]});
  }
  for (int c = 0; c < 3; c++) {
    middle[c] = (float)(0.5 * e->low[c] + 0.5 * e->high[c]);
    e->low[c] -= (double)middle[c];
    e->high[c] -= (double)middle[c];
  }
}

/* ---- integers ---- */

static int choose_bytes(double most, double slack) {
  if (most <= slack) return 0;
  return slack > 0 && most <= slack * 2 * LARGEST_BYTE ? 1 : 2;
}

/* Or a little more, so that the upper half of a float says it. */
static float unit_of(int bytes, double most) {
  float unit = bytes == 0 ? 0 : (float)(most / (bytes == 1 ? LARGEST_BYTE * BYTE : LARGEST));
  uint32_t bits;
  memcpy(&bits, &unit, sizeof bits);
  bits = (bits + 0xFFFF) & 0xFFFF0000u;
  memcpy(&unit, &bits, sizeof unit);
  return unit;
}

static int16_t to_integer(double value, float scale, int bytes) {
  double step = (double)scale * (bytes == 1 ? BYTE : 1), most = bytes == 1 ? LARGEST_BYTE : LARGEST;
  double near = scale > 0 ? value / step : 0, bounded = near > -most ? near < most ? near : most : -most;
  double integer = rint(bounded);
  return (int16_t)(integer * (bytes == 1 ? BYTE : 1));
}

/* The farthest that two neighbouring frames are apart. */
static double longest_step(const track_group_desc *desc, const clip_track *track, int first, int last) {
  double longest = 0;
  for (int r = first; r < last; r++) {
    const float *a = frame_of(desc, track, r), *b = frame_of(desc, track, r + 1);
    double square = 0;
    for (int k = 0; k < 4; k++) square += ((double)b[k] - (double)a[k]) * ((double)b[k] - (double)a[k]);
    longest = fmax(longest, square);
  }
  return sqrt(longest);
}

/* The integer of w, which is 1 or less. Its rounding leaves the rotation of a frame as it is and makes its length
 * another. Between frames, lengths in the ratio 1 + r turn what lies there by t (1 − t) r of the step: that is to be
 * half of what may be missed at most. */
static void choose_w(const clip_shape *shape, double slack, clip_fit *fit) {
  double most = 1 - sqrt(fmax(1 - shape->square, 1 - most_square)), step = shape->step;
  bool none = shape->square <= least_square && 0.25 * sqrt(shape->square) * step * step <= 0.5 * slack;
  fit->bytes[3] = none ? 0 : 0.25 * most / LARGEST_BYTE * step / (1 - most) <= 0.5 * slack ? 1 : 2;
  fit->scale[3] = unit_of(fit->bytes[3], most);
}

/* A frame's numbers, as integers say them but for rounding. */
static int16_t find_numbers(const clip_fit *fit, track_kind kind, const float *value, double *v) {
  double middle[4];
  widen(fit->middle, middle);
  if (kind != TRACK_ROTATION) {
    for (int c = 0; c < 3; c++) v[c] = (double)value[c] - middle[c];
    return 0;
  }
  find_relative(middle, value, v);
  int16_t integer = to_integer(v[3] - 1, fit->scale[3], fit->bytes[3]);
  double length = (1 + (double)fit->scale[3] * integer) / v[3];
  for (int c = 0; c < 3; c++) v[c] *= length;
  return integer;
}

static void set_most(const extent *e, double *most) {
  for (int c = 0; c < 3; c++) most[c] = fmax(-e->low[c], e->high[c]);
}

static void find_most(const track_group_desc *desc, const clip_track *track, int first, int last, const clip_fit *fit,
                      double *most) {
  extent e = empty;
  for (int r = first; r <= last; r++) {
    double v[4];
    find_numbers(fit, track->kind, frame_of(desc, track, r), v);
    extend(&e, v);
  }
  set_most(&e, most);
}

clip_shape clip_shape_find(const track_group_desc *desc, const clip_track *track, int first, int last) {
  clip_shape shape = {.fits = true, .most = {{-1}, {-1}, {-1}}};
  extent e;
  if (track->kind != TRACK_ROTATION) {
    fit_vector(desc, track, first, last, shape.middle, &e);
    set_most(&e, shape.most[0]);
    return shape;
  }
  shape.fits = fit_rotation(desc, track, first, last, shape.middle, &e);
  for (int c = 0; c < 3; c++) shape.square += fmax(e.low[c] * e.low[c], e.high[c] * e.high[c]);
  shape.step = longest_step(desc, track, first, last);
  if (!shape.fits) set_most(&e, shape.most[0]);
  for (int w = 1; !shape.fits && w < 3; w++) memcpy(shape.most[w], shape.most[0], sizeof shape.most[w]);
  return shape;
}

clip_fit clip_shape_fit(clip_shape *shape, const track_group_desc *desc, const clip_track *track, int first, int last) {
  clip_fit fit = {.fits = shape->fits};
  memcpy(fit.middle, shape->middle, sizeof fit.middle);
  if (track->kind == TRACK_ROTATION) choose_w(shape, (double)track->slack, &fit);
  double *most = shape->most[fit.bytes[3]];
  if (most[0] < 0) find_most(desc, track, first, last, &fit, most);
  for (int c = 0; c < 3; c++) {
    fit.bytes[c] = choose_bytes(most[c], (double)track->slack);
    fit.scale[c] = unit_of(fit.bytes[c], most[c]);
  }
  return fit;
}

clip_fit clip_fit_find(const track_group_desc *desc, const clip_track *track, int first, int last) {
  clip_shape shape = clip_shape_find(desc, track, first, last);
  return clip_shape_fit(&shape, desc, track, first, last);
}

void clip_fit_encode(const clip_fit *fit, track_kind kind, const float *value, int16_t integers[4]) {
  double v[4];
  integers[3] = find_numbers(fit, kind, value, v);
  for (int c = 0; c < 3; c++) integers[c] = to_integer(v[c], fit->scale[c], fit->bytes[c]);
}

void clip_fit_round(const clip_fit *fit, const track_group_desc *desc, const clip_track *track, int first, int last,
                    float *value) {
  for (int r = first; r <= last; r++, value += desc->frame_size) {
    int16_t integers[4];
    clip_fit_encode(fit, track->kind, frame_of(desc, track, r), integers);
    clip_fit_decode(fit, track->kind, integers, value);
  }
}

void clip_fit_decode(const clip_fit *fit, track_kind kind, const int16_t integers[4], float *value) {
  double v[4], middle[4];
  for (int c = 0; c < 4; c++) v[c] = (double)fit->scale[c] * integers[c] + (c == 3);
  for (int k = 0; k < 4; k++) middle[k] = (double)fit->middle[k];
  if (kind == TRACK_ROTATION) multiply(middle, v, v);
  for (int k = 0; k < clip_kind_width(kind); k++) value[k] = (float)(kind == TRACK_ROTATION ? v[k] : middle[k] + v[k]);
}

int16_t clip_full_integer(float value) { return (int16_t)lrintf(fminf(fmaxf(value, -1), 1) * CLIP_ONE); }

/* ---- how long segments are ---- */

clip_fit clip_fit_at(const track_group_desc *desc, int track, int shift, int segment) {
  if (desc->fits) return desc->fits[(size_t)segment * (size_t)desc->track_count + (size_t)track];
  return clip_fit_find(desc, desc->tracks + track, clip_segment_first(shift, segment),
                       clip_segment_last(desc->frame_count, shift, segment));
}

int clip_fit_frame_bytes(const track_group_desc *desc, int shift, int segment) {
  int bytes = 0;
  for (int i = 0; i < desc->track_count; i++) {
    if (!clip_form_is_narrow((int)clip_track_form(desc->tracks + i))) continue;
    clip_fit fit = clip_fit_at(desc, i, shift, segment);
    if (!fit.fits) return -1;
    for (int c = 0; c < 4; c++) bytes += fit.bytes[c];
  }
  return bytes;
}

/* Counted no further than `most`. */
static double size_with(const track_group_desc *desc, int narrow_packs, int shift, double most) {
  double size = 0;
  for (int s = 0, count = clip_segment_count(desc->frame_count, shift); s < count && size < most; s++) {
    int first = clip_segment_first(shift, s), last = clip_segment_last(desc->frame_count, shift, s);
    int bytes = clip_fit_frame_bytes(desc, shift, s);
    if (bytes < 0) return -1;
    size += (double)bytes * (last - first + 1) + (double)narrow_packs * sizeof(clip_block) + sizeof(clip_segment);
  }
  return size;
}

double clip_fit_size(const track_group_desc *desc, int narrow_packs, int shift) {
  return size_with(desc, narrow_packs, shift, HUGE_VAL);
}

/* From the whole track group down, as long as shorter segments are smaller. Two frames always fit. */
int clip_fit_segment(const track_group_desc *desc, int narrow_packs, double *size) {
  static const int shifts[] = {30, 6, 5, 4, 3, 2, 1, 0};
  int best = 30;
  double least = -1;
  for (int i = 0; i < (int)(sizeof shifts / sizeof *shifts) && narrow_packs > 0; i++) {
    if (i > 0 && desc->frame_count <= 1 << shifts[i]) continue;
    double with = size_with(desc, narrow_packs, shifts[i], least < 0 ? HUGE_VAL : least);
    if (with < 0) continue;
    if (least >= 0 && with >= least) break;
    best = shifts[i], least = with;
  }
  *size = fmax(least, 0);
  return 1 + best;
}
