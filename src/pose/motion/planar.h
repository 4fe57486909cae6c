/* planar – moving over the ground: a position and a yaw, in double precision. */
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

planar planar_add(planar a, planar b);
planar planar_scale(planar a, double s);
/* The steady motion, x, y, z and yaw, that leads to `a` in a unit of time, turning by less than half a circle either
 * way; and where one leads. Motions that turn are blended as these: a + b of positions and yaws apart would cut
 * corners.
 */
planar planar_log(planar a);
planar planar_exp(planar twist);

#endif
