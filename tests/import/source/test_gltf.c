#include "import/fixtures/small_gltf.h"

#include "base/memory/memory.h"

static sinew_model *model;

static int load(void **state) {
  (void)state;
  sinew_error error = {""};
  make_small_gltf();
  model = sinew_model_load(small_path, NULL, &error);
  if (!model) fprintf(stderr, "%s\n", error.message);
  return model ? 0 : -1;
}

static int unload(void **state) {
  (void)state;
  sinew_model_release(model);
  remove_small_gltf();
  return 0;
}

/* By the file's number: names are not unique. */
static int joint_of(int file_index) {
  for (int i = 0; i < sinew_model_joint_count(model); i++)
    if (sinew_model_joint_file_index(model, i) == file_index) return i;
  fail_msg("no joint has the number %d", file_index);
  return -1;
}

static sinew_transform sample(int file_index, double time) {
  int count = sinew_model_joint_count(model);
  sinew_pose pose = {calloc((size_t)sinew_pose_group_count(count), sizeof(sinew_pose_group)), count};
  sinew_sample_job job = {model, sinew_model_clip(model, 0), time, pose};
  assert_true(sinew_sample(&job));
  sinew_transform t = sinew_pose_joint(&pose, joint_of(file_index));
  free(pose.groups);
  return t;
}

static void names_are_the_files_own(void **state) {
  (void)state;
  assert_int_equal(sinew_model_joint_count(model), 5);
  assert_string_equal(sinew_model_joint_name(model, joint_of(0)), "twin");
  assert_string_equal(sinew_model_joint_name(model, joint_of(1)), "twin");
  assert_string_equal(sinew_model_joint_name(model, joint_of(2)), "");
  assert_int_equal(sinew_model_joint_parent(model, joint_of(1)), joint_of(0));
  assert_string_equal(sinew_model_mesh(model, 0).name, "tri");
}

static void curves_keep_their_interpolation(void **state) {
  (void)state;
  const sinew_clip *clip = sinew_model_clip(model, 0);
  assert_string_equal(sinew_clip_name(clip), "all");
  assert_near(sinew_clip_start(clip), 0.5, 1e-7);
  assert_near(sinew_clip_duration(clip), 1, 1e-7);
  assert_near(sample(0, 0.99).translation.x, 1, 0);
  assert_near(sample(0, 1).translation.x, 2, 0);
  for (int i = 0; i <= 20; i++) { /* Hermite: p0 = 0, m0 = 4, p1 = 1, m1 = 2 */
    double u = i / 20.0;
    double should = u * (1 - u) * (1 - u) * 4 + u * u * (3 - 2 * u) + u * u * (u - 1) * 2;
    assert_near(sample(1, u).translation.x, should, 3e-4);
    sinew_quat turn = {0, 0, (float)sin(u * 0.7853981633974483), (float)cos(u * 0.7853981633974483)};
    assert_true(angle_between(sample(1, u).rotation, turn) < 1e-4); /* 16-bit keys: 3e-5 off */
  }
}

static void each_skin_has_a_mesh_and_identity_inverse_binds(void **state) {
  (void)state;
  assert_int_equal(sinew_model_mesh_count(model), 2);
  for (int m = 0; m < 2; m++) {
    sinew_mesh_view mesh = sinew_model_mesh(model, m);
    sinew_skin_view skin = sinew_model_skin(model, mesh.skin);
    bool swapped = mesh.joint == joint_of(3);
    assert_true(mesh.joint == joint_of(2) || swapped);
    assert_int_equal(skin.count, 2);
    sinew_mat3x4 identity = sinew_mat3x4_identity();
    for (int j = 0; j < 2; j++) assert_memory_equal(skin.inverse_binds + j, &identity, sizeof identity);
    for (int v = 0; v < 3; v++) {
      const float *p = mesh.positions + 3 * v;
      int strongest = skin.joints[mesh.joints[4 * v]]; /* vertex 0 is bound to the skin's first joint, the others not */
      bool first = p[0] == 0 && p[1] == 0;
      assert_int_equal(strongest, joint_of(first != swapped ? 0 : 1));
      if (p[1] > 0.5f) assert_near(mesh.weights[4 * v], 0.8, 1e-6);
    }
  }
}

