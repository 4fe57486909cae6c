/* fixture – random models made in memory, and the arithmetic of a second opinion in double precision. */
#ifndef SINEW_TESTS_FIXTURE_H
#define SINEW_TESTS_FIXTURE_H

#include "model/model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* xorshift64*: the same numbers on every machine. */
static uint64_t random_state = 0x9E3779B97F4A7C15u;

static inline void random_seed(uint64_t seed) { random_state = seed * 2 + 1; }

static inline uint32_t random_bits(void) {
  random_state ^= random_state >> 12;
  random_state ^= random_state << 25;
  random_state ^= random_state >> 27;
  return (uint32_t)((random_state * 2685821657736338717u) >> 32);
}

static inline float random_range(float low, float high) {
  return low + (high - low) * (float)((double)random_bits() / 4294967295.0);
}

static inline sinew_quat random_quat(void) {
  return sinew_quat_normalize(
      (sinew_quat){random_range(-1, 1), random_range(-1, 1), random_range(-1, 1), random_range(-1, 1)});
}

static inline sinew_transform random_transform(bool scaled) {
  float low = scaled ? 0.5f : 1, high = scaled ? 2 : 1;
  return (sinew_transform){{random_range(-1, 1), random_range(-1, 1), random_range(-1, 1)},
                           random_quat(),
                           {random_range(low, high), random_range(low, high), random_range(low, high)}};
}

/* In a comb the joints of even index, breadth first, come before the others. */
typedef enum skeleton_shape { SHAPE_CHAIN, SHAPE_STAR, SHAPE_RANDOM, SHAPE_FOREST, SHAPE_COMB } skeleton_shape;

static inline int random_parent(skeleton_shape shape, int joint) {
  if (joint == 0) return -1;
  if (shape == SHAPE_CHAIN) return joint - 1;
  if (shape == SHAPE_STAR) return 0;
  if (shape == SHAPE_COMB) return joint % 2 ? joint - 1 : 0;
  if (shape == SHAPE_FOREST && random_bits() % 4 == 0) return -1;
  return (int)(random_bits() % (uint32_t)joint);
}

/* The values of the last random_model's clip: frame r, joint j (even) is values + r × frame_size + j / 2 × 10, as
 * rotation, translation, scale. */
static struct made_clip {
  float *times, *values;
  int frames, frame_size;
} made_clip;

static inline void forget_made_clip(void) {
  free(made_clip.times), free(made_clip.values);
  memset(&made_clip, 0, sizeof made_clip);
}

/* Joints "j0" … in file order, one clip "Move" of `frames` frames in which every second joint moves, no meshes; the
 * tracks in floats where `wide`, else in 16 bits. */
static inline sinew_model *random_model_with_clip(int joint_count, skeleton_shape shape, int frames, bool scaled,
                                                  bool wide) {
  joint_desc *joints = calloc((size_t)joint_count, sizeof *joints);
  char(*names)[16] = calloc((size_t)joint_count, sizeof *names);
  bool *animated = calloc((size_t)joint_count, sizeof *animated);
  sinew_transform *base = calloc((size_t)joint_count, sizeof *base);
  clip_track *tracks = calloc((size_t)joint_count * 3, sizeof *tracks);
  int track_count = 0, frame_size = 0;
  for (int i = 0; i < joint_count; i++) {
    snprintf(names[i], sizeof names[i], "j%d", i);
    joints[i] = (joint_desc){names[i], random_parent(shape, i), random_transform(scaled), false, 0};
    animated[i] = i % 2 == 0;
    base[i] = joints[i].rest;
    if (!animated[i]) continue;
    tracks[track_count++] = (clip_track){TRACK_ROTATION, i, 0, false, frame_size, wide, 0};
    tracks[track_count++] = (clip_track){TRACK_TRANSLATION, i, 0, i % 4 == 0, frame_size + 4, wide, 0};
    tracks[track_count++] = (clip_track){TRACK_SCALE, i, 0, false, frame_size + 7, wide, 0};
    frame_size += 10;
  }
  float *times = calloc((size_t)frames, sizeof *times), *values = calloc((size_t)(frames * frame_size), sizeof *values);
  for (int r = 0; r < frames; r++) times[r] = (float)r / 30;
  for (int i = 0; i < frames * frame_size; i++) values[i] = random_range(0.5f, 1.5f);
  for (int i = 0; i < frames * frame_size; i += 10) {
    sinew_quat q = {random_range(0.8f, 1.2f), random_range(0.8f, 1.2f), random_range(0.8f, 1.2f),
                    random_range(0.8f, 1.2f)};
    q = sinew_quat_normalize(q);
    memcpy(values + i, &q, sizeof q);
  }
  track_group_desc tracks_desc = {times, frames, values, frame_size, tracks, track_count, 0, NULL};
  clip_desc clip = {.name = "Move",
                    .duration = frames ? (double)times[frames - 1] : 0,
                    .track_groups = &tracks_desc,
                    .track_group_count = 1,
                    .animated = animated,
                    .base = base};
  model_desc desc = {.path = "fixture",
                     .root = sinew_transform_identity(),
                     .joints = joints,
                     .joint_count = joint_count,
                     .clips = &clip,
                     .clip_count = frames ? 1 : 0};
  sinew_model *model = model_create(&desc, NULL);
  free(joints), free(names), free(animated), free(base), free(tracks);
  forget_made_clip();
  made_clip = (struct made_clip){times, values, frames, frame_size};
  assert_non_null(model);
  return model;
}

