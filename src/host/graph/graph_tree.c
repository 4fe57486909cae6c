/* The nodes as boxes in columns, with links that brighten with their weight, and transitions as arrows between states.
 * */
#include "base/text.h"
#include "host/graph/graph_panel.h"
#include "host/graph/graph_sheet.h"
#include "math/elementary.h"

#include <math.h>
#include <sinew/graph.h>
#include <string.h>

enum { MOST = 256 };
/* At a scale of 1. */
static const float narrowest = 128, widest = 200, column_gap = 46, row_gap = 5, edge = 6;

typedef struct placed {
  int node, parent; /* parent: its index here, or −1 */
  int column;
  float row;
} placed;

typedef struct plan {
  const graph_sheet *sheet;
  placed items[MOST];
  int count, rows, columns, left_out;
  float origin[2], box_width; /* pixels */
} plan;

static void node_of(const plan *p, int index, sinew_node_def *n) {
  const graph_sheet *s = p->sheet;
  sinew_actor_node(s->stage, s->actor, s->layer, p->items[index].node, n);
}

/* ---- where ---- */

/* Depth first, at most 16 levels deep: each clip has a row, and other nodes are centred on their children. */
static void place(plan *p, int node, int parent, int column) {
  sinew_node_def n;
  if (p->count == MOST) {
    p->left_out++;
    return;
  }
  int mine = p->count++, first = p->count;
  p->items[mine] = (placed){node, parent, column, 0};
  node_of(p, mine, &n);
  if (column >= p->columns) p->columns = column + 1;
  float low = 0, high = 0;
  for (int i = 0; i < n.child_count; i++) place(p, n.first_child + i, mine, column + 1);
  for (int i = first; i < p->count; i++) {
    if (p->items[i].parent != mine) continue;
    if (i == first) low = p->items[i].row;
    high = p->items[i].row;
  }
  p->items[mine].row = p->count == first ? (float)p->rows++ : (low + high) / 2;
}

static float row_height(const plan *p) { return p->sheet->line + row_gap * p->sheet->scale; }

static void box_of(const plan *p, int index, float box[4]) {
  const placed *item = p->items + index;
  float scale = p->sheet->scale;
  box[0] = p->origin[0] + edge * scale + (float)item->column * (p->box_width + column_gap * scale);
  box[1] = p->origin[1] + edge * scale + item->row * row_height(p);
  box[2] = box[0] + p->box_width;
  box[3] = box[1] + p->sheet->line + 3 * scale;
}

/* ---- links and arrows ---- */

static float normalized_weight(const plan *p, int index, sinew_playing *playing) {
  const graph_sheet *s = p->sheet;
  sinew_actor_node_playing(s->stage, s->actor, s->layer, p->items[index].node, playing);
  return playing->normalized_weight;
}

static void draw_link(const plan *p, int index) {
  float from[4], to[4], scale = p->sheet->scale;
  sinew_playing playing;
  float weight = normalized_weight(p, index, &playing);
  box_of(p, p->items[index].parent, from);
  box_of(p, index, to);
  float y0 = (from[1] + from[3]) / 2, y1 = (to[1] + to[3]) / 2, middle = (from[2] + to[0]) / 2;
  const float points[4][2] = {{from[2], y0}, {middle, y0}, {middle, y1}, {to[0], y1}};
  ui_canvas_curve(p->sheet->ui, points, graph_weight_color(weight, weight > 0 ? 1 : 0.4f), (1 + 2 * weight) * scale);
}

static void bezier(const float p[4][2], float t, float out[2]) {
  float u = 1 - t, w[4] = {u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t};
  for (int k = 0; k < 2; k++) out[k] = w[0] * p[0][k] + w[1] * p[1][k] + w[2] * p[2][k] + w[3] * p[3][k];
}

static int find_placed(const plan *p, int node) {
  for (int i = 0; i < p->count; i++)
    if (p->items[i].node == node) return i;
  return -1;
}

typedef struct arrow {
  float points[4][2]; /* it ends at the right of a state */
  uint32_t color;
  float thickness;
} arrow;

static void draw_arrow(const plan *p, const arrow *a) {
  const float *tip = a->points[3];
  float size = 5 * p->sheet->scale;
  ui_canvas_curve(p->sheet->ui, a->points, a->color, a->thickness);
  ui_canvas_triangle(p->sheet->ui,
                     (const float[3][2]){{tip[0], tip[1]},
                                         {tip[0] + size, tip[1] - size * 0.7f},
                                         {tip[0] + size, tip[1] + size * 0.7f}},
                     a->color);
}

/* Shapes an arrow between two states, bent to the right by their distance; for a transition from any state, a short
 * arrow. */
