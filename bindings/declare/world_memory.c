#include "declare/world.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void *world_allocate(world *w, size_t size) {
  void *memory = w->allocator.reallocate(w->allocator.user, NULL, size);
  if (memory) memset(memory, 0, size);
  return memory;
}

void world_free(world *w, void *memory) {
  if (memory) w->allocator.reallocate(w->allocator.user, memory, 0);
}

bool world_append(world *w, void *items, int *count, int *capacity, void *item) {
  void **array;
  memcpy(&array, items, sizeof array);
  if (*count == *capacity) {
    int larger = *capacity ? *capacity * 2 : 4;
    array = w->allocator.reallocate(w->allocator.user, array, (size_t)larger * sizeof *array);
    if (!array) return false;
    memcpy(items, &array, sizeof array);
    *capacity = larger;
  }
  array[(*count)++] = item;
  return true;
}

bool world_fail(sinew_error *error, const char *format, ...) {
  if (!error) return false;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->message, sizeof error->message, format, arguments);
  va_end(arguments);
  return false;
}

void world_copy(char *out, size_t size, const char *text) { snprintf(out, size, "%s", text ? text : ""); }
