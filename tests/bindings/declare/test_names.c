/* The table of names holds what a list of them holds, whatever comes and goes. */
#include "harness.h"

#include "declare/declarations.h"

enum { NAMES = 300, TURNS = 20000 };

static void *heap(void *user, void *pointer, size_t size) {
  (void)user;
  if (size > 0) return realloc(pointer, size);
  free(pointer);
  return NULL;
}

static void what_is_added_is_found_until_it_is_removed(void **state) {
  static char names[NAMES][8];
  static bool there[NAMES];
  declarations all = {.allocator = {heap, NULL}};
  name_table table = {0};
  int count = 0;
  uint32_t random = 1;
  (void)state;
  for (int i = 0; i < NAMES; i++) snprintf(names[i], sizeof names[i], "%d", i);
  for (int turn = 0; turn < TURNS; turn++) {
    int i = (int)((random = random * 1664525u + 1013904223u) >> 8) % NAMES;
    if (there[i]) names_remove(&table, names[i]);
    else assert_true(names_add(&all, &table, names[i], names[i]));
    there[i] = !there[i];
    count += there[i] ? 1 : -1;
    assert_int_equal(table.count, count);
    for (int k = turn % 7; k < NAMES; k += 7)
      assert_ptr_equal(names_find(&table, names[k]), there[k] ? names[k] : NULL);
  }
  names_remove(&table, "never there");
  assert_int_equal(table.count, count);
  names_clear(&all, &table);
  assert_null(names_find(&table, "1"));
}

/* Of a long list, too, the first of a name is found, and when that goes the next. */
static void a_name_that_repeats_is_found_as_the_first(void **state) {
  static const declaration_kind kind = {.last = 0};
  declarations all = {.allocator = {heap, NULL}};
  declaration_list list = {0};
  declaration *named[60];
  (void)state;
  for (int i = 0; i < 60; i++) {
    char name[8];
    snprintf(name, sizeof name, "%d", i % 25);
    named[i] = declaration_add(&all, &list, sizeof **named, name);
    assert_non_null(named[i]);
  }
  assert_ptr_equal(declaration_named(&list, "3"), named[3]);
  declaration_cut(&all, &kind, &list, named[28]);
  assert_ptr_equal(declaration_named(&list, "3"), named[3]);
  declaration_cut(&all, &kind, &list, named[3]);
  assert_ptr_equal(declaration_named(&list, "3"), named[53]);
  declaration_cut(&all, &kind, &list, named[53]);
  assert_null(declaration_named(&list, "3"));
  declaration_free_all(&all, &kind, &list);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_added_is_found_until_it_is_removed),
      cmocka_unit_test(a_name_that_repeats_is_found_as_the_first),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
