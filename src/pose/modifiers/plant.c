#include "math/float_env.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "pose/modifiers/posed.h"

static const float half_pi = 1.57079633f;

static sinew_two_bone_job leg_job(const sinew_plant_job *job, const sinew_foot *foot) {
  return (sinew_two_bone_job){.posed = job->posed,
                              .upper = foot->upper,
                              .middle = foot->middle,
                              .tip = foot->tip,
                              .hinge = foot->hinge,
                              .soften = 1,
                              .keep_tip = true,
                              .weight = job->weight * foot->weight};
}

static const char *check_foot(const sinew_plant_job *job, const sinew_foot *foot) {
  if (!(foot->weight >= 0 && foot->weight <= 1)) return "feet: a weight is not in 0..1";
  if (!vec3_is_finite(foot->hold)) return "feet: the displacement to where a foot stands is not finite";
  if (!isfinite(foot->ground)) return "feet: the height of the ground is not finite";
  if (!vec3_is_finite(foot->normal) || !(foot->normal.y > 0)) return "feet: a normal of the ground does not point up";
  sinew_two_bone_job leg = leg_job(job, foot);
  const char *reason = sinew_two_bone_check(&leg);
  if (reason) return reason;
  if (foot->upper != job->pelvis && !posed_is_below(&job->posed, foot->upper, job->pelvis))
    return "feet: a leg is not below the pelvis";
  return NULL;
}

const char *sinew_plant_check(const sinew_plant_job *job) {
  const char *reason = posed_check(&job->posed, job->weight);
  if (reason) return reason;
  if (!posed_has_joint(&job->posed, job->pelvis)) return "feet: there is no such pelvis";
  if (job->count < 0 || (job->count > 0 && !job->feet)) return "feet: the feet are missing";
  if (!(job->max_shift >= 0) || !isfinite(job->max_shift)) return "feet: the shift is negative or not finite";
  if (!(job->max_tilt >= 0 && job->max_tilt <= half_pi + 1e-6f)) return "feet: the tilt is not in 0..π/2";
  if (job->shift && !isfinite(*job->shift)) return "feet: the displacement of the pelvis is not finite";
  for (int i = 0; i < job->count && !reason; i++) reason = check_foot(job, job->feet + i);
  return reason;
}

static float pelvis_shift(const sinew_plant_job *job) {
  float lowest = job->feet[0].ground;
  for (int i = 1; i < job->count; i++) lowest = fminf(lowest, job->feet[i].ground);
  if (job->shift) lowest = *job->shift;
  return fminf(fmaxf(lowest, -job->max_shift), job->max_shift) * job->weight;
}

static void shift_pelvis(const sinew_plant_job *job, float shift) {
  sinew_mat3x4 parent = posed_parent(&job->posed, job->pelvis), inverse;
  sinew_mat3x4_inverse(&parent, &inverse);
  inverse.m[3] = inverse.m[7] = inverse.m[11] = 0;
  sinew_transform t = sinew_pose_joint(&job->posed.pose, job->pelvis);
  sinew_vec3 local = sinew_mat3x4_transform_point(&inverse, (sinew_vec3){0, shift, 0});
  t.translation = vec3_add(t.translation, local);
  sinew_pose_set_joint(&job->posed.pose, job->pelvis, &t);
  posed_update(&job->posed, job->pelvis);
}

static sinew_quat find_tilt(const sinew_plant_job *job, const sinew_foot *foot) {
  sinew_vec3 up = {0, 1, 0};
  sinew_quat tilt = quat_between(up, vec3_unit(foot->normal, up));
  float angle = quat_angle(tilt);
  return angle > job->max_tilt ? quat_power(tilt, job->max_tilt / angle) : tilt;
}

/* A leg that does not reach falls short straight above its goal, so that the foot stays over the ground that was asked
 * for; the farther out the goal is, the more does it fall short towards the hip. */
static sinew_vec3 fall_short(const sinew_plant_job *job, const sinew_foot *foot, sinew_vec3 goal) {
  sinew_vec3 hip = posed_position(&job->posed, foot->upper);
  sinew_vec3 near = limb_within_reach(posed_reach(&job->posed, foot->upper, foot->middle, foot->tip), hip, goal);
  float x = goal.x - hip.x, z = goal.z - hip.z, length = vec3_distance(hip, near), square = length * length;
  float left = square - x * x - z * z, part = fminf(left / (0.35f * square) - 1, 1);
  if (!(near.y > goal.y) || !(part > 0)) return near;
  return vec3_lerp(near, (sinew_vec3){goal.x, hip.y - sqrtf(left), goal.z}, part);
}

/* `before` is the foot's position in the clip, before the pelvis moved. The foot is tilted about its ball, which moves
 * to the plane and stays in place as the heel rises. */
static void place_foot(const sinew_plant_job *job, const sinew_foot *foot, sinew_vec3 before) {
  sinew_two_bone_job leg = leg_job(job, foot);
  sinew_quat tilt = find_tilt(job, foot);
  sinew_vec3 ball = posed_position(&job->posed, posed_ball(job->posed.model, foot->tip));
  sinew_vec3 toe = vec3_sub(ball, posed_position(&job->posed, foot->tip));
  float rise = posed_rise(foot->normal, vec3_add(foot->hold, toe));
  sinew_vec3 target = vec3_add(before, (sinew_vec3){foot->hold.x, foot->ground + rise, foot->hold.z});
  target = vec3_add(target, vec3_sub(toe, quat_rotate(tilt, toe)));
  leg.target = fall_short(job, foot, target);
  sinew_two_bone(&leg);
  posed_rotate(&job->posed, foot->tip, tilt, job->weight * foot->weight);
  posed_update(&job->posed, foot->tip);
}

bool sinew_plant(const sinew_plant_job *job) {
  if (sinew_plant_check(job)) return false;
  if (job->count == 0) return true;
  uint64_t before = float_env_enter();
  float shift = pelvis_shift(job);
  shift_pelvis(job, shift);
  for (int i = 0; i < job->count; i++) {
    sinew_vec3 position = posed_position(&job->posed, job->feet[i].tip);
    position.y -= shift;
    place_foot(job, job->feet + i, position);
  }
  float_env_leave(before);
  return true;
}
