/* Actors, crowds, layers and parameters that a save renames. Everything about them is found by name, so they get the
 * new names first, and then the load runs again: it finds them, and compares everything else as usual. */
#include "declare/kinds/declared_crowd.h"

#include <string.h>

/* The owner of a list's names: NULL for actors and crowds, which belong to the scene. */
typedef struct name_owner {
  const char *name, *mark; /* "hero", and "." or ": layer " */
  actor_record *actor;     /* NULL: a crowd */
} name_owner;

typedef struct renamed_declaration {
  char *name; /* in the record */
  char from[DECLARED_NAME], to[DECLARED_NAME];
  name_owner owner; /* actor: also the actor that it is */
} renamed_declaration;

static const char param_mark[] = ".", layer_mark[] = ": layer ";

static const sinew_model *model_of(const declarations *all, const declaration_list *list, const declaration *d,
                                   bool next) {
  if (list == &all->actors) return next ? ((const actor_record *)d)->next_model : ((const actor_record *)d)->model;
  return next ? ((const crowd_record *)d)->next.model : ((const crowd_record *)d)->last.model;
}

/* Whether the clip plays on the layer, before the load or in it. */
static bool is_played(const actor_record *actor, int64_t layer, int clip, bool next) {
  const graph_record *graph = declarations_find_graph(actor, layer);
  bool played = graph && declarations_graph_plays(next ? graph->next : graph->last, clip);
  for (int i = 0; i < actor->parts[PART_PLAYS].count && !played; i++) {
    const play_record *play = play_at(actor, i);
    played = play->layer == layer && (next ? play->head.next_set : play->head.declared) &&
             (next ? play->next_clip : play->clip) == clip;
  }
  return played;
}

/* Whether each layer plays the clip, or neither does. */
static bool layers_play_alike(const actor_record *actor, int64_t from, int64_t to, bool next) {
  bool any = false, shared = false;
  for (int clip = 0; clip < sinew_model_clip_count(actor->model) && !shared; clip++) {
    bool before = is_played(actor, from, clip, false), after = is_played(actor, to, clip, next);
    any = any || before || after;
    shared = before && after;
  }
  return shared || !any;
}

static const actor_record *owner_of(const declaration_list *layers) {
  return (const actor_record *)(const void *)((const char *)layers - offsetof(actor_record, parts[PART_LAYERS]));
}

