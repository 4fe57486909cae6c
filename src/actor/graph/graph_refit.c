/* Clips of a graph that continue with changed options: another part, another loop mode, another model. */
#include "actor/graph/graph.h"
#include "model/model.h"

#include <math.h>

void graph_refit_clip(playback *p, const playback *was, const sinew_node_def *def, double clip_duration) {
  *p = *was;
  playback_set_loop(p, def->loop, def->loop_count);
  p->cycles = def->cycles;
  playback_set_part(p, clip_duration, def->from, def->to);
}

/* ---- another model ---- */

typedef struct move {
  graph *graph;
  const sinew_model *from, *to;
  const int *clips;
} move;

static void move_node(const move *m, int node, void *state) {
  graph *g = m->graph;
  const sinew_node_def *n = g->nodes + node;
  if (n->kind == SINEW_NODE_CLIP) {
    int clip = n->clip >= 0 ? m->clips[n->clip] : -1;
    if (clip >= 0) playback_move(state, m->from->clips[n->clip].duration, m->to->clips[clip].duration);
  } else if (n->kind >= SINEW_NODE_SWITCH) {
    machine_state *machine = state;
    for (int i = 0; i < machine->count; i++)
      move_node(m, n->first_child + machine->entries[i].state, machine_slot(g, node, state, machine->entries[i].slot));
  } else {
    for (int c = n->first_child; c < n->first_child + n->child_count; c++) move_node(m, c, node_child(g, state, c));
  }
}

bool graph_move(graph *g, const sinew_model *from, const sinew_model *to, const int *clips) {
  bool whole = true;
  move_node(&(move){g, from, to, clips}, 0, g->state);
  for (int i = 0; i < g->node_count; i++) {
    sinew_node_def *n = g->nodes + i;
    if (n->kind != SINEW_NODE_CLIP) continue;
    n->clip = n->clip >= 0 ? clips[n->clip] : -1;
    whole = whole && n->clip >= 0;
  }
  return whole;
}
