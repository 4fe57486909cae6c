#include "model/clip_pack.h"

#include <math.h>
#include <string.h>

/* ---- which tracks lie together ---- */

typedef struct packing {
  const clip_desc *desc;
  const int32_t *stored;
  clip_pack *packs; /* NULL while measuring, as the ranges */
  clip_range *ranges;
  int count, range_count;
  int bytes[CLIP_MAX_TABLES]; /* of a row's packs */
} packing;

static int lane_of(const packing *p, const clip_track *track) { return p->stored[track->joint] % SINEW_LANES; }

static clip_pack empty_pack(const packing *p, int table, const clip_track *track) {
  clip_pack pack = {.group = p->stored[track->joint] / SINEW_LANES,
                    .kind = (uint8_t)track->kind,
                    .table = (uint8_t)table,
                    .wide = track->wide,
                    .hold = track->hold,
                    .range = -1};
  memset(pack.source, -1, sizeof pack.source);
  return pack;
}

static bool belongs_to(const packing *p, int table, const clip_track *track, const clip_pack *pack) {
  if (track->kind == TRACK_MORPH) return false;
  clip_pack own = empty_pack(p, table, track);
  return clip_pack_compare(&own, pack) == 0;
}

/* Takes the pack of a track for `next` where it comes after `last` (NULL: none is there yet) and before `next`. */
static bool comes_next(const packing *p, int table, int track, const clip_pack *last, clip_pack *next, bool found) {
  if (p->desc->tables[table].tracks[track].kind == TRACK_MORPH) return found;
  clip_pack pack = empty_pack(p, table, p->desc->tables[table].tracks + track);
  if (last && clip_pack_compare(&pack, last) <= 0) return found;
  if (!found || clip_pack_compare(&pack, next) < 0) *next = pack;
  return true;
}

/* The pack that comes after `last`, without its tracks; false where there is none. */
static bool find_next_pack(const packing *p, const clip_pack *last, clip_pack *next) {
  bool found = false;
  for (int t = 0; t < p->desc->table_count; t++)
    for (int i = 0; i < p->desc->tables[t].track_count; i++) found = comes_next(p, t, i, last, next, found);
  return found;
}

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

static void set_range(const clip_table_desc *desc, const clip_track *track, clip_range *to, int lane) {
  for (int c = 0; c < 3; c++) {
    range r = find_range(desc, track, c);
    to->bias[c][lane] = r.bias;
    to->scale[c][lane] = -r.scale / CLIP_WEIGHT_ONE;
  }
}

/* ---- packs ---- */

static void number_tracks(const packing *p, clip_pack *pack) {
  const clip_table_desc *desc = p->desc->tables + pack->table;
  for (int i = 0; i < desc->track_count; i++)
    if (belongs_to(p, pack->table, desc->tracks + i, pack)) pack->source[lane_of(p, desc->tracks + i)] = 0;
  for (int lane = 0; lane < SINEW_LANES; lane++) {
    if (pack->source[lane] < 0) continue;
    pack->source[lane] = (int8_t)pack->track_count++;
    pack->lanes |= (uint8_t)(1 << lane);
    if (lane < 4 || pack->wide) pack->low++;
  }
}

static void give_range(packing *p, clip_pack *pack) {
  const clip_table_desc *desc = p->desc->tables + pack->table;
  if (pack->kind == TRACK_ROTATION || pack->wide) return;
  pack->range = p->range_count++;
  for (int i = 0; p->ranges && i < desc->track_count; i++)
    if (belongs_to(p, pack->table, desc->tracks + i, pack))
      set_range(desc, desc->tracks + i, p->ranges + pack->range, lane_of(p, desc->tracks + i));
}

static int bytes_of(const clip_pack *pack) {
  return (pack->track_count * clip_kind_width((track_kind)pack->kind) * clip_cell_bytes(pack) + 3) / 4 * 4;
}

/* The packs of all tables; those of a table lie one after the other in its rows. */
static void make_packs(packing *p) {
  clip_pack pack, next;
  for (bool more = find_next_pack(p, NULL, &pack); more; pack = next) {
    number_tracks(p, &pack);
    give_range(p, &pack);
    more = find_next_pack(p, &pack, &next);
    pack.last = !more || next.group != pack.group || next.kind != pack.kind;
    pack.offset = p->bytes[pack.table];
    p->bytes[pack.table] += bytes_of(&pack);
    if (p->packs) p->packs[p->count] = pack;
    p->count++;
  }
}

