#include "base/memory/block.h"

#include "base/error.h"
#include "base/memory/memory.h"

#include <string.h>

void *block_take(block *b, size_t count, size_t size) {
  size_t bytes, end;
  if (!size_multiply(count, size, &bytes) || !size_add(b->used, bytes, &end) ||
      !size_add(end, BLOCK_ALIGNMENT - 1, &end)) {
    b->overflow = true;
    return NULL;
  }
  void *start = b->memory ? b->memory + b->used : NULL;
  if (b->overflow || bytes == 0) return NULL;
  b->used = end / BLOCK_ALIGNMENT * BLOCK_ALIGNMENT;
  return start;
}

void *block_copy(block *b, const void *source, size_t count, size_t size) {
  void *copy = block_take(b, count, size);
  if (copy && source) memcpy(copy, source, count * size);
  return copy;
}

char *block_string(block *b, const char *text) {
  if (!text) text = "";
  return block_copy(b, text, strlen(text) + 1, 1);
}

/* The block starts at the next aligned address; the word before it stores the address of the allocation. */
static unsigned char *align_block(unsigned char *allocation) {
  uintptr_t address = (uintptr_t)allocation + sizeof(void *);
  uintptr_t aligned = (address + BLOCK_ALIGNMENT - 1) / BLOCK_ALIGNMENT * BLOCK_ALIGNMENT;
  unsigned char *memory = allocation + (aligned - (uintptr_t)allocation);
  memcpy(memory - sizeof(void *), &allocation, sizeof allocation);
  return memory;
}

static void *create(size_t size, bool zeroed, const char *what, sinew_error *error) {
  size_t bytes;
  if (!size_add(size, BLOCK_ALIGNMENT + sizeof(void *), &bytes)) {
    error_set(error, "%s is larger than this machine can address", what);
    return NULL;
  }
  unsigned char *allocation = zeroed ? mem_alloc_zeroed(bytes) : mem_alloc(bytes);
  if (allocation) return align_block(allocation);
  error_memory(error, what, bytes);
  return NULL;
}

void *block_create_raw(size_t size, const char *what, sinew_error *error) { return create(size, false, what, error); }

void *block_create(block_layout *layout, void *user, const char *what, sinew_error *error) {
  block measure = {0};
  layout(&measure, user);
  block carve = {.memory = create(measure.overflow ? SIZE_MAX : measure.used, true, what, error)};
  if (!carve.memory) return NULL;
  layout(&carve, user);
  return carve.memory;
}

void block_release(void *memory) {
  if (!memory) return;
  unsigned char *allocation;
  memcpy(&allocation, (unsigned char *)memory - sizeof(void *), sizeof allocation);
  mem_free(allocation);
}
