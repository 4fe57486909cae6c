/* kernels – the inner loops of skinning, compiled once for each backend of math/lanes.h. */
#ifndef SINEW_SKIN_KERNELS_H
#define SINEW_SKIN_KERNELS_H

#include <sinew/pose.h>

typedef struct skin_kernels {
  /* output[i] = joints[skin->joints[i]] × skin->inverse_binds[i] */
  void (*palette)(const sinew_skin_view *skin, const sinew_mat3x4 *joints, sinew_mat3x4 *output);
} skin_kernels;

/* Those of simd_current(). */
const skin_kernels *skin_kernels_current(void);

/* Every skin's. */
void palette_of_joints(const sinew_model *model, const sinew_mat3x4 *joints, sinew_mat3x4 *output);

#endif
