/* Actors, crowds and parameters that a save gives another name. Everything about them is found by their names, so they
 * get the new names first, and then the load runs again: it finds them, and compares all they have as ever. */
#include "declare/kinds/declared_crowd.h"

#include <string.h>

typedef struct renamed_declaration {
  char *name; /* in the record */
  char from[DECLARED_NAME], to[DECLARED_NAME];
  actor_record *actor; /* that it is, or whose parameter it is; NULL for a crowd's */
  const char *owner;   /* of a parameter */
} renamed_declaration;

static const sinew_model *model_of(const declarations *all, const declaration_list *list, const declaration *d,
                                   bool next) {
  if (list == &all->actors) return next ? ((const actor_record *)d)->next_model : ((const actor_record *)d)->model;
  return next ? ((const crowd_record *)d)->next.model : ((const crowd_record *)d)->last.model;
}

typedef struct spelled_name {
  char from[DECLARED_NAME], to[DECLARED_NAME];
} spelled_name;

enum { SPELLED = 256 };

void declarations_spell(declarations *all, const char *from, const char *to) {
  spelled_name *n = all->spelled_count < SPELLED ? declarations_allocate(all, sizeof *n) : NULL;
  if (!n) return;
  declarations_copy(n->from, sizeof n->from, from);
  declarations_copy(n->to, sizeof n->to, to);
  if (!declarations_append(all, &all->spelled, &all->spelled_count, &all->spelled_capacity, n))
    declarations_free(all, n);
}

static void forget_items(declarations *all, void *items, int *count, int *capacity) {
  void **array;
  memcpy(&array, items, sizeof array);
  for (int i = 0; i < *count; i++) declarations_free(all, array[i]);
  declarations_free(all, array);
  memset(items, 0, sizeof array);
  *count = *capacity = 0;
}

static const char *spelled(const declarations *all, const char *name) {
  for (int i = 0; i < all->spelled_count; i++)
    if (strcmp(all->spelled[i]->from, name) == 0) return all->spelled[i]->to;
  return NULL;
}

static bool goes(const declaration *d) { return d->declared && !d->next_set && !declaration_is_kept(d); }
static bool comes(const declaration *d) {
  return d->next_set && !d->declared && !d->runtime && !declaration_is_kept(d);
}

/* One that comes in place of `d`: as many of its model come as go, or as many stand in its line. They follow each other
 * in the same order. */
static declaration *find_partner(const declarations *all, const declaration_list *list, const declaration *d) {
  const sinew_model *model = model_of(all, list, d, false);
  declaration *alike = NULL, *in_line = NULL;
  int before = 0, before_in_line = 0, going = 0, coming = 0, coming_in_line = 0;
  bool passed = false;
  for (int i = 0; i < list->count; i++) {
    const declaration *other = list->items[i];
    passed = passed || other == d;
    if (!goes(other) || model_of(all, list, other, false) != model) continue;
    going++;
    before += !passed;
    before_in_line += !passed && strcmp(other->line, d->line) == 0;
  }
  for (int i = 0; i < list->count; i++) {
    declaration *other = list->items[i];
    if (!comes(other) || model_of(all, list, other, true) != model) continue;
    if (coming++ == before) alike = other;
    if (strcmp(other->next_line, d->line) == 0 && coming_in_line++ == before_in_line) in_line = other;
  }
  return going == coming ? alike : in_line;
}

static void note_rename(declarations *all, char *name, const char *to, actor_record *actor, const char *owner) {
  renamed_declaration *r = declarations_allocate(all, sizeof *r);
  if (!r || !declarations_append(all, &all->renames, &all->rename_count, &all->rename_capacity, r)) {
    declarations_free(all, r);
    return;
  }
  *r = (renamed_declaration){.name = name, .actor = actor, .owner = owner};
  memcpy(r->from, name, DECLARED_NAME);
  memcpy(r->to, to, DECLARED_NAME);
}

/* All at once: two may swap their names. */
static void take_names(const declarations *all, int first) {
  for (int i = first; i < all->rename_count; i++) memcpy(all->renames[i]->name, all->renames[i]->to, DECLARED_NAME);
}

/* The one that comes has the old name then, and takes it along when the load is undone. */
static void swap_names(declarations *all, char *name, char *other, actor_record *actor, const char *owner) {
  int first = all->rename_count;
  note_rename(all, name, other, actor, owner);
  if (all->rename_count > first) memcpy(other, all->renames[first]->from, DECLARED_NAME);
  take_names(all, first);
}

