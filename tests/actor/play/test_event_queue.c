/* Events: each crossing is heard once. Times are whole numbers of 1/64 s, which floating point adds exactly; so a
 * second opinion can count crossings in integers. */
#include "support/fixture.h"

#include "actor/play/event_queue.h"

enum { TICKS = 64, DURATION = 96 };

static event_queue queue;
static sinew_marker items[8];
static clip_markers markers = {items, 0, NULL, 0};

static int start(void **state) {
  (void)state;
  queue.count = queue.lost = markers.count = 0;
  return queue.items || event_queue_init(&queue) ? 0 : -1;
}

static void mark(const char *name, int tick) {
  items[markers.count++] = (sinew_marker){.time = (double)tick / TICKS, .name = name, .tag = tick};
}

static playback player(sinew_loop_mode loop, int count, double speed) {
  playback p = playback_start((double)DURATION / TICKS, (double)NAN, (double)NAN);
  p.loop = loop, p.loop_count = count, p.speed = speed;
  if (speed < 0) p.position = p.duration;
  return p;
}

static void step(playback *p, int ticks, float weight) {
  int first = queue.count;
  playback_advance(p, (double)ticks / TICKS);
  events_gather(&queue, p, &markers, &(sinew_event){.weight = weight}, false);
  events_sort(&queue, first);
}

static int count_of(const char *name) {
  int count = 0;
  for (int i = 0; i < queue.count; i++) count += strcmp(queue.items[i].name, name) == 0;
  return count;
}

/* Whole numbers k for which k × period + at lies in low < … <= high. */
static int64_t crossings(int64_t low, int64_t high, int64_t at, int64_t period) {
  int64_t count = 0;
  for (int64_t k = (low - at) / period - 2; k * period + at <= high; k++) count += k * period + at > low;
  return count;
}

static void each_crossing_is_heard_once_at_any_dt(void **state) {
  (void)state;
  for (int round = 0; round < 300; round++) {
    start(NULL);
    int at = (int)(random_bits() % (DURATION + 1));
    mark("step", at);
    playback p = player(SINEW_LOOP_FOREVER, 0, 1);
    p.fresh = false; /* the beginning has a test of its own */
    int64_t travelled = 0;
    for (int i = 0; i < 40; i++) {
      int ticks = (int)(random_bits() % (i % 7 ? 20 : 400));
      step(&p, ticks, 1);
      travelled += ticks;
      assert_int_equal(count_of("step"), crossings(0, travelled, at, DURATION));
      assert_int_equal(count_of("loop"), travelled / DURATION);
    }
  }
}

static void backwards_each_crossing_is_heard_once(void **state) {
  (void)state;
  for (int round = 0; round < 300; round++) {
    start(NULL);
    int at = (int)(random_bits() % (DURATION + 1));
    mark("step", at);
    playback p = player(SINEW_LOOP_FOREVER, 0, -1);
    p.fresh = false;
    int64_t travelled = 0;
    for (int i = 0; i < 40; i++) {
      int ticks = (int)(random_bits() % (i % 7 ? 20 : 400));
      step(&p, ticks, 1);
      travelled += ticks;
      /* Mirrored: from DURATION down is from 0 up, with the marker at its distance from the end. */
      assert_int_equal(count_of("step"), crossings(0, travelled, DURATION - at, DURATION));
    }
  }
}

static void turning_round_hears_a_marker_each_way(void **state) {
  (void)state;
  mark("step", 30);
  playback p = player(SINEW_LOOP_FOREVER, 0, 1);
  step(&p, 40, 1);
  assert_int_equal(count_of("step"), 1);
  p.speed = -1;
  step(&p, 20, 1);
  assert_int_equal(count_of("step"), 2);
  p.speed = 1;
  step(&p, 20, 1);
  assert_int_equal(count_of("step"), 3);
}

static void a_marker_at_0_is_heard_at_the_start_and_on_every_loop(void **state) {
  (void)state;
  mark("begin", 0);
  playback p = player(SINEW_LOOP_FOREVER, 0, 1);
  step(&p, 1, 1);
  assert_int_equal(count_of("begin"), 1);
  for (int i = 0; i < DURATION; i++) step(&p, 3, 1);
  assert_int_equal(count_of("begin"), 1 + 3);
}

static void a_marker_at_the_end_of_a_one_shot_is_heard_once(void **state) {
  (void)state;
  mark("begin", 0);
  mark("end", DURATION);
  playback p = player(SINEW_LOOP_ONCE, 1, 1);
  for (int i = 0; i < 10; i++) step(&p, 40, 1);
  assert_int_equal(count_of("end"), 1);
  assert_int_equal(count_of("begin"), 1);
  assert_int_equal(count_of("finish"), 1);
  assert_int_equal(count_of("loop"), 0);
}

