/* A blend space: samples on a line or in a plane, sized by their weights, a cross at the parameters, and behind them a
 * map of foot slide. */
#include "base/text.h"
#include "host/edit/change.h"
#include "host/graph/graph_sheet.h"
#include "host/graph/space_slide.h"
#include "math/elementary.h"

#include <math.h>
#include <string.h>

/* Points outside the range are drawn at its edge. */
static void pixels_of(const graph_plot *p, double x, double y, float out[2]) {
  float u = (float)((x - p->low[0]) / (p->high[0] - p->low[0])),
        v = (float)((y - p->low[1]) / (p->high[1] - p->low[1]));
  out[0] = p->box[0] + fminf(fmaxf(u, 0), 1) * (p->box[2] - p->box[0]);
  out[1] = p->plane ? p->box[3] - fminf(fmaxf(v, 0), 1) * (p->box[3] - p->box[1]) : (p->box[1] + p->box[3]) / 2;
}

/* The range of the samples plus a tenth around them; in a plane, a unit of one axis is at most this many times longer
 * than one of the other. */
static const double stretch = 3;

static void find_range(graph_plot *p) {
  int count = p->node.child_count;
  for (int k = 0; k < 2; k++) p->low[k] = HUGE_VAL, p->high[k] = -HUGE_VAL;
  for (int i = 0; i < count; i++) {
    const double at[2] = {p->samples[i].x, p->plane ? p->samples[i].y : 0};
    for (int k = 0; k < 2; k++) p->low[k] = fmin(p->low[k], at[k]), p->high[k] = fmax(p->high[k], at[k]);
  }
  double pixels[2] = {(double)(p->box[2] - p->box[0]), (double)(p->box[3] - p->box[1])}, units[2];
  for (int k = 0; k < 2; k++) units[k] = 1.2 * (p->high[k] - p->low[k]) / fmax(pixels[k], 1);
  double least = fmax(units[0], units[1]) / stretch;
  for (int k = 0; k < 2; k++) {
    double middle = (p->low[k] + p->high[k]) / 2, half = fmax(units[k], least) * pixels[k] / 2;
    if (!(half > 0)) half = 1;
    p->low[k] = middle - half, p->high[k] = middle + half;
  }
}

/* ---- the map of foot slide ---- */

static const double slide_step = 0.02, measuring_seconds = 0.006;

/* Blue 0, green 2 %, yellow 4 %, red 6 % and more. */
static uint32_t slide_color(double fraction) {
  static const float colors[4][3] = {{13, 51, 115}, {26, 166, 140}, {242, 217, 64}, {230, 51, 26}};
  float at = fminf((float)(fraction / slide_step), 2.999f), mixed[3];
  int i = (int)at;
  for (int k = 0; k < 3; k++) mixed[k] = colors[i][k] + (at - (float)i) * (colors[i + 1][k] - colors[i][k]);
  return ui_color((int)mixed[0], (int)mixed[1], (int)mixed[2], 0.45f);
}

/* A dragged sample is measured when it is released. */
static const space_slide *measure_slide(const graph_plot *p) {
  graph_panel *panel = &p->sheet->host->graph;
  const slide_space space = {p->sheet->stage, p->sheet->actor, p->sheet->layer, p->index};
  if (panel->held <= 0) panel->slide = space_slide_measure(panel->slide, &space, measuring_seconds);
  return panel->slide;
}

static void draw_slide(const graph_plot *p, const space_slide *slide) {
  int rows = space_slide_rows(slide);
  double low[2], high[2];
  float from[2], to[2];
  space_slide_range(slide, low, high);
  pixels_of(p, low[0], low[1], from);
  pixels_of(p, high[0], high[1], to);
  if (!p->plane) from[1] = p->box[3], to[1] = p->box[1];
  float width = (to[0] - from[0]) / SLIDE_COLUMNS, height = (from[1] - to[1]) / (float)rows;
  for (int i = 0; i < rows * SLIDE_COLUMNS; i++) {
    int column = i % SLIDE_COLUMNS, row = i / SLIDE_COLUMNS;
    double fraction = space_slide_fraction(slide, column, row);
    if (isnan(fraction)) continue;
    float left = from[0] + (float)column * width, base = from[1] - (float)row * height;
    ui_canvas_box(p->sheet->ui, (float[4]){left, base - height, left + width, base}, slide_color(fraction), 0);
  }
}

/* ---- drawing ---- */

static void draw_cells(const graph_plot *p) {
  space_triangulation t;
  const uint32_t color = ui_color(90, 100, 112, 1);
  if (!p->plane) return;
  space_triangulate(p->samples, p->node.child_count, &t);
  for (int c = 0; c < t.cells; c++) {
    int first = t.first[c], count = t.first[c + 1] - first;
    for (int i = 0; i < count; i++) {
      const space_point *a = t.points + t.ring[first + i], *b = t.points + t.ring[first + (i + 1) % count];
      float from[2], to[2];
      pixels_of(p, a->x, a->y, from);
      pixels_of(p, b->x, b->y, to);
      ui_canvas_line(p->sheet->ui, from, to, color, p->sheet->scale);
    }
  }
}

