#ifndef SINEW_MATH_QUAT_H
#define SINEW_MATH_QUAT_H

#include "math/vec3.h"

static inline float quat_dot(sinew_quat a, sinew_quat b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

static inline sinew_quat quat_negate(sinew_quat q) { return (sinew_quat){-q.x, -q.y, -q.z, -q.w}; }

static inline sinew_quat quat_conjugate(sinew_quat q) { return (sinew_quat){-q.x, -q.y, -q.z, q.w}; }

static inline sinew_quat quat_scale(sinew_quat q, float s) { return (sinew_quat){q.x * s, q.y * s, q.z * s, q.w * s}; }

/* sinew_quat_multiply, in place. */
static inline sinew_quat quat_product(sinew_quat a, sinew_quat b) {
  return (sinew_quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

/* q of unit length */
static inline sinew_vec3 quat_rotate(sinew_quat q, sinew_vec3 v) {
  sinew_vec3 u = {q.x, q.y, q.z}, t = vec3_scale(vec3_cross(u, v), 2);
  return vec3_add(vec3_add_scaled(v, q.w, t), vec3_cross(u, t));
}

/* Normalises a quaternion that is nearly unit, such as a product of unit quaternions: with |q|² = 1 + e, 1 − e/2 equals
 * 1/|q| except for 3/8 e², which is less than half a rounding. */
static inline sinew_quat quat_unit(sinew_quat q) {
  float e = quat_dot(q, q) - 1;
  return fabsf(e) < 2e-4f ? quat_scale(q, 1 - 0.5f * e) : sinew_quat_normalize(q);
}

/* The shortest rotation from the unit vector a to the unit vector b; if they are opposite, about any axis at right
 * angles. */
sinew_quat quat_between(sinew_vec3 a, sinew_vec3 b);

/* The rotation that takes the x axis to `x` and the y axis to `y`, orthogonal unit vectors. */
sinew_quat quat_from_axes(sinew_vec3 x, sinew_vec3 y);

/* The rotation that takes a to b and p to q: unit vectors, a orthogonal to p and b to q. */
sinew_quat quat_between_axes(sinew_vec3 a, sinew_vec3 p, sinew_vec3 b, sinew_vec3 q);

/* The rotation about a unit axis by the angle of the direction (cosine, sine), which has unit length, or is 0 for no
 * rotation. */
sinew_quat quat_about(sinew_vec3 axis, float cosine, float sine);

/* The angle of a rotation, 0..π. */
float quat_angle(sinew_quat q);

/* The fraction t of the rotation q, along the shorter arc. */
sinew_quat quat_power(sinew_quat q, float t);

/* The angle of q's twist about a unit axis (q = swing · twist), −π..π; 0 if a swing by half a turn leaves it undefined.
 */
float quat_twist_angle(sinew_quat q, sinew_vec3 axis);

/* Normalised linear interpolation along the shorter arc; t in 0..1. */
sinew_quat quat_nlerp(sinew_quat a, sinew_quat b, float t);

#endif
