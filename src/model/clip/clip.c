#include "model/clip/clip.h"

const char *sinew_clip_name(const sinew_clip *clip) { return clip->name; }

const char *sinew_clip_file_name(const sinew_clip *clip) { return clip->file_name; }

sinew_fit sinew_clip_fit(const sinew_clip *clip) { return clip->fit; }

double sinew_clip_duration(const sinew_clip *clip) { return clip->duration; }

double sinew_clip_start(const sinew_clip *clip) { return clip->start; }

double sinew_clip_error(const sinew_clip *clip) { return clip->error; }

int sinew_clip_frame_count(const sinew_clip *clip) {
  int most = 0;
  for (int i = 0; i < clip->track_group_count; i++)
    if (clip->track_groups[i].frame_count > most) most = clip->track_groups[i].frame_count;
  return most;
}

static size_t track_group_size(const track_group *tracks) {
  size_t bytes = sizeof *tracks + (size_t)tracks->size + (size_t)tracks->segment_count * sizeof *tracks->segments;
  if (tracks->cell_count)
    bytes +=
        (size_t)tracks->frame_count * sizeof *tracks->times + ((size_t)tracks->cell_count + 1) * sizeof *tracks->cells;
  return bytes + (size_t)tracks->morph_count * sizeof *tracks->morphs;
}

size_t sinew_clip_size(const sinew_clip *clip) {
  size_t bytes = (size_t)sinew_pose_group_count(clip->joint_count) * sizeof *clip->groups;
  bytes += (size_t)clip->pack_count * sizeof *clip->packs + (size_t)clip->block_count * sizeof *clip->blocks;
  bytes += (size_t)clip->constant_count * sizeof *clip->constants;
  for (int i = 0; i < clip->track_group_count; i++) bytes += track_group_size(clip->track_groups + i);
  for (int i = 0; i < clip->curve_count; i++)
    bytes += sizeof *clip->curves + (size_t)clip->curves[i].count * sizeof *clip->curves->keys;
  return bytes;
}

double sinew_clip_bits(const sinew_clip *clip) {
  double bytes = 0, numbers = 0;
  for (int i = 0; i < clip->pack_count; i++) {
    const clip_pack *pack = clip->packs + i;
    const track_group *tracks = clip->track_groups + pack->track_group;
    int width = clip_form_is_narrow(pack->form) ? 3 : clip_kind_width((track_kind)pack->kind);
    numbers += (double)width * pack->track_count * (tracks->frame_count + tracks->segment_count - 1);
  }
  for (int i = 0; i < clip->track_group_count; i++) {
    const track_group *tracks = clip->track_groups + i;
    bytes += (double)tracks->size - 4.0 * tracks->morph_count * (tracks->frame_count + tracks->segment_count - 1);
  }
  return numbers > 0 ? 8 * bytes / numbers : 0;
}

bool sinew_clip_has_joint(const sinew_clip *clip, int joint) {
  return joint >= 0 && joint < clip->joint_count && clip->animated[joint] > 0;
}

int clip_pack_compare(const clip_pack *a, const clip_pack *b) {
  if (a->group != b->group) return a->group - b->group;
  if (a->kind != b->kind) return a->kind - b->kind;
  if (a->track_group != b->track_group) return a->track_group - b->track_group;
  if (a->form != b->form) return a->form - b->form;
  return a->step - b->step;
}

/* The first pack of the group or of a later one. */
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

/* Whether lanes without a track hold the identity, as in a full pack. */
static bool rest_hold_identities(const clip_pack *pack, const float (*q)[SINEW_LANES]) {
  for (int i = 0; i < SINEW_LANES; i++)
    if (!(pack->lanes >> i & 1) && !(q[0][i] == 0 && q[1][i] == 0 && q[2][i] == 0 && q[3][i] == 1)) return false;
  return true;
}

static int flags_of(const sinew_clip *clip, const clip_pack *pack) {
  int flags = 1 << pack->kind;
  if (pack->kind != TRACK_ROTATION || !pack->last || pack->form == CLIP_WIDE) return flags;
  bool full = clip_form_is_full(pack->form) && rest_hold_identities(pack, clip_held(clip, pack->group, TRACK_ROTATION));
  return flags | (full ? CLIP_GROUP_FULL : CLIP_GROUP_ONE);
}

