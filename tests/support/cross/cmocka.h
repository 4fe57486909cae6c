/* As much of cmocka as the tests of the core use, for processors that the real one is not installed for: a test that
 * fails says where and ends the program. */
#ifndef SINEW_TESTS_CROSS_CMOCKA_H
#define SINEW_TESTS_CROSS_CMOCKA_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
  const char *name;
  void (*run)(void **state);
};

static inline void cross_check(int good, const char *what, const char *file, int line) {
  if (good) return;
  printf("%s:%d: %s\n", file, line, what);
  exit(1);
}

#define assert_true(a) cross_check((a) ? 1 : 0, #a, __FILE__, __LINE__)
#define assert_false(a) assert_true(!(a))
#define assert_null(a) assert_true(!(a))
#define assert_non_null(a) assert_true(a)
#define assert_int_equal(a, b) assert_true((long long)(a) == (long long)(b))
#define assert_memory_equal(a, b, size) assert_true(memcmp(a, b, size) == 0)
#define fail_msg(...) (printf(__VA_ARGS__), cross_check(0, " fails", __FILE__, __LINE__))

#define cmocka_unit_test(function)                                                                                     \
  { #function, function }

static inline int cross_run(const struct CMUnitTest *tests, size_t count) {
  for (size_t i = 0; i < count; i++) {
    printf("%s\n", tests[i].name);
    tests[i].run(NULL);
  }
  return 0;
}
#define cmocka_run_group_tests(tests, setup, teardown) cross_run(tests, sizeof(tests) / sizeof *(tests))

#endif
