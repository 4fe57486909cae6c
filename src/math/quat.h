#ifndef SINEW_MATH_QUAT_H
#define SINEW_MATH_QUAT_H

#include <sinew/math.h>

float quat_dot(sinew_quat a, sinew_quat b);
sinew_quat quat_negate(sinew_quat q);
sinew_quat quat_conjugate(sinew_quat q);

/* Normalised linear interpolation along the shorter arc; t in 0..1. */
sinew_quat quat_nlerp(sinew_quat a, sinew_quat b, float t);

#endif
