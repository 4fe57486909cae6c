#include "import/fixtures/cache_fixture.h"

static void the_cache_can_be_switched_off(void **state) {
  (void)state;
  store(false);
  setenv("SINEW_CACHE", "off", 1);
  assert_false(hits());
  store(false);
  char named[64] = "x";
  assert_false(sinew_cache_folder(named, sizeof named));
  assert_string_equal(named, "");
  assert_int_equal(sinew_cache_list(NULL, NULL), 0);
  setenv("SINEW_CACHE", cache, 1);
  assert_true(hits());
}

static void the_folder_has_a_place(void **state) {
  (void)state;
  char named[256];
  unsetenv("SINEW_CACHE");
  setenv("XDG_CACHE_HOME", "/somewhere/caches", 1);
  assert_true(sinew_cache_folder(named, sizeof named));
  assert_string_equal(named, "/somewhere/caches/sinew");
  setenv("XDG_CACHE_HOME", "relative", 1);
  setenv("HOME", "/home/me", 1);
  assert_true(sinew_cache_folder(named, sizeof named));
  assert_string_equal(named, "/home/me/.cache/sinew");
  unsetenv("XDG_CACHE_HOME");
  assert_true(sinew_cache_folder(named, sizeof named));
  assert_string_equal(named, "/home/me/.cache/sinew");
}

static void a_folder_that_cannot_be_is_no_failure(void **state) {
  (void)state;
  setenv("SINEW_CACHE", model_path, 1); /* a file */
  store(false);
  assert_false(hits());
  setenv("SINEW_CACHE", "/proc/nothing/here", 1);
  store(false);
  assert_false(hits());
}

static void count_entry(void *user, const sinew_cache_entry *entry) {
  char *last = user;
  snprintf(last, 128, "%s", entry->source);
}

static void entries_are_listed_and_cleared(void **state) {
  (void)state;
  char path[128] = "";
  store(false);
  assert_int_equal(sinew_cache_list(count_entry, path), 1);
  assert_string_equal(path, model_path);
  assert_int_equal(sinew_cache_clear(), 1);
  assert_int_equal(sinew_cache_list(count_entry, path), 0);
  assert_false(hits());
}

static void the_one_not_used_for_longest_goes_first(void **state) {
  (void)state;
  int count;
  char paths[3][128], first[256];
  for (int i = 0; i < 3; i++) {
    snprintf(paths[i], sizeof paths[i], "%s/hero%d.glb", folder, i);
    strcpy(model_path, paths[i]);
    write_text(model_path, "model");
    store(false);
    entry_path(first, sizeof first);
    struct timespec times[2] = {{.tv_sec = 1000 + i}, {.tv_sec = 1000 + i}};
    utimensat(AT_FDCWD, first, times, 0);
  }
  strcpy(model_path, paths[0]);
  assert_true(hits()); /* used: now it is the youngest */
  cache_file *files = cache_files(cache, &count);
  assert_int_equal(count, 3);
  assert_int_equal(cache_trim(cache, 2 * files[0].size), 1);
  mem_free(files);
  strcpy(model_path, paths[1]);
  assert_false(hits());
  strcpy(model_path, paths[2]);
  assert_true(hits());
  strcpy(model_path, paths[0]);
  assert_true(hits());
}

static void the_limit_holds(void **state) {
  (void)state;
  setenv("SINEW_CACHE_LIMIT", "0", 1);
  store(false);
  assert_false(hits());
  setenv("SINEW_CACHE_LIMIT", "-1", 1); /* nonsense is as though nothing were said */
  assert_true(sinew_cache_limit() == (uint64_t)1 << 30);
  setenv("SINEW_CACHE_LIMIT", "1", 1);
  store(false);
  assert_true(hits());
}

static void a_crashed_writers_part_goes(void **state) {
  (void)state;
  char old[256], fresh[256], foreign[256];
  store(false);
  snprintf(old, sizeof old, "%s/.part-oldone", cache);
  snprintf(fresh, sizeof fresh, "%s/.part-fresh1", cache);
  snprintf(foreign, sizeof foreign, "%s/notes.txt", cache);
  write_text(old, "half");
  write_text(fresh, "half");
  write_text(foreign, "mine");
  struct timespec times[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
  utimensat(AT_FDCWD, old, times, 0);
  cache_trim(cache, 0);
  assert_false(file_exists(old));
  assert_true(file_exists(fresh));
  assert_true(file_exists(foreign)); /* what is not ours stays */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(the_cache_can_be_switched_off),
      TEST(the_folder_has_a_place),
      TEST(a_folder_that_cannot_be_is_no_failure),
      TEST(entries_are_listed_and_cleared),
      TEST(the_one_not_used_for_longest_goes_first),
      TEST(the_limit_holds),
      TEST(a_crashed_writers_part_goes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
