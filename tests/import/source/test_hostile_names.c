/* Names in a model file stay in its folder: buffers and pictures elsewhere cannot be reached, however they are spelled,
 * whether the import runs here or in a child process. */
#include "support/fixture.h"

#include "base/file.h"
#include "base/memory/memory.h"

#include <unistd.h>

static char folder[64], inside[96]; /* the model's is inside the other */

static void write_at(const char *where, const char *name, const void *data, size_t size) {
  char path[256];
  assert_true(path_join(path, sizeof path, where, name));
  assert_true(file_write(path, data, size, NULL));
}

/* A picture of one pixel, and a triangle: what is not to be had. */
static const unsigned char picture[] = {0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0, 10, 20, 30}; /* TGA */
static const float triangle[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};

static int make(void **state) {
  (void)state;
  char path[256], link[256];
  snprintf(folder, sizeof folder, "/tmp/sinew-hostile-XXXXXX");
  assert_non_null(mkdtemp(folder));
  snprintf(inside, sizeof inside, "%s/model", folder);
  assert_true(folder_create(inside, NULL));
  write_at(folder, "secret.bin", triangle, sizeof triangle);
  write_at(folder, "secret.tga", picture, sizeof picture);
  write_at(inside, "own.bin", triangle, sizeof triangle);
  write_at(inside, "own.tga", picture, sizeof picture);
  for (int i = 0; i < 2; i++) {
    snprintf(path, sizeof path, "%s/secret.%s", folder, i ? "tga" : "bin");
    snprintf(link, sizeof link, "%s/link.%s", inside, i ? "tga" : "bin");
    assert_int_equal(symlink(path, link), 0);
  }
  setenv("SINEW_CACHE", "off", 1);
  return 0;
}

static int clean(void **state) {
  (void)state;
  char command[96];
  snprintf(command, sizeof command, "rm -r %s", folder);
  return system(command);
}

static void write_gltf(const char *buffer, const char *image) {
  char text[4096];
  snprintf(text, sizeof text,
           "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
           "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"material\":0}]}],"
           "\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0}}}],"
           "\"textures\":[{\"source\":0}],\"images\":[{\"uri\":\"%s\"}],"
           "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],"
           "\"max\":[1,1,0]}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
           "\"buffers\":[{\"uri\":\"%s\",\"byteLength\":36}]}",
           image, buffer);
  write_at(inside, "model.gltf", text, strlen(text));
}

static sinew_model *load(const char *name, sinew_error *error) {
  char path[256];
  assert_true(path_join(path, sizeof path, inside, name));
  error->message[0] = '\0';
  return sinew_model_load(path, NULL, error);
}

/* Ways to say "the file beside my folder", as JSON: @ is bin or tga, {} the folder. */
static const char *const ways[] = {"../secret.@",
                                   "./../secret.@",
                                   "..\\\\secret.@",
                                   "%2e%2e/secret.@",
                                   "..%2Fsecret.@",
                                   "x/../../secret.@",
                                   "{}/secret.@",
                                   "file://{}/secret.@",
                                   "file:///{}/secret.@",
                                   "link.@",
                                   "../model/../secret.@",
                                   "http://localhost/secret.@",
                                   "textures/../../secret.@"};
enum { WAYS = sizeof ways / sizeof *ways };

static void spell(char *out, size_t size, const char *way, const char *extension) {
  size_t n = 0;
  for (const char *c = way; *c && n + 100 < size; c++) {
    const char *word = strncmp(c, "{}", 2) == 0 ? folder : strncmp(c, "@", 1) == 0 ? extension : NULL;
    n += (size_t)(word ? snprintf(out + n, size - n, "%s", word) : snprintf(out + n, size - n, "%c", *c));
    if (word == folder) c++;
  }
}

