#include "base/memory/memory.h"

#include "base/error.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static void *heap_reallocate(void *user, void *pointer, size_t size) {
  (void)user;
  if (size == 0) {
    free(pointer);
    return NULL;
  }
  return realloc(pointer, size);
}

static sinew_allocator allocator = {heap_reallocate, NULL};
static atomic_uint_fast64_t requests;

void sinew_set_allocator(const sinew_allocator *replacement) {
  allocator = replacement ? *replacement : (sinew_allocator){heap_reallocate, NULL};
}

void *mem_alloc(size_t size) { return mem_resize(NULL, size); }

void *mem_resize(void *pointer, size_t size) {
  if (size == 0 && !pointer) return NULL;
  atomic_fetch_add_explicit(&requests, 1, memory_order_relaxed);
  return allocator.reallocate(allocator.user, pointer, size);
}

/* The system's heap knows that new large blocks are zero, and does not write to them. */
void *mem_alloc_zeroed(size_t size) {
  if (size > 0 && allocator.reallocate == heap_reallocate) {
    atomic_fetch_add_explicit(&requests, 1, memory_order_relaxed);
    return calloc(1, size);
  }
  void *memory = mem_alloc(size);
  if (memory) memset(memory, 0, size);
  return memory;
}

void mem_free(void *pointer) {
  if (pointer) allocator.reallocate(allocator.user, pointer, 0);
}

void *mem_alloc_array(size_t count, size_t size) {
  size_t bytes;
  return size_multiply(count, size, &bytes) ? mem_alloc_zeroed(bytes) : NULL;
}

void mem_move(void **memory, size_t size) {
  void *moved = *memory ? mem_alloc(size) : NULL;
  if (!moved) return;
  memcpy(moved, *memory, size);
  mem_free(*memory);
  *memory = moved;
}

char *mem_copy_string(const char *text) {
  if (!text) return NULL;
  size_t bytes = strlen(text) + 1;
  char *copy = mem_alloc(bytes);
  if (copy) memcpy(copy, text, bytes);
  return copy;
}

bool size_add(size_t a, size_t b, size_t *sum) {
  *sum = a + b;
  return a <= SIZE_MAX - b;
}

bool size_multiply(size_t a, size_t b, size_t *product) {
  *product = a * b;
  return b == 0 || a <= SIZE_MAX / b;
}

uint64_t mem_request_count(void) { return atomic_load_explicit(&requests, memory_order_relaxed); }

/* ---- a growable array as three fields of a struct ---- */

bool array_fit(void **items, int *capacity, int count, size_t size) {
  if (count <= *capacity) return true;
  size_t bytes;
  if (!size_multiply((size_t)count, size, &bytes)) return false;
  void *larger = mem_resize(*items, bytes);
  if (!larger) return false;
  *items = larger;
  *capacity = count;
  return true;
}

bool array_reserve(void **items, int *capacity, int count, size_t size) {
  if (count <= *capacity) return true;
  int wanted = *capacity < 8 ? 8 : *capacity > INT_MAX / 2 ? INT_MAX : *capacity * 2;
  return array_fit(items, capacity, wanted < count ? count : wanted, size);
}

void *array_grow(void **items, int *count, int *capacity, size_t size) {
  if (*count == INT_MAX || !array_reserve(items, capacity, *count + 1, size)) return NULL;
  unsigned char *item = (unsigned char *)*items + (size_t)*count * size;
  memset(item, 0, size);
  (*count)++;
  return item;
}
