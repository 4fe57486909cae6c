/* Seeks a clip of a graph, or all active clips; the clips in sync with it follow. */
#include "actor/stage.h"

#include <math.h>
#include <string.h>

typedef struct seek {
  graph_inputs *inputs; /* NULL: no sync group has a name */
  graph *graph;
  int node;    /* −1: every active clip */
  double time; /* seconds; for every active clip, a phase */
  bool found;
} seek;

static bool leads_to(const graph *g, int node, int below) {
  while (below > node) below = g->parents[below];
  return below == node;
}

/* Restarts the group at the clip that was sought. */
static void restart_group(const seek *s, const sinew_node_def *n, sync_phase *own) {
  sync_phase *phase = n->sync_group && s->inputs ? sync_group_find(s->inputs->groups, n->sync_group) : own;
  if (n->sync && phase) phase->intervals = 0;
}

static void seek_node(seek *s, int node, void *state) {
  const graph *g = s->graph;
  const sinew_node_def *n = g->nodes + node;
  if (s->node >= 0 && !leads_to(g, node, s->node)) return;
  if (n->kind == SINEW_NODE_CLIP) {
    playback *p = state;
    playback_seek(p, s->node >= 0 ? s->time : p->begin + s->time * p->duration);
    p->sought = s->found = true;
  } else if (n->kind >= SINEW_NODE_SWITCH) {
    machine_state *m = state;
    restart_group(s, n, &m->sync);
    for (int i = 0; i < m->count; i++)
      seek_node(s, n->first_child + m->entries[i].state, machine_slot(g, node, m, m->entries[i].slot));
  } else {
    restart_group(s, n, &((space_state *)state)->sync);
    for (int c = n->first_child; c < n->first_child + n->child_count; c++) seek_node(s, c, node_child(g, state, c));
  }
}

void graph_seek_phase(graph *g, double phase) {
  seek_node(&(seek){.graph = g, .node = -1, .time = phase}, 0, g->state);
}

bool sinew_actor_seek_node(sinew_stage *stage, sinew_actor id, int index, int node, double time) {
  actor *a = stage_open(stage, id);
  graph *g = a && index >= 0 && index < a->layer_count ? a->layers[index].graph : NULL;
  if (!g || node < 0 || node >= g->node_count || !isfinite(time)) return false;
  seek s = {a->inputs, g, node, time, false};
  if (g->nodes[node].kind == SINEW_NODE_CLIP) seek_node(&s, 0, g->state);
  return s.found;
}
