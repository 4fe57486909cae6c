#include "skin/kernels/skin.h"

static void palette(const sinew_skin_view *skin, const sinew_mat3x4 *joints, sinew_mat3x4 *output) {
  for (int i = 0; i < skin->count; i++)
    lanes_multiply_affine(joints[skin->joints[i]].m, skin->inverse_binds[i].m, output[i].m);
}

extern const skin_kernels LANES_NAME(skin_kernels, LANES_SUFFIX);
const skin_kernels LANES_NAME(skin_kernels, LANES_SUFFIX) = {palette, skin_blend, skin_vertices};
