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

/* Radians between quaternions, up to which `arcs` is right. */
static const double moments_most_angle = 0.4;

typedef struct moments_kernels {
  /* Every joint in the model's space, from what each holds in its parent's. A parent stands before its children; one
   * without (-1) hangs from its own `above`. Rotations may be of any length. */
  void (*position)(int count, const int *parents, const moments_matrix *above, const moments_transform *held,
                   moments_matrix *positions);
  /* Lifts the numbers of each joint, and those of all joints, to the square of the farthest that the joint's origin, or
   * a point at its shell along an axis of its own space, is from the same point of the other. Where that is no length
   * any more (a chain of huge scales), it is infinite, and stays so. */
  void (*compare)(int count, const moments_matrix *a, const moments_matrix *b, const float *shells,
                  float (*joints)[MOMENTS], float moments[MOMENTS]);
  /* In the same way, lifts the numbers of each joint to the square of the longest column of its 3×3 part, and
   * `farthest` to that of the farthest origin. */
  void (*stretch)(int count, const moments_matrix *positions, float (*longest)[MOMENTS], float farthest[MOMENTS]);
  /* Of each moment, 1, 3 or 4 numbers between a (part 0) and b (part 1); with `bend`, of quaternions, the part is
   * larger by so much for a square of their distance of 1. */
  void (*lines)(const float *const a[MOMENTS], const float *const b[MOMENTS], int width, const float part[MOMENTS],
                const float *bend, float (*out)[MOMENTS]);
  /* The same of quaternions, along the shorter arc between them. False, and nothing is done, where one is longer than
   * moments_most_angle. */
  bool (*arcs)(const float *const a[MOMENTS], const float *const b[MOMENTS], const float part[MOMENTS],
               float (*out)[MOMENTS]);
} moments_kernels;

/* The kernels of simd_current(). */
const moments_kernels *moments_kernels_current(void);

/* The same at all eight. */
void moments_fill(moments_transform *out, const sinew_transform *t);

#endif
