#include "import/clip/clip_thin.h"

#include "import/raw/curve.h"

#include <math.h>
#include <string.h>

/* Neighbours of a needed row are no further away. */
enum { MOST_STRIDE = 16, MOST_SPAN = 64 };
/* Rows at any distance are found a little slower, and want their times kept. */
static const double worth_uneven = 0.7;
/* As close as neighbouring rotations must be for sampling, and a little more. */
static const double least_cosine = 0.901;

typedef struct thinning {
  const clip_table_desc *desc;
  const double *slack;
  int first, count; /* tracks */
} thinning;

static const float *cell(const thinning *t, int row, const clip_track *track) {
  return t->desc->rows + (size_t)row * (size_t)t->desc->row_size + track->offset;
}

/* ---- is what lies between two rows on the line between them? ---- */

static bool is_held(const thinning *t, const clip_track *track, int a, int b) {
  for (int row = a + 1; row < b; row++)
    if (memcmp(cell(t, a, track), cell(t, row, track), (size_t)clip_kind_width(track->kind) * sizeof(float)) != 0)
      return false;
  return true;
}

static double dot(const double *a, const double *b, int width) {
  double sum = 0;
  for (int k = 0; k < width; k++) sum += a[k] * b[k];
  return sum;
}

/* The square of the distance of a row from its place on the line, or on the arc. */
static double off_line(const thinning *t, const clip_track *track, int a, int b, int row) {
  const float *times = t->desc->times;
  double from[4], to[4], off[4];
  double wb = ((double)times[row] - (double)times[a]) / ((double)times[b] - (double)times[a]), wa = 1 - wb;
  int width = clip_kind_width(track->kind);
  for (int k = 0; k < width; k++) from[k] = (double)cell(t, a, track)[k], to[k] = (double)cell(t, b, track)[k];
  if (track->kind == TRACK_ROTATION) curve_arc(dot(from, to, 4), wb, &wa, &wb);
  for (int k = 0; k < width; k++) off[k] = wa * from[k] + wb * to[k] - (double)cell(t, row, track)[k];
  return dot(off, off, width);
}

static bool is_close(const thinning *t, const clip_track *track, int a, int b) {
  const float *p = cell(t, a, track), *q = cell(t, b, track);
  double cosine = 0;
  for (int k = 0; k < 4; k++) cosine += (double)p[k] * (double)q[k];
  return cosine >= least_cosine;
}

static bool is_line(const thinning *t, int index, int a, int b) {
  const clip_track *track = t->desc->tracks + index;
  double slack = t->slack[index];
  if (track->hold) return is_held(t, track, a, b);
  if (track->kind == TRACK_ROTATION && !is_close(t, track, a, b)) return false;
  for (int row = a + 1; row < b; row++)
    if (!(off_line(t, track, a, b, row) <= slack * slack)) return false;
  return true;
}

static bool are_lines(const thinning *t, int a, int b) {
  for (int i = t->first; i < t->first + t->count; i++)
    if (!is_line(t, i, a, b)) return false;
  return true;
}

/* ---- which rows ---- */

/* All but the last one may be off by what clip_times.c lets them. */
static bool are_even(const clip_table_desc *desc) {
  int last = desc->row_count - 1;
  double step = (double)desc->times[1];
  for (int i = 0; i < last; i++)
    if (fabs((double)desc->times[i] - i * step) > 1e-4 * step) return false;
  return true;
}

static bool fits_stride(const thinning *t, int stride) {
  int last = t->desc->row_count - 1;
  for (int row = 0; row < last; row += stride)
    if (!are_lines(t, row, row + stride < last ? row + stride : last)) return false;
  return true;
}

static int find_stride(const thinning *t) {
  int stride = are_even(t->desc) ? MOST_STRIDE : 1;
  while (stride > 1 && !fits_stride(t, stride)) stride--;
  return stride;
}

static int keep_stride(int row_count, int stride, int *needed) {
  int count = 0, last = row_count - 1;
  for (int row = 0; row < last; row += stride) needed[count++] = row;
  needed[count++] = last;
  return count;
}

/* The farthest row that lines from this one reach, nearly: by doubling, then halving. */
static int find_end(const thinning *t, int row) {
  int last = t->desc->row_count - 1, good = row + 1, span = 2;
  for (; span <= MOST_SPAN && row + span <= last && are_lines(t, row, row + span); span *= 2) good = row + span;
  int bad = row + span <= last ? row + span : last + 1;
  while (good + 1 < bad && span <= MOST_SPAN) {
    int middle = good + (bad - good) / 2;
    if (are_lines(t, row, middle)) good = middle;
    else bad = middle;
  }
  return good;
}

static int keep_ends(const thinning *t, int *needed) {
  int count = 0, last = t->desc->row_count - 1;
  for (int row = 0; row < last; row = find_end(t, row)) needed[count++] = row;
  needed[count++] = last;
  return count;
}

int clip_thin_find(const clip_table_desc *desc, const double *slack, int first, int count, int *needed) {
  thinning t = {desc, slack, first, count};
  if (desc->row_count < 3) return keep_stride(desc->row_count, 1, needed);
  int stride = find_stride(&t), even = (desc->row_count - 2) / stride + 2, uneven = keep_ends(&t, needed);
  return uneven <= worth_uneven * even ? uneven : keep_stride(desc->row_count, stride, needed);
}

bool clip_thin_apply(raw_model *raw, clip_table_desc *desc, const int *needed, int count) {
  size_t row_size = (size_t)desc->row_size;
  float *rows = raw_alloc(raw, (size_t)count * row_size, sizeof *rows);
  float *times = raw_alloc(raw, (size_t)count, sizeof *times);
  if (!rows || !times) return false;
  for (int i = 0; i < count; i++) {
    memcpy(rows + (size_t)i * row_size, desc->rows + (size_t)needed[i] * row_size, row_size * sizeof *rows);
    times[i] = desc->times[needed[i]];
  }
  desc->rows = rows;
  desc->times = times;
  desc->row_count = count;
  return true;
}
