#include "render/draw_budget.h"

#include "base/memory/memory.h"

#include <math.h>
#include <stdlib.h>

struct draw_weight {
  float distance;
  int meshes;
  double cost;
};

enum { PIXELS_PER_VERTEX = 32, LISTED = 64 };

static float covered(const draw_scale *scale, const bounds_box *box, float square) {
  float distance = bounds_distance(box, scale->camera);
  float pixels = 0.5f * square * scale->pixels_one / (distance * distance);
  return pixels < scale->pixels ? pixels : scale->pixels; /* also within the box */
}

double draw_cost_of_pixels(const draw_scale *scale, const bounds_box *box, bool seen, bool casts) {
  if (bounds_is_empty(box)) return LISTED;
  float diagonal = bounds_diagonal(box), part = scale->diagonal > 0 ? fminf(diagonal / scale->diagonal, 1) : 1;
  float pixels = seen ? covered(scale, box, diagonal * diagonal) : 0;
  if (casts) pixels += part * part * scale->texels;
  return LISTED + (double)(pixels / PIXELS_PER_VERTEX);
}

void draw_budget_begin(draw_budget *b, double most) {
  b->most = most > 0 ? most : HUGE_VAL;
  b->spent = 0;
  b->left_out = b->count = 0;
  b->end = INFINITY;
}

bool draw_budget_add(draw_budget *b, const draw_scale *scale, const draw_source *s, const bounds_box *box) {
  draw_weight *w = array_grow((void **)&b->weights, &b->count, &b->capacity, sizeof *b->weights);
  if (!w) return false;
  const sinew_gpu_model *model = s->model;
  *w = (draw_weight){bounds_distance(box, scale->camera), model->mesh_count,
                     (double)model->cost + (double)model->mesh_count * LISTED +
                         draw_cost_of_pixels(scale, box, true, false)};
  return true;
}

static int compare_distances(const void *left, const void *right) {
  const draw_weight *a = left, *b = right;
  return (a->distance > b->distance) - (a->distance < b->distance);
}

/* The nearest character is never left out as a whole. */
void draw_budget_cut(draw_budget *b) {
  double sum = 0;
  for (int i = 0; i < b->count; i++) sum += b->weights[i].cost;
  if (sum <= b->most || b->count < 2) return;
  qsort(b->weights, (size_t)b->count, sizeof *b->weights, compare_distances);
  b->end = b->weights[0].distance;
  sum = b->weights[0].cost;
  for (int i = 1; i < b->count && (sum += b->weights[i].cost) <= b->most; i++) b->end = b->weights[i].distance;
}

bool draw_budget_take(draw_budget *b, double cost) {
  bool fits = b->spent + cost <= b->most;
  if (fits) b->spent += cost;
  else b->left_out++;
  return fits;
}

void draw_budget_release(draw_budget *b) {
  mem_free(b->weights);
  *b = (draw_budget){0};
}
