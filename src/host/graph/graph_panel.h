/* graph_panel – draws a graph: its nodes with their weights, and beside them the chosen node: the transitions of a
 * state machine, or a blend space. */
#ifndef SINEW_HOST_GRAPH_PANEL_H
#define SINEW_HOST_GRAPH_PANEL_H

#include <sinew/graph.h>
#include <sinew/host.h>

typedef struct graph_panel {
  sinew_actor actor; /* the one shown last */
  int layer;
  int node; /* the chosen one */
  /* What is dragged in a blend space: a sample, from 1 on, or the point (−1); and the range of the plot meanwhile. */
  int held;
  double low[2], high[2];
  /* The actor whose parameters the panel has pinned, and which. */
  sinew_actor pinned_actor;
  int pinned[2], pinned_count;
  float travelled[2];        /* by the treadmill, to the left and ahead, in metres since the last grid line */
  struct space_slide *slide; /* of the space shown last; NULL: none yet */
} graph_panel;

void graph_panel_release(graph_panel *panel);
/* Between the application's update and the evaluation. */
void graph_panel_draw(sinew_host *host);

/* After the evaluation, draws the lines of the ground that passes under an actor whose velocity is pinned. */
void graph_treadmill_draw(sinew_host *host);
/* That velocity in metres per second, to the left and ahead of the actor: from the parameter names that actor:motor
 * uses, else from the clips of the pinned space. False if there is none. */
bool graph_treadmill_velocity(const sinew_host *host, float out[2]);

/* The title of a node: its key, the name of a clip, or the kind and index. */
void graph_node_name(const sinew_stage *stage, sinew_actor actor, int layer, int node, char *out, size_t size);
/* The same, with the kind of a node that has a key. */
void graph_node_label(const sinew_stage *stage, sinew_actor actor, int layer, int node, char *out, size_t size);
/* "a -> b", with that arrow; from any state, "* -> b". False if there is no such transition. */
bool graph_transition_name(const sinew_stage *stage, sinew_actor actor, int layer, int transition, const char *arrow,
                           char *out, size_t size);
/* The name of a machine's state; −1: "rest". */
void graph_state_name(const sinew_stage *stage, sinew_actor actor, int layer, int machine, int state, char *out,
                      size_t size);
const char *graph_kind_name(sinew_node_kind kind);

#endif
