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

void world_move(world *w, void *items, int capacity) {
  void **array, **moved;
  memcpy(&array, items, sizeof array);
  if (!array || !(moved = world_allocate(w, (size_t)capacity * sizeof *moved))) return;
  memcpy(moved, array, (size_t)capacity * sizeof *moved);
  world_free(w, array);
  memcpy(items, &moved, sizeof moved);
}

static void shake_list(world *w, declaration_list *list) { world_move(w, &list->items, list->capacity); }

static void shake_actor(world *w, actor_record *record) {
  for (int i = 0; i < PARTS; i++) shake_list(w, &record->parts[i]);
  world_shake_modifiers(w, record);
}

void world_shake(world *w) {
  shake_list(w, &w->actors);
  shake_list(w, &w->crowds);
  shake_list(w, &w->markers);
  shake_list(w, &w->look);
  world_move(w, &w->lines, w->line_capacity);
  for (int i = 0; i < 16 && i < w->actors.count; i++) shake_actor(w, actor_at(w, w->shaken++ % w->actors.count));
  w->shaken %= w->actors.count ? w->actors.count : 1;
}

bool world_fail(sinew_error *error, const char *format, ...) {
  if (!error) return false;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->message, sizeof error->message, format, arguments);
  va_end(arguments);
  return false;
}

void world_note(world *w, const char *format, ...) {
  size_t used = strlen(w->summary);
  w->changes++;
  if (used + 120 > sizeof w->summary) {
    w->untold++;
    return;
  }
  if (used > 0) used += (size_t)snprintf(w->summary + used, sizeof w->summary - used, ", ");
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(w->summary + used, sizeof w->summary - used, format, arguments);
  va_end(arguments);
}

void world_copy(char *out, size_t size, const char *text) { snprintf(out, size, "%s", text ? text : ""); }
