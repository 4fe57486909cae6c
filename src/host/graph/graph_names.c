#include "base/text.h"
#include "host/graph/graph_panel.h"

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

void graph_state_name(const sinew_stage *stage, sinew_actor actor, int layer, int machine, int state, char *out,
                      size_t size) {
  sinew_node_def n, child;
  if (state < 0) text_format(out, size, "rest");
  else text_format(out, size, "%d", state);
  if (state < 0 || !sinew_actor_node(stage, actor, layer, machine, &n)) return;
  if (sinew_actor_node(stage, actor, layer, n.first_child + state, &child) && child.key)
    text_format(out, size, "%s", child.key);
}
