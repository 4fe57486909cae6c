#include "import/cache/cache.h"

#include "import/cache/cache_entry.h"
#include "import/cook/cook.h"

#include "base/file.h"
#include "base/memory/memory.h"

#include <stdlib.h>

enum { PATH_SIZE = 4096 };

static void store(const char *folder, const cache_key *key, const char *path, const source_list *sources,
                  const void *cooked, size_t size) {
  uint64_t limit = cache_limit();
  if (sources->broken || !source_list_has_read(sources, path) || size > limit || !folder_create(folder, NULL)) return;
  if (entry_store(folder, key, sources, cooked, size)) cache_trim(folder, limit);
}

static void store_model(const char *folder, const cache_key *key, const char *path, const source_list *sources,
                        const sinew_model *model) {
  size_t size;
  void *cooked = cook_bytes(model, &size, NULL);
  if (cooked) store(folder, key, path, sources, cooked, size);
  mem_free(cooked);
}

sinew_model *cache_load(const char *path, const sinew_load_options *options) {
  char folder[PATH_SIZE];
  cache_key key;
  if (!cache_folder(folder, sizeof folder) || !cache_key_make(&key, path, options)) return NULL;
  source_list sources;
  bool aged = false;
  sinew_model *model = entry_load(folder, &key, path, &sources, &aged);
  if (model) source_list_note(&sources, model);
  if (model && aged) {
    source_list_renew(&sources);
    store_model(folder, &key, path, &sources, model);
  }
  source_list_reset(&sources);
  cache_key_reset(&key);
  return model;
}

void cache_store(const char *path, const sinew_load_options *options, const source_list *sources, const void *cooked,
                 size_t size) {
  char folder[PATH_SIZE];
  cache_key key;
  if (!cache_folder(folder, sizeof folder) || !cache_key_make(&key, path, options)) return;
  store(folder, &key, path, sources, cooked, size);
  cache_key_reset(&key);
}

void cache_store_model(const char *path, const sinew_load_options *options, const source_list *sources,
                       const sinew_model *model) {
  char folder[PATH_SIZE];
  cache_key key;
  if (!cache_folder(folder, sizeof folder) || !cache_key_make(&key, path, options)) return;
  store_model(folder, &key, path, sources, model);
  cache_key_reset(&key);
}
