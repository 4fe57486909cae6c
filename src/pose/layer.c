#include "pose/kernels.h"

#include <math.h>

static const char *check_poses(const sinew_pose *below, const sinew_pose *above, const sinew_pose *output) {
  if (!below->groups || !above->groups || !output->groups) return "layer: a pose is missing";
  if (below->joint_count != output->joint_count || above->joint_count != output->joint_count)
    return "layer: the poses differ in size";
  return NULL;
}

const char *sinew_layer_check(const sinew_layer_job *job) {
  if (!isfinite(job->weight)) return "layer: the weight is not a finite number";
  return check_poses(&job->below, &job->above, &job->output);
}

const char *sinew_additive_check(const sinew_additive_job *job) {
  if (!isfinite(job->weight)) return "additive: the weight is not a finite number";
  if (!job->reference.groups || job->reference.joint_count != job->output.joint_count)
    return "additive: the reference is missing or differs in size";
  return check_poses(&job->below, &job->pose, &job->output);
}

bool sinew_layer(const sinew_layer_job *job) {
  if (sinew_layer_check(job)) return false;
  pose_kernels_current()->layer(job);
  return true;
}

bool sinew_additive(const sinew_additive_job *job) {
  if (sinew_additive_check(job)) return false;
  pose_kernels_current()->additive(job);
  return true;
}
