/* sinew/math.h – the plain value types of the API, and functions of numbers. The types are packed floats, with no
 * alignment beyond a float's, so their layout never changes with compiler flags. */
#ifndef SINEW_MATH_H
#define SINEW_MATH_H

#include <sinew/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_vec3 {
  float x, y, z;
} sinew_vec3;

/* x, y, z, w; the identity is {0, 0, 0, 1}. */
typedef struct sinew_quat {
  float x, y, z, w;
} sinew_quat;

/* Applied as T·R·S: scale first, then rotation, then translation. */
typedef struct sinew_transform {
  sinew_vec3 translation; /* metres */
  sinew_quat rotation;
  sinew_vec3 scale;
} sinew_transform;

/* An affine matrix as its three upper rows: row r is m[4r .. 4r+3], the translation is m[3], m[7], m[11]. The form
 * of model-space joints and of the palettes that the GPU reads. */
typedef struct sinew_mat3x4 {
  float m[12];
} sinew_mat3x4;

/* A 4×4 matrix in columns, as OpenGL reads it: element (row r, column c) is m[4c + r]. */
typedef struct sinew_mat4 {
  float m[16];
} sinew_mat4;

SINEW_API sinew_transform sinew_transform_identity(void);
SINEW_API sinew_mat3x4 sinew_mat3x4_identity(void);

/* T·R·S as a matrix. The rotation need not be of unit length: it is divided by |q|² on the way (0 gives identity). */
SINEW_API sinew_mat3x4 sinew_mat3x4_from_transform(const sinew_transform *transform);

/* a · b: b is applied first. */
SINEW_API sinew_mat3x4 sinew_mat3x4_multiply(const sinew_mat3x4 *a, const sinew_mat3x4 *b);

/* The inverse of an affine matrix; a singular one (|det| below 1e-30) gives the identity and false. */
SINEW_API bool sinew_mat3x4_inverse(const sinew_mat3x4 *matrix, sinew_mat3x4 *inverse);

/* Splits a matrix without shear into T·R·S; with shear the nearest (columns' lengths as scale, rotation by
 * Gram-Schmidt). A mirrored matrix gets a negative x scale. */
SINEW_API sinew_transform sinew_transform_from_mat3x4(const sinew_mat3x4 *matrix);

/* The same matrix with the fourth row 0 0 0 1, in columns. */
SINEW_API sinew_mat4 sinew_mat4_from_mat3x4(const sinew_mat3x4 *matrix);

SINEW_API sinew_vec3 sinew_mat3x4_transform_point(const sinew_mat3x4 *matrix, sinew_vec3 point);

SINEW_API sinew_quat sinew_quat_multiply(sinew_quat a, sinew_quat b);

/* Unit length; a zero or non-finite quaternion gives the identity. */
SINEW_API sinew_quat sinew_quat_normalize(sinew_quat q);

/* A rotation of `angle` radians about `axis`, which need not be of unit length (a zero axis gives the identity). */
SINEW_API sinew_quat sinew_quat_from_axis_angle(sinew_vec3 axis, float angle);

/* Spherical linear interpolation along the shorter arc (Shoemake 1985); t in 0..1. */
SINEW_API sinew_quat sinew_quat_slerp(sinew_quat a, sinew_quat b, float t);

/* As in <math.h>, special values included, but with the same bits on every system and processor, which the C library's
 * functions do not have: what is computed with these replays alike everywhere. Within 1 ulp of the true value. sinew_ln
 * is <math.h>'s log. */
SINEW_API double sinew_sin(double x);
SINEW_API double sinew_cos(double x);
SINEW_API double sinew_tan(double x);
SINEW_API double sinew_asin(double x);
SINEW_API double sinew_acos(double x);
SINEW_API double sinew_atan(double x);
SINEW_API double sinew_atan2(double y, double x);
SINEW_API double sinew_exp(double x);
SINEW_API double sinew_ln(double x);
SINEW_API double sinew_log2(double x);
SINEW_API double sinew_log10(double x);
SINEW_API double sinew_pow(double base, double exponent);
SINEW_API double sinew_hypot(double x, double y);
SINEW_API double sinew_cbrt(double x);

#ifdef __cplusplus
}
#endif
#endif
