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

/* The new declaration that stands where `d` stood: on its line, as the same one of those that go or come. */
static declaration *find_in_line(const declaration_list *list, const declaration *d) {
  int before = 0, coming = 0;
  for (int i = 0; i < list->count && list->items[i] != d; i++)
    before += goes(list->items[i]) && strcmp(list->items[i]->line, d->line) == 0;
  for (int i = 0; i < list->count; i++)
    if (comes(list->items[i]) && strcmp(list->items[i]->next_line, d->line) == 0 && coming++ == before)
      return list->items[i];
  return NULL;
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

/* Two layers whose lines merely swap places look as if their names had changed. */
static bool is_as_it_was(const name_owner *owner, const declaration *d) {
  const layer_record *layer = (const layer_record *)d;
  return owner->mark == layer_mark && d->next_set && kind_same(&kind_layer, &layer->last, &layer->next);
}

/* Finds what each is called now; all at once, because names may change places. Those that go need no more than a line
 * in common with one that comes. */
static void find_names(const declarations *all, const declaration_list *list, const name_owner *owner) {
  for (int i = 0; i < list->count; i++) {
    declaration *d = list->items[i];
    bool seeks = d->declared && !declaration_is_kept(d) && !is_as_it_was(owner, d);
    const char *to = seeks ? spelled(all, d->name) : NULL;
    declaration *other = to ? declaration_named(list, to) : NULL;
    if (!other && owner->mark != param_mark && goes(d)) other = find_in_line(list, d);
    bool is = other && other->next_set && !declaration_is_kept(other);
    for (int k = 0; k < i && is; k++) is = list->items[k]->then != other;
    d->then = is ? other : NULL;
  }
}

/* One that stays as it is keeps its name. */
static bool is_free(const declaration *d) { return !(d->declared && d->next_set) || d->then; }

/* The new declaration at the end of a chain gets the first old name, and vanishes with it when the load is undone. */
static void rename_all(declarations *all, declaration_list *list, const name_owner *owner) {
  int first = all->rename_count;
  name_owner of;
  declaration_forget_names(list);
  find_names(all, list, owner);
  for (int i = list->count; i-- > 0;)
    if (list->items[i]->then && !is_free(list->items[i]->then)) list->items[i]->then = NULL, i = list->count;
  for (int i = 0; i < list->count; i++) {
    declaration *d = list->items[i];
    if (d->then) note_rename(all, d->name, d->then->name, own(all, list, d, owner, &of));
  }
  for (int i = 0; i < list->count; i++) {
    declaration *last = list->items[i]->then;
    if (last && !last->then) memcpy(last->name, head_of(list, last)->name, DECLARED_NAME);
  }
  take_names(all, first);
  declaration_find_by_new_names(all, list);
}

/* ---- parameters ---- */

/* Those of a crowd are treated as records while they are compared. */
static void rename_crowd_params(declarations *all, crowd_record *crowd) {
  number_record params[CROWD_PARAMS] = {0};
  declaration *items[CROWD_PARAMS];
  declaration_list list = {.items = items, .count = crowd->param_count};
  const name_owner owner = {crowd->head.name, param_mark, NULL};
  int first = all->rename_count;
  for (int i = 0; i < crowd->param_count; i++) {
    params[i].head.head =
        (declaration){.removed_at = -1, .declared = crowd->last.given >> i & 1, .next_set = crowd->next.given >> i & 1};
    memcpy(params[i].head.head.name, crowd->params[i], DECLARED_NAME);
    items[i] = &params[i].head.head;
  }
  rename_all(all, &list, &owner);
  for (int i = 0; i < crowd->param_count; i++) {
    for (int k = first; k < all->rename_count; k++)
      if (all->renames[k]->name == items[i]->name) all->renames[k]->name = crowd->params[i];
    memcpy(crowd->params[i], items[i]->name, DECLARED_NAME);
  }
  declarations_free(all, list.sorted);
}

static bool stays(const declaration *d) { return d->next_set && d->declared; }

static void rename_all_params(declarations *all) {
  for (int i = 0; i < all->actors.count; i++) {
    actor_record *actor = actor_at(all, i);
    const name_owner owner = {actor->head.name, param_mark, actor};
    if (stays(&actor->head)) rename_all(all, &actor->parts[PART_PARAMS], &owner);
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
  rename_all(all, list, &owner);
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
  if (before == 0) rename_all(all, &all->actors, &scene);
  if (before == 0) rename_all(all, &all->crowds, &scene);
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
