/* Reads a clip at a moment, group after group: one look-up in time for each table, two rows, an interpolation. */
#ifndef SINEW_POSE_KERNELS_CLIP_LANES_H
#define SINEW_POSE_KERNELS_CLIP_LANES_H

#include "pose/kernels/group_lanes.h"

/* How much of two rotations makes one between them, by the cosine of the angle between: sin(t φ) / sin φ as a series in
 * x = cos φ − 1, t · (1 + c₁x (1 + c₂x (1 + …))) with cₖ = (t² − k²) / (k (2k + 1)). David Eberly, "A Fast and Accurate
 * Algorithm for Computing SLERP", 2011. Rows are near enough for four terms: cos φ is 0.89 or more, and the next term
 * below 1e-7. */
enum { ARC_TERMS = 4 };
typedef struct arc_weight {
  float terms[ARC_TERMS + 1];
} arc_weight;

LANES_INLINE arc_weight find_arc_weight(float t) {
  float square = t * t, first = t * (square - 1) * (1.0f / 3), second = first * (square - 4) * 0.1f;
  float third = second * (square - 9) * (1.0f / 21), fourth = third * (square - 16) * (1.0f / 36);
  return (arc_weight){{t, first, second, third, fourth}};
}

LANES_INLINE lanes weigh_arc(const arc_weight *w, lanes x) {
  lanes sum = lanes_set(w->terms[ARC_TERMS]);
#pragma GCC unroll 4
  for (int i = ARC_TERMS - 1; i >= 0; i--) sum = lanes_fma(sum, x, lanes_set(w->terms[i]));
  return sum;
}

/* Two rows of a table, and how much of each: of packs that do not hold, and of those that do. */
typedef struct table_rows {
  const unsigned char *a, *b;
  int segment;
  float weights[2];
  arc_weight arcs[2][2];
} table_rows;

typedef struct clip_reader {
  const sinew_clip *clip;
  const clip_pack *pack; /* the next one; packs are in the order of groups */
  table_rows tables[CLIP_MAX_TABLES];
} clip_reader;

LANES_INLINE table_rows find_rows(const clip_table *table, double time) {
  clip_cursor cursor = clip_table_seek(table, time);
  float t = cursor.weight;
  return (table_rows){cursor.a,
                      cursor.b,
                      cursor.segment,
                      {t, 0},
                      {{find_arc_weight(1 - t), find_arc_weight(t)}, {find_arc_weight(1), find_arc_weight(0)}}};
}

LANES_INLINE void open_clip(clip_reader *reader, const sinew_clip *clip, double time) {
  reader->clip = clip;
  reader->pack = clip->packs;
  for (int i = 0; i < clip->table_count; i++) reader->tables[i] = find_rows(clip->tables + i, time);
}

/* ---- rotations ---- */

LANES_INLINE quat_lanes between_rotations(const table_rows *rows, bool hold, quat_lanes a, quat_lanes b) {
  lanes x = lanes_fma(a.x, b.x, lanes_set(-1));
  x = lanes_fma(a.w, b.w, lanes_fma(a.z, b.z, lanes_fma(a.y, b.y, x)));
  quat_lanes part = quat_lanes_scale(a, weigh_arc(&rows->arcs[hold][0], x));
  return quat_lanes_add_scaled(part, weigh_arc(&rows->arcs[hold][1], x), b);
}

LANES_INLINE lanes read_component(const unsigned char *row, const clip_block *block, int c) {
  lanes integers = lanes_load_spread(row + block->offset[c], block->spread[c]);
  return lanes_mul(integers, lanes_load_upper(block->scale[c]));
}

/* Relative to the middle. Its w is 1 where a lane has no track. */
LANES_INLINE quat_lanes read_relative(const unsigned char *row, const clip_block *block) {
  lanes x = read_component(row, block, 0), y = read_component(row, block, 1), z = read_component(row, block, 2);
  lanes square = lanes_fnma(z, z, lanes_fnma(y, y, lanes_fnma(x, x, lanes_set(1))));
  return (quat_lanes){x, y, z, lanes_sqrt(square)};
}

LANES_INLINE quat_lanes load_quats(const float (*q)[SINEW_LANES]) {
  return (quat_lanes){lanes_load(q[0]), lanes_load(q[1]), lanes_load(q[2]), lanes_load(q[3])};
}

/* Of all lanes: those without a track get what they hold. */
LANES_INLINE quat_lanes read_narrow_rotations(const clip_reader *reader, const clip_pack *pack) {
  const table_rows *rows = reader->tables + pack->table;
  const clip_block *block = clip_pack_block(reader->clip, pack, rows->segment);
  quat_lanes relative = between_rotations(rows, false, read_relative(rows->a, block), read_relative(rows->b, block));
  return quat_lanes_multiply(load_quats(block->middle), relative);
}

