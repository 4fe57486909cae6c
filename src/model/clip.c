#include "model/clip.h"

#include <math.h>

const char *sinew_clip_name(const sinew_clip *clip) { return clip->name; }
double sinew_clip_duration(const sinew_clip *clip) { return clip->duration; }
double sinew_clip_start(const sinew_clip *clip) { return clip->start; }
int sinew_clip_row_count(const sinew_clip *clip) { return clip->row_count; }

bool sinew_clip_has_joint(const sinew_clip *clip, int joint) {
  return joint >= 0 && joint < clip->joint_count && clip->carried[joint] > 0;
}

/* The last row at or before `time`. */
static int find_row(const sinew_clip *clip, float time) {
  int last = clip->row_count - 1;
  if (clip->uniform_step > 0) {
    int row = (int)(time / clip->uniform_step);
    /* The division may round across a row's time either way. */
    if (row > last) row = last;
    if (clip->times[row] > time) return row - 1;
    return row < last && clip->times[row + 1] <= time ? row + 1 : row;
  }
  int low = 0, high = last;
  while (low < high) {
    int middle = low + (high - low + 1) / 2;
    if (clip->times[middle] <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

clip_cursor clip_seek(const sinew_clip *clip, double time) {
  int last = clip->row_count - 1;
  float t = (float)time;
  if (!(t > clip->times[0])) return (clip_cursor){clip->rows, clip->rows, 0};
  const float *end = clip->rows + (size_t)last * (size_t)clip->row_size;
  if (t >= clip->times[last]) return (clip_cursor){end, end, 0};
  int row = find_row(clip, t);
  const float *a = clip->rows + (size_t)row * (size_t)clip->row_size;
  float begin = clip->times[row], step = clip->times[row + 1] - begin;
  return (clip_cursor){a, a + clip->row_size, step > 0 ? (t - begin) / step : 0};
}
