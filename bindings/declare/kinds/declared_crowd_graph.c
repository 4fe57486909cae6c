/* The graphs of crowds without states: weights are multiplied on the way down to at most four clips, for each member
 * separately. */
#include "declare/kinds/declared_crowd.h"

#include <math.h>
#include <string.h>

/* ---- making one ---- */

/* True for a node that follows its parameters at once and plays whole clips in a loop. */
static bool is_plain(const sinew_node_def *n, bool is_root) {
  bool whole = isnan(n->from) && isnan(n->to) && n->loop == SINEW_LOOP_FOREVER;
  return n->kind <= SINEW_NODE_SPACE_2D && (!n->sync || is_root) && n->match == SINEW_MATCH_TIME && !n->sync_group &&
         n->speed == 1 && n->smooth == 0 && whole;
}

bool crowd_graph_make(crowd_graph *graph, const sinew_node_def *nodes, int count) {
  *graph = (crowd_graph){0};
  if (count > CROWD_NODES) return false;
  int slots = 0;
  for (int i = 0; i < count; i++) {
    slots += nodes[i].kind == SINEW_NODE_CLIP;
    if (!is_plain(nodes + i, i == 0) || slots > SINEW_CROWD_SLOTS) return false;
  }
  for (int i = 0; i < count; i++) {
    graph->nodes[i] = nodes[i];
    graph->nodes[i].key = NULL; /* they are the script's */
    if (nodes[i].kind == SINEW_NODE_CLIP) graph->slots[graph->slot_count++] = i;
  }
  graph->node_count = count;
  return true;
}

graph_copy crowd_values_graph(const crowd_values *values) {
  if (values->own_graph) return *values->own_graph;
  return (graph_copy){.def = {.nodes = values->graph.nodes, .node_count = values->graph.node_count}};
}

bool crowd_graph_same_clips(const crowd_graph *a, const crowd_graph *b) {
  bool same = a->slot_count == b->slot_count && a->nodes[0].sync == b->nodes[0].sync;
  for (int s = 0; same && s < a->slot_count; s++) same = a->nodes[a->slots[s]].clip == b->nodes[b->slots[s]].clip;
  return same;
}

/* ---- weights ---- */

typedef struct weighing {
  const crowd_graph *graph;
  const float *params;
  size_t stride;
  float weights[CROWD_NODES];
} weighing;

static double param(const weighing *all, int index) { return (double)all->params[(size_t)index * all->stride]; }

static double own_weight(const weighing *all, const sinew_node_def *n) {
  return n->weight_param < 0 ? n->x : fmax(param(all, n->weight_param), 0);
}

static void divide_by_weight(weighing *all, const sinew_node_def *n, float weight) {
  double sum = 0;
  for (int i = 0; i < n->child_count; i++) sum += own_weight(all, all->graph->nodes + n->first_child + i);
  for (int i = 0; i < n->child_count && sum > 0; i++)
    all->weights[n->first_child + i] = weight * (float)(own_weight(all, all->graph->nodes + n->first_child + i) / sum);
}

/* Divides the weight between the nearest child below and the nearest above; beyond the ends one gets all of it. */
static void divide_by_position(weighing *all, const sinew_node_def *n, float weight) {
  double at = param(all, n->param_x);
  int below = -1, above = -1;
  const sinew_node_def *nodes = all->graph->nodes;
  for (int i = n->first_child; i < n->first_child + n->child_count; i++) {
    if (nodes[i].x <= at && (below < 0 || nodes[i].x > nodes[below].x)) below = i;
    if (nodes[i].x > at && (above < 0 || nodes[i].x < nodes[above].x)) above = i;
  }
  double up = below < 0 ? 1 : above < 0 ? 0 : (at - nodes[below].x) / (nodes[above].x - nodes[below].x);
  if (above >= 0) all->weights[above] = weight * (float)up;
  if (below >= 0) all->weights[below] = weight * (float)(1 - up);
}

static void divide_in_plane(weighing *all, const sinew_node_def *n, float weight) {
  float positions[2 * CROWD_NODES], weights[CROWD_NODES];
  for (int i = 0; i < n->child_count; i++) {
    positions[2 * i] = (float)all->graph->nodes[n->first_child + i].x;
    positions[2 * i + 1] = (float)all->graph->nodes[n->first_child + i].y;
  }
  if (!sinew_space_weights(positions, n->child_count, (float)param(all, n->param_x), (float)param(all, n->param_y),
                           weights))
    return;
  for (int i = 0; i < n->child_count; i++) all->weights[n->first_child + i] = weight * weights[i];
}

void crowd_graph_weigh(const crowd_graph *graph, const float *params, size_t stride, float *weights) {
  weighing all = {graph, params, stride, {1}};
  for (int i = 0; i < graph->node_count; i++) { /* children come after their parents */
    const sinew_node_def *n = graph->nodes + i;
    if (n->kind == SINEW_NODE_BLEND) divide_by_weight(&all, n, all.weights[i]);
    if (n->kind == SINEW_NODE_SPACE_1D) divide_by_position(&all, n, all.weights[i]);
    if (n->kind == SINEW_NODE_SPACE_2D) divide_in_plane(&all, n, all.weights[i]);
  }
  for (int s = 0; s < graph->slot_count; s++) weights[s] = all.weights[graph->slots[s]];
}
