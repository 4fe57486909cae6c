/* Describes what an edit has changed in a graph, in terms of the graph. */
#include "declare/declarations.h"

#include <stdio.h>
#include <string.h>

/* A definition, with the model of its clips. */
typedef struct side {
  const sinew_graph_def *def;
  const sinew_model *model;
} side;

typedef struct tale {
  declarations *all;
  const char *name; /* of the actor or the crowd */
  side last, next;
  graph_param_name *param;
  const void *owner;
  int match[NODE_LIMIT]; /* for each node of `last`, its match among the children of its parent's counterpart, or -1 */
  int counterpart[NODE_LIMIT];              /* the same, or the node in which it is now nested; or -1 */
  bool goes[NODE_LIMIT], comes[NODE_LIMIT]; /* of `last`; of `next`: without a counterpart */
  bool by_clips;                            /* matches children by their clips, not by name */
} tale;

static const sinew_node_def *node_of(side s, int node) { return s.def->nodes + node; }
static int end_of(const sinew_node_def *n) { return n->first_child + n->child_count; }

/* The name of a node is its key; that of a clip is its own. */
static const char *name_of(side s, int node) {
  const sinew_node_def *n = node_of(s, node);
  if (n->key) return n->key;
  return n->kind == SINEW_NODE_CLIP && n->clip >= 0 ? sinew_clip_name(sinew_model_clip(s.model, n->clip))
                                                    : node_makers[n->kind];
}

static bool same_name(side a, int x, side b, int y) { return strcmp(name_of(a, x), name_of(b, y)) == 0; }

static bool same_key(side a, int x, side b, int y) {
  return !node_of(a, x)->key == !node_of(b, y)->key && same_name(a, x, b, y);
}

/* Whether they have the same clips below in the same order. */
static bool plays_alike(side a, int x, side b, int y) {
  const sinew_node_def *n = node_of(a, x), *m = node_of(b, y);
  bool alike = n->kind == m->kind && n->child_count == m->child_count;
  if (alike && n->kind == SINEW_NODE_CLIP)
    return strcmp(sinew_clip_name(sinew_model_clip(a.model, n->clip)),
                  sinew_clip_name(sinew_model_clip(b.model, m->clip))) == 0;
  for (int i = 0; alike && i < n->child_count; i++) alike = plays_alike(a, n->first_child + i, b, m->first_child + i);
  return alike;
}

/* Whether it is the same node, even if it or one of its children has another name: most of the children's names agree.
 */
static bool is_like(side a, int x, side b, int y) {
  const sinew_node_def *n = node_of(a, x), *m = node_of(b, y);
  int shared = 0, most = n->child_count > m->child_count ? n->child_count : m->child_count;
  if (n->kind != m->kind) return false;
  if (n->kind == SINEW_NODE_CLIP || plays_alike(a, x, b, y)) return plays_alike(a, x, b, y);
  for (int i = n->first_child; i < end_of(n); i++) {
    bool found = false;
    for (int k = m->first_child; k < end_of(m); k++) found = found || same_name(a, i, b, k);
    shared += found;
  }
  return 2 * shared > most;
}

/* The node below `outer` that is like the inner one, or -1. */
static int find_inside(side a, int outer, side b, int inner) {
  const sinew_node_def *n = node_of(a, outer);
  int found = -1;
  for (int i = n->first_child; i < end_of(n) && found < 0; i++)
    found = is_like(a, i, b, inner) ? i : find_inside(a, i, b, inner);
  return found;
}

static bool same_key_and_clips(side a, int x, side b, int y) { return same_key(a, x, b, y) && plays_alike(a, x, b, y); }

typedef bool alike(side a, int x, side b, int y);

static bool any_position(side a, int x, side b, int y) {
  (void)a, (void)x, (void)b, (void)y;
  return true;
}

static bool is_taken(const tale *t, int parent, int node) {
  const sinew_node_def *p = node_of(t->last, parent);
  for (int i = p->first_child; i < end_of(p); i++)
    if (t->match[i] == node) return true;
  return false;
}

/* Pairs similar children, in order; with `placed`, only those at the same position. */
static void pair_children(tale *t, int last, int next, alike *are, bool placed) {
  const sinew_node_def *a = node_of(t->last, last), *b = node_of(t->next, next);
  for (int i = a->first_child; i < end_of(a); i++)
    for (int k = b->first_child; k < end_of(b) && t->match[i] < 0; k++) {
      bool here = !placed || i - a->first_child == k - b->first_child;
      if (here && !is_taken(t, last, k) && are(t->last, i, t->next, k)) t->match[i] = k;
    }
}

/* ---- values ---- */

