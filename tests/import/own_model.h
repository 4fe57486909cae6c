/* own_model – loads a model of assets/, and poses it in model space. */
#ifndef SINEW_TESTS_OWN_MODEL_H
#define SINEW_TESTS_OWN_MODEL_H

#include "support/fixture.h"

#include "base/file.h"

static inline sinew_model *load(const char *name, const sinew_load_options *options) {
  char path[1024];
  sinew_error error = {""};
  snprintf(path, sizeof path, "%s/assets/%s", SINEW_SOURCE, name);
  if (!file_exists(path)) skip();
  sinew_model *model = sinew_model_load(path, options, &error);
  if (!model) fail_msg("%s", error.message);
  return model;
}

static inline sinew_mat3x4 *pose_at(const sinew_model *model, const char *clip_name, double time) {
  int count = sinew_model_joint_count(model), clip = sinew_model_find_clip(model, clip_name);
  assert_true(clip >= 0);
  sinew_pose pose = {calloc((size_t)sinew_pose_group_count(count), sizeof(sinew_pose_group)), count};
  sinew_mat3x4 *joints = calloc((size_t)count, sizeof *joints);
  sinew_sample_job sample = {model, sinew_model_clip(model, clip), time, pose};
  sinew_local_to_model_job position = {model, pose, joints, 0};
  assert_true(sinew_sample(&sample) && sinew_local_to_model(&position));
  free(pose.groups);
  return joints;
}

#endif
