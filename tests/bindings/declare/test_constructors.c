/* Where the items of table constructors stand, as written, against lines counted by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "lua/constructors.h"

static constructors *read_text(const char *text) {
  int tables, items;
  constructors_count(text, strlen(text), &tables, &items);
  constructors *all = malloc(sizeof *all);
  *all = (constructors){malloc((size_t)tables * sizeof(constructor)), malloc((size_t)items * sizeof(constructor_item)),
                        0, 0};
  constructors_read(text, strlen(text), all);
  assert_in_range(all->table_count, 0, tables);
  assert_in_range(all->item_count, 0, items);
  return all;
}

static void forget(constructors *all) {
  free(all->tables);
  free(all->items);
  free(all);
}

static const constructor_item *item(const constructors *all, int table, int position, const char *key) {
  for (int i = 0; i < all->item_count; i++) {
    const constructor_item *at = all->items + i;
    bool same_key = key && at->key.begin && at->key.size == strlen(key) && !memcmp(at->key.begin, key, at->key.size);
    if (at->table == table && (key ? same_key : at->position == position)) return at;
  }
  fail_msg("table %d has no item %d %s", table, position, key ? key : "");
  return NULL;
}

static void expect_line(const constructors *all, int table, int position, const char *key, int line) {
  assert_int_equal(item(all, table, position, key)->line, line);
}

static void items_have_their_lines(void **state) {
  (void)state;
  constructors *all = read_text("local t = f {\n"
                                "  1, 2,\n"
                                "  three = 3, ['four'] = 4;\n"
                                "  { 5,\n"
                                "    6 },\n"
                                "}\n");
  assert_int_equal(all->table_count, 2);
  assert_int_equal(all->tables[0].positions, 3);
  expect_line(all, 0, 1, NULL, 2);
  expect_line(all, 0, 2, NULL, 2);
  expect_line(all, 0, 0, "three", 3);
  expect_line(all, 0, 0, "four", 3);
  expect_line(all, 0, 3, NULL, 4);
  assert_int_equal(item(all, 0, 3, NULL)->value, 1);
  expect_line(all, 1, 2, NULL, 5);
  forget(all);
}

static void comments_strings_and_functions_are_no_items(void **state) {
  (void)state;
  constructors *all = read_text("return {\n"
                                "  'a, {', \"b \\\" , }\", -- c, {\n"
                                "  [[ long , {\n"
                                "  ]], --[==[ , }\n"
                                "  ]] , ]==] [ [=[key]=] ] = 7,\n"
                                "  when = function(x, y)\n"
                                "    local p, q = 1, { x, y }\n"
                                "    if x then return p, q elseif y then repeat x = f(1, 2) until x end\n"
                                "    for i = 1, 2 do while x do x = nil end end\n"
                                "    return function() return 1, 2 end\n"
                                "  end, f(1, 2, g { 3, 4 }),\n"
                                "  last = 1\n"
                                "}\n");
  assert_int_equal(all->tables[0].positions, 4);
  expect_line(all, 0, 2, NULL, 2);
  expect_line(all, 0, 3, NULL, 3);
  expect_line(all, 0, 0, "key", 5);
  expect_line(all, 0, 0, "when", 6);
  expect_line(all, 0, 4, NULL, 11);
  expect_line(all, 0, 0, "last", 12);
  forget(all);
}

static void a_constructor_knows_its_call_and_its_variable(void **state) {
  (void)state;
  constructors *all = read_text("local ways = {\n"
                                "  { 1 } }\n"
                                "sinew.machine(\n"
                                "  { transitions = ways, 'x' })\n"
                                "ways = { 2 }\n");
  text_span name = item(all, 2, 0, "transitions")->name;
  assert_int_equal(all->tables[2].line, 4);
  assert_int_equal(all->tables[2].call, 3);
  assert_int_equal(all->tables[2].prefix, 3);
  assert_int_equal(constructors_assigned(all, name, 4), 0);
  assert_int_equal(constructors_assigned(all, name, 5), 3);
  forget(all);
}

/* Whatever the text, the counts are enough and nothing is read beyond its end. */
static void broken_text_is_read_to_its_end(void **state) {
  static const char whole[] = "f { [[x]], 'y', { a = function() end }, [1] = 2 --[[ z ]] }";
  (void)state;
  for (size_t size = 0; size < sizeof whole; size++) {
    char *text = calloc(1, size + 1);
    memcpy(text, whole + (sizeof whole - 1 - size), size);
    forget(read_text(text));
    memcpy(text, whole, size);
    forget(read_text(text));
    free(text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(items_have_their_lines),
      cmocka_unit_test(comments_strings_and_functions_are_no_items),
      cmocka_unit_test(a_constructor_knows_its_call_and_its_variable),
      cmocka_unit_test(broken_text_is_read_to_its_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
