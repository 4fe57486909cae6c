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

LANES_INLINE table_rows find_rows(const clip_table *table, double time) {
  clip_cursor cursor = clip_table_seek(table, time);
  return (table_rows){
      cursor.a, cursor.b, {cursor.weight, 0}, {lanes_shares(clip_integer_weight(cursor.weight)), lanes_shares(0)}};
}

LANES_INLINE void open_clip(clip_reader *reader, const sinew_clip *clip, double time) {
  reader->clip = clip;
  reader->pack = clip->packs;
  for (int i = 0; i < clip->table_count; i++) reader->tables[i] = find_rows(clip->tables + i, time);
}

/* ---- packs of integers ---- */

/* Where a pack lies in both rows, and how much of each counts. */
typedef struct pack_rows {
  const int16_t *a, *b;
  int32_t shares;
} pack_rows;

/* Of a pack in this table, which holds or not. */
LANES_INLINE pack_rows pack_in(const table_rows *rows, const clip_pack *pack, bool hold) {
  return (pack_rows){(const void *)(rows->a + pack->offset), (const void *)(rows->b + pack->offset),
                     rows->shares[hold]};
}

LANES_INLINE pack_rows find_pack(const table_rows *tables, const clip_pack *pack) {
  return pack_in(tables + pack->table, pack, pack->hold);
}

/* What lies between the rows: x, y, z and w, of all lanes where `full`. `high`: where the second two of the upper lanes
 * are, behind those of the lower ones. */
LANES_INLINE void lerp_pack(pack_rows rows, const clip_pack *pack, bool full, size_t high, lanes out[4]) {
  lanes_shorts a[2], b[2];
  if (full) {
    for (int i = 0; i < 2; i++) {
      a[i] = lanes_load_shorts(rows.a + i * 2 * SINEW_LANES);
      b[i] = lanes_load_shorts(rows.b + i * 2 * SINEW_LANES);
    }
  } else {
    size_t next = 2 * (size_t)pack->track_count;
    a[0] = lanes_load_few(rows.a, pack->lanes, 2 * (size_t)pack->low);
    b[0] = lanes_load_few(rows.b, pack->lanes, 2 * (size_t)pack->low);
    a[1] = lanes_load_few(rows.a + next, pack->lanes, high);
    b[1] = lanes_load_few(rows.b + next, pack->lanes, high);
  }
  lanes_lerp_shorts(a[0], b[0], rows.shares, out);
  lanes_lerp_shorts(a[1], b[1], rows.shares, out + 2);
}

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

LANES_INLINE quat_lanes keep_rotations(quat_lanes q, const clip_pack *pack, quat_lanes base) {
  return (quat_lanes){lanes_keep(q.x, pack->source, base.x), lanes_keep(q.y, pack->source, base.y),
                      lanes_keep(q.z, pack->source, base.z), lanes_keep(q.w, pack->source, base.w)};
}

/* As the integers say: times one_of_integers. */
LANES_INLINE quat_lanes lerp_rotations(pack_rows rows, const clip_pack *pack, bool full) {
  lanes q[4];
  lerp_pack(rows, pack, full, 2 * (size_t)pack->low, q);
  return (quat_lanes){q[0], q[1], q[2], q[3]};
}

LANES_INLINE quat_lanes lerp_unit_rotations(pack_rows rows, const clip_pack *pack, bool full) {
  return make_unit(lerp_rotations(rows, pack, full), one_of_integers);
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
    else *q = keep_rotations(lerp_unit_rotations(find_pack(tables, pack), pack, false), pack, *q);
    last = pack->last;
  }
  return pack;
}

/* Of a group that is CLIP_GROUP_FULL. */
LANES_INLINE quat_lanes read_full_rotations(clip_reader *reader) {
  const clip_pack *pack = reader->pack++;
  return lerp_unit_rotations(find_pack(reader->tables, pack), pack, true);
}

/* Of a group that is CLIP_GROUP_ONE. */
LANES_INLINE quat_lanes read_few_rotations(clip_reader *reader, int group) {
  const clip_pack *pack = reader->pack++;
  quat_lanes q = lerp_unit_rotations(find_pack(reader->tables, pack), pack, false);
  return keep_rotations(q, pack, load_rotation(reader->clip->base + group));
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
  quat_lanes q = lerp_rotations(find_pack(reader->tables, pack), pack, full);
  lanes factors = unit_factors(q, one_of_integers);
  if (full) return (loose_rotations){q, factors};
  quat_lanes base = load_rotation(reader->clip->base + group);
  return (loose_rotations){keep_rotations(q, pack, base), lanes_keep(factors, pack->source, one)};
}

/* ---- translations and scales ---- */

LANES_INLINE lanes in_range(lanes number, const clip_range *range, int c) {
  return lanes_fma(number, lanes_load(range->scale[c]), lanes_load(range->bias[c]));
}

LANES_INLINE vec_lanes lerp_vectors(pack_rows rows, const clip_pack *pack, const clip_range *ranges, vec_lanes base) {
  const clip_range *range = ranges + pack->range;
  lanes v[4];
  if (pack->track_count == 1) lanes_lerp_one(rows.a, rows.b, rows.shares, v); /* mostly the hips */
  else lerp_pack(rows, pack, false, pack->low, v);
  return (vec_lanes){lanes_keep(in_range(v[0], range, 0), pack->source, base.x),
                     lanes_keep(in_range(v[1], range, 1), pack->source, base.y),
                     lanes_keep(in_range(v[2], range, 2), pack->source, base.z)};
}

static const clip_pack *read_mixed_vectors(const clip_reader *reader, const clip_pack *pack, vec_lanes *v) {
  for (bool last = false; !last; pack++) {
    const table_rows *rows = reader->tables + pack->table;
    if (pack->wide)
      *v = (vec_lanes){lerp_floats(rows, pack, 0, v->x), lerp_floats(rows, pack, 1, v->y),
                       lerp_floats(rows, pack, 2, v->z)};
    else *v = lerp_vectors(find_pack(reader->tables, pack), pack, reader->clip->ranges, *v);
    last = pack->last;
  }
  return pack;
}

LANES_INLINE vec_lanes read_vectors(clip_reader *reader, vec_lanes v) {
  const clip_pack *pack = reader->pack;
  if (!pack->wide && pack->last) {
    reader->pack = pack + 1;
    return lerp_vectors(find_pack(reader->tables, pack), pack, reader->clip->ranges, v);
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
