/* space_slide – measures how fast planted feet slide in a blend space whose parameters are velocities: for each cell of
 * what its samples span the 95th percentile of the speed of the balls of the feet that stand, as a fraction of the
 * speed of the character. A stage of its own walks a copy through the cells, some with each call, without modifiers:
 * what the clips bring about by themselves. docs/images/scenes/slide.lua measures the same in Lua. */
#ifndef SINEW_HOST_SPACE_SLIDE_H
#define SINEW_HOST_SPACE_SLIDE_H

#include <sinew/graph.h>

enum { SLIDE_COLUMNS = 15 };

/* A blend space in an actor's graph. */
typedef struct slide_space {
  const sinew_stage *stage;
  sinew_actor actor;
  int layer, node;
} slide_space;

typedef struct space_slide space_slide;

/* Goes on for this many seconds of processor time. A space that has changed begins again. NULL when memory runs out;
 * `s` may be NULL, and is kept or released. */
space_slide *space_slide_measure(space_slide *s, const slide_space *space, double seconds);
void space_slide_release(space_slide *s);

/* Why nothing can be measured, as a sentence; NULL: it can. */
const char *space_slide_problem(const space_slide *s);
/* The parameters that the cells cover. */
void space_slide_range(const space_slide *s, double low[2], double high[2]);
/* SLIDE_COLUMNS in a plane, 1 on a line. */
int space_slide_rows(const space_slide *s);
/* The slide in a cell; NAN where it is not known yet, or where no clip reaches. */
double space_slide_fraction(const space_slide *s, int column, int row);
/* The slide in the cell of a position. */
double space_slide_at(const space_slide *s, double x, double y);

#endif
