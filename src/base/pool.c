#include "base/pool.h"

#include "base/memory.h"

#include <string.h>

enum { SLOT_BITS = 20, SLOT_MASK = (1 << SLOT_BITS) - 1, GENERATION_MASK = 0xFFF };

void pool_init(pool *p, size_t item_size) { *p = (pool){.item_size = item_size, .first_free = -1}; }

void pool_reset(pool *p) {
  mem_free(p->items);
  mem_free(p->generations);
  mem_free(p->next_free);
  pool_init(p, p->item_size);
}

static bool resize(void **array, int count, size_t size) {
  void *larger = mem_resize(*array, (size_t)count * size);
  if (larger) *array = larger;
  return larger != NULL;
}

static bool grow(pool *p) {
  int capacity = p->capacity ? p->capacity * 2 : 16;
  if (capacity > SLOT_MASK) return false;
  if (!resize((void **)&p->items, capacity, p->item_size) ||
      !resize((void **)&p->generations, capacity, sizeof *p->generations) ||
      !resize((void **)&p->next_free, capacity, sizeof *p->next_free))
    return false;
  for (int i = capacity - 1; i >= p->capacity; i--) {
    p->generations[i] = 0;
    p->next_free[i] = p->first_free;
    p->first_free = i;
  }
  p->capacity = capacity;
  return true;
}

void *pool_add(pool *p, uint32_t *id) {
  *id = 0;
  if (p->first_free < 0 && !grow(p)) return NULL;
  int slot = p->first_free;
  p->first_free = p->next_free[slot];
  p->generations[slot] = (uint16_t)((p->generations[slot] + 1) & GENERATION_MASK);
  *id = (uint32_t)p->generations[slot] << SLOT_BITS | (uint32_t)slot;
  return memset(p->items + (size_t)slot * p->item_size, 0, p->item_size);
}

void *pool_find(const pool *p, uint32_t id) {
  int slot = (int)(id & SLOT_MASK);
  uint32_t generation = id >> SLOT_BITS;
  if (!(generation & 1) || slot >= p->capacity || p->generations[slot] != generation) return NULL;
  return p->items + (size_t)slot * p->item_size;
}

void pool_remove(pool *p, uint32_t id) {
  if (!pool_find(p, id)) return;
  int slot = (int)(id & SLOT_MASK);
  p->generations[slot] = (uint16_t)((p->generations[slot] + 1) & GENERATION_MASK);
  p->next_free[slot] = p->first_free;
  p->first_free = slot;
}
