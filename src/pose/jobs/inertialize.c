#include "math/float_env.h"
#include "pose/kernels.h"

#include <math.h>
#include <string.h>

static const double least_time = 1e-6; /* a velocity is a difference divided by it */

const char *sinew_inertialize_begin_check(const sinew_inertialize_begin_job *job) {
  const sinew_pose *poses[4] = {&job->from, &job->from_before, &job->to, &job->to_after};
  for (int i = 0; i < 4; i++) {
    if (!poses[i]->groups) return "inertialize: a pose is missing";
    if (poses[i]->joint_count != poses[0]->joint_count) return "inertialize: the poses differ in size";
  }
  if (!job->output) return "inertialize: the memory for the offset is missing";
  if (!(job->dt >= least_time) || !isfinite(job->dt)) return "inertialize: dt is not a microsecond or more";
  return NULL;
}

const char *sinew_inertialize_check(const sinew_inertialize_job *job) {
  if (!job->inertia) return "inertialize: the offset is missing";
  if (!job->source.groups || !job->output.groups) return "inertialize: a pose is missing";
  if (job->source.joint_count != job->output.joint_count) return "inertialize: the poses differ in size";
  if (!isfinite(job->time)) return "inertialize: the time is not a finite number";
  if (!(job->duration >= least_time) || !isfinite(job->duration))
    return "inertialize: the duration is not a microsecond or more";
  return NULL;
}

bool sinew_inertialize_begin(const sinew_inertialize_begin_job *job) {
  if (sinew_inertialize_begin_check(job)) return false;
  uint64_t before = float_env_enter();
  pose_kernels_current()->inertialize_begin(job);
  float_env_leave(before);
  return true;
}

bool sinew_inertialize(const sinew_inertialize_job *job) {
  if (sinew_inertialize_check(job)) return false;
  if (job->time < job->duration) {
    uint64_t before = float_env_enter();
    pose_kernels_current()->inertialize(job);
    float_env_leave(before);
    return true;
  }
  size_t groups = (size_t)sinew_pose_group_count(job->output.joint_count);
  memmove(job->output.groups, job->source.groups, groups * sizeof *job->output.groups);
  return true;
}
