/* Actors, crowds and parameters that a save gives another name. Everything about them is found by their names, so they
 * get the new names first, and then the load runs again: it finds them, and compares all they have as ever. */
#include "declare/kinds/declared_crowd.h"

#include <string.h>

typedef struct renamed_declaration {
  char *name; /* in the record */
  char from[DECLARED_NAME];
  actor_record *actor; /* that it is, or whose parameter it is; NULL for a crowd's */
  const char *owner;   /* of a parameter */
} renamed_declaration;

static const sinew_model *model_of(const declarations *all, const declaration_list *list, const declaration *d) {
  if (list == &all->actors)
    return d->next_set ? ((const actor_record *)d)->next_model : ((const actor_record *)d)->model;
  const crowd_record *crowd = (const crowd_record *)d;
  return d->next_set ? crowd->next.model : crowd->last.model;
}

static bool goes(const declaration *d) { return d->declared && !d->next_set && !declaration_is_kept(d); }
static bool comes(const declaration *d) {
  return d->next_set && !d->declared && !d->runtime && !declaration_is_kept(d);
}

/* One that comes in place of `d`: as many of its model come as go, or as many stand in its line. They follow each other
 * in the same order. */
static declaration *find_partner(const declarations *all, const declaration_list *list, const declaration *d) {
  const sinew_model *model = model_of(all, list, d);
  declaration *alike = NULL, *in_line = NULL;
  int before = 0, before_in_line = 0, going = 0, coming = 0, coming_in_line = 0;
  bool passed = false;
  for (int i = 0; i < list->count; i++) {
    const declaration *other = list->items[i];
    passed = passed || other == d;
    if (!goes(other) || model_of(all, list, other) != model) continue;
    going++;
    before += !passed;
    before_in_line += !passed && strcmp(other->line, d->line) == 0;
  }
  for (int i = 0; i < list->count; i++) {
    declaration *other = list->items[i];
    if (!comes(other) || model_of(all, list, other) != model) continue;
    if (coming++ == before) alike = other;
    if (strcmp(other->next_line, d->line) == 0 && coming_in_line++ == before_in_line) in_line = other;
  }
  return going == coming ? alike : in_line;
}

/* The one that comes has the old name then, and takes it along when the load is undone. */
static void swap_names(declarations *all, char *name, char *other, actor_record *actor, const char *owner) {
  renamed_declaration *r = declarations_allocate(all, sizeof *r);
  if (!r || !declarations_append(all, &all->renames, &all->rename_count, &all->rename_capacity, r)) {
    declarations_free(all, r);
    return;
  }
  *r = (renamed_declaration){.name = name, .actor = actor, .owner = owner};
  memcpy(r->from, name, DECLARED_NAME);
  memcpy(name, other, DECLARED_NAME);
  memcpy(other, r->from, DECLARED_NAME);
}

static bool any_comes(const declaration_list *list) {
  for (int i = 0; i < list->count; i++)
    if (comes(list->items[i])) return true;
  return false;
}

static void rename_all(declarations *all, declaration_list *list) {
  for (int i = 0; i < list->count && any_comes(list); i++) {
    declaration *d = list->items[i], *other = goes(d) ? find_partner(all, list, d) : NULL;
    if (other) swap_names(all, d->name, other->name, list == &all->actors ? (actor_record *)d : NULL, NULL);
  }
  declaration_find_by_new_names(all, list);
}

/* ---- parameters: one is another's where it drives what that did, wherever it lies in the graph now ---- */

enum { PARAM_ROLES = 3 };

static int role_of(const sinew_node_def *n, int role) {
  const int params[PARAM_ROLES] = {n->param_x, n->param_y, n->weight_param};
  return params[role];
}

/* A switch takes its parameter for a number of a child. */
static bool is_alike(const sinew_node_def *a, const sinew_node_def *b, int role) {
  return role == PARAM_ROLES - 1 || (a->kind == SINEW_NODE_SWITCH) == (b->kind == SINEW_NODE_SWITCH);
}

static bool plays(const sinew_graph_def *def, int node, int clip) {
  const sinew_node_def *n = def->nodes + node;
  bool found = n->kind == SINEW_NODE_CLIP && n->clip == clip;
  for (int i = 0; i < n->child_count && !found; i++) found = plays(def, n->first_child + i, clip);
  return found;
}

/* How many clips lie below the node, more than those below the other: each counts 1, and -1 where it is there, too. */
static int count_others(const sinew_graph_def *def, int node, const sinew_graph_def *other, int there) {
  const sinew_node_def *n = def->nodes + node;
  int count = n->kind != SINEW_NODE_CLIP ? 0 : plays(other, there, n->clip) ? -1 : 1;
  for (int i = 0; i < n->child_count; i++) count += count_others(def, n->first_child + i, other, there);
  return count;
}

/* Most of the clips below each are below the other. */
static bool plays_alike(const sinew_graph_def *last, int a, const sinew_graph_def *next, int b) {
  return count_others(last, a, next, b) < 0 && count_others(next, b, last, a) < 0;
}

