#include "import/fixtures/small_gltf.h"
#include "support/failing_heap.h"

static int make(void **state) {
  (void)state;
  make_small_gltf();
  return 0;
}

static int clean(void **state) {
  (void)state;
  remove_small_gltf();
  return 0;
}

/* ---- memory ---- */

/* Every request fails once: the load says so or does without, and leaves nothing behind. Answers how many loads failed.
 */
static int fail_each_request(const char *path, const sinew_load_options *options) {
  failing_heap heap = {.left = -1};
  failing_heap_install(&heap);
  int failed = 0;
  for (long n = 0;; n++) {
    sinew_error error = {""};
    heap.left = n;
    sinew_model *model = sinew_model_load(path, options, &error);
    bool complete = heap.left > 0;
    heap.left = -1;
    if (!model && !error.message[0]) fail_msg("%s, request %ld: no sentence", path, n);
    if (complete && !model) fail_msg("%s", error.message);
    failed += !model;
    sinew_model_release(model);
    if (heap.living != 0) fail_msg("%s, request %ld: %ld blocks are left", path, n, heap.living);
    if (complete) break;
    assert_true(n < 20000);
  }
  sinew_set_allocator(NULL);
  return failed;
}

static void running_out_of_memory_is_an_error(void **state) {
  (void)state;
  assert_true(fail_each_request(small_path, NULL) > 50);
}

/* Extensions, pictures, VRM: what the small file has not. */
static void the_rest_of_gltf_runs_out_of_memory_as_well(void **state) {
  (void)state;
  sinew_load_options options = sinew_load_options_default();
  assert_true(fail_each_request(SINEW_SOURCE "/tests/fuzz/corpus/gltf/extensions.gltf", &options) > 300);
}

static const char small_bvh[] =
    "HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation "
    "Xrotation Yrotation\nJOINT spine\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation "
    "Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n}\nMOTION\nFrames: 2\nFrame Time: "
    "0.033\n0 0 0 0 0 0 0 0 0\n1 0 0 20 0 0 0 30 0\n";
static const char small_obj[] = "mtllib small.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl skin\n"
                                "f 1/1 2/2 3/3\n";
static const char small_mtl[] = "newmtl skin\nmap_Kd small.tga\nmap_d small_d.tga\nmap_Bump nobody.png\n";
static const char small_tga[] = {0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0, 10, 20, 30};

static void other_formats_run_out_of_memory_as_well(void **state) {
  (void)state;
  char path[256], clips[256];
  write_small("small.bvh", small_bvh, sizeof small_bvh - 1);
  write_small("small.obj", small_obj, sizeof small_obj - 1);
  write_small("small.mtl", small_mtl, sizeof small_mtl - 1);
  write_small("small.tga", small_tga, sizeof small_tga);
  write_small("small_d.tga", small_tga, sizeof small_tga);
  snprintf(clips, sizeof clips, "%s/small.bvh", small_folder);
  snprintf(path, sizeof path, "%s/small.obj", small_folder);
  sinew_load_options options = sinew_load_options_default();
  options.raw = true;
  options.max_influences = 8;
  assert_true(fail_each_request(path, &options) > 20);
  options.clip_files = (const char *const[]){clips};
  options.clip_file_count = 1;
  assert_true(fail_each_request(clips, &options) > 20);
  static const char *const names[] = {"small.bvh", "small.obj", "small.mtl", "small.tga", "small_d.tga"};
  for (int i = 0; i < 5; i++) remove_small(names[i]);
}

/* ---- colours ---- */

