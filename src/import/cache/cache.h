/* cache – models that were imported before, cooked, in a folder of the user's: $SINEW_CACHE, else
 * $XDG_CACHE_HOME/sinew, else ~/.cache/sinew. SINEW_CACHE=off: none. SINEW_CACHE_LIMIT: megabytes (2²⁰ bytes), 1,024
 * where it is not set.
 *
 * One file for each source and set of options. It holds the list of every file that the import opened or looked for,
 * and the cooked model. It is written beside and renamed, so any number of processes may use the folder at once.
 * Nothing here fails: if an entry is damaged or out of date, or cannot be written, the model is imported again. */
#ifndef SINEW_IMPORT_CACHE_H
#define SINEW_IMPORT_CACHE_H

#include "import/cache/cache_sources.h"

#include <sinew/model.h>

/* The model, or NULL if it is not in the cache or a source has changed. */
sinew_model *cache_load(const char *path, const sinew_load_options *options);

/* Stores cooked bytes, and if the folder is full removes the least recently used entries. Rejects a list of sources
 * that does not contain the model itself. */
void cache_store(const char *path, const sinew_load_options *options, const source_list *sources, const void *cooked,
                 size_t size);
/* The same from a model. */
void cache_store_model(const char *path, const sinew_load_options *options, const source_list *sources,
                       const sinew_model *model);

typedef struct cache_file {
  char name[40];
  uint64_t size;
  int64_t used; /* nanoseconds since 1970 */
} cache_file;

/* The entries in the folder, least recently used first; free with mem_free. NULL if there are none. */
cache_file *cache_files(const char *folder, int *count);
/* Removes the least recently used entries until the rest has at most `limit` bytes, and leftovers of crashed writers.
 * Returns the number of entries removed. */
int cache_trim(const char *folder, uint64_t limit);

/* ---- one file of the cache ---- */

/* The key of an entry: everything that the result depends on except the files' contents. The first line is the source.
 */
typedef struct cache_key {
  char *text;
  char name[40]; /* of the file in the folder */
} cache_key;

/* False when memory runs out or there is no current folder. */
bool cache_key_make(cache_key *key, const char *path, const sinew_load_options *options);
void cache_key_reset(cache_key *key);

#endif
