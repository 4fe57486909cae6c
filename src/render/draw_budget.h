/* draw_budget – what a picture may cost, counted in vertices. A mesh costs its vertices (or triangles, if those are
 * more) once for each instance, one more for each 32 pixels that its box may cover in the picture and in the shadow
 * map, and 64 for being listed; a draw call costs 2,048. Beyond the budget, characters are left out, the farthest
 * first, then meshes in the order of drawing. */
#ifndef SINEW_RENDER_DRAW_BUDGET_H
#define SINEW_RENDER_DRAW_BUDGET_H

#include "render/draw_source.h"

enum { DRAW_CALL_COST = 2048 };

/* What decides how many pixels a box covers. */
typedef struct draw_scale {
  sinew_vec3 camera;
  float pixels;     /* of the picture */
  float pixels_one; /* of a square metre that faces the camera one metre away */
  float texels;     /* of the shadow map; 0: there is none */
  float diagonal;   /* of everything that may be in it */
} draw_scale;

typedef struct draw_weight draw_weight;

typedef struct draw_budget {
  double most, spent; /* most 0: no limit */
  int left_out;       /* meshes */
  float end;          /* metres from the camera, beyond which characters are left out */
  draw_weight *weights;
  int count, capacity;
} draw_budget;

double draw_cost_of_pixels(const draw_scale *scale, const bounds_box *box, bool seen, bool casts);

/* Begins a picture; then adds each character, and finds `end`. */
void draw_budget_begin(draw_budget *b, double most);
bool draw_budget_add(draw_budget *b, const draw_scale *scale, const draw_source *s, const bounds_box *box);
void draw_budget_cut(draw_budget *b);

/* Takes a cost from the budget; false if it exceeds it: one more mesh is left out. */
bool draw_budget_take(draw_budget *b, double cost);

void draw_budget_release(draw_budget *b);

#endif
