/* A graph's memory. */
#include "actor/graph/graph.h"

#include "base/memory/block.h"
#include "base/memory/memory.h"

#include <math.h>
#include <string.h>

void *node_child(const graph *g, void *state, int child) { return (unsigned char *)state + g->offsets[child]; }

static size_t machine_slot_size(const graph *g, int node) {
  const sinew_node_def *n = g->nodes + node;
  size_t most = 0;
  for (int i = 0; i < n->child_count; i++)
    if (g->sizes[n->first_child + i] > most) most = g->sizes[n->first_child + i];
  return most;
}

void *machine_slot(const graph *g, int node, void *state, int slot) {
  return (unsigned char *)state + sizeof(machine_state) + (size_t)slot * machine_slot_size(g, node);
}

/* ---- memory ---- */

static int lay_out_space(graph *g, const sinew_node_def *n, size_t *size) {
  int instances = 0;
  *size = sizeof(space_state);
  for (int i = n->first_child; i < n->first_child + n->child_count; i++) {
    g->offsets[i] = *size;
    *size += g->sizes[i];
    instances += g->weights[i] > 0 ? (int)g->weights[i] : 0;
  }
  return instances;
}

static int lay_out_machine(graph *g, int node, size_t *size) {
  const sinew_node_def *n = g->nodes + node;
  int instances = 0;
  *size = sizeof(machine_state) + GRAPH_ENTRIES * machine_slot_size(g, node);
  for (int i = n->first_child; i < n->first_child + n->child_count; i++)
    if ((int)g->weights[i] > instances) instances = (int)g->weights[i];
  return instances * GRAPH_ENTRIES;
}

/* Works from the leaves up; `weights` meanwhile holds the number of instances below each node. */
static void lay_out(graph *g) {
  for (int i = g->node_count - 1; i >= 0; i--) {
    const sinew_node_def *n = g->nodes + i;
    int instances = 1;
    g->sizes[i] = sizeof(playback);
    if (n->kind >= SINEW_NODE_SWITCH) instances = lay_out_machine(g, i, &g->sizes[i]);
    else if (n->kind != SINEW_NODE_CLIP) instances = lay_out_space(g, n, &g->sizes[i]);
    g->weights[i] = (float)instances;
    g->instance_count = instances;
  }
}

static int count_planes(const sinew_graph_def *def) {
  int count = 0;
  for (int i = 0; i < def->node_count; i++) count += def->nodes[i].kind == SINEW_NODE_SPACE_2D;
  return count;
}

/* In one update each machine can be left, be entered, begin, and change its state several times. */
static int count_changes(const sinew_graph_def *def) {
  int count = 0;
  for (int i = 0; i < def->node_count; i++) count += def->nodes[i].kind == SINEW_NODE_MACHINE ? MACHINE_CHANGES : 0;
  return count;
}

static int count_conditions(const sinew_graph_def *def) {
  int count = 0;
  for (int i = 0; i < def->transition_count; i++) count += def->transitions[i].when != NULL;
  return count;
}

static const char *copy_text(block *b, const char *text) { return text ? block_string(b, text) : NULL; }

static void copy_nodes(block *b, const sinew_graph_def *def, graph *g) {
  for (int i = 0; i < def->node_count; i++) {
    const char *key = copy_text(b, def->nodes[i].key), *group = copy_text(b, def->nodes[i].sync_group);
    if (!g) continue;
    g->nodes[i].key = key;
    g->nodes[i].sync_group = group;
  }
  for (int i = 0; i < def->transition_count; i++) {
    const char *event = copy_text(b, def->transitions[i].event), *when = copy_text(b, def->transitions[i].when);
    if (!g) continue;
    g->transitions[i].event = event;
    g->transitions[i].when = when;
  }
}

