/* Where the driver's cache would lie on a disk without room, the driver is told to keep none. */
#include "host/system/driver_cache.h"

#include <sinew/base.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_full_disk_keeps_no_shaders),
                                     cmocka_unit_test(what_is_set_stays)};
  sinew_set_log(count, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