static void shape_arrow(const plan *p, int from, int to, arrow *a) {
  float start[4], end[4], scale = p->sheet->scale, quarter;
  box_of(p, to, end);
  quarter = (end[3] - end[1]) / 4;
  float y1 = end[1] + quarter, bend = 26 * scale;
  if (from < 0) {
    memcpy(a->points, (float[4][2]){{end[2] + bend, y1}, {end[2] + bend, y1}, {end[2], y1}, {end[2], y1}},
           sizeof a->points);
    return;
  }
  box_of(p, from, start);
  float y0 = start[3] - quarter;
  bend = fminf((14 + 7 * fabsf(p->items[from].row - p->items[to].row)) * scale, column_gap * 1.2f * scale);
  memcpy(a->points, (float[4][2]){{start[2], y0}, {start[2] + bend, y0}, {end[2] + bend, y1}, {end[2], y1}},
         sizeof a->points);
}

/* On the transition in progress, a dot moves along the arrow. */
static void draw_transition(const plan *p, int machine, const sinew_node_def *n, int transition) {
  const graph_sheet *s = p->sheet;
  sinew_transition_def t;
  sinew_transition_state now;
  if (!sinew_actor_transition_def(s->stage, s->actor, s->layer, transition, &t)) return;
  int from = t.from < 0 ? -1 : find_placed(p, n->first_child + t.from), to = find_placed(p, n->first_child + t.to);
  if (to < 0 || (from < 0 && t.from >= 0)) return;
  bool runs = sinew_actor_transition(s->stage, s->actor, s->layer, machine, &now) && now.to == t.to;
  runs = runs && (t.from < 0 || now.from == t.from);
  arrow a = {.color = runs ? ui_color(120, 200, 255, 1) : ui_color(120, 130, 145, 0.7f),
             .thickness = (runs ? 2.5f : 1.2f) * s->scale};
  shape_arrow(p, from, to, &a);
  draw_arrow(p, &a);
  float at[2];
  if (!runs) return;
  bezier((const float(*)[2])a.points, now.progress, at);
  ui_canvas_dot(s->ui, at, 4.5f * s->scale, ui_color(255, 255, 255, 1));
}

static void draw_transitions(const plan *p, int index) {
  sinew_node_def n;
  node_of(p, index, &n);
  if (n.kind != SINEW_NODE_MACHINE) return;
  for (int i = 0; i < n.transition_count; i++) draw_transition(p, p->items[index].node, &n, n.first_transition + i);
}

/* ---- boxes ---- */

/* Its normalised weight, preceded by a clip's time. */
static void say_numbers(const sinew_node_def *n, const sinew_playing *playing, char *out, size_t size) {
  double percent = (double)playing->normalized_weight * 100;
  if (!(playing->normalized_weight > 0)) out[0] = '\0';
  else if (n->kind == SINEW_NODE_CLIP) text_format(out, size, "%.2f s  %.0f %%", playing->time, percent);
  else text_format(out, size, "%.0f %%", percent);
}

static void draw_box(const plan *p, int index) {
  const graph_sheet *s = p->sheet;
  char name[GRAPH_NAME], numbers[64];
  sinew_node_def n;
  sinew_playing playing;
  float box[4], width, height, weight = normalized_weight(p, index, &playing), pad = 5 * s->scale;
  node_of(p, index, &n);
  box_of(p, index, box);
  graph_sheet_name(s, p->items[index].node, name);
  say_numbers(&n, &playing, numbers, sizeof numbers);
  ui_text_size(s->ui, UI_TEXT, numbers, &width, &height);
  ui_canvas_box(s->ui, box, ui_color(44, 50, 58, 1), 4 * s->scale);
  ui_canvas_box(s->ui, (float[4]){box[0], box[1], box[2], box[3]}, graph_weight_color(weight, 0.55f * weight),
                4 * s->scale);
  bool moves = weight > 0 && n.kind == SINEW_NODE_CLIP;
  float phase = moves ? (float)fmin(fmax(playing.phase, 0), 1) : 0;
  ui_canvas_box(s->ui, (float[4]){box[0], box[3] - 3 * s->scale, box[0] + phase * (box[2] - box[0]), box[3]},
                ui_color(242, 196, 120, 1), 0);
  float right = box[2] - pad - width;
  ui_canvas_text(s->ui, box[0] + pad, box[1], right - box[0] - 2 * pad, graph_grey(weight > 0 ? 245 : 165), name);
  if (numbers[0]) ui_canvas_text(s->ui, right, box[1], width + 1, graph_grey(225), numbers);
  if (p->items[index].node == s->host->graph.node) ui_canvas_frame(s->ui, box, ui_color(150, 214, 255, 1), s->scale);
}

