/* cook – a model as one block of bytes: relocatable, versioned, checksummed, little-endian. It is read into one aligned
 * block and validated, not parsed; every offset, count, index and float in it is checked before use. docs/formats.md
 * describes the bytes. */
#ifndef SINEW_IMPORT_COOK_H
#define SINEW_IMPORT_COOK_H

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

#endif
