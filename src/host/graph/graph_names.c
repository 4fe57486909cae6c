#include "base/text.h"
#include "host/graph/graph_sheet.h"

#include <sinew/graph.h>

const char *graph_kind_name(sinew_node_kind kind) {
  static const char *const names[] = {"clip", "blend", "space", "space", "switch", "machine"};
  return names[kind];
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

void graph_node_label(const sinew_stage *stage, sinew_actor actor, int layer, int node, char *out, size_t size) {
  char name[128];
  sinew_node_def n = {.kind = SINEW_NODE_CLIP};
  const sinew_model *model = sinew_actor_model(stage, actor);
  graph_node_name(stage, actor, layer, node, name, sizeof name);
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

bool graph_transition_name(const sinew_stage *stage, sinew_actor actor, int layer, int transition, const char *arrow,
                           char *out, size_t size) {
  char from[256] = "*", to[256];
  sinew_transition_def t;
  int machine = machine_of(stage, actor, layer, transition);
  if (machine < 0 || !sinew_actor_transition_def(stage, actor, layer, transition, &t)) return false;
  if (t.from >= 0) graph_state_name(stage, actor, layer, machine, t.from, from, sizeof from);
  graph_state_name(stage, actor, layer, machine, t.to, to, sizeof to);
  text_format(out, size, "%s%s%s", from, arrow, to);
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
  graph_node_name(s->stage, s->actor, s->layer, node, out, GRAPH_NAME);
}
