#include "math/float_env.h"
#include "pose/kernels.h"

#include <math.h>

static const char *check_poses(const sinew_pose *const *poses, int count) {
  for (int i = 0; i < count; i++) {
    if (!poses[i]->groups) return "additive: a pose is missing";
    if (poses[i]->joint_count != poses[0]->joint_count) return "additive: the poses differ in size";
  }
  return NULL;
}

const char *sinew_additive_make_check(const sinew_additive_make_job *job) {
  return check_poses((const sinew_pose *const[]){&job->output, &job->pose, &job->reference}, 3);
}

const char *sinew_additive_apply_check(const sinew_additive_apply_job *job) {
  if (!isfinite(job->weight)) return "additive: the weight is not a finite number";
  return check_poses((const sinew_pose *const[]){&job->output, &job->below, &job->additive}, 3);
}

const char *sinew_additive_check(const sinew_additive_job *job) {
  if (!isfinite(job->weight)) return "additive: the weight is not a finite number";
  return check_poses((const sinew_pose *const[]){&job->output, &job->below, &job->pose, &job->reference}, 4);
}

bool sinew_additive_make(const sinew_additive_make_job *job) {
  if (sinew_additive_make_check(job)) return false;
  uint64_t before = float_env_enter();
  pose_kernels_current()->additive_make(job);
  float_env_leave(before);
  return true;
}

bool sinew_additive_apply(const sinew_additive_apply_job *job) {
  if (sinew_additive_apply_check(job)) return false;
  uint64_t before = float_env_enter();
  pose_kernels_current()->additive_apply(job);
  float_env_leave(before);
  return true;
}

bool sinew_additive(const sinew_additive_job *job) {
  if (sinew_additive_check(job)) return false;
  uint64_t before = float_env_enter();
  pose_kernels_current()->additive(job);
  float_env_leave(before);
  return true;
}
