/* morph – differences of morph targets on the GPU, and the list of active ones.
 *
 * A two-dimensional float texture, because a texture buffer is guaranteed to hold only 65,536 texels: target t, vertex
 * v is texel 2(t · vertices + v) for the position and the next one for the normal, row by row. */
#ifndef SINEW_RENDER_MORPH_H
#define SINEW_RENDER_MORPH_H

#include <sinew/model.h>

#include <glad/gl.h>

bool morph_create(GLuint *texture, int *width, const sinew_mesh_view *view, sinew_error *error);

/* The number of weights that are not 0. */
int morph_active_count(const float *weights, int count);
/* One texel for each active target: its weight and its number. */
void morph_write_list(const float *weights, int count, float *texels);

#endif
