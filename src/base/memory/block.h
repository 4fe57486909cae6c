/* block – many arrays in one allocation. A layout function is run twice over the same steps: first with no memory, to
 * measure, then with the block, to carve. Both runs go through block_take, so they cannot disagree. */
#ifndef SINEW_BASE_BLOCK_H
#define SINEW_BASE_BLOCK_H

#include <sinew/base.h>

enum { BLOCK_ALIGNMENT = 64 };

typedef struct block {
  unsigned char *memory; /* NULL while measuring */
  size_t used;
  bool overflow;
} block;

/* The next count × size bytes, zeroed; NULL while measuring, for a count of 0, or after an overflow. */
void *block_take(block *b, size_t count, size_t size);

/* block_take and memcpy from `source` (NULL source: zeros). */
void *block_copy(block *b, const void *source, size_t count, size_t size);

/* A string with its end; NULL text becomes "". */
char *block_string(block *b, const char *text);

/* Measures and carves: runs `layout(b, user)` twice. The memory is freed with block_release. NULL and an error message
 * on failure. */
typedef void block_layout(block *b, void *user);
void *block_create(block_layout *layout, void *user, const char *what, sinew_error *error);
/* Memory aligned and freed like a block, but not zeroed. */
void *block_create_raw(size_t size, const char *what, sinew_error *error);
void block_release(void *memory);

#endif
