#include "pose/motion/root_motion.h"

#include "math/float_env.h"
#include "math/quat.h"
#include "model/model.h"
#include "pose/modifiers/posed.h"

#include <math.h>
#include <sinew/motion.h>

/* ---- movement over the ground ---- */

planar planar_multiply(planar a, planar b) {
  double s = sinew_sin(a.yaw), c = sinew_cos(a.yaw);
  return (planar){a.x + c * b.x + s * b.z, a.y + b.y, a.z - s * b.x + c * b.z, a.yaw + b.yaw};
}

static planar planar_inverse(planar a) {
  double s = sinew_sin(a.yaw), c = sinew_cos(a.yaw);
  return (planar){-c * a.x + s * a.z, -a.y, -s * a.x - c * a.z, -a.yaw};
}

static planar planar_power(planar a, int64_t n) {
  planar result = {0, 0, 0, 0}, power = n < 0 ? planar_inverse(a) : a;
  for (uint64_t left = n < 0 ? 0 - (uint64_t)n : (uint64_t)n; left; left >>= 1) {
    if (left & 1) result = planar_multiply(result, power);
    power = planar_multiply(power, power);
  }
  return result;
}

sinew_transform planar_transform(planar a) {
  return (sinew_transform){{(float)a.x, (float)a.y, (float)a.z},
                           {0, (float)sinew_sin(a.yaw / 2), 0, (float)sinew_cos(a.yaw / 2)},
                           {1, 1, 1}};
}

planar planar_add(planar a, planar b) { return (planar){a.x + b.x, a.y + b.y, a.z + b.z, a.yaw + b.yaw}; }

planar planar_scale(planar a, double s) { return (planar){a.x * s, a.y * s, a.z * s, a.yaw * s}; }

/* ∫ cos and ∫ sin of yaw · t for t from 0 to 1: the mean rotation. */
static void mean_turn(double yaw, double *c, double *s) {
  bool small = fabs(yaw) < 1e-4; /* the quotients lose precision, so their series are used */
  *c = small ? 1 - yaw * yaw / 6 : sinew_sin(yaw) / yaw;
  *s = small ? yaw / 2 : (1 - sinew_cos(yaw)) / yaw;
}

planar planar_exp(planar a) {
  double c, s;
  mean_turn(a.yaw, &c, &s);
  return (planar){c * a.x + s * a.z, a.y, c * a.z - s * a.x, a.yaw};
}

planar planar_log(planar a) {
  static const double turn = 6.28318530717958648;
  double c, s, yaw = a.yaw - turn * round(a.yaw / turn);
  mean_turn(yaw, &c, &s);
  double whole = c * c + s * s;
  return (planar){(c * a.x - s * a.z) / whole, a.y, (c * a.z + s * a.x) / whole, yaw};
}

/* ---- root motion ---- */

static const char *check_track(const sinew_root_track *track) {
  if (!track->model) return "root motion: the model is missing";
  if (!track->clip) return "root motion: the clip is missing";
  if (track->clip->joint_count != track->model->joint_count) return "root motion: the clip belongs to another model";
  if (track->joint < 0 || track->joint >= track->model->joint_count) return "root motion: there is no such joint";
  if (track->axes & ~(unsigned)(SINEW_ROOT_X | SINEW_ROOT_Y | SINEW_ROOT_Z | SINEW_ROOT_YAW))
    return "root motion: an axis is none of SINEW_ROOT_X, Y, Z and YAW";
  return NULL;
}

const char *sinew_root_motion_check(const sinew_root_motion_job *job) {
  if (!job->output) return "root motion: the output is missing";
  if (!isfinite(job->from) || !isfinite(job->to)) return "root motion: a time is not a finite number";
  if (!isfinite(job->loop_begin) || !isfinite(job->loop_end) || job->loop_end < job->loop_begin)
    return "root motion: the loop does not end after it begins";
  return check_track(&job->track);
}

const char *sinew_root_remove_check(const sinew_root_remove_job *job) {
  const char *reason = check_track(&job->track);
  if (reason) return reason;
  if (!isfinite(job->time)) return "root motion: the time is not a finite number";
  if (!job->pose.groups || job->pose.joint_count != job->track.model->joint_count)
    return "root motion: the pose is missing or not of the model's size";
  return NULL;
}

