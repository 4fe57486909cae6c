#include "math/float_env.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "pose/modifiers/posed.h"

static const float pi = 3.14159265f;

static const char *check_chain(const sinew_aim_job *job) {
  if (!job->chain || job->count < 1 || job->count > SINEW_CHAIN_MAX) return "aim: the chain is not of 1 to 64 joints";
  float sum = 0;
  for (int i = 0; i < job->count; i++) {
    if (!posed_has_joint(&job->posed, job->chain[i])) return "aim: there is no such joint";
    if (i > 0 && !posed_is_below(&job->posed, job->chain[i], job->chain[i - 1]))
      return "aim: a joint of the chain is not below the one before it";
    if (job->shares && !(job->shares[i] >= 0)) return "aim: a share is negative or not a number";
    sum += job->shares ? job->shares[i] : 1;
  }
  return sum > 0 && isfinite(sum) ? NULL : "aim: the shares do not add up to a positive number";
}

const char *sinew_aim_check(const sinew_aim_job *job) {
  const char *reason = posed_check(&job->posed, job->weight);
  if (!reason) reason = check_chain(job);
  if (reason) return reason;
  if (!vec3_is_finite(job->target)) return "aim: the target is not finite";
  if (!(vec3_length(job->forward) > 1e-6f) || !vec3_is_finite(job->forward)) return "aim: forward is no direction";
  if (!vec3_is_finite(job->up)) return "aim: up is not finite";
  if (!(job->limit >= 0 && job->limit <= pi + 1e-6f)) return "aim: the limit is not in 0..π";
  return NULL;
}

static float find_share(const sinew_aim_job *job, int i) {
  if (!job->shares) return 1 / (float)job->count;
  float sum = 0;
  for (int k = 0; k < job->count; k++) sum += job->shares[k];
  return job->shares[i] / sum;
}

/* Where the last joint comes to when the chain makes the turn: all shares are about one axis, so they add up. */
static sinew_vec3 moved_position(const sinew_aim_job *job, sinew_quat turn) {
  sinew_vec3 position = posed_position(&job->posed, job->chain[0]);
  float share = 0;
  for (int i = 0; i + 1 < job->count; i++) {
    share += find_share(job, i);
    sinew_vec3 bone =
        vec3_sub(posed_position(&job->posed, job->chain[i + 1]), posed_position(&job->posed, job->chain[i]));
    position = vec3_add(position, quat_rotate(quat_share(turn, share), bone));
  }
  return position;
}

/* The angle to make of the angle that is wanted. */
static float limit_angle(float angle, float limit) {
  float ease = (limit + pi) / 2;
  if (angle <= limit || limit >= pi) return angle;
  return angle <= ease ? limit : limit * (pi - angle) / (pi - ease);
}

static sinew_quat limit_turn(sinew_quat turn, float limit) {
  if (limit >= pi || fabsf(turn.w) >= cosf(0.5f * limit)) return turn; /* the angle is asked for where it counts */
  float angle = quat_angle(turn), allowed = limit_angle(angle, limit);
  return angle > allowed ? quat_share(turn, allowed / angle) : turn;
}

/* Rolls about `ahead` until `up` is as near to model y as it can be; fades out where that points ahead or back. */
static sinew_quat upright(sinew_vec3 up, sinew_vec3 ahead) {
  sinew_vec3 want = vec3_without((sinew_vec3){0, 1, 0}, ahead), have = vec3_without(up, ahead);
  float certain = vec3_length(want) * vec3_length(have);
  if (certain < 1e-6f) return (sinew_quat){0, 0, 0, 1};
  float cosine = vec3_dot(have, want) / certain, sine = vec3_dot(vec3_cross(have, want), ahead) / certain;
  sinew_quat whole = quat_unit(quat_about(ahead, cosine, sine));
  return certain < 0.2f ? quat_share(whole, certain / 0.2f) : whole;
}

static sinew_quat find_turn(const sinew_aim_job *job) {
  int last = job->chain[job->count - 1];
  sinew_vec3 forward = posed_direction(&job->posed, last, job->forward);
  sinew_vec3 up = posed_direction(&job->posed, last, job->up);
  sinew_quat turn = {0, 0, 0, 1};
  for (int i = 0; i < (job->count > 1 ? 4 : 1); i++) { /* one joint stays where it is */
    sinew_vec3 way = vec3_unit(vec3_sub(job->target, moved_position(job, turn)), forward);
    sinew_quat whole = quat_between(forward, way);
    turn = limit_turn(whole, job->limit);
    if (vec3_dot(up, up) > 0) {
      sinew_vec3 ahead = quat_rotate(turn, forward);
      turn = quat_unit(quat_product(upright(quat_rotate(turn, up), ahead), turn));
    }
  }
  return turn;
}

bool sinew_aim(const sinew_aim_job *job) {
  if (sinew_aim_check(job)) return false;
  uint64_t before = float_env_enter();
  sinew_quat turn = find_turn(job);
  for (int i = 0; i < job->count; i++) {
    float share = find_share(job, i) * job->weight;
    posed_turn(&job->posed, job->chain[i], share == 1 ? turn : quat_share(turn, share), 1);
  }
  posed_update(&job->posed, job->chain[0]);
  float_env_leave(before);
  return true;
}
