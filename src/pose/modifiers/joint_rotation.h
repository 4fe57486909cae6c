/* joint_rotation – converts a rotation from model space to a joint's space. */
#ifndef SINEW_POSE_JOINT_ROTATION_H
#define SINEW_POSE_JOINT_ROTATION_H

#include <sinew/math.h>

/* `turn`, a rotation in model space, in the space of a joint whose children it rotates: parent⁻¹ · turn · parent. Exact
 * if the parent scales evenly, mirrored or not. */
sinew_quat rotation_in_parent(const sinew_mat3x4 *parent, sinew_quat rotation);

#endif
