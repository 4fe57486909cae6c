#include "support/failing_heap.h"
#include "support/fixture.h"

#include "base/file.h"
#include "base/memory/memory.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define ASSETS SINEW_SOURCE "/assets/"

/* A program's own files: those of assets/, under another name. */
typedef struct archive {
  char asked[1024]; /* every path, with a blank behind each */
  int open;
} archive;

static bool read_archive(void *user, const char *path, sinew_file_bytes *bytes) {
  archive *a = user;
  char real[256];
  snprintf(a->asked + strlen(a->asked), sizeof a->asked - strlen(a->asked), "%s ", path);
  if (strncmp(path, "pack:/people/", 13) != 0) return false;
  snprintf(real, sizeof real, ASSETS "%s", path + 13);
  bytes->owner = file_read(real, (size_t)1 << 30, &bytes->size, NULL);
  bytes->data = bytes->owner;
  a->open += bytes->owner != NULL;
  return bytes->owner != NULL;
}

static void release(void *user, const sinew_file_bytes *bytes) {
  ((archive *)user)->open--;
  mem_free(bytes->owner);
}

static sinew_load_options options_of(archive *a, bool in_process) {
  sinew_load_options options = sinew_load_options_default();
  options.reader = (sinew_file_reader){read_archive, release, a};
  options.in_process = in_process;
  return options;
}

static void assert_same_content(const sinew_model *a, const sinew_model *b) {
  assert_int_equal(sinew_model_joint_count(a), sinew_model_joint_count(b));
  assert_int_equal(sinew_model_clip_count(a), sinew_model_clip_count(b));
  assert_int_equal(sinew_model_mesh_count(a), sinew_model_mesh_count(b));
  assert_int_equal(sinew_model_image_count(a), sinew_model_image_count(b));
  assert_int_equal(sinew_model_note_count(a), sinew_model_note_count(b));
  for (int i = 0; i < sinew_model_mesh_count(a); i++) {
    sinew_mesh_view x = sinew_model_mesh(a, i), y = sinew_model_mesh(b, i);
    assert_int_equal(x.vertex_count, y.vertex_count);
    assert_memory_equal(x.positions, y.positions, (size_t)x.vertex_count * 3 * sizeof(float));
  }
}

static sinew_model *loaded(const char *path, const sinew_load_options *options) {
  sinew_error error = {""};
  sinew_model *model = sinew_model_load(path, options, &error);
  if (!model) fail_msg("%s", error.message);
  return model;
}

/* The model, its buffer and a clip file, in a process of its own and in this one. */
static void a_reader_takes_the_place_of_the_disk(void **state) {
  (void)state;
  const char *const clips[] = {"pack:/people/hero_walk.bvh"}, *const real[] = {ASSETS "hero_walk.bvh"};
  sinew_load_options plain = sinew_load_options_default();
  plain.clip_files = real;
  plain.clip_file_count = 1;
  sinew_model *wanted = loaded(ASSETS "hero.gltf", &plain);
  for (int in_process = 0; in_process < 2; in_process++) {
    archive a = {.open = 0};
    sinew_load_options options = options_of(&a, in_process);
    options.clip_files = clips;
    options.clip_file_count = 1;
    sinew_model *model = loaded("pack:/people/hero.gltf", &options);
    assert_same_content(model, wanted);
    assert_string_equal(sinew_model_path(model), "pack:/people/hero.gltf");
    assert_int_equal(sinew_model_source_count(model), 0);
    assert_int_equal(a.open, 0);
    assert_non_null(strstr(a.asked, "pack:/people/hero.bin "));
    sinew_model_release(model);
  }
  sinew_model_release(wanted);
}

static void bytes_in_memory_are_a_model(void **state) {
  (void)state;
  sinew_model *wanted = loaded(ASSETS "hero.glb", NULL);
  size_t size = 0;
  unsigned char *bytes = file_read(ASSETS "hero.glb", (size_t)1 << 30, &size, NULL);
  sinew_error error = {""};
  sinew_model *model = sinew_model_load_memory("hero.glb", bytes, size, NULL, &error);
  if (!model) fail_msg("%s", error.message);
  assert_same_content(model, wanted);
  sinew_model_release(model);
  assert_null(sinew_model_load_memory("cut.glb", bytes, size / 2, NULL, &error));
  assert_non_null(strstr(error.message, "cut.glb: "));
  assert_null(sinew_model_load_memory("none.glb", NULL, 0, NULL, &error));
  assert_string_equal(error.message, "none.glb: is empty");
  mem_free(bytes);
  sinew_model_release(wanted);
}