static bool is_blended(side s, int node) {
  for (int i = 0; i < node; i++) {
    const sinew_node_def *n = node_of(s, i);
    if (n->kind == SINEW_NODE_BLEND && node >= n->first_child && node < end_of(n)) return true;
  }
  return false;
}

static bool same_field(const char *name, const sinew_node_def *a, const sinew_node_def *b) {
  return field_same(kind_field(&kind_node, name), a, b);
}

static const char *param_of(const tale *t, int index) { return index < 0 ? "none" : t->param(t->owner, index); }

static void print_weight(const tale *t, const sinew_node_def *n, char out[DECLARED_NAME]) {
  if (n->weight_param < 0) snprintf(out, DECLARED_NAME, "%g", n->x);
  else declarations_copy(out, DECLARED_NAME, param_of(t, n->weight_param));
}

/* The weight of a blend's child: a number or a parameter. */
static void tell_weight(const tale *t, int last, const sinew_node_def *a, const sinew_node_def *b) {
  char before[DECLARED_NAME], after[DECLARED_NAME];
  if (same_field("x", a, b) && same_field("weight parameter", a, b)) return;
  print_weight(t, a, before);
  print_weight(t, b, after);
  declarations_note(t->all, "%s graph, %s: weight %s → %s", t->name, name_of(t->last, last), before, after);
}

static void tell_param(const tale *t, int last, const char *field, const sinew_node_def *a, const sinew_node_def *b,
                       int before, int after) {
  if (!same_field(field, a, b))
    declarations_note(t->all, "%s graph, %s: %s %s → %s", t->name, name_of(t->last, last), field, param_of(t, before),
                      param_of(t, after));
}

/* The parent describes a node's position, weight and key. */
static void tell_value(const tale *t, int last, int next) {
  const sinew_node_def *a = node_of(t->last, last), *b = node_of(t->next, next);
  sinew_node_def told = *b;
  bool moved = t->match[last] != next;
  bool blended = !moved && is_blended(t->last, last) && is_blended(t->next, next);
  if (blended || moved) told.x = a->x;
  if (moved) told.y = a->y, told.key = a->key;
  declarations_tell_values(t->all, &kind_node, &(told_values){a, t->last.model}, &(told_values){&told, t->next.model},
                           "%s graph, %s", t->name, name_of(t->last, last));
  if (blended) tell_weight(t, last, a, b);
  tell_param(t, last, "parameter", a, b, a->param_x, b->param_x);
  tell_param(t, last, "parameter y", a, b, a->param_y, b->param_y);
  tell_param(t, last, "match_param", a, b, a->match_param, b->match_param);
}

/* Whether a node has become that one; -1 stands for any state. */
static bool is_now(const tale *t, int last, int next) {
  if (last < 0 || next < 0) return last < 0 && next < 0;
  return t->match[last] == next || t->counterpart[last] == next;
}

static void tell_start(const tale *t, int last) {
  const sinew_node_def *a = node_of(t->last, last);
  if (a->kind != SINEW_NODE_MACHINE || t->counterpart[last] < 0) return;
  const sinew_node_def *b = node_of(t->next, t->counterpart[last]);
  int from = a->first_child + a->start, to = b->first_child + b->start;
  if (b->kind == SINEW_NODE_MACHINE && !is_now(t, from, to))
    declarations_note(t->all, "%s graph: start %s → %s", t->name, name_of(t->last, from), name_of(t->next, to));
}

static void tell_order(const tale *t, int last) {
  const sinew_node_def *a = node_of(t->last, last);
  bool moved = false;
  if (a->kind == SINEW_NODE_MACHINE) return; /* its states have names, and no order */
  for (int i = a->first_child, most = -1; i < end_of(a); i++) {
    moved = moved || (t->match[i] >= 0 && t->match[i] < most);
    most = t->match[i] > most ? t->match[i] : most;
  }
  if (moved) declarations_note(t->all, "%s graph, %s: in another order", t->name, name_of(t->last, last));
}

static void tell_pair(tale *t, int last, int next);

static void tell_children(tale *t, int last, int next) {
  const sinew_node_def *a = node_of(t->last, last), *b = node_of(t->next, next);
  bool alone = a->child_count == 1 && b->child_count == 1;
  t->counterpart[last] = next;
  if (t->by_clips) {
    pair_children(t, last, next, same_key_and_clips, false);
    pair_children(t, last, next, plays_alike, false);
    pair_children(t, last, next, is_like, false);
  }
  pair_children(t, last, next, same_key, true);
  pair_children(t, last, next, same_key, false);
  pair_children(t, last, next, plays_alike, false);
  if (alone || a->child_count == b->child_count) pair_children(t, last, next, any_position, true);
  tell_value(t, last, next);
  for (int i = a->first_child; i < end_of(a); i++) {
    t->goes[i] = t->match[i] < 0;
    if (t->match[i] >= 0) tell_pair(t, i, t->match[i]);
  }
  for (int i = b->first_child; i < end_of(b); i++) t->comes[i] = !is_taken(t, last, i);
  tell_order(t, last);
}

