#ifndef SINEW_POSE_JOINT_PLACE_H
#define SINEW_POSE_JOINT_PLACE_H

#include <sinew/pose.h>

/* A joint in model space at a time of a clip; samples only the joints above it. The arguments have been checked. */
sinew_mat3x4 joint_position(const sinew_model *model, const sinew_clip *clip, int joint, double time);

#endif
