#include "support/fixture.h"

#include "host/panels/messages.h"

static void test_lines_fade_and_go(void **state) {
  (void)state;
  messages m = {0};
  messages_add_line(&m, SINEW_LOG_INFO, "one");
  assert_true(messages_line_alpha(&m, &m.lines[0]) == 1);
  messages_update(&m, 5.7);
  float alpha = messages_line_alpha(&m, &m.lines[0]);
  assert_true(alpha > 0 && alpha < 1);
  messages_update(&m, 1);
  assert_int_equal(m.line_count, 0);
  messages_release(&m);
}

static void test_errors_stay_longer(void **state) {
  (void)state;
  messages m = {0};
  messages_add_line(&m, SINEW_LOG_ERROR, "bad");
  messages_add_line(&m, SINEW_LOG_INFO, "good");
  messages_update(&m, 8);
  assert_true(messages_line_alpha(&m, &m.lines[0]) == 1);
  assert_true(messages_line_alpha(&m, &m.lines[1]) == 0);
  messages_release(&m);
}

static void test_the_oldest_goes_first(void **state) {
  (void)state;
  messages m = {0};
  for (int i = 0; i < 50; i++) {
    char text[32];
    snprintf(text, sizeof text, "line %d", i);
    messages_add_line(&m, SINEW_LOG_INFO, text);
  }
  assert_int_equal(m.line_count, LOG_LINE_LIMIT);
  assert_string_equal(m.lines[LOG_LINE_LIMIT - 1].text, "line 49");
  assert_string_equal(m.lines[0].text, "line 40");
  messages_release(&m);
}

static void test_repeats_are_counted(void **state) {
  (void)state;
  messages m = {0};
  for (int i = 0; i < 1000; i++) messages_add_line(&m, SINEW_LOG_INFO, "again");
  assert_int_equal(m.line_count, 1);
  assert_int_equal(m.lines[0].repeats, 999);
  messages_add_line(&m, SINEW_LOG_ERROR, "again");
  assert_int_equal(m.line_count, 2);
  messages_release(&m);
}

static void test_problems_by_slot(void **state) {
  (void)state;
  messages m = {0};
  messages_set_problem(&m, 0, "a", "first");
  messages_set_problem(&m, 7, "b", "last");
  messages_set_problem(&m, 0, "a", "first again");
  messages_set_problem(&m, 8, "c", "outside");
  messages_set_problem(&m, -1, "c", "outside");
  assert_string_equal(m.problems[0].text, "first again");
  assert_string_equal(m.problems[7].title, "b");
  messages_set_problem(&m, 0, NULL, NULL);
  assert_null(m.problems[0].text);
  messages_set_problem(&m, 1, NULL, "without a title");
  assert_string_equal(m.problems[1].title, "");
  messages_update(&m, 1e6);
  assert_non_null(m.problems[7].text); /* problems do not fade */
  messages_release(&m);
}

static void test_nonsense_does_no_harm(void **state) {
  (void)state;
  messages m = {0};
  messages_add_line(&m, SINEW_LOG_INFO, NULL);
  messages_add_line(&m, (sinew_log_level)99, "odd level");
  assert_int_equal(m.lines[0].level, SINEW_LOG_INFO);
  messages_add_toast(&m, NULL);
  messages_update(&m, NAN);
  messages_update(&m, -5);
  messages_update(&m, INFINITY);
  assert_true(m.now == 0);
  messages_set_help(&m, "keys");
  assert_true(messages_help_alpha(&m) == 1);
  messages_set_help(&m, NULL);
  assert_true(messages_help_alpha(&m) == 0);
  messages_release(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lines_fade_and_go),     cmocka_unit_test(test_errors_stay_longer),
      cmocka_unit_test(test_the_oldest_goes_first), cmocka_unit_test(test_repeats_are_counted),
      cmocka_unit_test(test_problems_by_slot),      cmocka_unit_test(test_nonsense_does_no_harm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
