/* Dragging in a blend space. The point pins its parameters until Esc. A sample moves in the running graph, and is
 * written into the script when it is released. */
#include "base/text.h"
#include "host/edit/change.h"
#include "host/graph/graph_sheet.h"

#include <math.h>
#include <string.h>

static float distance(const float a[2], const float b[2]) { return hypotf(a[0] - b[0], a[1] - b[1]); }

/* The sample under the mouse, from 1 on, unless the point is equally near; else the point, which moves to the mouse. */
static int find_held(const graph_plot *p, const float mouse[2]) {
  double value[2];
  float at[2], nearest = 10 * p->sheet->scale;
  int held = GRAPH_POINT;
  graph_plot_point(p, value);
  graph_plot_pixels(p, value[0], value[1], at);
  nearest = fminf(nearest, distance(at, mouse));
  for (int i = 0; i < p->node.child_count; i++) {
    graph_plot_pixels(p, p->samples[i].x, p->samples[i].y, at);
    if (distance(at, mouse) < nearest) nearest = distance(at, mouse), held = i + 1;
  }
  return held;
}

/* Rounds to a decimal about as fine as a pixel, so that the script stays readable. */
static double rounded(double value, double range, float pixels) {
  double unit = pow(10, floor(log10(range / (double)pixels)));
  return unit > 0 && isfinite(unit) ? round(value / unit) * unit : value;
}

static void find_value(const graph_plot *p, const float mouse[2], double out[2]) {
  const float *box = p->box;
  double range[2] = {p->high[0] - p->low[0], p->high[1] - p->low[1]};
  float u = (mouse[0] - box[0]) / (box[2] - box[0]), v = (box[3] - mouse[1]) / (box[3] - box[1]);
  out[0] = rounded(p->low[0] + (double)fminf(fmaxf(u, 0), 1) * range[0], range[0], box[2] - box[0]);
  out[1] = p->plane ? rounded(p->low[1] + (double)fminf(fmaxf(v, 0), 1) * range[1], range[1], box[3] - box[1]) : 0;
}

static void begin(const graph_plot *p, const float mouse[2]) {
  graph_panel *panel = &p->sheet->host->graph;
  bool inside = mouse[1] >= p->box[1] && mouse[0] >= p->box[0] && mouse[0] <= p->box[2] && mouse[1] <= p->box[3];
  if (!inside) return;
  memcpy(panel->low, p->low, sizeof p->low);
  memcpy(panel->high, p->high, sizeof p->high);
  panel->held = find_held(p, mouse);
}

static void pin_param(const graph_sheet *s, const char *name, const double *value) {
  char field[RECORDED_NAME];
  text_format(field, sizeof field, "pins.%s", name);
  change_make(s->host, &(sinew_edit){.kind = SINEW_EDIT_ACTOR, .actor = s->actor, .field = field}, value, 1);
}

/* Only one space's parameters are pinned at a time. */
static void pin(const graph_plot *p, const double at[2]) {
  const graph_sheet *s = p->sheet;
  graph_panel *panel = &s->host->graph;
  const int params[2] = {p->node.param_x, p->node.param_y};
  bool same = panel->pinned_actor.id == s->actor.id && panel->pinned_count == 1 + p->plane;
  for (int k = 0; k <= p->plane; k++) same = same && panel->pinned[k] == params[k];
  if (!same) change_unpin(s->host);
  for (int k = 0; k <= p->plane; k++) pin_param(s, sinew_actor_param_name(s->stage, s->actor, params[k]), at + k);
}

static void move(const graph_plot *p, const float mouse[2]) {
  const graph_sheet *s = p->sheet;
  double at[2];
  int held = s->host->graph.held;
  find_value(p, mouse, at);
  const sinew_edit sample = {.kind = SINEW_EDIT_SAMPLE,
                             .actor = s->actor,
                             .layer = s->layer,
                             .index = p->node.first_child + held - 1,
                             .field = "place"};
  if (held == GRAPH_POINT) pin(p, at);
  else if (held <= p->node.child_count) change_make(s->host, &sample, at, 2);
}

static void end(const graph_plot *p) {
  char answer[512];
  const graph_sheet *s = p->sheet;
  sinew_host *host = s->host;
  int sample = host->graph.held - 1;
  sinew_node_def now;
  host->graph.held = 0;
  if (sample < 0 || !host->app.write) return;
  int node = p->node.first_child + sample;
  if (!sinew_actor_node(s->stage, s->actor, s->layer, node, &now)) return;
  const sinew_edit edit = {.kind = SINEW_EDIT_SAMPLE,
                           .actor = s->actor,
                           .layer = s->layer,
                           .index = node,
                           .field = "sample",
                           .value = now.x,
                           .y = now.y};
  host->app.write(host->app.user, &edit, answer, sizeof answer);
  sinew_host_toast(host, answer);
}

void graph_space_drag(const graph_plot *p, const ui_canvas *canvas) {
  const graph_panel *panel = &p->sheet->host->graph;
  if (canvas->pressed) begin(p, canvas->mouse);
  if (panel->held && canvas->held) move(p, canvas->mouse);
  if (panel->held && !canvas->held) end(p);
}
