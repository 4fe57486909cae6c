/* The values of a graph's nodes and transitions in the inspector, folded away until they are opened. */
#include "base/text.h"
#include "host/host.h"
#include "host/panels/inspector.h"

#include <sinew/graph.h>

static void draw(sinew_host *host, const char *label, const sinew_edit *of, const char *thing) {
  char actor[LUA_TEXT], lua[2 * LUA_TEXT];
  lua_actor(actor, sinew_actor_name(host->stage, of->actor));
  lua_format(lua, sizeof lua, "%s graph, %s", actor, thing);
  controls_draw_tree(host, label, of, lua);
}

void graph_fields_draw(sinew_host *host, sinew_actor actor, int layer, int node, const char *name) {
  draw(host, "values", &(sinew_edit){.kind = SINEW_EDIT_NODE, .actor = actor, .layer = layer, .index = node}, name);
}

void graph_fields_draw_ways(sinew_host *host, sinew_actor actor, int layer, int node) {
  sinew_node_def machine;
  if (!sinew_actor_node(host->stage, actor, layer, node, &machine)) return;
  for (int i = 0; i < machine.transition_count; i++) {
    char from[64] = "*", to[64], label[160];
    sinew_transition_def transition;
    sinew_edit of = {
        .kind = SINEW_EDIT_TRANSITION, .actor = actor, .layer = layer, .index = machine.first_transition + i};
    if (!sinew_actor_transition_def(host->stage, actor, layer, of.index, &transition)) continue;
    if (transition.from >= 0) graph_state_name(host->stage, actor, layer, node, transition.from, from, sizeof from);
    graph_state_name(host->stage, actor, layer, node, transition.to, to, sizeof to);
    text_format(label, sizeof label, "%s → %s", from, to);
    draw(host, label, &of, label);
  }
}
