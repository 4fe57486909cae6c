/* Reads a clip at a moment, group by group: one time lookup for each track group, two frames, and an interpolation. */
#ifndef SINEW_POSE_KERNELS_CLIP_LANES_H
#define SINEW_POSE_KERNELS_CLIP_LANES_H

#include "pose/kernels/group_lanes.h"

/* Two frames of a track group, and the weight of the second (unless it is a step): for integers, and for floats. */
typedef struct track_group_frames {
  const unsigned char *a, *b;
  int32_t segment, lerp_weights;
  float weight, bend; /* clip_arc_bend, for half of the difference between the frames */
} track_group_frames;

typedef struct clip_reader {
  const sinew_clip *clip;
  const clip_group *groups;
  const clip_pack *pack; /* the next one; packs are in the order of groups */
  track_group_frames track_groups[CLIP_MAX_TRACK_GROUPS];
} clip_reader;

LANES_INLINE track_group_frames find_frames(const track_group *tracks, double time) {
  clip_cursor cursor = track_group_seek(tracks, time);
  float weight = cursor.weight;
  const int32_t lerp_weights = lanes_weights(clip_integer_weight(weight));
  return (track_group_frames){cursor.a, cursor.b, cursor.segment, lerp_weights, weight, 8 * clip_arc_bend(weight)};
}

LANES_INLINE void open_clip(clip_reader *reader, const sinew_clip *clip, double time) {
  reader->clip = clip;
  reader->groups = clip->groups;
  reader->pack = clip->packs;
  for (int i = 0; i < clip->track_group_count; i++) reader->track_groups[i] = find_frames(clip->track_groups + i, time);
}

/* ---- packs of integers ---- */

/* Both frames' integers of a pair of components, for all lanes. */
typedef struct pair_frames {
  lanes_shorts a, b;
} pair_frames;

LANES_INLINE pair_frames load_full(const track_group_frames *frames, int at) {
  return (pair_frames){lanes_load_shorts(frames->a + at), lanes_load_shorts(frames->b + at)};
}

LANES_INLINE pair_frames load_narrow(const track_group_frames *frames, const clip_block *block, int pair) {
  const int32_t *offset = block->offset + 2 * pair;
  const uint8_t *spread = block->spread[pair];
  return (pair_frames){lanes_spread_shorts(frames->a + offset[0], frames->a + offset[1], spread),
                       lanes_spread_shorts(frames->b + offset[0], frames->b + offset[1], spread)};
}

/* ---- rotations ---- */

/* Rotations not normalised yet, with the factors for that; for uses that need only their direction. */
typedef struct loose_rotations {
  quat_lanes q;
  lanes factors;
} loose_rotations;

/* The factors 1/|q| that normalise rotations. Neighbouring frames have a dot product of at least 0.89 and a length near
 * 1, so |q|² is within 0.943 .. 1.0045 between them; there the polynomial in |q|² − 1 (the minimax cubic) has an error
 * of 6e-8. `one` is the number for 1. */
LANES_INLINE lanes unit_factors(quat_lanes q, float one) {
  lanes t = lanes_fma(quat_lanes_dot(q, q), lanes_set(1 / (one * one)), lanes_set(-1));
  lanes high = lanes_fma(t, lanes_set(-0.34326148f / one), lanes_set(0.374045849f / one));
  lanes low = lanes_fma(t, lanes_set(-0.500006855f / one), lanes_set(1 / one));
  return lanes_fma(lanes_mul(t, t), high, low); /* two halves, neither of which waits for the other */
}

LANES_INLINE quat_lanes load_quats(const float (*q)[SINEW_LANES]) {
  return (quat_lanes){lanes_load(q[0]), lanes_load(q[1]), lanes_load(q[2]), lanes_load(q[3])};
}

/* Rotations times −2^15, as a weighted sum of both frames. */
LANES_INLINE quat_lanes lerp_pairs(const pair_frames pairs[2], int32_t lerp_weights) {
  lanes v[4];
  for (int i = 0; i < 2; i++) lanes_lerp_shorts(pairs[i].a, pairs[i].b, lerp_weights, v + 2 * i);
  return (quat_lanes){v[0], v[1], v[2], v[3]};
}

/* Adds the correction for arcs (clip_arc_bend): half of the difference between the frames, times its square. */
LANES_INLINE quat_lanes follow_arc(quat_lanes q, float bend, quat_lanes half) {
  return quat_lanes_add_scaled(q, lanes_mul(lanes_set(bend), quat_lanes_dot(half, half)), half);
}

