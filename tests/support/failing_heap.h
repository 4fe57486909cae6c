/* failing_heap – an allocator that runs out: the n-th request and all that follow fail, and what lives is counted. */
#ifndef SINEW_TESTS_FAILING_HEAP_H
#define SINEW_TESTS_FAILING_HEAP_H

#include <sinew/base.h>

#include <stdatomic.h>
#include <stdlib.h>

typedef struct failing_heap {
  _Atomic long left;   /* requests until all fail; −1: none does */
  _Atomic long living; /* blocks that have not been freed */
} failing_heap;

static inline void *failing_heap_reallocate(void *user, void *pointer, size_t size) {
  failing_heap *heap = user;
  if (size == 0) {
    heap->living--;
    free(pointer);
    return NULL;
  }
  long left = heap->left; /* which several threads may ask for */
  while (left > 0 && !atomic_compare_exchange_weak(&heap->left, &left, left - 1)) {
  }
  if (left == 0) return NULL;
  void *moved = realloc(pointer, size);
  if (!pointer && moved) heap->living++;
  return moved;
}

/* The library's allocator from now on; sinew_set_allocator(NULL) ends it. */
static inline void failing_heap_install(failing_heap *heap) {
  sinew_set_allocator(&(sinew_allocator){failing_heap_reallocate, heap});
}

#endif
