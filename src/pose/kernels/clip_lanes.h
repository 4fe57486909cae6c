/* Reads a clip at a moment, group after group: one look-up in time for each table, two rows, an interpolation. */
#ifndef SINEW_POSE_KERNELS_CLIP_LANES_H
#define SINEW_POSE_KERNELS_CLIP_LANES_H

#include "pose/kernels/group_lanes.h"

/* Two rows of a table, and how much of the second, for floats and for integers: of packs that do not hold, and of those
 * that do. */
typedef struct table_rows {
  const unsigned char *a, *b;
  float weights[2];
  int32_t shares[2];
} table_rows;

typedef struct clip_reader {
  const sinew_clip *clip;
  const clip_pack *pack; /* the next one; packs are in the order of groups */
  table_rows tables[CLIP_MAX_TABLES];
} clip_reader;

LANES_INLINE void open_clip(clip_reader *reader, const sinew_clip *clip, double time) {
  reader->clip = clip;
  reader->pack = clip->packs;
  for (int i = 0; i < clip->table_count; i++) {
    clip_cursor cursor = clip_table_seek(clip->tables + i, time);
    reader->tables[i] = (table_rows){
        cursor.a, cursor.b, {cursor.weight, 0}, {lanes_shares(clip_integer_weight(cursor.weight)), lanes_shares(0)}};
  }
}

LANES_INLINE const int16_t *integers_at(const unsigned char *row, int offset) { return (const void *)(row + offset); }

/* ---- rotations ---- */

/* Times these, rotations are unit: 1/|q|. Neighbouring rows have a dot product of 0.89 or more and a length near 1, so
 * |q|² is 0.943 to 1.0045 between them; there the polynomial in |q|² − 1 (the minimax cubic) is within 6e-8. `one` is
 * the number for 1. */
LANES_INLINE lanes unit_factors(quat_lanes q, float one) {
  lanes t = lanes_fma(quat_lanes_dot(q, q), lanes_set(1 / (one * one)), lanes_set(-1));
  lanes high = lanes_fma(t, lanes_set(-0.34326148f / one), lanes_set(0.374045849f / one));
  lanes low = lanes_fma(t, lanes_set(-0.500006855f / one), lanes_set(1 / one));
  return lanes_fma(lanes_mul(t, t), high, low); /* two halves, neither of which waits for the other */
}

LANES_INLINE quat_lanes make_unit(quat_lanes q, float one) { return quat_lanes_scale(q, unit_factors(q, one)); }

/* What lanes_lerp_shorts makes of the integer for 1. */
static const float one_of_integers = -32767.0f * CLIP_WEIGHT_ONE;

LANES_INLINE quat_lanes lerp_full_rotations(const table_rows *rows, const clip_pack *pack) {
  const int16_t *a = integers_at(rows->a, pack->offset), *b = integers_at(rows->b, pack->offset);
  int32_t shares = rows->shares[pack->hold];
  lanes xy[2], zw[2];
  lanes_lerp_shorts(a, b, shares, xy);
  lanes_lerp_shorts(a + 2 * SINEW_LANES, b + 2 * SINEW_LANES, shares, zw);
  return (quat_lanes){xy[0], xy[1], zw[0], zw[1]};
}

LANES_INLINE quat_lanes lerp_some_rotations(const table_rows *rows, const clip_pack *pack) {
  const int16_t *a = integers_at(rows->a, pack->offset), *b = integers_at(rows->b, pack->offset);
  int32_t shares = rows->shares[pack->hold];
  int few = pack->lanes, high = 2 * pack->low, next = 2 * pack->track_count;
  lanes xy[2], zw[2];
  lanes_lerp_few(a, b, shares, few, high, xy);
  lanes_lerp_few(a + next, b + next, shares, few, high, zw);
  return (quat_lanes){xy[0], xy[1], zw[0], zw[1]};
}

LANES_INLINE quat_lanes keep_rotations(quat_lanes q, const clip_pack *pack, quat_lanes base) {
  return (quat_lanes){lanes_keep(q.x, pack->source, base.x), lanes_keep(q.y, pack->source, base.y),
                      lanes_keep(q.z, pack->source, base.z), lanes_keep(q.w, pack->source, base.w)};
}

LANES_INLINE quat_lanes lerp_few_rotations(const table_rows *rows, const clip_pack *pack, quat_lanes base) {
  return keep_rotations(make_unit(lerp_some_rotations(rows, pack), one_of_integers), pack, base);
}

/* A component of floats. Those behind the last track's may be slow to reckon with. */
LANES_INLINE lanes lerp_floats(const table_rows *rows, const clip_pack *pack, int c, lanes base) {
  int offset = pack->offset + c * pack->track_count * (int)sizeof(float);
  lanes zero = lanes_set(0);
  lanes a = lanes_place(lanes_load((const void *)(rows->a + offset)), pack->source, zero);
  lanes b = lanes_place(lanes_load((const void *)(rows->b + offset)), pack->source, zero);
  return lanes_keep(lanes_fma(lanes_set(rows->weights[pack->hold]), lanes_sub(b, a), a), pack->source, base);
}

static void read_wide_rotations(const table_rows *rows, const clip_pack *pack, quat_lanes *q) {
  lanes none = lanes_set(0);
  quat_lanes own = {lerp_floats(rows, pack, 0, none), lerp_floats(rows, pack, 1, none),
                    lerp_floats(rows, pack, 2, none), lerp_floats(rows, pack, 3, none)};
  *q = keep_rotations(make_unit(own, 1), pack, *q);
}

