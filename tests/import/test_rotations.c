#include "support/fixture.h"

#include "import/clip/rotations.h"
#include "math/simd.h"

#include <math.h>

enum { ROWS = 9, MOST = SINEW_LANES, STRIDE = 4 * MOST * (int)sizeof(float) + 8, OFFSET = 8 };

typedef struct sample {
  sinew_clip clip;
  clip_table table;
  clip_segment segment;
  clip_pack pack;
  clip_block block; /* around no rotation */
  float rotations[ROWS][MOST][4];
  unsigned char rows[ROWS * STRIDE + CLIP_ROW_SLACK];
} sample;

/* What is not of a track is 0xFF: no number, or -1. Floats stand as all x, then all y and so on, and integers without
 * w. */
static void pack_rows(sample *s) {
  const clip_pack *pack = &s->pack;
  memset(s->rows, 0xFF, sizeof s->rows);
  for (int r = 0; r < ROWS; r++)
    for (int c = 0; c < (pack->wide ? 4 : 3); c++)
      for (int t = 0; t < pack->track_count; t++) {
        float value = s->rotations[r][t][c];
        unsigned char *row = s->rows + r * STRIDE + OFFSET;
        int16_t narrow = (int16_t)lrintf(value * 32768);
        if (pack->wide) memcpy(row + (c * pack->track_count + t) * 4, &value, 4);
        else memcpy(row + (c * pack->track_count + t) * 2, &narrow, 2);
      }
  s->segment = (clip_segment){.stride = STRIDE, .used = STRIDE};
  s->table = (clip_table){.row_count = ROWS, .shift = 30, .segment_count = 1, .segments = &s->segment, .rows = s->rows};
  s->clip = (sinew_clip){.tables = &s->table, .packs = pack, .blocks = &s->block};
}

static void make_block(sample *s) {
  s->block = (clip_block){.offset = {0}};
  memset(s->block.spread, 0x80, sizeof s->block.spread);
  for (int c = 0; c < 3; c++) s->block.offset[c] = OFFSET + 2 * c * s->pack.track_count;
  for (int i = MOST - s->pack.track_count, t = 0; i < MOST; i++, t++)
    for (int c = 0; c < 3; c++) {
      s->block.scale[c][i] = 0x3800; /* 2^-15 */
      s->block.spread[c][2 * i] = (uint8_t)(2 * t), s->block.spread[c][2 * i + 1] = (uint8_t)(2 * t + 1);
    }
}

/* The tracks are those of the last lanes. */
static void make_sample(sample *s, int tracks, bool wide, bool hold) {
  s->pack = (clip_pack){.at = wide ? OFFSET : 0,
                        .track_count = (uint8_t)tracks,
                        .kind = TRACK_ROTATION,
                        .wide = wide,
                        .hold = hold,
                        .lanes = (uint8_t)(0xFF << (MOST - tracks))};
  make_block(s);
  for (int t = 0; t < tracks; t++)
    for (int r = 0; r < ROWS; r++) {
      float angle = 0.1f * (float)t + 0.2f * (float)r - 1.1f; /* half of the turn; cos 0.2 is 0.98 */
      memcpy(s->rotations[r][t], (float[]){sinf(angle), 0, 0, cosf(angle)}, 4 * sizeof(float));
    }
  pack_rows(s);
}

static void expect(sample *s, bool good) {
  simd_backend before = simd_current();
  pack_rows(s);
  for (int b = 0; b < SIMD_BACKEND_COUNT; b++) {
    if (!simd_use((simd_backend)b)) continue;
    if (rotations_check_current()(&s->clip, &s->pack) != good)
      fail_msg("%s: %d tracks, wide %d, hold %d should be %s", simd_name((simd_backend)b), s->pack.track_count,
               s->pack.wide, s->pack.hold, good ? "taken" : "refused");
  }
  simd_use(before);
}

/* Sets one rotation, asks, and sets it back. */
static void expect_with(sample *s, int row, int track, const float q[4], bool good) {
  float was[4];
  memcpy(was, s->rotations[row][track], sizeof was);
  memcpy(s->rotations[row][track], q, sizeof was);
  expect(s, good);
  memcpy(s->rotations[row][track], was, sizeof was);
}

static void check_sample(int tracks, bool wide, bool hold) {
  sample s;
  int last = tracks - 1;
  make_sample(&s, tracks, wide, hold);
  expect(&s, true);
  for (int r = 0; r < ROWS; r++) {
    const float *q = s.rotations[r][last];
    float shorter[4], longer[4], turned[4] = {0, 0.8f, 0, 0.6f}, flipped[4];
    for (int c = 0; c < 4; c++) shorter[c] = 0.99f * q[c], longer[c] = 1.01f * q[c], flipped[c] = -q[c];
    if (wide) expect_with(&s, r, last, shorter, false);
    if (wide) expect_with(&s, r, last, longer, false);
    expect_with(&s, r, last, turned, hold);
    if (wide) expect_with(&s, r, last, flipped, hold);
    if (!wide) expect_with(&s, r, last, (float[]){0.8f, 0.8f, 0, 0}, false); /* nothing is left for w */
    if (wide) expect_with(&s, r, 0, (float[]){NAN, 0, 0, 1}, false);
    if (wide) expect_with(&s, r, 0, (float[]){0, INFINITY, 0, 1}, false);
  }
}

static void rows_are_unit_rotations_near_the_row_before(void **state) {
  (void)state;
  for (int tracks = 1; tracks <= MOST; tracks++)
    for (int kind = 0; kind < 4; kind++) check_sample(tracks, kind & 1, kind & 2);
}

static void a_single_row_has_none_before(void **state) {
  (void)state;
  sample s;
  make_sample(&s, 3, false, false);
  pack_rows(&s);
  s.table.row_count = 1;
  assert_true(rotations_check_current()(&s.clip, &s.pack));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_unit_rotations_near_the_row_before),
      cmocka_unit_test(a_single_row_has_none_before),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
