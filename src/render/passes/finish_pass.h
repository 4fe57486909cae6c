/* finish_pass – makes the picture of the scene's light: glow around what is too bright, exposure, curve, encoding, and
 * smooth edges where there is one sample only. */
#ifndef SINEW_RENDER_FINISH_PASS_H
#define SINEW_RENDER_FINISH_PASS_H

#include "render/gl/program.h"
#include "render/gl/target.h"

#include <sinew/render.h>

enum { GLOW_LEVELS = 5 }; /* the first has a quarter of the picture's width and height, each other half of the last */

typedef struct glow_level {
  int width, height;
  GLuint texture, framebuffer;
} glow_level;

typedef struct finish_pass {
  program bright, spread, curve[SINEW_CURVE_COUNT], smooth; /* the renderer makes them, with all the others */
  GLuint empty_array;
  int width, height;
  bool smooths;
  GLuint sharp_texture, sharp; /* the picture before its edges are smoothed */
  glow_level glow[GLOW_LEVELS];
} finish_pass;

bool finish_pass_resize(finish_pass *made, int width, int height, bool smooths, sinew_error *error);
void finish_pass_release(finish_pass *made); /* but not its programs */

/* Draws the target's picture, and leaves its framebuffer bound. The block Frame is bound. */
void finish_pass_draw(const finish_pass *pass, const target *from, sinew_curve curve);

#endif
