/* skin_fixture – a model with two skins and one random mesh. */
#ifndef SINEW_TESTS_SKIN_FIXTURE_H
#define SINEW_TESTS_SKIN_FIXTURE_H

#include "support/fixture.h"

enum { VERTICES = 140, BONES = 9, MOST_INFLUENCES = 12 };

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

/* Each vertex uses `used` influences; where `run` is positive, the first `run` vertices one, the next two, and so on up
 * to `used` and again; where it is negative, every −run-th all and the others one. Then the last weight is negative,
 * too. */
static inline void make_vertices(mesh_data *d, int influences, int used, int run) {
  for (int v = 0; v < VERTICES; v++) {
    int some = run > 0 ? 1 + v / run % used : run < 0 && v % -run ? 1 : used;
    make_vertex(d, v, influences, some);
    if (run < 0 && some > 1) d->weights[v * influences + some - 1] *= -1;
  }
}

/* Two skins, so that the second one's palette does not begin at 0. */
static inline sinew_model *make_model_of(mesh_data *d, int vertex_count, int influences, int used, int run) {
  joint_desc joints[BONES];
  int32_t bones[BONES];
  sinew_mat3x4 binds[BONES];
  for (int i = 0; i < BONES; i++) {
    joints[i] = (joint_desc){.name = "j", .parent = i - 1, .rest = random_transform(true)};
    bones[i] = BONES - 1 - i;
    sinew_transform bind = random_transform(true);
    binds[i] = sinew_mat3x4_from_transform(&bind);
  }
  make_vertices(d, influences, used, run);
  sinew_morph_view morph = {.name = "Smile", .positions = d->morph, .normals = d->morph_normals};
  sinew_mesh_view mesh = {.name = "m",
                          .same_as = -1,
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
  return make_model_of(d, VERTICES, influences, influences, 0);
}

/* ---- a character ---- */

enum { CHARACTER = 67, CHARACTER_FRAMES = 41 };

typedef struct character_clip {
  clip_track tracks[CHARACTER];
  int track_count, frame_size;
  float frames[CHARACTER_FRAMES * (4 * CHARACTER + 3)];
  track_group_desc desc;
} character_clip;

/* By joint of the file, how many joints of its group of the pose turn; lanes that are nobody's count with them. */
static inline void count_turning(const sinew_model *bare, int every, const bool *animated, int turning[CHARACTER]) {
  int groups[CHARACTER] = {0};
  for (int k = 0; k < 2; k++)
    for (int i = 1; i < CHARACTER; i++) {
      int joint = bare->file_indices[i];
      if (k) turning[joint] = groups[i / SINEW_LANES];
      else groups[i / SINEW_LANES] += animated[joint] && (joint % every || every == 1);
      if (!k && i == 1) groups[0]++, groups[CHARACTER / SINEW_LANES] += SINEW_LANES - CHARACTER % SINEW_LANES;
    }
}

/* Of the joints that are animated those whose index `every` does not divide turn; the first moves. */
static inline void make_character_clip(character_clip *c, const sinew_model *bare, int every, const bool *animated,
                                       const float *times) {
  int turning[CHARACTER];
  *c = (character_clip){.track_count = 0};
  count_turning(bare, every, animated, turning);
  for (int i = 0; i < CHARACTER - 1; i++)
    if (animated[i] && (i % every || every == 1)) {
      c->tracks[c->track_count++] = (clip_track){
          TRACK_ROTATION, i, 0, false, c->frame_size, turning[i] >= 6 && every == 1 ? CLIP_FULL : CLIP_NARROW, 0};
      c->frame_size += 4;
    }
  c->tracks[c->track_count++] = (clip_track){TRACK_TRANSLATION, 0, 0, false, c->frame_size, false, 0};
  c->frame_size += 3;
  for (int i = 0; i < CHARACTER_FRAMES * c->frame_size; i++) c->frames[i] = random_range(0.5f, 1.5f);
  for (int r = 0; r < CHARACTER_FRAMES; r++)
    for (int i = 0; i + 1 < c->track_count; i++) {
      float *cell = c->frames + r * c->frame_size + 4 * i;
      sinew_quat q = {random_range(0.8f, 1.2f), random_range(0.8f, 1.2f), random_range(0.8f, 1.2f),
                      random_range(0.8f, 1.2f)};
      q = sinew_quat_normalize(q);
      memcpy(cell, &q, sizeof q);
    }
  c->desc = (track_group_desc){times, CHARACTER_FRAMES, c->frames, c->frame_size, c->tracks, c->track_count, 0, NULL};
}

/* As most characters are: in the first clip all joints turn, in the second two of three, and one moves. They carry
 * every joint but four that each leaves out (of the joints' numbers in the file), or none where that is NULL. */
static inline sinew_model *make_character_without(const int (*left_out)[4]) {
  static joint_desc joints[CHARACTER - 1];
  static bool animated[2][CHARACTER];
  static sinew_transform base[CHARACTER];
  static character_clip clips[2];
  static float times[CHARACTER_FRAMES];
  clip_desc descs[2];
  for (int r = 0; r < CHARACTER_FRAMES; r++) times[r] = (float)r / 30;
  for (int i = 0; i < CHARACTER - 1; i++) {
    joints[i] = (joint_desc){"j", i < 6 ? i - 1 : (i - 4) / 2, random_transform(false), false, 0};
    animated[0][i] = animated[1][i] = true;
    base[i] = joints[i].rest;
  }
  model_desc desc = {.path = "x", .root = sinew_transform_identity(), .joints = joints, .joint_count = CHARACTER - 1};
  sinew_model *bare = model_create(&desc, NULL);
  for (int i = 0; i < 2; i++) {
    for (int k = 0; left_out && k < 4; k++) animated[i][left_out[i][k]] = false;
    make_character_clip(clips + i, bare, i ? 3 : 1, animated[i], times);
    descs[i] = (clip_desc){.name = "c",
                           .duration = 4 / 3.0,
                           .track_groups = &clips[i].desc,
                           .track_group_count = 1,
                           .animated = animated[i],
                           .base = base};
  }
  sinew_model_release(bare);
  desc.clips = descs, desc.clip_count = 2;
  return model_create(&desc, NULL);
}

static inline sinew_model *make_character(void) { return make_character_without(NULL); }

/* One skin over every joint, in another order, for a model that has none. */
enum { MOST_BONES = 1001 };
static inline void give_skin(sinew_model *model) {
  static sinew_mat3x4 binds[MOST_BONES];
  static int32_t joints[MOST_BONES];
  static sinew_skin_view skin;
  int count = sinew_model_joint_count(model);
  for (int i = 0; i < count; i++) {
    sinew_transform bind = random_transform(false);
    binds[i] = sinew_mat3x4_from_transform(&bind);
    joints[i] = count - 1 - i;
  }
  skin = (sinew_skin_view){.joints = joints, .inverse_binds = binds, .count = count, .first = 0};
  model->skins = &skin;
  model->skin_count = 1;
  model->palette_count = count;
}

static inline void take_skin(sinew_model *model) {
  model->skins = NULL;
  model->skin_count = model->palette_count = 0;
}

#endif