static void morph_weights_come_from_node_mesh_and_curve(void **state) {
  (void)state;
  for (int m = 0; m < 2; m++) {
    sinew_mesh_view mesh = sinew_model_mesh(model, m);
    bool animated = mesh.joint == joint_of(2);
    float weight;
    assert_int_equal(mesh.morph_count, 1);
    assert_near(mesh.morphs[0].rest_weight, animated ? 0.5 : 0.25, 0);
    assert_near(mesh.morphs[0].positions[2], 3, 0);
    assert_true(sinew_sample_morphs(model, sinew_model_clip(model, 0), 0.25, m, &weight));
    assert_near(weight, animated ? -0.5 : 0.25, 1e-6);
  }
}

/* ---- tangents and normals ---- */

/* A triangle whose u rises along +y. */
#define TANGENT_GLTF                                                                                                   \
  "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"                            \
  "\"images\":[{\"uri\":\"bumps.tga\"}],\"textures\":[{\"source\":0}],\"materials\":[{%s}],"                           \
  "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"TEXCOORD_0\":2%s},\"material\":0,"      \
  "\"targets\":[{\"POSITION\":0,\"NORMAL\":0}]}]}],"                                                                   \
  "\"accessors\":["                                                                                                    \
  "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,1,0]},"           \
  "{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"                                           \
  "{\"bufferView\":2,\"componentType\":5126,\"count\":3,\"type\":\"VEC2\"},"                                           \
  "{\"bufferView\":3,\"componentType\":5126,\"count\":3,\"type\":\"VEC4\"}],"                                          \
  "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,\"byteLength\":36},"              \
  "{\"buffer\":0,\"byteOffset\":72,\"byteLength\":24},{\"buffer\":0,\"byteOffset\":96,\"byteLength\":48}],"            \
  "\"buffers\":[{\"uri\":\"tangents.bin\",\"byteLength\":144}]}"

static sinew_model *load_with_tangents(const char *material, const char *attribute) {
  static const float bytes[36] = {0, 0, 0, 1, 0, 0, 0, 1, 0,  0, 0, 1, 0,  0, 1, 0, 0,  1,
                                  0, 0, 0, 1, 1, 0, 0, 0, -1, 1, 0, 0, -1, 1, 0, 0, -1, 1};
  static const char picture[] = {0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0, 127, 127, 127};
  char text[4096], path[256];
  sinew_error error = {""};
  write_small("bumps.tga", picture, sizeof picture);
  snprintf(text, sizeof text, TANGENT_GLTF, material, attribute);
  snprintf(path, sizeof path, "%s/tangents.gltf", small_folder);
  write_small("tangents.gltf", text, strlen(text));
  write_small("tangents.bin", bytes, sizeof bytes);
  sinew_model *loaded = sinew_model_load(path, NULL, &error);
  if (!loaded) fail_msg("%s", error.message);
  remove_small("tangents.gltf"), remove_small("tangents.bin"), remove_small("bumps.tga");
  return loaded;
}

/* The target adds the positions to the normals, too. */
static void morph_targets_bend_normals(void **state) {
  (void)state;
  sinew_model *bent = load_with_tangents("", "");
  sinew_mesh_view mesh = sinew_model_mesh(bent, 0);
  assert_int_equal(mesh.morph_count, 1);
  assert_non_null(mesh.morphs[0].normals);
  for (int i = 0; i < 9; i++) assert_near(mesh.morphs[0].normals[i], mesh.positions[i], 1e-6);
  sinew_model_release(bent);
}

static void tangents_are_there_for_a_normal_map(void **state) {
  (void)state;
  static const char bumps[] = "\"normalTexture\":{\"index\":0}", plain[] = "\"doubleSided\":true";
  sinew_model *with = load_with_tangents(bumps, ""), *without = load_with_tangents(plain, "");
  sinew_model *own = load_with_tangents(plain, ",\"TANGENT\":3");
  assert_null(sinew_model_mesh(without, 0).tangents);
  for (int i = 0; i < 12; i++) {
    if (i % 4 == 3) continue;
    assert_near(sinew_model_mesh(with, 0).tangents[i], i % 4 == 1 ? 1 : 0, 1e-6);
    assert_near(sinew_model_mesh(own, 0).tangents[i], i % 4 == 2 ? -1 : 0, 1e-6);
  }
  sinew_model_release(with);
  sinew_model_release(without);
  sinew_model_release(own);
}