/* Whether each node that `from` drives in that role has one that `to` drives, with about the same clips. */
static bool drives_all(const sinew_graph_def *last, int from, const sinew_graph_def *next, int to, int role,
                       int *driven) {
  bool all = true;
  for (int i = 0; i < last->node_count && all; i++) {
    if (role_of(last->nodes + i, role) != from) continue;
    bool found = false;
    for (int k = 0; k < next->node_count && !found; k++)
      found = role_of(next->nodes + k, role) == to && is_alike(last->nodes + i, next->nodes + k, role) &&
              plays_alike(last, i, next, k);
    all = found;
    ++*driven;
  }
  return all;
}

/* How many nodes; -1 where something else drives one. */
static int count_driven(const sinew_graph_def *last, const sinew_graph_def *next, int from, int to) {
  int driven = 0, ignored = 0;
  bool all = true;
  for (int role = 0; role < PARAM_ROLES && all; role++)
    all = drives_all(last, from, next, to, role, &driven) && drives_all(next, to, last, from, role, &ignored);
  return all ? driven : -1;
}

static bool drives_as(const actor_record *actor, int from, int to) {
  int driven = 0;
  for (int i = 0; i < actor->parts[PART_GRAPHS].count && driven >= 0; i++) {
    const graph_copy *last = graph_at(actor, i)->last, *next = graph_at(actor, i)->next;
    if (!last || !next) continue;
    int more = count_driven(&last->def, &next->def, from, to);
    driven = more < 0 ? -1 : driven + more;
  }
  return driven > 0;
}

/* Up to two of those that go, or that come, and that drive what this one does: the index of the last, and how many. */
static int count_alike(const actor_record *actor, int param, bool (*is)(const declaration *d), int *last) {
  const declaration_list *list = &actor->parts[PART_PARAMS];
  int count = 0;
  for (int i = 0; i < list->count && count < 2; i++) {
    bool alike = is(list->items[i]) && (is == comes ? drives_as(actor, param, i) : drives_as(actor, i, param));
    if (alike) *last = i, count++;
  }
  return count;
}

static void rename_params(declarations *all, actor_record *actor) {
  const declaration_list *list = &actor->parts[PART_PARAMS];
  for (int from = 0; from < list->count; from++) {
    int to = -1, back = -1;
    bool one = goes(list->items[from]) && count_alike(actor, from, comes, &to) == 1;
    if (one && count_alike(actor, to, goes, &back) == 1)
      swap_names(all, list->items[from]->name, list->items[to]->name, actor, actor->head.name);
  }
}

static void rename_crowd_params(declarations *all, crowd_record *crowd) {
  const graph_copy last = crowd_values_graph(&crowd->last), next = crowd_values_graph(&crowd->next);
  uint32_t go = crowd->last.given & ~crowd->next.given, come = crowd->next.given & ~crowd->last.given;
  for (int from = 0; from < crowd->param_count; from++)
    for (int to = 0; to < crowd->param_count && go >> from & 1; to++)
      if (come >> to & 1 && count_driven(&last.def, &next.def, from, to) > 0) {
        swap_names(all, crowd->params[from], crowd->params[to], NULL, crowd->head.name);
        break;
      }
}

static bool stays(const declaration *d) { return d->next_set && d->declared; }

bool declarations_rename(declarations *all) {
  int before = all->rename_count;
  rename_all(all, &all->actors);
  rename_all(all, &all->crowds);
  for (int i = 0; i < all->actors.count; i++)
    if (stays(all->actors.items[i]) && any_comes(&actor_at(all, i)->parts[PART_PARAMS]))
      rename_params(all, actor_at(all, i));
  for (int i = 0; i < all->crowds.count; i++)
    if (stays(all->crowds.items[i])) rename_crowd_params(all, crowd_at(all, i));
  return all->rename_count > before;
}

/* ---- the load that runs again ---- */

static void forget_renames(declarations *all) {
  for (int i = 0; i < all->rename_count; i++) declarations_free(all, all->renames[i]);
  declarations_free(all, all->renames);
  all->renames = NULL;
  all->rename_count = all->rename_capacity = 0;
}

void declarations_rename_back(declarations *all) {
  for (int i = 0; i < all->rename_count; i++) memcpy(all->renames[i]->name, all->renames[i]->from, DECLARED_NAME);
  declaration_find_by_new_names(all, &all->actors);
  declaration_find_by_new_names(all, &all->crowds);
  forget_renames(all);
}

void declarations_commit_renames(declarations *all) {
  for (int i = 0; i < all->rename_count; i++) {
    const renamed_declaration *r = all->renames[i];
    const crowd_record *crowd = !r->owner && !r->actor ? declarations_find_crowd(all, r->name) : NULL;
    if (crowd) sinew_crowd_set_name(all->stage, crowd->body.crowd, r->name);
    declarations_note(all, "%s%s%s is called %s now", r->owner ? r->owner : "", r->owner ? "." : "", r->from, r->name);
    if (r->owner && r->actor) declarations_join_params(all, r->actor);
    else if (r->actor) sinew_actor_set_name(all->stage, r->actor->actor, r->name);
  }
  forget_renames(all);
}
