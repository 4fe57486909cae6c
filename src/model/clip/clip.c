#include "model/clip/clip.h"

#include <string.h>

const char *sinew_clip_name(const sinew_clip *clip) { return clip->name; }

const char *sinew_clip_file_name(const sinew_clip *clip) { return clip->file_name; }

sinew_fit sinew_clip_fit(const sinew_clip *clip) { return clip->fit; }
double sinew_clip_duration(const sinew_clip *clip) { return clip->duration; }
double sinew_clip_start(const sinew_clip *clip) { return clip->start; }
double sinew_clip_error(const sinew_clip *clip) { return clip->error; }

int sinew_clip_frame_count(const sinew_clip *clip) {
  int most = 0;
  for (int i = 0; i < clip->table_count; i++)
    if (clip->tables[i].frame_count > most) most = clip->tables[i].frame_count;
  return most;
}

static size_t table_size(const clip_table *table) {
  size_t bytes = sizeof *table + (size_t)table->size + (size_t)table->segment_count * sizeof *table->segments;
  if (table->cell_count)
    bytes += (size_t)table->frame_count * sizeof *table->times + ((size_t)table->cell_count + 1) * sizeof *table->cells;
  return bytes + (size_t)table->morph_count * sizeof *table->morphs;
}

size_t sinew_clip_size(const sinew_clip *clip) {
  size_t bytes = (size_t)sinew_pose_group_count(clip->joint_count) * sizeof *clip->groups;
  bytes += (size_t)clip->pack_count * sizeof *clip->packs + (size_t)clip->block_count * sizeof *clip->blocks;
  bytes += (size_t)clip->constant_count * sizeof *clip->constants;
  for (int i = 0; i < clip->table_count; i++) bytes += table_size(clip->tables + i);
  return bytes;
}

double sinew_clip_bits(const sinew_clip *clip) {
  double bytes = 0, numbers = 0;
  for (int i = 0; i < clip->pack_count; i++) {
    const clip_pack *pack = clip->packs + i;
    const clip_table *table = clip->tables + pack->table;
    int width = clip_form_is_narrow(pack->form) ? 3 : clip_kind_width((track_kind)pack->kind);
    numbers += (double)width * pack->track_count * (table->frame_count + table->segment_count - 1);
  }
  for (int i = 0; i < clip->table_count; i++) {
    const clip_table *table = clip->tables + i;
    bytes += (double)table->size - 4.0 * table->morph_count * (table->frame_count + table->segment_count - 1);
  }
  return numbers > 0 ? 8 * bytes / numbers : 0;
}

bool sinew_clip_has_joint(const sinew_clip *clip, int joint) {
  return joint >= 0 && joint < clip->joint_count && clip->carried[joint] > 0;
}

int clip_pack_compare(const clip_pack *a, const clip_pack *b) {
  if (a->group != b->group) return a->group - b->group;
  if (a->kind != b->kind) return a->kind - b->kind;
  if (a->table != b->table) return a->table - b->table;
  if (a->form != b->form) return a->form - b->form;
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

static bool are_ones(const float (*scale)[SINEW_LANES]) {
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < SINEW_LANES; i++)
      if (scale[c][i] != 1) return false;
  return true;
}

/* Do the lanes without a track hold what a full pack has there? */
static bool rest_hold_identities(const clip_pack *pack, const float (*q)[SINEW_LANES]) {
  for (int i = 0; i < SINEW_LANES; i++)
    if (!(pack->lanes >> i & 1) && !(q[0][i] == 0 && q[1][i] == 0 && q[2][i] == 0 && q[3][i] == 1)) return false;
  return true;
}

static int flags_of(const sinew_clip *clip, const clip_pack *pack) {
  int flags = 1 << pack->kind;
  if (pack->kind != TRACK_ROTATION || !pack->last || pack->form == CLIP_WIDE) return flags;
  bool full = pack->form == CLIP_FULL && rest_hold_identities(pack, clip_held(clip, pack->group, TRACK_ROTATION));
  return flags | (full ? CLIP_GROUP_FULL : CLIP_GROUP_ONE);
}

static int find_carries(const sinew_clip *clip, int group) {
  int carries = 0;
  for (int i = 0, joint = group * SINEW_LANES; i < SINEW_LANES; i++, joint++)
    if (joint == 0 || joint >= clip->joint_count || clip->carried[joint] == 1) carries |= 1 << i;
  return carries;
}

int32_t clip_find_flags(const sinew_clip *clip, int group) {
  int flags = 0, first = first_pack(clip, group);
  for (int i = first; i < clip->pack_count && clip->packs[i].group == group; i++)
    if (i == first || clip->packs[i].kind != TRACK_ROTATION) flags |= flags_of(clip, clip->packs + i);
  if (flags & CLIP_GROUP_SCALES || !are_ones(clip_held(clip, group, TRACK_SCALE))) flags |= CLIP_GROUP_SCALED;
  if (!(flags & CLIP_GROUP_MOVES) && clip->groups[group].held[TRACK_TRANSLATION] < 0) flags |= CLIP_GROUP_PLACED;
  return flags | find_carries(clip, group) << CLIP_GROUP_CARRIES;
}

/* Never descends with time, whatever the rounding: what the cells were made with (clip_times.c) is what they are read
 * with. */
int clip_table_cell(const clip_table *table, float time) {
  double cell = (double)time * table->rate;
  return cell < table->cell_count - 1 ? (int)cell : table->cell_count - 1;
}

/* The last frame at or before `time`. */
static int find_frame(const clip_table *table, float time) {
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
  if (t >= (float)table->end) return clip_table_at(table, table->frame_count - 1);
  int frame = find_frame(table, t);
  return clip_table_between(table, frame, (t - table->times[frame]) / (table->times[frame + 1] - table->times[frame]));
}