/* For a group with CLIP_GROUP_FULL: its factors are negative. */
LANES_INLINE loose_rotations read_full_rotations(const clip_reader *reader, const clip_pack *pack) {
  const float one = -(float)CLIP_ONE * CLIP_WEIGHT_ONE;
  const track_group_frames *frames = reader->track_groups + pack->track_group;
  const pair_frames pairs[2] = {load_full(frames, pack->at), load_full(frames, pack->at + 4 * SINEW_LANES)};
  quat_lanes q = lerp_pairs(pairs, frames->lerp_weights);
  if (pack->form == CLIP_FULL_ARC)
    q = follow_arc(q, frames->bend * (1 / (one * one)), lerp_pairs(pairs, LANES_HALF_APART));
  return (loose_rotations){q, unit_factors(q, one)};
}

LANES_INLINE quat_lanes keep_rotations(quat_lanes q, const clip_pack *pack, quat_lanes held) {
  return (quat_lanes){lanes_keep(q.x, pack->source, held.x), lanes_keep(q.y, pack->source, held.y),
                      lanes_keep(q.z, pack->source, held.z), lanes_keep(q.w, pack->source, held.w)};
}

/* For a full pack with fewer than eight tracks. */
LANES_INLINE loose_rotations read_few_rotations(const clip_reader *reader, const clip_pack *pack) {
  loose_rotations all = read_full_rotations(reader, pack);
  quat_lanes held = load_quats(clip_held(reader->clip, pack->group, TRACK_ROTATION));
  return (loose_rotations){keep_rotations(all.q, pack, held), lanes_keep(all.factors, pack->source, lanes_set(1))};
}

/* For all lanes: those without a track get their constants. */
LANES_INLINE loose_rotations read_narrow_rotations(const clip_reader *reader, const clip_pack *pack) {
  const track_group_frames *frames = reader->track_groups + pack->track_group;
  const clip_block *block = clip_pack_block(reader->clip, pack, frames->segment);
  pair_frames pairs[2] = {load_narrow(frames, block, 0), load_narrow(frames, block, 1)};
  quat_lanes scale = {lanes_load_upper(block->scale[0]), lanes_load_upper(block->scale[1]),
                      lanes_load_upper(block->scale[2]), lanes_load_upper(block->scale[3])};
  quat_lanes v = lerp_pairs(pairs, frames->lerp_weights);
  quat_lanes q = {lanes_mul(v.x, scale.x), lanes_mul(v.y, scale.y), lanes_mul(v.z, scale.z),
                  lanes_fma(v.w, scale.w, lanes_set(1))};
  if (pack->form == CLIP_ARC) {
    quat_lanes half = lerp_pairs(pairs, LANES_HALF_APART);
    q = follow_arc(q, frames->bend,
                   (quat_lanes){lanes_mul(half.x, scale.x), lanes_mul(half.y, scale.y), lanes_mul(half.z, scale.z),
                                lanes_mul(half.w, scale.w)});
  }
  return (loose_rotations){quat_lanes_multiply(load_quats(block->middle), q), unit_factors(q, 1)};
}

/* For a group whose rotations are one pack that is not wide. */
LANES_INLINE loose_rotations read_only_rotations(const clip_reader *reader, const clip_pack *pack) {
  return clip_form_is_full(pack->form) ? read_few_rotations(reader, pack) : read_narrow_rotations(reader, pack);
}

LANES_INLINE quat_lanes make_unit(loose_rotations r) { return quat_lanes_scale(r.q, r.factors); }

/* Reads a component of floats. Values past the last track's may be slow to compute with. */
LANES_INLINE lanes read_floats(const unsigned char *frame, const clip_pack *pack, int c) {
  const unsigned char *at = frame + pack->at + c * pack->track_count * (int)sizeof(float);
  return lanes_position(lanes_load((const void *)at), pack->source, lanes_set(0));
}

static quat_lanes read_wide_rotations(const track_group_frames *frames, const clip_pack *pack) {
  lanes weight = lanes_set(pack->step ? 0 : frames->weight), v[4];
  for (int c = 0; c < 4; c++) {
    lanes a = read_floats(frames->a, pack, c);
    v[c] = lanes_fma(weight, lanes_sub(read_floats(frames->b, pack, c), a), a);
  }
  quat_lanes q = {v[0], v[1], v[2], v[3]};
  return quat_lanes_scale(q, unit_factors(q, 1));
}

/* Reads packs of any form, up to the last one; not inlined, because there is rarely more than one pack of integers. */
static const clip_pack *read_mixed_rotations(const clip_reader *reader, const clip_pack *pack, quat_lanes *q) {
  for (bool last = false; !last; pack++) {
    quat_lanes own;
    if (pack->form == CLIP_WIDE) own = read_wide_rotations(reader->track_groups + pack->track_group, pack);
    else
      own = make_unit(clip_form_is_full(pack->form) ? read_full_rotations(reader, pack)
                                                    : read_narrow_rotations(reader, pack));
    *q = keep_rotations(own, pack, *q);
    last = pack->last;
  }
  return pack;
}

