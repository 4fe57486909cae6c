#include "base/memory/pool.h"

#include "base/memory/memory.h"

#include <string.h>

enum { MOST_SLOTS = 1 << 30, LAST_GENERATION = INT32_MAX };

void pool_init(pool *p, size_t item_size) { *p = (pool){.item_size = item_size, .first_free = -1, .last_free = -1}; }

void pool_reset(pool *p) {
  mem_free(p->items);
  mem_free(p->generations);
  mem_free(p->next_free);
  pool_init(p, p->item_size);
}

static bool resize(void **array, int count, size_t size) {
  size_t bytes;
  void *larger = size_multiply((size_t)count, size, &bytes) ? mem_resize(*array, bytes) : NULL;
  if (larger) *array = larger;
  return larger != NULL;
}

static void push_free(pool *p, int slot) {
  p->next_free[slot] = -1;
  if (p->last_free < 0) p->first_free = slot;
  else p->next_free[p->last_free] = slot;
  p->last_free = slot;
}

static int take_free(pool *p) {
  int slot = p->first_free;
  p->first_free = p->next_free[slot];
  if (p->first_free < 0) p->last_free = -1;
  return slot;
}

static bool grow(pool *p) {
  if (p->capacity == MOST_SLOTS) return false;
  int before = p->capacity, capacity = before ? before * 2 : 16;
  if (!resize((void **)&p->items, capacity, p->item_size) ||
      !resize((void **)&p->generations, capacity, sizeof *p->generations) ||
      !resize((void **)&p->next_free, capacity, sizeof *p->next_free))
    return false;
  memset(p->generations + before, 0, (size_t)(capacity - before) * sizeof *p->generations);
  for (int i = before; i < capacity; i++) push_free(p, i);
  p->capacity = capacity;
  return true;
}

void *pool_add(pool *p, uint64_t *id) {
  *id = 0;
  if (p->first_free < 0 && !grow(p)) return NULL;
  int slot = take_free(p);
  *id = (uint64_t)++p->generations[slot] << POOL_SLOT_BITS | (uint64_t)slot;
  return memset(p->items + (size_t)slot * p->item_size, 0, p->item_size);
}

void pool_remove(pool *p, uint64_t id) {
  int slot = pool_slot(p, id);
  if (slot < 0) return;
  bool spent = p->generations[slot]++ == LAST_GENERATION;
  if (!spent) push_free(p, slot);
}

void pool_shake(pool *p) {
  mem_move((void **)&p->items, (size_t)p->capacity * p->item_size);
  mem_move((void **)&p->generations, (size_t)p->capacity * sizeof *p->generations);
  mem_move((void **)&p->next_free, (size_t)p->capacity * sizeof *p->next_free);
}
