#include "host_fixture.h"

#include "host/capture/capture.h"

static capture *begin(const char *target, int frames) {
  sinew_error error = {0};
  capture *c = capture_create(&(capture_def){target, frames, 30, 0}, &error);
  if (!c) fail_msg("%s", error.message);
  return c;
}

/* Frame i is a picture whose red is i. */
static void run(capture *c, int frames, int width, int height) {
  sinew_error error = {0};
  for (int i = 0; i < frames; i++) {
    picture p = plain_picture(width, height, (uint8_t)i, 100, 50);
    if (capture_wants(c, i) && !capture_add(c, i, 0, &p, &error)) fail_msg("%s", error.message);
    picture_release(&p);
  }
  picture last = plain_picture(width, height, 250, 100, 50);
  if (!capture_finish(c, capture_wants_last(c) ? &last : NULL, &error)) fail_msg("%s", error.message);
  picture_release(&last);
  capture_destroy(c);
}

static void expect_file(const char *path, int width, int height, int red) {
  picture p = read_png(path);
  assert_int_equal(p.width, width);
  assert_int_equal(p.height, height);
  assert_int_equal(pixel_at(&p, width / 2, height / 2)[0], red);
  picture_release(&p);
}

static void test_the_last_frame(void **state) {
  (void)state;
  capture *c = begin(test_file("last.png"), 0);
  assert_true(capture_wants_last(c));
  assert_false(capture_wants(c, 0));
  assert_true(capture_needs(c, 0)); /* any may be the last */
  run(c, 3, 40, 30);
  expect_file(test_file("last.png"), 40, 30, 250);
}

static void test_numbered_sequences(void **state) {
  (void)state;
  run(begin(test_file("a_{frame}.png"), 0), 3, 8, 6);
  run(begin(test_file("b_%03d.PNG"), 0), 3, 8, 6);
  run(begin(test_file("c_%d_50%.png"), 0), 12, 8, 6);
  expect_file(test_file("a_00002.png"), 8, 6, 2);
  expect_file(test_file("b_001.PNG"), 8, 6, 1);
  expect_file(test_file("c_11_50%.png"), 8, 6, 11);
  assert_false(file_exists(test_file("a_00003.png")));
}

/* Nobody wants printf to interpret a file's name. */
static void test_a_name_is_no_format(void **state) {
  (void)state;
  run(begin(test_file("%s%n.png"), 0), 2, 8, 6);
  assert_true(file_exists(test_file("%s%n.png")));
}

static void test_a_folder_is_made(void **state) {
  (void)state;
  char target[1100];
  snprintf(target, sizeof target, "%s/", test_file("frames"));
  run(begin(target, 0), 2, 8, 6);
  expect_file(test_file("frames/frame_00000.png"), 8, 6, 0);
  expect_file(test_file("frames/frame_00001.png"), 8, 6, 1);
}

/* Of frames that are not wanted only the one before a wanted one is drawn. */
static void test_frames_that_are_needed(void **state) {
  (void)state;
  char target[1100];
  snprintf(target, sizeof target, "%s:3", test_file("needed.png"));
  capture *sheet = begin(target, 30), *last = begin(test_file("needed.png"), 30);
  for (int i = 0; i < 9; i++) assert_int_equal(capture_needs(sheet, i), i == 8);
  assert_true(capture_needs(sheet, 9));
  for (int i = 0; i < 30; i++) assert_int_equal(capture_needs(last, i), i >= 28);
  capture_destroy(sheet);
  capture_destroy(last);
}

/* Twelve cells over 24 frames: each shows the last of its two. */
static void test_a_contact_sheet_spreads_over_the_run(void **state) {
  (void)state;
  char target[1100];
  snprintf(target, sizeof target, "%s:12", test_file("sheet.png"));
  run(begin(target, 24), 24, 320, 180);
  picture sheet = read_png(test_file("sheet.png"));
  sheet_layout layout = sheet_plan(12, 320, 180);
  assert_int_equal(sheet.width, layout.width);
  assert_int_equal(sheet.height, layout.height);
  for (int i = 0; i < 12; i++) {
    int x, y;
    sheet_cell(&layout, i, &x, &y);
    assert_int_equal(pixel_at(&sheet, x + 10, y + 10)[0], 2 * i + 1);
  }
  picture_release(&sheet);
}

static void test_a_sheet_of_a_run_that_ended_early(void **state) {
  (void)state;
  char target[1100];
  snprintf(target, sizeof target, "%s:4", test_file("early.png"));
  run(begin(target, 400), 110, 32, 18);
  picture sheet = read_png(test_file("early.png"));
  int x, y;
  sheet_layout layout = sheet_plan(4, 32, 18);
  sheet_cell(&layout, 0, &x, &y);
  assert_int_equal(pixel_at(&sheet, x + 4, y + 4)[0], 99);
  sheet_cell(&layout, 1, &x, &y);
  assert_int_equal(pixel_at(&sheet, x + 4, y + 4)[0], 24); /* empty */
  picture_release(&sheet);
}

static void test_more_cells_than_frames(void **state) {
  (void)state;
  char target[1100];
  snprintf(target, sizeof target, "%s:50", test_file("few.png"));
  run(begin(target, 3), 3, 32, 18);
  assert_true(file_exists(test_file("few.png")));
}

static void test_what_cannot_be_is_said_at_once(void **state) {
  (void)state;
  char sheet[1100], folder[1100], file_as_folder[1100];
  write_text(test_file("plain"), "x");
  snprintf(sheet, sizeof sheet, "%s:12", test_file("s.png"));
  snprintf(folder, sizeof folder, "%s", test_file("missing/x.png"));
  snprintf(file_as_folder, sizeof file_as_folder, "%s/", test_file("plain"));
  const struct {
    const char *target, *says;
  } cases[] = {
      {"", "empty"},
      {"picture.bmp", ".png, .mp4"},
      {"noextension", ".png, .mp4"},
      {sheet, "number of frames"},
      {"x.mp4:5", ".png file"},
      {"x.png:0", "1 to 400"},
      {"x.png:99999999999999999999", "1 to 400"},
      {folder, "does not exist"},
      {file_as_folder, "plain"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    sinew_error error = {0};
    assert_null(capture_create(&(capture_def){cases[i].target, 0, 60, 0}, &error));
    if (!strstr(error.message, cases[i].says)) fail_msg("'%s' does not say '%s'", error.message, cases[i].says);
  }
}

static void test_a_name_of_a_mile(void **state) {
  (void)state;
  static char target[10000];
  memset(target, 'x', sizeof target - 1);
  sinew_error error = {0};
  assert_null(capture_create(&(capture_def){target, 0, 60, 0}, &error));
  assert_non_null(strstr(error.message, "too long"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_the_last_frame),
      cmocka_unit_test(test_numbered_sequences),
      cmocka_unit_test(test_a_name_is_no_format),
      cmocka_unit_test(test_a_folder_is_made),
      cmocka_unit_test(test_frames_that_are_needed),
      cmocka_unit_test(test_a_contact_sheet_spreads_over_the_run),
      cmocka_unit_test(test_a_sheet_of_a_run_that_ended_early),
      cmocka_unit_test(test_more_cells_than_frames),
      cmocka_unit_test(test_what_cannot_be_is_said_at_once),
      cmocka_unit_test(test_a_name_of_a_mile),
  };
  return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
