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
  bytes += (size_t)clip->pack_count * sizeof *clip->packs + (size_t)clip->range_count * sizeof *clip->ranges;
  for (int i = 0; i < clip->table_count; i++) {
    const clip_table *table = clip->tables + i;
    bytes += (size_t)table->row_count * (size_t)table->row_stride + sizeof *table;
    if (table->cell_count)
      bytes += (size_t)table->row_count * sizeof *table->times + ((size_t)table->cell_count + 1) * sizeof *table->cells;
    bytes += (size_t)table->morph_count * sizeof *table->morphs;
  }
  return bytes;
}

bool sinew_clip_has_joint(const sinew_clip *clip, int joint) {
  return joint >= 0 && joint < clip->joint_count && clip->carried[joint] > 0;
}

int clip_pack_compare(const clip_pack *a, const clip_pack *b) {
  if (a->group != b->group) return a->group - b->group;
  if (a->kind != b->kind) return a->kind - b->kind;
  if (a->table != b->table) return a->table - b->table;
  if (a->wide != b->wide) return a->wide - b->wide;
  return a->hold - b->hold;
}

/* The first pack of a group or of a later one. */
static int first_pack(const sinew_clip *clip, int group) {
  int low = 0, high = clip->pack_count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (clip->packs[middle].group < group) low = middle + 1;
    else high = middle;
  }
  return low;
}

static bool rests_unscaled(const sinew_pose_group *group) {
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < SINEW_LANES; i++)
      if (group->scale[c][i] != 1) return false;
  return true;
}

uint8_t clip_find_group(const sinew_clip *clip, int group) {
  int flags = CLIP_GROUP_WHOLE;
  for (int i = first_pack(clip, group); i < clip->pack_count && clip->packs[i].group == group; i++)
    flags |= 1 << clip->packs[i].kind;
  if (flags & CLIP_GROUP_SCALES || !rests_unscaled(clip->base + group)) flags |= CLIP_GROUP_SCALED;
  for (int i = group * SINEW_LANES; i < (group + 1) * SINEW_LANES && i < clip->joint_count; i++)
    if (i > 0 && clip->carried[i] == 0) flags &= ~CLIP_GROUP_WHOLE;
  return (uint8_t)flags;
}

/* Never descends with time, whatever the rounding: what the cells were made with (clip_times.c) is what they are read
 * with. */
int clip_table_cell(const clip_table *table, float time) {
  double cell = (double)time * table->rate;
  return cell < table->cell_count - 1 ? (int)cell : table->cell_count - 1;
}

/* The last row at or before `time`. */
static int find_row(const clip_table *table, float time) {
  int cell = clip_table_cell(table, time), low = table->cells[cell], high = table->cells[cell + 1];
  while (low < high) {
    int middle = low + (high - low + 1) / 2;
    if (table->times[middle] <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

static int seek_even(const clip_table *table, double time, float *weight) {
  double place = time * table->rate;
  int row = (int)place, last = table->row_count - 2;
  if (row < last) {
    *weight = (float)(place - row);
    return row;
  }
  *weight = fminf((float)(place - last) * table->last_scale, 1);
  return last;
}

static int seek_cells(const clip_table *table, float time, float *weight) {
  int row = find_row(table, time);
  *weight = (time - table->times[row]) / (table->times[row + 1] - table->times[row]);
  return row;
}

clip_cursor clip_table_seek(const clip_table *table, double time) {
  size_t stride = (size_t)table->row_stride;
  float first = table->cell_count ? table->times[0] : 0, t = (float)time;
  if (!(t > first)) return (clip_cursor){table->rows, table->rows, 0};
  if (t >= (float)table->end) {
    const unsigned char *end = table->rows + (size_t)(table->row_count - 1) * stride;
    return (clip_cursor){end, end, 0};
  }
  float weight;
  int row = table->cell_count ? seek_cells(table, t, &weight) : seek_even(table, time, &weight);
  const unsigned char *a = table->rows + (size_t)row * stride;
  return (clip_cursor){a, a + stride, weight};
}
