/* A graph's memory, and how it goes on under a new definition. */
#include "actor/graph.h"

#include "base/block.h"
#include "base/memory.h"

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
  int leaves = 0;
  *size = sizeof(space_state);
  for (int i = n->first_child; i < n->first_child + n->child_count; i++) {
    g->offsets[i] = *size;
    *size += g->sizes[i];
    leaves += g->weights[i] > 0 ? (int)g->weights[i] : 0;
  }
  return leaves;
}

static int lay_out_machine(graph *g, int node, size_t *size) {
  const sinew_node_def *n = g->nodes + node;
  int leaves = 0;
  *size = sizeof(machine_state) + GRAPH_ENTRIES * machine_slot_size(g, node);
  for (int i = n->first_child; i < n->first_child + n->child_count; i++)
    if ((int)g->weights[i] > leaves) leaves = (int)g->weights[i];
  return leaves * GRAPH_ENTRIES;
}

/* From the leaves up; `weights` holds the leaves below each node meanwhile. */
static void lay_out(graph *g) {
  for (int i = g->node_count - 1; i >= 0; i--) {
    const sinew_node_def *n = g->nodes + i;
    int leaves = 1;
    g->sizes[i] = sizeof(playback);
    if (n->kind >= SINEW_NODE_SWITCH) leaves = lay_out_machine(g, i, &g->sizes[i]);
    else if (n->kind != SINEW_NODE_CLIP) leaves = lay_out_space(g, n, &g->sizes[i]);
    g->weights[i] = (float)leaves;
    g->leaf_count = leaves;
  }
}

static int count_planes(const sinew_graph_def *def) {
  int count = 0;
  for (int i = 0; i < def->node_count; i++) count += def->nodes[i].kind == SINEW_NODE_SPACE_2D;
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
    const char *event = copy_text(b, def->transitions[i].event);
    if (g) g->transitions[i].event = event;
  }
}

