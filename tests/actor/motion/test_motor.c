/* Motors, against distances that follow from s² / 2a, at every rate. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <sinew/motor.h>

static const double rates[] = {7, 30, 60, 144, 1000};
enum { RATES = sizeof rates / sizeof *rates };
static const double pi = 3.14159265358979323846;

static void assert_at(double value, double wanted) {
  if (fabs(value - wanted) > 1e-9) fail_msg("%.12g is not %.12g", value, wanted);
}

/* Two seconds, in steps of a rate, and the rest in one. */
static sinew_motor run(sinew_motor m, sinew_motor_def def, double rate, double seconds) {
  double step = 1 / rate;
  int count = (int)(seconds / step);
  for (int i = 0; i < count; i++) sinew_motor_step(&def, step, &m);
  sinew_motor_step(&def, seconds - count * step, &m);
  return m;
}

static void a_stop_takes_the_square_of_the_speed_by_twice_the_braking(void **state) {
  (void)state;
  for (int i = 0; i < RATES; i++) {
    sinew_motor m = run((sinew_motor){.velocity_z = 4}, (sinew_motor_def){9, 12, 6}, rates[i], 2);
    assert_at(m.z, 4.0 * 4 / (2 * 12));
    assert_at(m.velocity_z, 0);
    assert_at(m.x, 0);
  }
}

static void a_start_lags_by_the_square_of_the_speed_by_twice_the_acceleration(void **state) {
  (void)state;
  for (int i = 0; i < RATES; i++) {
    sinew_motor m = run((sinew_motor){.wanted_x = 3}, (sinew_motor_def){9, 12, 6}, rates[i], 2);
    assert_at(m.x, 3 * 2 - 3.0 * 3 / (2 * 9));
    assert_at(m.velocity_x, 3);
  }
}

/* Down from 2 with 12, up to -3 with 9. */
static void turning_back_brakes_first(void **state) {
  (void)state;
  for (int i = 0; i < RATES; i++) {
    sinew_motor m = run((sinew_motor){.velocity_z = 2, .wanted_z = -3}, (sinew_motor_def){9, 12, 6}, rates[i], 2);
    double braked = 2.0 / 12, sped = 3.0 / 9;
    assert_at(m.z, 2.0 * 2 / (2 * 12) - 3.0 * 3 / (2 * 9) - 3 * (2 - braked - sped));
    assert_at(m.velocity_z, -3);
  }
}

/* In any direction the steps do not matter, in the middle of it neither. */
static void every_subdivision_comes_to_the_same(void **state) {
  (void)state;
  for (int k = 0; k < 40; k++) {
    double a = 0.7 * k, b = 1.3 * k;
    sinew_motor begin = {.velocity_x = 3 * sin(a),
                         .velocity_z = 3 * cos(a),
                         .wanted_x = 2 * sin(b),
                         .wanted_z = 2 * cos(b),
                         .wanted_yaw = b};
    double seconds = 0.05 + 0.02 * k;
    sinew_motor one = run(begin, (sinew_motor_def){5, 8, 3}, 1 / seconds, seconds);
    for (int i = 0; i < RATES; i++) {
      sinew_motor m = run(begin, (sinew_motor_def){5, 8, 3}, rates[i], seconds);
      assert_at(m.x, one.x);
      assert_at(m.z, one.z);
      assert_at(m.velocity_x, one.velocity_x);
      assert_at(m.velocity_z, one.velocity_z);
      assert_at(m.yaw, one.yaw);
    }
  }
}

static void it_turns_the_shorter_way_at_its_rate(void **state) {
  (void)state;
  for (int i = 0; i < RATES; i++) {
    sinew_motor m = run((sinew_motor){.yaw = 3, .wanted_yaw = -3}, (sinew_motor_def){9, 12, 0.5}, rates[i], 0.4);
    assert_at(m.yaw, 3.2);
    assert_at(sinew_motor_turn(&m), 2 * pi - 6 - 0.2);
    m = run(m, (sinew_motor_def){9, 12, 0.5}, rates[i], 2);
    assert_at(sinew_motor_turn(&m), 0);
  }
}

static void a_step_without_time_is_none(void **state) {
  const double steps[] = {0, -1, NAN};
  (void)state;
  for (int i = 0; i < 3; i++) {
    sinew_motor m = {.velocity_x = 1, .wanted_x = 2, .wanted_yaw = 1};
    sinew_motor_def def = sinew_motor_def_default();
    sinew_motor_step(&def, steps[i], &m);
    assert_at(m.x, 0);
    assert_at(m.velocity_x, 1);
    assert_at(m.yaw, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_stop_takes_the_square_of_the_speed_by_twice_the_braking),
      cmocka_unit_test(a_start_lags_by_the_square_of_the_speed_by_twice_the_acceleration),
      cmocka_unit_test(turning_back_brakes_first),
      cmocka_unit_test(every_subdivision_comes_to_the_same),
      cmocka_unit_test(it_turns_the_shorter_way_at_its_rate),
      cmocka_unit_test(a_step_without_time_is_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
