/* moments – eight moments of a joint side by side: the kernels that compare track groups with curves, compiled once for
 * each backend of math/lanes.h. */
#ifndef SINEW_IMPORT_KERNELS_H
#define SINEW_IMPORT_KERNELS_H

#include "model/clip/clip.h"
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

/* Radians between quaternions up to which `arcs` is accurate. */
static const double moments_most_angle = 0.4;

typedef struct moments_kernels {
  /* Computes every joint in model space from its local transform. A parent comes before its children; a joint without
   * one (-1) is below its own `above`. Rotations may have any length. */
  void (*position)(int count, const int *parents, const moments_matrix *above, const moments_transform *held,
                   moments_matrix *positions);
  /* Raises the numbers of each joint, and those of all joints, to the squared distance of the joint's origin, or of a
   * point at its shell along an axis of its own space, from the same point of the other. If that overflows (a chain of
   * huge scales), it is infinite, and stays so. */
  void (*compare)(int count, const moments_matrix *a, const moments_matrix *b, const float *shells,
                  float (*joints)[MOMENTS], float moments[MOMENTS]);
  /* Likewise raises the numbers of each joint to the square of the longest column of its 3×3 part, and `farthest` to
   * that of the farthest origin. */
  void (*stretch)(int count, const moments_matrix *positions, float (*longest)[MOMENTS], float farthest[MOMENTS]);
  /* For each moment, interpolates 1, 3 or 4 numbers between a (part 0) and b (part 1). With `bend`, for quaternions,
   * the part grows by that much per squared distance. */
  void (*lines)(const float *const a[MOMENTS], const float *const b[MOMENTS], int width, const float part[MOMENTS],
                const float *bend, float (*out)[MOMENTS]);
  /* The same for quaternions, along the shorter arc. Returns false, and does nothing, if an arc is longer than
   * moments_most_angle. */
  bool (*arcs)(const float *const a[MOMENTS], const float *const b[MOMENTS], const float part[MOMENTS],
               float (*out)[MOMENTS]);
} moments_kernels;

/* The kernels of simd_current(). */
const moments_kernels *moments_kernels_current(void);

/* The same at all eight. */
void moments_fill(moments_transform *out, const sinew_transform *t);

/* ---- rotations ---- */

/* Checks the assumptions that sampling makes about a clip's rotations; compiled once for each backend of math/lanes.h.
 */

/* Whether every rotation of the pack is near unit length, and near that of the frame before if both are between the
 * same two moments of a segment; a step pack has nothing in between. The track group has its frames and their slack,
 * and the pack its blocks. */
typedef bool rotations_check(const sinew_clip *clip, const clip_pack *pack);

/* The function of simd_current(). */
rotations_check *rotations_check_current(void);

#endif
