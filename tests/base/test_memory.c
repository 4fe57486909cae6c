#include "support/fixture.h"

#include "support/failing_heap.h"
#include "support/large_pages.h"

#include "base/memory/block.h"
#include "base/memory/memory.h"
#include "base/memory/pool.h"
#include "base/system.h"

static void sizes_that_do_not_fit_are_refused(void **state) {
  (void)state;
  size_t result;
  assert_true(size_multiply(3, 5, &result));
  assert_int_equal(result, 15);
  assert_false(size_multiply(SIZE_MAX / 2, 3, &result));
  assert_false(size_add(SIZE_MAX, 1, &result));
  assert_null(mem_alloc_array(SIZE_MAX / 4, 8));
}

typedef struct parts {
  int *numbers;
  char *text;
} parts;

static void lay_parts(block *b, void *user) {
  parts *p = user;
  p->numbers = block_take(b, 3, sizeof *p->numbers);
  p->text = block_string(b, "bones");
}

static void a_block_holds_its_arrays(void **state) {
  (void)state;
  parts p = {0};
  void *memory = block_create(lay_parts, &p, "parts", NULL);
  assert_non_null(memory);
  assert_int_equal((uintptr_t)p.numbers % BLOCK_ALIGNMENT, 0);
  assert_int_equal((uintptr_t)p.text % BLOCK_ALIGNMENT, 0);
  assert_int_equal(p.numbers[0] + p.numbers[1] + p.numbers[2], 0);
  assert_string_equal(p.text, "bones");
  block_release(memory);
}

static void lay_too_much(block *b, void *user) {
  (void)user;
  block_take(b, SIZE_MAX / 8, 4);
  block_take(b, SIZE_MAX / 8, 4);
  block_take(b, SIZE_MAX / 8, 4);
}

static void a_block_too_large_is_an_error(void **state) {
  (void)state;
  sinew_error error;
  assert_null(block_create(lay_too_much, NULL, "a giant", &error));
  assert_non_null(strstr(error.message, "a giant"));
}

static void pool_ids_go_stale(void **state) {
  (void)state;
  pool p;
  uint64_t first, second;
  pool_init(&p, sizeof(int));
  *(int *)pool_add(&p, &first) = 7;
  assert_int_not_equal(first, 0);
  assert_int_equal(*(int *)pool_find(&p, first), 7);
  pool_remove(&p, first);
  assert_null(pool_find(&p, first));
  pool_remove(&p, first);
  assert_non_null(pool_add(&p, &second));
  assert_int_not_equal(first, second);
  assert_null(pool_find(&p, first));
  assert_null(pool_find(&p, 0));
  assert_null(pool_find(&p, 0xFFFFFFFF));
  assert_null(pool_find(&p, UINT64_MAX));
  pool_reset(&p);
}

static void a_pool_grows_and_keeps_its_items(void **state) {
  (void)state;
  pool p;
  uint64_t ids[1000];
  pool_init(&p, sizeof(int));
  for (int i = 0; i < 1000; i++) *(int *)pool_add(&p, &ids[i]) = i;
  for (int i = 0; i < 1000; i += 3) pool_remove(&p, ids[i]);
  for (int i = 0; i < 1000; i++) {
    int *item = pool_find(&p, ids[i]);
    if (i % 3 == 0) assert_null(item);
    else assert_int_equal(*item, i);
  }
  pool_reset(&p);
}

static void the_slot_that_is_free_longest_is_taken_first(void **state) {
  (void)state;
  pool p;
  uint64_t ids[16], next;
  pool_init(&p, sizeof(int));
  for (int i = 0; i < 16; i++) (void)pool_add(&p, &ids[i]);
  for (int i = 0; i < 16; i++) pool_remove(&p, ids[i * 5 % 16]);
  for (int i = 0; i < 16; i++) {
    assert_non_null(pool_add(&p, &next));
    assert_int_equal((uint32_t)next, (uint32_t)ids[i * 5 % 16]);
  }
  pool_reset(&p);
}

