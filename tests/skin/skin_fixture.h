/* skin_fixture – a model with two skins and one random mesh. */
#ifndef SINEW_TESTS_SKIN_FIXTURE_H
#define SINEW_TESTS_SKIN_FIXTURE_H

#include "support/fixture.h"

enum { VERTICES = 60, BONES = 9, MOST_INFLUENCES = 12 };

typedef struct mesh_data {
  float positions[VERTICES * 3], normals[VERTICES * 3], tangents[VERTICES * 4], weights[VERTICES * MOST_INFLUENCES];
  float morph[VERTICES * 3], morph_normals[VERTICES * 3];
  uint16_t joints[VERTICES * MOST_INFLUENCES];
} mesh_data;

/* Weights other than 0 in the first `used` influences only. */
static inline void make_vertex(mesh_data *d, int v, int influences, int used) {
  float sum = 0;
  for (int i = 0; i < 3; i++) {
    d->positions[3 * v + i] = random_range(-1, 1);
    d->morph[3 * v + i] = random_range(-1, 1);
    d->morph_normals[3 * v + i] = random_range(-0.1f, 0.1f);
  }
  sinew_quat n = random_quat();
  float length = sqrtf(n.x * n.x + n.y * n.y + n.z * n.z);
  float unit[3] = {n.x / length, n.y / length, n.z / length};
  memcpy(d->normals + 3 * v, unit, sizeof unit);
  memcpy(d->tangents + 4 * v, unit, sizeof unit);
  d->tangents[4 * v + 3] = v % 2 ? 1 : -1;
  for (int k = 0; k < influences; k++) {
    d->joints[v * influences + k] = (uint16_t)(random_bits() % BONES);
    d->weights[v * influences + k] = random_range(0, 1);
    if (k >= used) d->weights[v * influences + k] = 0;
    sum += d->weights[v * influences + k];
  }
  for (int k = 0; k < influences; k++) d->weights[v * influences + k] /= sum;
}

/* Two skins, so that the second one's palette does not begin at 0. */
static inline sinew_model *make_model_of(mesh_data *d, int vertex_count, int influences, int used) {
  joint_desc joints[BONES];
  int32_t bones[BONES];
  sinew_mat3x4 binds[BONES];
  for (int i = 0; i < BONES; i++) {
    joints[i] = (joint_desc){.name = "j", .parent = i - 1, .rest = random_transform(true)};
    bones[i] = BONES - 1 - i;
    sinew_transform bind = random_transform(true);
    binds[i] = sinew_mat3x4_from_transform(&bind);
  }
  for (int v = 0; v < VERTICES; v++) make_vertex(d, v, influences, used);
  sinew_morph_view morph = {.name = "Smile", .positions = d->morph, .normals = d->morph_normals};
  sinew_mesh_view mesh = {.name = "m",
                          .joint = 0,
                          .skin = 1,
                          .material = -1,
                          .vertex_count = vertex_count,
                          .influences = influences,
                          .positions = d->positions,
                          .normals = d->normals,
                          .tangents = d->tangents,
                          .joints = d->joints,
                          .weights = d->weights,
                          .morphs = &morph,
                          .morph_count = 1};
  skin_desc skins[2] = {{2, bones, binds}, {BONES, bones, binds}};
  model_desc desc = {.path = "x",
                     .root = sinew_transform_identity(),
                     .joints = joints,
                     .joint_count = BONES,
                     .skins = skins,
                     .skin_count = 2,
                     .meshes = &mesh,
                     .mesh_count = 1};
  return model_create(&desc, NULL);
}

static inline sinew_model *make_model(mesh_data *d, int influences) {
  return make_model_of(d, VERTICES, influences, influences);
}

#endif
