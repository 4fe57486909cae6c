/* Look-at: the rotation of a chain that makes its last joint face a target, and its division among the joints. */
#include "math/angle.h"
#include "math/float_env.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "pose/modifiers/posed.h"

static const float pi = 3.14159265f;

static const char *check_chain(const sinew_aim_job *job) {
  if (!job->chain || job->count < 1 || job->count > SINEW_CHAIN_MAX)
    return "look_at: the chain does not have 1 to 64 joints";
  float sum = 0;
  for (int i = 0; i < job->count; i++) {
    if (!posed_has_joint(&job->posed, job->chain[i])) return "look_at: there is no such joint";
    if (i > 0 && !posed_is_below(&job->posed, job->chain[i], job->chain[i - 1]))
      return "look_at: a joint of the chain is not below the one before it";
    if (job->joint_weights && !(job->joint_weights[i] >= 0))
      return "look_at: a joint's weight is negative or not a number";
    sum += job->joint_weights ? job->joint_weights[i] : 1;
  }
  return sum > 0 && isfinite(sum) ? NULL : "look_at: the joints' weights do not add up to a positive number";
}

const char *sinew_aim_check(const sinew_aim_job *job) {
  const char *reason = posed_check(&job->posed, job->weight);
  if (!reason) reason = check_chain(job);
  if (reason) return reason;
  if (!vec3_is_finite(job->target)) return "look_at: the target is not finite";
  if (!(vec3_length(job->forward) > 1e-6f) || !vec3_is_finite(job->forward))
    return "look_at: forward is not a direction";
  if (!vec3_is_finite(job->up)) return "look_at: up is not finite";
  if (!(job->limit >= 0 && job->limit <= pi + 1e-6f)) return "look_at: the limit is not in 0..π (radians)";
  return NULL;
}

static float weight_of(const sinew_aim_job *job, int i) {
  if (!job->joint_weights) return 1 / (float)job->count;
  float sum = 0;
  for (int k = 0; k < job->count; k++) sum += job->joint_weights[k];
  return job->joint_weights[i] / sum;
}

/* The last joint's position after the rotation: all joints rotate about the same axis, so the angles add up. */
static sinew_vec3 moved_position(const sinew_aim_job *job, sinew_quat rotation) {
  sinew_vec3 position = posed_position(&job->posed, job->chain[0]);
  float part = 0;
  for (int i = 0; i + 1 < job->count; i++) {
    part += weight_of(job, i);
    sinew_vec3 bone =
        vec3_sub(posed_position(&job->posed, job->chain[i + 1]), posed_position(&job->posed, job->chain[i]));
    position = vec3_add(position, quat_rotate(quat_power(rotation, part), bone));
  }
  return position;
}

/* The limited angle for a wanted angle. */
static float limit_angle(float angle, float limit) {
  float ease = (limit + pi) / 2;
  if (angle <= limit || limit >= pi) return angle;
  return angle <= ease ? limit : limit * (pi - angle) / (pi - ease);
}

/* For 0..π/2. */
static float cosine(float x) { return angle_polynomial(cosine_terms, COSINE_TERMS, x * x); }

static sinew_quat limit_rotation(sinew_quat rotation, float limit) {
  if (limit >= pi || fabsf(rotation.w) >= cosine(0.5f * limit)) return rotation; /* the angle does not matter here */
  float angle = quat_angle(rotation), allowed = limit_angle(angle, limit);
  return angle > allowed ? quat_power(rotation, allowed / angle) : rotation;
}

/* Rolls about `ahead` until `up` is as close to model y as possible; fades out if `ahead` points up or down. */
static sinew_quat upright(sinew_vec3 up, sinew_vec3 ahead) {
  sinew_vec3 want = vec3_without((sinew_vec3){0, 1, 0}, ahead), have = vec3_without(up, ahead);
  float certain = vec3_length(want) * vec3_length(have);
  if (certain < 1e-6f) return (sinew_quat){0, 0, 0, 1};
  float cosine = vec3_dot(have, want) / certain, sine = vec3_dot(vec3_cross(have, want), ahead) / certain;
  sinew_quat whole = quat_unit(quat_about(ahead, cosine, sine));
  return certain < 0.2f ? quat_power(whole, certain / 0.2f) : whole;
}

static sinew_quat find_rotation(const sinew_aim_job *job) {
  int last = job->chain[job->count - 1];
  sinew_vec3 forward = posed_direction(&job->posed, last, job->forward);
  sinew_vec3 up = posed_direction(&job->posed, last, job->up);
  sinew_quat rotation = {0, 0, 0, 1};
  for (int i = 0; i < (job->count > 1 ? 4 : 1); i++) { /* a single joint does not move */
    sinew_vec3 direction = vec3_unit(vec3_sub(job->target, moved_position(job, rotation)), forward);
    sinew_quat whole = quat_between(forward, direction);
    rotation = limit_rotation(whole, job->limit);
    if (vec3_dot(up, up) > 0) {
      sinew_vec3 ahead = quat_rotate(rotation, forward);
      rotation = quat_unit(quat_product(upright(quat_rotate(rotation, up), ahead), rotation));
    }
  }
  return rotation;
}

void look_at_turn(const sinew_aim_job *job) {
  sinew_quat rotation = find_rotation(job);
  for (int i = 0; i < job->count; i++) {
    float part = weight_of(job, i) * job->weight;
    posed_rotate(&job->posed, job->chain[i], part == 1 ? rotation : quat_power(rotation, part), 1);
  }
}

bool sinew_aim(const sinew_aim_job *job) {
  if (sinew_aim_check(job)) return false;
  uint64_t before = float_env_enter();
  look_at_turn(job);
  posed_update(&job->posed, job->chain[0]);
  float_env_leave(before);
  return true;
}
