#include "model/clip/clip_fit.h"

#include <math.h>
#include <string.h>

/* The integers for the largest number of a component, of either sign. */
enum { LARGEST = 32767, LARGEST_BYTE = 127, BYTE = 256 };
/* The limit of x² + y² + z² for a rotation relative to the middle: 90 degrees. Beyond it, the steps of w are too coarse
 * for a length near 1. */
static const double most_square = 0.5;
/* Up to here, 7 degrees, w can be 1, and the length is still near 1. */
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

/* middle⁻¹ · q is the sum of these columns times q's numbers. */
typedef struct columns {
  double of[4][4];
} columns;

static columns find_columns(const float *middle) {
  double x = (double)middle[0], y = (double)middle[1], z = (double)middle[2], w = (double)middle[3];
  return (columns){{{w, -z, y, x}, {z, w, -x, y}, {-y, x, w, z}, {-x, -y, -z, w}}};
}

static inline void find_relative(const columns *m, const float *q, double *out) {
  double x = (double)q[0], y = (double)q[1], z = (double)q[2], w = (double)q[3];
  for (int c = 0; c < 4; c++) out[c] = m->of[0][c] * x + m->of[1][c] * y + (m->of[2][c] * z + m->of[3][c] * w);
}

static bool set_unit(const double *q, float *out) {
  double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int k = 0; k < 4; k++) out[k] = without_dust((float)(q[k] / length), DUST_TURN);
  return length > 1e-3;
}

/* Two numbers side by side in a vector. */
typedef double two __attribute__((vector_size(16)));
typedef int64_t two_masks __attribute__((vector_size(16)));
typedef struct four {
  two xy, zw;
} four;

static inline four widen_four(const float *from) {
  return (four){{(double)from[0], (double)from[1]}, {(double)from[2], (double)from[3]}};
}

/* Written so that compilers do not split it into scalar instructions. */
static inline two lesser(two a, two b) {
#ifdef __SSE2__
  return __builtin_ia32_minpd(a, b);
#else
  two_masks which = a < b;
  return (two)((which & (two_masks)a) | (~which & (two_masks)b));
#endif
}

static inline two larger(two a, two b) {
#ifdef __SSE2__
  return __builtin_ia32_maxpd(a, b);
#else
  return -lesser(-a, -b);
#endif
}

/* The mean, or the first frame if that is zero. */
static void find_mean(const track_group_desc *desc, const clip_track *track, int first, int last, float *middle) {
  four sum = {{0}, {0}};
  const float *q = frame_of(desc, track, first);
  for (int r = first; r <= last; r++, q += desc->frame_size) {
    four v = widen_four(q);
    sum.xy += v.xy;
    sum.zw += v.zw;
  }
  if (!set_unit((const double[4]){sum.xy[0], sum.xy[1], sum.zw[0], sum.zw[1]}, middle))
    memcpy(middle, frame_of(desc, track, first), 4 * sizeof *middle);
}

typedef struct extent {
  double low[4], high[4];
} extent;

static const extent empty = {{HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};

static inline void extend(extent *e, const double *v, int count) {
  for (int c = 0; c < count; c++) {
    e->low[c] = v[c] < e->low[c] ? v[c] : e->low[c];
    e->high[c] = v[c] > e->high[c] ? v[c] : e->high[c];
  }
}

typedef struct reached {
  four low, high;
} reached;

static inline void reach(reached *r, two xy, two zw) {
  r->low.xy = lesser(xy, r->low.xy);
  r->low.zw = lesser(zw, r->low.zw);
  r->high.xy = larger(xy, r->high.xy);
  r->high.zw = larger(zw, r->high.zw);
}

static extent extent_of(const reached *r) {
  return (extent){{r->low.xy[0], r->low.xy[1], r->low.zw[0], r->low.zw[1]},
                  {r->high.xy[0], r->high.xy[1], r->high.zw[0], r->high.zw[1]}};
}

/* Rotations relative to the middle, and x, y and z for w = 1 (unless NULL). False if one is too far from the middle. */
static inline bool find_turns(const track_group_desc *desc, const clip_track *track, int first, int last,
                              const float *middle, extent *e, extent *with_one) {
  columns m = find_columns(middle);
  const two most = {HUGE_VAL, HUGE_VAL};
  reached turns = {{most, most}, {-most, -most}}, ones = turns;
  const float *q = frame_of(desc, track, first);
  two of[4][2];
  for (int c = 0; c < 4; c++) of[c][0] = (two){m.of[c][0], m.of[c][1]}, of[c][1] = (two){m.of[c][2], m.of[c][3]};
  for (int r = first; r <= last; r++, q += desc->frame_size) {
    double x = (double)q[0], y = (double)q[1], z = (double)q[2], w = (double)q[3];
    two xy = of[0][0] * x + of[1][0] * y + (of[2][0] * z + of[3][0] * w);
    two zw = of[0][1] * x + of[1][1] * y + (of[2][1] * z + of[3][1] * w);
    reach(&turns, xy, zw);
    double length = 1 / zw[1];
    if (with_one) reach(&ones, xy * length, zw * length);
  }
  *e = extent_of(&turns);
  if (with_one) *with_one = extent_of(&ones);
  return e->low[3] > sqrt(1 - most_square);
}

/* Moves the middle so that components reach about equally far to both sides. */
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
                         extent *e, extent *with_one) {
  find_mean(desc, track, first, last, middle);
  if (find_turns(desc, track, first, last, middle, e, NULL)) center(e, middle);
  return find_turns(desc, track, first, last, middle, e, with_one);
}

