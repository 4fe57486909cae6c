/* cull – finds the boxes that a camera can see, or whose shadow it can see. */
#ifndef SINEW_RENDER_CULL_H
#define SINEW_RENDER_CULL_H

#include "render/meshes/bounds.h"

typedef struct frustum {
  float planes[6][4]; /* a point x, y, z, 1 is inside if its product with each is at least 0 */
} frustum;

/* The six planes of a matrix world → clip space (Gribb & Hartmann 2001). */
frustum frustum_of(const sinew_mat4 *view_projection);

/* False only if the whole box is outside one of the planes. An empty box is never seen. */
bool frustum_sees(const frustum *view, const bounds_box *box);

/* The box around everything that is in the box or, within `reach` metres, in its shadow. `sun`: the unit direction
 * towards it. */
bounds_box bounds_with_shadow(const bounds_box *box, const float sun[3], float reach);
/* The length that shadows of the box's content can have, on anything in the box and on the ground. */
float shadow_reach(const bounds_box *box, const float sun[3]);

#endif
