/* The graphs of an actor's layers: setting, sending events, reading state. */
#include "actor/stage.h"
#include "base/error.h"
#include "base/memory/memory.h"

#include <math.h>
#include <string.h>

static layer *find_layer(const sinew_stage *stage, sinew_actor id, int index) {
  actor *a = stage_find(stage, id);
  return a && index >= 0 && index < a->layer_count ? a->layers + index : NULL;
}

/* ---- giving ---- */

static void take_away(actor *a, layer *l) {
  graph_destroy(l->graph);
  graph_destroy(l->held);
  l->graph = l->held = NULL;
  l->origin = 0;
  a->instances.count = 0;
  for (int i = 0; i < a->layer_count; i++) a->layers[i].instance_count = a->layers[i].graph_instances = 0;
}

static void see_actions(const sinew_stage *stage, const layer *l, graph_seen *seen) {
  for (int i = 0; i < l->action_count; i++) {
    const action *a = stage_find_action(stage, l->actions[i]);
    graph_seen_add(seen, a->asked.clip, action_strength(a), &a->playback);
  }
}

/* Collects the clips of a graph, of the layer's actions, and of the actions that it continues from. */
static graph_seen see(const sinew_stage *stage, const actor *a, const layer *l, const graph *old) {
  graph_seen seen = {.count = 0};
  if (old) graph_see(old, &seen);
  see_actions(stage, l, &seen);
  if (l->origin > 0 && l->origin <= a->layer_count) see_actions(stage, a->layers + l->origin - 1, &seen);
  return seen;
}

static const char *const *names_of(const actor *a) { return (const char *const *)a->params.names; }

static bool give(const sinew_stage *stage, actor *a, layer *l, const sinew_graph_def *def, double fade) {
  graph *now = l->graph, *old = l->held ? l->held : now, *fresh;
  fresh = graph_create(def, a->model, &(graph_params){names_of(a), a->params.values, a->params.count});
  if (!fresh || !actor_need_inputs(a)) {
    graph_destroy(fresh);
    return false;
  }
  l->graph = fresh;
  if (!actor_reserve_instances(a)) {
    l->graph = now;
    graph_destroy(fresh);
    return false;
  }
  graph_seen seen = see(stage, a, l, old);
  bool same = graph_take_over(fresh, a->model, a->params.values, old, &seen) && old == now;
  l->graph = now;
  take_away(a, l);
  l->graph = fresh;
  const bool shown = a->poses > 0; /* otherwise there is only the rest pose to come from */
  if (!same && fade > 0 && shown) inertia_request(&a->inertia, fade, false);
  return true;
}

bool sinew_actor_set_graph(sinew_stage *stage, sinew_actor id, int index, const sinew_graph_def *def, double fade,
                           sinew_error *error) {
  actor *a = stage_find(stage, id);
  layer *l = find_layer(stage, id, index);
  if (stage_closed(stage)) return error_set(error, "the graph cannot be set: %s", stage_closed(stage)), false;
  if (!l) {
    error_set(error, a ? "there is no such layer" : "the actor is gone");
    return false;
  }
  if (!(fade >= 0) || isinf(fade)) {
    error_set(error, "the graph's fade is not a number of seconds from 0 on");
    return false;
  }
  if (def && !sinew_graph_check(def, a->model, names_of(a), a->params.count, error)) return false;
  if (!actor_reserve_inertia(stage, a) || (def && !give(stage, a, l, def, fade))) {
    error_set(error, "out of memory for a graph");
    return false;
  }
  if (def || (!l->graph && !l->held)) return true;
  bool shown = l->graph != NULL;
  take_away(a, l);
  if (shown && fade > 0) inertia_request(&a->inertia, fade, false);
  return true;
}

bool sinew_actor_hold_graph(sinew_stage *stage, sinew_actor id, int index, double fade) {
  actor *a = stage_open(stage, id);
  layer *l = find_layer(stage, id, index);
  if (!a || !l || !l->graph || !actor_reserve_inertia(stage, a)) return false;
  graph *held = l->graph;
  l->graph = NULL;
  take_away(a, l);
  l->held = held;
  inertia_request(&a->inertia, fade, false);
  return true;
}

bool sinew_actor_continue_graph(sinew_stage *stage, sinew_actor id, int from, int to) {
  actor *a = stage_open(stage, id);
  const layer *source = find_layer(stage, id, from);
  layer *l = find_layer(stage, id, to);
  graph *moved = source ? (source->graph ? source->graph : source->held) : NULL;
  if (!a || !l || !source || l == source || (!moved && source->action_count == 0)) return false;
  l->origin = from + 1;
  if (!moved) return true;
  graph_retain(moved);
  graph_destroy(l->held);
  l->held = moved;
  return true;
}

