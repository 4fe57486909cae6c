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

/* The first joint from `from` on whose parent is `parent` or a later one: parents never go back. It is near, so steps
 * begin small. */
static int first_child(const sinew_model *model, int from, int parent) {
  const int32_t *parents = model->parents;
  int low = from, step = 4, count = model->joint_count;
  while (low + step < count && parents[low + step - 1] < parent) {
    low += step;
    step *= 2;
  }
  int high = low + step < count ? low + step : count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (parents[middle] >= parent) high = middle;
    else low = middle + 1;
  }
  return low;
}

bool sinew_local_to_model(const sinew_local_to_model_job *job) {
  if (sinew_local_to_model_check(job)) return false;
  const pose_kernels *kernels = pose_kernels_current();
  uint64_t before = float_env_enter();
  int first = job->first, end = first ? first + 1 : job->model->joint_count;
  while (first < end) {
    kernels->local_to_model(job, first, end);
    int next = first_child(job->model, end, first);
    end = first_child(job->model, next, end);
    first = next;
  }
  float_env_leave(before);
  return true;
}
