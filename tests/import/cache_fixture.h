/* cache_fixture – a cache folder of its own for each test, a model file and what an import of it would look at. */
#ifndef SINEW_TESTS_CACHE_FIXTURE_H
#define SINEW_TESTS_CACHE_FIXTURE_H

#include "support/fixture.h"

#include "import/whole_model.h"

#include "base/file.h"
#include "base/memory/memory.h"
#include "import/cache/cache.h"
#include "import/cache/cache_entry.h"
#include "import/cook/cook.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char folder[64], cache[128], model_path[128], texture_path[128];
static sinew_load_options options;

static inline void write_text(const char *path, const char *text) {
  assert_true(file_write(path, text, strlen(text), NULL));
}

/* In place: the inode stays. */
static inline void overwrite(const char *path, const char *text) {
  FILE *file = fopen(path, "r+b");
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
  fclose(file);
}

static inline int make(void **state) {
  (void)state;
  strcpy(folder, "/tmp/sinew-cache-XXXXXX");
  assert_non_null(mkdtemp(folder));
  snprintf(cache, sizeof cache, "%s/a/cache", folder);
  snprintf(model_path, sizeof model_path, "%s/hero.glb", folder);
  snprintf(texture_path, sizeof texture_path, "%s/skin.png", folder);
  setenv("SINEW_CACHE", cache, 1);
  unsetenv("SINEW_CACHE_LIMIT");
  options = sinew_load_options_default();
  write_text(model_path, "model one");
  return 0;
}

static inline int clean(void **state) {
  (void)state;
  char command[256];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return system(command);
}

/* What an import does: reads the model, reads the texture or finds it absent. */
static inline source_list read_sources(void) {
  source_list list = {0};
  size_t size;
  mem_free(source_read(&list, model_path, 1 << 20, &size, NULL));
  if (source_exists(&list, texture_path)) mem_free(source_read(&list, texture_path, 1 << 20, &size, NULL));
  return list;
}

/* Makes the list older, so that times are trusted. */
static inline void age(source_list *list) {
  for (int i = 0; i < list->count; i++) list->items[i].seen += (int64_t)10 * 1000000000;
}

static inline void store_with(const source_list *list) {
  sinew_model *model = whole_model(NULL);
  cache_store_model(model_path, &options, list, model);
  sinew_model_release(model);
}

static inline void store(bool aged) {
  source_list list = read_sources();
  if (aged) age(&list);
  store_with(&list);
  source_list_reset(&list);
}

static inline bool hits(void) {
  sinew_model *model = cache_load(model_path, &options);
  if (!model) return false;
  assert_string_equal(sinew_model_path(model), model_path);
  assert_int_equal(sinew_model_mesh_count(model), 2);
  sinew_model_release(model);
  return true;
}

static inline void entry_path(char *out, size_t size) {
  cache_key key;
  assert_true(cache_key_make(&key, model_path, &options));
  snprintf(out, size, "%s/%s", cache, key.name);
  cache_key_reset(&key);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, clean)

#endif