static inline sinew_model *random_model(int joint_count, skeleton_shape shape, int frames, bool scaled) {
  return random_model_with_clip(joint_count, shape, frames, scaled, true);
}

/* A pose in memory of its own, every joint random. */
static inline sinew_pose random_pose(int joint_count, bool scaled) {
  int groups = sinew_pose_group_count(joint_count);
  sinew_pose pose = {calloc((size_t)groups, sizeof(sinew_pose_group)), joint_count};
  for (int i = 0; i < groups * SINEW_LANES; i++) {
    sinew_pose lanes = {pose.groups, groups * SINEW_LANES};
    sinew_transform t = i < joint_count ? random_transform(scaled) : sinew_transform_identity();
    sinew_pose_set_joint(&lanes, i, &t);
  }
  return pose;
}

static inline sinew_pose copy_pose(sinew_pose pose) {
  size_t bytes = (size_t)sinew_pose_group_count(pose.joint_count) * sizeof *pose.groups;
  sinew_pose copy = {malloc(bytes), pose.joint_count};
  memcpy(copy.groups, pose.groups, bytes);
  return copy;
}

/* The angle between two rotations, radians, whatever their signs. */
static inline double angle_between(sinew_quat a, sinew_quat b) {
  double la = sqrt((double)a.x * a.x + (double)a.y * a.y + (double)a.z * a.z + (double)a.w * a.w);
  double lb = sqrt((double)b.x * b.x + (double)b.y * b.y + (double)b.z * b.z + (double)b.w * b.w);
  double sum = 0;
  double sign = (double)a.x * b.x + (double)a.y * b.y + (double)a.z * b.z + (double)a.w * b.w < 0 ? -1 : 1;
  const float *p = &a.x, *q = &b.x;
  for (int i = 0; i < 4; i++) sum += pow((double)p[i] / la - sign * (double)q[i] / lb, 2);
  return 4 * asin(fmin(sqrt(sum) / 2, 1));
}

static inline double distance_between(sinew_vec3 a, sinew_vec3 b) {
  return sqrt(pow((double)a.x - (double)b.x, 2) + pow((double)a.y - (double)b.y, 2) +
              pow((double)a.z - (double)b.z, 2));
}

/* Every joint of two poses, within `tolerance` radians and metres. */
static inline void expect_same(sinew_pose a, sinew_pose b, double tolerance) {
  for (int j = 0; j < a.joint_count; j++) {
    sinew_transform s = sinew_pose_joint(&a, j), t = sinew_pose_joint(&b, j);
    assert_true(angle_between(s.rotation, t.rotation) <= tolerance);
    assert_true(distance_between(s.translation, t.translation) <= tolerance);
    assert_true(distance_between(s.scale, t.scale) <= tolerance);
  }
}

#define assert_near(a, b, tolerance)                                                                                   \
  do {                                                                                                                 \
    double near_a = (double)(a), near_b = (double)(b);                                                                 \
    if (!(fabs(near_a - near_b) <= (double)(tolerance)))                                                               \
      fail_msg("%s = %.9g is not %s = %.9g within %g", #a, near_a, #b, near_b, (double)(tolerance));                   \
  } while (0)

#endif
