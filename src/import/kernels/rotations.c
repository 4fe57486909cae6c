#include "import/clip/rotations.h"

#include "math/lanes.h"
#include "model/clip_fit.h"

typedef struct rotations {
  lanes c[4];
} rotations;

/* By track, of floats: lanes behind the last hold what stands behind the pack, and nobody asks about them. By lane, of
 * integers: relative to the middle. */
static inline rotations load(const clip_pack *pack, const clip_block *block, const unsigned char *row) {
  rotations q;
  if (pack->wide) {
    for (int c = 0; c < 4; c++)
      q.c[c] = lanes_load((const void *)(row + pack->at + c * pack->track_count * (int)sizeof(float)));
    return q;
  }
  lanes rest = lanes_set(1);
  for (int c = 0; c < 3; c++) {
    lanes integers = lanes_load_spread(row + block->offset[c], block->spread[c]);
    q.c[c] = lanes_mul(integers, lanes_load_upper(block->scale[c]));
    rest = lanes_fnma(q.c[c], q.c[c], rest);
  }
  q.c[3] = lanes_sqrt(rest); /* no number where nothing is left */
  return q;
}

static inline lanes dot(const rotations *a, const rotations *b) {
  lanes sum = lanes_mul(a->c[0], b->c[0]);
  for (int c = 1; c < 4; c++) sum = lanes_fma(a->c[c], b->c[c], sum);
  return sum;
}

/* What is no number is greater than nothing, and so it is bad. */
static inline lanes find_bad(lanes bad, lanes length, lanes cosine) {
  lanes low = lanes_greater(length, lanes_set(0.996f)), high = lanes_greater(lanes_set(1.004f), length);
  lanes near = lanes_greater(cosine, lanes_set(0.89f)), is_bad = lanes_set(1);
  return lanes_select(low, lanes_select(high, lanes_select(near, bad, is_bad), is_bad), is_bad);
}

static lanes check_segment(const clip_table *table, const clip_pack *pack, const clip_block *block, int segment,
                           lanes bad) {
  int first = clip_segment_first(table->shift, segment),
      last = clip_segment_last(table->row_count, table->shift, segment);
  const clip_segment *in = table->segments + segment;
  const unsigned char *row = table->rows + in->at;
  rotations before = load(pack, block, row);
  for (int r = first; r <= last; r++, row += in->stride) {
    rotations now = load(pack, block, row);
    lanes length = dot(&now, &now);
    bad = find_bad(bad, length, pack->hold ? length : dot(&now, &before));
    before = now;
  }
  return bad;
}

rotations_check LANES_NAME(rotations_check, LANES_SUFFIX);
bool LANES_NAME(rotations_check, LANES_SUFFIX)(const sinew_clip *clip, const clip_pack *pack) {
  const clip_table *table = clip->tables + pack->table;
  float bad_lanes[SINEW_LANES];
  lanes bad = lanes_set(0);
  for (int s = 0; s < table->segment_count; s++)
    bad = check_segment(table, pack, pack->wide ? NULL : clip_pack_block(clip, pack, s), s, bad);
  lanes_store(bad_lanes, bad);
  int asked = pack->wide ? (1 << pack->track_count) - 1 : pack->lanes;
  for (int i = 0; i < SINEW_LANES; i++)
    if (asked >> i & 1 && bad_lanes[i] > 0) return false;
  return true;
}