/* A component of floats. Those behind the last track's may be slow to reckon with. */
LANES_INLINE lanes read_floats(const unsigned char *row, const clip_pack *pack, int c) {
  const unsigned char *at = row + pack->at + c * pack->track_count * (int)sizeof(float);
  return lanes_place(lanes_load((const void *)at), pack->source, lanes_set(0));
}

static void read_wide_rotations(const table_rows *rows, const clip_pack *pack, quat_lanes *q) {
  quat_lanes a = {read_floats(rows->a, pack, 0), read_floats(rows->a, pack, 1), read_floats(rows->a, pack, 2),
                  read_floats(rows->a, pack, 3)};
  quat_lanes b = {read_floats(rows->b, pack, 0), read_floats(rows->b, pack, 1), read_floats(rows->b, pack, 2),
                  read_floats(rows->b, pack, 3)};
  *q = between_rotations(rows, pack->hold, a, b);
}

LANES_INLINE quat_lanes keep_rotations(quat_lanes q, const clip_pack *pack, quat_lanes held) {
  return (quat_lanes){lanes_keep(q.x, pack->source, held.x), lanes_keep(q.y, pack->source, held.y),
                      lanes_keep(q.z, pack->source, held.z), lanes_keep(q.w, pack->source, held.w)};
}

/* Packs of any form, up to the last; a function, because they are seldom more than one of integers. */
static const clip_pack *read_mixed_rotations(const clip_reader *reader, const clip_pack *pack, quat_lanes *q) {
  for (bool last = false; !last; pack++) {
    quat_lanes own;
    if (pack->wide) read_wide_rotations(reader->tables + pack->table, pack, &own);
    else own = read_narrow_rotations(reader, pack);
    *q = keep_rotations(own, pack, *q);
    last = pack->last;
  }
  return pack;
}

/* Of a group, its rotations are read first, then its translations and scales. */
LANES_INLINE quat_lanes read_group_rotations(clip_reader *reader, int group) {
  int flags = reader->clip->groups[group].flags;
  if (flags & CLIP_GROUP_ONE) return read_narrow_rotations(reader, reader->pack++);
  quat_lanes q = load_quats(clip_held(reader->clip, group, TRACK_ROTATION));
  if (flags & CLIP_GROUP_TURNS) reader->pack = read_mixed_rotations(reader, reader->pack, &q);
  return q;
}

/* ---- translations and scales ---- */

LANES_INLINE lanes between_numbers(const table_rows *rows, bool hold, lanes a, lanes b) {
  return lanes_fma(lanes_set(rows->weights[hold]), lanes_sub(b, a), a);
}

LANES_INLINE lanes read_narrow(const table_rows *rows, const clip_block *block, int c) {
  lanes a = lanes_load_spread(rows->a + block->offset[c], block->spread[c]);
  lanes b = lanes_load_spread(rows->b + block->offset[c], block->spread[c]);
  return lanes_fma(between_numbers(rows, false, a, b), lanes_load_upper(block->scale[c]), lanes_load(block->middle[c]));
}

/* Of all lanes: those without a track get what they hold. */
LANES_INLINE vec_lanes read_narrow_vectors(const clip_reader *reader, const clip_pack *pack) {
  const table_rows *rows = reader->tables + pack->table;
  const clip_block *block = clip_pack_block(reader->clip, pack, rows->segment);
  return (vec_lanes){read_narrow(rows, block, 0), read_narrow(rows, block, 1), read_narrow(rows, block, 2)};
}

LANES_INLINE lanes read_wide(const table_rows *rows, const clip_pack *pack, int c) {
  return between_numbers(rows, pack->hold, read_floats(rows->a, pack, c), read_floats(rows->b, pack, c));
}

static const clip_pack *read_mixed_vectors(const clip_reader *reader, const clip_pack *pack, vec_lanes *v) {
  for (bool last = false; !last; pack++) {
    const table_rows *rows = reader->tables + pack->table;
    vec_lanes own;
    if (pack->wide) own = (vec_lanes){read_wide(rows, pack, 0), read_wide(rows, pack, 1), read_wide(rows, pack, 2)};
    else own = read_narrow_vectors(reader, pack);
    *v = (vec_lanes){lanes_keep(own.x, pack->source, v->x), lanes_keep(own.y, pack->source, v->y),
                     lanes_keep(own.z, pack->source, v->z)};
    last = pack->last;
  }
  return pack;
}

LANES_INLINE vec_lanes read_group_vectors(clip_reader *reader, int group, track_kind kind) {
  const clip_pack *pack = reader->pack;
  vec_lanes v = load_vectors(clip_held(reader->clip, group, kind));
  if (!(reader->clip->groups[group].flags >> kind & 1)) return v;
  if (!pack->wide && pack->last) {
    reader->pack = pack + 1;
    return read_narrow_vectors(reader, pack);
  }
  reader->pack = read_mixed_vectors(reader, pack, &v);
  return v;
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
