#ifndef SINEW_MATH_QUAT_H
#define SINEW_MATH_QUAT_H

#include <sinew/math.h>

float quat_dot(sinew_quat a, sinew_quat b);
sinew_quat quat_negate(sinew_quat q);
sinew_quat quat_conjugate(sinew_quat q);

sinew_vec3 quat_rotate(sinew_quat q, sinew_vec3 v); /* q of unit length */

/* The shortest turn that takes the unit vector a to the unit vector b; about any axis across where they are opposite.
 */
sinew_quat quat_between(sinew_vec3 a, sinew_vec3 b);

/* The rotation that takes the x axis to `x` and the y axis to `y`, unit vectors across each other. */
sinew_quat quat_from_axes(sinew_vec3 x, sinew_vec3 y);

/* The rotation about a unit axis by the angle of this direction, a cosine and a sine: of unit length, or 0 for none. */
sinew_quat quat_about(sinew_vec3 axis, float cosine, float sine);

/* The angle of a rotation, 0..π. */
float quat_angle(sinew_quat q);

/* q's share t of the way from the identity, along the shorter arc. */
sinew_quat quat_share(sinew_quat q, float t);

/* The angle of q's twist about a unit axis (q = swing · twist), −π..π; 0 where a half turn of swing leaves none. */
float quat_twist_angle(sinew_quat q, sinew_vec3 axis);

/* Normalised linear interpolation along the shorter arc; t in 0..1. */
sinew_quat quat_nlerp(sinew_quat a, sinew_quat b, float t);

#endif
