/* array – a growable array as three fields of a struct: `T *items; int count, capacity;`. */
#ifndef SINEW_BASE_ARRAY_H
#define SINEW_BASE_ARRAY_H

#include <sinew/base.h>

/* Makes room for `count` items of `size` bytes; false, and nothing changed, when memory runs out. */
bool array_reserve(void **items, int *capacity, int count, size_t size);
/* The same and for no more than these: of what seldom grows, and of which there are many arrays. */
bool array_fit(void **items, int *capacity, int count, size_t size);

/* A pointer to a new zeroed item at the end, or NULL when memory runs out. */
void *array_grow(void **items, int *count, int *capacity, size_t size);

#endif