static void carve(block *b, void *user) {
  const sinew_graph_def *def = user;
  size_t nodes = (size_t)def->node_count, transitions = (size_t)def->transition_count;
  graph *g = block_take(b, 1, sizeof *g), measured;
  graph *out = g ? g : &measured;
  out->nodes = block_copy(b, def->nodes, nodes, sizeof *def->nodes);
  out->transitions = block_copy(b, def->transitions, transitions, sizeof *def->transitions);
  out->parents = block_take(b, nodes, sizeof *out->parents);
  out->sizes = block_take(b, nodes, sizeof *out->sizes);
  out->offsets = block_take(b, nodes, sizeof *out->offsets);
  out->triangulation_of = block_take(b, nodes, sizeof *out->triangulation_of);
  out->triangulations = block_take(b, (size_t)count_planes(def), sizeof *out->triangulations);
  out->weights = block_take(b, nodes, sizeof *out->weights);
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

static int params_of(const sinew_node_def *n) {
  int most = n->param_x > n->param_y ? n->param_x : n->param_y;
  return 1 + (n->weight_param > most ? n->weight_param : most);
}

graph *graph_create(const sinew_graph_def *def, const sinew_model *model, const double *params) {
  graph *g = block_create(carve, (void *)(uintptr_t)def, "a graph", NULL);
  if (!g) return NULL;
  g->node_count = def->node_count;
  g->transition_count = def->transition_count;
  for (int i = 0; i < g->node_count; i++) {
    if (params_of(g->nodes + i) > g->param_count) g->param_count = params_of(g->nodes + i);
    g->decides |= g->nodes[i].kind >= SINEW_NODE_SWITCH;
  }
  connect(g);
  lay_out(g);
  g->state = mem_alloc_zeroed(g->sizes[0]);
  if (!g->state) {
    graph_destroy(g);
    return NULL;
  }
  node_reset(&(graph_frame){.graph = g, .model = model, .params = params}, 0, g->state, NULL);
  return g;
}

void graph_destroy(graph *g) {
  if (!g) return;
  mem_free(g->state);
  block_release(g);
}

/* ---- going on under a new definition ---- */

static bool same_key(const graph *a, int i, int first_a, const graph *b, int k, int first_b) {
  const char *left = a->nodes[i].key, *right = b->nodes[k].key;
  return left && right ? strcmp(left, right) == 0 : !left && !right && i - first_a == k - first_b;
}

/* The child of `node` in `g` that is the child `k` of `from` in `old`, or -1. */
static int find_match(const graph *g, int node, const graph *old, int from, int k) {
  const sinew_node_def *n = g->nodes + node, *o = old->nodes + from;
  for (int i = n->first_child; i < n->first_child + n->child_count; i++)
    if (g->nodes[i].kind == old->nodes[k].kind && same_key(g, i, n->first_child, old, k, o->first_child)) return i;
  return -1;
}

static bool take_node(const graph_frame *f, int node, void *state, const graph *old, int from, void *was);

static bool take_clip(playback *p, const playback *was) {
  playback fresh = *p;
  *p = *was;
  p->begin = fresh.begin;
  p->duration = fresh.duration;
  p->loop = fresh.loop;
  p->loop_count = fresh.loop_count;
  p->position = fmin(p->position, p->loop == SINEW_LOOP_PING_PONG ? 2 * p->duration : p->duration);
  return fresh.begin == was->begin && fresh.duration == was->duration;
}

static bool take_children(const graph_frame *f, int node, void *state, const graph *old, int from, void *was) {
  const sinew_node_def *o = old->nodes + from;
  bool whole = o->child_count == f->graph->nodes[node].child_count;
  for (int k = o->first_child; k < o->first_child + o->child_count; k++) {
    int match = find_match(f->graph, node, old, from, k);
    if (match < 0 || !take_node(f, match, node_child(f->graph, state, match), old, k, node_child(old, was, k)))
      whole = false;
  }
  return whole;
}

/* States that are no more are left out; where the present one is, the machine begins anew. */
static bool take_machine(const graph_frame *f, int node, machine_state *m, const graph *old, int from,
                         machine_state *was) {
  const sinew_node_def *n = f->graph->nodes + node, *o = old->nodes + from;
  machine_entry kept[GRAPH_ENTRIES];
  int count = 0;
  bool whole = true;
  for (int i = 0; i < was->count; i++) {
    machine_entry e = was->entries[i];
    int child = o->first_child + e.state, match = find_match(f->graph, node, old, from, child);
    bool last = i == was->count - 1;
    if (match < 0) whole = false;
    if (match < 0 && last) return false;
    if (match < 0) continue;
    void *slot = machine_slot(f->graph, node, m, count);
    node_reset(f, match, slot, NULL);
    whole &= take_node(f, match, slot, old, child, machine_slot(old, from, was, e.slot));
    e.state = match - n->first_child;
    e.slot = count;
    kept[count++] = e;
  }
  memcpy(m->entries, kept, (size_t)count * sizeof *kept);
  m->count = count;
  m->sync = was->sync;
  m->time = was->time;
  m->transitions = was->transitions;
  return whole;
}

static bool take_node(const graph_frame *f, int node, void *state, const graph *old, int from, void *was) {
  const sinew_node_def *n = f->graph->nodes + node;
  if (n->kind != old->nodes[from].kind) return false;
  if (n->kind == SINEW_NODE_CLIP) return n->clip == old->nodes[from].clip && take_clip(state, was);
  if (n->kind >= SINEW_NODE_SWITCH) return take_machine(f, node, state, old, from, was);
  space_state *s = state;
  const space_state *before = was;
  s->sync = before->sync;
  if (n->param_x == old->nodes[from].param_x && n->param_y == old->nodes[from].param_y) {
    s->x = before->x;
    s->y = before->y;
    s->follows = before->follows;
  }
  return take_children(f, node, state, old, from, was);
}

bool graph_take_over(graph *g, const sinew_model *model, const double *params, const graph *old) {
  graph_frame frame = {.graph = g, .model = model, .params = params};
  return take_node(&frame, 0, g->state, old, 0, old->state);
}