static void draw_axes(const graph_plot *p) {
  float zero[2];
  const uint32_t color = ui_color(62, 68, 78, 1);
  pixels_of(p, 0, 0, zero);
  ui_canvas_line(p->sheet->ui, (float[2]){p->box[0], zero[1]}, (float[2]){p->box[2], zero[1]}, color, p->sheet->scale);
  ui_canvas_line(p->sheet->ui, (float[2]){zero[0], p->box[1]}, (float[2]){zero[0], p->box[3]}, color, p->sheet->scale);
}

static float weight_of(const graph_plot *p, int sample) {
  const graph_sheet *s = p->sheet;
  float weight = sinew_actor_node_weight(s->stage, s->actor, s->layer, p->node.first_child + sample);
  float whole = sinew_actor_node_weight(s->stage, s->actor, s->layer, p->index);
  return whole > 0 ? weight / whole : 0;
}

static void draw_sample(const graph_plot *p, int sample, graph_label *label) {
  const graph_sheet *s = p->sheet;
  char name[GRAPH_NAME], noted[GRAPH_NAME + 16];
  float weight = weight_of(p, sample), radius = (4 + 5 * weight) * s->scale, *at = label->at;
  pixels_of(p, p->samples[sample].x, p->samples[sample].y, at);
  ui_canvas_dot(s->ui, at, radius, graph_weight_color(weight, 1));
  graph_sheet_name(s, p->node.first_child + sample, name);
  text_format(label->text, sizeof label->text, "%s", name);
  if (weight > 0) text_format(label->text, sizeof label->text, "%s %.0f %%", name, (double)weight * 100);
  label->weight = weight, label->radius = radius;
  text_format(noted, sizeof noted, "sample %s", name);
  ui_canvas_note(s->ui, noted, (float[4]){at[0] - radius, at[1] - radius, at[0] + radius, at[1] + radius});
}

static void draw_samples(const graph_plot *p, const float mouse[2]) {
  static graph_label labels[SPACE_SAMPLES];
  int count = p->node.child_count < SPACE_SAMPLES ? p->node.child_count : SPACE_SAMPLES;
  for (int i = 0; i < count; i++) draw_sample(p, i, labels + i);
  graph_labels_place(p, labels, count, mouse);
  for (int i = 0; i < count; i++) {
    const graph_label *l = labels + i;
    const uint32_t color = graph_grey(l->weight > 0 ? 240 : 170);
    if (l->is_shown) ui_canvas_text(p->sheet->ui, l->box[0], l->box[1], l->box[2] - l->box[0] + 1, color, l->text);
  }
}

/* The position of the parameters that the graph sees; true if they are pinned. */
static bool point_of(const graph_plot *p, double at[2]) {
  const graph_sheet *s = p->sheet;
  bool pinned;
  at[0] = sinew_actor_seen_param(s->stage, s->actor, p->node.param_x, &pinned);
  at[1] = p->plane ? sinew_actor_seen_param(s->stage, s->actor, p->node.param_y, NULL) : 0;
  return pinned;
}

static void draw_point(const graph_plot *p) {
  const graph_sheet *s = p->sheet;
  double value[2];
  float at[2], r = 5 * s->scale;
  const uint32_t color = point_of(p, value) ? ui_color(120, 200, 255, 1) : ui_color(255, 255, 255, 1);
  pixels_of(p, value[0], value[1], at);
  ui_canvas_line(s->ui, (float[2]){at[0] - 2 * r, at[1]}, (float[2]){at[0] + 2 * r, at[1]}, color, s->scale);
  ui_canvas_line(s->ui, (float[2]){at[0], at[1] - 2 * r}, (float[2]){at[0], at[1] + 2 * r}, color, s->scale);
  ui_canvas_dot(s->ui, at, r, color);
  ui_canvas_note(s->ui, "point", (float[4]){at[0] - r, at[1] - r, at[0] + r, at[1] + r});
}

/* The slide at the point, or why it is not known. */
static void say_slide(const graph_plot *p, const space_slide *slide, float left, float top, float right) {
  double at[2];
  char text[GRAPH_LINE];
  point_of(p, at);
  double fraction = space_slide_at(slide, at[0], at[1]);
  const char *why = space_slide_problem(slide);
  if (why) text_format(text, sizeof text, "%s", why);
  else if (isnan(fraction)) return;
  else text_format(text, sizeof text, "slide %.1f %% of the speed", 100 * fraction);
  ui_canvas_text(p->sheet->ui, left, top, right - left, graph_grey(170), text);
}

