/* pool – items with ids that can be recognised as stale. An id holds a slot and, above it, the slot's generation (31
 * bits, never 0). So 0 is not an id, an id fits a signed 64-bit integer, and the id of a removed item is never that of
 * a later item in its slot: a slot whose generations are used up is not used again. New items take the slot that has
 * been free longest. Items move when the pool grows: keep ids, not pointers. */
#ifndef SINEW_BASE_POOL_H
#define SINEW_BASE_POOL_H

#include <sinew/base.h>

enum { POOL_SLOT_BITS = 32 };

typedef struct pool {
  size_t item_size;
  unsigned char *items;
  uint32_t *generations; /* odd: alive, even: free */
  int32_t *next_free;    /* a queue of the free slots */
  int capacity, first_free, last_free;
} pool;

void pool_init(pool *p, size_t item_size);
void pool_reset(pool *p); /* frees the memory */

/* Adds a zeroed item, with its id in *id; NULL (id 0) when memory or slots run out. */
void *pool_add(pool *p, uint64_t *id);
/* The slot of an id; -1 for a stale or foreign one. */
static inline int pool_slot(const pool *p, uint64_t id) {
  uint32_t slot = (uint32_t)id, generation = (uint32_t)(id >> POOL_SLOT_BITS);
  bool lives = (generation & 1) && slot < (uint32_t)p->capacity && p->generations[slot] == generation;
  return lives ? (int)slot : -1;
}
/* The item, or NULL. Inline, because an update looks up each action several times. */
static inline void *pool_find(const pool *p, uint64_t id) {
  int slot = pool_slot(p, id);
  return slot < 0 ? NULL : p->items + (size_t)slot * p->item_size;
}
void pool_remove(pool *p, uint64_t id);
/* Moves the items, as growing does (mem_move). */
void pool_shake(pool *p);

#endif