bool sinew_actor_held_time(const sinew_stage *stage, sinew_actor id, int index, int clip, double *time, bool *back) {
  const layer *l = find_layer(stage, id, index);
  graph_seen seen = {.count = 0};
  if (l && l->held) graph_see(l->held, &seen);
  const playback *p = graph_seen_find(&seen, clip);
  if (p) *time = playback_time(p), *back = playback_is_back(p);
  return p;
}

void actor_free_inputs(actor *a) {
  for (int i = 0; i < a->layer_count; i++) take_away(a, a->layers + i);
  actor_free_params(&a->params);
  mem_free(a->inputs);
  mem_free(a->instances.items);
  inertia_reset(&a->inertia);
  inertia_offset_reset(&a->inertia_offset);
  root_reset(&a->root, a->model->clip_count);
  modifiers_reset(&a->modifiers);
  metrics_free(a->metrics);
}

bool sinew_actor_set_node(sinew_stage *stage, sinew_actor id, int index, int node, double x, double y) {
  layer *l = stage_closed(stage) ? NULL : find_layer(stage, id, index);
  graph *g = l ? l->graph : NULL;
  if (!g || node < 1 || node >= g->node_count || !isfinite(x) || !isfinite(y)) return false;
  sinew_node_def *n = g->nodes + node;
  if (n->x == x && n->y == y) return true;
  n->x = x;
  n->y = y;
  if (g->nodes[g->parents[node]].kind == SINEW_NODE_SPACE_2D) graph_triangulate(g, g->parents[node]);
  return true;
}

/* ---- telling ---- */

bool sinew_actor_send(sinew_stage *stage, sinew_actor id, const char *event) {
  actor *a = stage_find(stage, id);
  if (!a || !event || !event[0] || strlen(event) >= EVENT_NAME || !actor_need_inputs(a)) return false;
  graph_inputs *s = a->inputs;
  if (s->sent_count + s->waiting_count == SENT_EVENTS) return false;
  strcpy(s->sent[s->sent_count + s->waiting_count], event);
  *(stage_waits(stage, &a->sends) ? &s->waiting_count : &s->sent_count) += 1;
  return true;
}

void sinew_stage_set_conditions(sinew_stage *stage, sinew_condition_function *function, void *user) {
  if (stage_closed(stage)) return;
  stage->condition = function;
  stage->condition_user = user;
}

/* ---- asking ---- */

bool sinew_actor_has_graph(const sinew_stage *stage, sinew_actor id, int index) {
  const layer *l = find_layer(stage, id, index);
  return l && l->graph;
}

int sinew_actor_node_count(const sinew_stage *stage, sinew_actor id, int index) {
  const layer *l = find_layer(stage, id, index);
  return l && l->graph ? l->graph->node_count : 0;
}

bool sinew_actor_node(const sinew_stage *stage, sinew_actor id, int index, int node, sinew_node_def *def) {
  if (node < 0 || node >= sinew_actor_node_count(stage, id, index)) return false;
  *def = find_layer(stage, id, index)->graph->nodes[node];
  return true;
}

bool sinew_actor_transition_def(const sinew_stage *stage, sinew_actor id, int index, int transition,
                                sinew_transition_def *def) {
  const layer *l = find_layer(stage, id, index);
  if (!l || !l->graph || transition < 0 || transition >= l->graph->transition_count) return false;
  *def = l->graph->transitions[transition];
  return true;
}

float sinew_actor_node_weight(const sinew_stage *stage, sinew_actor id, int index, int node) {
  const layer *l = find_layer(stage, id, index);
  return l && l->graph && node >= 0 && node < l->graph->node_count ? l->graph->weights[node] : 0;
}

bool sinew_actor_machine(const sinew_stage *stage, sinew_actor id, int index, int node, sinew_machine_state *state) {
  const layer *l = find_layer(stage, id, index);
  *state = (sinew_machine_state){0};
  if (!l || !l->graph || node < 0 || node >= l->graph->node_count) return false;
  return graph_machine_state(l->graph, node, state);
}

bool sinew_stage_set_markers(sinew_stage *stage, sinew_model *model, int clip, const sinew_marker *markers, int count,
                             sinew_error *error) {
  if (stage_closed(stage)) return error_set(error, "the markers cannot be set: %s", stage_closed(stage)), false;
  return markers_set(&stage->markers, model, clip, markers, count, error);
}

const sinew_marker *sinew_stage_markers(const sinew_stage *stage, const sinew_model *model, int clip, int *count) {
  bool there = clip >= 0 && clip < sinew_model_clip_count(model);
  const clip_markers *found = there ? markers_of(&stage->markers, model, clip) : NULL;
  *count = found ? found->count : 0;
  return found ? found->items : NULL;
}

const sinew_event *sinew_stage_events(const sinew_stage *stage, int *count, int *lost) {
  *count = stage->events.count;
  if (lost) *lost = stage->events.lost;
  return stage->events.items;
}