/* True if `d`, as it was declared before, equals `other`, as it is or (with `next`) will be declared. */
static bool is_like(const declarations *all, const declaration_list *list, const declaration *d,
                    const declaration *other, bool next) {
  const layer_record *a = (const layer_record *)d, *b = (const layer_record *)other;
  if (list == &all->actors || list == &all->crowds)
    return model_of(all, list, d, false) == model_of(all, list, other, next);
  return kind_same(&kind_layer, &a->last, next ? &b->next : &b->last) &&
         layers_play_alike(owner_of(list), d->id, other->id, next);
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

/* A new declaration that replaces `d`: as many like it come as go, or as many are on its line, and both are in the same
 * order. With `like` false, it may differ: only its line counts. */
static declaration *find_partner(const declarations *all, const declaration_list *list, const declaration *d,
                                 bool like) {
  declaration *alike = NULL, *in_line = NULL;
  int before = 0, before_in_line = 0, going = 0, coming = 0, going_in_line = 0, coming_in_line = 0;
  bool passed = false;
  for (int i = 0; i < list->count; i++) {
    const declaration *other = list->items[i];
    passed = passed || other == d;
    if (!goes(other) || (like && !is_like(all, list, d, other, false))) continue;
    bool here = strcmp(other->line, d->line) == 0;
    going++, going_in_line += here;
    before += !passed, before_in_line += !passed && here;
  }
  for (int i = 0; i < list->count; i++) {
    declaration *other = list->items[i];
    if (!comes(other) || (like && !is_like(all, list, d, other, true))) continue;
    if (coming++ == before) alike = other;
    if (strcmp(other->next_line, d->line) == 0 && coming_in_line++ == before_in_line) in_line = other;
  }
  if (like) return going == coming ? alike : in_line;
  return going_in_line == coming_in_line ? in_line : NULL;
}

/* The new name of `d` according to the text; for actors and crowds also a declaration of another model on the same
 * line. */
static declaration *find_changed(const declarations *all, const declaration_list *list, const declaration *d) {
  const char *to = spelled(all, d->name);
  declaration *other = to ? declaration_named(list, to) : NULL;
  bool of_scene = list == &all->actors || list == &all->crowds;
  if (other && comes(other)) return other;
  return of_scene ? find_partner(all, list, d, false) : NULL;
}

static void note_rename(declarations *all, char *name, const char *to, const name_owner *owner) {
  renamed_declaration *r = declarations_allocate(all, sizeof *r);
  if (!r || !declarations_append(all, &all->renames, &all->rename_count, &all->rename_capacity, r)) {
    declarations_free(all, r);
    return;
  }
  *r = (renamed_declaration){.name = name, .owner = *owner};
  memcpy(r->from, name, DECLARED_NAME);
  memcpy(r->to, to, DECLARED_NAME);
}

/* All at once, because two may swap their names. */
static void take_names(const declarations *all, int first) {
  for (int i = first; i < all->rename_count; i++) memcpy(all->renames[i]->name, all->renames[i]->to, DECLARED_NAME);
}

/* The new declaration gets the old name, and vanishes with it when the load is undone. */
static void swap_names(declarations *all, char *name, char *other, const name_owner *owner) {
  int first = all->rename_count;
  note_rename(all, name, other, owner);
  if (all->rename_count > first) memcpy(other, all->renames[first]->from, DECLARED_NAME);
  take_names(all, first);
}

static bool any_comes(const declaration_list *list) {
  for (int i = 0; i < list->count; i++)
    if (comes(list->items[i])) return true;
  return false;
}

/* ---- swapped names, and chains in which each takes the next one's ---- */

/* True if `d` is part of a chain of renames: its new name (`then`) is declared, too, or it is the new name of
 * another. */
static bool is_one_of_many(const declaration_list *list, const declaration *d) {
  bool many = d->then && d->then->declared;
  for (int i = 0; i < list->count && d->then && !many; i++) many = list->items[i]->then == d;
  return many;
}

/* The first link of its chain. */
static const declaration *head_of(const declaration_list *list, const declaration *d) {
  for (int i = 0, steps = 0; i < list->count && steps < list->count; i++)
    if (list->items[i]->then == d) d = list->items[i], i = -1, steps++;
  return d;
}

/* An actor is its own. */
static const name_owner *own(const declarations *all, const declaration_list *list, declaration *d,
                             const name_owner *owner, name_owner *of) {
  *of = (name_owner){.actor = (actor_record *)d};
  return list == &all->actors ? of : owner;
}

/* If only one takes the name of a new declaration, find_partner decides. */
static void rename_many(declarations *all, const declaration_list *list, const name_owner *owner) {
  int first = all->rename_count;
  name_owner of;
  for (int i = 0; i < list->count; i++) {
    declaration *d = list->items[i];
    if (is_one_of_many(list, d)) note_rename(all, d->name, d->then->name, own(all, list, d, owner, &of));
  }
  for (int i = 0; i < list->count; i++) {
    declaration *last = list->items[i]->then;
    if (last && !last->then && is_one_of_many(list, list->items[i]))
      memcpy(last->name, head_of(list, last)->name, DECLARED_NAME);
  }
  take_names(all, first);
}

/* If two lines of layers merely swap places, their names look as if they had changed. */
static bool is_as_it_was(const declarations *all, const declaration_list *list, const declaration *d) {
  bool of_scene = list == &all->actors || list == &all->crowds;
  return !of_scene && d->next_set && is_like(all, list, d, d, true);
}

static void find_spelled(const declarations *all, const declaration_list *list) {
  for (int i = 0; i < list->count; i++) {
    declaration *d = list->items[i];
    bool seeks = d->declared && !declaration_is_kept(d) && !is_as_it_was(all, list, d);
    const char *to = seeks ? spelled(all, d->name) : NULL;
    declaration *other = to ? declaration_named(list, to) : NULL;
    bool fits = other && other->next_set && !declaration_is_kept(other) && is_like(all, list, d, other, true);
    d->then = fits ? other : NULL;
  }
}

/* The rest waits for the next run of the load. */
static bool rename_spelled(declarations *all, const declaration_list *list, const name_owner *owner) {
  int before = all->rename_count;
  if (!all->spelled_count) return false;
  find_spelled(all, list);
  rename_many(all, list, owner);
  return all->rename_count > before;
}

static void rename_all(declarations *all, declaration_list *list, const name_owner *owner, bool first) {
  if (!all->spelled_count && !any_comes(list)) return;
  declaration_forget_names(list);
  bool done = first && rename_spelled(all, list, owner);
  name_owner of;
  for (int i = 0; i < list->count && !done && any_comes(list); i++) {
    declaration *d = list->items[i], *other = goes(d) ? find_partner(all, list, d, true) : NULL;
    if (goes(d) && !other) other = find_changed(all, list, d);
    if (other) swap_names(all, d->name, other->name, own(all, list, d, owner, &of));
  }
  declaration_find_by_new_names(all, list);
}

/* ---- parameters: a new one is the old one if it drives the same things, wherever they are in the graph now ---- */

enum { PARAM_ROLES = 3 };

static int role_of(const sinew_node_def *n, int role) {
  const int params[PARAM_ROLES] = {n->param_x, n->param_y, n->weight_param};
  return params[role];
}

/* The parameter of a switch is the number of a child. */
static bool is_alike(const sinew_node_def *a, const sinew_node_def *b, int role) {
  return role == PARAM_ROLES - 1 || (a->kind == SINEW_NODE_SWITCH) == (b->kind == SINEW_NODE_SWITCH);
}

static bool plays(const sinew_graph_def *def, int node, int clip) {
  const sinew_node_def *n = def->nodes + node;
  bool found = n->kind == SINEW_NODE_CLIP && n->clip == clip;
  for (int i = 0; i < n->child_count && !found; i++) found = plays(def, n->first_child + i, clip);
  return found;
}

/* The number of clips below the node that are not below the other node, minus the number of those that are. */
static int count_others(const sinew_graph_def *def, int node, const sinew_graph_def *other, int there) {
  const sinew_node_def *n = def->nodes + node;
  int count = n->kind != SINEW_NODE_CLIP ? 0 : plays(other, there, n->clip) ? -1 : 1;
  for (int i = 0; i < n->child_count; i++) count += count_others(def, n->first_child + i, other, there);
  return count;
}

/* Whether most of the clips below each are below the other. */
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

/* The number of driven nodes; −1 if something else drives one of them. */
static int count_driven(const sinew_graph_def *last, const sinew_graph_def *next, int from, int to) {
  int driven = 0, ignored = 0;
  bool all = true;
  for (int role = 0; role < PARAM_ROLES && all; role++)
    all = drives_all(last, from, next, to, role, &driven) && drives_all(next, to, last, from, role, &ignored);
  return all ? driven : -1;
}

/* The parameters of an actor or of a crowd. */
typedef struct param_owner {
  const declaration_list *list; /* of number_records */
  name_owner owner;
  graph_copy last, next; /* of a crowd */
} param_owner;

static bool drives_as(const param_owner *p, int from, int to) {
  const actor_record *actor = p->owner.actor;
  int driven = actor ? 0 : count_driven(&p->last.def, &p->next.def, from, to);
  for (int i = 0; actor && i < actor->parts[PART_GRAPHS].count && driven >= 0; i++) {
    const graph_copy *last = graph_at(actor, i)->last, *next = graph_at(actor, i)->next;
    if (!last || !next) continue;
    int more = count_driven(&last->def, &next->def, from, to);
    driven = more < 0 ? -1 : driven + more;
  }
  return driven > 0;
}

/* Up to two of the removed or new parameters that drive what this one does: returns their number and the index of the
 * last. */
static int count_alike(const param_owner *p, int param, bool (*is)(const declaration *d), int *last) {
  int count = 0;
  for (int i = 0; i < p->list->count && count < 2; i++) {
    bool alike = is(p->list->items[i]) && (is == comes ? drives_as(p, param, i) : drives_as(p, i, param));
    if (alike) *last = i, count++;
  }
  return count;
}

static double value_of(const declaration *d, bool next) { return ((const number_record *)d)->values[next].value; }

/* The parameter that drives what the other did, and is declared as the other was: they have swapped names, or the other
 * has a third name. */
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

/* Whether no unchanged declaration has that name. */
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
  if (all_free) rename_many(all, list, &p->owner);
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
    if (other && comes(other)) swap_names(all, d->name, other->name, &p->owner);
  }
}

