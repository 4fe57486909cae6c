/* Reads a clip at a moment, group after group: one look-up in time for each table, two rows, an interpolation. */
#ifndef SINEW_POSE_KERNELS_CLIP_LANES_H
#define SINEW_POSE_KERNELS_CLIP_LANES_H

#include "pose/kernels/group_lanes.h"

typedef struct clip_reader {
  const sinew_clip *clip;
  const clip_pack *pack; /* the next one; packs are in the order of groups */
  struct {
    const unsigned char *a, *b;
    float weights[2]; /* of row b, where the pack does not hold, and where it does */
  } tables[CLIP_MAX_TABLES];
} clip_reader;

LANES_INLINE void open_clip(clip_reader *reader, const sinew_clip *clip, double time) {
  reader->clip = clip;
  reader->pack = clip->packs;
  for (int i = 0; i < clip->table_count; i++) {
    clip_cursor cursor = clip_table_seek(clip->tables + i, time);
    reader->tables[i].a = cursor.a;
    reader->tables[i].b = cursor.b;
    reader->tables[i].weights[0] = cursor.weight;
    reader->tables[i].weights[1] = 0;
  }
}

/* ---- a pack; `wide` and `count` are known where these are called, so that each form has code of its own ---- */

/* Two rows at a pack, and the weight of the second. */
typedef struct pack_rows {
  const clip_pack *pack;
  const unsigned char *a, *b;
  lanes weight;
} pack_rows;

LANES_INLINE pack_rows take_pack(clip_reader *reader) {
  const clip_pack *pack = reader->pack++;
  return (pack_rows){pack, reader->tables[pack->table].a + pack->offset, reader->tables[pack->table].b + pack->offset,
                     lanes_set(reader->tables[pack->table].weights[pack->hold])};
}

/* Eight tracks' component c in a row: by track, integers as they are, and garbage where there are fewer than eight; or,
 * of a wide pack, by lane, because garbage might be floats that are slow to reckon with. */
LANES_INLINE lanes read_row(const clip_pack *pack, const unsigned char *row, bool wide, int count, int c) {
  const void *at = row + c * count * (wide ? 4 : 2);
  if (!wide) return lanes_load_shorts(at);
  lanes numbers = lanes_load(at);
  return count == SINEW_LANES ? numbers : lanes_place(numbers, pack->source, lanes_set(0));
}

LANES_INLINE lanes read_numbers(const pack_rows *rows, bool wide, int count, int c) {
  lanes a = read_row(rows->pack, rows->a, wide, count, c), b = read_row(rows->pack, rows->b, wide, count, c);
  return lanes_fma(rows->weight, lanes_sub(b, a), a);
}

/* What has been read, where the pack moves a joint; tracks of a full pack are in their lanes already. */
LANES_INLINE lanes place(const clip_pack *pack, bool wide, int count, lanes value, lanes base) {
  if (count == SINEW_LANES) return value;
  return wide ? lanes_keep(value, pack->source, base) : lanes_place(value, pack->source, base);
}

/* ---- rotations ---- */

/* What makes rotations unit: 1/|q|. Neighbouring rows have a dot product of 0.89 or more and a length near 1, so |q|²
 * is 0.943 to 1.0045 between them; there the polynomial in |q|² − 1 (the minimax cubic) is within 6e-8. */
LANES_INLINE lanes unit_factors(quat_lanes q, bool wide) {
  const float one = wide ? 1 : 32767;
  lanes t = lanes_fma(quat_lanes_dot(q, q), lanes_set(1 / (one * one)), lanes_set(-1));
  lanes y = lanes_fma(t, lanes_set(-0.34326148f / one), lanes_set(0.374045849f / one));
  return lanes_fma(t, lanes_fma(t, y, lanes_set(-0.500006855f / one)), lanes_set(1 / one));
}

LANES_INLINE quat_lanes read_pack_rotations(const pack_rows *rows, bool wide, int count) {
  return (quat_lanes){read_numbers(rows, wide, count, 0), read_numbers(rows, wide, count, 1),
                      read_numbers(rows, wide, count, 2), read_numbers(rows, wide, count, 3)};
}