static int parent_of(side s, int node) {
  int i = 0;
  while (node < node_of(s, i)->first_child || node >= end_of(node_of(s, i))) i++;
  return i;
}

/* Marks the nodes beside the path from a node down to one inside it. */
static void mark_beside(side s, int outer, int inner, bool marks[]) {
  for (int at = inner; at != outer; at = parent_of(s, at)) {
    const sinew_node_def *n = node_of(s, parent_of(s, at));
    for (int i = n->first_child; i < end_of(n); i++) marks[i] = i != at;
  }
}

/* The kind has changed, and the old node continues inside the new one, or the other way round. */
static void tell_kind(tale *t, int last, int next) {
  const sinew_node_def *a = node_of(t->last, last), *b = node_of(t->next, next);
  const char *key = a->key && b->key && strcmp(a->key, b->key) == 0 ? a->key : NULL;
  int inner = find_inside(t->next, next, t->last, last);
  int outer = inner < 0 ? find_inside(t->last, last, t->next, next) : -1;
  if (key) declarations_note(t->all, "%s graph, %s: %s → %s", t->name, key, node_makers[a->kind], node_makers[b->kind]);
  else declarations_note(t->all, "%s graph: %s → %s", t->name, name_of(t->last, last), name_of(t->next, next));
  if (inner >= 0) mark_beside(t->next, next, inner, t->comes), tell_children(t, last, inner);
  if (outer >= 0) mark_beside(t->last, last, outer, t->goes), tell_children(t, outer, next);
}

static void tell_pair(tale *t, int last, int next) {
  t->match[last] = t->counterpart[last] = next;
  if (node_of(t->last, last)->kind == node_of(t->next, next)->kind) tell_children(t, last, next);
  else tell_kind(t, last, next);
}

static bool has_counterpart(const tale *t, int node) {
  bool found = false;
  for (int i = 0; i < t->last.def->node_count; i++) found = found || is_now(t, i, node);
  return found;
}

/* Reports a state that has moved to another machine. */
static void tell_moves(tale *t) {
  for (int i = 1; i < t->last.def->node_count; i++)
    for (int k = 1; k < t->next.def->node_count && t->counterpart[i] < 0; k++) {
      bool same = node_of(t->last, i)->key && same_key(t->last, i, t->next, k);
      if (!same || !is_like(t->last, i, t->next, k) || has_counterpart(t, k)) continue;
      t->goes[i] = t->comes[k] = false;
      declarations_note(t->all, "%s graph: %s is in %s now", t->name, name_of(t->last, i),
                        name_of(t->next, parent_of(t->next, k)));
      tell_children(t, i, k);
    }
}

static void tell_fates(const tale *t) {
  for (int i = 1; i < t->last.def->node_count; i++)
    if (t->goes[i]) declarations_tell_fate(t->all, FATE_GOES, "%s graph: %s", t->name, name_of(t->last, i));
  for (int i = 1; i < t->next.def->node_count; i++)
    if (t->comes[i]) declarations_tell_fate(t->all, FATE_COMES, "%s graph: %s", t->name, name_of(t->next, i));
}

/* ---- transitions ---- */

/* The machine whose states the transition joins. */
static int machine_of(side s, int transition) {
  for (int i = 0; i < s.def->node_count; i++) {
    const sinew_node_def *n = node_of(s, i);
    int position = transition - n->first_transition;
    if (n->kind == SINEW_NODE_MACHINE && position >= 0 && position < n->transition_count) return i;
  }
  return 0;
}

/* The node of a state; -1: any. */
static int state_of(side s, int transition, int state) {
  return state < 0 ? -1 : node_of(s, machine_of(s, transition))->first_child + state;
}

static void name_transition(side s, int transition, char *out, size_t size) {
  const sinew_transition_def *t = s.def->transitions + transition;
  int from = state_of(s, transition, t->from), to = state_of(s, transition, t->to);
  snprintf(out, size, "%s → %s", from < 0 ? "*" : name_of(s, from), name_of(s, to));
}

