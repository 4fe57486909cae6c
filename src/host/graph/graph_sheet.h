/* graph_sheet – the data that the parts of a graph's drawing share. */
#ifndef SINEW_HOST_GRAPH_SHEET_H
#define SINEW_HOST_GRAPH_SHEET_H

#include "actor/graph/blend_space.h"
#include "host/host.h"

#include <sinew/graph.h>
#include <sinew/playing.h>

enum { GRAPH_NAME = 96, GRAPH_LINE = 256, GRAPH_POINT = -1 /* graph_panel.held */ };

typedef struct graph_sheet {
  sinew_host *host;
  ui *ui;
  sinew_stage *stage;
  sinew_actor actor;
  int layer;
  float scale, line; /* the height of a line of text */
} graph_sheet;

/* ---- graph_tree.c ---- */

/* From grey to orange, by the weight. */
uint32_t graph_weight_color(float weight, float alpha);
uint32_t graph_grey(int level);
/* The name of a node of the graph that is drawn. */
void graph_sheet_name(const graph_sheet *s, int node, char out[GRAPH_NAME]);

/* ---- graph_tree.c: the nodes, from the root at the left to the clips at the right; a click chooses one ---- */
void graph_tree_draw(const graph_sheet *s, float width);

/* ---- state_machine_view.c: the present state, and the conditions of the transitions out of it ---- */
void state_machine_draw(const graph_sheet *s, int node);

/* ---- graph_space_view.c: samples on a line or in a plane, and the present parameters ---- */

typedef struct graph_plot {
  const graph_sheet *sheet;
  sinew_node_def node;
  int index;    /* of the node */
  bool plane;   /* or a line */
  float box[4]; /* pixels */
  double low[2], high[2];
  space_point samples[SPACE_SAMPLES];
} graph_plot;

void graph_space_draw(const graph_sheet *s, int node);

/* ---- graph_tree.c: the samples' names ---- */

typedef struct graph_label {
  char text[GRAPH_NAME + 16];
  float at[2], radius; /* of the sample, pixels */
  float weight;
  float box[4]; /* the text's box, if it is shown */
  bool is_near, is_placed, is_shown;
} graph_label;

/* A label without room shows only while the mouse is at its sample; labels of samples with a weight always show. */
void graph_labels_place(const graph_plot *p, graph_label *labels, int count, const float mouse[2]);

#endif
