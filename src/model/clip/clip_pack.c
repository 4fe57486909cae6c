#include "model/clip/clip_pack.h"

#include "model/clip/clip_fit.h"
#include "model/pose_group.h"

#include <math.h>
#include <string.h>

/* ---- choosing tracks for packs ---- */

typedef struct packing {
  const clip_desc *desc;
  const clip_joints *joints;
  clip_pack *packs; /* NULL while measuring */
  int count, block_count;
  int shifts[CLIP_MAX_TRACK_GROUPS];
  int fixed_bytes[CLIP_MAX_TRACK_GROUPS]; /* the wide and full packs of a frame, which come first */
} packing;

static int lane_of(const packing *p, const clip_track *track) { return p->joints->stored[track->joint] % SINEW_LANES; }

static int group_of(const packing *p, const clip_track *track) { return p->joints->stored[track->joint] / SINEW_LANES; }

static int segments_of(const packing *p, int tracks) {
  return clip_segment_count(p->desc->track_groups[tracks].frame_count, p->shifts[tracks]);
}

static clip_pack empty_pack(const int32_t *stored, int tracks, const clip_track *track) {
  clip_pack pack = {.group = stored[track->joint] / SINEW_LANES,
                    .kind = (uint8_t)track->kind,
                    .track_group = (uint8_t)tracks,
                    .form = (uint8_t)clip_track_form(track),
                    .step = track->step};
  memset(pack.source, -1, sizeof pack.source);
  return pack;
}

static bool belongs_to(const packing *p, int tracks, const clip_track *track, const clip_pack *pack) {
  if (track->kind != pack->kind || group_of(p, track) != pack->group) return false; /* of thousands, most */
  clip_pack own = empty_pack(p->joints->stored, tracks, track);
  return clip_pack_compare(&own, pack) == 0;
}

/* Replaces `next` by the pack of a track if that comes after `last` (NULL: there is none) and before `next`. */
static bool comes_next(const packing *p, int tracks, int index, const clip_pack *last, clip_pack *next, bool found) {
  const clip_track *track = p->desc->track_groups[tracks].tracks + index;
  if (track->kind == TRACK_MORPH) return found;
  int group = group_of(p, track);
  if ((last && group < last->group) || (found && group > next->group)) return found; /* of thousands, most */
  clip_pack pack = empty_pack(p->joints->stored, tracks, track);
  if (last && clip_pack_compare(&pack, last) <= 0) return found;
  if (!found || clip_pack_compare(&pack, next) < 0) *next = pack;
  return true;
}

/* The pack that comes after `last`, without its tracks; false if there is none. */
static bool find_next_pack(const packing *p, const clip_pack *last, clip_pack *next) {
  bool found = false;
  for (int t = 0; t < p->desc->track_group_count; t++)
    for (int i = 0; i < p->desc->track_groups[t].track_count; i++) found = comes_next(p, t, i, last, next, found);
  return found;
}

/* ---- packs ---- */

static void number_tracks(const packing *p, clip_pack *pack) {
  const track_group_desc *desc = p->desc->track_groups + pack->track_group;
  for (int i = 0; i < desc->track_count; i++)
    if (belongs_to(p, pack->track_group, desc->tracks + i, pack)) pack->source[lane_of(p, desc->tracks + i)] = 0;
  for (int lane = 0; lane < SINEW_LANES; lane++) {
    if (pack->source[lane] < 0) continue;
    pack->source[lane] = (int8_t)pack->track_count++;
    pack->lanes |= (uint8_t)(1 << lane);
  }
}

static void place_pack(packing *p, clip_pack *pack) {
  if (clip_form_is_narrow(pack->form)) {
    pack->at = p->block_count;
    p->block_count += segments_of(p, pack->track_group);
    return;
  }
  pack->at = p->fixed_bytes[pack->track_group];
  p->fixed_bytes[pack->track_group] += clip_fixed_bytes(pack);
}

