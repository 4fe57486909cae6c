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

static void shake_actor(world *w, actor_record *record) {
  world_move(w, &record->plays, record->play_capacity);
  world_move(w, &record->layers, record->layer_capacity);
  world_move(w, &record->morphs, record->morph_capacity);
  world_move(w, &record->params, record->param_capacity);
  world_move(w, &record->graphs, record->graph_capacity);
  world_move(w, &record->modifiers.held, record->modifiers.held_capacity);
}

void world_shake(world *w) {
  world_move(w, &w->actors, w->actor_capacity);
  world_move(w, &w->crowds, w->crowd_capacity);
  world_move(w, &w->markers, w->marker_capacity);
  world_move(w, &w->lines, w->line_capacity);
  for (int i = 0; i < 16 && i < w->actor_count; i++) shake_actor(w, w->actors[w->shaken++ % w->actor_count]);
  w->shaken %= w->actor_count ? w->actor_count : 1;
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
