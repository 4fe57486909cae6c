/* What an edit has changed in a graph, in the words of the graph. */
#include "declare/world.h"

#include <stdio.h>
#include <string.h>

/* A node is called by its key, a clip by its own name. */
static const char *name_of(const graph_copy *g, const sinew_model *model, int node) {
  static const char *const kinds[] = {"clip", "blend", "blend_space_1d", "blend_space_2d", "switch", "state_machine"};
  const sinew_node_def *n = g->def.nodes + node;
  if (n->key) return n->key;
  if (n->kind == SINEW_NODE_CLIP && n->clip >= 0) return sinew_clip_name(sinew_model_clip(model, n->clip));
  return kinds[n->kind];
}

static int find_key(const graph_copy *g, int parent, const char *key) {
  const sinew_node_def *p = g->def.nodes + parent;
  for (int c = p->first_child; c < p->first_child + p->child_count; c++)
    if (g->def.nodes[c].key && strcmp(g->def.nodes[c].key, key) == 0) return c;
  return -1;
}

/* The child without a key that is called as `child` is, of several the one in the same order; or -1. */
static int find_named(const graph_copy *g, int parent, const graph_copy *other, int other_parent, int child,
                      const sinew_model *model) {
  const sinew_node_def *p = g->def.nodes + parent;
  const char *name = name_of(other, model, child);
  int before = 0;
  for (int c = other->def.nodes[other_parent].first_child; c < child; c++)
    before += !other->def.nodes[c].key && strcmp(name_of(other, model, c), name) == 0;
  for (int c = p->first_child; c < p->first_child + p->child_count; c++) {
    bool same = !g->def.nodes[c].key && strcmp(name_of(g, model, c), name) == 0;
    if (same && before-- == 0) return c;
  }
  return -1;
}

/* The child that stands where `child` stands in another: by key, by name, else in the same place. */
static int find_child(const graph_copy *g, int parent, const graph_copy *other, int other_parent, int child,
                      const sinew_model *model) {
  const sinew_node_def *p = g->def.nodes + parent, *n = other->def.nodes + child;
  int place = child - other->def.nodes[other_parent].first_child;
  if (n->key) return find_key(g, parent, n->key);
  int named = find_named(g, parent, other, other_parent, child, model);
  if (named >= 0 || place >= p->child_count || g->def.nodes[p->first_child + place].key) return named;
  bool free = find_named(other, other_parent, g, parent, p->first_child + place, model) < 0;
  return free ? p->first_child + place : -1;
}

typedef struct graph_edit {
  world *w;
  const actor_record *record;
  const graph_copy *last, *next;
} graph_edit;

static void tell_node(const graph_edit *e, int last, int next) {
  char changes[320];
  const sinew_node_def *a = e->last->def.nodes + last, *b = e->next->def.nodes + next;
  const sinew_model *model = e->record->model;
  if (a->kind != b->kind) {
    world_note(e->w, "%s graph: %s → %s", e->record->name, name_of(e->last, model, last),
               name_of(e->next, model, next));
    return;
  }
  if (kind_tell(&kind_node, a, model, b, model, changes, sizeof changes))
    world_note(e->w, "%s graph, %s: %s", e->record->name, name_of(e->last, model, last), changes);
  if (a->kind == SINEW_NODE_MACHINE) {
    const char *from = name_of(e->last, model, a->first_child + a->start),
               *to = name_of(e->next, model, b->first_child + b->start);
    if (strcmp(from, to) != 0) world_note(e->w, "%s graph: start %s → %s", e->record->name, from, to);
  }
}

static void tell_children(const graph_edit *e, int last, int next);

static void tell_pair(const graph_edit *e, int last, int next) {
  tell_node(e, last, next);
  if (e->last->def.nodes[last].kind == e->next->def.nodes[next].kind) tell_children(e, last, next);
}

static void tell_children(const graph_edit *e, int last, int next) {
  const sinew_node_def *a = e->last->def.nodes + last, *b = e->next->def.nodes + next;
  const sinew_model *model = e->record->model;
  for (int c = a->first_child; c < a->first_child + a->child_count; c++) {
    int match = find_child(e->next, next, e->last, last, c, model);
    if (match >= 0) tell_pair(e, c, match);
    else world_note(e->w, "%s graph: %s is gone", e->record->name, name_of(e->last, model, c));
  }
  for (int c = b->first_child; c < b->first_child + b->child_count; c++)
    if (find_child(e->last, last, e->next, next, c, model) < 0)
      world_note(e->w, "%s graph: %s joins", e->record->name, name_of(e->next, model, c));
}

/* ---- transitions ---- */

/* Whose states the transition joins. */
static int machine_of(const graph_copy *g, int transition) {
  for (int i = 0; i < g->def.node_count; i++) {
    const sinew_node_def *n = g->def.nodes + i;
    int place = transition - n->first_transition;
    if (n->kind == SINEW_NODE_MACHINE && place >= 0 && place < n->transition_count) return i;
  }
  return 0;
}

static void name_transition(const graph_copy *g, const sinew_model *model, int transition, char *out, size_t size) {
  const sinew_transition_def *t = g->def.transitions + transition;
  int first = g->def.nodes[machine_of(g, transition)].first_child;
  snprintf(out, size, "%s → %s", t->from < 0 ? "*" : name_of(g, model, first + t->from),
           name_of(g, model, first + t->to));
}

/* The one that joins the same states, and of several of these the one in the same order. */
static int find_transition(const graph_copy *g, const graph_copy *other, const sinew_model *model, int transition) {
  char name[2 * WORLD_NAME], candidate[2 * WORLD_NAME];
  int before = 0;
  name_transition(other, model, transition, name, sizeof name);
  for (int i = 0; i < transition; i++) {
    name_transition(other, model, i, candidate, sizeof candidate);
    before += strcmp(name, candidate) == 0;
  }
  for (int i = 0; i < g->def.transition_count; i++) {
    name_transition(g, model, i, candidate, sizeof candidate);
    if (strcmp(name, candidate) == 0 && before-- == 0) return i;
  }
  return -1;
}

static void tell_transitions(const graph_edit *e) {
  char name[2 * WORLD_NAME], changes[320];
  const sinew_model *model = e->record->model;
  for (int i = 0; i < e->last->def.transition_count; i++) {
    int match = find_transition(e->next, e->last, model, i);
    name_transition(e->last, model, i, name, sizeof name);
    if (match < 0) {
      world_note(e->w, "%s graph: %s is gone", e->record->name, name);
    } else if (kind_tell(&kind_transition, e->last->def.transitions + i, model, e->next->def.transitions + match, model,
                         changes, sizeof changes)) {
      world_note(e->w, "%s graph, %s: %s", e->record->name, name, changes);
    } else if (match != i) {
      world_note(e->w, "%s graph: %s stands elsewhere", e->record->name, name);
    }
  }
  for (int i = 0; i < e->next->def.transition_count; i++) {
    name_transition(e->next, model, i, name, sizeof name);
    if (find_transition(e->last, e->next, model, i) < 0) world_note(e->w, "%s graph: %s joins", e->record->name, name);
  }
}

void world_tell_graph(world *w, const actor_record *record, const graph_copy *last, const graph_copy *next) {
  graph_edit e = {w, record, last, next};
  int before = w->changes;
  if (!last || !next) {
    world_note(w, "%s: its graph %s", record->name, next ? "joins" : "is gone");
    return;
  }
  tell_pair(&e, 0, 0);
  tell_transitions(&e);
  if (w->changes == before) world_note(w, "%s has another graph", record->name);
}