static void make_packs(packing *p) {
  clip_pack pack, next;
  for (bool more = find_next_pack(p, NULL, &pack); more; pack = next) {
    number_tracks(p, &pack);
    place_pack(p, &pack);
    more = find_next_pack(p, &pack, &next);
    pack.last = !more || next.group != pack.group || next.kind != pack.kind;
    if (p->packs) p->packs[p->count] = pack;
    p->count++;
  }
}

int clip_count_narrow(const track_group_desc *desc, const int32_t *stored) {
  const clip_desc clip = {.track_groups = desc, .track_group_count = 1};
  const clip_joints joints = {.stored = stored};
  packing p = {.desc = &clip, .joints = &joints, .shifts = {30}};
  make_packs(&p);
  return p.block_count;
}

static packing open_packing(const clip_desc *desc, const clip_joints *joints) {
  packing p = {.desc = desc, .joints = joints};
  for (int i = 0; i < desc->track_group_count; i++) {
    const track_group_desc *tracks = desc->track_groups + i;
    double size;
    p.shifts[i] = tracks->segment - 1;
    if (!tracks->segment)
      p.shifts[i] = clip_fit_segment(tracks, clip_count_narrow(tracks, joints->stored), NULL, &size) - 1;
  }
  return p;
}

/* ---- values that no track moves ---- */

static sinew_transform rest_of(const clip_joints *joints, int joint) {
  int from = joint <= joints->model->joint_count ? joints->order[joint] : -1;
  if (joint == 0) return joints->model->root;
  return from < 0 ? sinew_transform_identity() : joints->model->joints[from].rest;
}

static sinew_transform held_by(const packing *p, int joint) {
  int from = joint <= p->joints->model->joint_count ? p->joints->order[joint] : -1;
  return from >= 0 && p->desc->animated[from] ? p->desc->base[from] : rest_of(p->joints, joint);
}

static const float (*part_of(const sinew_pose_group *group, track_kind kind))[SINEW_LANES] {
  return kind == TRACK_ROTATION ? group->rotation : kind == TRACK_TRANSLATION ? group->translation : group->scale;
}

/* Whether all tracks of a group and kind are in one narrow pack, which then holds the values of all lanes. */
static bool is_lone(const packing *p, int group, track_kind kind) {
  clip_pack first = {.form = CLIP_WIDE};
  bool found = false;
  for (int t = 0; t < p->desc->track_group_count; t++)
    for (int i = 0; i < p->desc->track_groups[t].track_count; i++) {
      const clip_track *track = p->desc->track_groups[t].tracks + i;
      if (track->kind != kind || group_of(p, track) != group) continue;
      clip_pack pack = empty_pack(p->joints->stored, t, track);
      if (found && clip_pack_compare(&first, &pack) != 0) return false;
      first = pack, found = true;
    }
  return found && clip_form_is_narrow(first.form);
}

/* Whether the values differ from the rest pose's. */
static bool needs_constants(const packing *p, int group, const sinew_pose_group *held, const sinew_pose_group *rest,
                            track_kind kind) {
  size_t size = (size_t)clip_kind_width(kind) * sizeof held->scale[0];
  return memcmp(part_of(held, kind), part_of(rest, kind), size) != 0 && !is_lone(p, group, kind);
}

static int hold_kind(const sinew_pose_group *held, track_kind kind, float *constants, int at) {
  int size = clip_kind_width(kind) * SINEW_LANES;
  if (constants) memcpy(constants + at, part_of(held, kind), (size_t)size * sizeof *constants);
  return size;
}

static void find_held(const packing *p, int group, sinew_pose_group *held, sinew_pose_group *rest) {
  for (int i = 0; i < SINEW_LANES; i++) {
    sinew_transform own = held_by(p, group * SINEW_LANES + i), resting = rest_of(p->joints, group * SINEW_LANES + i);
    pose_group_set(held, i, &own);
    pose_group_set(rest, i, &resting);
  }
}