static void click(const plan *p, const float mouse[2]) {
  for (int i = 0; i < p->count; i++) {
    float box[4];
    box_of(p, i, box);
    bool inside = mouse[0] >= box[0] && mouse[0] < box[2] && mouse[1] >= box[1] && mouse[1] < box[3];
    if (inside) p->sheet->host->graph.node = p->items[i].node, p->sheet->host->graph.held = 0;
  }
}

static void say_left_out(const plan *p) {
  char text[GRAPH_LINE];
  const graph_sheet *s = p->sheet;
  if (p->left_out == 0) return;
  text_format(text, sizeof text, "%d of the graph's nodes are drawn: there is no room for more", MOST);
  ui_canvas_text(s->ui, p->origin[0] + edge * s->scale, p->origin[1] + (float)p->rows * row_height(p), 1000 * s->scale,
                 ui_color(250, 204, 112, 1), text);
}

void graph_tree_draw(const graph_sheet *s, float width) {
  static plan p; /* 5 KB, of one thread */
  ui_canvas canvas;
  memset(&p, 0, sizeof p);
  p.sheet = s;
  place(&p, 0, -1, 0);
  float columns = (float)p.columns, gaps = (2 * edge + columns * column_gap) * s->scale; /* arrows at the last, too */
  p.box_width = fminf(fmaxf((width - gaps) / columns, narrowest * s->scale), widest * s->scale);
  float size[2] = {gaps + columns * p.box_width,
                   2 * edge * s->scale + (float)(p.rows + (p.left_out > 0)) * row_height(&p)};
  if (!ui_begin_canvas(s->ui, "nodes", width, size, &canvas)) return;
  memcpy(p.origin, canvas.box, sizeof p.origin);
  for (int i = 1; i < p.count; i++) draw_link(&p, i);
  for (int i = 0; i < p.count; i++) draw_transitions(&p, i);
  for (int i = 0; i < p.count; i++) draw_box(&p, i);
  if (canvas.pressed) click(&p, canvas.mouse);
  say_left_out(&p);
  ui_end_canvas(s->ui);
}

/* ---- graph names ---- */

const char *graph_kind_name(sinew_node_kind kind) {
  static const char *const names[] = {"clip", "blend", "space", "space", "switch", "machine"};
  return names[kind];
}

/* "Walk + Idle": the first two clips below. */
static void name_clips(const sinew_stage *stage, sinew_actor actor, int layer, const sinew_node_def *n, char *out,
                       size_t size) {
  const sinew_model *model = sinew_actor_model(stage, actor);
  size_t used = 0;
  out[0] = '\0';
  for (int i = 0, named = 0; i < n->child_count && named < 2; i++) {
    sinew_node_def child;
    if (!sinew_actor_node(stage, actor, layer, n->first_child + i, &child) || child.kind != SINEW_NODE_CLIP) continue;
    const char *clip = sinew_clip_name(sinew_model_clip(model, child.clip));
    int written = text_format(out + used, size - used, "%s%s", named++ ? " + " : "", clip);
    used = written > 0 && used + (size_t)written < size ? used + (size_t)written : size - 1;
  }
}

/* By what the scene calls it: the parameters of a space or a switch, the clips of a blend. */
static void name_inner(const sinew_stage *stage, sinew_actor actor, int layer, const sinew_node_def *n, char *out,
                       size_t size) {
  const char *x = sinew_actor_param_name(stage, actor, n->param_x),
             *y = sinew_actor_param_name(stage, actor, n->param_y);
  char clips[128];
  name_clips(stage, actor, layer, n, clips, sizeof clips);
  const char *kind = graph_kind_name(n->kind);
  if (n->kind == SINEW_NODE_SPACE_2D && x && y) text_format(out, size, "%s by %s, %s", kind, x, y);
  else if (n->kind != SINEW_NODE_SPACE_2D && x) text_format(out, size, "%s by %s", kind, x);
  else if (clips[0]) text_format(out, size, "%s of %s", kind, clips);
  else text_format(out, size, "%s", kind);
}

void graph_node_name(const sinew_stage *stage, sinew_actor actor, int layer, int node, char *out, size_t size) {
  sinew_node_def n;
  const sinew_model *model = sinew_actor_model(stage, actor);
  out[0] = '\0';
  if (!sinew_actor_node(stage, actor, layer, node, &n)) return;
  if (n.key) text_format(out, size, "%s", n.key);
  else if (n.kind == SINEW_NODE_CLIP) text_format(out, size, "%s", sinew_clip_name(sinew_model_clip(model, n.clip)));
  else text_format(out, size, "%s %d", graph_kind_name(n.kind), node);
}

/* For people. */
static void write_title(const sinew_stage *stage, sinew_actor actor, int layer, int node, char *out, size_t size) {
  sinew_node_def n;
  graph_node_name(stage, actor, layer, node, out, size);
  bool there = sinew_actor_node(stage, actor, layer, node, &n);
  if (there && !n.key && n.kind != SINEW_NODE_CLIP) name_inner(stage, actor, layer, &n, out, size);
}