static void a_one_shot_backwards_hears_its_beginning_last(void **state) {
  (void)state;
  mark("begin", 0);
  mark("end", DURATION);
  playback p = player(SINEW_LOOP_ONCE, 1, -1);
  step(&p, 3 * DURATION, 1);
  assert_int_equal(queue.count, 3);
  assert_string_equal(queue.items[0].name, "end");
  assert_string_equal(queue.items[1].name, "begin");
  assert_string_equal(queue.items[2].name, "finish");
}

static void three_passes_hear_three_steps(void **state) {
  (void)state;
  for (int direction = -1; direction <= 1; direction += 2)
    for (int ticks = 1; ticks <= 1000; ticks = ticks * 3 + 1) {
      start(NULL);
      mark("step", 50);
      playback p = player(SINEW_LOOP_COUNT, 3, direction);
      for (int i = 0; i < 2000; i++) step(&p, ticks, 1);
      assert_int_equal(count_of("step"), 3);
      assert_int_equal(count_of("loop"), 2);
      assert_int_equal(count_of("finish"), 1);
    }
}

static void ping_pong_hears_a_marker_there_and_back(void **state) {
  (void)state;
  mark("begin", 0);
  mark("step", 30);
  mark("end", DURATION);
  playback p = player(SINEW_LOOP_PING_PONG, 0, 1);
  for (int i = 0; i < 4 * DURATION; i++) step(&p, 1, 1);
  assert_int_equal(count_of("step"), 4);
  assert_int_equal(count_of("end"), 2);
  assert_int_equal(count_of("begin"), 3);
}

/* Markers at the end, the loop, markers at the beginning; backwards the other way round. */
static void at_a_seam_the_end_comes_first(void **state) {
  (void)state;
  mark("begin", 0), mark("end", DURATION);
  playback p = player(SINEW_LOOP_FOREVER, 0, 1);
  step(&p, DURATION / 2, 1);
  queue.count = 0;
  step(&p, DURATION, 1);
  assert_int_equal(queue.count, 3);
  assert_string_equal(queue.items[0].name, "end");
  assert_string_equal(queue.items[1].name, "loop");
  assert_string_equal(queue.items[2].name, "begin");
}

static void silent_and_outlying_markers_are_not_heard(void **state) {
  (void)state;
  mark("quiet", 10);
  items[0].silent = true;
  mark("before", 5);
  playback p = playback_start((double)DURATION / TICKS, 8.0 / TICKS, 20.0 / TICKS);
  step(&p, 200, 1);
  assert_int_equal(count_of("quiet") + count_of("before"), 0);
  assert_true(count_of("loop") > 0);
}

static void events_come_in_the_order_of_time(void **state) {
  (void)state;
  mark("c", 90), mark("a", 10), mark("b", 50);
  playback p = player(SINEW_LOOP_FOREVER, 0, 1);
  step(&p, 2 * DURATION, 1);
  char order[16] = "";
  for (int i = 0; i < queue.count; i++) strncat(order, queue.items[i].name, 1);
  assert_string_equal(order, "abclabcl");
}

/* The place of an event is how many come before it: earlier ones, and of one moment those that were there before. The
 * second half is one long run backwards, which a sort in quadratic time does not finish. */
static void any_number_of_events_is_sorted(void **state) {
  enum { MIXED = 2000, MANY = 60000, KEPT = 3 };
  static struct {
    double seconds;
    int rank;
  } before[MIXED];
  (void)state;
  while (queue.count < KEPT + MANY) {
    playback p = player(SINEW_LOOP_FOREVER, 0, 1);
    playback_advance(&p, 2000);
    events_gather(&queue, &p, &markers, &(sinew_event){.weight = 1}, false);
  }
  queue.count = KEPT + MIXED;
  for (int i = 0; i < MIXED; i++) {
    before[i].seconds = (double)(random_bits() % 50), before[i].rank = (int)(random_bits() % 4);
    queue.moments[KEPT + i] = (event_moment){.seconds = before[i].seconds, .rank = before[i].rank};
    queue.items[KEPT + i].tag = i;
  }
  for (int i = 0; i < KEPT; i++) queue.moments[i].seconds = 1000, queue.items[i].tag = -1;
  events_sort(&queue, KEPT);
  for (int i = 0; i < KEPT; i++) assert_int_equal(queue.items[i].tag, -1);
  for (int i = 0; i < MIXED; i++) {
    int position = 0;
    for (int k = 0; k < MIXED; k++) {
      bool earlier = before[k].seconds < before[i].seconds;
      bool same = before[k].seconds == before[i].seconds;
      earlier |= same && (before[k].rank < before[i].rank || (before[k].rank == before[i].rank && k < i));
      position += earlier;
    }
    assert_int_equal(queue.items[KEPT + position].tag, i);
  }
  queue.count = MANY;
  for (int i = 0; i < MANY; i++) queue.moments[i] = (event_moment){.seconds = MANY - i}, queue.items[i].tag = i;
  events_sort(&queue, 0);
  for (int i = 0; i < MANY; i++) assert_int_equal(queue.items[i].tag, MANY - 1 - i);
}

