/* A change as a line, and back. */
#include "host_fixture.h"

#include "host/past/recorded_change.h"

#include <sinew/host.h>

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

/* Each older kind is an edit of a field of an object; "action" was three. */
static void older_kinds_are_edits(void **state) {
  (void)state;
  static const struct {
    const char *line, *fields[3];
    double values[3][8];
  } olds[] = {
      {"set 0 control \"loop\" \"a\" \"b\" \"c\" 1 2 1 7 8 9", {"loop"}, {{SINEW_EDIT_ACTION, 7, 8, 9}}},
      {"set 0 param \"speed.x\" \"a\" \"\" \"\" 0 0 3", {"params.speed.x"}, {{SINEW_EDIT_ACTOR, 3}}},
      {"set 0 selection \"Hips/Leg\" \"a\" \"\" \"\" 0 0 3", {"joint.Hips/Leg"}, {{SINEW_EDIT_ACTOR, 3}}},
      {"set 0 mask \"Leg\" \"a\" \"b\" \"\" 0 0 0.5 1", {"mask.Leg"}, {{SINEW_EDIT_LAYER, 0.5, 1}}},
      {"set 0 bearing \"\" \"a\" \"\" \"b\" 0 0 0.5", {"weight"}, {{SINEW_EDIT_MODIFIER, 0.5}}},
      {"set 0 offset \"\" \"a\" \"\" \"\" 0 0 1 2 3 4 5 6 7",
       {"offset"},
       {{SINEW_EDIT_ATTACHMENT, 1, 2, 3, 4, 5, 6, 7}}},
      {"set 0 action \"\" \"a\" \"b\" \"c\" 0 0 0.5 2 1",
       {"weight", "speed", "paused"},
       {{SINEW_EDIT_ACTION, 0.5}, {SINEW_EDIT_ACTION, 2}, {SINEW_EDIT_ACTION, 1}}},
      {"set 0 unpin \"\" \"\" \"\" \"\" 0 0", {"pins"}, {{SINEW_EDIT_VIEW}}},
      {"set 0 edit \"time\" \"a\" \"b\" \"c\" 0 0 1 4", {"time"}, {{SINEW_EDIT_ACTION, 4}}},
      {"set 0 line \"x = 1\" \"\" \"\" \"\" 0 0", {NULL}, {{0}}},
      {"set 0 edit \"time\" \"a\" \"b\" \"c\" 0 0", {NULL}, {{0}}},
  };
  recorded_change old, edit;
  for (size_t i = 0; i < sizeof olds / sizeof *olds; i++) {
    int count = 0;
    assert_true(recorded_change_read(olds[i].line, &old));
    for (; count < 3 && olds[i].fields[count]; count++) {
      assert_true(recorded_change_edit(&old, count, &edit));
      assert_string_equal(edit.kind, "edit");
      assert_string_equal(edit.field, olds[i].fields[count]);
      assert_string_equal(edit.actor, old.actor);
      assert_string_equal(edit.detail, old.detail);
      assert_int_equal(edit.actors_before, old.actors_before);
      for (int k = 0; k < edit.count; k++) assert_true(edit.values[k] == olds[i].values[count][k]);
    }
    assert_false(recorded_change_edit(&old, count, &edit));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_line_brings_it_back), cmocka_unit_test(other_lines_are_none),
                                     cmocka_unit_test(long_names_are_refused), cmocka_unit_test(older_kinds_are_edits),
                                     cmocka_unit_test(whole_numbers_fit)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
