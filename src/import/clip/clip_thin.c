#include "import/clip/clip_thin.h"

#include <math.h>
#include <string.h>

/* The largest distance between needed frames. */
enum { MOST_STRIDE = 16, MOST_SPAN = 64 };
/* Frames at uneven distances are found more slowly, and their times must be stored. */
static const double worth_uneven = 0.7;
/* The distance that sampling allows between neighbouring rotations, with a margin. */
static const double least_cosine = 0.901;

typedef struct thinning {
  const track_group_desc *desc;
  const double *slack;
  int first, count; /* tracks */
  int strict;       /* the one that said no last */
} thinning;

static inline const float *cell(const thinning *t, int frame, const clip_track *track) {
  return t->desc->frames + (size_t)frame * (size_t)t->desc->frame_size + track->offset;
}

/* ---- do the frames between two lie on the line between them? ---- */

static bool is_held(const thinning *t, const clip_track *track, int a, int b) {
  for (int frame = a + 1; frame < b; frame++)
    if (memcmp(cell(t, a, track), cell(t, frame, track), (size_t)clip_kind_width(track->kind) * sizeof(float)) != 0)
      return false;
  return true;
}

static inline double dot(const double *a, const double *b, int width) {
  double sum = 0;
  for (int k = 0; k < width; k++) sum += a[k] * b[k];
  return sum;
}

/* Whether the squared distance of each frame from its position on the line is at most this. */
static inline bool are_on_line(const thinning *t, const clip_track *track, int a, int b, double square, int width) {
  const float *from = cell(t, a, track), *to = cell(t, b, track), *is = from, *times = t->desc->times;
  double begin = (double)times[a], per_second = 1 / ((double)times[b] - begin), start[4], way[4];
  for (int k = 0; k < width; k++) start[k] = (double)from[k], way[k] = (double)to[k] - start[k];
  for (int frame = a + 1; frame < b; frame++) {
    double line[4], off[4], w = ((double)times[frame] - begin) * per_second, scale = 1;
    is += t->desc->frame_size;
    for (int k = 0; k < width; k++) line[k] = start[k] + w * way[k];
    if (width == 4) scale = 1 / sqrt(dot(line, line, 4));
    for (int k = 0; k < width; k++) off[k] = scale * line[k] - (double)is[k];
    if (!(dot(off, off, width) <= square)) return false;
  }
  return true;
}

static bool is_close(const thinning *t, const clip_track *track, int a, int b) {
  const float *p = cell(t, a, track), *q = cell(t, b, track);
  double cosine = 0;
  for (int k = 0; k < 4; k++) cosine += (double)p[k] * (double)q[k];
  return cosine >= least_cosine;
}

static bool is_line(const thinning *t, int index, int a, int b) {
  const clip_track *track = t->desc->tracks + index;
  double square = t->slack[index] * t->slack[index];
  if (track->step) return is_held(t, track, a, b);
  switch (track->kind) {
  case TRACK_ROTATION: return is_close(t, track, a, b) && are_on_line(t, track, a, b, square, 4);
  case TRACK_MORPH: return are_on_line(t, track, a, b, square, 1);
  case TRACK_TRANSLATION:
  case TRACK_SCALE: break;
  }
  return are_on_line(t, track, a, b, square, 3);
}

static bool are_lines(thinning *t, int a, int b) {
  if (!is_line(t, t->strict, a, b)) return false;
  for (int i = t->first; i < t->first + t->count; i++)
    if (i != t->strict && !is_line(t, i, a, b)) return t->strict = i, false;
  return true;
}

/* ---- which frames ---- */

/* All times except the last may be off by the tolerance of clip_times.c. */
static bool are_even(const track_group_desc *desc) {
  int last = desc->frame_count - 1;
  double step = (double)desc->times[1];
  for (int i = 0; i < last; i++)
    if (fabs((double)desc->times[i] - i * step) > 1e-4 * step) return false;
  return true;
}

static bool fits_stride(thinning *t, int stride) {
  int last = t->desc->frame_count - 1;
  for (int frame = 0; frame < last; frame += stride)
    if (!are_lines(t, frame, frame + stride < last ? frame + stride : last)) return false;
  return true;
}

static int find_stride(thinning *t) {
  int stride = are_even(t->desc) ? MOST_STRIDE : 1;
  while (stride > 1 && !fits_stride(t, stride)) stride--;
  return stride;
}

static int keep_stride(int frame_count, int stride, int *needed) {
  int count = 0, last = frame_count - 1;
  for (int frame = 0; frame < last; frame += stride) needed[count++] = frame;
  needed[count++] = last;
  return count;
}

/* Roughly the farthest frame that lines from this one reach: found by doubling, then halving. */
static int find_end(thinning *t, int frame) {
  int last = t->desc->frame_count - 1, good = frame + 1, span = 2;
  for (; span <= MOST_SPAN && frame + span <= last && are_lines(t, frame, frame + span); span *= 2) good = frame + span;
  int bad = frame + span <= last ? frame + span : last + 1;
  while (good + 1 < bad && span <= MOST_SPAN) {
    int middle = good + (bad - good) / 2;
    if (are_lines(t, frame, middle)) good = middle;
    else bad = middle;
  }
  return good;
}

static int keep_ends(thinning *t, int *needed) {
  int count = 0, last = t->desc->frame_count - 1;
  for (int frame = 0; frame < last; frame = find_end(t, frame)) needed[count++] = frame;
  needed[count++] = last;
  return count;
}

int clip_thin_find(const track_group_desc *desc, const double *slack, int first, int count, int *needed) {
  thinning t = {desc, slack, first, count, first};
  if (desc->frame_count < 3) return keep_stride(desc->frame_count, 1, needed);
  int stride = find_stride(&t), even = (desc->frame_count - 2) / stride + 2, uneven = keep_ends(&t, needed);
  return uneven <= worth_uneven * even ? uneven : keep_stride(desc->frame_count, stride, needed);
}

bool clip_thin_apply(raw_model *raw, track_group_desc *desc, const int *needed, int count) {
  size_t frame_size = (size_t)desc->frame_size;
  float *frames = raw_room(raw, (size_t)count * frame_size, sizeof *frames);
  float *times = raw_room(raw, (size_t)count, sizeof *times);
  if (!frames || !times) return false;
  for (int i = 0; i < count; i++) {
    memcpy(frames + (size_t)i * frame_size, desc->frames + (size_t)needed[i] * frame_size, frame_size * sizeof *frames);
    times[i] = desc->times[needed[i]];
  }
  desc->frames = frames;
  desc->times = times;
  desc->frame_count = count;
  return true;
}
