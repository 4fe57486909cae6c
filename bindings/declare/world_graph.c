#include "declare/world.h"

#include <math.h>
#include <string.h>

graph_record *world_find_graph(const actor_record *record, int64_t layer) {
  for (int i = 0; i < record->graph_count; i++)
    if (record->graphs[i]->layer == layer) return record->graphs[i];
  return NULL;
}

void world_free_graph(world *w, graph_record *graph) {
  world_free(w, graph->last);
  world_free(w, graph->next);
  world_free(w, graph);
}

/* ---- a copy of a definition in one piece ---- */

static size_t text_size(const char *text) { return text ? strlen(text) + 1 : 0; }

static size_t texts_size(const sinew_graph_def *def) {
  size_t size = 0;
  for (int i = 0; i < def->node_count; i++) size += text_size(def->nodes[i].key) + text_size(def->nodes[i].sync_group);
  for (int i = 0; i < def->transition_count; i++) size += text_size(def->transitions[i].event);
  return size;
}

static const char *copy_text(char **at, const char *text) {
  size_t size = text_size(text);
  if (!text) return NULL;
  const char *copy = memcpy(*at, text, size);
  *at += size;
  return copy;
}

graph_copy *world_copy_graph(world *w, const sinew_graph_def *def, const graph_position *positions,
                             int position_count) {
  size_t nodes = (size_t)def->node_count * sizeof *def->nodes;
  size_t transitions = (size_t)def->transition_count * sizeof *def->transitions;
  size_t moving = (size_t)position_count * sizeof *positions;
  graph_copy *copy = world_allocate(w, sizeof *copy + nodes + transitions + moving + texts_size(def));
  if (!copy) return NULL;
  sinew_node_def *n = (sinew_node_def *)(copy + 1);
  sinew_transition_def *t = (sinew_transition_def *)(n + def->node_count);
  graph_position *p = (graph_position *)(t + def->transition_count);
  char *text = (char *)(p + position_count);
  memcpy(n, def->nodes, nodes);
  if (transitions) memcpy(t, def->transitions, transitions);
  if (moving) memcpy(p, positions, moving);
  for (int i = 0; i < def->node_count; i++) {
    n[i].key = copy_text(&text, n[i].key);
    n[i].sync_group = copy_text(&text, n[i].sync_group);
  }
  for (int i = 0; i < def->transition_count; i++) t[i].event = copy_text(&text, t[i].event);
  *copy = (graph_copy){{n, def->node_count, t, def->transition_count}, p, position_count};
  return copy;
}

/* ---- sameness ---- */

static bool same_graph(const graph_copy *a, const graph_copy *b) {
  bool same = a && b && a->def.node_count == b->def.node_count && a->def.transition_count == b->def.transition_count &&
              a->position_count == b->position_count;
  for (int i = 0; same && i < a->def.node_count; i++) same = kind_same(&kind_node, a->def.nodes + i, b->def.nodes + i);
  for (int i = 0; same && i < a->def.transition_count; i++)
    same = kind_same(&kind_transition, a->def.transitions + i, b->def.transitions + i);
  for (int i = 0; same && i < a->position_count; i++)
    same = memcmp(a->positions + i, b->positions + i, sizeof *a->positions) == 0;
  return same;
}

/* ---- declaring ---- */

graph_record *world_need_graph(world *w, actor_record *record, int64_t layer, sinew_error *error) {
  graph_record *graph = world_find_graph(record, layer);
  if (graph) return graph;
  graph = world_allocate(w, sizeof *graph);
  if (!graph || !world_append(w, &record->graphs, &record->graph_count, &record->graph_capacity, graph)) {
    world_free(w, graph);
    world_fail(error, "out of memory for a graph of actor '%s'", record->name);
    return NULL;
  }
  graph->id = ++w->next_id;
  graph->layer = layer;
  return graph;
}

static bool apply(world *w, actor_record *record, const graph_record *graph, const graph_copy *copy, double fade,
                  sinew_error *error) {
  int layer = world_layer_index(w, record, graph->layer);
  if (layer < 0) return world_fail(error, "the layer of the graph is gone");
  return sinew_actor_set_graph(w->stage, record->actor, layer, copy ? &copy->def : NULL, fade, error);
}

bool world_set_graph(world *w, actor_record *record, graph_record *graph, graph_copy *copy, double fade,
                     const char *line, sinew_error *error) {
  if (w->loading && graph->next_set) {
    world_free(w, copy);
    return world_fail(error, "actor '%s' has a graph on that layer already, from %s", record->name, graph->next_line);
  }
  if (!w->loading) {
    if (!apply(w, record, graph, copy, fade, error)) {
      world_free(w, copy);
      return false;
    }
    world_free(w, graph->last);
    graph->last = copy;
    world_copy(graph->line, sizeof graph->line, line);
    return true;
  }
  graph->next = copy;
  graph->next_set = true;
  graph->next_fade = fade;
  world_copy(graph->next_line, sizeof graph->next_line, line);
  return true;
}

/* ---- commit ---- */

/* The stage keeps its clocks and states, should it come back. */
static void hold(world *w, actor_record *record, graph_record *graph) {
  int layer = world_layer_index(w, record, graph->layer);
  graph->held = layer >= 0 && sinew_actor_hold_graph(w->stage, record->actor, layer, WORLD_SWEEP_FADE);
  graph->dropped_at = sinew_host_time(w->host);
}

