/* preskin – skins vertices once for all passes of a picture, by transform feedback or a compute shader, into a buffer
 * from which the passes draw. A crowd too large for the buffer is skinned again by each pass. */
#ifndef SINEW_RENDER_PRESKIN_H
#define SINEW_RENDER_PRESKIN_H

#include "render/draw_list.h"
#include "render/gl/program.h"

/* A skinned vertex: position, normal, tangent. */
enum { SKINNED_FLOATS = 3 + 3 + 4, SKINNED_BYTES = SKINNED_FLOATS * 4 };

typedef struct preskin {
  sinew_skin_stage stage;
  bool computes;             /* whether the context can */
  int64_t limit;             /* vertices, 40 bytes each; tests lower it */
  program feedback, compute; /* skin.vert and skin.comp */
} preskin;

/* Finds the skinning stages that the context supports, and the best for a GPU or a software rasteriser. The renderer
 * makes and destroys the programs. */
void preskin_start(preskin *made, bool software);

/* Skins as many of a list's calls as fit before the passes. Needs a complete framebuffer to be bound, although nothing
 * is drawn into it, because a context without a surface has none. */
void preskin_run(const preskin *used, draw_list *list);

#endif
