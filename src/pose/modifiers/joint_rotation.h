/* joint_rotation – a rotation given in model space, as a joint sees it. */
#ifndef SINEW_POSE_JOINT_ROTATION_H
#define SINEW_POSE_JOINT_ROTATION_H

#include <sinew/math.h>

/* `turn`, a rotation of model space, in the space of a joint whose children it turns: parent⁻¹ · turn · parent. Exact
 * where the parent scales evenly, mirrored or not. */
sinew_quat rotation_in_parent(const sinew_mat3x4 *parent, sinew_quat rotation);

#endif