static sinew_transform joint_at(const sinew_root_track *track, double time) {
  sinew_mat3x4 position = joint_position(track->model, track->clip, track->joint, time);
  return sinew_transform_from_mat3x4(&position);
}

static planar frame_of(const sinew_root_track *track, const sinew_transform *t, sinew_quat start) {
  sinew_quat turned = sinew_quat_multiply(t->rotation, quat_conjugate(start));
  unsigned axes = track->axes;
  return (planar){axes & SINEW_ROOT_X ? (double)t->translation.x : 0,
                  axes & SINEW_ROOT_Y ? (double)t->translation.y : 0,
                  axes & SINEW_ROOT_Z ? (double)t->translation.z : 0,
                  axes & SINEW_ROOT_YAW ? 2 * sinew_atan2((double)turned.y, (double)turned.w) : 0};
}

/* The joint at the clip's beginning, to which every R is relative. */
typedef struct root_start {
  sinew_transform joint;
  planar back;
} root_start;

static root_start find_start(const sinew_root_track *track) {
  root_start s = {.joint = joint_at(track, 0)};
  s.back = planar_inverse(frame_of(track, &s.joint, s.joint.rotation));
  return s;
}

/* R(time) */
static planar motion_at(const sinew_root_track *track, const root_start *start, double time) {
  if (time == 0) return (planar){0, 0, 0, 0};
  sinew_transform t = joint_at(track, time);
  return planar_multiply(frame_of(track, &t, start->joint.rotation), start->back);
}

bool sinew_root_motion(const sinew_root_motion_job *job) {
  if (sinew_root_motion_check(job)) return false;
  uint64_t before = float_env_enter();
  bool whole = job->loop_begin == 0 && job->loop_end == 0;
  double end = whole ? job->track.clip->duration : job->loop_end;
  root_start start = find_start(&job->track);
  planar back = planar_inverse(motion_at(&job->track, &start, job->loop_begin));
  planar from = planar_multiply(back, motion_at(&job->track, &start, job->from));
  planar to = planar_multiply(back, motion_at(&job->track, &start, job->to));
  if (job->loops) {
    planar cycle = planar_multiply(back, motion_at(&job->track, &start, end));
    to = planar_multiply(planar_power(cycle, job->loops), to);
  }
  *job->output = planar_transform(planar_multiply(planar_inverse(from), to));
  float_env_leave(before);
  return true;
}

static sinew_mat3x4 parent_in_pose(const sinew_root_remove_job *job) {
  sinew_mat3x4 position = sinew_mat3x4_identity();
  const int32_t *parents = job->track.model->parents;
  for (int joint = parents[job->track.joint]; joint >= 0; joint = parents[joint]) {
    sinew_transform local = sinew_pose_joint(&job->pose, joint);
    sinew_mat3x4 m = sinew_mat3x4_from_transform(&local);
    position = sinew_mat3x4_multiply(&m, &position);
  }
  return position;
}

bool sinew_root_remove(const sinew_root_remove_job *job) {
  if (sinew_root_remove_check(job)) return false;
  uint64_t before = float_env_enter();
  root_start start = find_start(&job->track);
  sinew_transform back = planar_transform(planar_inverse(motion_at(&job->track, &start, job->time)));
  sinew_mat3x4 parent = parent_in_pose(job), inverse, undo = sinew_mat3x4_from_transform(&back);
  sinew_mat3x4_inverse(&parent, &inverse);
  undo = sinew_mat3x4_multiply(&undo, &parent);
  undo = sinew_mat3x4_multiply(&inverse, &undo);
  sinew_transform joint = sinew_pose_joint(&job->pose, job->track.joint);
  joint.translation = sinew_mat3x4_transform_point(&undo, joint.translation);
  joint.rotation = sinew_quat_multiply(rotation_in_parent(&parent, back.rotation), joint.rotation);
  sinew_pose_set_joint(&job->pose, job->track.joint, &joint);
  float_env_leave(before);
  return true;
}
