/* dust – tiny numbers in files that mean 0, such as the cosine of a right angle, 6e-17, and products of such numbers,
 * 1e-32. Their squares and products are too small for a float, and a processor takes some hundred cycles for each: one
 * joint of a character with them made blending three poses four times slower. Models have 0 instead. A matrix contains
 * products of two of a rotation's numbers, and joints products of two matrices, so products of four must not become
 * denormal. */
#ifndef SINEW_MODEL_DUST_H
#define SINEW_MODEL_DUST_H

#include <sinew/math.h>

#include <math.h>

/* For unit quaternions (2e-9 radians); for metres. */
#define DUST_TURN 1e-9f
#define DUST_LENGTH 1e-12f

static inline float without_dust(float value, float dust) { return fabsf(value) < dust ? 0 : value; }

static inline sinew_quat quat_without_dust(sinew_quat q) {
  return (sinew_quat){without_dust(q.x, DUST_TURN), without_dust(q.y, DUST_TURN), without_dust(q.z, DUST_TURN),
                      without_dust(q.w, DUST_TURN)};
}

static inline sinew_vec3 vec3_without_dust(sinew_vec3 v) {
  return (sinew_vec3){without_dust(v.x, DUST_LENGTH), without_dust(v.y, DUST_LENGTH), without_dust(v.z, DUST_LENGTH)};
}

/* For a matrix from model space to a joint's space. */
static inline sinew_mat3x4 mat3x4_without_dust(sinew_mat3x4 m) {
  for (int i = 0; i < 12; i++) m.m[i] = without_dust(m.m[i], DUST_LENGTH);
  return m;
}

#endif
