#include "import/clip/rotations.h"

#include "math/lanes.h"

typedef struct rotations {
  lanes c[4];
} rotations;

/* By track, of floats: lanes behind the last hold what stands behind the pack, and nobody asks about them. By lane, of
 * integers, and times −2^15. */
static inline rotations load(const clip_pack *pack, const unsigned char *row) {
  const void *at = row + pack->offset;
  const float *floats = at;
  const int16_t *integers = at;
  rotations q;
  if (pack->wide) {
    for (int c = 0; c < 4; c++) q.c[c] = lanes_load(floats + c * pack->track_count);
  } else {
    for (size_t i = 0; i < 2; i++) {
      lanes_shorts pair = lanes_load_few(integers + i * 2 * pack->track_count, pack->lanes, 2 * (size_t)pack->low);
      lanes_lerp_shorts(pair, pair, lanes_shares(0), q.c + 2 * i);
    }
  }
  return q;
}

static inline lanes dot(const rotations *a, const rotations *b) {
  lanes sum = lanes_mul(a->c[0], b->c[0]);
  for (int c = 1; c < 4; c++) sum = lanes_fma(a->c[c], b->c[c], sum);
  return sum;
}

/* What is no number is greater than nothing, and so it is bad. */
static inline lanes find_bad(lanes bad, lanes length, lanes cosine, float one) {
  lanes low = lanes_greater(length, lanes_set(0.996f * one)), high = lanes_greater(lanes_set(1.004f * one), length);
  lanes near = lanes_greater(cosine, lanes_set(0.89f * one)), is_bad = lanes_set(1);
  return lanes_select(low, lanes_select(high, lanes_select(near, bad, is_bad), is_bad), is_bad);
}

rotations_check LANES_NAME(rotations_check, LANES_SUFFIX);
bool LANES_NAME(rotations_check, LANES_SUFFIX)(const clip_table *table, const clip_pack *pack) {
  float one = pack->wide ? 1 : 32767.0f * 32767.0f * 0x1p30f, bad_lanes[SINEW_LANES];
  lanes bad = lanes_set(0);
  const unsigned char *row = table->rows;
  rotations before = load(pack, row);
  for (int r = 0; r < table->row_count; r++, row += table->row_stride) {
    rotations now = load(pack, row);
    lanes length = dot(&now, &now);
    bad = find_bad(bad, length, pack->hold ? length : dot(&now, &before), one);
    before = now;
  }
  lanes_store(bad_lanes, bad);
  int asked = pack->wide ? (1 << pack->track_count) - 1 : pack->lanes;
  for (int i = 0; i < SINEW_LANES; i++)
    if (asked >> i & 1 && bad_lanes[i] > 0) return false;
  return true;
}