void graph_node_label(const sinew_stage *stage, sinew_actor actor, int layer, int node, char *out, size_t size) {
  char name[128];
  sinew_node_def n = {.kind = SINEW_NODE_CLIP};
  const sinew_model *model = sinew_actor_model(stage, actor);
  write_title(stage, actor, layer, node, name, sizeof name);
  bool keyed = sinew_actor_node(stage, actor, layer, node, &n) && n.key;
  bool clip = n.kind == SINEW_NODE_CLIP;
  if (!keyed) text_format(out, size, "%s", name);
  else
    text_format(out, size, "%s (%s)", name,
                clip ? sinew_clip_name(sinew_model_clip(model, n.clip)) : graph_kind_name(n.kind));
}

/* The machine of a transition; −1: none. */
static int machine_of(const sinew_stage *stage, sinew_actor actor, int layer, int transition) {
  sinew_node_def n;
  for (int i = 0; sinew_actor_node(stage, actor, layer, i, &n); i++) {
    int position = transition - n.first_transition;
    if (n.kind == SINEW_NODE_MACHINE && position >= 0 && position < n.transition_count) return i;
  }
  return -1;
}

bool graph_transition_name(const sinew_stage *stage, sinew_actor actor, int layer, int transition, const char *between,
                           char *out, size_t size) {
  char from[256] = "*", to[256];
  sinew_transition_def t;
  int machine = machine_of(stage, actor, layer, transition);
  if (machine < 0 || !sinew_actor_transition_def(stage, actor, layer, transition, &t)) return false;
  if (t.from >= 0) graph_state_name(stage, actor, layer, machine, t.from, from, sizeof from);
  graph_state_name(stage, actor, layer, machine, t.to, to, sizeof to);
  text_format(out, size, "%s%s%s", from, between, to);
  return true;
}

void graph_state_name(const sinew_stage *stage, sinew_actor actor, int layer, int machine, int state, char *out,
                      size_t size) {
  sinew_node_def n, child;
  if (state < 0) text_format(out, size, "rest");
  else text_format(out, size, "%d", state);
  if (state < 0 || !sinew_actor_node(stage, actor, layer, machine, &n)) return;
  if (sinew_actor_node(stage, actor, layer, n.first_child + state, &child) && child.key)
    text_format(out, size, "%s", child.key);
}

/* ---- of what is drawn ---- */

uint32_t graph_weight_color(float weight, float alpha) {
  float w = weight > 0 ? weight < 1 ? weight : 1 : 0;
  return ui_color(92 + (int)(150 * w), 98 + (int)(68 * w), 108 - (int)(18 * w), alpha);
}

uint32_t graph_grey(int level) { return ui_color(level, level, level, 1); }

void graph_sheet_name(const graph_sheet *s, int node, char out[GRAPH_NAME]) {
  write_title(s->stage, s->actor, s->layer, node, out, GRAPH_NAME);
}

/* ---- Places the names of samples so that they cover neither each other nor another sample ---- */

enum { PLACES = 8 };

static float overlap(const float a[4], const float b[4]) {
  float width = fminf(a[2], b[2]) - fmaxf(a[0], b[0]), height = fminf(a[3], b[3]) - fmaxf(a[1], b[1]);
  return width > 0 && height > 0 ? width * height : 0;
}

static void put(float box[4], float left, float top, float width, float height) {
  box[0] = left, box[1] = top, box[2] = left + width, box[3] = top + height;
}

/* Proposes a place_label beside, above or below the sample; on a line, its neighbours are beside it. */
static void propose(const graph_plot *p, const graph_label *l, int place_label, float box[4]) {
  static const int order[2][PLACES] = {{2, 3, 6, 7, 4, 5, 0, 1}, {0, 1, 2, 3, 4, 5, 6, 7}};
  float width, height, gap = l->radius + 3 * p->sheet->scale;
  ui_text_size(p->sheet->ui, UI_TEXT, l->text, &width, &height);
  float right = l->at[0] + gap, left = l->at[0] - gap - width, middle = l->at[0] - width / 2;
  float above = l->at[1] - gap - height, below = l->at[1] + gap, level = l->at[1] - height / 2;
  const float places[PLACES][2] = {{right, level}, {left, level}, {middle, above},          {middle, below},
                                   {right, above}, {left, above}, {middle, above - height}, {middle, below + height}};
  const float *at = places[order[p->plane ? 1 : 0][place_label]];
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
static void place_label(const graph_plot *p, graph_label *labels, int count, int own) {
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
    place_label(p, labels, count, i);
    labels[i].is_placed = true;
  }
}
