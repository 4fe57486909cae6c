/* packed_rotation – a unit quaternion in six bytes: its three smaller components in 15 bits each, and the index of the
 * largest. A rotation is restored to 1.5e-4 rad: each part to 2.16e-5, and the largest, if all four are alike, to three
 * times that. */
#ifndef SINEW_HOST_PACKED_ROTATION_H
#define SINEW_HOST_PACKED_ROTATION_H

#include <sinew/pose.h>

typedef struct packed_rotation {
  uint16_t parts[3];
} packed_rotation;

/* Packs a group of a pose: parts[k][lane] is part k of that lane's rotation. A value that is not a unit quaternion
 * becomes some finite one. */
void packed_rotations_of(const sinew_pose_group *group, uint16_t parts[3][SINEW_LANES]);
sinew_quat packed_rotation_open(packed_rotation packed);

#endif