LANES_INLINE quat_lanes place_rotations(const pack_rows *rows, bool wide, quat_lanes base) {
  const clip_pack *pack = rows->pack;
  int count = pack->track_count;
  quat_lanes q = read_pack_rotations(rows, wide, count);
  q = quat_lanes_scale(q, unit_factors(q, wide));
  return (quat_lanes){place(pack, wide, count, q.x, base.x), place(pack, wide, count, q.y, base.y),
                      place(pack, wide, count, q.z, base.z), place(pack, wide, count, q.w, base.w)};
}

LANES_COPIED void read_mixed_rotations(clip_reader *reader, quat_lanes *q) {
  for (bool last = false; !last;) {
    pack_rows rows = take_pack(reader);
    last = rows.pack->last;
    if (rows.pack->wide) *q = place_rotations(&rows, true, *q);
    else *q = place_rotations(&rows, false, *q);
  }
}

/* The rotations of the next group, of any length: times `unit` they are unit. Of a group, its rotations are read first,
 * then its translations and scales. */
LANES_INLINE quat_lanes read_group_rotations(clip_reader *reader, int group, lanes *unit) {
  if (reader->clip->groups[group] & CLIP_GROUP_TURNS && reader->pack->track_count == SINEW_LANES &&
      !reader->pack->wide) { /* these are one pack */
    pack_rows rows = take_pack(reader);
    quat_lanes q = read_pack_rotations(&rows, false, SINEW_LANES);
    *unit = unit_factors(q, false);
    return q;
  }
  quat_lanes q = load_rotation(reader->clip->base + group);
  if (reader->clip->groups[group] & CLIP_GROUP_TURNS) read_mixed_rotations(reader, &q);
  *unit = lanes_set(1);
  return q;
}

/* ---- translations and scales ---- */

LANES_INLINE lanes read_range(const pack_rows *rows, const clip_range *range, int c) {
  lanes number = read_numbers(rows, false, rows->pack->track_count, c);
  return lanes_fma(number, lanes_load(range->scale[c]), lanes_load(range->bias[c]));
}

LANES_INLINE vec_lanes read_vectors(const clip_reader *reader, const pack_rows *rows, vec_lanes base) {
  const clip_pack *pack = rows->pack;
  int count = pack->track_count;
  if (pack->wide)
    return (vec_lanes){place(pack, true, count, read_numbers(rows, true, count, 0), base.x),
                       place(pack, true, count, read_numbers(rows, true, count, 1), base.y),
                       place(pack, true, count, read_numbers(rows, true, count, 2), base.z)};
  const clip_range *range = reader->clip->ranges + pack->range;
  return (vec_lanes){place(pack, false, count, read_range(rows, range, 0), base.x),
                     place(pack, false, count, read_range(rows, range, 1), base.y),
                     place(pack, false, count, read_range(rows, range, 2), base.z)};
}

LANES_COPIED void read_vector_packs(clip_reader *reader, vec_lanes *v) {
  for (bool last = false; !last;) {
    pack_rows rows = take_pack(reader);
    last = rows.pack->last;
    *v = read_vectors(reader, &rows, *v);
  }
}

LANES_INLINE vec_lanes read_group_translations(clip_reader *reader, int group) {
  vec_lanes v = load_vectors(reader->clip->base[group].translation);
  if (reader->clip->groups[group] & CLIP_GROUP_MOVES) read_vector_packs(reader, &v);
  return v;
}

LANES_INLINE vec_lanes read_group_scales(clip_reader *reader, int group) {
  vec_lanes v = load_vectors(reader->clip->base[group].scale);
  if (reader->clip->groups[group] & CLIP_GROUP_SCALES) read_vector_packs(reader, &v);
  return v;
}

/* Rotations of any length where not `unit`, and without scales where not `scaled`: there are none but 1. */
LANES_INLINE group_lanes read_group(clip_reader *reader, int group, bool unit, bool scaled) {
  const lanes one = lanes_set(1);
  lanes factors;
  group_lanes g;
  g.rotation = read_group_rotations(reader, group, &factors);
  if (unit) g.rotation = quat_lanes_scale(g.rotation, factors);
  g.translation = read_group_translations(reader, group);
  g.scale = scaled ? read_group_scales(reader, group) : (vec_lanes){one, one, one};
  return g;
}

#endif
