#include "model/clip_pack.h"

#include <math.h>
#include <string.h>

/* ---- which tracks lie together ---- */

typedef struct packing {
  const clip_table_desc *desc;
  const int32_t *stored;
  clip_pack *packs; /* NULL while measuring, as the ranges */
  clip_range *ranges;
  int count, range_count;
} packing;

static int lane_of(const packing *p, const clip_track *track) { return p->stored[track->joint] % SINEW_LANES; }

static bool belongs_to(const packing *p, const clip_track *track, const clip_pack *pack) {
  return track->kind != TRACK_MORPH && p->stored[track->joint] / SINEW_LANES == pack->group &&
         (int32_t)track->kind == pack->kind && track->wide == pack->wide && track->hold == pack->hold;
}

static clip_pack empty_pack(const packing *p, const clip_track *track, int offset) {
  return (clip_pack){.kind = (int32_t)track->kind,
                     .group = p->stored[track->joint] / SINEW_LANES,
                     .offset = offset,
                     .wide = track->wide,
                     .hold = track->hold};
}

static bool is_first_of_pack(const packing *p, int index) {
  clip_pack pack = empty_pack(p, p->desc->tracks + index, 0);
  for (int i = 0; i < index; i++)
    if (belongs_to(p, p->desc->tracks + i, &pack)) return false;
  return true;
}

static int track_bytes(bool wide) { return wide ? 16 : 8; }

/* ---- ranges ---- */

static const float *track_row(const clip_table_desc *desc, const clip_track *track, int row) {
  return desc->rows + (size_t)row * (size_t)desc->row_size + (size_t)track->offset;
}

/* A component of a track: value = bias + scale × integer. */
typedef struct range {
  float bias, scale;
} range;

/* The middle of a component's range is 0 and its ends are ±CLIP_ONE; a rotation's is −1 .. 1. */
static range find_range(const clip_table_desc *desc, const clip_track *track, int component) {
  float low = INFINITY, high = -INFINITY;
  if (track->kind == TRACK_ROTATION) return (range){0, 1 / (float)CLIP_ONE};
  for (int r = 0; r < desc->row_count; r++) {
    low = fminf(low, track_row(desc, track, r)[component]);
    high = fmaxf(high, track_row(desc, track, r)[component]);
  }
  return (range){0.5f * low + 0.5f * high, (0.5f * high - 0.5f * low) / (float)CLIP_ONE};
}

static void set_range(const clip_table_desc *desc, const clip_track *track, clip_range *ranges, int lane) {
  for (int c = 0; c < 3; c++) {
    range r = find_range(desc, track, c);
    ranges->bias[c][lane] = r.bias;
    ranges->scale[c][lane] = r.scale;
  }
}

/* ---- packs ---- */

static clip_pack make_pack(packing *p, int first, int offset) {
  clip_pack pack = empty_pack(p, p->desc->tracks + first, offset);
  bool ranged = pack.kind != TRACK_ROTATION && !pack.wide;
  if (ranged) pack.range = p->range_count++;
  for (int i = first; i < p->desc->track_count; i++) {
    const clip_track *track = p->desc->tracks + i;
    if (!belongs_to(p, track, &pack)) continue;
    int lane = lane_of(p, track);
    pack.source[lane] = pack.track_count++;
    pack.mask[lane] = 1;
    if (ranged && p->ranges) set_range(p->desc, track, p->ranges + pack.range, lane);
  }
  return pack;
}

/* The packs, one after the other in a row; the bytes that they take. */
static int make_packs(packing *p) {
  int offset = 0;
  for (int i = 0; i < p->desc->track_count; i++) {
    if (p->desc->tracks[i].kind == TRACK_MORPH || !is_first_of_pack(p, i)) continue;
    clip_pack pack = make_pack(p, i, offset);
    if (p->packs) p->packs[p->count] = pack;
    p->count++;
    offset += pack.track_count * track_bytes(pack.wide);
  }
  return offset;
}

/* ---- rows ---- */

static int16_t to_integer(float value, range r) {
  float steps = r.scale > 0 ? (value - r.bias) / r.scale : 0;
  return (int16_t)lrintf(fminf(fmaxf(steps, -(float)CLIP_ONE), (float)CLIP_ONE));
}