/* Packs of any form, up to the last; a function, because they are seldom more than one of integers. */
static const clip_pack *read_mixed_rotations(const table_rows *tables, const clip_pack *pack, quat_lanes *q) {
  for (bool last = false; !last; pack++) {
    if (pack->wide) read_wide_rotations(tables + pack->table, pack, q);
    else *q = lerp_few_rotations(tables + pack->table, pack, *q);
    last = pack->last;
  }
  return pack;
}

/* Of a group that is CLIP_GROUP_FULL. */
LANES_INLINE quat_lanes read_full_rotations(clip_reader *reader) {
  const clip_pack *pack = reader->pack++;
  return make_unit(lerp_full_rotations(reader->tables + pack->table, pack), one_of_integers);
}

/* Of a group that is CLIP_GROUP_ONE. */
LANES_INLINE quat_lanes read_few_rotations(clip_reader *reader, int group) {
  const clip_pack *pack = reader->pack++;
  return lerp_few_rotations(reader->tables + pack->table, pack, load_rotation(reader->clip->base + group));
}

/* Of a group, its rotations are read first, then its translations and scales. */
LANES_INLINE quat_lanes read_group_rotations(clip_reader *reader, int group) {
  int flags = reader->clip->groups[group];
  if (flags & CLIP_GROUP_FULL) return read_full_rotations(reader);
  if (flags & CLIP_GROUP_ONE) return read_few_rotations(reader, group);
  quat_lanes q = load_rotation(reader->clip->base + group);
  if (flags & CLIP_GROUP_TURNS) reader->pack = read_mixed_rotations(reader->tables, reader->pack, &q);
  return q;
}

/* Rotations that are still to be made unit, by these factors; for what asks only for their direction. */
typedef struct loose_rotations {
  quat_lanes q;
  lanes factors;
} loose_rotations;

/* `full` where the group is CLIP_GROUP_FULL. */
LANES_INLINE loose_rotations read_loose_rotations(clip_reader *reader, int group, bool full) {
  const lanes one = lanes_set(1);
  if (!full && !(reader->clip->groups[group] & CLIP_GROUP_ONE))
    return (loose_rotations){read_group_rotations(reader, group), one};
  const clip_pack *pack = reader->pack++;
  const table_rows *rows = reader->tables + pack->table;
  quat_lanes q = full ? lerp_full_rotations(rows, pack) : lerp_some_rotations(rows, pack);
  lanes factors = unit_factors(q, one_of_integers);
  if (full) return (loose_rotations){q, factors};
  quat_lanes base = load_rotation(reader->clip->base + group);
  return (loose_rotations){keep_rotations(q, pack, base), lanes_keep(factors, pack->source, one)};
}

/* ---- translations and scales ---- */

LANES_INLINE lanes in_range(lanes number, const clip_range *range, int c) {
  return lanes_fma(number, lanes_load(range->scale[c]), lanes_load(range->bias[c]));
}

LANES_INLINE vec_lanes lerp_few_vectors(const clip_reader *reader, const clip_pack *pack, vec_lanes base) {
  const table_rows *rows = reader->tables + pack->table;
  const clip_range *range = reader->clip->ranges + pack->range;
  const int16_t *a = integers_at(rows->a, pack->offset), *b = integers_at(rows->b, pack->offset);
  int32_t shares = rows->shares[pack->hold];
  int few = pack->lanes, next = 2 * pack->track_count;
  lanes xy[2], z[2];
  lanes_lerp_few(a, b, shares, few, 2 * pack->low, xy);
  lanes_lerp_few(a + next, b + next, shares, few, pack->low, z);
  return (vec_lanes){lanes_keep(in_range(xy[0], range, 0), pack->source, base.x),
                     lanes_keep(in_range(xy[1], range, 1), pack->source, base.y),
                     lanes_keep(in_range(z[0], range, 2), pack->source, base.z)};
}

static const clip_pack *read_mixed_vectors(const clip_reader *reader, const clip_pack *pack, vec_lanes *v) {
  for (bool last = false; !last; pack++) {
    const table_rows *rows = reader->tables + pack->table;
    if (pack->wide)
      *v = (vec_lanes){lerp_floats(rows, pack, 0, v->x), lerp_floats(rows, pack, 1, v->y),
                       lerp_floats(rows, pack, 2, v->z)};
    else *v = lerp_few_vectors(reader, pack, *v);
    last = pack->last;
  }
  return pack;
}

LANES_INLINE vec_lanes read_vectors(clip_reader *reader, vec_lanes v) {
  const clip_pack *pack = reader->pack;
  if (!pack->wide && pack->last) {
    reader->pack = pack + 1;
    return lerp_few_vectors(reader, pack, v);
  }
  reader->pack = read_mixed_vectors(reader, pack, &v);
  return v;
}

LANES_INLINE vec_lanes read_group_translations(clip_reader *reader, int group) {
  vec_lanes v = load_vectors(reader->clip->base[group].translation);
  return reader->clip->groups[group] & CLIP_GROUP_MOVES ? read_vectors(reader, v) : v;
}

LANES_INLINE vec_lanes read_group_scales(clip_reader *reader, int group) {
  vec_lanes v = load_vectors(reader->clip->base[group].scale);
  return reader->clip->groups[group] & CLIP_GROUP_SCALES ? read_vectors(reader, v) : v;
}

LANES_INLINE group_lanes read_group(clip_reader *reader, int group) {
  group_lanes g;
  g.rotation = read_group_rotations(reader, group);
  g.translation = read_group_translations(reader, group);
  g.scale = read_group_scales(reader, group);
  return g;
}

#endif