/* ---- rows ---- */

static int16_t to_integer(float value, range r) {
  float steps = r.scale > 0 ? (value - r.bias) / r.scale : 0;
  return (int16_t)lrintf(fminf(fmaxf(steps, -(float)CLIP_ONE), (float)CLIP_ONE));
}

/* A column of a row: one component of a track. */
static void store_column(const clip_table_desc *desc, const clip_track *track, int c, int stride, unsigned char *cell) {
  range span = find_range(desc, track, c);
  for (int r = 0; r < desc->row_count; r++, cell += stride) {
    float value = track_row(desc, track, r)[c];
    int16_t integer = track->wide ? 0 : to_integer(value, span);
    if (track->wide) memcpy(cell, &value, sizeof value);
    else memcpy(cell, &integer, sizeof integer);
  }
}

void clip_table_round(const clip_table_desc *desc, float *rows) {
  for (int i = 0; i < desc->track_count; i++) {
    const clip_track *track = desc->tracks + i;
    for (int c = 0; !track->wide && c < clip_kind_width(track->kind); c++) {
      range span = find_range(desc, track, c);
      for (int r = 0; r < desc->row_count; r++) {
        float *value = rows + (size_t)r * (size_t)desc->row_size + (size_t)track->offset + c;
        *value = span.bias + span.scale * (float)to_integer(*value, span);
      }
    }
  }
}

static void store_track(const packing *p, int table, const clip_track *track, int stride, unsigned char *rows) {
  const clip_pack *pack = p->packs;
  while (!belongs_to(p, table, track, pack)) pack++;
  for (int c = 0; c < clip_kind_width(track->kind); c++) {
    unsigned char *column = rows + clip_pack_cell(pack, lane_of(p, track), c);
    store_column(p->desc->tables + table, track, c, stride, column);
  }
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

static void store_rows(const packing *p, int index, clip_table *table, clip_morph *morphs, unsigned char *rows) {
  const clip_table_desc *desc = p->desc->tables + index;
  int morph = 0;
  for (int i = 0; i < desc->track_count; i++) {
    const clip_track *track = desc->tracks + i;
    if (track->kind != TRACK_MORPH) {
      store_track(p, index, track, table->row_stride, rows);
      continue;
    }
    int offset = p->bytes[index] + morph * (int)sizeof(float);
    morphs[morph++] = (clip_morph){track->joint, track->target, offset, track->hold};
    store_morph(desc, track, offset, table->row_stride, rows);
  }
}

static void lay_table(block *b, const packing *p, int index, clip_table *table) {
  const clip_table_desc *desc = p->desc->tables + index;
  *table = (clip_table){.morph_count = count_morphs(desc)};
  table->row_stride = p->bytes[index] + table->morph_count * (int)sizeof(float);
  clip_times_lay(b, desc, table);
  clip_morph *morphs = block_take(b, (size_t)table->morph_count, sizeof *morphs);
  unsigned char *rows = block_take(b, (size_t)desc->row_count * (size_t)table->row_stride + CLIP_ROW_SLACK, 1);
  table->morphs = morphs;
  table->rows = rows;
  if (b->memory) store_rows(p, index, table, morphs, rows);
}

void clip_tables_lay(block *b, const clip_desc *desc, const int32_t *stored, sinew_clip *clip) {
  packing p = {.desc = desc, .stored = stored};
  make_packs(&p);
  clip->table_count = desc->table_count;
  clip->pack_count = p.count;
  clip->range_count = p.range_count;
  clip_pack *packs = block_take(b, (size_t)p.count, sizeof *packs);
  clip_range *ranges = block_take(b, (size_t)p.range_count, sizeof *ranges);
  clip_table *tables = block_take(b, (size_t)desc->table_count, sizeof *tables), measured;
  clip->packs = packs;
  clip->ranges = ranges;
  clip->tables = tables;
  if (packs) {
    p = (packing){.desc = desc, .stored = stored, .packs = packs, .ranges = ranges};
    make_packs(&p);
  }
  for (int i = 0; i < desc->table_count; i++) lay_table(b, &p, i, tables ? tables + i : &measured);
}
