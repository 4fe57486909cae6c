/* A raw model whose one clip a test fills with curves, to be built and sampled. */
#ifndef SINEW_TESTS_CLIP_FIXTURE_H
#define SINEW_TESTS_CLIP_FIXTURE_H

#include "support/fixture.h"

#include "import/build/build.h"

/* A raw model with two nodes, one mesh with a morph target, and one clip. */
typedef struct scene {
  raw_model raw;
  raw_clip clip;
  raw_track tracks[8];
  raw_node nodes[2];
  raw_mesh mesh;
  raw_morph morph;
  bool exact;
  int notes; /* once it is built */
  const raw_node *nodes_at;
} scene;

static inline void open_scene(scene *s) {
  memset(s, 0, sizeof *s);
  raw_init(&s->raw, "scene", NULL);
  for (int i = 0; i < 2; i++) s->nodes[i] = (raw_node){.name = i ? "b" : "a", .parent = i - 1};
  s->nodes[0].local = s->nodes[1].local = sinew_mat3x4_identity();
  s->nodes[1].local.m[3] = 2; /* at rest */
  s->morph = (raw_morph){.name = "m", .weight = 0.25f, .positions = (float[3]){0}};
  s->mesh = (raw_mesh){.name = "mesh", .node = 0, .material = -1, .morphs = &s->morph, .morph_count = 1};
  s->clip = (raw_clip){.name = "clip", .tracks = s->tracks};
  s->raw.nodes = s->nodes;
  s->raw.node_count = 2;
  s->raw.meshes = &s->mesh;
  s->raw.mesh_count = 1;
  s->raw.clips = &s->clip;
  s->raw.clip_count = 1;
  s->exact = true;
}

static inline void add(scene *s, track_kind kind, int node, raw_interpolation mode, int keys, double *times,
                       float *values) {
  s->tracks[s->clip.track_count++] = (raw_track){
      .kind = kind, .node = node, .interpolation = mode, .key_count = keys, .times = times, .values = values};
}

static inline sinew_model *build(scene *s) {
  model_desc desc = {.path = "scene"};
  assert_true(raw_check(&s->raw));
  assert_true(build_skeleton(&s->raw, true, &desc) && build_clips(&s->raw, s->exact, 0, &desc) &&
              build_meshes(&s->raw, 4, &desc));
  sinew_model *model = model_create(&desc, NULL);
  assert_non_null(model);
  s->notes = s->raw.note_count;
  raw_release(&s->raw);
  return model;
}

static inline sinew_transform sample(const sinew_model *model, const char *joint, double time) {
  int count = sinew_model_joint_count(model);
  sinew_pose pose = {calloc((size_t)sinew_pose_group_count(count), sizeof(sinew_pose_group)), count};
  sinew_sample_job job = {model, sinew_model_clip(model, 0), time, pose};
  assert_null(sinew_sample_check(&job));
  assert_true(sinew_sample(&job));
  sinew_transform t = sinew_pose_joint(&pose, sinew_model_find_joint(model, joint));
  free(pose.groups);
  return t;
}

static inline sinew_quat about(double x, double y, double z, double angle) {
  double length = sqrt(x * x + y * y + z * z), s = sin(angle / 2) / length;
  return (sinew_quat){(float)(x * s), (float)(y * s), (float)(z * s), (float)cos(angle / 2)};
}

#endif
