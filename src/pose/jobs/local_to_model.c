#include "math/float_env.h"
#include "model/model.h"
#include "pose/kernels.h"

const char *sinew_local_to_model_check(const sinew_local_to_model_job *job) {
  if (!job->model) return "local to model: the model is missing";
  if (!job->pose.groups || !job->output) return "local to model: the pose or the output is missing";
  if (job->pose.joint_count != job->model->joint_count) return "local to model: the pose is not of the model's size";
  if (job->first < 0 || job->first >= job->model->joint_count) return "local to model: there is no such first joint";
  return NULL;
}

bool sinew_local_to_model(const sinew_local_to_model_job *job) {
  if (sinew_local_to_model_check(job)) return false;
  uint64_t before = float_env_enter();
  pose_kernels_current()->local_to_model(job);
  float_env_leave(before);
  return true;
}
