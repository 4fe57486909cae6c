/* moments – eight moments of a joint side by side: what compares track groups with curves, compiled once for each
 * backend of math/lanes.h. */
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

/* Radians between quaternions, up to which `arc` is right. */
static const double moments_most_angle = 0.4;

typedef struct moments_kernels {
  /* Every joint in the model's space, from what each holds in its parent's. A parent stands before its children; one
   * without (-1) hangs from its own `above`. Rotations may be of any length. */
  void (*position)(int count, const int *parents, const moments_matrix *above, const moments_transform *held,
                   moments_matrix *positions);
  /* Lifts `worst` to the square of the farthest that a joint's origin, or a point at its shell along an axis of its own
   * space, is from the same point of the other. Where that is no length any more (a chain of huge scales), it is
   * infinite, and stays so. */
  void (*compare)(int count, const moments_matrix *a, const moments_matrix *b, const float *shells,
                  float worst[MOMENTS]);
  /* In the same way, lifts the numbers of each joint to the square of the longest column of its 3×3 part, and
   * `farthest` to that of the farthest origin. */
  void (*stretch)(int count, const moments_matrix *positions, float (*longest)[MOMENTS], float farthest[MOMENTS]);
  /* `width` numbers between a (part 0) and b (part 1); where the part is negative, `out` stays as it is. */
  void (*line)(const float *a, const float *b, int width, const float part[MOMENTS], float (*out)[MOMENTS]);
  /* The same for quaternions in one hemisphere, along the arc between them, whose angle has this square. */
  void (*arc)(const float a[4], const float b[4], float square, const float part[MOMENTS], float (*out)[MOMENTS]);
} moments_kernels;

/* Those of simd_current(). */
const moments_kernels *moments_kernels_current(void);

/* The same at all eight. */
void moments_fill(moments_transform *out, const sinew_transform *t);

#endif
