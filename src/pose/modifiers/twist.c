#include "math/float_env.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "model/model.h"
#include "model/pose_group.h"
#include "pose/modifiers/posed.h"

const char *sinew_twist_check(const sinew_twist_job *job) {
  const char *reason = posed_check(&job->posed, job->weight);
  if (reason) return reason;
  if (!posed_has_joint(&job->posed, job->joint) || !posed_has_joint(&job->posed, job->source))
    return "twist: there is no such joint";
  const int32_t *parents = job->posed.model->parents;
  if (job->joint == job->source || parents[job->joint] != parents[job->source])
    return "twist: the two are not different joints with the same parent";
  if (!vec3_is_finite(job->axis)) return "twist: the axis is not finite";
  if (!(job->fraction >= -1 && job->fraction <= 1)) return "twist: the fraction is not in −1..1";
  return NULL;
}

static sinew_quat rest_of(const sinew_twist_job *job, int joint) {
  sinew_pose rest = model_rest_pose(job->posed.model);
  return sinew_quat_normalize(sinew_pose_joint(&rest, joint).rotation);
}

/* The fraction of the source's rotation, in the space of their common parent. */
static sinew_quat find_rotation(const sinew_twist_job *job) {
  sinew_quat now = sinew_quat_normalize(sinew_pose_joint(&job->posed.pose, job->source).rotation);
  sinew_quat rotation = sinew_quat_multiply(now, quat_conjugate(rest_of(job, job->source)));
  sinew_vec3 axis = vec3_unit(job->axis, (sinew_vec3){0, 0, 0});
  if (vec3_length(axis) > 0) rotation = sinew_quat_from_axis_angle(axis, quat_twist_angle(rotation, axis));
  rotation = quat_power(rotation, fabsf(job->fraction));
  return job->fraction < 0 ? quat_conjugate(rotation) : rotation;
}

bool sinew_twist(const sinew_twist_job *job) {
  if (sinew_twist_check(job)) return false;
  uint64_t before = float_env_enter();
  sinew_transform t = sinew_pose_joint(&job->posed.pose, job->joint);
  sinew_quat want = sinew_quat_multiply(find_rotation(job), rest_of(job, job->joint));
  t.rotation = sinew_quat_slerp(sinew_quat_normalize(t.rotation), sinew_quat_normalize(want), job->weight);
  sinew_pose_set_joint(&job->posed.pose, job->joint, &t);
  posed_update(&job->posed, job->joint);
  float_env_leave(before);
  return true;
}
