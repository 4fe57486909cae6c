#include "support/fixture.h"

#include "base/memory/memory.h"
#include "host/input/input.h"

static void test_every_key_has_one_name(void **state) {
  (void)state;
  int count = 0;
  for (; sinew_key_name(count); count++) {
    assert_int_equal(input_find_key(sinew_key_name(count)), count);
    assert_true(sinew_is_key(sinew_key_name(count)));
  }
  assert_in_range(count, 90, KEY_LIMIT);
  const char *promised[] = {"a",       "z",         "0",     "9",   "space",      "left",      "right",   "up",
                            "down",    "escape",    "enter", "tab", "backspace",  "delete",    "home",    "end",
                            "page_up", "page_down", "f1",    "f12", "left_shift", "left_ctrl", "left_alt"};
  for (size_t i = 0; i < sizeof promised / sizeof promised[0]; i++) assert_true(sinew_is_key(promised[i]));
  assert_null(sinew_key_name(-1));
  assert_false(sinew_is_key("Space"));
  assert_false(sinew_is_key(NULL));
}

static void test_a_tap_within_a_frame_is_down_for_one(void **state) {
  (void)state;
  input in = {0};
  int space = input_find_key("space");
  input_push_key(&in, space, true);
  input_push_key(&in, space, false);
  input_begin_frame(&in);
  assert_true(in.keys[space]);
  assert_int_equal(in.taken, 1);
  input_end_frame(&in);
  input_begin_frame(&in);
  assert_false(in.keys[space]);
  assert_int_equal(in.taken, 1);
  input_end_frame(&in);
  input_begin_frame(&in);
  assert_int_equal(in.taken, 0);
  input_release(&in);
}

static void test_a_double_click_takes_four_frames(void **state) {
  (void)state;
  input in = {0};
  bool seen[4];
  for (int i = 0; i < 4; i++) input_push_button(&in, 1, i % 2 == 0);
  for (int i = 0; i < 4; i++) {
    input_begin_frame(&in);
    seen[i] = in.buttons[0];
    input_end_frame(&in);
  }
  assert_true(seen[0] && !seen[1] && seen[2] && !seen[3]);
  assert_int_equal(in.count, 0);
  input_release(&in);
}

static void test_a_click_happens_where_the_mouse_is(void **state) {
  (void)state;
  input in = {0};
  input_push_move(&in, 10, 20);
  input_push_button(&in, 1, true);
  input_push_move(&in, 50, 60);
  input_begin_frame(&in);
  assert_true(in.mouse_x == 10 && in.mouse_y == 20);
  assert_true(in.buttons[0]);
  input_end_frame(&in);
  input_begin_frame(&in);
  assert_true(in.mouse_x == 50 && in.moved_x == 40 && in.moved_y == 40);
  input_end_frame(&in);
  input_release(&in);
}

static void test_a_drag_counts_its_last_move(void **state) {
  (void)state;
  input in = {0};
  input_push_button(&in, 1, true);
  input_begin_frame(&in);
  input_end_frame(&in);
  input_push_move(&in, 7, 0);
  input_push_button(&in, 1, false);
  input_begin_frame(&in);
  assert_true(in.buttons[0] && in.moved_x == 7);
  input_end_frame(&in);
  input_begin_frame(&in);
  assert_true(!in.buttons[0] && in.moved_x == 0);
  input_end_frame(&in);
  input_release(&in);
}

static void test_moves_and_wheel_add_up(void **state) {
  (void)state;
  input in = {0};
  input_push_move(&in, 3, 4);
  input_push_move(&in, 5, 9);
  input_push_wheel(&in, 1);
  input_push_wheel(&in, 0.5f);
  input_begin_frame(&in);
  assert_true(in.moved_x == 5 && in.moved_y == 9 && in.wheel == 1.5f);
  input_end_frame(&in);
  input_begin_frame(&in);
  assert_true(in.moved_x == 0 && in.wheel == 0 && in.mouse_x == 5);
  input_release(&in);
}

