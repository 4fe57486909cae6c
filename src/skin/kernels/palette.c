#include "pose/kernels/eight_lanes.h"
#include "skin/kernels/skin.h"

/* Prefetches the memory for the same matrix of the next palette: palettes of characters are adjacent in memory, and a
 * write to uncached memory waits. If no palette follows, it does no harm. */
static void palette(const sinew_skin_view *skin, const sinew_mat3x4 *joints, sinew_mat3x4 *output, int stride) {
  const int32_t *index = skin->joints;
  const sinew_mat3x4 *bind = skin->inverse_binds, *end = bind + skin->count;
  const uintptr_t ahead = (uintptr_t)stride * sizeof *output;
  for (; bind + 1 < end; bind += 2, index += 2, output += 2) {
    __builtin_prefetch((const void *)((uintptr_t)output + ahead), 1, 2);
    __builtin_prefetch((const void *)((uintptr_t)(output + 1) + ahead), 1, 2);
    lanes_multiply_two(joints[index[0]].m, joints[index[1]].m, bind->m, bind[1].m, 4, output->m, output[1].m);
  }
  if (bind < end) lanes_multiply_affine(joints[*index].m, bind->m, 4, output->m);
}

/* The next eight follow these. */
static void palette_eight(const sinew_skin_view *skin, const float *joints, sinew_mat3x4 *const outputs[], int stride) {
  const int32_t *index = skin->joints;
  const sinew_mat3x4 *bind = skin->inverse_binds, *end = bind + skin->count;
  float *to[EIGHT];
  for (int i = 0; i < EIGHT; i++) to[i] = outputs[i][skin->first].m;
  const uintptr_t ahead = (uintptr_t)stride * EIGHT * sizeof *bind;
  for (size_t offset = 0; bind < end; bind++, index++, offset += 12) {
    eight_matrix right;
    lanes row[4];
    for (int e = 0; e < 12; e++) right.rows[e / 4][e % 4] = lanes_set(bind->m[e]);
    for (int i = 0; i < EIGHT; i++) __builtin_prefetch((const void *)((uintptr_t)(to[i] + offset) + ahead), 1, 2);
    for (int r = 0; r < 3; r++) {
      eight_multiply_row(joints + (size_t)*index * EIGHT_MATRIX + r * EIGHT_ROW, &right, row);
      lanes_scatter_rows(row[0], row[1], row[2], row[3], to, offset + 4 * (size_t)r);
    }
  }
}

extern const skin_kernels LANES_NAME(skin_kernels, LANES_SUFFIX);
const skin_kernels LANES_NAME(skin_kernels, LANES_SUFFIX) = {palette, palette_eight, skin_dual_palette, skin_move,
                                                             skin_bounds};
