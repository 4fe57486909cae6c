/* What a graph was doing goes on under another definition. A person who edits moves, renames and wraps; so a node is
 * found again by its key, else by the clips below it, and a clip goes on wherever it now stands. */
#include "actor/graph/graph.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

/* ---- what plays ---- */

void graph_seen_add(graph_seen *seen, int clip, float weight, const playback *p) {
  int at = seen->count < GRAPH_SEEN ? seen->count++ : GRAPH_SEEN;
  while (at > 0 && seen->items[at - 1].weight < weight) {
    if (at < GRAPH_SEEN) seen->items[at] = seen->items[at - 1];
    at--;
  }
  if (at == GRAPH_SEEN) return;
  seen->items[at].clip = clip;
  seen->items[at].weight = weight;
  seen->items[at].playback = p;
}

const playback *graph_seen_find(const graph_seen *seen, int clip) {
  for (int i = 0; i < seen->count; i++)
    if (seen->items[i].clip == clip) return seen->items[i].playback;
  return NULL;
}

static const machine_entry *top_of(const machine_state *m) { return m->entries + m->count - 1; }

/* Those that fade out come after what is, whatever they weigh. */
static void see_node(const graph *g, int node, void *state, float scale, graph_seen *seen) {
  const sinew_node_def *n = g->nodes + node;
  if (n->kind == SINEW_NODE_CLIP) {
    if (n->clip >= 0) graph_seen_add(seen, n->clip, scale + scale * g->weights[node], state);
  } else if (n->kind >= SINEW_NODE_SWITCH) {
    machine_state *m = state;
    for (int i = 0; i < m->count; i++)
      see_node(g, n->first_child + m->entries[i].state, machine_slot(g, node, m, m->entries[i].slot),
               i == m->count - 1 ? scale : scale / 4, seen);
  } else {
    for (int c = n->first_child; c < n->first_child + n->child_count; c++)
      see_node(g, c, node_child(g, state, c), scale, seen);
  }
}

void graph_see(const graph *g, graph_seen *seen) { see_node(g, 0, g->state, 1, seen); }

/* ---- likeness ---- */

enum { SET_BITS = 2048 };
typedef struct clip_set {
  uint64_t words[SET_BITS / 64];
} clip_set;

static void gather(const graph *g, int node, clip_set *set) {
  const sinew_node_def *n = g->nodes + node;
  unsigned bit = (unsigned)n->clip % SET_BITS;
  if (n->kind == SINEW_NODE_CLIP && n->clip >= 0) set->words[bit / 64] |= (uint64_t)1 << bit % 64;
  for (int c = n->first_child; n->kind != SINEW_NODE_CLIP && c < n->first_child + n->child_count; c++)
    gather(g, c, set);
}

static int count_bits(uint64_t word) {
  int count = 0;
  for (; word; word &= word - 1) count++;
  return count;
}

/* Clips that both have, over all that one of them has. */
static double shared_clips(const graph *a, int i, const graph *b, int k) {
  clip_set x = {{0}}, y = {{0}};
  int both = 0, any = 0;
  gather(a, i, &x);
  gather(b, k, &y);
  for (int w = 0; w < SET_BITS / 64; w++) {
    both += count_bits(x.words[w] & y.words[w]);
    any += count_bits(x.words[w] | y.words[w]);
  }
  return any ? (double)both / any : 0;
}

/* 0 clip, 1 what plays all of its children, 2 what plays one. */
static int class_of(const sinew_node_def *n) {
  return n->kind == SINEW_NODE_CLIP ? 0 : n->kind >= SINEW_NODE_SWITCH ? 2 : 1;
}

static bool same_key(const char *a, const char *b) { return a && b && strcmp(a, b) == 0; }

static int find_key(const graph *g, int node, const char *key) {
  const sinew_node_def *n = g->nodes + node;
  for (int c = n->first_child; c < n->first_child + n->child_count; c++)
    if (same_key(g->nodes[c].key, key)) return c;
  return -1;
}

