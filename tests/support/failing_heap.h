/* failing_heap – an allocator that runs out: the n-th request and all that follow fail, and what lives is counted. */
#ifndef SINEW_TESTS_FAILING_HEAP_H
#define SINEW_TESTS_FAILING_HEAP_H

#include <sinew/base.h>

#include <stdlib.h>

typedef struct failing_heap {
  long left;   /* requests until all fail; −1: none does */
  long living; /* blocks that have not been freed */
} failing_heap;

static inline void *failing_heap_reallocate(void *user, void *pointer, size_t size) {
  failing_heap *heap = user;
  if (size == 0) {
    heap->living--;
    free(pointer);
    return NULL;
  }
  if (heap->left == 0) return NULL;
  if (heap->left > 0) heap->left--;
  void *moved = realloc(pointer, size);
  if (!pointer && moved) heap->living++;
  return moved;
}

/* The library's allocator from now on; sinew_set_allocator(NULL) ends it. */
static inline void failing_heap_install(failing_heap *heap) {
  sinew_set_allocator(&(sinew_allocator){failing_heap_reallocate, heap});
}

#endif
