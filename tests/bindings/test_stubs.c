/* The committed editor stubs are what the program writes. */
#include "harness.h"

static char *read_all(FILE *file) {
  char *text = calloc(1, 200000);
  assert_non_null(text);
  rewind(file);
  assert_true(fread(text, 1, 199999, file) > 1000);
  fclose(file);
  return text;
}

static void test_stubs(void **state) {
  FILE *fresh = tmpfile(), *committed = fopen(SINEW_SOURCE "/scripts/sinew.d.lua", "r");
  (void)state;
  assert_non_null(fresh);
  assert_non_null(committed);
  sinew_scene_stubs(fresh);
  char *a = read_all(fresh), *b = read_all(committed);
  if (strcmp(a, b) != 0) fail_msg("scripts/sinew.d.lua is out of date: sinew run --stubs > scripts/sinew.d.lua");
  free(a);
  free(b);
}

/* Each entry of the description is in them. */
static void test_all_names(void **state) {
  FILE *fresh = tmpfile();
  sinew_api_info info;
  (void)state;
  sinew_scene_stubs(fresh);
  char *text = read_all(fresh), line[128];
  for (int i = 0; sinew_scene_api(i, &info); i++) {
    bool call = strcmp(info.kind, "function") == 0 || strcmp(info.kind, "method") == 0;
    snprintf(line, sizeof line, call ? "%s%s%s(" : "---@field %.0s%.0s%s", call ? info.owner : "",
             strcmp(info.kind, "method") == 0 ? ":" : ".", info.name);
    if (strcmp(info.name, "...") == 0) strcpy(line, "---@field [integer]");
    harness_expect(text, line);
  }
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_stubs), cmocka_unit_test(test_all_names)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
