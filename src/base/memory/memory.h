#ifndef SINEW_BASE_MEMORY_H
#define SINEW_BASE_MEMORY_H

#include <sinew/base.h>

/* All memory of the core is allocated here, so that one hook sees it and a test can fail each request. A size of 0
 * gives NULL from `mem_alloc`; `mem_free(NULL)` is allowed. Blocks are aligned as malloc aligns them. */
void *mem_alloc(size_t size);
void *mem_alloc_zeroed(size_t size);
void *mem_resize(void *pointer, size_t size);
void mem_free(void *pointer);

/* count × size bytes, zeroed; NULL if the product overflows. */
void *mem_alloc_array(size_t count, size_t size);
/* Moves a block to another address, so that a sanitizer finds pointers to the old one; when memory runs out it stays.
 */
void mem_move(void **memory, size_t size);
char *mem_copy_string(const char *text); /* NULL for NULL */

/* False if a + b or a × b overflows. */
bool size_add(size_t a, size_t b, size_t *sum);
bool size_multiply(size_t a, size_t b, size_t *product);

/* Requests made so far in this process: a test takes the difference over a warm update. */
uint64_t mem_request_count(void);

/* ---- a growable array as three fields of a struct ---- */

/* Makes room for `count` items of `size` bytes; false, and nothing changed, when memory runs out. */
bool array_reserve(void **items, int *capacity, int count, size_t size);
/* Grows the array to exactly this size, for arrays that are many and seldom grow. */
bool array_fit(void **items, int *capacity, int count, size_t size);

/* A pointer to a new zeroed item at the end, or NULL when memory runs out. */
void *array_grow(void **items, int *count, int *capacity, size_t size);

#endif
