/* Clocks: exact at any dt, forwards and backwards, and no dt does harm. */
#include "support/fixture.h"

#include "actor/play/playback.h"

static playback start(sinew_loop_mode loop, double speed) {
  return (playback){.duration = 0.8, .speed = speed, .loop = loop, .loop_count = 3};
}

static void the_same_time_whatever_the_steps(void **state) {
  (void)state;
  sinew_loop_mode modes[] = {SINEW_LOOP_ONCE, SINEW_LOOP_FOREVER, SINEW_LOOP_PING_PONG, SINEW_LOOP_COUNT};
  for (int m = 0; m < 4; m++)
    for (int direction = -1; direction <= 1; direction += 2) {
      playback whole = start(modes[m], 1.3 * direction), steps = whole;
      playback_seek(&whole, direction < 0 ? 0.8 : 0);
      playback_seek(&steps, direction < 0 ? 0.8 : 0);
      for (int i = 0; i < 1000; i++) playback_advance(&steps, 1.7 / 1000);
      playback_advance(&whole, 1.7);
      assert_near(playback_time(&whole), playback_time(&steps), 1e-9);
      assert_int_equal(whole.finished, steps.finished);
    }
}

static void a_loop_counts_its_passes_both_ways(void **state) {
  (void)state;
  playback p = start(SINEW_LOOP_FOREVER, 1);
  playback_advance(&p, 0.8 * 5 + 0.3);
  assert_int_equal(p.loops, 5);
  assert_near(playback_time(&p), 0.3, 1e-12);
  p.speed = -1;
  playback_advance(&p, 0.8 * 7 + 0.1);
  assert_int_equal(p.loops, -2);
  assert_near(playback_time(&p), 0.2, 1e-12);
}

static void ping_pong_comes_back(void **state) {
  (void)state;
  playback p = start(SINEW_LOOP_PING_PONG, 1);
  playback_advance(&p, 1.0);
  assert_near(playback_time(&p), 0.6, 1e-12);
  playback_advance(&p, 0.7);
  assert_near(playback_time(&p), 0.1, 1e-12);
  assert_int_equal(p.loops, 1);
}

static void counted_loops_hold_at_their_end(void **state) {
  (void)state;
  playback p = start(SINEW_LOOP_COUNT, 1);
  playback_advance(&p, 2.3);
  assert_false(p.finished);
  playback_advance(&p, 0.2);
  assert_true(p.finished);
  assert_near(playback_time(&p), 0.8, 0);
  playback_advance(&p, 5);
  assert_int_equal(p.loops, 3);
  playback backwards = start(SINEW_LOOP_COUNT, -1);
  playback_seek(&backwards, 0.8);
  playback_advance(&backwards, 2.3);
  assert_false(backwards.finished);
  playback_advance(&backwards, 0.2);
  assert_true(backwards.finished);
  assert_near(playback_time(&backwards), 0, 0);
}

static void no_step_does_harm(void **state) {
  (void)state;
  double steps[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300, 0, -0.0, 5e-324};
  sinew_loop_mode modes[] = {SINEW_LOOP_ONCE, SINEW_LOOP_FOREVER, SINEW_LOOP_PING_PONG, SINEW_LOOP_COUNT};
  for (int m = 0; m < 4; m++)
    for (int i = 0; i < 8; i++) {
      playback p = start(modes[m], 1);
      playback_advance(&p, steps[i]);
      playback_advance(&p, 0.1);
      assert_true(playback_time(&p) >= 0 && playback_time(&p) <= 0.8);
    }
}

static void a_clip_of_no_length_ends_at_once(void **state) {
  (void)state;
  playback p = {.speed = 1, .loop = SINEW_LOOP_ONCE};
  playback_advance(&p, 0.1);
  assert_true(p.finished);
  playback forever = {.speed = 1, .loop = SINEW_LOOP_FOREVER};
  playback_advance(&forever, 0.1);
  assert_near(playback_time(&forever), 0, 0);
}

static void a_seek_back_from_the_end_plays_again(void **state) {
  (void)state;
  for (int count = 1; count <= 3; count++)
    for (int back = 0; back < 2; back++) {
      playback p = start(count == 1 ? SINEW_LOOP_ONCE : SINEW_LOOP_COUNT, back ? -1 : 1);
      p.loop_count = count;
      playback_advance(&p, 10);
      assert_true(p.finished);
      playback_seek(&p, 0.4);
      playback_advance(&p, 0.3);
      assert_false(p.finished);
      assert_near(playback_time(&p), back ? 0.1 : 0.7, 1e-12);
      playback_advance(&p, 0.3);
      assert_true(p.finished);
    }
}

/* Sums and differences of loops fit an integer however fast it runs, and afterwards it plays on. */
static void a_huge_speed_stops_counting(void **state) {
  (void)state;
  for (int direction = -1; direction <= 1; direction += 2) {
    playback p = start(SINEW_LOOP_FOREVER, direction * 1e300);
    for (int i = 0; i < 9; i++) playback_advance(&p, i);
    assert_true(p.loops == direction * (INT64_C(1) << 60));
    p.speed = -p.speed;
    for (int i = 0; i < 9; i++) playback_advance(&p, i);
    assert_true(p.loops == -direction * (INT64_C(1) << 60));
    assert_true(playback_last_span(&p).loops == 0);
    p.duration = 1e-300; /* quotients that are infinite */
    for (int i = 0; i < 9; i++) playback_advance(&p, 1e300);
    p.duration = 0.8;
    p.speed = 1;
    playback_seek(&p, 0);
    playback_advance(&p, 0.3);
    assert_near(playback_time(&p), 0.3, 1e-12);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_same_time_whatever_the_steps),
      cmocka_unit_test(a_loop_counts_its_passes_both_ways),
      cmocka_unit_test(ping_pong_comes_back),
      cmocka_unit_test(counted_loops_hold_at_their_end),
      cmocka_unit_test(no_step_does_harm),
      cmocka_unit_test(a_huge_speed_stops_counting),
      cmocka_unit_test(a_clip_of_no_length_ends_at_once),
      cmocka_unit_test(a_seek_back_from_the_end_plays_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
