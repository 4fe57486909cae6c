#include "base/memory/array.h"

#include "base/memory/memory.h"

#include <limits.h>
#include <string.h>

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
