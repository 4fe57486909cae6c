/* graph_panel – draws a graph: its nodes with their weights, and beside them the chosen node, as the transitions out of
 * a state or as a blend space. */
#ifndef SINEW_HOST_GRAPH_PANEL_H
#define SINEW_HOST_GRAPH_PANEL_H

#include <sinew/graph.h>
#include <sinew/host.h>

typedef struct graph_panel {
  sinew_actor actor; /* the one that was shown last */
  int layer;
  int node; /* the chosen one */
  /* A drag in a blend space: the sample, from 1 on, or the point (−1), and the range of the plot meanwhile. */
  int held;
  double low[2], high[2];
  /* Whose parameters are pinned by it, and which. */
  sinew_actor pinned_actor;
  int pinned[2], pinned_count;
  float travelled[2];        /* on the treadmill, to the left and ahead, metres up to the next line */
  struct space_slide *slide; /* of the space that was shown last; NULL: none yet */
} graph_panel;

void graph_panel_release(graph_panel *panel);
/* Between the application's update and the evaluation. */
void graph_panel_draw(sinew_host *host);

/* After the evaluation: the ground that passes under an actor whose velocity is pinned, as lines. */
void graph_treadmill_draw(sinew_host *host);
/* That velocity in metres a second, to the left and ahead of the actor: by the names that actor:motor gives its
 * parameters, else by the clips of the pinned space. False: there is none. */
bool graph_treadmill_velocity(const sinew_host *host, float out[2]);

/* The title of a node: its key, a clip by its name, another by its kind and index. */
void graph_node_name(const sinew_stage *stage, sinew_actor actor, int layer, int node, char *out, size_t size);
/* A state of a machine; −1: "rest". */
void graph_state_name(const sinew_stage *stage, sinew_actor actor, int layer, int machine, int state, char *out,
                      size_t size);
const char *graph_kind_name(sinew_node_kind kind);

#endif
