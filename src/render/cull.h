/* cull – finds the boxes that a camera can see, or whose shadow it can see. */
#ifndef SINEW_RENDER_CULL_H
#define SINEW_RENDER_CULL_H

#include "render/meshes/bounds.h"

typedef struct frustum {
  float planes[6][4]; /* inside is where x, y, z, 1 has a product of at least 0 with each */
} frustum;

/* The six planes of a matrix world → clip space (Gribb & Hartmann 2001). */
frustum frustum_of(const sinew_mat4 *view_projection);

/* False only where the whole box lies outside one of the planes. An empty box is never seen. */
bool frustum_sees(const frustum *view, const bounds_box *box);

/* The box around everything that is in the box or, within `reach` metres, in its shadow. `sun`: unit, towards it. */
bounds_box bounds_with_shadow(const bounds_box *box, const float sun[3], float reach);
/* The length that shadows of the box's content can have, on anything in the box and on the ground. */
float shadow_reach(const bounds_box *box, const float sun[3]);

#endif
