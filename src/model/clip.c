#include "model/clip.h"

#include <string.h>

const char *sinew_clip_name(const sinew_clip *clip) { return clip->name; }

const char *sinew_clip_file_name(const sinew_clip *clip) { return clip->file_name; }

sinew_fit sinew_clip_fit(const sinew_clip *clip) { return clip->fit; }
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

int clip_pack_cell(const clip_pack *pack, int lane, int c) {
  int tracks = pack->track_count, track = (uint8_t)pack->source[lane], low = pack->low, pair = c / 2 * 2;
  int components = clip_kind_width((track_kind)pack->kind) - pair > 1 ? 2 : 1;
  int place = track < low ? (c - pair) * low + track : components * low + (c - pair) * (tracks - low) + track - low;
  return pack->offset + (pair * tracks + place) * clip_cell_bytes(pack);
}

bool clip_is_plain(const sinew_clip *clip) {
  for (int i = 0; i < clip->pack_count; i++)
    if (clip->packs[i].hold) return false;
  return clip->table_count == 1;
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

static int flags_of(const clip_pack *pack) {
  int flags = 1 << pack->kind;
  if (pack->kind != TRACK_ROTATION || pack->wide || !pack->last) return flags;
  return flags | CLIP_GROUP_ONE | (pack->track_count == SINEW_LANES ? CLIP_GROUP_FULL : 0);
}

static int find_carries(const sinew_clip *clip, int group) {
  int carries = 0;
  for (int i = 0, joint = group * SINEW_LANES; i < SINEW_LANES; i++, joint++)
    if (joint == 0 || joint >= clip->joint_count || clip->carried[joint] == 1) carries |= 1 << i;
  return carries;
}

static bool is_placed(const sinew_pose_group *base, const sinew_pose_group *rest) {
  return memcmp(base->translation, rest->translation, sizeof rest->translation) == 0;
}

uint16_t clip_find_group(const sinew_clip *clip, const sinew_pose_group *rest, int group) {
  int flags = 0, first = first_pack(clip, group);
  for (int i = first; i < clip->pack_count && clip->packs[i].group == group; i++)
    if (i == first || clip->packs[i].kind != TRACK_ROTATION) flags |= flags_of(clip->packs + i);
  if (flags & CLIP_GROUP_SCALES || !rests_unscaled(clip->base + group)) flags |= CLIP_GROUP_SCALED;
  if (!(flags & CLIP_GROUP_MOVES) && is_placed(clip->base + group, rest + group)) flags |= CLIP_GROUP_PLACED;
  return (uint16_t)(flags | find_carries(clip, group) << CLIP_GROUP_CARRIES);
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

clip_cursor clip_table_seek_cells(const clip_table *table, double time) {
  float t = (float)time;
  if (!(t > table->times[0])) return clip_table_at(table, 0);
  if (t >= (float)table->end) return clip_table_at(table, table->row_count - 1);
  int row = find_row(table, t);
  clip_cursor cursor = clip_table_at(table, row);
  cursor.b += table->row_stride;
  cursor.weight = (t - table->times[row]) / (table->times[row + 1] - table->times[row]);
  return cursor;
}
