/* Contexts without a display: they come, work, go, and come again. */
#include "support/fixture.h"

#include "host/display/offscreen.h"

#include <string.h>

typedef const unsigned char *get_string(unsigned name);
enum { GL_VERSION_NAME = 0x1F02 };

static const char *version(void) {
  void *found = offscreen_proc("glGetString");
  get_string *function;
  memcpy(&function, &found, sizeof function);
  return function ? (const char *)function(GL_VERSION_NAME) : NULL;
}

static void comes_and_goes(void **state) {
  (void)state;
  sinew_error error = {0};
  for (int i = 0; i < 5; i++) {
    offscreen *context = offscreen_create(&error);
    if (!context) fail_msg("%s", error.message);
    const char *text = version();
    assert_non_null(text);
    int major = 0, minor = 0;
    assert_int_equal(sscanf(text, "%d.%d", &major, &minor), 2);
    assert_true(major * 10 + minor >= 33);
    offscreen_destroy(context);
  }
  offscreen_destroy(NULL);
}

static void two_at_once(void **state) {
  (void)state;
  sinew_error error = {0};
  offscreen *first = offscreen_create(&error), *second = offscreen_create(&error);
  assert_non_null(first);
  assert_non_null(second);
  offscreen_destroy(first);
  assert_non_null(version()); /* the second is still current */
  offscreen_destroy(second);
}

static void unknown_functions(void **state) {
  (void)state;
  assert_null(offscreen_proc("notAnOpenGLFunction"));
}

int main(void) {
  sinew_error error = {0};
  offscreen *context = offscreen_create(&error);
  if (!context) {
    fprintf(stderr, "skipped: %s\n", error.message);
    return 77;
  }
  offscreen_destroy(context);
  const struct CMUnitTest tests[] = {cmocka_unit_test(comes_and_goes), cmocka_unit_test(two_at_once),
                                     cmocka_unit_test(unknown_functions)};
  return cmocka_run_group_tests_name("offscreen", tests, NULL, NULL);
}
