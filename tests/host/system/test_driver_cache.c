/* Where the driver's cache would lie on a disk without room, the driver is told to keep none. */
#include "host/system/driver_cache.h"

#include <sinew/base.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int warnings;
static void count(void *user, sinew_log_level level, const char *line) {
  (void)user, (void)line;
  warnings += level == SINEW_LOG_WARNING;
}

static bool keeps_none(const char *name, const char *folder) {
  warnings = 0;
  unsetenv("MESA_SHADER_CACHE_DIR");
  unsetenv("XDG_CACHE_HOME");
  unsetenv("MESA_SHADER_CACHE_DISABLE");
  setenv(name, folder, 1);
  driver_cache_guard();
  assert_int_equal(warnings, getenv("MESA_SHADER_CACHE_DISABLE") != NULL);
  return warnings;
}

/* /proc never has any room, and the folder of the tests has. */
static void a_full_disk_keeps_no_shaders(void **state) {
  (void)state;
  assert_true(keeps_none("MESA_SHADER_CACHE_DIR", "/proc"));
  assert_true(keeps_none("XDG_CACHE_HOME", "/proc/none/at/all"));
  assert_true(keeps_none("HOME", "/proc"));
  assert_false(keeps_none("MESA_SHADER_CACHE_DIR", "/tmp"));
  assert_false(keeps_none("XDG_CACHE_HOME", "/tmp/none/at/all"));
}

/* Whoever has decided is not asked again. */
static void what_is_set_stays(void **state) {
  (void)state;
  setenv("MESA_SHADER_CACHE_DIR", "/proc", 1);
  setenv("MESA_SHADER_CACHE_DISABLE", "false", 1);
  driver_cache_guard();
  assert_string_equal(getenv("MESA_SHADER_CACHE_DISABLE"), "false");
}

/* Of a file that is mapped, as Mesa maps it; what stands in it stays. */
static void holes_of_the_index_are_filled(void **state) {
  enum { SIZE = 1310728, WORD = 700000 };
  char folder[] = "/tmp/sinew-test-XXXXXX", cache[64], index[96];
  struct stat before, after;
  (void)state;
  assert_non_null(mkdtemp(folder));
  snprintf(cache, sizeof cache, "%s/mesa_shader_cache", folder);
  snprintf(index, sizeof index, "%s/index", cache);
  assert_int_equal(mkdir(cache, 0700), 0);
  int file = open(index, O_RDWR | O_CREAT, 0600);
  assert_int_equal(ftruncate(file, SIZE), 0);
  char *map = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  assert_true(map != MAP_FAILED);
  memcpy(map + WORD, "key", 3);
  assert_int_equal(fstat(file, &before), 0);
  driver_cache_hold();
  assert_int_equal(fstat(file, &after), 0);
#if defined(__linux__)
  assert_true(before.st_blocks * 512 < SIZE && after.st_blocks * 512 >= SIZE);
#endif
  assert_true(after.st_size == SIZE && memcmp(map + WORD, "key", 3) == 0 && map[0] == 0);
  munmap(map, SIZE);
  close(file);
  remove(index);
  rmdir(cache);
  rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_full_disk_keeps_no_shaders),
                                     cmocka_unit_test(what_is_set_stays),
                                     cmocka_unit_test(holes_of_the_index_are_filled)};
  sinew_set_log(count, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