static const char colored_gltf[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"COLOR_0\":1}}]}],\"accessors\":["
    "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,1,0]},"
    "{\"bufferView\":1,\"componentType\":%d,\"normalized\":%s,\"count\":3,\"type\":\"VEC4\"}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,\"byteLength\":%d}],"
    "\"buffers\":[{\"uri\":\"colored.bin\",\"byteLength\":%d}]}";

/* As floats, 16 and 8 bits: 1 is the largest of each. */
static void vertex_colours_of_every_width(void **state) {
  (void)state;
  static const uint8_t should[12] = {255, 0, 0, 255, 0, 255, 0, 51, 0, 51, 255, 0};
  static const int types[3] = {5126, 5123, 5121}, sizes[3] = {4, 2, 1};
  for (int i = 0; i < 3; i++) {
    char text[1024], path[256];
    unsigned char bytes[36 + 48] = {0};
    memcpy(bytes, small_positions, 36);
    for (int k = 0; k < 12; k++) {
      float part = (float)should[k] / 255;
      uint16_t wide = (uint16_t)(should[k] * 257);
      const void *from = i == 0 ? (const void *)&part : i == 1 ? (const void *)&wide : (const void *)(should + k);
      memcpy(bytes + 36 + k * sizes[i], from, (size_t)sizes[i]);
    }
    snprintf(text, sizeof text, colored_gltf, types[i], i ? "true" : "false", 12 * sizes[i], 36 + 12 * sizes[i]);
    write_small("colored.gltf", text, strlen(text));
    write_small("colored.bin", bytes, 36 + 12 * (size_t)sizes[i]);
    snprintf(path, sizeof path, "%s/colored.gltf", small_folder);
    sinew_error error = {""};
    sinew_model *model = sinew_model_load(path, NULL, &error);
    if (!model) fail_msg("%s", error.message);
    assert_int_equal(sinew_model_mesh(model, 0).vertex_count, 3);
    assert_non_null(sinew_model_mesh(model, 0).colors);
    assert_memory_equal(sinew_model_mesh(model, 0).colors, should, sizeof should);
    sinew_model_release(model);
  }
  remove_small("colored.gltf"), remove_small("colored.bin");
}

/* ---- options ---- */

/* The older formats do not say which side of a triangle is seen, so both are. */
static void only_gltf_hides_back_sides(void **state) {
  (void)state;
  char path[256];
  write_small("small.obj", small_obj, sizeof small_obj - 1);
  snprintf(path, sizeof path, "%s/small.obj", small_folder);
  sinew_error error = {""};
  sinew_model *obj = sinew_model_load(path, NULL, &error),
              *hero = sinew_model_load(SINEW_SOURCE "/assets/hero.glb", NULL, &error);
  remove(path);
  if (!obj || !hero) fail_msg("%s", error.message);
  int hidden = 0;
  for (int i = 0; i < sinew_model_material_count(obj); i++) assert_true(sinew_model_material(obj, i).double_sided);
  for (int i = 0; i < sinew_model_material_count(hero); i++) hidden += !sinew_model_material(hero, i).double_sided;
  assert_true(sinew_model_material_count(obj) > 0 && hidden > 0 && hidden < sinew_model_material_count(hero));
  sinew_model_release(obj), sinew_model_release(hero);
}

static void a_second_file_gives_its_clips(void **state) {
  (void)state;
  sinew_load_options options = sinew_load_options_default();
  options.clip_files = (const char *const[]){small_path, small_path};
  options.clip_file_count = 2;
  sinew_error error = {""};
  sinew_model *model = sinew_model_load(small_path, &options, &error);
  if (!model) fail_msg("%s", error.message);
  assert_int_equal(sinew_model_clip_count(model), 3);
  const char *third = sinew_clip_name(sinew_model_clip(model, 2));
  assert_string_equal(sinew_clip_name(sinew_model_clip(model, 0)), "all");
  assert_string_equal(sinew_clip_name(sinew_model_clip(model, 1)), "small"); /* after their files */
  assert_string_equal(third + strlen(third) - strlen("/small"), "/small");
  assert_string_equal(sinew_clip_file_name(sinew_model_clip(model, 2)), "all");
  sinew_model_release(model);
}

static void assert_no_load(const char *path, const sinew_load_options *options, const char *part) {
  sinew_error error = {""};
  sinew_model *model = sinew_model_load(path, options, &error);
  assert_null(model);
  if (!strstr(error.message, part)) fail_msg("'%s' does not say '%s'", error.message, part);
  assert_null(sinew_model_load(path, options, NULL)); /* nobody asks why */
}

static void a_wrong_clip_file_is_an_error(void **state) {
  (void)state;
  sinew_load_options options = sinew_load_options_default();
  options.clip_files = (const char *const[]){"/nowhere/clips.glb"};
  options.clip_file_count = 1;
  assert_no_load(small_path, &options, "clips.glb");
  options = sinew_load_options_default();
  options.max_influences = 5;
  assert_no_load(small_path, &options, "max_influences");
}

static void bad_files_get_a_sentence(void **state) {
  (void)state;
  static const char *const names[] = {"text.fbx", "text.dae",     "text.md5mesh", "text.bvh",
                                      "text.x",   "text.obj.bin", "short.glb",    "old.fbx"};
  assert_no_load("/nowhere/hero.glb", NULL, "no such file");
  assert_no_load("/tmp", NULL, "extension");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[256];
    const char *text = strcmp(names[i], "old.fbx") == 0     ? "Kaydara FBX Binary  \0\x1a\0\xd0\x07\0\0"
                       : strcmp(names[i], "short.glb") == 0 ? "glTF\2\0\0\0\xff\xff"
                                                            : "Dear diary, today I was a model.";
    size_t size = strcmp(names[i], "old.fbx") == 0 ? 27 : strcmp(names[i], "short.glb") == 0 ? 10 : strlen(text);
    write_small(names[i], text, size);
    snprintf(path, sizeof path, "%s/%s", small_folder, names[i]);
    assert_no_load(path, NULL, strcmp(names[i], "old.fbx") == 0 ? "2000" : names[i]);
    write_small(names[i], "", 0);
    assert_no_load(path, NULL, strchr(names[i], 'b') && strstr(names[i], ".bin") ? "not read" : "is empty");
    remove_small(names[i]);
  }
}

static void any_cut_of_a_file_is_survived(void **state) {
  (void)state;
  char path[256];
  size_t size;
  unsigned char *whole = file_read(small_path, 1 << 20, &size, NULL);
  snprintf(path, sizeof path, "%s/cut.gltf", small_folder);
  for (size_t part = 1; part < size; part += 97) {
    write_small("cut.gltf", whole, part);
    assert_no_load(path, NULL, "cut.gltf");
  }
  remove_small("cut.gltf");
  sinew_set_allocator(NULL);
  free(whole);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(running_out_of_memory_is_an_error),
      cmocka_unit_test(the_rest_of_gltf_runs_out_of_memory_as_well),
      cmocka_unit_test(other_formats_run_out_of_memory_as_well),
      cmocka_unit_test(vertex_colours_of_every_width),
      cmocka_unit_test(only_gltf_hides_back_sides),
      cmocka_unit_test(a_second_file_gives_its_clips),
      cmocka_unit_test(a_wrong_clip_file_is_an_error),
      cmocka_unit_test(bad_files_get_a_sentence),
      cmocka_unit_test(any_cut_of_a_file_is_survived),
  };
  return cmocka_run_group_tests(tests, make, clean);
}
