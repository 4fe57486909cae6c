/* Continues a graph under an edited definition. An edit moves, renames and wraps nodes; so a node is matched by its
 * key, otherwise by the clips below it, and a clip continues wherever it is now. */
#include "actor/graph/graph.h"
#include "base/memory/block.h"
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

/* Clips that fade out come after the others, whatever their weights. */
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

/* ---- what continues ---- */

/* The pairs of new and old nodes, each with its worth: how much of the visible weight below the old node continues if
 * the new one takes it over. The best of all ways to lay the new graph over the old one is taken, whatever has been
 * wrapped, removed or renamed. */
typedef struct matching {
  graph_frame frame; /* of the new graph */
  const graph *old;
  float *shows;  /* of each old node: the sum of the visible weights of the clips below, and a trace of the invisible
                    ones */
  bool *present; /* of each old node: it is active */
  float *worth;  /* of each pair, by the new node; negative: not computed yet */
} matching;

static const sinew_node_def *new_node(const matching *m, int node) { return m->frame.graph->nodes + node; }

/* 0 a clip, 1 a node that plays all of its children, 2 a node that plays one. */
static int class_of(const sinew_node_def *n) {
  return n->kind == SINEW_NODE_CLIP ? 0 : n->kind >= SINEW_NODE_SWITCH ? 2 : 1;
}

static const float trace = 0.001f;

static void weigh_present(matching *m, int node, void *state, float scale) {
  const sinew_node_def *o = m->old->nodes + node;
  m->present[node] |= scale == 1;
  if (class_of(o) == 0) m->shows[node] += scale * (0.1f + m->old->weights[node]);
  const machine_state *machine = state;
  for (int i = 0; class_of(o) == 2 && i < machine->count; i++)
    weigh_present(m, o->first_child + machine->entries[i].state,
                  machine_slot(m->old, node, state, machine->entries[i].slot),
                  i == machine->count - 1 ? scale : scale / 4);
  for (int c = o->first_child; class_of(o) == 1 && c < o->first_child + o->child_count; c++)
    weigh_present(m, c, node_child(m->old, state, c), scale);
}

static void weigh(matching *m) {
  const graph *old = m->old;
  weigh_present(m, 0, old->state, 1);
  for (int i = old->node_count - 1; i >= 0; i--) {
    const sinew_node_def *o = old->nodes + i;
    if (class_of(o) == 0) m->shows[i] += trace;
    for (int c = o->first_child; class_of(o) && c < o->first_child + o->child_count; c++) m->shows[i] += m->shows[c];
  }
}

static bool same_key(const char *a, const char *b) { return a && b && strcmp(a, b) == 0; }

static int find_key(const graph *g, int node, const char *key) {
  const sinew_node_def *n = g->nodes + node;
  for (int c = n->first_child; key && c < n->first_child + n->child_count; c++)
    if (same_key(g->nodes[c].key, key)) return c;
  return -1;
}

static float worth_of(matching *m, int node, int from);

/* A switch shows the child that its parameter selects. */
static bool can_show(const matching *m, int node, int child) {
  const sinew_node_def *n = new_node(m, node);
  return n->kind != SINEW_NODE_SWITCH || switch_child(n, m->frame.params) == child - n->first_child;
}

/* The child of `node` that takes over child `k` of `from`, or -1: the one with the same key; otherwise the one that is
 * worth most, among those whose key matches no other child; on a tie the one at the same index. */
static int find_match(matching *m, int node, int from, int k, float *worth) {
  const graph *g = m->frame.graph;
  const sinew_node_def *n = new_node(m, node), *o = m->old->nodes + from;
  int best = find_key(g, node, m->old->nodes[k].key);
  *worth = best >= 0 ? worth_of(m, best, k) + 0.5f * m->shows[k] : 0;
  bool keyed = best >= 0;
  for (int c = n->first_child; !keyed && c < n->first_child + n->child_count; c++) {
    float here = worth_of(m, c, k) * (c - n->first_child == k - o->first_child ? 1.0001f : 1);
    bool taken = here > *worth && find_key(m->old, from, g->nodes[c].key) >= 0;
    if (here > *worth && !taken && (can_show(m, node, c) || !m->present[k])) *worth = here, best = c;
  }
  return best;
}

