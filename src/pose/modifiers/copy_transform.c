#include "math/float_env.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "pose/modifiers/posed.h"

const char *sinew_copy_transform_check(const sinew_copy_transform_job *job) {
  const char *reason = posed_check(&job->posed, job->weight);
  if (reason) return reason;
  if (!posed_has_joint(&job->posed, job->joint) || !posed_has_joint(&job->posed, job->source))
    return "copy_transform: there is no such joint";
  if (job->joint == job->source || posed_is_below(&job->posed, job->source, job->joint))
    return "copy_transform: the source is below the joint that would follow it";
  if (job->parts & ~(unsigned)(SINEW_COPY_POSITION | SINEW_COPY_ROTATION | SINEW_COPY_SCALE))
    return "copy_transform: a part is none of SINEW_COPY_POSITION, ROTATION and SCALE";
  const float *numbers = &job->offset.translation.x;
  for (int i = 0; i < (int)(sizeof job->offset / sizeof *numbers); i++)
    if (!isfinite(numbers[i])) return "copy_transform: the offset is not finite";
  return NULL;
}

bool sinew_copy_transform(const sinew_copy_transform_job *job) {
  if (sinew_copy_transform_check(job)) return false;
  uint64_t before = float_env_enter();
  const sinew_posed *posed = &job->posed;
  sinew_mat3x4 position = sinew_mat3x4_from_transform(&job->offset), parent = posed_parent(posed, job->joint), inverse;
  position = sinew_mat3x4_multiply(posed->joints + job->source, &position);
  sinew_mat3x4_inverse(&parent, &inverse);
  position = sinew_mat3x4_multiply(&inverse, &position);
  sinew_transform want = sinew_transform_from_mat3x4(&position), t = sinew_pose_joint(&posed->pose, job->joint);
  if (job->parts & SINEW_COPY_POSITION) t.translation = vec3_lerp(t.translation, want.translation, job->weight);
  if (job->parts & SINEW_COPY_ROTATION)
    t.rotation = sinew_quat_slerp(sinew_quat_normalize(t.rotation), want.rotation, job->weight);
  if (job->parts & SINEW_COPY_SCALE) t.scale = vec3_lerp(t.scale, want.scale, job->weight);
  sinew_pose_set_joint(&posed->pose, job->joint, &t);
  posed_update(posed, job->joint);
  float_env_leave(before);
  return true;
}
