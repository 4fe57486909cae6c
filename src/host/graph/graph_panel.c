#include "host/graph/graph_panel.h"

#include "base/text.h"
#include "host/graph/graph_sheet.h"
#include "host/graph/space_slide.h"

/* ---- which graph ---- */

enum { MOST = 64 };

typedef struct choice {
  sinew_actor actor;
  int layer;
  char name[2 * GRAPH_NAME];
} choice;

static int gather(const sinew_host *host, choice *choices) {
  const sinew_stage *stage = host->stage;
  int count = 0;
  for (int i = 0; i < sinew_stage_actor_count(stage); i++) {
    sinew_actor actor = sinew_stage_actor(stage, i);
    for (int layer = 0; layer < sinew_actor_layer_count(stage, actor) && count < MOST; layer++) {
      if (!sinew_actor_has_graph(stage, actor, layer)) continue;
      choice *c = choices + count++;
      c->actor = actor, c->layer = layer;
      text_format(c->name, sizeof c->name, "%s, %s", sinew_actor_name(stage, actor),
                  sinew_actor_layer_name(stage, actor, layer));
    }
  }
  return count;
}

/* The graph that was shown before; the first graph of the inspector's actor if that has changed. */
static int find_chosen(const sinew_host *host, const choice *choices, int count) {
  const graph_panel *panel = &host->graph;
  int chosen = -1;
  for (int i = 0; i < count; i++)
    if (choices[i].actor.id == panel->actor.id && choices[i].layer == panel->layer) chosen = i;
  for (int i = 0; i < count && chosen < 0; i++)
    if (choices[i].actor.id == host->inspector.actor.id) chosen = i;
  return chosen < 0 ? 0 : chosen;
}

/* The node chosen at first: the first machine or space from the root on, because it shows most. */
static int first_node(const sinew_host *host, const choice *c) {
  sinew_node_def n;
  for (int i = 0; sinew_actor_node(host->stage, c->actor, c->layer, i, &n); i++)
    if (n.kind != SINEW_NODE_CLIP && n.kind != SINEW_NODE_BLEND) return i;
  return 0;
}

static bool choose(sinew_host *host) {
  choice choices[MOST];
  const char *names[MOST];
  graph_panel *panel = &host->graph;
  int count = gather(host, choices), chosen = find_chosen(host, choices, count);
  for (int i = 0; i < count; i++) names[i] = choices[i].name;
  if (count == 0) return false;
  if (count > 1) ui_combo(host->ui, "graph", names, count, &chosen);
  const choice *c = choices + chosen;
  bool same = panel->actor.id == c->actor.id && panel->layer == c->layer;
  same = same && panel->node < sinew_actor_node_count(host->stage, c->actor, c->layer);
  if (!same) panel->actor = c->actor, panel->layer = c->layer, panel->node = first_node(host, c), panel->held = 0;
  return true;
}

/* ---- the panel ---- */

static void draw_clip(const graph_sheet *s, int node) {
  char name[GRAPH_NAME], text[GRAPH_LINE];
  sinew_playing playing;
  ui_canvas canvas;
  if (!ui_begin_canvas(s->ui, "about", 0, (float[2]){0, 0}, &canvas)) return;
  graph_sheet_name(s, node, name);
  float room = canvas.box[2] - canvas.box[0];
  ui_canvas_text(s->ui, canvas.box[0], canvas.box[1], room, graph_grey(235), name);
  bool plays = sinew_actor_node_playing(s->stage, s->actor, s->layer, node, &playing);
  text_format(text, sizeof text, "%.0f %%, %.2f s, phase %.2f, %.3g s per second",
              (double)playing.normalized_weight * 100, playing.time, playing.phase, playing.speed);
  ui_canvas_text(s->ui, canvas.box[0], canvas.box[1] + s->line, room, graph_grey(170), plays ? text : "does not play");
  ui_end_canvas(s->ui);
}

static void draw_about(const graph_sheet *s, int node) {
  sinew_node_def n;
  if (!sinew_actor_node(s->stage, s->actor, s->layer, node, &n)) return;
  if (n.kind == SINEW_NODE_MACHINE) state_machine_draw(s, node);
  else if (n.kind == SINEW_NODE_SPACE_1D || n.kind == SINEW_NODE_SPACE_2D) graph_space_draw(s, node);
  else draw_clip(s, node);
}

static void draw_sheet(sinew_host *host) {
  const graph_sheet sheet = {.host = host,
                             .ui = host->ui,
                             .stage = host->stage,
                             .actor = host->graph.actor,
                             .layer = host->graph.layer,
                             .scale = ui_scale(host->ui),
                             .line = ui_line_height(host->ui, UI_TEXT)};
  float room[4];
  ui_room(host->ui, room);
  graph_tree_draw(&sheet, (room[2] - room[0]) * 0.6f);
  ui_same_line(host->ui);
  draw_about(&sheet, host->graph.node);
}

void graph_panel_release(graph_panel *panel) {
  space_slide_release(panel->slide);
  *panel = (graph_panel){0};
}

/* Parameters stay pinned only while the panel is open. */
void graph_panel_draw(sinew_host *host) {
  if (!host->view.graph) change_unpin(host), host->graph.held = 0;
  if (!host->ui || !host->view.graph || !ui_begin_region(host->ui, UI_BOTTOM, "Graph", &host->view.graph)) return;
  if (choose(host)) draw_sheet(host);
  else ui_label(host->ui, "No actor has a graph.");
  ui_end_region(host->ui);
}
