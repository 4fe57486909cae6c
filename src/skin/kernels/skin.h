/* skin – the kernels in this backend's table. */
#ifndef SINEW_SKIN_KERNELS_SKIN_H
#define SINEW_SKIN_KERNELS_SKIN_H

#include "math/lanes.h"
#include "skin/kernels.h"

#define skin_move LANES_NAME(skin_move, LANES_SUFFIX)
#define skin_dual_palette LANES_NAME(skin_dual_palette, LANES_SUFFIX)
#define skin_bounds LANES_NAME(skin_bounds, LANES_SUFFIX)

void skin_bounds(const sinew_joint_extent *extents, const sinew_mat3x4 *palette, lanes_box *box);
bool skin_dual_palette(const sinew_mat3x4 *palette, sinew_dual_quat *output, float apart[SINEW_LANES]);
void skin_move(skin_vertices vertices);

#endif
