/* The remembered sizes of a track group's segments equal those of a new search. */
#include "support/fixture.h"

#include "model/clip/clip_fit.h"

#include <math.h>

enum { FRAMES = 300, WIDTH = 10, TRACKS = 3 };

static float frames[FRAMES * WIDTH], times[FRAMES];
static clip_track tracks[TRACKS] = {{.kind = TRACK_ROTATION, .form = CLIP_NARROW},
                                    {.kind = TRACK_TRANSLATION, .offset = 4, .form = CLIP_NARROW},
                                    {.kind = TRACK_SCALE, .offset = 7, .form = CLIP_NARROW}};

/* A joint that goes, turns and grows, each at its own pace. */
static track_group_desc make_group(float slack) {
  for (int i = 0; i < FRAMES; i++) {
    float *at = frames + (size_t)i * WIDTH, angle = 0.6f * sinf(0.05f * (float)i);
    times[i] = (float)i / 30;
    at[0] = sinf(angle), at[1] = 0, at[2] = 0, at[3] = cosf(angle);
    for (int k = 0; k < 3; k++)
      at[4 + k] = sinf(0.011f * (float)(i * (k + 1))), at[7 + k] = 1 + 0.2f * cosf(0.3f * (float)i);
  }
  for (int i = 0; i < TRACKS; i++) tracks[i].slack = slack;
  return (track_group_desc){.times = times,
                            .frame_count = FRAMES,
                            .frames = frames,
                            .frame_size = WIDTH,
                            .tracks = tracks,
                            .track_count = TRACKS};
}

static void known_sizes_are_those_that_are_found(void **state) {
  static const float slacks[] = {1e-3f, 1e-4f, 1e-5f};
  double sizes[TRACKS * CLIP_LENGTHS], known, found;
  (void)state;
  for (int s = 0; s < 3; s++) { /* what was known with another slack is forgotten */
    track_group_desc desc = make_group(slacks[s]);
    assert_int_equal(clip_fit_segment(&desc, 3, sizes, &known), clip_fit_segment(&desc, 3, NULL, &found));
    assert_true(known == found && found > 0);
    for (int i = 0; i < TRACKS; i++)
      for (int length = 0; length < CLIP_LENGTHS; length++)
        assert_true(clip_fit_size(&desc, sizes, i, length) == clip_fit_size(&desc, NULL, i, length));
  }
}

/* None that it passes over on its way from the longest takes less. */
static void the_chosen_length_takes_the_least_room(void **state) {
  (void)state;
  track_group_desc desc = make_group(1e-4f);
  double least;
  int shift = clip_fit_segment(&desc, 3, NULL, &least) - 1;
  for (int length = 0; length < CLIP_LENGTHS && clip_lengths[length] >= shift; length++) {
    double size = clip_segments_size(&desc, 3, length);
    for (int i = 0; i < TRACKS; i++) size += clip_fit_size(&desc, NULL, i, length);
    if (clip_lengths[length] == shift) assert_true(size == least);
    else if (clip_lengths[length] != 7) assert_true(size > least);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(known_sizes_are_those_that_are_found),
                                     cmocka_unit_test(the_chosen_length_takes_the_least_room)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
