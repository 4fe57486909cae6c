/* overlay_pass – draws a user interface's triangles on top of the picture, blended in display space. */
#ifndef SINEW_RENDER_OVERLAY_PASS_H
#define SINEW_RENDER_OVERLAY_PASS_H

#include "render/gl/program.h"

#include <sinew/render.h>

enum { OVERLAY_MAX_TEXTURES = 64 };

typedef struct overlay_pass {
  program shader; /* the renderer makes it, with all the others */
  GLuint vertex_array, vertices, indices;
  GLuint textures[OVERLAY_MAX_TEXTURES]; /* 0 is the font */
  int texture_count;
} overlay_pass;

bool overlay_pass_create(overlay_pass *made, sinew_error *error);
void overlay_pass_release(overlay_pass *made);

/* False and an error message for a command that reads past its arrays or names a missing texture. */
bool overlay_check(const overlay_pass *pass, const sinew_overlay *overlay, sinew_error *error);
/* Draws a checked overlay into the bound framebuffer. */
void overlay_pass_draw(const overlay_pass *pass, const sinew_overlay *overlay, int width, int height);

/* ---- draws coloured lines in the world, slightly over a pixel wide and soft at the edges ---- */

typedef struct line_pass {
  program shader; /* the renderer makes it, with all the others */
  GLuint vertex_array, buffer;
} line_pass;

bool line_pass_create(line_pass *made, sinew_error *error);
void line_pass_release(line_pass *made);

/* `hidden`: surfaces in front hide them; otherwise they show through everything. */
void line_pass_draw(const line_pass *pass, const sinew_line *lines, int count, bool hidden);

#endif
