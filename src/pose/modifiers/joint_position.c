#include "pose/modifiers/joint_position.h"

#include "model/model.h"

static sinew_mat3x4 position_in_parent(const sinew_model *model, const sinew_clip *clip, int joint, double time) {
  sinew_transform local;
  sinew_sample_joint(&(sinew_sample_joint_job){model, clip, time, joint, &local});
  return sinew_mat3x4_from_transform(&local);
}

sinew_mat3x4 joint_position(const sinew_model *model, const sinew_clip *clip, int joint, double time) {
  sinew_mat3x4 position = position_in_parent(model, clip, joint, time);
  while ((joint = model->parents[joint]) >= 0) {
    sinew_mat3x4 parent = position_in_parent(model, clip, joint, time);
    position = sinew_mat3x4_multiply(&parent, &position);
  }
  return position;
}
