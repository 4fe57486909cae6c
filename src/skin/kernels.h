/* kernels – the inner loops of skinning, compiled once for each backend of math/lanes.h. */
#ifndef SINEW_SKIN_KERNELS_H
#define SINEW_SKIN_KERNELS_H

#include <sinew/pose.h>

/* Eight vertices. Those that a mesh lacks hold whatever was there before: numbers all the same. */
typedef struct skin_block {
  float matrix[SINEW_LANES][12];
  /* Rows of at least three floats, `stride` apart (of four for tangents); four are read, and nothing is made of the
   * last. `tangent` may be NULL. */
  const float *position, *normal, *tangent;
  int stride;
  bool normals;
  float copies[3][SINEW_LANES][4];
  float out[3][SINEW_LANES][4]; /* position, normal, tangent; the fourth float is nobody's */
} skin_block;

typedef struct skin_kernels {
  /* output[i] = joints[skin->joints[i]] × skin->inverse_binds[i]; a palette has `stride` matrices */
  void (*palette)(const sinew_skin_view *skin, const sinew_mat3x4 *joints, sinew_mat3x4 *output, int stride);
  /* Σ weight × matrix, for `count` vertices */
  void (*blend)(const sinew_mat3x4 *palette, const uint16_t *joints, const float *weights, int influences, int count,
                skin_block *block);
  void (*skin)(skin_block *block);
} skin_kernels;

/* Those of simd_current(). */
const skin_kernels *skin_kernels_current(void);

/* Every skin's. */
void palette_of_joints(const sinew_model *model, const sinew_mat3x4 *joints, sinew_mat3x4 *output);

#endif
