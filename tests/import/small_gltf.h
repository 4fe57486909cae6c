/* small_gltf – writes a glTF model that uses what Assimp drops: one triangle bound to two joints with normalised
 * integer weights, no inverse binds, no scene, a morph target that is on at rest, STEP, CUBICSPLINE and integer curves.
 */
#ifndef SINEW_TESTS_SMALL_GLTF_H
#define SINEW_TESTS_SMALL_GLTF_H

#include "support/fixture.h"

#include "base/file.h"

#include <unistd.h>

/* The parts of the .bin, each as one buffer view in this order. */
static const float small_positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
static const uint8_t small_joints[12] = {0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0};
static const uint8_t small_weights[12] = {255, 0, 0, 0, 0, 255, 0, 0, 51, 204, 0, 0};
static const float small_morph[9] = {0, 0, 3, 0, 0, 3, 0, 0, 3};
static const float small_times[2] = {0.5f, 1.5f};
static const float small_steps[6] = {1, 0, 0, 2, 0, 0};
/* in-tangent, value, out-tangent for each key */
static const float small_cubic[18] = {0, 0, 0, 0, 0, 0, 4, 0, 0, 2, 0, 0, 1, 0, 0, 0, 0, 0};
static const int16_t small_turns[8] = {0, 0, 0, 32767, 0, 0, 23170, 23170}; /* 90° about z */
static const float small_shapes[2] = {-1, 1};
static const uint16_t small_indices[4] = {0, 1, 2, 0};

#define SMALL_GLTF                                                                                                     \
  "{\"asset\":{\"version\":\"2.0\"},\"nodes\":["                                                                       \
  "{\"name\":\"twin\",\"children\":[1]},{\"name\":\"twin\",\"translation\":[0,0,5]},"                                  \
  "{\"mesh\":0,\"skin\":0,\"weights\":[0.5]},{\"mesh\":0,\"skin\":1}],"                                                \
  "\"skins\":[{\"joints\":[0,1]},{\"joints\":[1,0]}],"                                                                 \
  "\"meshes\":[{\"name\":\"tri\",\"weights\":[0.25],\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,"   \
  "\"WEIGHTS_0\":2},\"targets\":[{\"POSITION\":3}],\"indices\":9}]}],"                                                 \
  "\"animations\":[{\"name\":\"all\",\"samplers\":["                                                                   \
  "{\"input\":4,\"output\":5,\"interpolation\":\"STEP\"},{\"input\":4,\"output\":6,\"interpolation\":\"CUBICSPLINE\"}" \
  ","                                                                                                                  \
  "{\"input\":4,\"output\":7},{\"input\":4,\"output\":8}],\"channels\":["                                              \
  "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}},"                                                  \
  "{\"sampler\":1,\"target\":{\"node\":1,\"path\":\"translation\"}},"                                                  \
  "{\"sampler\":2,\"target\":{\"node\":1,\"path\":\"rotation\"}},"                                                     \
  "{\"sampler\":3,\"target\":{\"node\":2,\"path\":\"weights\"}}]}],"                                                   \
  "\"accessors\":["                                                                                                    \
  "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,1,0]},"           \
  "{\"bufferView\":1,\"componentType\":5121,\"count\":3,\"type\":\"VEC4\"},"                                           \
  "{\"bufferView\":2,\"componentType\":5121,\"normalized\":true,\"count\":3,\"type\":\"VEC4\"},"                       \
  "{\"bufferView\":3,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,3],\"max\":[0,0,3]},"           \
  "{\"bufferView\":4,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"},"                                         \
  "{\"bufferView\":5,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"},"                                           \
  "{\"bufferView\":6,\"componentType\":5126,\"count\":6,\"type\":\"VEC3\"},"                                           \
  "{\"bufferView\":7,\"componentType\":5122,\"normalized\":true,\"count\":2,\"type\":\"VEC4\"},"                       \
  "{\"bufferView\":8,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"},"                                         \
  "{\"bufferView\":9,\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"}],"                                        \
  "\"bufferViews\":[%s],\"buffers\":[{\"uri\":\"small.bin\",\"byteLength\":%zu}]}"

static char small_folder[64], small_path[128];

static inline void write_small(const char *name, const void *data, size_t size) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", small_folder, name);
  assert_true(file_write(path, data, size, NULL));
}

/* Writes small.gltf and small.bin into a new folder under /tmp; small_path names the model. */
static inline void make_small_gltf(void) {
  setenv("SINEW_CACHE", "off", 1); /* these tests look at the import itself */
  static const struct {
    const void *data;
    size_t size;
  } parts[] = {{small_positions, sizeof small_positions}, {small_joints, sizeof small_joints},
               {small_weights, sizeof small_weights},     {small_morph, sizeof small_morph},
               {small_times, sizeof small_times},         {small_steps, sizeof small_steps},
               {small_cubic, sizeof small_cubic},         {small_turns, sizeof small_turns},
               {small_shapes, sizeof small_shapes},       {small_indices, sizeof small_indices}};
  unsigned char bytes[1024];
  char views[2048] = "", text[8192];
  size_t used = 0;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    char view[128];
    snprintf(view, sizeof view, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}", i ? "," : "", used,
             parts[i].size);
    strcat(views, view);
    memcpy(bytes + used, parts[i].data, parts[i].size);
    used += parts[i].size;
  }
  strcpy(small_folder, "/tmp/sinew-gltf-XXXXXX");
  assert_non_null(mkdtemp(small_folder));
  int length = snprintf(text, sizeof text, SMALL_GLTF, views, used);
  assert_true(length > 0 && length < (int)sizeof text);
  write_small("small.gltf", text, (size_t)length);
  write_small("small.bin", bytes, used);
  snprintf(small_path, sizeof small_path, "%s/small.gltf", small_folder);
}

static inline void remove_small(const char *name) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", small_folder, name);
  remove(path);
}

static inline void remove_small_gltf(void) {
  remove_small("small.gltf");
  remove_small("small.bin");
  rmdir(small_folder);
}

#endif