/* ---- vectors ---- */

static void fit_vector(const track_group_desc *desc, const clip_track *track, int first, int last, float *middle,
                       extent *e) {
  const float *v = frame_of(desc, track, first);
  *e = empty;
  for (int r = first; r <= last; r++, v += desc->frame_size)
    extend(e, (const double[3]){(double)v[0], (double)v[1], (double)v[2]}, 3);
  for (int c = 0; c < 3; c++) {
    middle[c] = without_dust((float)(0.5 * e->low[c] + 0.5 * e->high[c]), clip_kind_dust(track->kind));
    e->low[c] -= (double)middle[c];
    e->high[c] -= (double)middle[c];
  }
}

/* ---- integers ---- */

static int choose_bytes(double most, double slack, double dust) {
  if (most <= slack || most < dust) return 0;
  return slack > 0 && most <= slack * 2 * LARGEST_BYTE ? 1 : 2;
}

/* Rounded up slightly, so that the upper half of a float represents it. */
static float unit_of(int bytes, double most) {
  float unit = bytes == 0 ? 0 : (float)(most / (bytes == 1 ? LARGEST_BYTE * BYTE : LARGEST));
  uint32_t bits;
  memcpy(&bits, &unit, sizeof bits);
  bits = (bits + 0xFFFF) & 0xFFFF0000u;
  memcpy(&unit, &bits, sizeof unit);
  return unit;
}

/* The largest distance between neighbouring frames. */
static double longest_step(const track_group_desc *desc, const clip_track *track, int first, int last) {
  double longest = 0;
  const float *q = frame_of(desc, track, first);
  four before = widen_four(q);
  for (int r = first; r < last; r++) {
    q += desc->frame_size;
    four now = widen_four(q);
    two xy = now.xy - before.xy, zw = now.zw - before.zw, squares = xy * xy + zw * zw;
    double square = squares[0] + squares[1];
    longest = square > longest ? square : longest;
    before = now;
  }
  return sqrt(longest);
}

/* Chooses the integer of w, which is at most 1. Its rounding does not change the rotation of a frame, only its length.
 * Between frames, lengths in the ratio 1 + r shift the rotation by t (1 − t) r of the step: that may be half of the
 * allowed error. */
static void choose_w(const clip_shape *shape, double slack, clip_fit *fit) {
  double most = 1 - sqrt(fmax(1 - shape->square, 1 - most_square)), step = shape->step;
  bool none = shape->square <= least_square && 0.25 * sqrt(shape->square) * step * step <= 0.5 * slack;
  fit->bytes[3] = none ? 0 : 0.25 * most / LARGEST_BYTE * step / (1 - most) <= 0.5 * slack ? 1 : 2;
  fit->scale[3] = unit_of(fit->bytes[3], most);
}

/* Turns frames into integers: scales, offsets and bounds. */
typedef struct encoder {
  const clip_fit *fit;
  track_kind kind;
  columns relative;
  double middle[3], per_unit[4], most[4];
  int unit[4];
} encoder;

static encoder open_encoder(const clip_fit *fit, track_kind kind) {
  encoder e = {.fit = fit, .kind = kind};
  if (kind == TRACK_ROTATION) e.relative = find_columns(fit->middle);
  for (int c = 0; c < 3; c++) e.middle[c] = (double)fit->middle[c];
  for (int c = 0; c < 4; c++) {
    e.unit[c] = fit->bytes[c] == 1 ? BYTE : 1;
    e.most[c] = fit->bytes[c] == 1 ? LARGEST_BYTE : LARGEST;
    e.per_unit[c] = fit->scale[c] > 0 ? 1 / ((double)fit->scale[c] * e.unit[c]) : 0;
  }
  return e;
}

/* The nearest integer, of two the even one. */
static inline int16_t to_integer(const encoder *e, int c, double value) {
  double near = value * e->per_unit[c], most = e->most[c];
  near = near > -most ? near < most ? near : most : -most;
  return (int16_t)((int)(near + 0x1.8p52 - 0x1.8p52) * e->unit[c]);
}

/* A frame's numbers in units of the integers, before rounding; returns the integer of w. */
static inline int16_t find_numbers(const encoder *e, const float *value, double *v) {
  if (e->kind != TRACK_ROTATION) {
    for (int c = 0; c < 3; c++) v[c] = (double)value[c] - e->middle[c];
    return 0;
  }
  find_relative(&e->relative, value, v);
  int16_t integer = e->fit->bytes[3] ? to_integer(e, 3, v[3] - 1) : 0;
  double length = (1 + (double)e->fit->scale[3] * integer) / v[3];
  for (int c = 0; c < 3; c++) v[c] *= length;
  return integer;
}

