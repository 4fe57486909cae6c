/* cache – models that were imported before, cooked, in a folder of the user's: $SINEW_CACHE, else
 * $XDG_CACHE_HOME/sinew, else ~/.cache/sinew. SINEW_CACHE=off: none. SINEW_CACHE_LIMIT: megabytes (2²⁰ bytes), 1,024
 * where it is not set.
 *
 * One file for each source and set of options. It holds the list of every file that the import opened or looked for,
 * and the cooked model. It is written beside and renamed, so any number of processes may use the folder at once.
 * Nothing here fails: what is damaged, out of date or cannot be written is a model that is imported again. */
#ifndef SINEW_IMPORT_CACHE_H
#define SINEW_IMPORT_CACHE_H

#include "import/cache/cache_sources.h"

#include <sinew/model.h>

/* The model, or NULL: it is not there, or a source has changed. */
sinew_model *cache_load(const char *path, const sinew_load_options *options);

/* Keeps cooked bytes, and lets go of what was not used for longest where the folder is full. A list of sources that
 * does not have the model itself is not believed. */
void cache_store(const char *path, const sinew_load_options *options, const source_list *sources, const void *cooked,
                 size_t size);
/* The same from a model. */
void cache_store_model(const char *path, const sinew_load_options *options, const source_list *sources,
                       const sinew_model *model);

/* ---- the folder (cache_folder.c) ---- */

/* False where the cache is off or no folder can be named. The folder need not be there. */
bool cache_folder(char *out, size_t size);
uint64_t cache_limit(void); /* bytes */

typedef struct cache_file {
  char name[40];
  uint64_t size;
  int64_t used; /* nanoseconds since 1970 */
} cache_file;

/* The entries in the folder, the one not used for longest first; free with mem_free. NULL for none. */
cache_file *cache_files(const char *folder, int *count);
/* Removes entries, the one not used for longest first, until the rest has at most `limit` bytes, and what crashed
 * writers left behind. Answers how many entries went. */
int cache_trim(const char *folder, uint64_t limit);

#endif
