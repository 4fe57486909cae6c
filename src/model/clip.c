#include "model/clip.h"

#include <math.h>

const char *sinew_clip_name(const sinew_clip *clip) { return clip->name; }
double sinew_clip_duration(const sinew_clip *clip) { return clip->duration; }
double sinew_clip_start(const sinew_clip *clip) { return clip->start; }
double sinew_clip_error(const sinew_clip *clip) { return clip->error; }

int sinew_clip_row_count(const sinew_clip *clip) {
  int most = 0;
  for (int i = 0; i < clip->table_count; i++)
    if (clip->tables[i].row_count > most) most = clip->tables[i].row_count;
  return most;
}

size_t sinew_clip_size(const sinew_clip *clip) {
  size_t bytes = (size_t)sinew_pose_group_count(clip->joint_count) * sizeof *clip->base;
  for (int i = 0; i < clip->table_count; i++) {
    const clip_table *table = clip->tables + i;
    bytes += (size_t)table->row_count * ((size_t)table->row_stride + (table->uniform_step > 0 ? 0 : sizeof(float)));
    bytes += (size_t)table->pack_count * sizeof *table->packs + (size_t)table->morph_count * sizeof *table->morphs;
  }
  return bytes;
}

bool sinew_clip_has_joint(const sinew_clip *clip, int joint) {
  return joint >= 0 && joint < clip->joint_count && clip->carried[joint] > 0;
}

/* The last row at or before `time`. */
static int find_row(const clip_table *table, float time) {
  int last = table->row_count - 1;
  if (table->uniform_step > 0) {
    int row = (int)(time / table->uniform_step);
    /* The division may round across a row's time either way. */
    if (row > last) row = last;
    if (table->times[row] > time) return row - 1;
    return row < last && table->times[row + 1] <= time ? row + 1 : row;
  }
  int low = 0, high = last;
  while (low < high) {
    int middle = low + (high - low + 1) / 2;
    if (table->times[middle] <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

clip_cursor clip_table_seek(const clip_table *table, double time) {
  int last = table->row_count - 1;
  float t = (float)time;
  if (!(t > table->times[0])) return (clip_cursor){table->rows, table->rows, 0};
  const unsigned char *end = table->rows + (size_t)last * (size_t)table->row_stride;
  if (t >= table->times[last]) return (clip_cursor){end, end, 0};
  int row = find_row(table, t);
  const unsigned char *a = table->rows + (size_t)row * (size_t)table->row_stride;
  float begin = table->times[row], step = table->times[row + 1] - begin;
  return (clip_cursor){a, a + table->row_stride, step > 0 ? (t - begin) / step : 0};
}