static bool joins_the_same(const tale *t, int last, int next) {
  const sinew_transition_def *a = t->last.def->transitions + last, *b = t->next.def->transitions + next;
  bool any = a->from < 0 && !is_now(t, machine_of(t->last, last), machine_of(t->next, next));
  return !any && is_now(t, state_of(t->last, last, a->to), state_of(t->next, next, b->to)) &&
         is_now(t, state_of(t->last, last, a->from), state_of(t->next, next, b->from));
}

/* The transition that joins the same states; of several, an equal one, else the one at the same position among them. */
static int find_transition(const tale *t, int last, const bool taken[]) {
  const sinew_transition_def *a = t->last.def->transitions + last;
  int found = -1;
  for (int i = 0; i < t->next.def->transition_count; i++) {
    if (taken[i] || !joins_the_same(t, last, i)) continue;
    const sinew_transition_def *b = t->next.def->transitions + i;
    bool same_event = (a->event && b->event) ? strcmp(a->event, b->event) == 0 : a->event == b->event;
    if (same_event) return i;
    if (found < 0) found = i;
  }
  return found;
}

/* Whether a transition before it in the same machine is now behind it. */
static bool is_reordered(const tale *t, int last, const int match[]) {
  bool reordered = false;
  for (int i = 0; i < last; i++)
    reordered = reordered || (match[i] > match[last] && machine_of(t->last, i) == machine_of(t->last, last) &&
                              machine_of(t->next, match[i]) == machine_of(t->next, match[last]));
  return reordered;
}

static void tell_matched(const tale *t, int last, const int match[], const char *name) {
  declarations_tell_values(t->all, &kind_transition, &(told_values){t->last.def->transitions + last, NULL},
                           &(told_values){t->next.def->transitions + match[last], NULL}, "%s graph, %s", t->name, name);
  if (is_reordered(t, last, match)) declarations_note(t->all, "%s graph: %s in another order", t->name, name);
}

/* Transitions of a machine that is new or gone with all of its states are not reported separately. */
static void tell_transitions(const tale *t) {
  bool taken[NODE_TRANSITIONS] = {0};
  int match[NODE_TRANSITIONS];
  char name[2 * DECLARED_NAME];
  for (int i = 0; i < t->last.def->transition_count; i++) {
    int to = state_of(t->last, i, t->last.def->transitions[i].to), machine = machine_of(t->last, i);
    match[i] = find_transition(t, i, taken);
    name_transition(t->last, i, name, sizeof name);
    if (match[i] >= 0) taken[match[i]] = true, tell_matched(t, i, match, name);
    else if (t->counterpart[machine] >= 0 || t->counterpart[to] >= 0)
      declarations_tell_fate(t->all, FATE_GOES, "%s graph: %s", t->name, name);
  }
  for (int i = 0; i < t->next.def->transition_count; i++) {
    int to = state_of(t->next, i, t->next.def->transitions[i].to), machine = machine_of(t->next, i);
    name_transition(t->next, i, name, sizeof name);
    if (!taken[i] && (has_counterpart(t, machine) || has_counterpart(t, to)))
      declarations_tell_fate(t->all, FATE_COMES, "%s graph: %s", t->name, name);
  }
}

/* Reports all changes, and returns their number. */
static int tell_all(tale *t) {
  int before = t->all->changes;
  for (int i = 0; i < NODE_LIMIT; i++) t->match[i] = t->counterpart[i] = -1, t->goes[i] = t->comes[i] = false;
  tell_pair(t, 0, 0);
  tell_moves(t);
  for (int i = 0; i < t->last.def->node_count; i++) tell_start(t, i);
  tell_fates(t);
  tell_transitions(t);
  return t->all->changes - before;
}

/* If states swap their names, two messages are true; the shorter one is printed. */
static void tell_shortest(tale *t) {
  declarations *all = t->all;
  int changes = all->changes, untold = all->untold;
  size_t told = strlen(all->summary);
  for (int turn = 0, most = 0; turn < 3; turn++) {
    all->changes = changes, all->untold = untold, all->summary[told] = 0;
    t->by_clips = turn == 1;
    int count = tell_all(t);
    bool shorter = turn == 1 && count < most;
    if (count < 2 || shorter || turn == 2) return;
    if (turn == 0) most = count;
  }
}

void declarations_tell_graph(declarations *all, const char *name, const graph_copy *last, const sinew_model *last_model,
                             const graph_copy *next, const sinew_model *next_model, graph_param_name *param,
                             const void *owner) {
  tale t = {.all = all, .name = name, .param = param, .owner = owner};
  if (!last || !next) {
    if (last || next) declarations_tell_fate(all, next ? FATE_COMES : FATE_GOES, "%s: its graph", name);
    return;
  }
  t.last = (side){&last->def, last_model};
  t.next = (side){&next->def, next_model};
  tell_shortest(&t);
}