static bool any_comes(const declaration_list *list) {
  for (int i = 0; i < list->count; i++)
    if (comes(list->items[i])) return true;
  return false;
}

/* ---- names that are swapped, or of which each takes the next one's ---- */

/* What each of a list has become is in its `then`; NULL: nothing else. */
static bool is_one_of_many(const declaration_list *list, const declaration *d) {
  bool many = d->then && d->then->declared;
  for (int i = 0; i < list->count && d->then && !many; i++) many = list->items[i]->then == d;
  return many;
}

/* The first of those that lead to it. */
static const declaration *head_of(const declaration_list *list, const declaration *d) {
  for (int i = 0, steps = 0; i < list->count && steps < list->count; i++)
    if (list->items[i]->then == d) d = list->items[i], i = -1, steps++;
  return d;
}

/* Where only one takes the name of one that comes, find_partner decides. */
static void rename_many(declarations *all, const declaration_list *list, actor_record *actor, const char *owner) {
  int first = all->rename_count;
  for (int i = 0; i < list->count; i++) {
    declaration *d = list->items[i];
    actor_record *of = list == &all->actors ? (actor_record *)d : actor;
    if (is_one_of_many(list, d)) note_rename(all, d->name, d->then->name, of, owner);
  }
  for (int i = 0; i < list->count; i++) {
    declaration *last = list->items[i]->then;
    if (last && !last->then && is_one_of_many(list, list->items[i]))
      memcpy(last->name, head_of(list, last)->name, DECLARED_NAME);
  }
  take_names(all, first);
}

static void find_spelled(const declarations *all, const declaration_list *list) {
  for (int i = 0; i < list->count; i++) {
    declaration *d = list->items[i];
    const char *to = d->declared && !declaration_is_kept(d) ? spelled(all, d->name) : NULL;
    declaration *other = to ? declaration_named(list, to) : NULL;
    bool fits = other && other->next_set && !declaration_is_kept(other) &&
                model_of(all, list, d, false) == model_of(all, list, other, true);
    d->then = fits ? other : NULL;
  }
}

/* The rest waits for the next time that the load runs. */
static bool rename_spelled(declarations *all, declaration_list *list) {
  int before = all->rename_count;
  if (!all->spelled_count) return false;
  find_spelled(all, list);
  rename_many(all, list, NULL, NULL);
  return all->rename_count > before;
}

