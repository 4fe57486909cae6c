#include "support/fixture.h"

#include "import/clip/rotations.h"
#include "math/simd.h"

#include <math.h>

enum { ROWS = 9, MOST = SINEW_LANES, STRIDE = 4 * MOST * (int)sizeof(float) + 8, OFFSET = 8 };

typedef struct sample {
  clip_table table;
  clip_pack pack;
  float rotations[ROWS][MOST][4];
  unsigned char rows[ROWS * STRIDE + CLIP_ROW_SLACK];
} sample;

/* Of a row: floats stand as all x, then all y and so on; integers as x and y of the tracks in the lower four lanes, x
 * and y of the others, then z and w alike. */
static int place_of(const clip_pack *pack, int track, int c) {
  int count = pack->track_count, low = pack->low;
  if (pack->wide) return c * count + track;
  int pair = c / 2 * 2 * count, second = c % 2;
  return track < low ? pair + second * low + track : pair + 2 * low + second * (count - low) + track - low;
}

/* What is not of a track is 0xFF: no number, or -1. */
static void pack_rows(sample *s) {
  memset(s->rows, 0xFF, sizeof s->rows);
  for (int r = 0; r < ROWS; r++)
    for (int c = 0; c < 4; c++)
      for (int t = 0; t < s->pack.track_count; t++) {
        float value = s->rotations[r][t][c];
        int place = place_of(&s->pack, t, c);
        unsigned char *row = s->rows + r * STRIDE + OFFSET;
        int16_t narrow = (int16_t)lrintf(value * 32767);
        if (s->pack.wide) memcpy(row + place * 4, &value, 4);
        else memcpy(row + place * 2, &narrow, 2);
      }
  s->table = (clip_table){.row_count = ROWS, .row_stride = STRIDE, .rows = s->rows};
}

/* The tracks are those of the last lanes. */
static void make_sample(sample *s, int tracks, bool wide, bool hold) {
  s->pack = (clip_pack){.offset = OFFSET,
                        .track_count = tracks,
                        .kind = TRACK_ROTATION,
                        .wide = wide,
                        .hold = hold,
                        .lanes = (uint8_t)(0xFF << (MOST - tracks)),
                        .low = tracks < 4 ? 0 : tracks - 4};
  for (int t = 0; t < tracks; t++)
    for (int r = 0; r < ROWS; r++) {
      float angle = 0.1f * (float)t + 0.2f * (float)r; /* half of the turn; cos 0.2 is 0.98 */
      memcpy(s->rotations[r][t], (float[]){sinf(angle), 0, 0, cosf(angle)}, 4 * sizeof(float));
    }
  pack_rows(s);
}

static void expect(sample *s, bool good) {
  simd_backend before = simd_current();
  pack_rows(s);
  for (int b = 0; b < SIMD_BACKEND_COUNT; b++) {
    if (!simd_use((simd_backend)b)) continue;
    if (rotations_check_current()(&s->table, &s->pack) != good)
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
    float shorter[4], longer[4], turned[4] = {q[3], q[1], q[2], -q[0]}, flipped[4];
    for (int c = 0; c < 4; c++) shorter[c] = 0.99f * q[c], longer[c] = 1.01f * q[c], flipped[c] = -q[c];
    expect_with(&s, r, last, shorter, false);
    if (wide) expect_with(&s, r, last, longer, false); /* 16 bits may be too few for it */
    expect_with(&s, r, last, turned, hold);
    expect_with(&s, r, last, flipped, hold);
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
  assert_true(rotations_check_current()(&s.table, &s.pack));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_unit_rotations_near_the_row_before),
      cmocka_unit_test(a_single_row_has_none_before),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
