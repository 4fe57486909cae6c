#ifndef SINEW_MODEL_POSE_GROUP_H
#define SINEW_MODEL_POSE_GROUP_H

#include <sinew/pose.h>

/* Writes one lane of a group. */
void pose_group_set(sinew_pose_group *group, int lane, const sinew_transform *transform);

/* Sets every lane of `count` groups to the identity. */
void pose_groups_clear(sinew_pose_group *groups, int count);

/* The model's rest pose in place, for reading. */
sinew_pose model_rest_pose(const sinew_model *model);

#endif
