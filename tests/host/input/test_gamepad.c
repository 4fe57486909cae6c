/* Gamepads as keys: strengths without a dead zone, presses from half-way on, and releases when the gamepad is
 * unplugged. */
#include "support/fixture.h"

#include "host/input/gamepad.h"

#include <math.h>

static float strength(const input *in, const char *key) { return in->strengths[input_find_key(key)]; }
static bool is_down(const input *in, const char *key) { return in->keys[input_find_key(key)]; }

static void frame(gamepad *pad, const gamepad_state *state, input *in) {
  gamepad_update(pad, state, in);
  input_begin_frame(in);
  input_end_frame(in);
}

static void sticks_have_a_round_dead_zone_and_a_full_reach(void **state) {
  (void)state;
  for (int i = 0; i < 16; i++) {
    input in = {0};
    gamepad pad = {0};
    gamepad_state s = gamepad_rest();
    double angle = 0.3927 * i, x = cos(angle), y = sin(angle);
    s.axes[0] = (float)(0.14 * x), s.axes[1] = (float)(0.14 * y);
    frame(&pad, &s, &in);
    assert_int_equal(in.strengths[input_find_key("left_stick_left")] == 0 && strength(&in, "left_stick_right") == 0, 1);
    s.axes[0] = (float)(0.55 * x), s.axes[1] = (float)(0.55 * y);
    frame(&pad, &s, &in);
    double right = (double)(strength(&in, "left_stick_right") - strength(&in, "left_stick_left"));
    double down = (double)(strength(&in, "left_stick_down") - strength(&in, "left_stick_up"));
    assert_near(right, 0.5 * x, 0.003);
    assert_near(down, 0.5 * y, 0.003);
    s.axes[0] = (float)x, s.axes[1] = (float)y;
    frame(&pad, &s, &in);
    right = (double)(strength(&in, "left_stick_right") - strength(&in, "left_stick_left"));
    assert_near(right, x, 0.003);
    assert_true(strength(&in, "right_stick_up") == 0 && strength(&in, "left_trigger") == 0);
    input_release(&in);
  }
}

static void half_way_is_a_press_and_less_lets_go_of_it(void **state) {
  static const float pulled[] = {0.3f, 0.54f, 0.6f, 0.52f, 0.45f, 0.6f};
  static const bool down[] = {false, false, true, true, false, true};
  input in = {0};
  gamepad pad = {0};
  (void)state;
  for (int i = 0; i < 6; i++) {
    gamepad_state s = gamepad_rest();
    s.axes[5] = 2 * pulled[i] - 1;
    frame(&pad, &s, &in);
    assert_near((double)strength(&in, "right_trigger"), ((double)pulled[i] - 0.15) / 0.85, 0.003);
    assert_int_equal(is_down(&in, "right_trigger"), down[i]);
  }
  input_release(&in);
}

static void buttons_are_keys_and_what_is_pulled_out_lets_go(void **state) {
  static const char *const names[GAMEPAD_BUTTONS] = {
      "pad_a",     "pad_b",     "pad_x",     "pad_y",          "pad_left_bumper", "pad_right_bumper",
      "pad_back",  "pad_start", "pad_guide", "pad_left_stick", "pad_right_stick", "pad_up",
      "pad_right", "pad_down",  "pad_left"};
  (void)state;
  for (int i = 0; i < GAMEPAD_BUTTONS; i++) {
    input in = {0};
    gamepad pad = {0};
    gamepad_state s = gamepad_rest(), gone = gamepad_rest();
    s.buttons[i] = true, s.axes[2] = 1;
    frame(&pad, &s, &in);
    for (int k = 0; k < GAMEPAD_BUTTONS; k++) assert_int_equal(is_down(&in, names[k]), i == k);
    assert_true(is_down(&in, "right_stick_right") && strength(&in, "right_stick_right") == 1);
    frame(&pad, &s, &in);
    assert_int_equal(in.count, 0); /* what stays as it is is silent */
    frame(&pad, &gone, &in);
    assert_true(!is_down(&in, names[i]) && strength(&in, "right_stick_right") == 0);
    input_release(&in);
  }
}

static void several_count_as_one(void **state) {
  gamepad_state all = gamepad_rest(), a = gamepad_rest(), b = gamepad_rest();
  (void)state;
  a.buttons[1] = true, a.axes[0] = -0.2f, a.axes[4] = 0.5f;
  b.buttons[2] = true, b.axes[0] = 0.1f, b.axes[1] = 0.9f, b.axes[4] = -1;
  gamepad_join(&all, &a), gamepad_join(&all, &b);
  assert_true(all.buttons[1] && all.buttons[2] && !all.buttons[0]);
  assert_true(all.axes[0] == 0.1f && all.axes[1] == 0.9f && all.axes[4] == 0.5f && all.axes[5] == -1);
}

/* A driver that reports nonsense. */
static void what_is_no_number_is_rest(void **state) {
  input in = {0};
  gamepad pad = {0};
  gamepad_state s = gamepad_rest();
  (void)state;
  s.axes[0] = NAN, s.axes[4] = NAN, s.axes[3] = INFINITY;
  frame(&pad, &s, &in);
  assert_true(strength(&in, "left_stick_right") == 0 && strength(&in, "left_trigger") == 0);
  for (int i = 0; i < KEY_LIMIT; i++) assert_true(in.strengths[i] >= 0 && in.strengths[i] <= 1);
  input_release(&in);
}

static void lost_focus_lets_go_of_sticks(void **state) {
  input in = {0};
  (void)state;
  input_push_strength(&in, input_find_key("left_stick_up"), 0.5f);
  input_push_strength(&in, input_find_key("w"), 0.5f); /* has none */
  input_push_strength(&in, input_find_key("left_stick_up"), 1.5f);
  assert_int_equal(in.count, 1);
  input_begin_frame(&in);
  input_end_frame(&in);
  assert_true(strength(&in, "left_stick_up") == 0.5f);
  input_push_release_all(&in);
  input_begin_frame(&in);
  input_end_frame(&in);
  assert_true(strength(&in, "left_stick_up") == 0);
  input_release(&in);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sticks_have_a_round_dead_zone_and_a_full_reach),
      cmocka_unit_test(half_way_is_a_press_and_less_lets_go_of_it),
      cmocka_unit_test(buttons_are_keys_and_what_is_pulled_out_lets_go),
      cmocka_unit_test(several_count_as_one),
      cmocka_unit_test(what_is_no_number_is_rest),
      cmocka_unit_test(lost_focus_lets_go_of_sticks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