/* Returns the number of constants; fills in constants and groups if there is room for them. */
static int hold_groups(const packing *p, int count, clip_group *groups, float *constants) {
  int at = 0;
  for (int g = 0; g < count; g++) {
    sinew_pose_group held, rest;
    find_held(p, g, &held, &rest);
    for (track_kind kind = TRACK_ROTATION; kind <= TRACK_SCALE; kind++) {
      bool needs = needs_constants(p, g, &held, &rest, kind);
      if (groups) groups[g].held[kind] = needs ? at : -1;
      if (needs) at += hold_kind(&held, kind, constants, at);
    }
  }
  return at;
}

static void lay_groups(block *b, const packing *p, sinew_clip *clip) {
  int count = sinew_pose_group_count(clip->joint_count);
  clip->constant_count = hold_groups(p, count, NULL, NULL);
  float *constants = block_take(b, (size_t)clip->constant_count, sizeof *constants);
  clip_group *groups = block_take(b, (size_t)count, sizeof *groups);
  clip->constants = constants;
  clip->groups = groups;
  if (!groups) return;
  hold_groups(p, count, groups, constants);
  for (int i = 0; i < count; i++) groups[i].flags = clip_find_flags(clip, i);
}

/* ---- frames ---- */

static const float *track_frame(const track_group_desc *desc, const clip_track *track, int frame) {
  return desc->frames + (size_t)frame * (size_t)desc->frame_size + (size_t)track->offset;
}

/* The memory of a track group; frames are NULL while measuring. */
typedef struct track_group_layout {
  const packing *packing;
  int index;
  clip_block *blocks; /* of the whole clip */
  clip_segment *segments;
  unsigned char *frames;
} track_group_layout;

static uint16_t upper_half(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return (uint16_t)(bits >> 16);
}

/* `at`: the number of bytes used so far in each part. */
static void set_lane(clip_block *to, int lane, const clip_fit *fit, int at[4]) {
  for (int k = 0; k < 4; k++) to->middle[k][lane] = fit->middle[k];
  for (int c = 0; c < 4; c++) {
    uint8_t *spread = to->spread[c / 2] + clip_block_position(c, lane);
    int *next = at + clip_block_piece(c, lane);
    to->scale[c][lane] = fit->bytes[c] ? upper_half(-fit->scale[c] / CLIP_WEIGHT_ONE) : 0;
    if (fit->bytes[c] == 2) spread[0] = (uint8_t)*next;
    if (fit->bytes[c]) spread[1] = (uint8_t)(*next + fit->bytes[c] - 1);
    *next += fit->bytes[c];
  }
}

static void clear_block(clip_block *to, track_kind kind, const packing *p, int group) {
  *to = (clip_block){0};
  memset(to->spread, 0x80, sizeof to->spread);
  for (int i = 0; i < SINEW_LANES; i++) {
    sinew_pose_group held;
    sinew_transform own = held_by(p, group * SINEW_LANES + i);
    pose_group_set(&held, i, &own);
    for (int k = 0; k < clip_kind_width(kind); k++) to->middle[k][i] = part_of(&held, kind)[k][i];
  }
}

/* The tracks of a pack by lane; NULL for a lane without one. */
typedef struct lane_tracks {
  const clip_track *lanes[SINEW_LANES];
} lane_tracks;

static lane_tracks find_tracks(const packing *p, const clip_pack *pack) {
  const track_group_desc *desc = p->desc->track_groups + pack->track_group;
  lane_tracks found = {{NULL}};
  for (int i = 0; i < desc->track_count; i++)
    if (belongs_to(p, pack->track_group, desc->tracks + i, pack))
      found.lanes[lane_of(p, desc->tracks + i)] = desc->tracks + i;
  return found;
}

