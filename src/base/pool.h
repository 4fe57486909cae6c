/* pool – things with ids that tell when they are stale. An id holds a slot (20 bits) and the slot's generation (12
 * bits, never 0), so 0 is no id, and an id of a thing that is gone is not the id of what came into its slot. Items move
 * when the pool grows: keep ids, not pointers. */
#ifndef SINEW_BASE_POOL_H
#define SINEW_BASE_POOL_H

#include <sinew/base.h>

typedef struct pool {
  size_t item_size;
  unsigned char *items;
  uint16_t *generations; /* odd: alive, even: free */
  int32_t *next_free;
  int capacity, first_free;
} pool;

void pool_init(pool *p, size_t item_size);
void pool_reset(pool *p); /* frees the memory */

/* A zeroed item and its id in *id; NULL (id 0) when memory or slots are out. */
void *pool_add(pool *p, uint32_t *id);
/* The item, or NULL for a stale or foreign id. */
void *pool_find(const pool *p, uint32_t id);
void pool_remove(pool *p, uint32_t id);

#endif
