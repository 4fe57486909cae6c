/* What functions that are modifiers do with each joint of a measured actor. */
#include "actor/motion/jumps.h"
#include "math/quat.h"
#include "math/vec3.h"

void jumps_before_function(jumps *j, sinew_pose pose) {
  if (j->functions++ == 0)
    for (int i = 0; i < pose.joint_count; i++) j->effects[0][i] = sinew_transform_identity();
  pose_copy(j->spare, pose);
}

void jumps_after_function(jumps *j, sinew_pose pose, int index) {
  j->function = index;
  for (int i = 0; i < pose.joint_count; i++) {
    sinew_transform before = sinew_pose_joint(&j->spare, i), after = sinew_pose_joint(&pose, i);
    sinew_transform *effect = j->effects[0] + i;
    effect->rotation =
        sinew_quat_multiply(effect->rotation, sinew_quat_multiply(quat_conjugate(before.rotation), after.rotation));
    effect->translation = vec3_add(effect->translation, vec3_sub(after.translation, before.translation));
  }
}
