#include "pose/kernels/clip_lanes.h"

/* Where a plain clip is being read. Most of its groups have one pack of integers of a kind at most: for these all of
 * this stays in registers, as nothing here is given to a function that is not inlined. */
typedef struct plain_reader {
  const uint16_t *flags;
  const sinew_pose_group *base;
  const clip_pack *pack;
  table_rows rows;
} plain_reader;

LANES_INLINE quat_lanes sample_rotations(const plain_reader *r, bool full) {
  return lerp_unit_rotations(pack_in(&r->rows, r->pack, false), r->pack, full);
}

/* Behind the last of the groups from here on in which all joints turn and nothing else moves or is scaled. */
LANES_INLINE const uint16_t *find_full(const uint16_t *flags, const uint16_t *end) {
  const int all = CLIP_GROUP_FULL | CLIP_GROUP_MOVES | CLIP_GROUP_SCALED;
  while (flags < end && (*flags & all) == CLIP_GROUP_FULL) flags++;
  return flags;
}

LANES_INLINE void sample_full(plain_reader *r, sinew_pose_group *output) {
  const lanes one = lanes_set(1);
  store_rotation(output, sample_rotations(r, true));
  store_vectors(output->translation, load_vectors(r->base->translation));
  store_vectors(output->scale, (vec_lanes){one, one, one});
  r->pack++;
}

/* Another group; false where it has other packs. */
LANES_INLINE bool sample_few(plain_reader *r, const clip_range *ranges, sinew_pose_group *output) {
  const clip_pack *first = r->pack;
  int flags = *r->flags;
  if (flags & CLIP_GROUP_ONE) {
    store_rotation(output, keep_rotations(sample_rotations(r, false), r->pack, load_rotation(r->base)));
    r->pack++;
  } else {
    if (flags & CLIP_GROUP_TURNS) return false;
    store_rotation(output, load_rotation(r->base));
  }
  vec_lanes translation = load_vectors(r->base->translation);
  if (flags & CLIP_GROUP_MOVES) {
    if (r->pack->wide || !r->pack->last) return r->pack = first, false;
    translation = lerp_vectors(pack_in(&r->rows, r->pack, false), r->pack, ranges, translation);
    r->pack++;
  }
  store_vectors(output->translation, translation);
  if (flags & CLIP_GROUP_SCALES) return r->pack = first, false;
  store_vectors(output->scale, load_vectors(r->base->scale));
  return true;
}

/* False where it gets no further. */
LANES_INLINE bool sample_plain(plain_reader *r, const uint16_t *end, const clip_range *ranges,
                               sinew_pose_group *output) {
  for (;;) {
    for (const uint16_t *full = find_full(r->flags, end); r->flags < full; r->flags++, r->base++)
      sample_full(r, output++);
    if (r->flags >= end) return true;
    if (!sample_few(r, ranges, output++)) return false;
    r->flags++, r->base++;
  }
}

/* Of any clip, the groups from one on whose first pack this is. */
LANES_APART void sample_any(const sinew_clip *clip, double time, int group, const clip_pack *pack,
                            sinew_pose_group *output) {
  clip_reader reader;
  open_clip(&reader, clip, time);
  reader.pack = pack;
  for (int count = sinew_pose_group_count(clip->joint_count); group < count; group++) {
    group_lanes g = read_group(&reader, group);
    store_group(output + group, &g);
  }
}

void LANES_NAME(pose_sample, LANES_SUFFIX)(const sinew_clip *clip, double time, sinew_pose_group *output) {
  plain_reader plain = {clip->groups, clip->base, clip->packs, {0}};
  const uint16_t *end = clip->groups + ((unsigned)clip->joint_count + SINEW_LANES - 1) / SINEW_LANES;
  if (clip->plain) {
    plain.rows = find_rows(clip->tables, time);
    if (sample_plain(&plain, end, clip->ranges, output)) return;
  }
  sample_any(clip, time, (int)(plain.flags - clip->groups), plain.pack, output);
}
