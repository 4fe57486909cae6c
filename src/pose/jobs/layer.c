#include "math/float_env.h"
#include "model/model.h"
#include "pose/kernels.h"

#include <math.h>

const char *sinew_layer_check(const sinew_layer_job *job) {
  if (!isfinite(job->weight)) return "layer: the weight is not a finite number";
  if (!job->below.groups || !job->above.groups || !job->output.groups) return "layer: a pose is missing";
  if (job->below.joint_count != job->output.joint_count || job->above.joint_count != job->output.joint_count)
    return "layer: the poses differ in size";
  if (job->model && job->model->joint_count != job->output.joint_count)
    return "layer: the poses are not of the model's size";
  return NULL;
}

bool sinew_layer(const sinew_layer_job *job) {
  if (sinew_layer_check(job)) return false;
  uint64_t before = float_env_enter();
  pose_kernels_current()->layer(job);
  float_env_leave(before);
  return true;
}