/* Treats them as records while they are compared. */
static void rename_crowd_params(declarations *all, crowd_record *crowd) {
  number_record params[CROWD_PARAMS] = {0};
  declaration *items[CROWD_PARAMS];
  const declaration_list list = {.items = items, .count = crowd->param_count};
  const param_owner owner = {
      &list, {crowd->head.name, param_mark, NULL}, crowd_values_graph(&crowd->last), crowd_values_graph(&crowd->next)};
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
    declaration_list *list = &actor->parts[PART_PARAMS];
    const param_owner owner = {.list = list, .owner = {actor->head.name, param_mark, actor}};
    if (!stays(&actor->head) || list->count < 2) continue;
    declaration_forget_names(list);
    rename_params(all, &owner);
    declaration_find_by_new_names(all, list);
  }
  for (int i = 0; i < all->crowds.count; i++)
    if (stays(all->crowds.items[i])) rename_crowd_params(all, crowd_at(all, i));
}

/* ---- layers: the stage knows their names, too ---- */

static bool is_layer_of(const renamed_declaration *r, const actor_record *actor) {
  return r->owner.mark == layer_mark && r->owner.actor == actor;
}

static void name_layers_on_stage(const declarations *all, const actor_record *actor, bool back) {
  const char *names[STAGE_LAYERS];
  sinew_error error;
  int count = sinew_actor_layer_count(all->stage, actor->actor) - 1;
  for (int i = 0; i < count; i++) {
    const char *name = names[i] = sinew_actor_layer_name(all->stage, actor->actor, i + 1);
    for (int k = 0; k < all->rename_count; k++) {
      const renamed_declaration *r = all->renames[k];
      if (is_layer_of(r, actor) && strcmp(name, back ? r->to : r->from) == 0) names[i] = back ? r->from : r->to;
    }
  }
  if (count > 0) sinew_actor_rename_layers(all->stage, actor->actor, names, count, &error);
}