/* However often a slot is used again: the last ids before its generations are used up, and the slot goes with them. */
static void no_id_comes_back(void **state) {
  (void)state;
  pool p;
  uint64_t first, last, other;
  pool_init(&p, sizeof(int));
  assert_non_null(pool_add(&p, &first));
  for (int i = 0; i < 100000; i++) {
    pool_remove(&p, i ? other : first);
    assert_non_null(pool_add(&p, &other));
    assert_null(pool_find(&p, first));
  }
  int slot = (int)(uint32_t)other;
  p.generations[slot] = INT32_MAX; /* as after a thousand million uses */
  last = (uint64_t)INT32_MAX << 32 | (uint64_t)slot;
  assert_non_null(pool_find(&p, last));
  assert_true((int64_t)last > 0);
  pool_remove(&p, last);
  assert_null(pool_find(&p, last));
  for (int i = 0; i < 100; i++) {
    assert_non_null(pool_add(&p, &other));
    assert_int_not_equal((uint32_t)other, slot);
  }
  pool_reset(&p);
}

static failing_heap heap;

static void failed_growth_changes_nothing(void **state) {
  (void)state;
  failing_heap_install(&heap);
  int *items = NULL, count = 0, capacity = 0;
  heap.left = 1;
  for (int i = 0; i < 8; i++) *(int *)array_grow((void **)&items, &count, &capacity, sizeof *items) = i;
  assert_null(array_grow((void **)&items, &count, &capacity, sizeof *items));
  assert_int_equal(count, 8);
  assert_int_equal(items[7], 7);
  mem_free(items);
  sinew_set_allocator(NULL);
}

static void a_pool_without_memory_gives_no_id(void **state) {
  (void)state;
  failing_heap_install(&heap);
  for (int fail_at = 0; fail_at < 3; fail_at++) {
    pool p;
    uint64_t id = 9;
    heap.left = fail_at;
    pool_init(&p, 24);
    assert_null(pool_add(&p, &id));
    assert_int_equal(id, 0);
    pool_reset(&p);
  }
  sinew_set_allocator(NULL);
}

static void much_memory_gets_large_pages(void **state) {
  (void)state;
  const size_t size = 9 << 20;
  unsigned char *memory = malloc(size);
  assert_non_null(memory);
  bool tells = large_pages_at(memory + size / 2) == 0;
  system_use_large_pages(memory, size);
  if (tells) assert_int_equal(large_pages_at(memory + size / 2), 1);
  free(memory);
  if (!tells) skip();
}

/* Any part of a block, of any size: neither the block nor what is beside it changes. */
static void large_pages_keep_what_is_in_them(void **state) {
  (void)state;
  const size_t size = 9 << 20, pieces[][2] = {{0, 0}, {3, 100}, {4096, 1 << 20}, {12345, 7 << 20}, {0, 9 << 20}};
  unsigned char *memory = malloc(size);
  assert_non_null(memory);
  for (size_t i = 0; i < size; i++) memory[i] = (unsigned char)(i * 7 + i / 4096);
  for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++)
    system_use_large_pages(memory + pieces[k][0], pieces[k][1]);
  for (size_t i = 0; i < size; i++)
    if (memory[i] != (unsigned char)(i * 7 + i / 4096)) fail_msg("byte %zu changed", i);
  free(memory);
  system_use_large_pages(NULL, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizes_that_do_not_fit_are_refused),
      cmocka_unit_test(a_block_holds_its_arrays),
      cmocka_unit_test(a_block_too_large_is_an_error),
      cmocka_unit_test(pool_ids_go_stale),
      cmocka_unit_test(a_pool_grows_and_keeps_its_items),
      cmocka_unit_test(the_slot_that_is_free_longest_is_taken_first),
      cmocka_unit_test(no_id_comes_back),
      cmocka_unit_test(failed_growth_changes_nothing),
      cmocka_unit_test(a_pool_without_memory_gives_no_id),
      cmocka_unit_test(large_pages_keep_what_is_in_them),
      cmocka_unit_test(much_memory_gets_large_pages),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
