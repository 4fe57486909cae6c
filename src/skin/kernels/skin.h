/* skin – what this backend's table of kernels is made of. */
#ifndef SINEW_SKIN_KERNELS_SKIN_H
#define SINEW_SKIN_KERNELS_SKIN_H

#include "math/lanes.h"
#include "skin/kernels.h"

#define skin_blend LANES_NAME(skin_blend, LANES_SUFFIX)
#define skin_vertices LANES_NAME(skin_vertices, LANES_SUFFIX)

void skin_blend(const sinew_mat3x4 *palette, const uint16_t *joints, const float *weights, int influences, int count,
                skin_block *block);
void skin_vertices(skin_block *block);

#endif
