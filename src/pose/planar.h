/* planar – moving over the ground: a place and a turn about y, in double precision. */
#ifndef SINEW_POSE_PLANAR_H
#define SINEW_POSE_PLANAR_H

#include <sinew/math.h>

typedef struct planar {
  double x, y, z, yaw; /* p ↦ turn(yaw, p) + (x, y, z) */
} planar;

planar planar_multiply(planar a, planar b);
planar planar_inverse(planar a);
planar planar_power(planar a, int64_t n);
sinew_transform planar_transform(planar a);

#endif