static int find_animated(const sinew_clip *clip, int group) {
  int animates = 0;
  for (int i = 0, joint = group * SINEW_LANES; i < SINEW_LANES; i++, joint++)
    if (joint == 0 || joint >= clip->joint_count || clip->animated[joint] == 1) animates |= 1 << i;
  return animates;
}

int32_t clip_find_flags(const sinew_clip *clip, int group) {
  int flags = 0, first = first_pack(clip, group);
  for (int i = first; i < clip->pack_count && clip->packs[i].group == group; i++)
    if (i == first || clip->packs[i].kind != TRACK_ROTATION) flags |= flags_of(clip, clip->packs + i);
  if (flags & CLIP_GROUP_SCALES || !are_ones(clip_held(clip, group, TRACK_SCALE))) flags |= CLIP_GROUP_SCALED;
  if (!(flags & CLIP_GROUP_MOVES) && clip->groups[group].held[TRACK_TRANSLATION] < 0) flags |= CLIP_GROUP_PLACED;
  return flags | find_animated(clip, group) << CLIP_GROUP_ANIMATES;
}

/* Never decreases with time, even with rounding, because clip_pack.c filled the cells with the same function. */
int track_group_cell(const track_group *tracks, float time) {
  double cell = (double)time * tracks->rate;
  return cell < tracks->cell_count - 1 ? (int)cell : tracks->cell_count - 1;
}

/* The last frame at or before `time`. */
static int find_frame(const track_group *tracks, float time) {
  int cell = track_group_cell(tracks, time), low = tracks->cells[cell], high = tracks->cells[cell + 1];
  while (low < high) {
    int middle = low + (high - low + 1) / 2;
    if (tracks->times[middle] <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

clip_cursor track_group_seek_cells(const track_group *tracks, double time) {
  float t = (float)time;
  if (!(t > tracks->times[0])) return track_group_at(tracks, 0);
  if (t >= (float)tracks->end) return track_group_at(tracks, tracks->frame_count - 1);
  int frame = find_frame(tracks, t);
  return track_group_between(tracks, frame,
                             (t - tracks->times[frame]) / (tracks->times[frame + 1] - tracks->times[frame]));
}

/* ---- named numbers over the time of a clip ---- */

static const char *keys_fault(const sinew_curve_view *curve, double from, double to) {
  for (int i = 0; i < curve->count; i++) {
    const sinew_curve_key *key = curve->keys + i;
    if (!isfinite(key->time) || !isfinite(key->value)) return "a key has a number that is not finite";
    if (key->time < from || key->time > to) return "a key lies outside of the clip";
    if (i && key->time < key[-1].time) return "its keys are not in the order of time";
  }
  return NULL;
}

const char *clip_curve_fault(const sinew_curve_view *curve, double from, double to) {
  if (!curve->name || !curve->name[0] || strlen(curve->name) >= CLIP_CURVE_NAME) return "its name has 1 to 63 bytes";
  if (curve->count < 1) return "it has no keys";
  if (curve->count > CLIP_CURVE_KEYS) return "it has more than 65536 keys";
  return keys_fault(curve, from, to);
}

/* Interpolates from the last key at or before the time; of two at one time, the second. */
double clip_curve_value(const sinew_curve_view *curve, double time) {
  int low = 0, high = curve->count;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (curve->keys[middle].time <= time) low = middle;
    else high = middle;
  }
  const sinew_curve_key *a = curve->keys + low, *b = curve->keys + (low + 1 < curve->count ? low + 1 : low);
  if (time <= a->time || b->time <= a->time) return a->value;
  return a->value + (time - a->time) / (b->time - a->time) * (b->value - a->value);
}

const sinew_curve_view *clip_curve_in(const sinew_curve_view *curves, int count, const char *name) {
  for (int i = 0; i < count; i++)
    if (strcmp(curves[i].name, name) == 0) return curves + i;
  return NULL;
}

int sinew_clip_curve_count(const sinew_clip *clip) { return clip->curve_count; }

sinew_curve_view sinew_clip_curve(const sinew_clip *clip, int index) { return clip->curves[index]; }
