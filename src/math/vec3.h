/* vec3 – arithmetic of three floats. */
#ifndef SINEW_MATH_VEC3_H
#define SINEW_MATH_VEC3_H

#include <sinew/math.h>

#include <math.h>

static inline sinew_vec3 vec3_add(sinew_vec3 a, sinew_vec3 b) { return (sinew_vec3){a.x + b.x, a.y + b.y, a.z + b.z}; }

static inline sinew_vec3 vec3_sub(sinew_vec3 a, sinew_vec3 b) { return (sinew_vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }

static inline sinew_vec3 vec3_scale(sinew_vec3 a, float s) { return (sinew_vec3){a.x * s, a.y * s, a.z * s}; }

/* a + s · b */
static inline sinew_vec3 vec3_add_scaled(sinew_vec3 a, float s, sinew_vec3 b) {
  return (sinew_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline sinew_vec3 vec3_lerp(sinew_vec3 a, sinew_vec3 b, float t) {
  return vec3_add_scaled(a, t, vec3_sub(b, a));
}

static inline float vec3_dot(sinew_vec3 a, sinew_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline sinew_vec3 vec3_cross(sinew_vec3 a, sinew_vec3 b) {
  return (sinew_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline float vec3_length(sinew_vec3 a) { return sqrtf(vec3_dot(a, a)); }

static inline float vec3_distance(sinew_vec3 a, sinew_vec3 b) { return vec3_length(vec3_sub(a, b)); }

static inline bool vec3_is_finite(sinew_vec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

/* Normalises; `fallback` if `a` is too short to have a direction. */
static inline sinew_vec3 vec3_unit(sinew_vec3 a, sinew_vec3 fallback) {
  float length = vec3_length(a);
  if (isinf(length)) { /* its square overflows; after scaling down, only an infinite component is left */
    a = vec3_scale(a, 1e-20f);
    length = vec3_length(a);
  }
  return length > 1e-12f && isfinite(length) ? vec3_scale(a, 1 / length) : fallback;
}

/* A unit vector orthogonal to the unit vector `a`. */
static inline sinew_vec3 vec3_across(sinew_vec3 a) {
  sinew_vec3 aside = fabsf(a.x) < 0.6f ? (sinew_vec3){1, 0, 0} : (sinew_vec3){0, 1, 0};
  return vec3_unit(vec3_cross(a, aside), (sinew_vec3){0, 0, 1});
}

/* `a` without its component along the unit vector `along`. */
static inline sinew_vec3 vec3_without(sinew_vec3 a, sinew_vec3 along) {
  return vec3_add_scaled(a, -vec3_dot(a, along), along);
}

/* Rotates `v` by the shortest rotation from the unit vector `from` to `to`; if they are opposite, about any axis at
 * right angles. Implemented as a reflection along `from` and one along the vector half-way. */
static inline sinew_vec3 vec3_turned_between(sinew_vec3 from, sinew_vec3 to, sinew_vec3 v) {
  sinew_vec3 half = vec3_add(from, to);
  float square = vec3_dot(half, half);
  if (square < 1e-12f) half = vec3_across(from), square = 1;
  v = vec3_add_scaled(v, -2 * vec3_dot(from, v), from);
  return vec3_add_scaled(v, -2 * vec3_dot(half, v) / square, half);
}

#endif
