/* A declaration is found by its name, whatever comes and goes. */
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
  static const declaration_kind kind = {.last = 0};
  static declaration *there[NAMES];
  declarations all = {.allocator = {heap, NULL}};
  declaration_list list = {0};
  uint32_t random = 1;
  char name[8];
  (void)state;
  for (int turn = 0; turn < TURNS; turn++) {
    int i = (int)((random = random * 1664525u + 1013904223u) >> 8) % NAMES;
    snprintf(name, sizeof name, "%d", i);
    if (there[i]) declaration_cut(&all, &kind, &list, there[i]), there[i] = NULL;
    else there[i] = declaration_add(&all, &list, sizeof **there, name);
    if (turn % 97 == 0) declaration_forget_names(&list);
    if (turn % 97 == 50) declaration_find_by_new_names(&all, &list);
    for (int k = turn % 7; k < NAMES; k += 7) {
      snprintf(name, sizeof name, "%d", k);
      assert_ptr_equal(declaration_named(&list, name), there[k]);
    }
  }
  declaration_free_all(&all, &kind, &list);
  assert_null(declaration_named(&list, "1"));
}

/* Names that have been written are found after the list was sorted again, and before. */
static void a_new_name_is_found(void **state) {
  static const declaration_kind kind = {.last = 0};
  declarations all = {.allocator = {heap, NULL}};
  declaration_list list = {0};
  declaration *a = declaration_add(&all, &list, sizeof *a, "a"), *z = declaration_add(&all, &list, sizeof *z, "z");
  (void)state;
  declaration_forget_names(&list);
  strcpy(a->name, "zz");
  assert_ptr_equal(declaration_named(&list, "zz"), a);
  declaration_find_by_new_names(&all, &list);
  assert_ptr_equal(list.sorted[0], z);
  assert_ptr_equal(declaration_named(&list, "zz"), a);
  assert_null(declaration_named(&list, "a"));
  declaration_free_all(&all, &kind, &list);
}

/* The first of a name is found, and when that goes the next. */
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
      cmocka_unit_test(a_new_name_is_found),
      cmocka_unit_test(a_name_that_repeats_is_found_as_the_first),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
