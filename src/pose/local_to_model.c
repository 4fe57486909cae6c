#include "model/model.h"
#include "pose/kernels.h"

const char *sinew_local_to_model_check(const sinew_local_to_model_job *job) {
  if (!job->model) return "local to model: the model is missing";
  if (!job->pose.groups || !job->output) return "local to model: the pose or the output is missing";
  if (job->pose.joint_count != job->model->joint_count) return "local to model: the pose is not of the model's size";
  return NULL;
}

bool sinew_local_to_model(const sinew_local_to_model_job *job) {
  if (sinew_local_to_model_check(job)) return false;
  pose_kernels_current()->local_to_model(job->pose, job->model->parents, job->output);
  return true;
}