static void a_clip_that_has_run_for_days_hears_as_exactly(void **state) {
  (void)state;
  mark("step", 30);
  playback p = player(SINEW_LOOP_FOREVER, 0, 1);
  p.loops = 1000000000000;
  p.fresh = false;
  for (int i = 0; i < DURATION * 10; i++) step(&p, 1, 1);
  assert_int_equal(count_of("step"), 10);
}

static void a_leap_of_ages_counts_what_does_not_fit(void **state) {
  (void)state;
  mark("step", 30);
  playback p = player(SINEW_LOOP_FOREVER, 0, 1);
  playback_advance(&p, 1e9);
  events_gather(&queue, &p, &markers, &(sinew_event){.weight = 1}, false);
  assert_in_range(queue.count, STAGE_EVENTS, 2 * STAGE_EVENTS); /* the marker, and the loops */
  assert_true(queue.lost > 0);
}

static void many_clips_that_leap_fill_no_more_than_a_frame_may_hold(void **state) {
  (void)state;
  for (int i = 0; i < 8; i++) mark("step", 10 * i + 1);
  for (int i = 0; i < 100; i++) {
    playback p = player(SINEW_LOOP_FOREVER, 0, 1);
    playback_advance(&p, 1e9);
    events_gather(&queue, &p, &markers, &(sinew_event){.weight = 1}, false);
  }
  assert_int_equal(queue.count, MOST_EVENTS);
  playback last = player(SINEW_LOOP_ONCE, 0, 1);
  step(&last, DURATION, 1);
  assert_int_equal(count_of("finish"), 1);
  assert_int_equal(queue.count, MOST_EVENTS + 1);
}

static void a_clip_without_length_is_heard_once(void **state) {
  (void)state;
  mark("step", 0);
  playback p = playback_start(0, (double)NAN, (double)NAN);
  for (int i = 0; i < 5; i++) step(&p, 10, 1);
  assert_int_equal(count_of("step"), 1);
}

static void a_seek_is_silent_unless_it_is_asked_to_be_heard(void **state) {
  (void)state;
  for (int heard = 0; heard < 2; heard++)
    for (int back = 0; back < 2; back++) {
      start(NULL);
      mark("step", 40);
      playback p = player(SINEW_LOOP_FOREVER, 0, 1);
      step(&p, back ? 50 : 20, 1);
      queue.count = 0;
      (heard ? playback_pass_to : playback_seek)(&p, (back ? 20.0 : 50.0) / TICKS);
      step(&p, 4, 1);
      assert_int_equal(count_of("step"), heard);
      step(&p, 4, 1); /* and not twice */
      assert_int_equal(count_of("step"), heard);
    }
}

/* Also while time stands: the way of the seek alone. */
static void a_heard_seek_needs_no_time(void **state) {
  (void)state;
  start(NULL);
  mark("step", 40);
  playback p = player(SINEW_LOOP_FOREVER, 0, 1);
  step(&p, 20, 1);
  playback_pass_to(&p, 30.0 / TICKS);
  playback_pass_to(&p, 50.0 / TICKS);
  step(&p, 0, 1);
  assert_int_equal(count_of("step"), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(each_crossing_is_heard_once_at_any_dt, start),
      cmocka_unit_test_setup(backwards_each_crossing_is_heard_once, start),
      cmocka_unit_test_setup(turning_round_hears_a_marker_each_way, start),
      cmocka_unit_test_setup(a_marker_at_0_is_heard_at_the_start_and_on_every_loop, start),
      cmocka_unit_test_setup(a_marker_at_the_end_of_a_one_shot_is_heard_once, start),
      cmocka_unit_test_setup(a_one_shot_backwards_hears_its_beginning_last, start),
      cmocka_unit_test_setup(three_passes_hear_three_steps, start),
      cmocka_unit_test_setup(ping_pong_hears_a_marker_there_and_back, start),
      cmocka_unit_test_setup(at_a_seam_the_end_comes_first, start),
      cmocka_unit_test_setup(silent_and_outlying_markers_are_not_heard, start),
      cmocka_unit_test_setup(events_come_in_the_order_of_time, start),
      cmocka_unit_test_setup(any_number_of_events_is_sorted, start),
      cmocka_unit_test_setup(a_clip_that_has_run_for_days_hears_as_exactly, start),
      cmocka_unit_test_setup(a_leap_of_ages_counts_what_does_not_fit, start),
      cmocka_unit_test_setup(many_clips_that_leap_fill_no_more_than_a_frame_may_hold, start),
      cmocka_unit_test_setup(a_clip_without_length_is_heard_once, start),
      cmocka_unit_test_setup(a_seek_is_silent_unless_it_is_asked_to_be_heard, start),
      cmocka_unit_test_setup(a_heard_seek_needs_no_time, start),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  event_queue_reset(&queue);
  return failed;
}
