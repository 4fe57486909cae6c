#include "support/fixture.h"

#include "import/kernels.h"
#include "math/simd.h"

#include <math.h>

enum { FRAMES = 9, MOST = SINEW_LANES, STRIDE = 4 * MOST * (int)sizeof(float) + 8, OFFSET = 8 };

typedef struct sample {
  sinew_clip clip;
  track_group track_group;
  clip_segment segment;
  clip_pack pack;
  clip_block block; /* around no rotation */
  float rotations[FRAMES][MOST][4];
  unsigned char frames[FRAMES * STRIDE + CLIP_FRAME_SLACK];
} sample;

/* In a frame, behind OFFSET, where a component of a track is: floats as all x, then all y and so on; integers by lane,
 * of narrow packs in pieces that all have room for four tracks. */
static int cell_of(const clip_pack *pack, int track, int c) {
  int lane = MOST - pack->track_count + track;
  if (pack->form == CLIP_WIDE) return 4 * (c * pack->track_count + track);
  if (clip_form_is_full(pack->form)) return 2 * clip_full_cell(c, lane);
  return 16 * clip_block_piece(c, lane) + 2 * (c % 2 * 4 + lane % 4);
}

/* Bytes that belong to no track are 0xFF: not a number, or -1. A narrow w is relative to 1. */
static void pack_frames(sample *s) {
  const clip_pack *pack = &s->pack;
  memset(s->frames, 0xFF, sizeof s->frames);
  for (int r = 0; r < FRAMES; r++)
    for (int c = 0; c < 4; c++)
      for (int t = 0; t < pack->track_count; t++) {
        float value = s->rotations[r][t][c];
        unsigned char *cell = s->frames + r * STRIDE + OFFSET + cell_of(pack, t, c);
        float integer = clip_form_is_full(pack->form) ? value * CLIP_ONE : c == 3 ? (value - 1) * 16384 : value * 32768;
        int16_t narrow = (int16_t)lrintf(fmaxf(fminf(integer, 32767), -32767));
        if (pack->form == CLIP_WIDE) memcpy(cell, &value, 4);
        else memcpy(cell, &narrow, 2);
      }
  s->segment = (clip_segment){.stride = STRIDE, .used = STRIDE};
  s->track_group = (track_group){
      .frame_count = FRAMES, .shift = 30, .segment_count = 1, .segments = &s->segment, .frames = s->frames};
  s->clip = (sinew_clip){.track_groups = &s->track_group, .packs = pack, .blocks = &s->block};
}

static void make_block(sample *s) {
  s->block = (clip_block){.offset = {OFFSET, OFFSET + 16, OFFSET + 32, OFFSET + 48}};
  memset(s->block.spread, 0x80, sizeof s->block.spread);
  for (int i = MOST - s->pack.track_count; i < MOST; i++)
    for (int c = 0; c < 4; c++) {
      uint8_t *spread = s->block.spread[c / 2] + clip_block_position(c, i);
      s->block.scale[c][i] = c == 3 ? 0xB100 : 0xB080; /* -2^-29 and -2^-30 */
      spread[0] = (uint8_t)(2 * (c % 2 * 4 + i % 4)), spread[1] = (uint8_t)(spread[0] + 1);
    }
}

/* The tracks are those of the last lanes. */
static void make_sample(sample *s, int tracks, clip_form form, bool step) {
  s->pack = (clip_pack){.at = clip_form_is_narrow(form) ? 0 : OFFSET,
                        .track_count = (uint8_t)tracks,
                        .kind = TRACK_ROTATION,
                        .form = (uint8_t)form,
                        .step = step,
                        .lanes = (uint8_t)(0xFF << (MOST - tracks))};
  make_block(s);
  for (int t = 0; t < tracks; t++)
    for (int r = 0; r < FRAMES; r++) {
      float angle = 0.1f * (float)t + 0.2f * (float)r - 1.1f; /* half of the turn; cos 0.2 is 0.98 */
      memcpy(s->rotations[r][t], (float[]){sinf(angle), 0, 0, cosf(angle)}, 4 * sizeof(float));
    }
  pack_frames(s);
}

