/* moments – eight moments of a joint side by side, so that the arithmetic over them becomes vector code. */
#ifndef SINEW_IMPORT_MOMENTS_H
#define SINEW_IMPORT_MOMENTS_H

#include "model/model.h"

enum { MOMENTS = 8 };

/* Translation, rotation, scale: ten numbers. */
typedef struct moments_transform {
  float v[10][MOMENTS];
} moments_transform;

enum { MOMENTS_TRANSLATION = 0, MOMENTS_ROTATION = 3, MOMENTS_SCALE = 7 };

/* As sinew_mat3x4. */
typedef struct moments_matrix {
  float m[12][MOMENTS];
} moments_matrix;

/* The same at all eight. */
void moments_fill(moments_transform *out, const sinew_transform *t);
/* The rotation may be of any length. */
void moments_to_matrix(const moments_transform *t, moments_matrix *out);
void moments_multiply(const moments_matrix *a, const moments_matrix *b, moments_matrix *out);

/* The longest column of the 3×3 part. */
double moments_scale(const moments_matrix *a);

/* The square of the farthest that the origin, or a point at `shell` along an axis of the joint's own space, is from the
 * same point of the other; lifts `worst` to it. */
void moments_compare(const moments_matrix *a, const moments_matrix *b, float shell, float worst[MOMENTS]);

#endif
