#include "math/elementary.h"
#include "math/float_env.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "model/model.h"
#include "pose/modifiers/posed.h"

typedef struct chain {
  int count;
  int joints[SINEW_CHAIN_MAX]; /* root first */
  sinew_vec3 before[SINEW_CHAIN_MAX], positions[SINEW_CHAIN_MAX];
  float lengths[SINEW_CHAIN_MAX]; /* from joint i to the next */
} chain;

static int count_joints(const sinew_fabrik_job *job) {
  int count = 1;
  for (int joint = job->tip; joint != job->root; joint = job->posed.model->parents[joint]) count++;
  return count;
}

const char *sinew_fabrik_check(const sinew_fabrik_job *job) {
  const char *reason = posed_check(&job->posed, job->weight);
  if (reason) return reason;
  if (!posed_has_joint(&job->posed, job->root) || !posed_has_joint(&job->posed, job->tip))
    return "chain IK: there is no such joint";
  if (!posed_is_below(&job->posed, job->tip, job->root)) return "chain IK: the tip is not below the root";
  if (count_joints(job) > SINEW_CHAIN_MAX) return "chain IK: the chain has more than 64 joints";
  if (!vec3_is_finite(job->target)) return "chain IK: the target is not finite";
  if (job->iterations < 1 || job->iterations > 1000) return "chain IK: the iterations are not 1 to 1000";
  if (!(job->tolerance >= 0)) return "chain IK: the tolerance is negative or not a number";
  return NULL;
}

static void find_chain(const sinew_fabrik_job *job, chain *c) {
  c->count = count_joints(job);
  int joint = job->tip;
  for (int i = c->count - 1; i >= 0; i--, joint = job->posed.model->parents[joint]) {
    c->joints[i] = joint;
    c->positions[i] = c->before[i] = posed_position(&job->posed, joint);
  }
  for (int i = 0; i + 1 < c->count; i++) c->lengths[i] = vec3_distance(c->positions[i], c->positions[i + 1]);
}

static float total_length(const chain *c) {
  float length = 0;
  for (int i = 0; i + 1 < c->count; i++) length += c->lengths[i];
  return length;
}

/* Moves `to` along its direction from `from` to the bone's length. */
static sinew_vec3 at_length(sinew_vec3 from, sinew_vec3 to, float length) {
  return vec3_add_scaled(from, length, vec3_unit(vec3_sub(to, from), (sinew_vec3){0, 1, 0}));
}

/* A straight chain whose target is on its line would only slide along it, so it must leave the line to bend. */
static void leave_the_line(chain *c, sinew_vec3 target) {
  sinew_vec3 root = c->positions[0], along = vec3_unit(vec3_sub(target, root), (sinew_vec3){0, 1, 0});
  float length = total_length(c);
  for (int i = 1; i < c->count; i++)
    if (vec3_length(vec3_without(vec3_sub(c->positions[i], root), along)) > 1e-3f * length) return;
  sinew_vec3 aside = vec3_across(along);
  for (int i = 1; i + 1 < c->count; i++) c->positions[i] = vec3_add_scaled(c->positions[i], 0.02f * length, aside);
}

/* Near full reach the iteration hardly converges, and would snap when the target leaves reach. So the chain starts the
 * straighter the nearer that is, unless the tip has almost no distance to go. */
static void straighten(const sinew_fabrik_job *job, chain *c, float reach) {
  sinew_vec3 root = c->positions[0], along = vec3_unit(vec3_sub(job->target, root), (sinew_vec3){0, 1, 0});
  float missing = vec3_distance(c->positions[c->count - 1], job->target) / reach;
  float straightness =
            ease_smooth((vec3_distance(root, job->target) / reach - 0.8f) / 0.2f) * ease_smooth(missing / 0.1f),
        distance = 0;
  for (int i = 1; i < c->count; i++) {
    distance += c->lengths[i - 1];
    c->positions[i] = vec3_lerp(c->positions[i], vec3_add_scaled(root, distance, along), straightness);
  }
}

static void solve(const sinew_fabrik_job *job, chain *c) {
  int last = c->count - 1;
  sinew_vec3 root = c->positions[0];
  if (vec3_distance(root, job->target) >= total_length(c)) {
    for (int i = 0; i < last; i++) c->positions[i + 1] = at_length(c->positions[i], job->target, c->lengths[i]);
    return;
  }
  if (vec3_distance(c->positions[last], job->target) <= job->tolerance) return;
  leave_the_line(c, job->target);
  straighten(job, c, total_length(c));
  for (int k = 0; k < job->iterations && vec3_distance(c->positions[last], job->target) > job->tolerance; k++) {
    c->positions[last] = job->target;
    for (int i = last - 1; i >= 0; i--)
      c->positions[i] = at_length(c->positions[i + 1], c->positions[i], c->lengths[i]);
    c->positions[0] = root;
    for (int i = 0; i < last; i++) c->positions[i + 1] = at_length(c->positions[i], c->positions[i + 1], c->lengths[i]);
  }
}

/* Rotates each bone by the shortest rotation, starting from where the rotations above have put it. */
static void turn_bones(const sinew_fabrik_job *job, const chain *c) {
  sinew_quat above = {0, 0, 0, 1};
  for (int i = 0; i + 1 < c->count; i++) {
    if (!(c->lengths[i] > 0)) continue;
    sinew_vec3 any = {0, 1, 0}, have = vec3_unit(vec3_sub(c->before[i + 1], c->before[i]), any);
    sinew_vec3 want = vec3_unit(vec3_sub(c->positions[i + 1], c->positions[i]), any);
    have = vec3_unit(quat_rotate(above, have), any);
    sinew_quat now = sinew_quat_normalize(sinew_quat_multiply(quat_between(have, want), above));
    posed_rotate(&job->posed, c->joints[i], sinew_quat_multiply(quat_conjugate(above), now), job->weight);
    above = now;
  }
}

void fabrik_turn(const sinew_fabrik_job *job) {
  chain c;
  find_chain(job, &c);
  solve(job, &c);
  turn_bones(job, &c);
}

bool sinew_fabrik(const sinew_fabrik_job *job) {
  if (sinew_fabrik_check(job)) return false;
  uint64_t before = float_env_enter();
  fabrik_turn(job);
  posed_update(&job->posed, job->root);
  if (job->reach_error) *job->reach_error = vec3_distance(posed_position(&job->posed, job->tip), job->target);
  float_env_leave(before);
  return true;
}
