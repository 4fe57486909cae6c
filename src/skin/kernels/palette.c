#include "skin/kernels/skin.h"

/* Palettes of characters lie one after the other, and a write waits for its place to come from memory: that of the same
 * matrix in the next palette is sent for meanwhile. Where no palette follows that does no harm. */
static void palette(const sinew_skin_view *skin, const sinew_mat3x4 *joints, sinew_mat3x4 *output, int stride) {
  const int32_t *index = skin->joints;
  const sinew_mat3x4 *bind = skin->inverse_binds, *end = bind + skin->count;
  const uintptr_t ahead = (uintptr_t)stride * sizeof *output;
  for (; bind < end; bind++, index++, output++) {
    __builtin_prefetch((const void *)((uintptr_t)output + ahead), 1, 2);
    lanes_multiply_affine(joints[*index].m, bind->m, 4, output->m);
  }
}

extern const skin_kernels LANES_NAME(skin_kernels, LANES_SUFFIX);
const skin_kernels LANES_NAME(skin_kernels, LANES_SUFFIX) = {palette, skin_move, skin_bounds};
