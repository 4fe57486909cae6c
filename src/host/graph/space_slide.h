/* space_slide – measures how fast planted feet slide in a blend space whose parameters are velocities: for each cell of
 * the range of its samples, the 95th percentile of the speed of planted balls of the feet, as a fraction of the
 * character's speed. A separate stage walks a copy through the cells, some with each call, without modifiers, so that
 * only the clips count. docs/images/scenes/slide.lua measures the same in Lua. */
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

/* Measures for this many seconds of processor time, and starts again if the space has changed. NULL when memory runs
 * out. `s`, which may be NULL, is returned or released. */
space_slide *space_slide_measure(space_slide *s, const slide_space *space, double seconds);
void space_slide_release(space_slide *s);

/* A sentence that says why nothing can be measured; NULL: it can. */
const char *space_slide_problem(const space_slide *s);
/* The range of parameters that the cells cover. */
void space_slide_range(const space_slide *s, double low[2], double high[2]);
/* SLIDE_COLUMNS in a plane, 1 on a line. */
int space_slide_rows(const space_slide *s);
/* The slide in a cell; NAN if it is not known yet, or no clip reaches it. */
double space_slide_fraction(const space_slide *s, int column, int row);
/* The slide in the cell of a position. */
double space_slide_at(const space_slide *s, double x, double y);

#endif
