#include "declare/declarations.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void *declarations_allocate(declarations *all, size_t size) {
  void *memory = all->allocator.reallocate(all->allocator.user, NULL, size);
  if (memory) memset(memory, 0, size);
  return memory;
}

void declarations_free(declarations *all, void *memory) {
  if (memory) all->allocator.reallocate(all->allocator.user, memory, 0);
}

bool declarations_append(declarations *all, void *items, int *count, int *capacity, void *item) {
  void **array;
  memcpy(&array, items, sizeof array);
  if (*count == *capacity) {
    int larger = *capacity ? *capacity * 2 : 4;
    array = all->allocator.reallocate(all->allocator.user, array, (size_t)larger * sizeof *array);
    if (!array) return false;
    memcpy(items, &array, sizeof array);
    *capacity = larger;
  }
  array[(*count)++] = item;
  return true;
}

void declarations_move(declarations *all, void *items, int capacity) {
  void **array, **moved;
  memcpy(&array, items, sizeof array);
  if (!array || !(moved = declarations_allocate(all, (size_t)capacity * sizeof *moved))) return;
  memcpy(moved, array, (size_t)capacity * sizeof *moved);
  declarations_free(all, array);
  memcpy(items, &moved, sizeof moved);
}

bool declarations_fail(sinew_error *error, const char *format, ...) {
  if (!error) return false;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->message, sizeof error->message, format, arguments);
  va_end(arguments);
  return false;
}

void declarations_note(declarations *all, const char *format, ...) {
  size_t used = strlen(all->summary);
  all->changes++;
  if (used + 120 > sizeof all->summary) {
    all->untold++;
    return;
  }
  if (used > 0) used += (size_t)snprintf(all->summary + used, sizeof all->summary - used, ", ");
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(all->summary + used, sizeof all->summary - used, format, arguments);
  va_end(arguments);
}

void declarations_copy(char *out, size_t size, const char *text) {
  size_t length = text ? strlen(text) : 0;
  if (length >= size) length = size - 1;
  if (length > 0) memcpy(out, text, length);
  out[length] = 0;
}
