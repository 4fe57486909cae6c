#include "model/clip_fit.h"

#include <math.h>
#include <string.h>

/* The integers for the largest number of a component, of either sign. */
enum { LARGEST = 32767, LARGEST_BYTE = 127, BYTE = 256 };
/* Of a rotation relative to the middle, x² + y² + z² stays below: 120 degrees. Beyond, w loses its precision. */
static const double most_square = 0.75;

static const float *row_of(const clip_table_desc *desc, const clip_track *track, int row) {
  return desc->rows + (size_t)row * (size_t)desc->row_size + (size_t)track->offset;
}

/* ---- rotations relative to a middle ---- */

static void multiply(const double *a, const double *b, double *out) {
  const double product[4] = {
      a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
      a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
  memcpy(out, product, sizeof product);
}

static void find_relative(const float *middle, const float *q, double *out) {
  const double back[4] = {-(double)middle[0], -(double)middle[1], -(double)middle[2], (double)middle[3]};
  const double own[4] = {(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
  multiply(back, own, out);
}

static bool set_unit(const double *q, float *out) {
  double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int k = 0; k < 4; k++) out[k] = (float)(q[k] / length);
  return length > 1e-3;
}

/* The mean, or the first row where there is none. */
static void find_mean(const clip_table_desc *desc, const clip_track *track, int first, int last, float *middle) {
  double sum[4] = {0};
  for (int r = first; r <= last; r++)
    for (int k = 0; k < 4; k++) sum[k] += (double)row_of(desc, track, r)[k];
  if (!set_unit(sum, middle)) memcpy(middle, row_of(desc, track, first), 4 * sizeof *middle);
}

typedef struct extent {
  double low[3], high[3];
} extent;

static void extend(extent *e, const double *v, bool first) {
  for (int c = 0; c < 3; c++) {
    e->low[c] = first ? v[c] : fmin(e->low[c], v[c]);
    e->high[c] = first ? v[c] : fmax(e->high[c], v[c]);
  }
}

/* False where a rotation is too far from the middle. */
static bool find_turns(const clip_table_desc *desc, const clip_track *track, int first, int last, const float *middle,
                       extent *e) {
  bool near = true;
  for (int r = first; r <= last; r++) {
    double v[4];
    find_relative(middle, row_of(desc, track, r), v);
    near = near && v[3] > 0 && v[0] * v[0] + v[1] * v[1] + v[2] * v[2] < most_square;
    extend(e, v, r == first);
  }
  return near;
}

/* Moves the middle to where components reach equally far to both sides, nearly. */
static void center(const extent *e, float *middle) {
  double turn[4], square = 0, own[4];
  for (int c = 0; c < 3; c++) {
    turn[c] = 0.5 * (e->low[c] + e->high[c]);
    square += turn[c] * turn[c];
    own[c] = (double)middle[c];
  }
  own[3] = (double)middle[3];
  turn[3] = sqrt(fmax(1 - square, 0));
  multiply(own, turn, own);
  set_unit(own, middle);
}

static bool fit_rotation(const clip_table_desc *desc, const clip_track *track, int first, int last, float *middle,
                         extent *e) {
  find_mean(desc, track, first, last, middle);
  for (int pass = 0; pass < 2 && find_turns(desc, track, first, last, middle, e); pass++) center(e, middle);
  return find_turns(desc, track, first, last, middle, e);
}

/* ---- vectors ---- */

static void fit_vector(const clip_table_desc *desc, const clip_track *track, int first, int last, float *middle,
                       extent *e) {
  for (int r = first; r <= last; r++) {
    const float *v = row_of(desc, track, r);
    extend(e, (const double[3]){(double)v[0], (double)v[1], (double)v[2]}, r == first);
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
  return most <= slack * 2 * LARGEST_BYTE ? 1 : 2;
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

clip_fit clip_fit_find(const clip_table_desc *desc, const clip_track *track, int first, int last) {
  clip_fit fit = {.fits = true};
  extent e = {{0}, {0}};
  if (track->kind == TRACK_ROTATION) fit.fits = fit_rotation(desc, track, first, last, fit.middle, &e);
  else fit_vector(desc, track, first, last, fit.middle, &e);
  for (int c = 0; c < 3; c++) {
    double most = fmax(-e.low[c], e.high[c]);
    fit.bytes[c] = choose_bytes(most, (double)track->slack);
    fit.scale[c] = unit_of(fit.bytes[c], most);
  }
  return fit;
}

static int16_t to_integer(double value, float scale, int bytes) {
  double step = (double)scale * (bytes == 1 ? BYTE : 1), most = bytes == 1 ? LARGEST_BYTE : LARGEST;
  double integer = scale > 0 ? rint(fmin(fmax(value / step, -most), most)) : 0;
  return (int16_t)(integer * (bytes == 1 ? BYTE : 1));
}

void clip_fit_encode(const clip_fit *fit, track_kind kind, const float *value, int16_t integers[3]) {
  double v[4];
  if (kind == TRACK_ROTATION) find_relative(fit->middle, value, v);
  else
    for (int c = 0; c < 3; c++) v[c] = (double)value[c] - (double)fit->middle[c];
  for (int c = 0; c < 3; c++) integers[c] = to_integer(v[c], fit->scale[c], fit->bytes[c]);
}

void clip_fit_decode(const clip_fit *fit, track_kind kind, const int16_t integers[3], float *value) {
  double v[4], square = 0, middle[4];
  for (int c = 0; c < 3; c++) {
    v[c] = (double)fit->scale[c] * integers[c];
    square += v[c] * v[c];
  }
  v[3] = sqrt(fmax(1 - square, 0));
  for (int k = 0; k < 4; k++) middle[k] = (double)fit->middle[k];
  if (kind == TRACK_ROTATION) multiply(middle, v, v);
  for (int k = 0; k < clip_kind_width(kind); k++) value[k] = (float)(kind == TRACK_ROTATION ? v[k] : middle[k] + v[k]);
}

/* ---- how long segments are ---- */

int clip_fit_row_bytes(const clip_table_desc *desc, int first, int last) {
  int bytes = 0;
  for (int i = 0; i < desc->track_count; i++) {
    const clip_track *track = desc->tracks + i;
    if (clip_track_is_wide(track)) continue;
    clip_fit fit = clip_fit_find(desc, track, first, last);
    if (!fit.fits) return -1;
    for (int c = 0; c < 3; c++) bytes += fit.bytes[c];
  }
  return bytes;
}

/* Bytes of a table's rows and blocks; negative where a rotation does not fit. */
static double size_with(const clip_table_desc *desc, int narrow_packs, int shift) {
  double size = 0;
  for (int s = 0, count = clip_segment_count(desc->row_count, shift); s < count; s++) {
    int first = clip_segment_first(shift, s), last = clip_segment_last(desc->row_count, shift, s);
    int bytes = clip_fit_row_bytes(desc, first, last);
    if (bytes < 0) return -1;
    size += (double)bytes * (last - first + 1) + (double)narrow_packs * sizeof(clip_block) + sizeof(clip_segment);
  }
  return size;
}

/* From the whole table down, as long as shorter segments are smaller. Two rows always fit. */
int clip_fit_segment(const clip_table_desc *desc, int narrow_packs) {
  static const int shifts[] = {30, 6, 5, 4, 3, 2, 1, 0};
  int best = 30;
  double least = -1;
  for (int i = 0; i < (int)(sizeof shifts / sizeof *shifts) && narrow_packs > 0; i++) {
    if (i > 0 && desc->row_count <= 1 << shifts[i]) continue;
    double size = size_with(desc, narrow_packs, shifts[i]);
    if (size < 0) continue;
    if (least >= 0 && size >= least) break;
    best = shifts[i], least = size;
  }
  return 1 + best;
}
