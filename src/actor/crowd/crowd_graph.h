/* crowd_graph – the graph of a crowd, which each character runs on its own. The definition is shared; a character owns
 * the state of its nodes, and nothing else. In an update its clips go into the slots, from where they are evaluated. */
#ifndef SINEW_ACTOR_CROWD_GRAPH_H
#define SINEW_ACTOR_CROWD_GRAPH_H

#include "actor/graph/graph.h"
#include "base/memory/block.h"

#include <sinew/crowd.h>

enum { CROWD_GRAPH_PARAMS = 64 };

typedef struct crowd_graphs {
  graph *shared;         /* NULL: the program says what plays */
  unsigned char *states; /* of each character: its nodes' state and their weights */
  size_t state_size;     /* bytes from one character to the next */
  uint8_t *begun; /* of each character: its time has advanced; until then it starts with the state that its parameters
                     select */
  double *sought; /* of each character: a phase that its clips jump to in the next update, or NAN */
} crowd_graphs;

/* The error message if a crowd cannot run the definition, or NULL. It has passed sinew_graph_check. */
const char *crowd_graph_check(const sinew_graph_def *def);
/* Allocates memory for `count` characters; `shared` is set. */
void crowd_graph_lay_out(block *b, crowd_graphs *g, size_t characters);
void crowd_graph_fill(const crowd_graphs *g, int characters);
bool crowd_graph_is_synced(const crowd_graphs *g);

/* The input of a character's step. */
typedef struct crowd_graph_view {
  const sinew_model *model;
  const marker_table *markers;
  model_gait *gait; /* or NULL; each clip is known */
  const sinew_crowd_characters *characters;
} crowd_graph_view;

/* Decides, moves the clocks, and puts the heaviest clips into the slots, the heaviest first. `shown` gets the instance
 * of each slot, or is NULL. */
void crowd_graph_advance(const crowd_graphs *g, const crowd_graph_view *view, int character, double dt,
                         clip_instance *shown);
bool crowd_machine_state(const crowd_graphs *g, int character, int node, sinew_machine_state *out);

/* The characters that are replaced. Clip k of their model is clip `clips[k]` of the new model, or −1. */
typedef struct crowd_graph_old {
  const crowd_graphs *graph;
  const crowd_graph_view *view;
  const int *clips;
} crowd_graph_old;

/* The new characters continue what the old ones play, in a graph or in slots. */
void crowd_graph_take_over(const crowd_graphs *g, const crowd_graph_view *view, const crowd_graph_old *old, int count);

#endif
