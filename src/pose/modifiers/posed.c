#include "pose/modifiers/posed.h"

#include "math/quat.h"
#include "math/vec3.h"
#include "model/model.h"
#include "pose/modifiers/turn.h"

const char *posed_check(const sinew_posed *posed, float weight) {
  if (!posed->model) return "modifier: the model is missing";
  if (!posed->pose.groups || !posed->joints) return "modifier: the pose or its joints in model space are missing";
  if (posed->pose.joint_count != posed->model->joint_count) return "modifier: the pose is not of the model's size";
  if (!(weight >= 0 && weight <= 1)) return "modifier: the weight is not in 0..1";
  return NULL;
}

bool posed_has_joint(const sinew_posed *posed, int joint) { return joint >= 0 && joint < posed->model->joint_count; }

bool posed_is_below(const sinew_posed *posed, int joint, int above) {
  int start = joint;
  while (joint > above) joint = posed->model->parents[joint];
  return joint == above && start != above;
}

sinew_vec3 posed_position(const sinew_posed *posed, int joint) {
  const float *m = posed->joints[joint].m;
  return (sinew_vec3){m[3], m[7], m[11]};
}

sinew_mat3x4 posed_parent(const sinew_posed *posed, int joint) {
  int parent = posed->model->parents[joint];
  return parent < 0 ? sinew_mat3x4_identity() : posed->joints[parent];
}

sinew_vec3 posed_direction(const sinew_posed *posed, int joint, sinew_vec3 direction) {
  sinew_vec3 end = sinew_mat3x4_transform_point(posed->joints + joint, direction);
  return vec3_unit(vec3_sub(end, posed_position(posed, joint)), (sinew_vec3){0, 0, 0});
}

void posed_turn(const sinew_posed *posed, int joint, sinew_quat turn, float weight) {
  sinew_mat3x4 parent = posed_parent(posed, joint);
  sinew_transform t = sinew_pose_joint(&posed->pose, joint);
  sinew_quat before = t.rotation, turned = sinew_quat_multiply(turn_in_parent(&parent, turn), before);
  if (weight == 1) t.rotation = sinew_quat_normalize(quat_dot(before, turned) < 0 ? quat_negate(turned) : turned);
  else t.rotation = sinew_quat_slerp(sinew_quat_normalize(before), sinew_quat_normalize(turned), weight);
  sinew_pose_set_joint(&posed->pose, joint, &t);
}

void posed_update(const sinew_posed *posed, int joint) {
  sinew_local_to_model(&(sinew_local_to_model_job){posed->model, posed->pose, posed->joints, joint});
}