static void carve(block *b, void *user) {
  const sinew_graph_def *def = user;
  size_t nodes = (size_t)def->node_count, transitions = (size_t)def->transition_count;
  graph *g = block_take(b, 1, sizeof *g), measured;
  graph *out = g ? g : &measured;
  out->nodes = block_copy(b, def->nodes, nodes, sizeof *def->nodes);
  out->transitions = block_copy(b, def->transitions, transitions, sizeof *def->transitions);
  out->conditions = block_take(b, (size_t)count_conditions(def), sizeof *out->conditions);
  out->condition_of = block_take(b, transitions, sizeof *out->condition_of);
  out->parents = block_take(b, nodes, sizeof *out->parents);
  out->sizes = block_take(b, nodes, sizeof *out->sizes);
  out->offsets = block_take(b, nodes, sizeof *out->offsets);
  out->triangulation_of = block_take(b, nodes, sizeof *out->triangulation_of);
  out->triangulations = block_take(b, (size_t)count_planes(def), sizeof *out->triangulations);
  out->weights = block_take(b, nodes, sizeof *out->weights);
  out->changes = block_take(b, (size_t)count_changes(def), sizeof *out->changes);
  copy_nodes(b, def, g);
}

void graph_triangulate(graph *g, int node) {
  const sinew_node_def *n = g->nodes + node;
  space_point points[SPACE_SAMPLES];
  for (int i = 0; i < n->child_count; i++)
    points[i] = (space_point){g->nodes[n->first_child + i].x, g->nodes[n->first_child + i].y};
  space_triangulate(points, n->child_count, g->triangulations + g->triangulation_of[node]);
}

static void connect(graph *g) {
  int planes = 0;
  g->parents[0] = -1;
  for (int i = 0; i < g->node_count; i++) {
    const sinew_node_def *n = g->nodes + i;
    g->triangulation_of[i] = n->kind == SINEW_NODE_SPACE_2D ? planes++ : -1;
    for (int k = 0; k < n->child_count; k++) g->parents[n->first_child + k] = i;
    if (n->kind == SINEW_NODE_SPACE_2D) graph_triangulate(g, i);
  }
}

/* The check has read them before. */
static void read_conditions(graph *g, const graph_params *params) {
  for (int i = 0; i < g->transition_count; i++) {
    const char *when = g->transitions[i].when;
    g->condition_of[i] = when ? g->condition_count++ : -1;
    if (when) condition_read(when, params->names, params->count, g->conditions + g->condition_of[i], NULL);
  }
}

void graph_bind(graph *g, const char *const *names, int count) {
  for (int i = 0; i < g->condition_count; i++) condition_bind(g->conditions + i, names, count);
}

static int params_of(const sinew_node_def *n) {
  int most = n->param_x > n->param_y ? n->param_x : n->param_y;
  if (n->match_param > most) most = n->match_param;
  return 1 + (n->weight_param > most ? n->weight_param : most);
}

graph *graph_create(const sinew_graph_def *def, const sinew_model *model, const graph_params *params) {
  graph *g = block_create(carve, (void *)(uintptr_t)def, "a graph", NULL);
  if (!g) return NULL;
  g->users = 1;
  g->node_count = def->node_count;
  g->transition_count = def->transition_count;
  for (int i = 0; i < g->node_count; i++) {
    if (params_of(g->nodes + i) > g->param_count) g->param_count = params_of(g->nodes + i);
    g->decides |= g->nodes[i].kind >= SINEW_NODE_SWITCH;
    g->turns |= g->nodes[i].match == SINEW_MATCH_TURN;
    g->stops |= g->nodes[i].match == SINEW_MATCH_TO_STOP;
  }
  connect(g);
  read_conditions(g, params);
  lay_out(g);
  g->state = mem_alloc_zeroed(g->sizes[0]);
  if (!g->state) {
    graph_destroy(g);
    return NULL;
  }
  node_reset(&(graph_frame){.graph = g, .model = model, .params = params->values}, 0, g->state, NULL);
  return g;
}

graph *graph_retain(graph *g) {
  g->users++;
  return g;
}

void graph_destroy(graph *g) {
  if (!g || --g->users > 0) return;
  mem_free(g->state);
  block_release(g);
}
