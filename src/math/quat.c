#include "math/quat.h"

#include "math/angle.h"
#include "math/elementary.h"
#include "math/vec3.h"

sinew_quat sinew_quat_multiply(sinew_quat a, sinew_quat b) { return quat_product(a, b); }

sinew_quat sinew_quat_normalize(sinew_quat q) {
  /* in double, so that components near the limits of a float neither overflow nor vanish */
  double length = sqrt((double)q.x * (double)q.x + (double)q.y * (double)q.y + (double)q.z * (double)q.z +
                       (double)q.w * (double)q.w);
  if (!isfinite(length) || length < 1e-30) return (sinew_quat){0, 0, 0, 1};
  double scale = 1 / length;
  return (sinew_quat){(float)((double)q.x * scale), (float)((double)q.y * scale), (float)((double)q.z * scale),
                      (float)((double)q.w * scale)};
}

sinew_quat sinew_quat_from_axis_angle(sinew_vec3 axis, float angle) {
  float length = sqrtf(axis.x * axis.x + axis.y * axis.y + axis.z * axis.z);
  if (!(length > 0.0f) || !isfinite(length) || !isfinite(angle)) return (sinew_quat){0, 0, 0, 1};
  float s = float_sin(angle * 0.5f) / length;
  return (sinew_quat){axis.x * s, axis.y * s, axis.z * s, float_cos(angle * 0.5f)};
}

static sinew_quat weighted_sum(sinew_quat a, float wa, sinew_quat b, float wb) {
  return (sinew_quat){a.x * wa + b.x * wb, a.y * wa + b.y * wb, a.z * wa + b.z * wb, a.w * wa + b.w * wb};
}

sinew_quat quat_nlerp(sinew_quat a, sinew_quat b, float t) {
  float sign = quat_dot(a, b) < 0.0f ? -1.0f : 1.0f;
  return quat_unit(weighted_sum(a, 1.0f - t, b, sign * t));
}

sinew_quat sinew_quat_slerp(sinew_quat a, sinew_quat b, float t) {
  float cosine = quat_dot(a, b);
  if (cosine < 0.0f) {
    b = quat_negate(b);
    cosine = -cosine;
  }
  if (t == 1) return sinew_quat_normalize(b);
  /* below 0.06 rad lerp and slerp agree to a float's precision, and sin(angle) would divide by almost nothing */
  if (cosine > 0.9995f) return quat_nlerp(a, b, t);
  float sine = sqrtf((1 - cosine) * (1 + cosine)), angle = 2 * angle_arctangent(sine / (1 + cosine));
  return quat_unit(weighted_sum(a, angle_sine((1 - t) * angle) / sine, b, angle_sine(t * angle) / sine));
}

sinew_quat quat_between(sinew_vec3 a, sinew_vec3 b) {
  /* uses the half-way vector instead of 1 + a·b, which cancels for nearly opposite vectors */
  sinew_vec3 half = vec3_add(a, b);
  if (vec3_dot(half, half) < 1e-12f) {
    sinew_vec3 axis = vec3_across(a);
    return (sinew_quat){axis.x, axis.y, axis.z, 0};
  }
  half = vec3_unit(half, a);
  sinew_vec3 c = vec3_cross(a, half);
  return quat_unit((sinew_quat){c.x, c.y, c.z, vec3_dot(a, half)});
}

/* The rotation of a matrix with these columns. Shepperd 1978: divide by the largest of the four components. */
static sinew_quat from_columns(sinew_vec3 x, sinew_vec3 y, sinew_vec3 z) {
  float trace = x.x + y.y + z.z;
  sinew_quat q;
  if (trace > 0) q = (sinew_quat){y.z - z.y, z.x - x.z, x.y - y.x, 1 + trace};
  else if (x.x > y.y && x.x > z.z) q = (sinew_quat){1 + x.x - y.y - z.z, y.x + x.y, z.x + x.z, y.z - z.y};
  else if (y.y > z.z) q = (sinew_quat){y.x + x.y, 1 + y.y - x.x - z.z, z.y + y.z, z.x - x.z};
  else q = (sinew_quat){z.x + x.z, z.y + y.z, 1 + z.z - x.x - y.y, x.y - y.x};
  return sinew_quat_normalize(q);
}

sinew_quat quat_from_axes(sinew_vec3 x, sinew_vec3 y) { return from_columns(x, y, vec3_cross(x, y)); }

/* The matrix b aᵀ + q pᵀ + s rᵀ, applied to one axis: a column of it. */
static sinew_vec3 turned_axis(float a, sinew_vec3 b, float p, sinew_vec3 q, float r, sinew_vec3 s) {
  return vec3_add_scaled(vec3_add_scaled(vec3_scale(b, a), p, q), r, s);
}

sinew_quat quat_between_axes(sinew_vec3 a, sinew_vec3 p, sinew_vec3 b, sinew_vec3 q) {
  sinew_vec3 r = vec3_cross(a, p), s = vec3_cross(b, q);
  return from_columns(turned_axis(a.x, b, p.x, q, r.x, s), turned_axis(a.y, b, p.y, q, r.y, s),
                      turned_axis(a.z, b, p.z, q, r.z, s));
}

/* Computes the larger one of cosine and sine of half the angle by a root, and the other one from sin a = 2 sin (a/2)
 * cos (a/2). */
sinew_quat quat_about(sinew_vec3 axis, float cosine, float sine) {
  float large = sqrtf(0.5f * (1 + fabsf(cosine))), small = 0.5f * sine / large;
  if (cosine < 0) return (sinew_quat){axis.x * large, axis.y * large, axis.z * large, small};
  return (sinew_quat){axis.x * small, axis.y * small, axis.z * small, large};
}

float quat_angle(sinew_quat q) { return 2 * float_atan2(sqrtf(q.x * q.x + q.y * q.y + q.z * q.z), fabsf(q.w)); }

sinew_quat quat_power(sinew_quat q, float t) { return sinew_quat_slerp((sinew_quat){0, 0, 0, 1}, q, t); }

float quat_twist_angle(sinew_quat q, sinew_vec3 axis) {
  const float pi = 3.14159265f;
  float along = vec3_dot((sinew_vec3){q.x, q.y, q.z}, axis);
  if (along * along + q.w * q.w < 1e-12f) return 0;
  float angle = 2 * float_atan2(along, q.w);
  return angle > pi ? angle - 2 * pi : angle < -pi ? angle + 2 * pi : angle;
}
