#include "host_fixture.h"

#include "host/capture/picture.h"

static void test_what_is_written_is_read(void **state) {
  (void)state;
  picture p = plain_picture(37, 23, 0, 0, 0);
  sinew_error error = {0};
  random_seed(5);
  for (int i = 0; i < 37 * 23 * 4; i++) p.rgba[i] = (uint8_t)(random_bits() & 255);
  if (!png_write(test_file("noise.png"), &p, &error)) fail_msg("%s", error.message);
  picture read = read_png(test_file("noise.png"));
  assert_int_equal(read.width, 37);
  assert_int_equal(read.height, 23);
  assert_memory_equal(read.rgba, p.rgba, 37 * 23 * 4);
  picture_release(&p);
  picture_release(&read);
}

static void test_a_place_that_cannot_be_written(void **state) {
  (void)state;
  picture p = plain_picture(2, 2, 1, 2, 3);
  sinew_error error = {0};
  assert_false(png_write(test_file("no/such/folder.png"), &p, &error));
  assert_non_null(strstr(error.message, "folder.png"));
  picture_release(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_what_is_written_is_read),
      cmocka_unit_test(test_a_place_that_cannot_be_written),
  };
  return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