static void test_lost_focus_lets_go(void **state) {
  (void)state;
  input in = {0};
  int w = input_find_key("w"), s = input_find_key("s");
  input_push_key(&in, w, true);
  input_begin_frame(&in);
  input_end_frame(&in);
  input_push_key(&in, s, true); /* still waits in the queue */
  input_push_release_all(&in);
  for (int i = 0; i < 3; i++) {
    input_begin_frame(&in);
    input_end_frame(&in);
  }
  assert_false(in.keys[w]);
  assert_false(in.keys[s]);
  assert_int_equal(in.count, 0);
  input_release(&in);
}

/* While nobody was told, a stick went from one to another position and a key was let go of; what still waits is newer.
 */
static void test_what_was_missed_comes_before_what_waits(void **state) {
  (void)state;
  input in = {0};
  int stick = input_find_key("left_stick_up"), w = input_find_key("w"), a = input_find_key("a");
  in.app_keys[w] = true;
  in.app_strengths[stick] = 0.25f;
  in.strengths[stick] = 1;
  in.mouse_x = 30;
  input_push_strength(&in, stick, 0.5f);
  input_push_key(&in, w, true);
  input_push_key(&in, a, true);
  input_push_move(&in, 70, 0);
  input_push_missed(&in);
  input_begin_frame(&in);
  assert_int_equal(in.taken, 7);
  assert_true(in.events[0].kind == EVENT_KEY && in.events[0].code == w && !in.events[0].down);
  assert_true(in.events[1].kind == EVENT_STRENGTH && in.events[1].x == 1);
  assert_true(in.events[3].kind == EVENT_STRENGTH && in.events[3].x == 0.5f);
  assert_true(in.events[4].code == w && in.events[5].code == a);
  assert_true(in.strengths[stick] == 0.5f && in.keys[w] && in.keys[a] && in.mouse_x == 70);
  input_end_frame(&in);
  input_release(&in);
}

static void test_nonsense_is_dropped(void **state) {
  (void)state;
  input in = {0};
  input_push_key(&in, -1, true);
  input_push_key(&in, 5000, true);
  input_push_button(&in, 0, true);
  input_push_button(&in, 9, true);
  input_push_move(&in, NAN, 1);
  input_push_wheel(&in, INFINITY);
  input_push_character(&in, 0xffffffffu);
  input_push_drop(&in, NULL);
  assert_int_equal(in.count, 0);
  input_release(&in);
}

static void test_paths_live_for_their_frame(void **state) {
  (void)state;
  input in = {0};
  char path[] = "models/fox.glb";
  input_push_drop(&in, path);
  path[0] = 'X';
  input_begin_frame(&in);
  assert_string_equal(in.events[0].path, "models/fox.glb");
  input_end_frame(&in);
  input_push_drop(&in, "never taken");
  input_release(&in);
}

static void test_a_warm_queue_allocates_nothing(void **state) {
  (void)state;
  input in = {0};
  for (int i = 0; i < 20; i++) input_push_move(&in, (float)i, 0);
  input_begin_frame(&in);
  input_end_frame(&in);
  uint64_t before = mem_request_count();
  for (int i = 0; i < 20; i++) input_push_move(&in, (float)i, 0);
  input_begin_frame(&in);
  input_end_frame(&in);
  assert_int_equal(mem_request_count() - before, 0);
  input_release(&in);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_key_has_one_name),
      cmocka_unit_test(test_a_tap_within_a_frame_is_down_for_one),
      cmocka_unit_test(test_a_double_click_takes_four_frames),
      cmocka_unit_test(test_a_click_happens_where_the_mouse_is),
      cmocka_unit_test(test_a_drag_counts_its_last_move),
      cmocka_unit_test(test_moves_and_wheel_add_up),
      cmocka_unit_test(test_lost_focus_lets_go),
      cmocka_unit_test(test_what_was_missed_comes_before_what_waits),
      cmocka_unit_test(test_nonsense_is_dropped),
      cmocka_unit_test(test_paths_live_for_their_frame),
      cmocka_unit_test(test_a_warm_queue_allocates_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
