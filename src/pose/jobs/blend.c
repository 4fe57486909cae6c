#include "math/float_env.h"
#include "pose/kernels.h"

#include <math.h>

const char *sinew_blend_check(const sinew_blend_job *job) {
  if (!job->output.groups || !job->rest.groups) return "blend: the rest pose or the output is missing";
  if (job->rest.joint_count != job->output.joint_count) return "blend: the rest pose and the output differ in size";
  if (job->source_count < 0) return "blend: the number of sources is negative";
  if (job->source_count > 0 && !job->sources) return "blend: the sources are missing";
  if (!(job->threshold > 0) || !isfinite(job->threshold)) return "blend: the threshold is not a positive number";
  for (int i = 0; i < job->source_count; i++) {
    if (!job->sources[i].pose) return "blend: a source has no pose";
    if (!(job->sources[i].weight >= 0) || !isfinite(job->sources[i].weight))
      return "blend: a weight is negative or not a finite number";
  }
  return NULL;
}

bool sinew_blend(const sinew_blend_job *job) {
  if (sinew_blend_check(job)) return false;
  uint64_t before = float_env_enter();
  pose_kernels_current()->blend(job);
  float_env_leave(before);
  return true;
}
