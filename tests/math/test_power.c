/* Powers against the C library's in double precision. */
#include "support/fixture.h"

#include "math/power.h"

static void powers_are_the_librarys(void **state) {
  (void)state;
  random_seed(11);
  for (int i = 0; i < 100000; i++) {
    float base = expf(random_range(-6, 6)), exponent = random_range(-2, 2);
    double expected = pow((double)base, (double)exponent);
    /* Half of the last place, and what lies beyond it by 1e-13. */
    double place = (double)nextafterf((float)expected, INFINITY) - (double)(float)expected;
    assert_true(fabs((double)power_of(base, exponent) - expected) <= place * 0.5001);
  }
}

static void ends_hold(void **state) {
  (void)state;
  assert_true(power_of(1e20f, 1) == 1e6f && power_of(1e20f, -1) == 1e-6f);
  assert_true(power_of(1e-40f, 2) == 1e-6f && power_of(1e-40f, -2) == 1e6f);
  assert_true(power_of(3, 0) == 1 && power_of(1, 1e30f) == 1);
  assert_true(power_of(4, 0.5f) == 2 && power_of(2, -1) == 0.5f && power_of(0.3f, 1) == 0.3f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(powers_are_the_librarys), cmocka_unit_test(ends_hold)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
