/* Reads a clip at a moment, group after group: one look-up in time for each table, two rows, an interpolation. */
#ifndef SINEW_POSE_KERNELS_CLIP_LANES_H
#define SINEW_POSE_KERNELS_CLIP_LANES_H

#include "pose/kernels/group_lanes.h"

typedef struct table_reader {
  clip_cursor cursor;
  const clip_pack *pack, *end; /* the packs that have not been read */
  const clip_range *ranges;
} table_reader;

typedef struct clip_reader {
  const sinew_clip *clip;
  table_reader tables[CLIP_MAX_TABLES];
} clip_reader;

static inline void open_clip(clip_reader *reader, const sinew_clip *clip, double time) {
  reader->clip = clip;
  for (int i = 0; i < clip->table_count; i++) {
    const clip_table *table = clip->tables + i;
    reader->tables[i] =
        (table_reader){clip_table_seek(table, time), table->packs, table->packs + table->pack_count, table->ranges};
  }
}

/* Eight tracks' component c in a row: by track, integers as they are, and garbage where there are fewer than eight
 * tracks; or, of a wide pack, by lane, because garbage might be floats that are slow to reckon with. */
static inline lanes read_row(const clip_pack *pack, const unsigned char *row, bool wide, int c) {
  const void *at = row + pack->offset + c * pack->track_count * (wide ? 4 : 2);
  if (!wide) return lanes_load_shorts(at);
  lanes numbers = lanes_load(at);
  return pack->track_count == SINEW_LANES ? numbers : lanes_place(numbers, pack->source, lanes_set(0));
}

static inline lanes read_numbers(const clip_pack *pack, const clip_cursor *cursor, lanes weight, bool wide, int c) {
  lanes from = read_row(pack, cursor->a, wide, c), to = read_row(pack, cursor->b, wide, c);
  return lanes_fma(weight, lanes_sub(to, from), from);
}

/* What has been read, where the pack moves a joint; tracks of a full pack are in their lanes already. */
static inline lanes place(const clip_pack *pack, bool wide, lanes value, lanes base) {
  if (pack->track_count == SINEW_LANES) return value;
  return wide ? lanes_keep(value, pack->source, base) : lanes_place(value, pack->source, base);
}

/* 1/√s for s near 1: three terms of its series and a step of Newton's method. Neighbouring rows have a dot product of
 * 0.9 or more, so s = |q|² is 0.95 or more between them, and the result is within 3e-9. */
static inline lanes inverse_root(lanes s) {
  lanes y = lanes_fma(s, lanes_fma(s, lanes_set(0.375f), lanes_set(-1.25f)), lanes_set(1.875f));
  lanes half = lanes_mul(lanes_mul(lanes_set(0.5f), s), y);
  return lanes_mul(y, lanes_fnma(half, y, lanes_set(1.5f)));
}

static inline quat_lanes read_rotations(const clip_pack *pack, const clip_cursor *cursor, lanes weight, bool wide,
                                        bool unit, quat_lanes base) {
  quat_lanes q = {read_numbers(pack, cursor, weight, wide, 0), read_numbers(pack, cursor, weight, wide, 1),
                  read_numbers(pack, cursor, weight, wide, 2), read_numbers(pack, cursor, weight, wide, 3)};
  if (unit) {
    const float one = wide ? 1 : 32767;
    lanes square = lanes_mul(quat_lanes_dot(q, q), lanes_set(1 / (one * one)));
    q = quat_lanes_scale(q, lanes_mul(inverse_root(square), lanes_set(1 / one)));
  }
  return (quat_lanes){place(pack, wide, q.x, base.x), place(pack, wide, q.y, base.y), place(pack, wide, q.z, base.z),
                      place(pack, wide, q.w, base.w)};
}

static inline void read_vectors(const clip_pack *pack, const table_reader *table, lanes weight, lanes value[3]) {
  if (pack->wide) {
    for (int c = 0; c < 3; c++)
      value[c] = place(pack, true, read_numbers(pack, &table->cursor, weight, true, c), value[c]);
    return;
  }
  const clip_range *range = table->ranges + pack->range;
  for (int c = 0; c < 3; c++) {
    lanes number = read_numbers(pack, &table->cursor, weight, false, c);
    lanes moved = lanes_fma(number, lanes_load(range->scale[c]), lanes_load(range->bias[c]));
    value[c] = place(pack, false, moved, value[c]);
  }
}

static inline void read_pack(const table_reader *table, bool unit, group_lanes *g) {
  const clip_pack *pack = table->pack;
  lanes weight = lanes_set(pack->hold ? 0 : table->cursor.weight);
  if (pack->kind == TRACK_ROTATION && pack->wide)
    g->rotation = read_rotations(pack, &table->cursor, weight, true, unit, g->rotation);
  else if (pack->kind == TRACK_ROTATION)
    g->rotation = read_rotations(pack, &table->cursor, weight, false, unit, g->rotation);
  else read_vectors(pack, table, weight, pack->kind == TRACK_TRANSLATION ? g->translation : g->scale);
}

/* The next group of joints; groups are read in order. Rotations of any length, or of unit length where `unit`. */
static inline group_lanes read_group(clip_reader *reader, int group, bool unit) {
  group_lanes g = load_group(reader->clip->base + group);
  for (int i = 0; i < reader->clip->table_count; i++) {
    table_reader *table = reader->tables + i;
    for (; table->pack < table->end && table->pack->group == group; table->pack++) read_pack(table, unit, &g);
  }
  return g;
}

#endif
