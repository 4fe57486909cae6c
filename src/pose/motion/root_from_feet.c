#include "math/float_env.h"
#include "math/vec3.h"
#include "model/model.h"
#include "pose/motion/feet.h"

#include <string.h>

const char *sinew_root_from_feet_check(const sinew_root_from_feet_job *job) {
  const char *reason = feet_check(job->model, job->clip, job->feet, job->foot_count);
  if (reason) return reason;
  if (!(job->height > 0) || !isfinite(job->height)) return "feet: the height is not a positive number";
  if (!job->path || job->path_count < 2) return "feet: the path has no room for two positions";
  return NULL;
}

static bool has(const int *joints, int count, int joint) {
  for (int i = 0; i < count; i++)
    if (joints[i] == joint) return true;
  return false;
}

int feet_add_balls(const sinew_model *model, int *joints, int count) {
  int all = count;
  for (int i = 0; i < count; i++)
    for (int j = joints[i] + 1; j < model->joint_count && all < SINEW_FEET_MAX; j++)
      if (model->parents[j] == joints[i] && !has(joints, all, j)) joints[all++] = j;
  return all;
}

/* Almost only feet at their lowest position count: a rolling foot is slower than the ground even when it is only some
 * millimetres up. */
static float firmness(float height, float highest) {
  float w = fmaxf(1 - height / highest, 0);
  w *= w;
  w *= w;
  return w * w;
}

/* The root's displacement from one moment to the next: that of the firmly planted feet and, for the remaining weight,
 * the previous displacement. */
static sinew_vec3 next_step(const foot_paths *f, float height, int moment, sinew_vec3 before) {
  sinew_vec3 sum = {0, 0, 0};
  float total = 0;
  for (int i = 0; i < f->count; i++) {
    sinew_vec3 a = feet_position(f, i, moment), b = feet_position(f, i, moment + 1);
    float weight = firmness(fmaxf(a.y, b.y) - f->lowest[i], height);
    sum = vec3_add_scaled(sum, weight, vec3_sub(a, b));
    total += weight;
  }
  if (!(total > 0)) return before;
  /* all of it within a sixtieth of a second, however many moments that is */
  double seconds = feet_time(f, moment + 1) - feet_time(f, moment);
  float much = fminf(fminf(total, 1) * (float)fmin(seconds * 60, 1), 1);
  return vec3_lerp(before, (sinew_vec3){sum.x / total, 0, sum.z / total}, much);
}

void feet_find_path(const foot_paths *f, float height, sinew_vec3 *path) {
  sinew_vec3 step = {0, 0, 0};
  for (int i = 0; i + 1 < f->moments; i++) step = next_step(f, height, i, step); /* how the clip ends */
  path[0] = (sinew_vec3){0, 0, 0};
  for (int i = 0; i + 1 < f->moments; i++) {
    step = next_step(f, height, i, step);
    path[i + 1] = vec3_add(path[i], step);
  }
}

bool sinew_root_from_feet(const sinew_root_from_feet_job *job) {
  if (sinew_root_from_feet_check(job)) return false;
  uint64_t before = float_env_enter();
  int joints[SINEW_FEET_MAX];
  memcpy(joints, job->feet, (size_t)job->foot_count * sizeof *joints);
  int count = feet_add_balls(job->model, joints, job->foot_count);
  foot_paths f;
  bool measured = feet_measure(&f, job->model, job->clip, joints, count, job->path_count);
  if (measured) feet_find_path(&f, job->height, job->path);
  feet_release(&f);
  float_env_leave(before);
  return measured;
}

const char *sinew_root_path_check(const sinew_root_path_job *job) {
  if (!job->path || job->path_count < 2) return "root path: it has fewer than two positions";
  if (!(job->duration > 0) || !isfinite(job->duration)) return "root path: the duration is not a positive number";
  if (!isfinite(job->from) || !isfinite(job->to)) return "root path: a time is not a finite number";
  if (!job->output) return "root path: the output is missing";
  return NULL;
}

static sinew_vec3 position_at(const sinew_root_path_job *job, double time) {
  int last = job->path_count - 1;
  double at = fmin(fmax(time / job->duration, 0), 1) * last;
  int i = at < last ? (int)at : last - 1;
  return vec3_lerp(job->path[i], job->path[i + 1], (float)(at - i));
}

bool sinew_root_path(const sinew_root_path_job *job) {
  if (sinew_root_path_check(job)) return false;
  uint64_t before = float_env_enter();
  sinew_vec3 displacement = vec3_sub(job->path[job->path_count - 1], job->path[0]);
  *job->output = vec3_add_scaled(vec3_sub(position_at(job, job->to), position_at(job, job->from)), (float)job->loops,
                                 displacement);
  float_env_leave(before);
  return true;
}