void world_update_graphs(const world *w, actor_record *record) {
  for (int i = 0; i < record->graph_count; i++) {
    graph_record *graph = record->graphs[i];
    if (!graph->held || sinew_host_time(w->host) - graph->dropped_at <= WORLD_HOLD) continue;
    graph->held = false;
    int layer = world_layer_index(w, record, graph->layer);
    if (layer >= 0 && !sinew_actor_has_graph(w->stage, record->actor, layer))
      sinew_actor_set_graph(w->stage, record->actor, layer, NULL, 0, NULL);
  }
}

/* A place that a function says is what it has become, not what is declared. */
static void keep_places(const graph_copy *last, const graph_copy *next) {
  bool alike =
      last && next && last->position_count == next->position_count && last->def.node_count == next->def.node_count;
  for (int i = 0; alike && i < next->position_count; i++) {
    int node = next->positions[i].node;
    sinew_node_def *n = (sinew_node_def *)(uintptr_t)next->def.nodes + node;
    if (last->positions[i].node != node || last->positions[i].axis != next->positions[i].axis) continue;
    *(next->positions[i].axis ? &n->y : &n->x) =
        next->positions[i].axis ? last->def.nodes[node].y : last->def.nodes[node].x;
  }
}

static void commit_graph(world *w, actor_record *record, graph_record *graph) {
  sinew_error error;
  keep_places(graph->last, graph->next);
  bool changed = graph->next_set ? !same_graph(graph->last, graph->next) : graph->declared;
  if (changed && !graph->next_set) hold(w, record, graph);
  else if (changed && !apply(w, record, graph, graph->next, graph->next_fade, &error))
    sinew_log(SINEW_LOG_WARNING, "%s keeps its graph: %s", record->name, error.message);
  if (graph->next_set) graph->held = false;
  if (changed && record->declared) world_tell_graph(w, record, graph->declared ? graph->last : NULL, graph->next);
  if (graph->next_set || graph->declared) {
    world_free(w, graph->last);
    graph->last = graph->next;
  }
  graph->next = NULL;
  graph->declared = graph->next_set;
  graph->next_set = false;
  world_copy(graph->line, sizeof graph->line, graph->next_line);
}

void world_commit_graphs(world *w, actor_record *record) {
  for (int i = 0; i < record->graph_count; i++) commit_graph(w, record, record->graphs[i]);
}

void world_rollback_graphs(world *w, actor_record *record) {
  for (int i = 0; i < record->graph_count; i++) {
    world_free(w, record->graphs[i]->next);
    record->graphs[i]->next = NULL;
    record->graphs[i]->next_set = false;
  }
}

/* A graph that lacks a clip in the other model is declared anew. */
void world_move_graphs(world *w, actor_record *record) {
  for (int i = 0; i < record->graph_count; i++) {
    graph_record *graph = record->graphs[i];
    bool whole = true;
    for (int n = 0; graph->last && n < graph->last->def.node_count; n++) {
      sinew_node_def *node = (sinew_node_def *)(uintptr_t)graph->last->def.nodes + n;
      if (node->kind == SINEW_NODE_CLIP) whole = (node->clip = record->clips[node->clip]) >= 0 && whole;
    }
    if (whole) continue;
    world_free(w, graph->last);
    graph->last = NULL;
  }
}

/* ---- parameters ---- */

param_record *world_find_param(const actor_record *record, const char *name) {
  for (int i = 0; i < record->param_count; i++)
    if (strcmp(record->params[i]->name, name) == 0) return record->params[i];
  return NULL;
}

/* Living values where there are some, else those that are declared. */
static bool apply_params(const world *w, const actor_record *record, sinew_error *error) {
  const char *names[WORLD_PARAMS];
  double values[WORLD_PARAMS];
  int known = sinew_actor_param_count(w->stage, record->actor);
  for (int i = 0; i < record->param_count; i++) {
    const world_property *p = &record->params[i]->value;
    names[i] = record->params[i]->name;
    values[i] = i < known ? sinew_actor_param(w->stage, record->actor, i) : (double)p->next.v[0];
  }
  return sinew_actor_set_params(w->stage, record->actor, names, values, record->param_count, error);
}

bool world_declare_param(world *w, actor_record *record, const char *name, double value, sinew_error *error) {
  param_record *param = world_find_param(record, name);
  if (!param && record->param_count == WORLD_PARAMS)
    return world_fail(error, "actor '%s' has more than %d parameters", record->name, WORLD_PARAMS);
  if (!param) {
    param = world_allocate(w, sizeof *param);
    if (!param || !world_append(w, &record->params, &record->param_count, &record->param_capacity, param)) {
      world_free(w, param);
      return world_fail(error, "out of memory for the parameter '%s'", name);
    }
    world_copy(param->name, sizeof param->name, name);
  }
  param->value.next = (world_value){.set = true, .v = {(float)value}};
  return true;
}

int world_param_index(const actor_record *record, const char *name) {
  for (int i = 0; i < record->param_count; i++)
    if (strcmp(record->params[i]->name, name) == 0) return i;
  return -1;
}

/* Names only join while the actor lives, so that what graphs hold stays; a value moves where its default changed. */
void world_commit_params(world *w, actor_record *record) {
  sinew_error error;
  int known = sinew_actor_param_count(w->stage, record->actor);
  if (record->param_count > known && !apply_params(w, record, &error))
    sinew_log(SINEW_LOG_WARNING, "%s: %s", record->name, error.message);
  for (int i = 0; i < record->param_count; i++) {
    world_property *p = &record->params[i]->value;
    if (i < known && world_property_changed(p)) {
      sinew_actor_set_param(w->stage, record->actor, i, (double)p->next.v[0]);
      world_note_property(w, record->name, record->params[i]->name, p, 1);
    }
    world_property_end(p, true);
  }
}