static void store_component(int16_t (*integers)[4], int count, int c, int byte_count, const clip_block *to, int lane,
                            int stride, unsigned char *frames) {
  const uint8_t *spread = to->spread[c / 2] + clip_block_position(c, lane);
  unsigned char *bytes = frames + to->offset[clip_block_piece(c, lane)];
  for (int i = 0; i < count; i++, bytes += stride) {
    uint16_t bits = (uint16_t)integers[i][c];
    if (byte_count == 2) bytes[spread[0]] = (uint8_t)bits;
    bytes[spread[1]] = (uint8_t)(bits >> 8);
  }
}

static void store_integers(const track_group_desc *desc, const clip_track *track, const clip_fit *fit, int first,
                           int last, const clip_block *to, int lane, int stride, unsigned char *frames) {
  enum { AT_ONCE = 64 };
  int16_t integers[AT_ONCE][4];
  for (int r = first; r <= last; r += AT_ONCE, frames += AT_ONCE * (size_t)stride) {
    int count = last - r + 1 < AT_ONCE ? last - r + 1 : AT_ONCE;
    clip_fit_encode(fit, desc, track, r, r + count - 1, integers);
    for (int c = 0; c < 4; c++)
      if (fit->bytes[c]) store_component(integers, count, c, fit->bytes[c], to, lane, stride, frames);
  }
}

/* Appends a pack in a segment to the frames. */
static void store_pack(const track_group_layout *l, const clip_pack *pack, const lane_tracks *tracks, int segment) {
  const track_group_desc *desc = l->packing->desc->track_groups + l->index;
  int shift = l->packing->shifts[l->index], first = clip_segment_first(shift, segment);
  int last = clip_segment_last(desc->frame_count, shift, segment), at[4] = {0};
  clip_segment *in = l->segments + segment;
  clip_block *to = l->blocks + pack->at + segment;
  clip_fit fits[SINEW_LANES];
  clear_block(to, (track_kind)pack->kind, l->packing, pack->group);
  for (int lane = 0; lane < SINEW_LANES; lane++) {
    if (!tracks->lanes[lane]) continue;
    fits[lane] = clip_fit_at(desc, (int)(tracks->lanes[lane] - desc->tracks), shift, segment);
    set_lane(to, lane, fits + lane, at);
  }
  for (int i = 0; i < 4; i++) {
    to->offset[i] = in->used;
    in->used += at[i];
  }
  for (int lane = 0; lane < SINEW_LANES; lane++)
    if (tracks->lanes[lane])
      store_integers(desc, tracks->lanes[lane], fits + lane, first, last, to, lane, in->stride, l->frames + in->at);
}

static void store_narrow(const track_group_layout *l, const clip_pack *pack) {
  lane_tracks tracks = find_tracks(l->packing, pack);
  for (int s = 0; s < segments_of(l->packing, l->index); s++) store_pack(l, pack, &tracks, s);
}

static void store_floats(const track_group_desc *desc, const clip_track *track, int c, int shift, int offset,
                         const track_group_layout *l) {
  for (int s = 0; s < clip_segment_count(desc->frame_count, shift); s++) {
    unsigned char *cell = l->frames + l->segments[s].at + offset;
    int last = clip_segment_last(desc->frame_count, shift, s);
    for (int r = clip_segment_first(shift, s); r <= last; r++, cell += l->segments[s].stride)
      memcpy(cell, track_frame(desc, track, r) + c, sizeof(float));
  }
}

static void store_wide(const track_group_layout *l, const clip_pack *pack) {
  const track_group_desc *desc = l->packing->desc->track_groups + l->index;
  lane_tracks tracks = find_tracks(l->packing, pack);
  for (int lane = 0; lane < SINEW_LANES; lane++)
    for (int c = 0; tracks.lanes[lane] && c < clip_kind_width((track_kind)pack->kind); c++)
      store_floats(desc, tracks.lanes[lane], c, l->packing->shifts[l->index],
                   pack->at + (c * pack->track_count + pack->source[lane]) * (int)sizeof(float), l);
}