/* If a blend has two new nodes for the same child, one of them gets nothing. */
static float worth_of_children(matching *m, int node, int from) {
  const sinew_node_def *o = m->old->nodes + from;
  float best[SPACE_SAMPLES] = {0}, sum = 0, worth;
  for (int k = o->first_child; k < o->first_child + o->child_count; k++) {
    int position = find_match(m, node, from, k, &worth) - new_node(m, node)->first_child;
    if (class_of(o) == 2) sum += worth;
    else if (worth > 0) best[position] = fmaxf(best[position], worth);
  }
  for (int i = 0; i < SPACE_SAMPLES; i++) sum += best[i];
  return sum;
}

static float worth_alike(matching *m, int node, int from) {
  const sinew_node_def *n = new_node(m, node), *o = m->old->nodes + from;
  if (class_of(n) != class_of(o)) return 0;
  if (class_of(n) == 0) return n->clip == o->clip ? m->shows[from] : 0;
  return worth_of_children(m, node, from);
}

/* The child of the old node that is worth most. */
static float find_within(matching *m, int node, int from, int *child) {
  const sinew_node_def *o = m->old->nodes + from;
  float most = 0;
  for (int c = o->first_child; class_of(o) && c < o->first_child + o->child_count; c++) {
    float worth = worth_of(m, node, c);
    if (worth > most) most = worth, *child = c;
  }
  return most;
}

/* The child of the new node that is worth most. */
static float find_around(matching *m, int node, int from, int *child) {
  const sinew_node_def *n = new_node(m, node);
  float most = 0;
  for (int c = n->first_child; class_of(n) && c < n->first_child + n->child_count; c++) {
    float worth = can_show(m, node, c) ? worth_of(m, c, from) : 0;
    if (worth > most) most = worth, *child = c;
  }
  return most;
}

/* A node that was wrapped or removed counts slightly less, so that of nodes that play the same clips, equal ones are
 * matched. */
static float worth_of(matching *m, int node, int from) {
  static const float nearly = 0.999f;
  float *known = m->worth + (size_t)node * (size_t)m->old->node_count + from;
  int child;
  if (*known < 0)
    *known = fmaxf(worth_alike(m, node, from),
                   nearly * fmaxf(find_within(m, node, from, &child), find_around(m, node, from, &child)));
  return *known;
}

/* ---- taking over ---- */

static bool take_node(matching *m, int node, void *state, int from, void *was);

