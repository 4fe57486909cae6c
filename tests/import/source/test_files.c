#include "support/fixture.h"

#include "base/file.h"
#include "base/memory/memory.h"
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
  put("in/id_rsa", "private");
  put("in/.env", "private");
  put("in/passwords.kdbx", "private");
  char from[256], to[256];
  snprintf(from, sizeof from, "%s/secret.png", folder);
  snprintf(to, sizeof to, "%s/in/link.png", folder);
  return symlink(from, to);
}

static int remove_folder(void **state) {
  (void)state;
  static const char *const names[] = {"in/id_rsa",
                                      "in/.env",
                                      "in/passwords.kdbx",
                                      "in/link.png",
                                      "in/textures/coat.png",
                                      "in/textures",
                                      "in/skin two.png",
                                      "in/model.gltf",
                                      "in",
                                      "secret.png",
                                      ""};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    remove(path);
  }
  return 0;
}

static bool finds(const char *name) {
  char model[256], out[4096];
  disk_vfs disk = disk_vfs_open(NULL);
  snprintf(model, sizeof model, "%s/in/model.gltf", folder);
  return disk_vfs_find(&disk, model, name, out, sizeof out);
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

static void what_no_model_needs_is_not_given_out(void **state) {
  (void)state;
  assert_false(finds("id_rsa"));
  assert_false(finds(".env"));
  assert_false(finds("passwords.kdbx"));
  assert_false(finds("id_rsa/")); /* nor with anything behind it */
  assert_false(finds("id_rsa%00.png"));
}

/* Three places are asked for a name, and only its last part outside of where it says. */
static void a_name_stands_for_three_places(void **state) {
  (void)state;
  char positions[VFS_CANDIDATES][VFS_NAME], name[2 * VFS_NAME];
  assert_true(vfs_candidates("C:\\a%20b\\SKIN.PNG", positions));
  assert_string_equal(positions[0], "C:/a b/SKIN.PNG");
  assert_string_equal(positions[1], "SKIN.PNG");
  assert_string_equal(positions[2], "textures/SKIN.PNG");
  for (size_t length = VFS_NAME - 20; length < VFS_NAME + 20; length++) {
    memset(name, 'a', sizeof name);
    memcpy(name + length - 4, ".png", 5);
    bool fits = vfs_candidates(name, positions);
    assert_true(fits == (length + strlen("textures/") < VFS_NAME));
    if (fits) assert_int_equal(strlen(positions[2]), length + strlen("textures/"));
  }
}

typedef struct opened {
  import_files files;
  disk_vfs disk;
  char model[256];
} opened;

static void open_model(opened *o) {
  o->disk = disk_vfs_open(NULL);
  snprintf(o->model, sizeof o->model, "%s/in/model.gltf", folder);
  assert_true(files_open(&o->files, &o->disk.fs, o->model, NULL));
}

static bool reads(const opened *o, const char *format, const char *text) {
  char path[256];
  served_file found;
  snprintf(path, sizeof path, format, folder);
  if (!files_read(&o->files, path, &found)) return false;
  assert_memory_equal(found.data, text, strlen(text) + 1); /* with the zero behind it */
  assert_int_equal(found.size, strlen(text));
  files_free(&o->files, &found);
  return true;
}

static void a_reader_gets_the_folder_and_no_more(void **state) {
  (void)state;
  opened o;
  open_model(&o);
  assert_true(reads(&o, "%s/in/model.gltf", "{}"));
  assert_true(reads(&o, "%s/in/textures/coat.png", "b"));
  assert_true(reads(&o, "textures/coat.png", "b"));
  assert_true(reads(&o, "../art/skin two.png", "a"));
  assert_false(reads(&o, "%s/in/../secret.png", ""));
  assert_false(reads(&o, "%s/in/link.png", ""));
  assert_false(reads(&o, "/etc/passwd", ""));
  assert_false(reads(&o, "%s/in/id_rsa", ""));
  files_close(&o.files);
}

static void what_is_served_comes_before_the_disk(void **state) {
  (void)state;
  served_file served = {"model.gltf", (const unsigned char *)"new", 3};
  opened o;
  open_model(&o);
  o.files.served = &served;
  o.files.served_count = 1;
  assert_true(reads(&o, "%s/in/model.gltf", "new"));
  files_close(&o.files);
}

/* Counts what is read of a main file. */
typedef struct counting_vfs {
  vfs fs;
  disk_vfs disk;
  int whole, heads;
} counting_vfs;

static bool count_read(vfs *fs, const char *main, const char *name, file_bytes *found, sinew_error *error) {
  counting_vfs *c = (counting_vfs *)fs;
  c->whole++;
  return c->disk.fs.read(&c->disk.fs, main, name, found, error);
}

static bool count_head(vfs *fs, const char *main, file_bytes *found, sinew_error *error) {
  counting_vfs *c = (counting_vfs *)fs;
  c->heads++;
  return c->disk.fs.read_head(&c->disk.fs, main, found, error);
}

/* Nothing but its first bytes is read of a file that no reader would take. */
static void the_first_bytes_refuse_a_file(void **state) {
  static const char pointer[] = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 7\n";
  static const char zeros[VFS_HEAD + 1];
  static const struct {
    const char *name, *bytes;
    size_t size;
    const char *reason; /* NULL: it is read */
  } all[] = {{"p.glb", pointer, sizeof pointer - 1, "is a pointer of Git LFS"},
             {"p.gltf", pointer, sizeof pointer - 1, "is a pointer of Git LFS"},
             {"p.fbx", pointer, sizeof pointer - 1, "is a pointer of Git LFS"},
             {"p.dae", pointer, sizeof pointer - 1, "is a pointer of Git LFS"},
             {"p.bvh", pointer, sizeof pointer - 1, "is a pointer of Git LFS"},
             {"z.glb", zeros, sizeof zeros, "does not begin with 'glTF'"},
             {"z.gltf", zeros, sizeof zeros, "begins with 4096 zero bytes"},
             {"z.fbx", zeros, sizeof zeros, "is not an FBX file"},
             {"z.dae", zeros, sizeof zeros, "begins with 4096 zero bytes"},
             {"z.stl", zeros, 84, NULL}, /* an empty one, which is a file of that kind */
             {"n.fbx", "\xFF\xFE;\0 \0F\0B\0X\0", 12, NULL},
             {"e.obj", "", 0, "is empty"}};
  (void)state;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    sinew_error error = {""};
    counting_vfs c = {.fs = {count_read, count_head, file_bytes_free}, .disk = disk_vfs_open(NULL)};
    import_files files;
    char path[256];
    snprintf(path, sizeof path, "%s/in/%s", folder, all[i].name);
    assert_true(file_write(path, all[i].bytes, all[i].size, NULL));
    bool good = files_open(&files, &c.fs, path, &error);
    if (good) files_close(&files);
    if (good != !all[i].reason) fail_msg("%s: %s", all[i].name, error.message);
    if (all[i].reason && !strstr(error.message, all[i].reason)) fail_msg("%s", error.message);
    assert_true(c.heads == 1 && c.whole == (all[i].reason ? 0 : 1));
    remove(path);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(textures_are_found_however_they_are_named),
      cmocka_unit_test(nothing_outside_the_folder_is_found),
      cmocka_unit_test(what_no_model_needs_is_not_given_out),
      cmocka_unit_test(a_name_stands_for_three_places),
      cmocka_unit_test(a_reader_gets_the_folder_and_no_more),
      cmocka_unit_test(what_is_served_comes_before_the_disk),
      cmocka_unit_test(the_first_bytes_refuse_a_file),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
