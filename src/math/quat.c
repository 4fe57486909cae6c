#include "math/quat.h"

#include <math.h>

float quat_dot(sinew_quat a, sinew_quat b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

sinew_quat quat_negate(sinew_quat q) { return (sinew_quat){-q.x, -q.y, -q.z, -q.w}; }

sinew_quat quat_conjugate(sinew_quat q) { return (sinew_quat){-q.x, -q.y, -q.z, q.w}; }

sinew_quat sinew_quat_multiply(sinew_quat a, sinew_quat b) {
  return (sinew_quat){
      a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
  };
}

sinew_quat sinew_quat_normalize(sinew_quat q) {
  /* In double, so that components near the ends of a float's range neither overflow nor vanish. */
  double length = sqrt((double)q.x * (double)q.x + (double)q.y * (double)q.y + (double)q.z * (double)q.z +
                       (double)q.w * (double)q.w);
  if (!isfinite(length) || length < 1e-30) return (sinew_quat){0, 0, 0, 1};
  return (sinew_quat){(float)((double)q.x / length), (float)((double)q.y / length), (float)((double)q.z / length),
                      (float)((double)q.w / length)};
}

sinew_quat sinew_quat_from_axis_angle(sinew_vec3 axis, float angle) {
  float length = sqrtf(axis.x * axis.x + axis.y * axis.y + axis.z * axis.z);
  if (!(length > 0.0f) || !isfinite(length) || !isfinite(angle)) return (sinew_quat){0, 0, 0, 1};
  float s = sinf(angle * 0.5f) / length;
  return (sinew_quat){axis.x * s, axis.y * s, axis.z * s, cosf(angle * 0.5f)};
}

static sinew_quat weighted_sum(sinew_quat a, float wa, sinew_quat b, float wb) {
  return (sinew_quat){a.x * wa + b.x * wb, a.y * wa + b.y * wb, a.z * wa + b.z * wb, a.w * wa + b.w * wb};
}

sinew_quat quat_nlerp(sinew_quat a, sinew_quat b, float t) {
  float sign = quat_dot(a, b) < 0.0f ? -1.0f : 1.0f;
  return sinew_quat_normalize(weighted_sum(a, 1.0f - t, b, sign * t));
}

sinew_quat sinew_quat_slerp(sinew_quat a, sinew_quat b, float t) {
  float cosine = quat_dot(a, b);
  if (cosine < 0.0f) {
    b = quat_negate(b);
    cosine = -cosine;
  }
  /* Under 0.06 rad lerp and slerp agree to a float's precision, and sin(angle) would divide by almost nothing. */
  if (cosine > 0.9995f) return quat_nlerp(a, b, t);
  float angle = acosf(cosine);
  float s = 1.0f / sinf(angle);
  return sinew_quat_normalize(weighted_sum(a, sinf((1.0f - t) * angle) * s, b, sinf(t * angle) * s));
}
