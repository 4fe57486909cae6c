/* Ways in which Lua programs hold state (idioms/): each prints a number, which grows by one in each frame. A save of a
 * comment changes nothing; a save of other code lets the same number grow by three, whatever holds it. */
#include "seen.h"

#include <dirent.h>

enum { TEXT = 8192, FRAMES = 12 };

static void read_idiom(const char *name, char text[TEXT]) {
  char path[512];
  snprintf(path, sizeof path, "tests/bindings/scene/idioms/%s", name);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  size_t size = fread(text, 1, TEXT - 256, file);
  text[size] = 0;
  fclose(file);
}

/* The first 1 of each line that says "edited" becomes 3. */
static void edit(const char *text, char out[TEXT]) {
  strcpy(out, text);
  for (char *mark = strstr(out, "-- edited"); mark; mark = strstr(mark + 1, "-- edited")) {
    char *line = mark;
    while (line > out && line[-1] != '\n') line--;
    *strchr(line, '1') = '3';
  }
}

static void expect_growth(harness *h, const char *name, int *at, int by) {
  for (int i = 0; i < FRAMES; i++, *at += by) {
    const char *text = seen(h);
    if (atoi(text) != *at + by) fail_msg("%s: %d and %d is not %s", name, *at, by, text);
  }
}

static void try_idiom(const char *name) {
  static char text[TEXT], saved[TEXT], edited[TEXT];
  int at = 0;
  harness h;
  read_idiom(name, text);
  harness_open(&h, text);
  expect_growth(&h, name, &at, 1);
  snprintf(saved, TEXT, "-- a comment, and a line\n\n%s-- saved\n", text);
  save(&h, saved);
  expect_silence(&h);
  expect_growth(&h, name, &at, 1);
  edit(saved, edited);
  save(&h, edited);
  expect_growth(&h, name, &at, 3);
  save(&h, text);
  expect_growth(&h, name, &at, 1);
  harness_close(&h);
}

static void whatever_holds_the_state_lives_on(void **state) {
  (void)state;
  DIR *folder = opendir("tests/bindings/scene/idioms");
  int count = 0;
  assert_non_null(folder);
  for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
    if (strstr(entry->d_name, ".lua")) try_idiom(entry->d_name), count++;
  closedir(folder);
  assert_int_equal(count, 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(whatever_holds_the_state_lives_on)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
