/* line_pass – draws coloured lines in the world, slightly over a pixel wide and soft at the edges. */
#ifndef SINEW_RENDER_LINE_PASS_H
#define SINEW_RENDER_LINE_PASS_H

#include "render/gl/program.h"

#include <sinew/render.h>

typedef struct line_pass {
  program shader; /* the renderer makes it, with all the others */
  GLuint vertex_array, buffer;
} line_pass;

bool line_pass_create(line_pass *made, sinew_error *error);
void line_pass_release(line_pass *made);

/* `hidden`: surfaces in front hide them; otherwise they show through everything. */
void line_pass_draw(const line_pass *pass, const sinew_line *lines, int count, bool hidden);

#endif
