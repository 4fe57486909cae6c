#include "support/fixture.h"

#include "base/memory/memory.h"
#include "host/drawing/lines.h"

static void test_lines_are_kept_in_order(void **state) {
  (void)state;
  line_list list = {0};
  for (int i = 0; i < 100; i++) line_list_add(&list, &(sinew_line){.a = {(float)i, 0, 0}, .color = {1, 2, 3, 4}});
  assert_int_equal(list.count, 100);
  assert_true(list.lines[99].a.x == 99 && list.lines[99].color[3] == 4);
  line_list_release(&list);
}

static void test_a_line_to_nowhere_is_left_out(void **state) {
  (void)state;
  line_list list = {0};
  line_list_add(&list, &(sinew_line){.a = {NAN, 0, 0}});
  line_list_add(&list, &(sinew_line){.b = {0, INFINITY, 0}});
  assert_int_equal(list.count, 0);
  line_list_release(&list);
}

/* Bones of many long chains with their axes are more than a picture may have, which would end the run. */
static void test_more_than_a_picture_has_are_left_out(void **state) {
  (void)state;
  line_list list = {0};
  for (int i = 0; i < SINEW_MAX_LINES + 10; i++) line_list_add(&list, &(sinew_line){0});
  assert_int_equal(list.count, SINEW_MAX_LINES);
  line_list_release(&list);
}

static void test_the_room_stays(void **state) {
  (void)state;
  line_list list = {0};
  for (int frame = 0; frame < 3; frame++) {
    uint64_t before = mem_request_count();
    line_list_clear(&list);
    for (int i = 0; i < 1000; i++) line_list_add(&list, &(sinew_line){0});
    if (frame > 0) assert_int_equal(mem_request_count() - before, 0);
  }
  line_list_release(&list);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lines_are_kept_in_order),
      cmocka_unit_test(test_a_line_to_nowhere_is_left_out),
      cmocka_unit_test(test_more_than_a_picture_has_are_left_out),
      cmocka_unit_test(test_the_room_stays),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
