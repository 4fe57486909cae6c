/* shapes – models with meshes, made in memory. */
#ifndef SINEW_TESTS_SHAPES_H
#define SINEW_TESTS_SHAPES_H

#include "support/fixture.h"

typedef struct mesh_arrays {
  float *positions, *normals, *tangents, *uvs, *weights;
  uint16_t *joints;
  uint32_t *indices;
} mesh_arrays;

static inline mesh_arrays mesh_arrays_make(int vertices, int indices, int influences) {
  return (mesh_arrays){.positions = calloc((size_t)vertices * 3, sizeof(float)),
                       .normals = calloc((size_t)vertices * 3, sizeof(float)),
                       .tangents = calloc((size_t)vertices * 4, sizeof(float)),
                       .uvs = calloc((size_t)vertices * 2, sizeof(float)),
                       .weights = calloc((size_t)vertices * (size_t)influences, sizeof(float)),
                       .joints = calloc((size_t)vertices * (size_t)influences, sizeof(uint16_t)),
                       .indices = calloc((size_t)indices, sizeof(uint32_t))};
}

static inline void mesh_arrays_free(mesh_arrays *a) {
  free(a->positions), free(a->normals), free(a->tangents), free(a->uvs), free(a->weights), free(a->joints),
      free(a->indices);
}

static inline void random_unit(float *out) {
  sinew_quat q = random_quat();
  out[0] = 2 * (q.x * q.z + q.w * q.y), out[1] = 2 * (q.y * q.z - q.w * q.x), out[2] = 1 - 2 * (q.x * q.x + q.y * q.y);
}

static inline void random_influences(mesh_arrays *a, int vertex, int influences, int most, int joint_count) {
  int used = 1 + (int)(random_bits() % (uint32_t)most);
  float sum = 0;
  for (int k = 0; k < used; k++) {
    a->joints[vertex * influences + k] = (uint16_t)(random_bits() % (uint32_t)joint_count);
    sum += a->weights[vertex * influences + k] = random_range(0.05f, 1) / (float)(1 + k);
  }
  float *weights = a->weights + vertex * influences;
  for (int k = 0; k < used; k++) weights[k] /= sum;
  for (int k = 1; k < used; k++) /* the heaviest comes first, as in every model */
    if (weights[k] > weights[0]) {
      float lighter = weights[0];
      weights[0] = weights[k], weights[k] = lighter;
    }
}

/* A soup of random triangles over a skin of all joints of a random skeleton. */
typedef struct soup_def {
  int joint_count, influences, vertex_count, morph_count;
  bool tangents, morph_normals;
  bool rigid; /* each vertex follows one joint */
} soup_def;

static inline sinew_model *soup_model(const soup_def *def) {
  int count = def->vertex_count;
  mesh_arrays a = mesh_arrays_make(count, count, def->influences);
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < 3; k++) a.positions[3 * i + k] = random_range(-1, 1);
    random_unit(a.normals + 3 * i);
    random_unit(a.tangents + 4 * i);
    a.tangents[4 * i + 3] = random_bits() % 2 ? 1.0f : -1.0f;
    random_influences(&a, i, def->influences, def->rigid ? 1 : def->influences, def->joint_count);
    a.indices[i] = (uint32_t)i;
  }
  sinew_morph_view *morphs = calloc((size_t)def->morph_count + 1, sizeof *morphs);
  float *deltas = calloc((size_t)(def->morph_count + 1) * (size_t)count * 3, 2 * sizeof(float));
  for (int m = 0; m < def->morph_count; m++) {
    float *positions = deltas + (size_t)m * (size_t)count * 6, *normals = positions + (size_t)count * 3;
    for (int i = 0; i < 3 * count; i++)
      positions[i] = random_range(-0.2f, 0.2f), normals[i] = random_range(-0.3f, 0.3f);
    morphs[m] = (sinew_morph_view){.name = "m", .positions = positions, .normals = def->morph_normals ? normals : NULL};
  }
  joint_desc *joints = calloc((size_t)def->joint_count, sizeof *joints);
  int32_t *skin_joints = calloc((size_t)def->joint_count, sizeof *skin_joints);
  sinew_mat3x4 *inverse_binds = calloc((size_t)def->joint_count, sizeof *inverse_binds);
  for (int j = 0; j < def->joint_count; j++) {
    joints[j] = (joint_desc){.parent = random_parent(SHAPE_RANDOM, j), .rest = sinew_transform_identity()};
    skin_joints[j] = j;
    inverse_binds[j] = sinew_mat3x4_identity();
  }
  sinew_mesh_view mesh = {.name = "soup",
                          .same_as = -1,
                          .material = -1,
                          .vertex_count = count,
                          .index_count = count - count % 3,
                          .influences = def->influences,
                          .positions = a.positions,
                          .normals = a.normals,
                          .tangents = def->tangents ? a.tangents : NULL,
                          .joints = a.joints,
                          .weights = a.weights,
                          .indices = a.indices,
                          .morphs = morphs,
                          .morph_count = def->morph_count};
  skin_desc skin = {def->joint_count, skin_joints, inverse_binds};
  model_desc desc = {.path = "soup",
                     .root = sinew_transform_identity(),
                     .joints = joints,
                     .joint_count = def->joint_count,
                     .skins = &skin,
                     .skin_count = 1,
                     .meshes = &mesh,
                     .mesh_count = 1};
  sinew_error error = {0};
  sinew_model *model = model_create(&desc, &error);
  if (!model) fail_msg("%s", error.message);
  mesh_arrays_free(&a);
  free(morphs), free(deltas), free(joints), free(skin_joints), free(inverse_binds);
  return model;
}

