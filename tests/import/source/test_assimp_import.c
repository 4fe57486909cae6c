/* All scenes from Assimp are released, however an import ends. The leak checker ignores Assimp's own leaks, and would
 * not notice. */
#include "support/failing_heap.h"
#include "support/fixture.h"

#include "import/source/assimp/assimp_import.h"

#include <assimp/cimport.h>

static int scenes, stores;

/* The linker's --wrap: what the importer calls NAME is __wrap_NAME here, and __real_NAME is Assimp's. */
#define REAL(name) __real_##name
#define WRAP(name) __wrap_##name

const struct aiScene *REAL(aiImportFileExWithProperties)(const char *file, unsigned flags, struct aiFileIO *io,
                                                         const struct aiPropertyStore *store);
const struct aiScene *WRAP(aiImportFileExWithProperties)(const char *file, unsigned flags, struct aiFileIO *io,
                                                         const struct aiPropertyStore *store);
const struct aiScene *WRAP(aiImportFileExWithProperties)(const char *file, unsigned flags, struct aiFileIO *io,
                                                         const struct aiPropertyStore *store) {
  const struct aiScene *scene = REAL(aiImportFileExWithProperties)(file, flags, io, store);
  scenes += scene != NULL;
  return scene;
}

void REAL(aiReleaseImport)(const struct aiScene *scene);
void WRAP(aiReleaseImport)(const struct aiScene *scene);
void WRAP(aiReleaseImport)(const struct aiScene *scene) {
  scenes--;
  REAL(aiReleaseImport)(scene);
}

struct aiPropertyStore *REAL(aiCreatePropertyStore)(void);
struct aiPropertyStore *WRAP(aiCreatePropertyStore)(void);
struct aiPropertyStore *WRAP(aiCreatePropertyStore)(void) {
  stores++;
  return REAL(aiCreatePropertyStore)();
}

void REAL(aiReleasePropertyStore)(struct aiPropertyStore *store);
void WRAP(aiReleasePropertyStore)(struct aiPropertyStore *store);
void WRAP(aiReleasePropertyStore)(struct aiPropertyStore *store) {
  stores--;
  REAL(aiReleasePropertyStore)(store);
}

static bool import(const char *name) {
  char path[512];
  import_files files;
  disk_vfs disk = disk_vfs_open(NULL);
  raw_model raw;
  sinew_error error = {""};
  snprintf(path, sizeof path, "%s/%s", SINEW_SOURCE, name);
  raw_init(&raw, path, &error);
  bool imported = files_open(&files, &disk.fs, path, &error) && assimp_import(&raw, &files, false);
  files_close(&files);
  raw_release(&raw);
  return imported;
}

static void assert_all_back(void) {
  assert_int_equal(scenes, 0);
  assert_int_equal(stores, 0);
}

static void after_an_import(void **state) {
  (void)state;
  assert_true(import("assets/hero.gltf"));
  assert_all_back();
}

static void after_a_refusal(void **state) {
  (void)state;
  assert_false(import("assets/hero.bin"));
  assert_all_back();
}

static void when_memory_is_out(void **state) {
  (void)state;
  int failures = 0;
  for (long left = 1; left < 2000; left = left * 5 / 4 + 1) {
    failing_heap heap = {left, 0};
    failing_heap_install(&heap);
    failures += !import("assets/hero_walk.bvh");
    sinew_set_allocator(NULL);
    assert_int_equal(heap.living, 0);
    assert_all_back();
  }
  assert_true(failures > 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(after_an_import),
      cmocka_unit_test(after_a_refusal),
      cmocka_unit_test(when_memory_is_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
