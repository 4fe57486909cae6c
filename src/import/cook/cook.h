/* cook – a model as one block of bytes: relocatable, versioned, checksummed, little-endian. It is read into one aligned
 * block and validated, not parsed; every offset, count, index and float in it is checked before use. docs/formats.md
 * describes the bytes. */
#ifndef SINEW_IMPORT_COOK_H
#define SINEW_IMPORT_COOK_H

#include "base/memory/block.h"
#include "base/memory/memory.h"

#include <sinew/base.h>
#include <sinew/model.h>

/* The cooked bytes of a model and their number; free with mem_free. NULL and an error message when memory runs out. */
void *cook_bytes(const sinew_model *model, size_t *size, sinew_error *error);

/* Makes a model with one reference from cooked bytes, which are copied. `path` becomes the model's path and names the
 * file in error messages. NULL and an error message for a damaged or hostile file, another version, or no memory. */
sinew_model *cook_read(const void *bytes, size_t size, const char *path, sinew_error *error);

/* The same from the next `size` bytes of an open file of the cache. Its pixels, which are most of many models, are not
 * compared with their checksum, because damage to them is harmless; large ones are not even read, but mapped. So the
 * file must not be shortened: the cache only renames and removes its files. */
sinew_model *cook_read_cached(int file, size_t size, const char *path, sinew_error *error);

/* The same from a file by its path. */
sinew_model *cook_load(const char *path, sinew_error *error);

/* Whether a path has the extension of cooked files, ".sinew". */
bool cook_is_path(const char *path);

/* The first 64 bytes of a cooked file. The payload follows: the model's struct, then every piece in the order of
 * model_visit, each directly after the one before it (arrays rounded up to COOK_ALIGNMENT, texts packed). Every pointer
 * takes eight bytes (cook_layout) and holds its offset in the payload, 0 for NULL. docs/formats.md has the reasons. */

enum { COOK_VERSION = 24, COOK_ALIGNMENT = BLOCK_ALIGNMENT };

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

/* The header of a payload whose pixels begin at `pixels`. */
cook_header cook_header_make(const void *payload, size_t size, size_t pixels);

/* XXH64 (Yann Collet, xxHash specification 0.1.1): 64 bits over many bytes, faster than memory. It detects damage, not
 * forgery, so everything that is read is checked as well. */

uint64_t hash_bytes(const void *bytes, size_t size, uint64_t seed);

#endif
