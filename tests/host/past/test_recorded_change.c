/* A change as a line, and back. */
#include "host_fixture.h"

#include "host/past/recorded_change.h"

#include <float.h>

static void a_line_brings_it_back(void **state) {
  (void)state;
  recorded_change s = {.when = SET_TOLD,
                       .kind = "sample",
                       .field = "a \"name\" \\ with\nan end\r",
                       .actor = "Händel",
                       .detail = "x",
                       .actors_before = 2,
                       .details_before = 7,
                       .values = {0.1, -DBL_MAX, 1e-300},
                       .count = 3},
                  back;
  char line[RECORDED_LINE];
  memset(&back, 0, sizeof back);
  assert_true(recorded_change_print(&s, line));
  assert_null(strpbrk(line, "\r\n"));
  assert_true(recorded_change_read(line, &back));
  assert_memory_equal(&back, &s, sizeof s);
}

static void other_lines_are_none(void **state) {
  (void)state;
  static const char *const wrong[] = {"set 0 param \"a\" \"b\" \"\" 0 0 1",
                                      "set 0 param \"a\" \"b\" \"\" \"c 0 0 1",
                                      "set -3 param \"\" \"\" \"\" \"\" 0 0",
                                      "set 0 PARAM \"\" \"\" \"\" \"\" 0 0",
                                      "set 0 param \"\" \"\" \"\" \"\" 0",
                                      "set 0 param \"\" \"\" \"\" \"\" 0 0 nan",
                                      "set 0 param \"\" \"\" \"\" \"\" 0 0 1 x",
                                      "set 0 param \"\" \"\" \"\" \"\" 0 0 1 2 3 4 5 6 7 8 9",
                                      "set 0 param \"\\",
                                      "set param \"\" \"\" \"\" \"\" 0 0",
                                      "set 0 param \"\" \"\" \"\" \"\" 0 0 1e999",
                                      "set"};
  recorded_change s;
  assert_true(recorded_change_read("set 0 param \"\" \"\" \"\" \"\" 0 0 1", &s));
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    if (recorded_change_read(wrong[i], &s)) fail_msg("read: %s", wrong[i]);
}

static void whole_numbers_fit(void **state) {
  (void)state;
  assert_int_equal(recorded_change_whole(-3), -3);
  assert_int_equal(recorded_change_whole(1e300), 1000000000);
  assert_int_equal(recorded_change_whole(-DBL_MAX), -1000000000);
}

/* Names that do not fit are refused, and never cut. */
static void long_names_are_refused(void **state) {
  (void)state;
  recorded_change s = {.kind = "param"};
  char line[RECORDED_LINE];
  memset(s.field, '"', sizeof s.field - 1);
  memset(s.actor, 'a', sizeof s.actor - 1);
  assert_true(recorded_change_print(&s, line));
  memset(s.actor, '"', sizeof s.actor - 1);
  memset(s.part, 'a', 200);
  assert_false(recorded_change_print(&s, line));
  char *longer = malloc(3000);
  memset(longer, 'x', 2999), longer[2999] = 0, memcpy(longer, "set 0 param \"", 13);
  assert_false(recorded_change_read(longer, &s));
  free(longer);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_line_brings_it_back), cmocka_unit_test(other_lines_are_none),
                                     cmocka_unit_test(long_names_are_refused), cmocka_unit_test(whole_numbers_fit)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