static void rename_all(declarations *all, declaration_list *list, bool first) {
  bool done = first && rename_spelled(all, list);
  for (int i = 0; i < list->count && !done && any_comes(list); i++) {
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

/* Of an actor or of a crowd. */
typedef struct param_owner {
  const declaration_list *list; /* of number_records */
  const char *name;
  actor_record *actor;   /* NULL for a crowd's */
  graph_copy last, next; /* of a crowd */
} param_owner;

static bool drives_as(const param_owner *p, int from, int to) {
  int driven = p->actor ? 0 : count_driven(&p->last.def, &p->next.def, from, to);
  for (int i = 0; p->actor && i < p->actor->parts[PART_GRAPHS].count && driven >= 0; i++) {
    const graph_copy *last = graph_at(p->actor, i)->last, *next = graph_at(p->actor, i)->next;
    if (!last || !next) continue;
    int more = count_driven(&last->def, &next->def, from, to);
    driven = more < 0 ? -1 : driven + more;
  }
  return driven > 0;
}

/* Up to two of those that go, or that come, and that drive what this one does: the index of the last, and how many. */
static int count_alike(const param_owner *p, int param, bool (*is)(const declaration *d), int *last) {
  int count = 0;
  for (int i = 0; i < p->list->count && count < 2; i++) {
    bool alike = is(p->list->items[i]) && (is == comes ? drives_as(p, param, i) : drives_as(p, i, param));
    if (alike) *last = i, count++;
  }
  return count;
}

static double value_of(const declaration *d, bool next) { return ((const number_record *)d)->values[next].value; }

/* It drives what the other did, and is declared as the other was: they have swapped names, or the other has a third. */
static declaration *find_driver(const param_owner *p, int from) {
  const declaration *d = p->list->items[from];
  declaration *found = NULL;
  bool moved = d->declared && (!d->next_set || value_of(d, true) != value_of(d, false));
  if (!moved || (d->next_set && drives_as(p, from, from))) return NULL;
  for (int to = 0; to < p->list->count; to++) {
    declaration *other = p->list->items[to];
    bool alike = to != from && other->next_set && value_of(other, true) == value_of(d, false);
    if (!alike || !drives_as(p, from, to)) continue;
    if (found) return NULL;
    found = other;
  }
  return found;
}

/* None takes the name of one that stays as it is. */
static bool is_free(const declaration_list *list, const declaration *d) {
  int takers = 0;
  for (int i = 0; i < list->count; i++) takers += list->items[i]->then == d;
  return takers == 1 && (!d->declared || !d->next_set || d->then);
}

static void rename_many_params(declarations *all, const param_owner *p) {
  const declaration_list *list = p->list;
  bool all_free = true;
  for (int i = 0; i < list->count; i++) {
    const char *to = list->items[i]->declared ? spelled(all, list->items[i]->name) : NULL;
    declaration *other = to ? declaration_named(list, to) : NULL;
    list->items[i]->then = other && other->next_set ? other : find_driver(p, i);
  }
  for (int i = 0; i < list->count && all_free; i++)
    all_free = !list->items[i]->then || is_free(list, list->items[i]->then);
  if (all_free) rename_many(all, list, p->actor, p->name);
}

static void rename_params(declarations *all, const param_owner *p) {
  const declaration_list *list = p->list;
  int renamed = all->rename_count;
  rename_many_params(all, p);
  for (int from = 0; from < list->count && all->rename_count == renamed && any_comes(list); from++) {
    declaration *d = list->items[from];
    const char *name = goes(d) ? spelled(all, d->name) : NULL;
    declaration *other = name ? declaration_named(list, name) : NULL;
    int to = -1, back = -1;
    bool alone = goes(d) && !other && count_alike(p, from, comes, &to) == 1 && count_alike(p, to, goes, &back) == 1;
    if (alone) other = list->items[to];
    if (other && comes(other)) swap_names(all, d->name, other->name, p->actor, p->name);
  }
}

/* As records, for as long as they are compared. */
static void rename_crowd_params(declarations *all, crowd_record *crowd) {
  number_record params[CROWD_PARAMS] = {0};
  declaration *items[CROWD_PARAMS];
  const declaration_list list = {.items = items, .count = crowd->param_count};
  const param_owner owner = {&list, crowd->head.name, NULL, crowd_values_graph(&crowd->last),
                             crowd_values_graph(&crowd->next)};
  int first = all->rename_count;
  for (int i = 0; i < crowd->param_count; i++) {
    params[i].head.head =
        (declaration){.removed_at = -1, .declared = crowd->last.given >> i & 1, .next_set = crowd->next.given >> i & 1};
    params[i].values[0].value = (double)crowd->last.params[i];
    params[i].values[1].value = (double)crowd->next.params[i];
    memcpy(params[i].head.head.name, crowd->params[i], DECLARED_NAME);
    items[i] = &params[i].head.head;
  }
  rename_params(all, &owner);
  for (int i = 0; i < crowd->param_count; i++) {
    for (int k = first; k < all->rename_count; k++)
      if (all->renames[k]->name == items[i]->name) all->renames[k]->name = crowd->params[i];
    memcpy(crowd->params[i], items[i]->name, DECLARED_NAME);
  }
}

static bool stays(const declaration *d) { return d->next_set && d->declared; }

static void rename_all_params(declarations *all) {
  for (int i = 0; i < all->actors.count; i++) {
    actor_record *actor = actor_at(all, i);
    const param_owner owner = {.list = &actor->parts[PART_PARAMS], .name = actor->head.name, .actor = actor};
    if (stays(&actor->head) && owner.list->count > 1) rename_params(all, &owner);
  }
  for (int i = 0; i < all->crowds.count; i++)
    if (stays(all->crowds.items[i])) rename_crowd_params(all, crowd_at(all, i));
}

/* What has a new name is compared with what had it before only after the load has run again. */
bool declarations_rename(declarations *all) {
  int before = all->rename_count;
  bool first = before == 0;
  rename_all(all, &all->actors, first);
  rename_all(all, &all->crowds, first);
  if (all->rename_count > before) return true;
  rename_all_params(all);
  forget_items(all, &all->spelled, &all->spelled_count, &all->spelled_capacity);
  return all->rename_count > before;
}

/* ---- the load that runs again ---- */

static void forget_renames(declarations *all) {
  forget_items(all, &all->spelled, &all->spelled_count, &all->spelled_capacity);
  forget_items(all, &all->renames, &all->rename_count, &all->rename_capacity);
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
    if (r->owner && r->actor) declarations_rename_params(all, r->actor);
    else if (r->actor) sinew_actor_set_name(all->stage, r->actor->actor, r->name);
  }
  forget_renames(all);
}
