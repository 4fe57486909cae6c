#include "model/retarget/retarget.h"
#include "math/float_env.h"
#include "model/model_space.h"
#include "model/names/mirror.h"

static void read_pose(sinew_pose pose, sinew_transform *local) {
  for (int i = 0; i < pose.joint_count; i++) local[i] = sinew_pose_joint(&pose, i);
}

static void write_pose(const sinew_transform *local, sinew_pose pose) {
  for (int i = 0; i < pose.joint_count; i++) sinew_pose_set_joint(&pose, i, local + i);
}

const char *sinew_retarget_check(const sinew_retarget_job *job) {
  if (!job->map) return "retarget: the map is missing";
  if (!job->input.groups || !job->output.groups || !job->scratch) return "retarget: a pose or the scratch is missing";
  if (job->input.joint_count != job->map->from->joint_count)
    return "retarget: the input is not of the first model's size";
  if (job->output.joint_count != job->map->to->joint_count)
    return "retarget: the output is not of the second model's size";
  return NULL;
}

bool sinew_retarget(const sinew_retarget_job *job) {
  if (sinew_retarget_check(job)) return false;
  uint64_t before = float_env_enter();
  sinew_transform *theirs = job->scratch, *ours = theirs + job->input.joint_count;
  read_pose(job->input, theirs);
  skeleton_to_model(&job->map->theirs, theirs, theirs);
  retarget_apply(&job->map->plan, theirs, ours, ours + job->output.joint_count);
  write_pose(ours, job->output);
  float_env_leave(before);
  return true;
}

const char *sinew_mirror_check(const sinew_mirror_job *job) {
  if (!job->model) return "mirror: the model is missing";
  if (!job->input.groups || !job->output.groups || !job->scratch || !job->joints)
    return "mirror: a pose, the scratch or the joints are missing";
  if (job->input.joint_count != job->model->joint_count || job->output.joint_count != job->model->joint_count)
    return "mirror: a pose is not of the model's size";
  for (int i = 0; i < job->model->joint_count; i++)
    if (job->joints[i] < 0 || job->joints[i] >= job->model->joint_count || (i == 0) != (job->joints[i] == 0))
      return "mirror: a joint's partner is not one of the model's joints";
  return NULL;
}

bool sinew_mirror(const sinew_mirror_job *job) {
  if (sinew_mirror_check(job)) return false;
  uint64_t before = float_env_enter();
  size_t count = (size_t)job->model->joint_count;
  sinew_transform *rest_local = job->scratch, *rest = rest_local + count, *local = rest + count;
  skeleton_view skeleton = model_skeleton(job->model, rest_local);
  skeleton_to_model(&skeleton, rest_local, rest);
  read_pose(job->input, local);
  sinew_pose_set_joint(&job->output, 0, rest);
  for (int i = 1; i < skeleton.count; i++) {
    mirror_rule rule = mirror_find_rule(&skeleton, job->joints, rest, i);
    const sinew_transform *other = local + job->joints[i];
    sinew_transform t = {mirror_position(&rule, other->translation),
                         sinew_quat_normalize(mirror_rotation(&rule, other->rotation)),
                         mirror_size(&rule, other->scale)};
    sinew_pose_set_joint(&job->output, i, &t);
  }
  float_env_leave(before);
  return true;
}