/* The model comes from memory, what it names from the reader; without one there is nothing else. */
static void what_bytes_name_comes_from_the_reader(void **state) {
  (void)state;
  size_t size = 0;
  unsigned char *bytes = file_read(ASSETS "hero.gltf", (size_t)1 << 30, &size, NULL);
  archive a = {.open = 0};
  sinew_load_options options = options_of(&a, false);
  sinew_error error = {""};
  sinew_model *model = sinew_model_load_memory("pack:/people/any.gltf", bytes, size, &options, &error);
  if (!model) fail_msg("%s", error.message);
  assert_null(strstr(a.asked, "any.gltf"));
  assert_true(sinew_model_mesh_count(model) > 0);
  sinew_model_release(model);
  model = sinew_model_load_memory(ASSETS "hero.gltf", bytes, size, NULL, &error); /* its buffer lies beside it there */
  assert_true(!model || sinew_model_mesh_count(model) == 0);
  sinew_model_release(model);
  mem_free(bytes);
}

static void names_stay_in_the_folder(void **state) {
  (void)state;
  static const char text[] =
      "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"a\"}],\"images\":[{\"uri\":\"%s\"}],"
      "\"textures\":[{\"source\":0}],\"materials\":[{\"pbrMetallicRoughness\":"
      "{\"baseColorTexture\":{\"index\":0}}}],\"buffers\":[{\"uri\":\"%s\",\"byteLength\":4}]}";
  static const struct {
    const char *name, *asked;
  } cases[] = {{"a/./b/../c.bin", "pack:/people/a/c.bin pack:/people/c.bin pack:/people/textures/c.bin "},
               {"../c.bin", "pack:/people/c.bin pack:/people/textures/c.bin "},
               {"a/../../c.bin", "pack:/people/c.bin pack:/people/textures/c.bin "},
               {"/etc/c.bin", "pack:/people/c.bin pack:/people/textures/c.bin "},
               {"id_rsa", ""},
               {"%2e%2e/c.bin", "pack:/people/c.bin pack:/people/textures/c.bin "}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char file[1024], first[512];
    archive a = {.open = 0};
    sinew_load_options options = options_of(&a, true);
    snprintf(file, sizeof file, text, cases[i].name, cases[i].name);
    sinew_model_release(sinew_model_load_memory("pack:/people/x.gltf", file, strlen(file), &options, NULL));
    snprintf(first, sizeof first, "%.*s", (int)strlen(cases[i].asked), a.asked);
    if (strcmp(first, cases[i].asked) != 0) fail_msg("%s: asked for %s", cases[i].name, a.asked);
    assert_null(strstr(a.asked, ".."));
    assert_null(strstr(a.asked, "etc"));
  }
}

static void a_cooked_file_comes_from_anywhere(void **state) {
  (void)state;
  char path[] = "/tmp/sinew-own-XXXXXX.sinew";
  close(mkstemps(path, 6));
  sinew_error error = {""};
  sinew_model *wanted = loaded(ASSETS "hero.glb", NULL);
  assert_true(sinew_model_cook(wanted, path, &error));
  size_t size = 0;
  unsigned char *bytes = file_read(path, (size_t)1 << 30, &size, NULL);
  remove(path);
  sinew_model *model = sinew_model_load_memory("any.sinew", bytes, size, NULL, &error);
  if (!model) fail_msg("%s", error.message);
  assert_same_content(model, wanted);
  sinew_model_release(model);
  sinew_model_release(wanted);
  mem_free(bytes);
}