static int width_of(track_kind kind) { return kind == TRACK_ROTATION ? 4 : kind == TRACK_MORPH ? 1 : 3; }

static void store_narrow(const clip_table_desc *desc, const clip_track *track, int stride, unsigned char *cell) {
  for (int c = 0; c < width_of(track->kind); c++) {
    range span = find_range(desc, track, c);
    for (int r = 0; r < desc->row_count; r++) {
      int16_t integer = to_integer(track_row(desc, track, r)[c], span);
      memcpy(cell + (size_t)r * (size_t)stride + (size_t)c * sizeof integer, &integer, sizeof integer);
    }
  }
}

void clip_table_round(const clip_table_desc *desc, float *rows) {
  for (int i = 0; i < desc->track_count; i++) {
    const clip_track *track = desc->tracks + i;
    for (int c = 0; !track->wide && c < width_of(track->kind); c++) {
      range span = find_range(desc, track, c);
      for (int r = 0; r < desc->row_count; r++) {
        float *value = rows + (size_t)r * (size_t)desc->row_size + (size_t)track->offset + c;
        *value = span.bias + span.scale * (float)to_integer(*value, span);
      }
    }
  }
}

static void store_wide(const clip_table_desc *desc, const clip_track *track, int stride, unsigned char *cell) {
  for (int r = 0; r < desc->row_count; r++)
    memcpy(cell + (size_t)r * (size_t)stride, track_row(desc, track, r), (size_t)width_of(track->kind) * sizeof(float));
}

static void store_track(const packing *p, const clip_track *track, int stride, unsigned char *rows) {
  const clip_pack *pack = p->packs;
  while (!belongs_to(p, track, pack)) pack++;
  unsigned char *cell = rows + pack->offset + pack->source[lane_of(p, track)] * track_bytes(pack->wide);
  if (pack->wide) store_wide(p->desc, track, stride, cell);
  else store_narrow(p->desc, track, stride, cell);
}

static void store_morph(const clip_table_desc *desc, const clip_track *track, int offset, int stride,
                        unsigned char *rows) {
  for (int r = 0; r < desc->row_count; r++)
    memcpy(rows + (size_t)r * (size_t)stride + offset, track_row(desc, track, r), sizeof(float));
}

/* ---- a table ---- */

static int count_morphs(const clip_table_desc *desc) {
  int count = 0;
  for (int i = 0; i < desc->track_count; i++) count += desc->tracks[i].kind == TRACK_MORPH;
  return count;
}

static void store_rows(const packing *p, int morph_offset, clip_table *table, clip_morph *morphs, unsigned char *rows) {
  int morph = 0;
  for (int i = 0; i < p->desc->track_count; i++) {
    const clip_track *track = p->desc->tracks + i;
    if (track->kind != TRACK_MORPH) {
      store_track(p, track, table->row_stride, rows);
      continue;
    }
    int offset = morph_offset + morph * (int)sizeof(float);
    morphs[morph++] = (clip_morph){track->joint, track->target, offset, track->hold};
    store_morph(p->desc, track, offset, table->row_stride, rows);
  }
}

void clip_table_lay(block *b, const clip_table_desc *desc, const int32_t *stored, clip_table *table) {
  packing measured = {.desc = desc, .stored = stored};
  int packed = make_packs(&measured);
  *table = (clip_table){
      .pack_count = measured.count, .range_count = measured.range_count, .morph_count = count_morphs(desc)};
  table->row_stride = (packed + table->morph_count * (int)sizeof(float) + 7) / 8 * 8;
  clip_times_lay(b, desc, table);
  packing p = {.desc = desc, .stored = stored};
  table->packs = p.packs = block_take(b, (size_t)measured.count, sizeof *p.packs);
  table->ranges = p.ranges = block_take(b, (size_t)measured.range_count, sizeof *p.ranges);
  clip_morph *morphs = block_take(b, (size_t)table->morph_count, sizeof *morphs);
  unsigned char *rows = block_take(b, (size_t)desc->row_count * (size_t)table->row_stride + CLIP_ROW_SLACK, 1);
  table->morphs = morphs;
  table->rows = rows;
  if (!b->memory) return;
  if (p.packs) make_packs(&p);
  store_rows(&p, packed, table, morphs, rows);
}
