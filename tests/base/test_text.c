/* error, name, log, file: what people read and where it comes from. */
#include "support/fixture.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory/memory.h"
#include "base/text.h"

#include <unistd.h>

static void the_nearest_name_is_found(void **state) {
  (void)state;
  const char *clips[] = {"Idle", "Walk", NULL, "Run", "WalkBack"};
  assert_string_equal(sinew_nearest_name("Wlak", clips, 5), "Walk");
  assert_string_equal(sinew_nearest_name("walk", clips, 5), "Walk");
  assert_string_equal(sinew_nearest_name("Walkback", clips, 5), "WalkBack");
  assert_string_equal(sinew_nearest_name("Ru", clips, 5), "Run");
  assert_null(sinew_nearest_name("Somersault", clips, 5));
  assert_null(sinew_nearest_name("", clips, 5));
  assert_null(sinew_nearest_name(NULL, clips, 5));
  char endless[5000];
  memset(endless, 'a', sizeof endless - 1);
  endless[sizeof endless - 1] = '\0';
  assert_null(sinew_nearest_name(endless, clips, 5));
}

static void a_long_error_is_cut_between_characters(void **state) {
  (void)state;
  char text[2000] = "";
  for (int i = 0; i < 600; i++) strcat(text, "→");
  sinew_error error;
  assert_false(error_set(&error, "x%s", text));
  size_t length = strlen(error.message);
  assert_true(length < sizeof error.message);
  assert_int_equal((length - 1) % strlen("→"), 0);
  assert_false(error_set(NULL, "nobody listens"));
}

static char logged[64];
static void remember(void *user, sinew_log_level level, const char *line) {
  (void)user;
  snprintf(logged, sizeof logged, "%d %s", (int)level, line);
}

static void the_log_goes_where_it_is_sent(void **state) {
  (void)state;
  sinew_set_log(remember, NULL);
  sinew_log(SINEW_LOG_WARNING, "%d joints", 3);
  sinew_set_log(NULL, NULL);
  assert_string_equal(logged, "1 3 joints");
}

static void a_file_is_written_whole_and_read_back(void **state) {
  (void)state;
  char folder[] = "/tmp/sinew-test-XXXXXX", path[64];
  assert_non_null(mkdtemp(folder));
  assert_true(path_join(path, sizeof path, folder, "a.txt"));
  assert_true(file_write(path, "stride", 6, NULL));
  size_t size;
  unsigned char *data = file_read(path, 100, &size, NULL);
  assert_int_equal(size, 6);
  assert_string_equal((char *)data, "stride");
  mem_free(data);
  sinew_error error;
  assert_null(file_read(path, 5, &size, &error));
  assert_non_null(strstr(error.message, "more than the 5"));
  assert_null(file_read(folder, 100, &size, &error));
  assert_non_null(strstr(error.message, "is a folder"));
  remove(path);
  assert_null(file_read(path, 100, &size, &error));
  assert_non_null(strstr(error.message, "no such file"));
  rmdir(folder);
}

static void paths_are_taken_apart_and_joined(void **state) {
  (void)state;
  char out[16];
  assert_true(path_join(out, sizeof out, "a/", "b.c"));
  assert_string_equal(out, "a/b.c");
  assert_true(path_join(out, sizeof out, "a", "/b.c"));
  assert_string_equal(out, "/b.c");
  assert_false(path_join(out, sizeof out, "a_long_folder", "and_a_name"));
  assert_true(path_folder(out, sizeof out, "/b"));
  assert_string_equal(out, "/");
  assert_true(path_folder(out, sizeof out, "b"));
  assert_string_equal(out, ".");
  assert_string_equal(path_extension("x.y/Hero.GLB"), "GLB");
  assert_string_equal(path_extension("x.y/hero"), "");
  assert_string_equal(path_extension(".hidden"), "");
}

static void counts_name_one_thing_or_several(void **state) {
  (void)state;
  char out[64], small[8];
  const char *keys = "clip '%s': %d {key is|keys are} left out{| in all}";
  assert_string_equal(text_count(out, sizeof out, 1, keys), "clip '%s': %d key is left out");
  assert_string_equal(text_count(out, sizeof out, 0, keys), "clip '%s': %d keys are left out in all");
  assert_string_equal(text_count(out, sizeof out, 7, "{ %d } {a} {b"), "{ %d } {a} {b");
  assert_string_equal(text_count(out, sizeof out, 2, "{a|b"), "b");
  assert_string_equal(text_count(small, sizeof small, 2, "%d {one|several}"), "%d seve");
  assert_string_equal(text_plural(1, "vertex", "vertices"), "vertex");
  assert_string_equal(text_plural(0, "vertex", "vertices"), "vertices");
}

static void a_terminal_is_shown_what_it_would_obey(void **state) {
  (void)state;
  char out[6000], large[5000];
  FILE *file = tmpfile();
  assert_non_null(file);
  memset(large, 'x', sizeof large - 1);
  large[sizeof large - 1] = '\0';
  text_show(file, "%s\n%s\t%d|%s", "\x1b[2J\r\x7f", "é\xc2\x9b \x9b\xff→", 7, large);
  rewind(file);
  size_t size = fread(out, 1, sizeof out - 1, file);
  out[size] = '\0';
  fclose(file);
  static const char begin[] = "\\x1b[2J\\x0d\\x7f\né\\x9b \\x9b\\xff→\t7|";
  assert_memory_equal(out, begin, sizeof begin - 1);
  assert_string_equal(out + sizeof begin - 1, large);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_nearest_name_is_found),
      cmocka_unit_test(a_long_error_is_cut_between_characters),
      cmocka_unit_test(the_log_goes_where_it_is_sent),
      cmocka_unit_test(a_file_is_written_whole_and_read_back),
      cmocka_unit_test(paths_are_taken_apart_and_joined),
      cmocka_unit_test(counts_name_one_thing_or_several),
      cmocka_unit_test(a_terminal_is_shown_what_it_would_obey),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
