#include "model/pose_group.h"

#include "model/model.h"

#include <assert.h>
#include <string.h>

void pose_group_set(sinew_pose_group *group, int lane, const sinew_transform *t) {
  group->translation[0][lane] = t->translation.x;
  group->translation[1][lane] = t->translation.y;
  group->translation[2][lane] = t->translation.z;
  group->rotation[0][lane] = t->rotation.x;
  group->rotation[1][lane] = t->rotation.y;
  group->rotation[2][lane] = t->rotation.z;
  group->rotation[3][lane] = t->rotation.w;
  group->scale[0][lane] = t->scale.x;
  group->scale[1][lane] = t->scale.y;
  group->scale[2][lane] = t->scale.z;
}

void sinew_pose_set_joint(const sinew_pose *pose, int joint, const sinew_transform *transform) {
  assert(joint >= 0 && joint < pose->joint_count);
  pose_group_set(pose->groups + joint / SINEW_LANES, joint % SINEW_LANES, transform);
}

void pose_groups_clear(sinew_pose_group *groups, int count) {
  sinew_transform identity = sinew_transform_identity();
  for (int i = 0; i < count * SINEW_LANES; i++) pose_group_set(groups + i / SINEW_LANES, i % SINEW_LANES, &identity);
}

int sinew_pose_group_count(int joint_count) { return joint_count > 0 ? (joint_count - 1) / SINEW_LANES + 1 : 0; }

sinew_transform sinew_pose_joint(const sinew_pose *pose, int joint) {
  assert(joint >= 0 && joint < pose->joint_count);
  const sinew_pose_group *g = pose->groups + joint / SINEW_LANES;
  int i = joint % SINEW_LANES;
  return (sinew_transform){
      {g->translation[0][i], g->translation[1][i], g->translation[2][i]},
      {g->rotation[0][i], g->rotation[1][i], g->rotation[2][i], g->rotation[3][i]},
      {g->scale[0][i], g->scale[1][i], g->scale[2][i]},
  };
}

sinew_pose model_rest_pose(const sinew_model *model) { return (sinew_pose){model->rest, model->joint_count}; }

void sinew_model_rest_pose(const sinew_model *model, sinew_pose output) {
  assert(output.joint_count == model->joint_count);
  memcpy(output.groups, model->rest, (size_t)sinew_pose_group_count(model->joint_count) * sizeof *output.groups);
}