static void set_most(const extent *e, double *most) {
  for (int c = 0; c < 3; c++) most[c] = fmax(-e->low[c], e->high[c]);
}

static void find_most(const track_group_desc *desc, const clip_track *track, int first, int last, const clip_fit *fit,
                      double *most) {
  extent e = empty;
  encoder to = open_encoder(fit, track->kind);
  const float *value = frame_of(desc, track, first);
  for (int r = first; r <= last; r++, value += desc->frame_size) {
    double v[4];
    find_numbers(&to, value, v);
    extend(&e, v, 3);
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
  extent with_one;
  shape.fits = fit_rotation(desc, track, first, last, shape.middle, &e, &with_one);
  for (int c = 0; c < 3; c++) shape.square += fmax(e.low[c] * e.low[c], e.high[c] * e.high[c]);
  shape.step = longest_step(desc, track, first, last);
  set_most(shape.fits ? &with_one : &e, shape.most[0]);
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
    fit.bytes[c] = choose_bytes(most[c], (double)track->slack, (double)clip_kind_dust(track->kind));
    fit.scale[c] = unit_of(fit.bytes[c], most[c]);
  }
  return fit;
}

clip_fit clip_fit_find(const track_group_desc *desc, const clip_track *track, int first, int last) {
  clip_shape shape = clip_shape_find(desc, track, first, last);
  return clip_shape_fit(&shape, desc, track, first, last);
}

static inline void encode(const encoder *e, const float *value, int16_t integers[4]) {
  double v[4];
  integers[3] = find_numbers(e, value, v);
  for (int c = 0; c < 3; c++) integers[c] = to_integer(e, c, v[c]);
}

void clip_fit_encode(const clip_fit *fit, const track_group_desc *desc, const clip_track *track, int first, int last,
                     int16_t (*integers)[4]) {
  encoder e = open_encoder(fit, track->kind);
  const float *value = frame_of(desc, track, first);
  for (int r = first; r <= last; r++, value += desc->frame_size) encode(&e, value, *integers++);
}

void clip_fit_round(const clip_fit *fit, const track_group_desc *desc, const clip_track *track, int first, int last,
                    float *value) {
  encoder e = open_encoder(fit, track->kind);
  const float *is = frame_of(desc, track, first);
  for (int r = first; r <= last; r++, is += desc->frame_size, value += desc->frame_size) {
    int16_t integers[4];
    encode(&e, is, integers);
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

/* ---- the lengths of segments ---- */

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

/* From the whole track group to shorter segments. */
const int clip_lengths[CLIP_LENGTHS] = {30, 7, 6, 5, 4, 3, 2, 1, 0};

static double find_size(const track_group_desc *desc, int track, int shift) {
  double size = 0;
  for (int s = 0; s < clip_segment_count(desc->frame_count, shift); s++) {
    int first = clip_segment_first(shift, s), last = clip_segment_last(desc->frame_count, shift, s), bytes = 0;
    clip_fit fit = clip_fit_find(desc, desc->tracks + track, first, last);
    if (!fit.fits) return HUGE_VAL;
    for (int c = 0; c < 4; c++) bytes += fit.bytes[c];
    size += (double)bytes * (last - first + 1);
  }
  return size;
}

double clip_fit_size(const track_group_desc *desc, double *sizes, int track, int length) {
  double *known = sizes ? sizes + (size_t)track * CLIP_LENGTHS + length : NULL;
  if (known && *known >= 0) return *known;
  double size = find_size(desc, track, clip_lengths[length]);
  if (known) *known = size;
  return size;
}

double clip_segments_size(const track_group_desc *desc, int narrow_packs, int length) {
  double segments = clip_segment_count(desc->frame_count, clip_lengths[length]);
  return segments * ((double)narrow_packs * sizeof(clip_block) + sizeof(clip_segment));
}

/* Stops counting beyond `most`. */
static double size_with(const track_group_desc *desc, int narrow_packs, double *sizes, int length, double most) {
  double size = clip_segments_size(desc, narrow_packs, length);
  for (int i = 0; i < desc->track_count && size < most; i++)
    if (clip_form_is_narrow((int)clip_track_form(desc->tracks + i))) size += clip_fit_size(desc, sizes, i, length);
  return size;
}

/* Tries shorter segments as long as they get smaller. Segments of 128 intervals are only for parts of a group. Two
 * frames always fit. */
int clip_fit_segment(const track_group_desc *desc, int narrow_packs, double *sizes, double *size) {
  int best = 0;
  double least = HUGE_VAL;
  for (int i = 0; sizes && i < desc->track_count * CLIP_LENGTHS; i++) sizes[i] = -1;
  for (int i = 0; i < CLIP_LENGTHS && narrow_packs > 0; i++) {
    if (clip_lengths[i] == 7 || (i > 0 && desc->frame_count <= 1 << clip_lengths[i])) continue;
    double with = size_with(desc, narrow_packs, sizes, i, least);
    if (!isfinite(with)) continue;
    if (with >= least) break;
    best = i, least = with;
  }
  *size = isfinite(least) ? least : 0;
  return 1 + clip_lengths[best];
}