static void what_the_reader_lacks_is_said(void **state) {
  (void)state;
  archive a = {.open = 0};
  sinew_load_options options = options_of(&a, false);
  sinew_error error = {""};
  assert_null(sinew_model_load("pack:/nobody.glb", &options, &error));
  assert_string_equal(error.message, "pack:/nobody.glb: no such file among those that the program reads");
}

/* A file begins as it does on the disk, and a mapping without memory behind it makes it as large as wanted. */
typedef struct large_archive {
  archive files;
  const char *large; /* the end of the path that is so */
  unsigned char *map;
  size_t size;
} large_archive;

static bool read_large(void *user, const char *path, sinew_file_bytes *bytes) {
  large_archive *a = user;
  size_t length = strlen(path), end = strlen(a->large);
  if (!read_archive(&a->files, path, bytes)) return false;
  if (length < end || strcmp(path + length - end, a->large) != 0) return true;
  memcpy(a->map, bytes->data, bytes->size);
  bytes->data = a->map;
  bytes->size = a->size;
  return true;
}

/* The limit itself is asked for, and is too much for this one. */
static void *small_heap(void *user, void *block, size_t size) {
  (void)user;
  if (size == 0) free(block);
  return size == 0 || size > (size_t)1 << 29 ? NULL : realloc(block, size);
}

/* One byte more than a file may have is refused, as the model and as a part of it, and not copied. */
static void files_have_a_gibibyte_at_most(void **state) {
  (void)state;
  const size_t limit = (size_t)1 << 30;
  large_archive a = {.size = limit + 1};
  sinew_error error = {""};
  a.map = mmap(NULL, a.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  assert_true(a.map != MAP_FAILED);
  sinew_load_options options = options_of(&a.files, true);
  options.reader = (sinew_file_reader){read_large, release, &a};
  a.large = "hero.glb";
  assert_null(sinew_model_load("pack:/people/hero.glb", &options, &error));
  assert_non_null(strstr(error.message, "hero.glb: is 1073741825 bytes, more than the 1073741824 that are read"));
  assert_null(sinew_model_load_memory("hero.glb", a.map, a.size, NULL, &error));
  assert_non_null(strstr(error.message, "is 1073741825 bytes"));
  a.large = "hero.bin";
  sinew_model *model = sinew_model_load("pack:/people/hero.gltf", &options, &error);
  assert_true(!model || sinew_model_mesh_count(model) == 0);
  sinew_model_release(model);
  assert_int_equal(a.files.open, 0);
  sinew_set_allocator(&(sinew_allocator){small_heap, NULL});
  assert_null(sinew_model_load_memory("hero.glb", a.map, limit, NULL, &error));
  sinew_set_allocator(NULL);
  assert_non_null(strstr(error.message, "out of memory"));
  munmap(a.map, a.size);
}

static void running_out_of_memory_is_an_error(void **state) {
  (void)state;
  failing_heap heap = {.left = -1};
  size_t size = 0;
  unsigned char *bytes = file_read(ASSETS "hero.gltf", (size_t)1 << 30, &size, NULL);
  failing_heap_install(&heap);
  for (long n = 0; n < 12; n++) { /* those before the import, which has tests of its own */
    sinew_error error = {""};
    heap.left = n;
    sinew_model *model = sinew_model_load_memory("hero.gltf", bytes, size, NULL, &error);
    heap.left = -1;
    assert_true(model || error.message[0]);
    sinew_model_release(model);
    assert_int_equal(heap.living, 0);
  }
  sinew_set_allocator(NULL);
  mem_free(bytes);
}

static int use_import(void **state) {
  (void)state;
  return setenv("SINEW_IMPORT", TEST_IMPORT, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_reader_takes_the_place_of_the_disk),  cmocka_unit_test(bytes_in_memory_are_a_model),
      cmocka_unit_test(what_bytes_name_comes_from_the_reader), cmocka_unit_test(names_stay_in_the_folder),
      cmocka_unit_test(a_cooked_file_comes_from_anywhere),     cmocka_unit_test(what_the_reader_lacks_is_said),
      cmocka_unit_test(files_have_a_gibibyte_at_most),         cmocka_unit_test(running_out_of_memory_is_an_error),
  };
  return cmocka_run_group_tests(tests, use_import, NULL);
}
