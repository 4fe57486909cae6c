#include "host_fixture.h"

static void test_sizes_are_checked(void **state) {
  (void)state;
  picture p;
  sinew_error error;
  assert_false(picture_create(&p, 0, 5, &error));
  assert_non_null(strstr(error.message, "0 x 5"));
  assert_false(picture_create(&p, 5, 40000, NULL));
  assert_null(p.rgba);
}

/* The mean by hand: pixel (0, 0) of 3 → 2 covers one whole pixel and half the next. */
static void test_scaling_is_the_mean_over_the_area(void **state) {
  (void)state;
  picture from = plain_picture(3, 1, 0, 0, 0), to = plain_picture(2, 1, 9, 9, 9);
  const uint8_t values[3] = {30, 90, 240};
  for (int i = 0; i < 3; i++) from.rgba[4 * i] = values[i];
  picture_scale(&from, &to);
  assert_int_equal(pixel_at(&to, 0, 0)[0], lround((30 + 45) / 1.5));
  assert_int_equal(pixel_at(&to, 1, 0)[0], lround((45 + 240) / 1.5));
  assert_int_equal(pixel_at(&to, 0, 0)[3], 255);
  picture_release(&from);
  picture_release(&to);
}

static void test_scaling_keeps_the_sum(void **state) {
  (void)state;
  picture from = plain_picture(97, 61, 0, 0, 0), to = plain_picture(31, 17, 0, 0, 0);
  random_seed(3);
  double before = 0, after = 0;
  for (int i = 0; i < 97 * 61; i++) before += from.rgba[4 * i] = (uint8_t)(random_bits() & 255);
  picture_scale(&from, &to);
  for (int i = 0; i < 31 * 17; i++) after += to.rgba[4 * i];
  assert_near(before / (97 * 61), after / (31 * 17), 0.2);
  picture_release(&from);
  picture_release(&to);
}

static void test_growing_repeats(void **state) {
  (void)state;
  picture from = plain_picture(2, 2, 10, 20, 30), to = plain_picture(64, 3, 0, 0, 0);
  picture_scale(&from, &to);
  for (int i = 0; i < 64 * 3; i++) assert_memory_equal(to.rgba + 4 * i, "\x0a\x14\x1e\xff", 4);
  picture_release(&from);
  picture_release(&to);
}

static void test_pasting_is_cut_at_the_edges(void **state) {
  (void)state;
  picture red = plain_picture(4, 4, 255, 0, 0), to = plain_picture(8, 8, 0, 0, 0);
  picture_paste(&red, &to, -2, -3);
  picture_paste(&red, &to, 6, 7);
  picture_paste(&red, &to, 100, 0);
  picture_paste(&red, &to, 0, -100);
  int count = 0;
  for (int i = 0; i < 64; i++) count += to.rgba[4 * i] == 255;
  assert_int_equal(count, 2 * 1 + 2 * 1);
  assert_int_equal(pixel_at(&to, 1, 0)[0], 255);
  assert_int_equal(pixel_at(&to, 7, 7)[0], 255);
  picture_release(&red);
  picture_release(&to);
}

static void test_sheets_of_any_count_fit(void **state) {
  (void)state;
  const int sizes[][2] = {{1280, 720}, {64, 64}, {100, 2000}, {4000, 50}, {1, 1}, {16384, 16384}};
  for (int count = 1; count <= 400; count++) {
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
      sheet_layout s = sheet_plan(count, sizes[i][0], sizes[i][1]);
      assert_true(s.columns * s.rows >= count && s.columns * (s.rows - 1) < count);
      assert_in_range(s.cell_width, 1, 480);
      assert_true(s.cell_height >= 1 && s.width <= 8192 && s.height <= 8192);
      int x, y;
      sheet_cell(&s, count - 1, &x, &y);
      assert_true(x + s.cell_width < s.width && y + s.cell_height < s.height);
    }
  }
  sheet_layout twelve = sheet_plan(12, 1280, 720);
  assert_int_equal(twelve.columns, 4);
  assert_int_equal(twelve.cell_width, 480);
  assert_int_equal(twelve.cell_height, 270);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sizes_are_checked),           cmocka_unit_test(test_scaling_is_the_mean_over_the_area),
      cmocka_unit_test(test_scaling_keeps_the_sum),       cmocka_unit_test(test_growing_repeats),
      cmocka_unit_test(test_pasting_is_cut_at_the_edges), cmocka_unit_test(test_sheets_of_any_count_fit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
