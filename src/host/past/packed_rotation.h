/* packed_rotation – a unit quaternion in six bytes: its three smaller components in 15 bits each, and which the largest
 * is. A rotation comes back to 1.2e-4 rad. */
#ifndef SINEW_HOST_PACKED_ROTATION_H
#define SINEW_HOST_PACKED_ROTATION_H

#include <sinew/math.h>

typedef struct packed_rotation {
  uint16_t parts[3];
} packed_rotation;

/* What is no unit quaternion is not one that comes back either; it is finite in any case. */
packed_rotation packed_rotation_of(sinew_quat turn);
sinew_quat packed_rotation_open(packed_rotation packed);

#endif
