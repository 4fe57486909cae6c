/* array – a growable array as three fields of a struct: `T *items; int count, capacity;`. */
#ifndef SINEW_BASE_ARRAY_H
#define SINEW_BASE_ARRAY_H

#include <sinew/base.h>

/* Makes room for `count` items of `size` bytes; false, and nothing changed, when memory runs out. */
bool array_reserve(void **items, int *capacity, int count, size_t size);
/* Grows the array to exactly this size, for arrays that are many and seldom grow. */
bool array_fit(void **items, int *capacity, int count, size_t size);

/* A pointer to a new zeroed item at the end, or NULL when memory runs out. */
void *array_grow(void **items, int *count, int *capacity, size_t size);

#endif
