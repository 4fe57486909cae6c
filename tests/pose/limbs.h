/* limbs – random chains posed in both spaces, and what must hold after any modifier. */
#ifndef SINEW_TESTS_LIMBS_H
#define SINEW_TESTS_LIMBS_H

#include "model/pose_group.h"
#include "support/rig.h"

#include <sinew/modifier_jobs.h>

enum { LIMB_MAX = 80 };

typedef struct limb_rig {
  sinew_model *model;
  sinew_posed posed;
  sinew_mat3x4 joints[LIMB_MAX];
  double lengths[LIMB_MAX];
} limb_rig;

static inline sinew_vec3 place_of(const limb_rig *r, int joint) {
  const float *m = r->posed.joints[joint].m;
  return (sinew_vec3){m[3], m[7], m[11]};
}

static inline double bone_length(const limb_rig *r, int joint) {
  return distance_between(place_of(r, joint), place_of(r, sinew_model_joint_parent(r->model, joint)));
}

/* Takes the pose as it is for the one to come back to: lengths are measured. */
static inline void rig_settle(limb_rig *r) {
  assert_true(sinew_local_to_model(&(sinew_local_to_model_job){r->model, r->posed.pose, r->posed.joints, 0}));
  for (int j = 1; j < r->posed.pose.joint_count; j++) r->lengths[j] = bone_length(r, j);
}

/* A chain of `count` joints below one that turns, scales evenly and mirrors where `mirror` is; joint 1 is that one. */
static inline void rig_init(limb_rig *r, int count, bool mirror) {
  joint_desc joints[LIMB_MAX];
  for (int j = 0; j < count + 1; j++) {
    sinew_transform t = random_transform(false);
    if (j == 0) t.scale = (sinew_vec3){mirror ? -0.5f : 0.5f, 0.5f, 0.5f};
    joints[j] = (joint_desc){"j", j - 1, t, false, 0};
  }
  r->model = make_rig(joints, count + 1, NULL, 0, 0);
  r->posed = (sinew_posed){r->model, copy_pose(model_rest_pose(r->model)), r->joints};
  rig_settle(r);
}

/* A new random bend of every joint from the second on. */
static inline void rig_shake(limb_rig *r) {
  for (int j = 2; j < r->posed.pose.joint_count; j++) {
    sinew_transform t = sinew_pose_joint(&r->posed.pose, j);
    t.rotation = random_quat();
    sinew_pose_set_joint(&r->posed.pose, j, &t);
  }
  rig_settle(r);
}

static inline void rig_free(limb_rig *r) {
  free(r->posed.pose.groups);
  sinew_model_release(r->model);
}

/* Everything is finite, both halves are in step, rotations are of unit length and bones as long as they were. */
static inline void expect_sound(const limb_rig *r, double tolerance) {
  sinew_mat3x4 again[LIMB_MAX];
  assert_true(sinew_local_to_model(&(sinew_local_to_model_job){r->model, r->posed.pose, again, 0}));
  for (int j = 0; j < r->posed.pose.joint_count; j++) {
    for (int e = 0; e < 12; e++) {
      assert_true(isfinite(r->posed.joints[j].m[e]));
      assert_near(r->posed.joints[j].m[e], again[j].m[e], 1e-6);
    }
    sinew_quat q = sinew_pose_joint(&r->posed.pose, j).rotation;
    assert_near((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w, 1, 1e-5);
    if (j > 0) assert_near(bone_length(r, j), r->lengths[j], tolerance);
  }
}

/* The largest angle between a joint's local rotations in the two poses, radians. */
static inline double worst_turn(sinew_pose a, sinew_pose b) {
  double worst = 0;
  for (int j = 0; j < a.joint_count; j++)
    worst = fmax(worst, angle_between(sinew_pose_joint(&a, j).rotation, sinew_pose_joint(&b, j).rotation));
  return worst;
}

static inline void rig_restore(limb_rig *r, sinew_pose from) {
  memcpy(r->posed.pose.groups, from.groups, (size_t)sinew_pose_group_count(from.joint_count) * sizeof *from.groups);
  rig_settle(r);
}

static inline sinew_vec3 random_position(float reach) {
  return (sinew_vec3){random_range(-reach, reach), random_range(-reach, reach), random_range(-reach, reach)};
}

static const sinew_vec3 not_finite[] = {{NAN, 0, 0}, {0, INFINITY, 0}, {0, 0, -INFINITY}};

#endif
