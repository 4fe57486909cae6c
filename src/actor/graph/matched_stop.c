/* The distance that a stop covers. A transition to it waits until the actor has no farther to go, since feet slide for
 * as long as the actor is farther from its stop than any moment of the clip. */
#include "actor/graph/graph.h"
#include "actor/sync/gait.h"
#include "model/model.h"

#include <math.h>

static void measure_clip(const graph_frame *f, int clip, const sinew_node_def *matched, graph_stop *stop) {
  const clip_course *course = course_of(f->gait, clip);
  double covers = course_travelled(course, 1, 1);
  if (!(covers > stop->covers)) return;
  stop->covers = covers;
  stop->left = fmax(f->params[matched->match_param], 0) / f->scale;
}

/* `matched`: the node, here or above, whose match counts; or NULL. */
static void measure(const graph_frame *f, int node, const sinew_node_def *matched, graph_stop *stop) {
  const sinew_node_def *n = f->graph->nodes + node;
  int first = 0, last = n->child_count - 1;
  if (n->match == SINEW_MATCH_TO_STOP) matched = n;
  if (n->kind == SINEW_NODE_CLIP && matched && n->clip >= 0) measure_clip(f, n->clip, matched, stop);
  if (n->kind == SINEW_NODE_SWITCH) first = last = switch_child(n, f->params);
  if (n->kind == SINEW_NODE_MACHINE) first = last = n->start;
  for (int i = first; i <= last; i++) measure(f, n->first_child + i, matched, stop);
}

bool graph_waits_for_stop(const graph_frame *f, int node, const sinew_transition_def *t, graph_stop *stop) {
  *stop = (graph_stop){0, 0};
  if (!f->graph->stops || t->event || !isnan(t->before_end)) return false;
  measure(f, f->graph->nodes[node].first_child + t->to, NULL, stop);
  return stop->left > stop->covers;
}