/* A palette that turns, moves and scales unevenly; `mirrored` negates some axes. */
static inline sinew_mat3x4 *random_palette(int count, bool mirrored) {
  sinew_mat3x4 *palette = calloc((size_t)count, sizeof *palette);
  for (int i = 0; i < count; i++) {
    sinew_transform t = random_transform(true);
    if (mirrored && i % 2) t.scale.x = -t.scale.x;
    palette[i] = sinew_mat3x4_from_transform(&t);
  }
  return palette;
}

/* A round post that stands on the ground, a quarter of a metre thick on either side of y, bound to three joints one
 * above the other. Its morph target leans it towards x. */
static inline sinew_model *post_model(float height, const sinew_material *material, const sinew_image_view *image) {
  enum {
    SIDES = 24,
    RINGS = 17,
    COUNT = (SIDES + 1) * RINGS + 2 * (SIDES + 1),
    INDICES = SIDES * (RINGS - 1) * 6 + SIDES * 6
  };
  mesh_arrays a = mesh_arrays_make(COUNT, INDICES, 4);
  float lean[3 * COUNT] = {0};
  int v = 0, n = 0;
  for (int r = 0; r < RINGS + 2; r++)
    for (int s = 0; s <= SIDES; s++, v++) {
      int ring = r < RINGS ? r : r == RINGS ? RINGS - 1 : 0;
      float angle = 6.2831853f * (float)s / SIDES, along = (float)ring / (RINGS - 1);
      float x = cosf(angle), z = -sinf(angle);
      bool cap = r >= RINGS;
      memcpy(a.positions + 3 * v, (float[3]){0.25f * x, height * along, 0.25f * z}, 3 * sizeof(float));
      memcpy(a.normals + 3 * v, (float[3]){cap ? 0 : x, cap ? (r == RINGS ? 1 : -1) : 0, cap ? 0 : z},
             3 * sizeof(float));
      memcpy(a.tangents + 4 * v, (float[4]){-sinf(angle), 0, -cosf(angle), 1}, 4 * sizeof(float));
      memcpy(a.uvs + 2 * v, (float[2]){(float)s / SIDES * 4, (1 - along) * 4}, 2 * sizeof(float));
      lean[3 * v] = along;
      float at = along * 2;
      a.joints[4 * v] = at < 1 ? 0 : 1, a.joints[4 * v + 1] = at < 1 ? 1 : 2;
      a.weights[4 * v + 1] = at < 1 ? at : at - 1, a.weights[4 * v] = 1 - a.weights[4 * v + 1];
    }
  for (int r = 0; r + 1 < RINGS; r++)
    for (int s = 0; s < SIDES; s++) {
      uint32_t q = (uint32_t)(r * (SIDES + 1) + s), up = q + SIDES + 1;
      const uint32_t two[6] = {q, q + 1, up + 1, q, up + 1, up};
      memcpy(a.indices + n, two, sizeof two), n += 6;
    }
  for (int cap = 0; cap < 2; cap++)
    for (int s = 1; s + 1 < SIDES; s++) {
      uint32_t q = (uint32_t)((RINGS + cap) * (SIDES + 1));
      a.indices[n++] = q, a.indices[n++] = q + (uint32_t)(cap ? s + 1 : s),
      a.indices[n++] = q + (uint32_t)(cap ? s : s + 1);
    }
  joint_desc joints[3] = {{"low", -1, .rest = sinew_transform_identity()},
                          {"middle", 0, .rest = sinew_transform_identity()},
                          {"high", 1, .rest = sinew_transform_identity()}};
  int32_t skin_joints[3] = {0, 1, 2};
  sinew_mat3x4 inverse_binds[3] = {sinew_mat3x4_identity(), sinew_mat3x4_identity(), sinew_mat3x4_identity()};
  skin_desc skin = {3, skin_joints, inverse_binds};
  const sinew_morph_view morph = {.name = "lean", .positions = lean};
  sinew_mesh_view mesh = {.name = "post",
                          .same_as = -1,
                          .material = material ? 0 : -1,
                          .vertex_count = v,
                          .index_count = n,
                          .influences = 4,
                          .positions = a.positions,
                          .normals = a.normals,
                          .tangents = a.tangents,
                          .uvs = a.uvs,
                          .joints = a.joints,
                          .weights = a.weights,
                          .indices = a.indices,
                          .morphs = &morph,
                          .morph_count = 1};
  model_desc desc = {.path = "post",
                     .root = sinew_transform_identity(),
                     .joints = joints,
                     .joint_count = 3,
                     .skins = &skin,
                     .skin_count = 1,
                     .meshes = &mesh,
                     .mesh_count = 1,
                     .materials = material,
                     .material_count = material ? 1 : 0,
                     .images = image,
                     .image_count = image ? 1 : 0};
  sinew_error error = {0};
  sinew_model *model = model_create(&desc, &error);
  if (!model) fail_msg("%s", error.message);
  mesh_arrays_free(&a);
  return model;
}

#endif