/* Returns where the text ends. */
static float say_params(const graph_plot *p, float left, float top, float room) {
  const graph_sheet *s = p->sheet;
  char text[GRAPH_LINE];
  const int params[2] = {p->node.param_x, p->node.param_y};
  double value[2];
  bool pinned = point_of(p, value);
  int used = 0;
  for (int k = 0; k <= p->plane; k++)
    used += text_format(text + used, sizeof text - (size_t)used, "%s%s %s %.3g", k ? ", " : "", k ? "↑" : "→",
                        sinew_actor_param_name(s->stage, s->actor, params[k]), value[k]);
  if (pinned) text_format(text + used, sizeof text - (size_t)used, ", pinned: Esc frees");
  float width, height;
  ui_text_size(s->ui, UI_TEXT, text, &width, &height);
  ui_canvas_text(s->ui, left, top, room, pinned ? ui_color(150, 214, 255, 1) : graph_grey(235), text);
  return left + width;
}

/* ---- dragging: the point pins its parameters until Esc; a sample moves, and is written into the script when it is
 * released ---- */

static float distance(const float a[2], const float b[2]) { return float_hypot(a[0] - b[0], a[1] - b[1]); }

/* The sample under the mouse, from 1 on, unless the point is equally near; else the point, which moves to the mouse. */
static int find_held(const graph_plot *p, const float mouse[2]) {
  double value[2];
  float at[2], nearest = 10 * p->sheet->scale;
  int held = GRAPH_POINT;
  point_of(p, value);
  pixels_of(p, value[0], value[1], at);
  nearest = fminf(nearest, distance(at, mouse));
  for (int i = 0; i < p->node.child_count; i++) {
    pixels_of(p, p->samples[i].x, p->samples[i].y, at);
    if (distance(at, mouse) < nearest) nearest = distance(at, mouse), held = i + 1;
  }
  return held;
}

/* Rounds to a decimal about as fine as a pixel, so that the script stays readable. */
static double rounded(double value, double range, float pixels) {
  double unit = sinew_pow(10, floor(sinew_log10(range / (double)pixels)));
  return unit > 0 && isfinite(unit) ? round(value / unit) * unit : value;
}

static void find_value(const graph_plot *p, const float mouse[2], double out[2]) {
  const float *box = p->box;
  double range[2] = {p->high[0] - p->low[0], p->high[1] - p->low[1]};
  float u = (mouse[0] - box[0]) / (box[2] - box[0]), v = (box[3] - mouse[1]) / (box[3] - box[1]);
  out[0] = rounded(p->low[0] + (double)fminf(fmaxf(u, 0), 1) * range[0], range[0], box[2] - box[0]);
  out[1] = p->plane ? rounded(p->low[1] + (double)fminf(fmaxf(v, 0), 1) * range[1], range[1], box[3] - box[1]) : 0;
}

static void begin_drag(const graph_plot *p, const float mouse[2]) {
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

static void end_drag(const graph_plot *p) {
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

static void drag(const graph_plot *p, const ui_canvas *canvas) {
  const graph_panel *panel = &p->sheet->host->graph;
  if (canvas->pressed) begin_drag(p, canvas->mouse);
  if (panel->held && canvas->held) move(p, canvas->mouse);
  if (panel->held && !canvas->held) end_drag(p);
}

/* ---- all of it ---- */

static void find_samples(graph_plot *p) {
  for (int i = 0; i < p->node.child_count; i++) {
    sinew_node_def child;
    if (sinew_actor_node(p->sheet->stage, p->sheet->actor, p->sheet->layer, p->node.first_child + i, &child))
      p->samples[i] = (space_point){child.x, child.y};
  }
}

/* The range stays fixed while something is dragged. */
static void set_range(graph_plot *p) {
  graph_panel *panel = &p->sheet->host->graph;
  find_range(p);
  if (panel->held) memcpy(p->low, panel->low, sizeof p->low), memcpy(p->high, panel->high, sizeof p->high);
}

void graph_space_draw(const graph_sheet *s, int node) {
  graph_plot p = {.sheet = s, .index = node};
  ui_canvas canvas;
  sinew_actor_node(s->stage, s->actor, s->layer, node, &p.node);
  p.plane = p.node.kind == SINEW_NODE_SPACE_2D;
  find_samples(&p);
  if (!ui_begin_canvas(s->ui, "space", 0, (float[2]){0, 0}, &canvas)) return;
  float pad = 4 * s->scale;
  memcpy(p.box, (float[4]){canvas.box[0] + pad, canvas.box[1] + s->line, canvas.box[2] - pad, canvas.box[3] - pad},
         sizeof p.box);
  set_range(&p);
  drag(&p, &canvas);
  find_samples(&p);
  ui_canvas_box(s->ui, p.box, ui_color(26, 30, 36, 1), 4 * s->scale);
  const space_slide *slide = measure_slide(&p);
  if (slide) draw_slide(&p, slide);
  draw_axes(&p);
  draw_cells(&p);
  draw_samples(&p, canvas.mouse);
  draw_point(&p);
  float end = say_params(&p, canvas.box[0] + pad, canvas.box[1], canvas.box[2] - canvas.box[0]);
  if (slide) say_slide(&p, slide, end + s->line, canvas.box[1], canvas.box[2]);
  ui_end_canvas(s->ui);
}
