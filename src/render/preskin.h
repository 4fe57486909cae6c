/* preskin – vertices that are skinned once for all passes of a picture: transform feedback writes them into a buffer,
 * from which the passes draw. A crowd that is too large for the buffer is skinned anew by each pass. */
#ifndef SINEW_RENDER_PRESKIN_H
#define SINEW_RENDER_PRESKIN_H

#include "render/draw_list.h"
#include "render/program.h"

/* A skinned vertex: position, normal, tangent. */
enum { SKINNED_FLOATS = 3 + 3 + 4, SKINNED_BYTES = SKINNED_FLOATS * 4 };

/* Runs skin.vert over the calls, as many as fit into `limit` vertices. A framebuffer must be bound that is complete. */
void preskin_run(const program *skin, draw_list *list, int64_t limit);

#endif
