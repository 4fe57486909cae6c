#include "math/float_env.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "model/model.h"
#include "model/pose_group.h"
#include "pose/modifiers/posed.h"

static const float pi = 3.14159265f;

const char *sinew_limit_check(const sinew_limit_job *job) {
  const char *reason = posed_check(&job->posed, job->weight);
  if (reason) return reason;
  if (!posed_has_joint(&job->posed, job->joint)) return "limit: there is no such joint";
  if (!(vec3_length(job->axis) > 1e-6f) || !vec3_is_finite(job->axis)) return "limit: the axis is not a direction";
  if (!(job->swing >= 0 && job->swing <= pi + 1e-6f)) return "limit: the swing is not in 0..π";
  if (!(job->twist_min <= job->twist_max && job->twist_min >= -pi - 1e-6f && job->twist_max <= pi + 1e-6f))
    return "limit: the twist is not a range in −π..π";
  return NULL;
}

bool sinew_limit(const sinew_limit_job *job) {
  if (sinew_limit_check(job)) return false;
  uint64_t before = float_env_enter();
  sinew_pose rest = model_rest_pose(job->posed.model);
  sinew_quat base = sinew_quat_normalize(sinew_pose_joint(&rest, job->joint).rotation);
  sinew_transform t = sinew_pose_joint(&job->posed.pose, job->joint);
  sinew_quat turned = sinew_quat_normalize(sinew_quat_multiply(quat_conjugate(base), t.rotation));
  sinew_vec3 axis = vec3_unit(job->axis, job->axis);
  float twist = quat_twist_angle(turned, axis);
  sinew_quat swing = sinew_quat_multiply(turned, quat_conjugate(sinew_quat_from_axis_angle(axis, twist)));
  float angle = quat_angle(swing);
  if (angle > job->swing) swing = quat_power(swing, job->swing / angle);
  twist = fminf(fmaxf(twist, job->twist_min), job->twist_max);
  sinew_quat kept = sinew_quat_multiply(swing, sinew_quat_from_axis_angle(axis, twist));
  t.rotation = sinew_quat_slerp(sinew_quat_normalize(t.rotation), sinew_quat_normalize(sinew_quat_multiply(base, kept)),
                                job->weight);
  sinew_pose_set_joint(&job->posed.pose, job->joint, &t);
  posed_update(&job->posed, job->joint);
  float_env_leave(before);
  return true;
}
