/* Places the names of samples so that they cover neither each other nor another sample. */
#include "host/graph/graph_sheet.h"
#include "math/elementary.h"

#include <math.h>

enum { PLACES = 8 };

static float overlap(const float a[4], const float b[4]) {
  float width = fminf(a[2], b[2]) - fmaxf(a[0], b[0]), height = fminf(a[3], b[3]) - fmaxf(a[1], b[1]);
  return width > 0 && height > 0 ? width * height : 0;
}

static void put(float box[4], float left, float top, float width, float height) {
  box[0] = left, box[1] = top, box[2] = left + width, box[3] = top + height;
}

/* Proposes a place beside, above or below the sample; on a line, its neighbours are beside it. */
static void propose(const graph_plot *p, const graph_label *l, int place, float box[4]) {
  static const int order[2][PLACES] = {{2, 3, 6, 7, 4, 5, 0, 1}, {0, 1, 2, 3, 4, 5, 6, 7}};
  float width, height, gap = l->radius + 3 * p->sheet->scale;
  ui_text_size(p->sheet->ui, UI_TEXT, l->text, &width, &height);
  float right = l->at[0] + gap, left = l->at[0] - gap - width, middle = l->at[0] - width / 2;
  float above = l->at[1] - gap - height, below = l->at[1] + gap, level = l->at[1] - height / 2;
  const float places[PLACES][2] = {{right, level}, {left, level}, {middle, above},          {middle, below},
                                   {right, above}, {left, above}, {middle, above - height}, {middle, below + height}};
  const float *at = places[order[p->plane ? 1 : 0][place]];
  float x = fminf(fmaxf(at[0], p->box[0]), fmaxf(p->box[2] - width, p->box[0]));
  float y = fminf(fmaxf(at[1], p->box[1]), fmaxf(p->box[3] - height, p->box[1]));
  put(box, x, y, width, height);
}

static float covered(const graph_label *labels, int count, int own, const float box[4]) {
  float sum = 0;
  for (int i = 0; i < count; i++) {
    const graph_label *l = labels + i;
    const float dot[4] = {l->at[0] - l->radius, l->at[1] - l->radius, l->at[0] + l->radius, l->at[1] + l->radius};
    if (i != own && l->is_shown) sum += overlap(box, l->box);
    sum += overlap(box, dot);
  }
  return sum;
}

/* Samples with a weight are always shown. */
static void place(const graph_plot *p, graph_label *labels, int count, int own) {
  graph_label *l = labels + own;
  float least = HUGE_VALF, box[4];
  for (int i = 0; i < PLACES && least > 0; i++) {
    propose(p, l, i, box);
    float sum = covered(labels, count, own, box);
    if (sum >= least) continue;
    least = sum;
    put(l->box, box[0], box[1], box[2] - box[0], box[3] - box[1]);
  }
  l->is_shown = least == 0 || l->weight > 0 || l->is_near;
}

/* The label under the mouse first, then the heaviest. */
static int next_of(const graph_label *labels, int count) {
  int best = -1;
  for (int i = 0; i < count; i++) {
    if (labels[i].is_placed) continue;
    bool first = best < 0 || (labels[i].is_near && !labels[best].is_near);
    if (first || (labels[i].is_near == labels[best].is_near && labels[i].weight > labels[best].weight)) best = i;
  }
  return best;
}

void graph_labels_place(const graph_plot *p, graph_label *labels, int count, const float mouse[2]) {
  for (int i = 0; i < count; i++) {
    graph_label *l = labels + i;
    l->is_near = float_hypot(mouse[0] - l->at[0], mouse[1] - l->at[1]) < 2 * l->radius;
    l->is_placed = l->is_shown = false;
  }
  for (int i; (i = next_of(labels, count)) >= 0;) {
    place(p, labels, count, i);
    labels[i].is_placed = true;
  }
}