/* Two triangles that meet at a right angle and have no normals: each keeps its own (flat shading). */
static void missing_normals_are_flat(void **state) {
  (void)state;
  static const float bytes[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  static const char text[] =
      "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
      "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],"
      "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"
      "{\"bufferView\":1,\"componentType\":5121,\"count\":6,\"type\":\"SCALAR\"}],"
      "\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},{\"buffer\":1,\"byteLength\":6}],"
      "\"buffers\":[{\"uri\":\"flat.bin\",\"byteLength\":48},"
      "{\"uri\":\"data:application/octet-stream;base64,AAECAAMB\",\"byteLength\":6}]}"; /* 0 1 2, 0 3 1 */
  char path[256];
  sinew_error error = {""};
  snprintf(path, sizeof path, "%s/flat.gltf", small_folder);
  write_small("flat.gltf", text, sizeof text - 1);
  write_small("flat.bin", bytes, sizeof bytes);
  sinew_model *flat = sinew_model_load(path, NULL, &error);
  if (!flat) fail_msg("%s", error.message);
  sinew_mesh_view mesh = sinew_model_mesh(flat, 0);
  assert_int_equal(mesh.vertex_count, 6);
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 3; k++) assert_near(mesh.normals[3 * mesh.indices[i] + k], k == (i < 3 ? 2 : 1), 1e-6);
  sinew_model_release(flat);
  remove_small("flat.gltf"), remove_small("flat.bin");
}

/* ---- broken files ---- */

static void refuse(const char *text, const char *why) {
  char path[256];
  sinew_error error = {""};
  write_small("bad.gltf", text, strlen(text));
  snprintf(path, sizeof path, "%s/bad.gltf", small_folder);
  sinew_model *bad = sinew_model_load(path, NULL, &error);
  remove_small("bad.gltf");
  assert_null(bad);
  assert_non_null(strstr(error.message, "bad.gltf"));
  if (!strstr(error.message, why)) fail_msg("'%s' does not say '%s'", error.message, why);
}

static void broken_json_is_refused(void **state) {
  (void)state;
  refuse("{\"asset\":{\"version\":\"2.0\"},\n\"nodes\":[}\n", "line 2");
  refuse("{\"asset\":{\"version\":\"2.0\"}", "JSON");
  refuse("[]", "JSON");
  refuse("{\"asset\":{\"version\":\"2.0\"},\"extensionsRequired\":[\"EXT_of_ours\"]}", "EXT_of_ours");
}

/* References beyond the file must not be read: any result is fine, except a crash. */
static void hostile_numbers_do_no_harm(void **state) {
  (void)state;
  static const char *const swaps[][2] = {
      {"\"count\":3,\"type\":\"VEC4\"}", "\"count\":4000000000,\"type\":\"VEC4\"}"},
      {"\"count\":2,\"type\":\"SCALAR\"", "\"count\":900000000,\"type\":\"SCALAR\""},
      {"\"bufferView\":7", "\"bufferView\":-1"},
      {"\"bufferView\":6,", ""},
      {"\"node\":1", "\"node\":1e300"},
      {"\"sampler\":1", "\"sampler\":77"},
      {"\"output\":7", "\"output\":0"},
      {"\"output\":8", "\"output\":4"},
      {"\"weights\":[0.5]", "\"weights\":[null,{},1e999,3,3,3,3,3]"},
      {"\"input\":4", "\"input\":[]"},
  };
  char path[256];
  size_t size;
  unsigned char *good = file_read(small_path, 1 << 20, &size, NULL);
  snprintf(path, sizeof path, "%s/odd.gltf", small_folder);
  for (size_t i = 0; i < sizeof swaps / sizeof *swaps; i++) {
    char text[16384];
    char *at = strstr((char *)good, swaps[i][0]);
    assert_non_null(at);
    int before = (int)(at - (char *)good);
    snprintf(text, sizeof text, "%.*s%s%s", before, (char *)good, swaps[i][1], at + strlen(swaps[i][0]));
    write_small("odd.gltf", text, strlen(text));
    sinew_error error = {""};
    sinew_model *odd = sinew_model_load(path, NULL, &error);
    assert_true(odd != NULL || strstr(error.message, "odd.gltf") != NULL);
    sinew_model_release(odd);
  }
  remove_small("odd.gltf");
  mem_free(good);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_are_the_files_own),
      cmocka_unit_test(curves_keep_their_interpolation),
      cmocka_unit_test(each_skin_has_a_mesh_and_identity_inverse_binds),
      cmocka_unit_test(morph_weights_come_from_node_mesh_and_curve),
      cmocka_unit_test(tangents_are_there_for_a_normal_map),
      cmocka_unit_test(morph_targets_bend_normals),
      cmocka_unit_test(missing_normals_are_flat),
      cmocka_unit_test(broken_json_is_refused),
      cmocka_unit_test(hostile_numbers_do_no_harm),
  };
  return cmocka_run_group_tests(tests, load, unload);
}
