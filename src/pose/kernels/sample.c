#include "pose/kernels/pose_lanes.h"

/* Where a table's rows are read: the two rows, how far between them, and the same as two weights of 15 bits. */
typedef struct reading {
  clip_cursor cursor;
  int wa, wb;
} reading;

static reading make_reading(clip_cursor cursor) {
  int wb = (int)(cursor.weight * 32767.0f + 0.5f);
  return (reading){cursor, 32767 - wb, wb};
}

static void read_wide(const clip_pack *pack, const reading *r, lanes out[4]) {
  lanes b[4], weight = lanes_set(pack->hold ? 0 : r->cursor.weight);
  lanes_load_quads((const float *)(const void *)(r->cursor.a + pack->offset), out);
  lanes_load_quads((const float *)(const void *)(r->cursor.b + pack->offset), b);
  for (int c = 0; c < 4; c++) out[c] = lanes_fma(weight, lanes_sub(b[c], out[c]), out[c]);
}

static void read_narrow(const clip_pack *pack, const reading *r, lanes out[4]) {
  int wa = pack->hold ? 32767 : r->wa, wb = pack->hold ? 0 : r->wb;
  lanes_lerp_integers((const int16_t *)(const void *)(r->cursor.a + pack->offset),
                      (const int16_t *)(const void *)(r->cursor.b + pack->offset), wa, wb, out);
}

/* 1/√s for s near 1: three terms of its series and a step of Newton's method. Neighbouring rows have a dot product of
 * 0.9 or more, so s = |q|² is 0.95 or more between them, and the result is within 3e-9. */
static lanes inverse_root(lanes s) {
  lanes y = lanes_fma(s, lanes_fma(s, lanes_set(0.375f), lanes_set(-1.25f)), lanes_set(1.875f));
  lanes half = lanes_mul(lanes_mul(lanes_set(0.5f), s), y);
  return lanes_mul(y, lanes_fnma(half, y, lanes_set(1.5f)));
}

/* The lanes that move get the pack's values; the others keep the base pose. */
static void store_masked(float *to, const clip_pack *pack, lanes mask, lanes value) {
  lanes_store(to, lanes_select(mask, lanes_permute(value, pack->source), lanes_load(to)));
}

static void sample_rotations(const clip_pack *pack, const reading *r, lanes mask, sinew_pose_group *group) {
  lanes v[4], scale = lanes_set(pack->wide ? 1 : 1 / (32767.0f * 32767.0f));
  if (pack->wide) read_wide(pack, r, v);
  else read_narrow(pack, r, v);
  quat_lanes q = quat_lanes_scale((quat_lanes){v[0], v[1], v[2], v[3]}, scale);
  q = quat_lanes_scale(q, inverse_root(quat_lanes_dot(q, q)));
  store_masked(group->rotation[0], pack, mask, q.x);
  store_masked(group->rotation[1], pack, mask, q.y);
  store_masked(group->rotation[2], pack, mask, q.z);
  store_masked(group->rotation[3], pack, mask, q.w);
}

static void sample_vectors(const clip_table *table, const clip_pack *pack, const reading *r, lanes mask,
                           float (*to)[SINEW_LANES]) {
  lanes v[4];
  if (pack->wide) {
    read_wide(pack, r, v);
    for (int c = 0; c < 3; c++) store_masked(to[c], pack, mask, v[c]);
    return;
  }
  read_narrow(pack, r, v);
  const clip_range *range = table->ranges + pack->range;
  for (int c = 0; c < 3; c++) { /* the ranges are by lane, so the values go to their lanes first */
    lanes whole = lanes_mul(lanes_permute(v[c], pack->source), lanes_set(1 / 32767.0f));
    lanes value = lanes_fma(whole, lanes_load(range->scale[c]), lanes_load(range->bias[c]));
    lanes_store(to[c], lanes_select(mask, value, lanes_load(to[c])));
  }
}

static void sample_pack(const clip_table *table, const clip_pack *pack, const reading *r, sinew_pose_group *output) {
  sinew_pose_group *group = output + pack->group;
  lanes mask = lanes_greater(lanes_load(pack->mask), lanes_set(0));
  if (pack->kind == TRACK_ROTATION) sample_rotations(pack, r, mask, group);
  else sample_vectors(table, pack, r, mask, pack->kind == TRACK_TRANSLATION ? group->translation : group->scale);
}

void LANES_NAME(pose_sample, LANES_SUFFIX)(const sinew_clip *clip, double time, sinew_pose_group *output) {
  for (int t = 0; t < clip->table_count; t++) {
    const clip_table *table = clip->tables + t;
    reading r = make_reading(clip_table_seek(table, time));
    for (int i = 0; i < table->pack_count; i++) sample_pack(table, table->packs + i, &r, output);
  }
}
