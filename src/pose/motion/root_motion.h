/* planar – movement over the ground: a position and a yaw, in double precision. */
#ifndef SINEW_POSE_ROOT_MOTION_H
#define SINEW_POSE_ROOT_MOTION_H

#include <sinew/math.h>

typedef struct planar {
  double x, y, z, yaw; /* p ↦ turn(yaw, p) + (x, y, z) */
} planar;

planar planar_multiply(planar a, planar b);
sinew_transform planar_transform(planar a);

planar planar_add(planar a, planar b);
planar planar_scale(planar a, double s);
/* The steady motion, as x, y, z and yaw per unit of time, that leads to `a`, rotating by less than half a turn; and the
 * result of such a motion. Rotating motions are blended in this form, because adding positions and yaws separately
 * would cut corners. */
planar planar_log(planar a);
planar planar_exp(planar twist);

#endif
