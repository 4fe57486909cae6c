#include "support/fixture.h"

#include "host/frame.h"

static void test_the_sum_is_the_real_time(void **state) {
  (void)state;
  pacing p = {0};
  double now = 100, sum = 0;
  random_seed(7);
  sum += pacing_step(&p, now);
  for (int i = 0; i < 1000; i++) {
    now += (double)random_range(0.005f, 0.03f);
    sum += pacing_step(&p, now);
  }
  assert_near(sum, now - 100 + 1.0 / 60, 0.15);
}

static void test_one_late_frame_is_spread(void **state) {
  (void)state;
  pacing p = {0};
  double now = 0;
  for (int i = 0; i < 20; i++) pacing_step(&p, now += 0.010);
  assert_near(pacing_step(&p, now += 0.030), 0.015, 1e-9);
}

static void test_a_long_stop_is_a_tenth_of_a_second(void **state) {
  (void)state;
  pacing p = {0};
  double now = 0, sum = 0;
  for (int i = 0; i < 20; i++) pacing_step(&p, now += 0.010);
  now += 3600;
  for (int i = 0; i < PACING_HISTORY; i++) {
    double step = pacing_step(&p, now);
    assert_true(step <= 0.1);
    sum += step;
    now += 0.010;
  }
  assert_near(sum, 0.1 + (PACING_HISTORY - 1) * 0.01, 1e-9);
}

static void test_a_clock_that_goes_back_gives_no_negative_step(void **state) {
  (void)state;
  pacing p = {0};
  pacing_step(&p, 10);
  for (int i = 0; i < 10; i++) assert_true(pacing_step(&p, 9 - i) >= 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_the_sum_is_the_real_time),
      cmocka_unit_test(test_one_late_frame_is_spread),
      cmocka_unit_test(test_a_long_stop_is_a_tenth_of_a_second),
      cmocka_unit_test(test_a_clock_that_goes_back_gives_no_negative_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