static void buffers_elsewhere_are_not_read(void **state) {
  (void)state;
  sinew_error error;
  write_gltf("own.bin", "own.tga");
  sinew_model *model = load("model.gltf", &error);
  if (!model) fail_msg("%s", error.message);
  assert_int_equal(sinew_model_mesh(model, 0).vertex_count, 3); /* the file is good, but for what follows */
  sinew_model_release(model);
  for (int i = 0; i < WAYS; i++) {
    char uri[256];
    spell(uri, sizeof uri, ways[i], "bin");
    write_gltf(uri, "own.tga");
    model = load("model.gltf", &error);
    if (model && sinew_model_mesh_count(model) > 0) fail_msg("%s was read", uri);
    if (!model) assert_non_null(strstr(error.message, "model.gltf"));
    sinew_model_release(model);
  }
}

static void assert_is_placeholder(const sinew_model *model, const char *name) {
  assert_int_equal(sinew_model_image_count(model), 1);
  if (sinew_model_image(model, 0).width == 1) fail_msg("%s was read", name);
  bool told = false;
  for (int i = 0; i < sinew_model_note_count(model); i++)
    told = told || strstr(sinew_model_note(model, i), "materials do without it") != NULL;
  assert_true(told);
}

static void pictures_elsewhere_are_not_read(void **state) {
  (void)state;
  sinew_error error;
  write_gltf("own.bin", "own.tga");
  sinew_model *model = load("model.gltf", &error);
  if (!model) fail_msg("%s", error.message);
  assert_int_equal(sinew_model_image(model, 0).width, 1);
  assert_int_equal(sinew_model_image(model, 0).rgba[0], 30);
  sinew_model_release(model);
  for (int i = 0; i < WAYS; i++) {
    char uri[256];
    spell(uri, sizeof uri, ways[i], "tga");
    write_gltf("own.bin", uri);
    model = load("model.gltf", &error);
    if (!model) fail_msg("%s: %s", uri, error.message);
    assert_is_placeholder(model, uri);
    sinew_model_release(model);
  }
}

static void other_formats_stay_in_their_folder_too(void **state) {
  (void)state;
  char text[512];
  sinew_error error;
  static const char body[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl skin\nf 1/1 2/1 3/1\n";
  snprintf(text, sizeof text, "mtllib model.mtl\n%s", body);
  write_at(inside, "model.obj", text, strlen(text));
  snprintf(text, sizeof text, "newmtl skin\nmap_Kd %s/secret.tga\n", folder);
  write_at(inside, "model.mtl", text, strlen(text));
  sinew_model *model = load("model.obj", &error);
  if (!model) fail_msg("%s", error.message);
  assert_is_placeholder(model, "an absolute path");
  sinew_model_release(model);
  /* A material library elsewhere: its picture's name never comes to light. Assimp tries model.mtl, too. */
  assert_true(path_join(text, sizeof text, inside, "model.mtl") && unlink(text) == 0);
  snprintf(text, sizeof text, "newmtl skin\nmap_Kd own.tga\n");
  write_at(folder, "secret.mtl", text, strlen(text));
  snprintf(text, sizeof text, "mtllib ../secret.mtl\n%s", body);
  write_at(inside, "model.obj", text, strlen(text));
  model = load("model.obj", &error);
  if (model && sinew_model_image_count(model) != 0) fail_msg("../secret.mtl was read");
  sinew_model_release(model);
}

static int in_this_process(void **state) {
  (void)state;
  return setenv("SINEW_IMPORT", "in-process", 1);
}

static int in_a_child(void **state) {
  (void)state;
  return setenv("SINEW_IMPORT", TEST_IMPORT, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(buffers_elsewhere_are_not_read, in_this_process),
      cmocka_unit_test_setup(buffers_elsewhere_are_not_read, in_a_child),
      cmocka_unit_test_setup(pictures_elsewhere_are_not_read, in_this_process),
      cmocka_unit_test_setup(pictures_elsewhere_are_not_read, in_a_child),
      cmocka_unit_test_setup(other_formats_stay_in_their_folder_too, in_this_process),
      cmocka_unit_test_setup(other_formats_stay_in_their_folder_too, in_a_child),
  };
  return cmocka_run_group_tests(tests, make, clean);
}
