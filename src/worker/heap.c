#include "worker/heap.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

#if defined(__linux__) && defined(__GLIBC__)
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

/* The third is the largest value that the C library accepts. */
enum { LARGE_PAGE = 1 << 21, HEAP_STEP = 48 << 20, MOST_IN_HEAP = 32 << 20 };

static void *volatile before; /* the small pages at the beginning, which are never used */

/* Uses one heap for all threads, because only the main one is in large pages; starts it at the first of them. */
void heap_prepare(void) {
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_THRESHOLD, MOST_IN_HEAP);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
  mallopt(M_TOP_PAD, HEAP_STEP);
  uintptr_t begin = (uintptr_t)sbrk(0), large = (begin + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
  before = malloc(large - begin + LARGE_PAGE / 2); /* more than the heap has, so it grows by a step */
  uintptr_t end = (uintptr_t)sbrk(0);
  if (large < end) madvise((void *)large, end - large, MADV_HUGEPAGE);
}
#else
void heap_prepare(void) {}
#endif