static void store_full(const track_group_layout *l, const clip_pack *pack) {
  const track_group_desc *desc = l->packing->desc->track_groups + l->index;
  int shift = l->packing->shifts[l->index];
  lane_tracks tracks = find_tracks(l->packing, pack);
  for (int s = 0; s < segments_of(l->packing, l->index); s++) {
    unsigned char *frame = l->frames + l->segments[s].at + pack->at;
    int last = clip_segment_last(desc->frame_count, shift, s);
    for (int r = clip_segment_first(shift, s); r <= last; r++, frame += l->segments[s].stride)
      for (int i = 0; i < 4 * SINEW_LANES; i++) {
        const clip_track *track = tracks.lanes[i % SINEW_LANES];
        float value = track ? track_frame(desc, track, r)[i / SINEW_LANES] : i / SINEW_LANES == 3;
        int16_t integer = clip_full_integer(value);
        memcpy(frame + clip_full_cell(i / SINEW_LANES, i % SINEW_LANES) * 2, &integer, sizeof integer);
      }
  }
}

/* ---- a track group ---- */

static int count_morphs(const track_group_desc *desc) {
  int count = 0;
  for (int i = 0; i < desc->track_count; i++) count += desc->tracks[i].kind == TRACK_MORPH;
  return count;
}

static void store_morphs(const track_group_layout *l, clip_morph *morphs) {
  const packing *p = l->packing;
  const track_group_desc *desc = p->desc->track_groups + l->index;
  int offset = p->fixed_bytes[l->index];
  for (int i = 0; i < desc->track_count; i++) {
    const clip_track *track = desc->tracks + i;
    if (track->kind != TRACK_MORPH) continue;
    *morphs++ = (clip_morph){track->joint, track->target, offset, track->step};
    store_floats(desc, track, 0, p->shifts[l->index], offset, l);
    offset += (int)sizeof(float);
  }
}

/* Floats come first in a frame, so frames with floats begin at multiples of four bytes. Returns the bytes of all
 * frames; sets segments if there is room for them. */
static int64_t lay_segments(const packing *p, int index, int floats, clip_segment *segments) {
  const track_group_desc *desc = p->desc->track_groups + index;
  int64_t size = 0;
  for (int s = 0; s < segments_of(p, index); s++) {
    int first = clip_segment_first(p->shifts[index], s),
        last = clip_segment_last(desc->frame_count, p->shifts[index], s);
    int stride = floats + clip_fit_frame_bytes(desc, p->shifts[index], s);
    if (floats) stride = (stride + 3) / 4 * 4;
    if (segments) segments[s] = (clip_segment){size, stride, floats};
    size += (int64_t)stride * (last - first + 1);
    if (floats) size = (size + 3) / 4 * 4;
  }
  return size;
}

static void lay_track_group(block *b, const packing *p, int index, clip_block *blocks, track_group *tracks) {
  const track_group_desc *desc = p->desc->track_groups + index;
  int morph_count = count_morphs(desc), floats = p->fixed_bytes[index] + morph_count * (int)sizeof(float);
  *tracks =
      (track_group){.morph_count = morph_count, .shift = p->shifts[index], .segment_count = segments_of(p, index)};
  clip_times_lay(b, desc, tracks);
  clip_morph *morphs = block_take(b, (size_t)morph_count, sizeof *morphs);
  track_group_layout l = {.packing = p, .index = index, .blocks = blocks};
  l.segments = block_take(b, (size_t)tracks->segment_count, sizeof *l.segments);
  tracks->size = lay_segments(p, index, floats, l.segments);
  l.frames = block_take(b, (size_t)tracks->size + CLIP_FRAME_SLACK, 1);
  tracks->morphs = morphs;
  tracks->segments = l.segments;
  tracks->frames = l.frames;
  if (!l.frames) return;
  for (int i = 0; i < p->count; i++) {
    if (p->packs[i].track_group != index) continue;
    static void (*const store[])(const track_group_layout *, const clip_pack *) = {store_narrow, store_wide, store_full,
                                                                                   store_narrow, store_full};
    store[p->packs[i].form](&l, p->packs + i);
  }
  store_morphs(&l, morphs);
}

