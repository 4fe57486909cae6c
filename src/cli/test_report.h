/* test_report – the scenes that `sinew test` is given, and the results of their tests. */
#ifndef SINEW_CLI_TEST_REPORT_H
#define SINEW_CLI_TEST_REPORT_H

#include <sinew_lua.h>

typedef struct scene_list {
  char **paths;
  int count, capacity;
} scene_list;

/* A file; or of a folder each scene that defines tests, in the order of their paths. False if there is none. */
bool scene_list_add(scene_list *list, const char *path);
void scene_list_free(scene_list *list);

typedef struct test_result {
  char *path, name[SINEW_TEST_NAME]; /* "": sinew.test */
  double seconds;
  bool failed;
  char *failure; /* the message, or NULL */
} test_result;

typedef struct test_report {
  test_result *items;
  int count, capacity;
} test_report;

/* Valid until the next is added. Ends the program when memory runs out. */
test_result *test_report_add(test_report *report, const char *path, const char *name);
void test_report_free(test_report *report);
/* As XML, in the form of JUnit. */
bool test_report_write(const test_report *report, const char *path, sinew_error *error);

#endif