/* Reads a group's rotations first, then its translations and scales. `full` if the group is CLIP_GROUP_FULL. */
LANES_INLINE loose_rotations read_loose_rotations(clip_reader *reader, int group, bool full) {
  int flags = reader->groups[group].flags;
  if (full || flags & CLIP_GROUP_FULL) return read_full_rotations(reader, reader->pack++);
  if (flags & CLIP_GROUP_ONE) return read_only_rotations(reader, reader->pack++);
  quat_lanes q = load_quats(clip_held(reader->clip, group, TRACK_ROTATION));
  if (flags & CLIP_GROUP_TURNS) reader->pack = read_mixed_rotations(reader, reader->pack, &q);
  return (loose_rotations){q, lanes_set(1)};
}

LANES_INLINE quat_lanes read_group_rotations(clip_reader *reader, int group) {
  int flags = reader->groups[group].flags;
  bool eight = flags & CLIP_GROUP_FULL && reader->pack->track_count == SINEW_LANES; /* identities stay as they are */
  if (eight) return make_unit(read_full_rotations(reader, reader->pack++));
  if (flags & (CLIP_GROUP_FULL | CLIP_GROUP_ONE)) return make_unit(read_only_rotations(reader, reader->pack++));
  quat_lanes q = load_quats(clip_held(reader->clip, group, TRACK_ROTATION));
  if (flags & CLIP_GROUP_TURNS) reader->pack = read_mixed_rotations(reader, reader->pack, &q);
  return q;
}

/* ---- translations and scales ---- */

LANES_INLINE lanes between_numbers(const track_group_frames *frames, bool step, lanes a, lanes b) {
  return lanes_fma(lanes_set(step ? 0 : frames->weight), lanes_sub(b, a), a);
}

LANES_INLINE lanes in_block(const clip_block *block, int c, lanes number) {
  return lanes_fma(number, lanes_load_upper(block->scale[c]), lanes_load(block->middle[c]));
}

/* For all lanes: those without a track get their constants. */
LANES_INLINE vec_lanes read_narrow_vectors(const clip_reader *reader, const clip_pack *pack) {
  const track_group_frames *frames = reader->track_groups + pack->track_group;
  const clip_block *block = clip_pack_block(reader->clip, pack, frames->segment);
  pair_frames xy = load_narrow(frames, block, 0), z = load_narrow(frames, block, 1);
  lanes v[4];
  lanes_lerp_shorts(xy.a, xy.b, frames->lerp_weights, v);
  lanes_lerp_shorts(z.a, z.b, frames->lerp_weights, v + 2);
  return (vec_lanes){in_block(block, 0, v[0]), in_block(block, 1, v[1]), in_block(block, 2, v[2])};
}

LANES_INLINE lanes read_wide(const track_group_frames *frames, const clip_pack *pack, int c) {
  return between_numbers(frames, pack->step, read_floats(frames->a, pack, c), read_floats(frames->b, pack, c));
}

static const clip_pack *read_mixed_vectors(const clip_reader *reader, const clip_pack *pack, vec_lanes *v) {
  for (bool last = false; !last; pack++) {
    const track_group_frames *frames = reader->track_groups + pack->track_group;
    vec_lanes own;
    if (pack->form == CLIP_WIDE)
      own = (vec_lanes){read_wide(frames, pack, 0), read_wide(frames, pack, 1), read_wide(frames, pack, 2)};
    else own = read_narrow_vectors(reader, pack);
    *v = (vec_lanes){lanes_keep(own.x, pack->source, v->x), lanes_keep(own.y, pack->source, v->y),
                     lanes_keep(own.z, pack->source, v->z)};
    last = pack->last;
  }
  return pack;
}

LANES_INLINE vec_lanes read_group_vectors(clip_reader *reader, int group, track_kind kind) {
  const clip_pack *pack = reader->pack;
  vec_lanes held = load_vectors(clip_held(reader->clip, group, kind));
  if (!(reader->groups[group].flags >> kind & 1)) return held;
  if (pack->form == CLIP_NARROW && pack->last) {
    reader->pack = pack + 1;
    return read_narrow_vectors(reader, pack);
  }
  vec_lanes mixed = held; /* a copy, because otherwise the held values would always go through memory */
  reader->pack = read_mixed_vectors(reader, pack, &mixed);
  return mixed;
}

LANES_INLINE vec_lanes read_group_translations(clip_reader *reader, int group) {
  return read_group_vectors(reader, group, TRACK_TRANSLATION);
}

LANES_INLINE vec_lanes read_group_scales(clip_reader *reader, int group) {
  return read_group_vectors(reader, group, TRACK_SCALE);
}

LANES_INLINE group_lanes read_group(clip_reader *reader, int group) {
  group_lanes g;
  g.rotation = read_group_rotations(reader, group);
  g.translation = read_group_translations(reader, group);
  g.scale = read_group_scales(reader, group);
  return g;
}

#endif
