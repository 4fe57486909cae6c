/* cook_format – the first 64 bytes of a cooked file. The payload follows: the model's struct, then every piece in the
 * order of model_visit, each directly after the one before it (arrays rounded up to COOK_ALIGNMENT, texts packed).
 * Every pointer takes eight bytes (cook_layout) and holds its offset in the payload, 0 for NULL. docs/formats.md has
 * the reasons. */
#ifndef SINEW_IMPORT_COOK_FORMAT_H
#define SINEW_IMPORT_COOK_FORMAT_H

#include "base/memory/block.h"

enum { COOK_VERSION = 23, COOK_ALIGNMENT = BLOCK_ALIGNMENT };

typedef struct cook_header {
  char magic[8];       /* "SINEWCK" */
  uint32_t byte_order; /* 0x01020304 */
  uint32_t version;    /* COOK_VERSION */
  uint32_t layout;     /* cook_layout_stamp */
  uint32_t zero;
  uint64_t payload_size; /* bytes, a multiple of COOK_ALIGNMENT */
  uint64_t pixels;   /* the offset of the images' pixels, the last part of the payload; its size if there are none */
  uint64_t checksum; /* XXH64 of everything before the pixels, seed 0 */
  uint64_t pixel_checksum;
  uint64_t zeros[1];
} cook_header;

_Static_assert(sizeof(cook_header) == COOK_ALIGNMENT, "the payload begins aligned");

/* The header of a payload whose pixels begin at `pixels`. */
cook_header cook_header_make(const void *payload, size_t size, size_t pixels);

#endif
