#include "support/fixture.h"

#include "base/file.h"
#include "base/memory.h"
#include "import/source/files.h"

#include <unistd.h>

static char folder[64];

static void put(const char *name, const char *text) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  assert_true(file_write(path, text, strlen(text), NULL));
}

static int make_folder(void **state) {
  (void)state;
  char inside[256];
  strcpy(folder, "/tmp/sinew-files-XXXXXX");
  if (!mkdtemp(folder)) return -1;
  snprintf(inside, sizeof inside, "%s/in/textures", folder);
  if (!folder_create(inside, NULL)) return -1;
  put("secret.png", "outside");
  put("in/model.gltf", "{}");
  put("in/skin two.png", "a");
  put("in/textures/coat.png", "b");
  char from[256], to[256];
  snprintf(from, sizeof from, "%s/secret.png", folder);
  snprintf(to, sizeof to, "%s/in/link.png", folder);
  return symlink(from, to);
}

static int remove_folder(void **state) {
  (void)state;
  static const char *const names[] = {
      "in/link.png", "in/textures/coat.png", "in/textures", "in/skin two.png", "in/model.gltf", "in", "secret.png", ""};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    remove(path);
  }
  return 0;
}

static bool finds(const char *name) {
  char model[256], out[4096];
  snprintf(model, sizeof model, "%s/in/model.gltf", folder);
  return files_find(NULL, model, name, out, sizeof out);
}

static void textures_are_found_however_they_are_named(void **state) {
  (void)state;
  assert_true(finds("skin two.png"));
  assert_true(finds("skin%20two.png"));
  assert_true(finds("C:\\work\\art\\skin two.png"));
  assert_true(finds("./textures/coat.png"));
  assert_true(finds("D:\\coat.png"));
  assert_false(finds("shoe.png"));
  assert_false(finds(""));
}

static void nothing_outside_the_folder_is_found(void **state) {
  (void)state;
  assert_false(finds("../secret.png"));
  assert_false(finds("..\\secret.png"));
  assert_false(finds("link.png"));
  assert_false(finds("/etc/passwd"));
  assert_false(finds("%2e%2e/secret.png"));
}

static void an_importer_reads_only_the_folder(void **state) {
  (void)state;
  char model[256], path[256];
  import_files files;
  served_file found;
  snprintf(model, sizeof model, "%s/in/model.gltf", folder);
  assert_true(files_open(&files, model, NULL, NULL));
  assert_true(files_read(&files, model, &found));
  assert_int_equal(found.size, 2);
  snprintf(path, sizeof path, "%s/in/textures/coat.png", folder);
  assert_true(files_read(&files, path, &found));
  assert_memory_equal(found.data, "b", 1);
  files_free(&files, &found);
  snprintf(path, sizeof path, "%s/in/../secret.png", folder);
  assert_false(files_read(&files, path, &found));
  snprintf(path, sizeof path, "%s/in/link.png", folder);
  assert_false(files_read(&files, path, &found));
  assert_false(files_read(&files, "/etc/passwd", &found));
  files_close(&files);
}

static void what_is_served_comes_before_the_disk(void **state) {
  (void)state;
  char model[256];
  served_file served = {"model.gltf", (const unsigned char *)"new", 3}, found;
  import_files files;
  snprintf(model, sizeof model, "%s/in/model.gltf", folder);
  assert_true(files_open(&files, model, NULL, NULL));
  files.served = &served;
  files.served_count = 1;
  assert_true(files_read(&files, model, &found));
  assert_int_equal(found.size, 3);
  files_free(&files, &found);
  files_close(&files);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(textures_are_found_however_they_are_named),
      cmocka_unit_test(nothing_outside_the_folder_is_found),
      cmocka_unit_test(an_importer_reads_only_the_folder),
      cmocka_unit_test(what_is_served_comes_before_the_disk),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