static bool same_text(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

static bool same_number(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

/* Whether all that shows of a node is the same. */
static bool shows_the_same(const sinew_node_def *a, const sinew_node_def *b) {
  return a->kind == b->kind && a->child_count == b->child_count && a->speed == b->speed && a->x == b->x &&
         a->y == b->y && a->weight_param == b->weight_param && a->param_x == b->param_x && a->param_y == b->param_y &&
         a->clip == b->clip && same_number(a->from, b->from) && same_number(a->to, b->to) && a->loop == b->loop &&
         a->cycles == b->cycles && a->sync == b->sync && same_text(a->sync_group, b->sync_group) &&
         a->match == b->match && a->match_param == b->match_param;
}

/* The child of `node` that continues child `k` of `from`, or -1. */
static int match_of(matching *m, int node, int from, int k) {
  float worth;
  return find_match(m, node, from, k, &worth);
}

static bool take_children(matching *m, int node, void *state, int from, void *was) {
  const sinew_node_def *o = m->old->nodes + from;
  bool whole = true;
  for (int k = o->first_child; k < o->first_child + o->child_count; k++) {
    int match = match_of(m, node, from, k);
    whole &= match >= 0 && take_node(m, match, node_child(m->frame.graph, state, match), k, node_child(m->old, was, k));
  }
  return whole;
}

static bool take_space(matching *m, int node, space_state *s, int from, space_state *was) {
  const sinew_node_def *n = new_node(m, node), *o = m->old->nodes + from;
  s->sync = was->sync;
  if (n->param_x == o->param_x) s->x = was->x, s->follows = was->follows;
  if (n->param_y == o->param_y) s->y = was->y;
  else s->y = n->param_y >= 0 ? m->frame.params[n->param_y] : 0;
  return take_children(m, node, s, from, was);
}

static bool same_event(const sinew_transition_def *a, const sinew_transition_def *b) {
  return same_text(a->event, b->event);
}

/* Whether state `was` of the old machine (or any state) is state `is` of the new one. */
static bool is_state(matching *m, int node, int from, int was, int is) {
  if (was < 0 || is < 0) return was < 0 && is < 0;
  return match_of(m, node, from, m->old->nodes[from].first_child + was) == new_node(m, node)->first_child + is;
}

/* The transition of the new machine that joins the same states: for the same event, if there is one, and at the same
 * position among those; or -1. */
static int take_transition(matching *m, int node, int from, int index) {
  const sinew_node_def *n = new_node(m, node), *o = m->old->nodes + from;
  const sinew_transition_def *was = m->old->transitions + index;
  int found = -1, earlier = 0, last = o->first_transition + o->transition_count;
  if (index < o->first_transition || index >= last) return -1;
  for (const sinew_transition_def *t = m->old->transitions + o->first_transition; t < was; t++)
    earlier += t->from == was->from && t->to == was->to && same_event(t, was);
  for (int i = n->first_transition; i < n->first_transition + n->transition_count; i++) {
    const sinew_transition_def *t = m->frame.graph->transitions + i;
    bool joins = is_state(m, node, from, was->from, t->from) && is_state(m, node, from, was->to, t->to);
    if (joins && same_event(t, was) && earlier-- == 0) return i;
    if (joins && found < 0) found = i;
  }
  return found;
}

static void take_history(matching *m, int node, machine_state *s, int from, const machine_state *was) {
  int positions = (int)(sizeof s->history / sizeof *s->history), count = 0;
  for (int i = 0; i < positions && was->history[i] >= 0; i++) {
    int match = match_of(m, node, from, m->old->nodes[from].first_child + was->history[i]);
    if (match < 0) continue;
    s->stayed[count] = was->stayed[i];
    s->left_by[count] = take_transition(m, node, from, was->left_by[i]);
    s->history[count++] = match - new_node(m, node)->first_child;
  }
  while (count < positions) s->history[count++] = -1;
}

/* The state in `slot` that corresponds to an entry of the old machine; negative if it is gone. */
static int take_entry(matching *m, int node, machine_state *s, int slot, int from, machine_state *was,
                      const machine_entry *e, bool *whole) {
  int child = m->old->nodes[from].first_child + e->state, match = match_of(m, node, from, child);
  if (match < 0) return -1;
  void *state = machine_slot(m->frame.graph, node, s, slot);
  node_reset(&m->frame, match, state, NULL);
  *whole &= take_node(m, match, state, child, machine_slot(m->old, from, was, e->slot));
  return match - new_node(m, node)->first_child;
}

/* States that no longer exist are left out; if the present state is one of them, the machine starts again. */
static bool take_machine(matching *m, int node, machine_state *s, int from, machine_state *was) {
  machine_entry kept[GRAPH_ENTRIES];
  int count = 0;
  bool whole = true;
  if (match_of(m, node, from, m->old->nodes[from].first_child + top_of(was)->state) < 0) return false;
  for (int i = 0; i < was->count; i++) {
    machine_entry e = was->entries[i];
    e.state = take_entry(m, node, s, count, from, was, was->entries + i, &whole);
    e.slot = count;
    whole &= e.state >= 0;
    if (e.state >= 0) kept[count++] = e;
  }
  memcpy(s->entries, kept, (size_t)count * sizeof *kept);
  s->count = count;
  s->sync = was->sync;
  s->time = was->time;
  s->entered = was->entered;
  s->transitions = was->transitions;
  take_history(m, node, s, from, was);
  return whole;
}

static bool take_alike(matching *m, int node, void *state, int from, void *was) {
  const sinew_node_def *n = new_node(m, node);
  bool same = shows_the_same(n, m->old->nodes + from);
  if (class_of(n) == 2) return take_machine(m, node, state, from, was) && same;
  if (class_of(n) == 1) return take_space(m, node, state, from, was) && same;
  graph_refit_clip(state, was, n, m->frame.model->clips[n->clip].duration);
  return same;
}

static void *instance_of(const graph *g, int node, void *state, int child) {
  machine_state *m = state;
  return class_of(g->nodes + node) == 2 ? machine_slot(g, node, m, top_of(m)->slot) : node_child(g, state, child);
}

static bool is_active(const graph *g, int node, const void *state, int child) {
  return class_of(g->nodes + node) != 2 || g->nodes[node].first_child + top_of(state)->state == child;
}

/* Puts a new machine, wrapped around nodes that already play, into the state that plays them. */
static void enter_state(const graph_frame *f, int node, machine_state *m, int child) {
  int state = child - f->graph->nodes[node].first_child;
  if (top_of(m)->state == state) return;
  m->count = 1;
  m->entries[0] = (machine_entry){.state = state, .part = 1};
  node_reset(f, child, machine_slot(f->graph, node, m, 0), NULL);
}

static void take_around(matching *m, int node, void *state, int from, void *was, int child) {
  if (class_of(new_node(m, node)) == 2) enter_state(&m->frame, node, state, child);
  take_node(m, child, instance_of(m->frame.graph, node, state, child), from, was);
}

static bool take_node(matching *m, int node, void *state, int from, void *was) {
  int inner = -1, outer = -1;
  float alike = worth_alike(m, node, from);
  float within = find_within(m, node, from, &inner), around = find_around(m, node, from, &outer);
  if (alike > 0 && alike >= within && alike >= around) return take_alike(m, node, state, from, was);
  if (within > around && is_active(m->old, from, was, inner))
    take_node(m, node, state, inner, instance_of(m->old, from, was, inner));
  else if (around > 0) take_around(m, node, state, from, was, outer);
  return false;
}

/* ---- memory ---- */

static void carve(block *b, void *user) {
  const matching *asked = user;
  size_t nodes = (size_t)asked->frame.graph->node_count, from = (size_t)asked->old->node_count;
  matching *m = block_take(b, 1, sizeof *m), measured;
  matching *out = m ? m : &measured;
  out->shows = block_take(b, from, sizeof *out->shows);
  out->present = block_take(b, from, sizeof *out->present);
  out->worth = block_take(b, nodes * from, sizeof *out->worth);
  if (!m) return;
  m->frame = asked->frame;
  m->old = asked->old;
  for (size_t i = 0; i < nodes * from; i++) m->worth[i] = -1;
}

/* Without memory for the match everything starts again, except clips that are seen playing. */
static bool take_over(const matching *asked) {
  matching *m = block_create(carve, (void *)(uintptr_t)asked, "the counterparts of a graph's nodes", NULL);
  if (!m) return false;
  weigh(m);
  bool same = take_node(m, 0, m->frame.graph->state, 0, m->old->state);
  block_release(m);
  return same;
}

bool graph_take_over(graph *g, const sinew_model *model, const double *params, const graph *old,
                     const graph_seen *seen) {
  matching asked = {.frame = {.graph = g, .model = model, .params = params, .seen = seen}, .old = old};
  node_reset(&asked.frame, 0, g->state, NULL);
  return old && take_over(&asked);
}
