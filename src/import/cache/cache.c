#include "import/cache/cache.h"

#include "import/cache/cache_entry.h"
#include "import/cook/cook.h"

#include "base/file.h"
#include "base/memory/memory.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { PATH_SIZE = 4096 };

/* Reports only once: the next write would fail as well, and models load without the cache. */
static void tell(const sinew_error *error) {
  static atomic_flag told = ATOMIC_FLAG_INIT;
  if (atomic_flag_test_and_set(&told)) return;
  sinew_log(SINEW_LOG_WARNING,
            "%s; models are imported again each time (SINEW_CACHE names another folder, or is "
            "off)",
            error->message);
}

static void store(const char *folder, const cache_key *key, const char *path, const source_list *sources,
                  const void *cooked, size_t size) {
  uint64_t limit = cache_limit();
  sinew_error error;
  if (sources->broken || !source_list_has_read(sources, path) || size > limit) return;
  bool stored = folder_create(folder, &error) && entry_store(folder, key, sources, cooked, size, &error);
  if (stored) cache_trim(folder, limit);
  else tell(&error);
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