/* ---- all of it ---- */

void track_groups_lay(block *b, const clip_desc *desc, const clip_joints *joints, sinew_clip *clip) {
  packing p = open_packing(desc, joints), empty = p;
  make_packs(&p);
  clip->track_group_count = desc->track_group_count;
  clip->pack_count = p.count;
  clip->block_count = p.block_count;
  clip_pack *packs = block_take(b, (size_t)p.count, sizeof *packs);
  clip_block *blocks = block_take(b, (size_t)p.block_count, sizeof *blocks);
  track_group *groups = block_take(b, (size_t)desc->track_group_count, sizeof *groups), measured;
  clip->packs = packs;
  clip->blocks = blocks;
  clip->track_groups = groups;
  if (packs) {
    p = empty;
    p.packs = packs;
    make_packs(&p);
  }
  for (int i = 0; i < desc->track_group_count; i++) lay_track_group(b, &p, i, blocks, groups ? groups + i : &measured);
  lay_groups(b, &p, clip);
}

/* Finds the frames of a track group: by a multiplication if they are evenly spaced, otherwise by a table of cells. */

/* The allowed distance of a frame from its even position, as a fraction of a step. */
static const double even_tolerance = 1e-4;

/* A step must never come too soon, not even by rounding: track groups with steps keep their times. */
static bool holds(const track_group_desc *desc) {
  for (int i = 0; i < desc->track_count; i++)
    if (desc->tracks[i].step) return true;
  return false;
}

static double last_span(const track_group_desc *desc, double step) {
  int last = desc->frame_count - 1;
  return (double)desc->times[last] - (last - 1) * step;
}

/* The time step of even frames, of which the last may come sooner; 0 for uneven ones. */
static double find_step(const track_group_desc *desc) {
  int last = desc->frame_count - 1;
  double step = last > 1 ? (double)desc->times[last - 1] / (last - 1) : (double)desc->times[last];
  if (holds(desc) || !(step > 0)) return 0;
  for (int i = 0; i < last; i++)
    if (!(fabs((double)desc->times[i] - i * step) <= even_tolerance * step)) return 0;
  double span = last_span(desc, step);
  return span > 10 * even_tolerance * step && span <= (1 + even_tolerance) * step ? step : 0;
}

static void set_even(const track_group_desc *desc, double step, track_group *tracks) {
  double span = last_span(desc, step);
  tracks->rate = 1 / step;
  tracks->last_scale = span >= (1 - even_tolerance) * step ? 1 : (float)(step / span);
}

static void fill_cells(const track_group_desc *desc, const track_group *tracks, int32_t *cells) {
  int frame = 0;
  for (int cell = 0; cell <= tracks->cell_count; cell++) {
    while (frame + 1 < desc->frame_count && track_group_cell(tracks, desc->times[frame + 1]) < cell) frame++;
    cells[cell] = frame;
  }
}

void clip_times_lay(block *b, const track_group_desc *desc, track_group *tracks) {
  double step = desc->frame_count > 1 ? find_step(desc) : 0;
  tracks->frame_count = desc->frame_count;
  tracks->last_scale = 1;
  tracks->rate = 1;
  if (desc->frame_count < 2) return; /* one frame, for all times */
  tracks->end = (double)desc->times[desc->frame_count - 1];
  if (step > 0) {
    set_even(desc, step, tracks);
    return;
  }
  tracks->cell_count = desc->frame_count;
  tracks->rate = tracks->cell_count / tracks->end;
  tracks->times = block_copy(b, desc->times, (size_t)desc->frame_count, sizeof *desc->times);
  int32_t *cells = block_take(b, (size_t)tracks->cell_count + 1, sizeof *cells);
  if (cells) fill_cells(desc, tracks, cells);
  tracks->cells = cells;
}
