/* cache_entry – one file of the cache: a header, the key, the list of sources, then the cooked model, aligned. */
#ifndef SINEW_IMPORT_CACHE_ENTRY_H
#define SINEW_IMPORT_CACHE_ENTRY_H

#include "import/cache/cache_sources.h"

#include <sinew/model.h>

/* Changes with the sources of the import (cmake/ImportStamp.cmake). */
extern const char import_stamp[];

/* The key of an entry: everything that the result depends on except the files' contents. The first line is the source.
 */
typedef struct cache_key {
  char *text;
  char name[40]; /* of the file in the folder */
} cache_key;

/* False when memory runs out or there is no current folder. */
bool cache_key_make(cache_key *key, const char *path, const sinew_load_options *options);
void cache_key_reset(cache_key *key);

/* Returns the model and its sources (reset them); NULL for a missing, foreign or damaged entry. Checks sources before
 * it reads the model; a changed one also gives NULL. */
sinew_model *entry_load(const char *folder, const cache_key *key, const char *path, source_list *sources, bool *aged);
bool entry_store(const char *folder, const cache_key *key, const source_list *sources, const void *cooked, size_t size,
                 sinew_error *error);

/* The path of the model that an entry was made from; false for a file that is not an entry. */
bool entry_source(const char *path, char *out, size_t size);

#endif
