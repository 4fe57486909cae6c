/* cast – random models with everything that a character can have: several clips, a skin, morph targets. */
#ifndef SINEW_TESTS_ACTOR_CAST_H
#define SINEW_TESTS_ACTOR_CAST_H

#include "support/fixture.h"

#include <sinew/actor.h>

enum { CAST_JOINTS = 150, CAST_CLIPS = 5, CAST_FRAMES = 9, CAST_MODELS = 3 };

typedef struct cast_clip {
  float times[CAST_FRAMES], frames[CAST_FRAMES][CAST_JOINTS * 10 + 1];
  bool animated[CAST_JOINTS];
  sinew_transform base[CAST_JOINTS];
  clip_track tracks[CAST_JOINTS * 3 + 1];
  track_group_desc desc;
} cast_clip;

static inline void cast_value(float *value, track_kind kind, float moved) {
  if (kind == TRACK_ROTATION) {
    sinew_quat q = sinew_quat_normalize((sinew_quat){moved, random_range(-0.2f, 0.2f), random_range(-0.2f, 0.2f), 1});
    memcpy(value, &q, sizeof q);
  } else {
    for (int i = 0; i < 3; i++) value[i] = 1 + moved + random_range(-0.2f, 0.2f);
  }
}

/* A random part of the joints moves; frames at even moments in half of the clips. */
static inline clip_desc cast_random_clip(cast_clip *c, const char *name, int joint_count, const joint_desc *joints) {
  bool even = random_bits() % 2, all = random_bits() % 2;
  int frames = 2 + (int)(random_bits() % (CAST_FRAMES - 1)), tracks = 0, size = 0;
  for (int r = 1; r < frames; r++) c->times[r] = c->times[r - 1] + (even ? 0.125f : random_range(0.05f, 0.3f));
  for (int j = 0; j < joint_count; j++) {
    c->base[j] = joints[j].rest;
    c->animated[j] = all || random_bits() % 2;
    for (int kind = TRACK_ROTATION; c->animated[j] && kind <= TRACK_SCALE; kind++) {
      if (random_bits() % 3 == 0) continue;
      c->tracks[tracks++] = (clip_track){(track_kind)kind, j, 0, random_bits() % 8 == 0, size, random_bits() % 2, 0};
      for (int r = 0; r < frames; r++)
        cast_value(c->frames[r] + size, (track_kind)kind, 0.1f * (float)r / (float)frames);
      size += kind == TRACK_ROTATION ? 4 : 3;
    }
  }
  c->tracks[tracks++] = (clip_track){TRACK_MORPH, 0, 0, false, size, true, 0};
  for (int r = 0; r < frames; r++) c->frames[r][size] = random_range(0, 1);
  c->desc = (track_group_desc){c->times, frames, c->frames[0], CAST_JOINTS * 10 + 1, c->tracks, tracks, 0, NULL};
  return (clip_desc){.name = name,
                     .duration = (double)c->times[frames - 1],
                     .track_groups = &c->desc,
                     .track_group_count = 1,
                     .animated = c->animated,
                     .base = c->base};
}

/* One skin over all joints, one vertex with two targets, CAST_CLIPS clips. */
static inline sinew_model *cast_model(int joint_count) {
  static const char *const names[CAST_CLIPS] = {"A", "B", "C", "D", "E"};
  cast_clip *made = calloc(CAST_CLIPS, sizeof *made);
  joint_desc joints[CAST_JOINTS];
  int32_t bones[CAST_JOINTS];
  sinew_mat3x4 binds[CAST_JOINTS];
  for (int j = 0; j < joint_count; j++) {
    joints[j] = (joint_desc){.name = "j", .parent = random_parent(SHAPE_FOREST, j), .rest = random_transform(true)};
    bones[j] = j;
    sinew_transform bind = random_transform(false);
    binds[j] = sinew_mat3x4_from_transform(&bind);
  }
  clip_desc clips[CAST_CLIPS];
  for (int i = 0; i < CAST_CLIPS; i++) clips[i] = cast_random_clip(made + i, names[i], joint_count, joints);
  float position[3] = {0}, normal[3] = {0, 1, 0}, weights[4] = {1};
  uint16_t influences[4] = {0};
  sinew_morph_view morphs[2] = {{.name = "Smile", .positions = position},
                                {.name = "Blink", .positions = position, .rest_weight = 0.25f}};
  sinew_mesh_view mesh = {.name = "m",
                          .same_as = -1,
                          .material = -1,
                          .vertex_count = 1,
                          .influences = 4,
                          .positions = position,
                          .normals = normal,
                          .joints = influences,
                          .weights = weights,
                          .morphs = morphs,
                          .morph_count = 2};
  skin_desc skin = {joint_count, bones, binds};
  model_desc desc = {.path = "cast",
                     .root = sinew_transform_identity(),
                     .joints = joints,
                     .joint_count = joint_count,
                     .clips = clips,
                     .clip_count = CAST_CLIPS,
                     .skins = &skin,
                     .skin_count = 1,
                     .meshes = &mesh,
                     .mesh_count = 1};
  sinew_model *model = model_create(&desc, NULL);
  free(made);
  assert_non_null(model);
  return model;
}

/* Everything that a run gave, to compare with another run. */
typedef struct record {
  unsigned char *bytes;
  size_t size, capacity;
} record;

static inline void record_add(record *r, const void *bytes, size_t size) {
  if (r->size + size > r->capacity) {
    r->capacity = 2 * (r->size + size);
    r->bytes = realloc(r->bytes, r->capacity);
  }
  if (size) memcpy(r->bytes + r->size, bytes, size);
  r->size += size;
}

static inline void expect_same_record(record *a, record *b) {
  assert_int_equal(a->size, b->size);
  assert_memory_equal(a->bytes, b->bytes, a->size);
  free(a->bytes), free(b->bytes);
}

static inline void expect_finite(const float *values, size_t count) {
  bool finite = true;
  for (size_t i = 0; i < count; i++) finite &= isfinite(values[i]);
  assert_true(finite);
}

#endif