static void expect(sample *s, bool good) {
  simd_backend before = simd_current();
  pack_frames(s);
  for (int b = 0; b < SIMD_BACKEND_COUNT; b++) {
    if (!simd_use((simd_backend)b)) continue;
    if (rotations_check_current()(&s->clip, &s->pack) != good)
      fail_msg("%s: %d tracks, form %d, hold %d should be %s", simd_name((simd_backend)b), s->pack.track_count,
               s->pack.form, s->pack.step, good ? "taken" : "refused");
  }
  simd_use(before);
}

/* Sets one rotation, asks, and sets it back. */
static void expect_with(sample *s, int frame, int track, const float q[4], bool good) {
  float was[4];
  memcpy(was, s->rotations[frame][track], sizeof was);
  memcpy(s->rotations[frame][track], q, sizeof was);
  expect(s, good);
  memcpy(s->rotations[frame][track], was, sizeof was);
}

static void check_sample(int tracks, clip_form form, bool step) {
  const bool wide = form == CLIP_WIDE;
  sample s;
  int last = tracks - 1;
  make_sample(&s, tracks, form, step);
  expect(&s, true);
  for (int r = 0; r < FRAMES; r++) {
    const float *q = s.rotations[r][last];
    float shorter[4], longer[4], turned[4] = {0, 0.8f, 0, 0.6f}, flipped[4];
    for (int c = 0; c < 4; c++) shorter[c] = 0.99f * q[c], longer[c] = 1.01f * q[c], flipped[c] = -q[c];
    expect_with(&s, r, last, shorter, false);
    if (!clip_form_is_full((int)form)) expect_with(&s, r, last, longer, false); /* 16 bits may be too few for it */
    expect_with(&s, r, last, turned, step);
    expect_with(&s, r, last, flipped, step);
    if (wide) expect_with(&s, r, 0, (float[]){NAN, 0, 0, 1}, false);
    if (wide) expect_with(&s, r, 0, (float[]){0, INFINITY, 0, 1}, false);
  }
}

static void frames_are_unit_rotations_near_the_frame_before(void **state) {
  (void)state;
  for (int tracks = 1; tracks <= MOST; tracks++)
    for (int form = CLIP_NARROW; form < CLIP_FORMS; form++)
      if (!clip_form_is_full(form) || tracks == MOST) check_sample(tracks, (clip_form)form, false);
  for (int tracks = 1; tracks <= MOST; tracks++) check_sample(tracks, CLIP_WIDE, true);
}

static void a_single_frame_has_none_before(void **state) {
  (void)state;
  sample s;
  make_sample(&s, 3, CLIP_NARROW, false);
  pack_frames(&s);
  s.track_group.frame_count = 1;
  assert_true(rotations_check_current()(&s.clip, &s.pack));
}

/* They are read as eight. */
static void free_lanes_of_a_full_pack_are_identities(void **state) {
  (void)state;
  sample s;
  make_sample(&s, 5, CLIP_FULL_ARC, false);
  expect(&s, false); /* they are 0xFF */
  for (int r = 0; r < FRAMES; r++)
    for (int lane = 0; lane < MOST - 5; lane++)
      for (int c = 0; c < 4; c++) {
        int16_t integer = c == 3 ? CLIP_ONE : 0;
        memcpy(s.frames + r * STRIDE + OFFSET + 2 * clip_full_cell(c, lane), &integer, sizeof integer);
      }
  assert_true(rotations_check_current()(&s.clip, &s.pack));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frames_are_unit_rotations_near_the_frame_before),
      cmocka_unit_test(a_single_frame_has_none_before),
      cmocka_unit_test(free_lanes_of_a_full_pack_are_identities),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
