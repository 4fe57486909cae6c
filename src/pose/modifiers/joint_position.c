#include "pose/modifiers/joint_position.h"

#include "model/model.h"

sinew_mat3x4 joint_position(const sinew_model *model, const sinew_clip *clip, int joint, double time) {
  sinew_mat3x4 position = sinew_mat3x4_identity();
  for (; joint >= 0; joint = model->parents[joint]) {
    sinew_transform local;
    sinew_sample_joint(&(sinew_sample_joint_job){model, clip, time, joint, &local});
    sinew_mat3x4 m = sinew_mat3x4_from_transform(&local);
    position = sinew_mat3x4_multiply(&m, &position);
  }
  return position;
}
