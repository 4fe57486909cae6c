/* ffmpeg is played by a shell script in a folder of the test, first on the PATH: it keeps its arguments and its input.
 */
#include "host_fixture.h"

#include "host/capture/capture.h"

#include <sys/stat.h>

static char *old_path;

static void use_path(const char *path) { setenv("PATH", path, 1); }

static void install_fake(const char *script) {
  const char *path = test_file("ffmpeg");
  write_text(path, script);
  assert_int_equal(chmod(path, 0755), 0);
  char folders[4096];
  snprintf(folders, sizeof folders, "%s:%.3000s", test_folder, old_path);
  use_path(folders);
}

static const char *const keeps_everything = "#!/bin/sh\nfor last; do :; done\nout=\"${last#file:}\"\n"
                                            "printf '%s\\n' \"$@\" > \"${0%/*}/arguments\"\ncat > \"$out\"\n";

static void test_pictures_arrive_in_order(void **state) {
  (void)state;
  sinew_error error = {0};
  install_fake(keeps_everything);
  encoder *e = encoder_create(test_file("run.mp4"), 320, 200, 30, &error);
  if (!e) fail_msg("%s", error.message);
  for (int i = 0; i < 5; i++) {
    picture p = plain_picture(320, 200, (uint8_t)(i + 1), 0, 0);
    assert_true(encoder_add(e, &p, &error));
    picture_release(&p);
  }
  if (!encoder_finish(e, &error)) fail_msg("%s", error.message);
  size_t size = 0;
  unsigned char *data = file_read(test_file("run.mp4"), 1 << 24, &size, &error);
  assert_non_null(data);
  const size_t pictures = 5 * 320 * 200 * 4, box = 8;
  assert_int_equal(size, pictures + box + ENCODER_MARK_SIZE);
  assert_memory_equal(data + pictures,
                      "\0\0\0\x18"
                      "free" ENCODER_MARK,
                      box + ENCODER_MARK_SIZE);
  for (int i = 0; i < 5; i++) assert_int_equal(data[i * 320 * 200 * 4], i + 1);
  mem_free(data);
}

/* A name that a shell would take apart stays one argument. */
static void test_no_shell_sees_the_name(void **state) {
  (void)state;
  sinew_error error = {0};
  install_fake(keeps_everything);
  encoder *e = encoder_create(test_file("a b; touch evil $(x).webm"), 2, 2, 24, &error);
  assert_non_null(e);
  assert_true(encoder_finish(e, &error));
  size_t size = 0;
  unsigned char *data = file_read(test_file("arguments"), 1 << 20, &size, &error);
  if (!data) fail_msg("%s", error.message);
  assert_non_null(strstr((char *)data, "-s\n2x2\n-r\n24\n"));
  assert_non_null(strstr((char *)data, "libvpx-vp9"));
  assert_non_null(strstr((char *)data, "-a b; touch evil $(x).webm\n"));
  assert_false(file_exists("evil"));
  mem_free(data);
}

static void test_ffmpeg_is_missing(void **state) {
  (void)state;
  sinew_error error = {0};
  use_path("/nonexistent::/");
  assert_false(encoder_check("out.mp4", &error));
  assert_non_null(strstr(error.message, "out.mp4: ffmpeg"));
  assert_null(encoder_create("out.mp4", 4, 4, 30, &error));
  use_path(old_path);
}

/* The child ends before it has read anything: an error, and the test program lives on. */
static void test_ffmpeg_gives_up(void **state) {
  (void)state;
  sinew_error error = {0};
  install_fake("#!/bin/sh\nexit 3\n");
  encoder *e = encoder_create(test_file("x.gif"), 1000, 1000, 30, &error);
  assert_non_null(e);
  picture p = plain_picture(1000, 1000, 1, 1, 1);
  bool added = true;
  for (int i = 0; i < 20 && added; i++) added = encoder_add(e, &p, &error);
  assert_false(added);
  assert_non_null(strstr(error.message, "x.gif"));
  assert_false(encoder_finish(e, &error));
  assert_non_null(strstr(error.message, "ffmpeg failed"));
  assert_false(file_exists(test_file("x.gif")));
  picture_release(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pictures_arrive_in_order),
      cmocka_unit_test(test_no_shell_sees_the_name),
      cmocka_unit_test(test_ffmpeg_is_missing),
      cmocka_unit_test(test_ffmpeg_gives_up),
  };
  const char *path = getenv("PATH");
  old_path = mem_copy_string(path ? path : "/bin:/usr/bin");
  int failed = cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
  mem_free(old_path);
  return failed;
}