static void rename_layers(declarations *all, actor_record *actor) {
  declaration_list *list = &actor->parts[PART_LAYERS];
  const name_owner owner = {actor->head.name, layer_mark, actor};
  int before = all->rename_count;
  if (!declarations_tells(actor) || !actor->actor.id) return;
  rename_all(all, list, &owner, true);
  if (all->rename_count > before) name_layers_on_stage(all, actor, false);
}

/* Restores the old names of its layers, also on the stage, and of its parameters. */
static void find_by_old_names(declarations *all, actor_record *actor) {
  bool any = false;
  for (int i = 0; i < all->rename_count && !any; i++) any = is_layer_of(all->renames[i], actor);
  declaration_find_by_new_names(all, &actor->parts[PART_LAYERS]);
  declaration_find_by_new_names(all, &actor->parts[PART_PARAMS]);
  if (any) name_layers_on_stage(all, actor, true);
}

/* A renamed thing is compared with its old declaration only when the load runs again. */
bool declarations_rename(declarations *all) {
  static const name_owner scene = {0};
  int before = all->rename_count;
  bool first = before == 0;
  rename_all(all, &all->actors, &scene, first);
  rename_all(all, &all->crowds, &scene, first);
  if (all->rename_count > before) return true;
  for (int i = 0; i < all->actors.count; i++) rename_layers(all, actor_at(all, i));
  rename_all_params(all);
  forget_items(all, &all->spelled, &all->spelled_count, &all->spelled_capacity);
  return all->rename_count > before;
}

/* ---- the second run of the load ---- */

static void forget_renames(declarations *all) {
  forget_items(all, &all->spelled, &all->spelled_count, &all->spelled_capacity);
  forget_items(all, &all->renames, &all->rename_count, &all->rename_capacity);
}

void declarations_rename_back(declarations *all) {
  for (int i = 0; i < all->rename_count; i++) memcpy(all->renames[i]->name, all->renames[i]->from, DECLARED_NAME);
  declaration_find_by_new_names(all, &all->actors);
  declaration_find_by_new_names(all, &all->crowds);
  for (int i = 0; i < all->actors.count; i++) find_by_old_names(all, actor_at(all, i));
  forget_renames(all);
}

void declarations_commit_renames(declarations *all) {
  for (int i = 0; i < all->rename_count; i++) {
    const renamed_declaration *r = all->renames[i];
    const name_owner *of = &r->owner;
    const crowd_record *crowd = !of->mark && !of->actor ? declarations_find_crowd(all, r->name) : NULL;
    if (crowd) sinew_crowd_set_name(all->stage, crowd->body.crowd, r->name);
    declarations_note(all, "%s%s%s is called %s now", of->mark ? of->name : "", of->mark ? of->mark : "", r->from,
                      r->name);
    if (of->mark == param_mark && of->actor) declarations_rename_params(all, of->actor);
    else if (!of->mark && of->actor) sinew_actor_set_name(all->stage, of->actor->actor, r->name);
  }
  forget_renames(all);
}