static double shared_keys(const graph *g, int node, const graph *old, int from) {
  const sinew_node_def *o = old->nodes + from;
  int both = 0;
  for (int c = o->first_child; c < o->first_child + o->child_count; c++)
    both += old->nodes[c].key && find_key(g, node, old->nodes[c].key) >= 0;
  int most = o->child_count > g->nodes[node].child_count ? o->child_count : g->nodes[node].child_count;
  return most ? (double)both / most : 0;
}

static double likeness(const graph *g, int node, const graph *old, int from) {
  double clips = shared_clips(g, node, old, from);
  if (clips == 0) return 0;
  bool alike = class_of(g->nodes + node) == class_of(old->nodes + from);
  return clips + (alike ? 0.5 + 0.5 * shared_keys(g, node, old, from) : 0) +
         (same_key(g->nodes[node].key, old->nodes[from].key) ? 1 : 0);
}

/* ---- children ---- */

/* The child of `node` that is the child `k` of `from`, or -1: by key; else by what is below, of those whose key is not
 * another's; of two alike the one in the same place. */
static int find_match(const graph *g, int node, const graph *old, int from, int k) {
  const sinew_node_def *n = g->nodes + node, *o = old->nodes + from;
  int keyed = old->nodes[k].key ? find_key(g, node, old->nodes[k].key) : -1, best = -1;
  double most = 0;
  for (int c = n->first_child; keyed < 0 && c < n->first_child + n->child_count; c++) {
    bool taken = g->nodes[c].key && find_key(old, from, g->nodes[c].key) >= 0;
    double like = taken ? 0 : likeness(g, c, old, k);
    if (like > 0 && c - n->first_child == k - o->first_child) like += 1e-6;
    if (like > most) most = like, best = c;
  }
  return keyed >= 0 ? keyed : best;
}

/* ---- taking over ---- */

static bool take_node(const graph_frame *f, int node, void *state, const graph *old, int from, void *was);

static bool same_number(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

/* All of a node that shows at once. */
static bool shows_the_same(const sinew_node_def *a, const sinew_node_def *b) {
  return a->kind == b->kind && a->child_count == b->child_count && a->speed == b->speed && a->x == b->x &&
         a->y == b->y && a->weight_param == b->weight_param && a->param_x == b->param_x && a->param_y == b->param_y &&
         a->clip == b->clip && same_number(a->from, b->from) && same_number(a->to, b->to) && a->loop == b->loop;
}

static bool take_space(const graph_frame *f, int node, space_state *s, const graph *old, int from, space_state *was) {
  const sinew_node_def *n = f->graph->nodes + node, *o = old->nodes + from;
  bool whole = true;
  s->sync = was->sync;
  if (n->param_x == o->param_x) s->x = was->x, s->follows = was->follows;
  if (n->param_y == o->param_y) s->y = was->y;
  else s->y = n->param_y >= 0 ? f->params[n->param_y] : 0;
  for (int k = o->first_child; k < o->first_child + o->child_count; k++) {
    int match = find_match(f->graph, node, old, from, k);
    whole &= match >= 0 && take_node(f, match, node_child(f->graph, s, match), old, k, node_child(old, was, k));
  }
  return whole;
}

static void take_history(const graph_frame *f, int node, machine_state *m, const graph *old, int from,
                         const machine_state *was) {
  int places = (int)(sizeof m->history / sizeof *m->history), count = 0;
  for (int i = 0; i < places && was->history[i] >= 0; i++) {
    int match = find_match(f->graph, node, old, from, old->nodes[from].first_child + was->history[i]);
    if (match >= 0) m->history[count++] = match - f->graph->nodes[node].first_child;
  }
  while (count < places) m->history[count++] = -1;
}

/* States that are no more are left out; where the present one is, the machine begins anew. */
static bool take_machine(const graph_frame *f, int node, machine_state *m, const graph *old, int from,
                         machine_state *was) {
  const sinew_node_def *n = f->graph->nodes + node, *o = old->nodes + from;
  machine_entry kept[GRAPH_ENTRIES];
  int count = 0, present = find_match(f->graph, node, old, from, o->first_child + top_of(was)->state);
  bool whole = true;
  if (present < 0) return false;
  for (int i = 0; i < was->count; i++) {
    machine_entry e = was->entries[i];
    int child = o->first_child + e.state, match = find_match(f->graph, node, old, from, child);
    if (match < 0) whole = false;
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
  take_history(f, node, m, old, from, was);
  return whole;
}

static bool take_alike(const graph_frame *f, int node, void *state, const graph *old, int from, void *was) {
  const sinew_node_def *n = f->graph->nodes + node;
  bool same = shows_the_same(n, old->nodes + from);
  if (class_of(n) == 2) return take_machine(f, node, state, old, from, was) && same;
  if (class_of(n) == 1) return take_space(f, node, state, old, from, was) && same;
  if (n->clip != old->nodes[from].clip) return false;
  graph_refit_clip(state, was, n, f->model->clips[n->clip].duration);
  return same;
}

/* Whether the old node shows that child; a machine shows its present state. */
static bool is_shown(const graph *old, int from, const void *was, int child) {
  const machine_state *m = was;
  return class_of(old->nodes + from) != 2 || old->nodes[from].first_child + top_of(m)->state == child;
}

/* The child that the old node shows and that is most like `node`. */
static double find_within(const graph_frame *f, int node, const graph *old, int from, const void *was, int *child) {
  const sinew_node_def *o = old->nodes + from;
  double most = 0;
  for (int c = o->first_child; class_of(o) && c < o->first_child + o->child_count; c++) {
    double like = is_shown(old, from, was, c) ? likeness(f->graph, node, old, c) : 0;
    if (like > most) most = like, *child = c;
  }
  return most;
}

/* The child of the new node that is most like the old one. */
static double find_around(const graph_frame *f, int node, const graph *old, int from, int *child) {
  const sinew_node_def *n = f->graph->nodes + node;
  double most = 0;
  for (int c = n->first_child; class_of(n) && c < n->first_child + n->child_count; c++) {
    double like = likeness(f->graph, c, old, from);
    if (like > most) most = like, *child = c;
  }
  return most;
}

static void *instance_of(const graph *g, int node, void *state, int child) {
  machine_state *m = state;
  return class_of(g->nodes + node) == 2 ? machine_slot(g, node, m, top_of(m)->slot) : node_child(g, state, child);
}

/* A machine that has been put around what plays is in the state that plays it. */
static void enter_state(const graph_frame *f, int node, machine_state *m, int child) {
  int state = child - f->graph->nodes[node].first_child;
  if (f->graph->nodes[node].kind == SINEW_NODE_SWITCH || top_of(m)->state == state) return;
  m->count = 1;
  m->entries[0] = (machine_entry){.state = state};
  node_reset(f, child, machine_slot(f->graph, node, m, 0), NULL);
}

static void take_around(const graph_frame *f, int node, void *state, const graph *old, int from, void *was, int child) {
  if (class_of(f->graph->nodes + node) == 2) {
    enter_state(f, node, state, child);
    machine_state *m = state;
    if (f->graph->nodes[node].first_child + top_of(m)->state != child) return; /* a switch shows another */
  }
  take_node(f, child, instance_of(f->graph, node, state, child), old, from, was);
}

static bool take_node(const graph_frame *f, int node, void *state, const graph *old, int from, void *was) {
  int inner = -1, outer = -1;
  bool alike = class_of(f->graph->nodes + node) == class_of(old->nodes + from);
  double direct = alike ? likeness(f->graph, node, old, from) : 0;
  double within = find_within(f, node, old, from, was, &inner), around = find_around(f, node, old, from, &outer);
  if (alike && direct >= within && direct >= around) return take_alike(f, node, state, old, from, was);
  if (within > around) take_node(f, node, state, old, inner, instance_of(old, from, was, inner));
  else if (around > 0) take_around(f, node, state, old, from, was, outer);
  return false;
}

bool graph_take_over(graph *g, const sinew_model *model, const double *params, const graph *old,
                     const graph_seen *seen) {
  graph_frame frame = {.graph = g, .model = model, .params = params, .seen = seen};
  node_reset(&frame, 0, g->state, NULL);
  return old && take_node(&frame, 0, g->state, old, 0, old->state);
}
