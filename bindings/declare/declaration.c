#include "declare/world.h"

#include <string.h>

/* ---- lists ---- */

/* A list of fewer is searched as quickly as a table. */
enum { LONG_LIST = 16 };

static declaration *search(const declaration_list *list, const char *name) {
  for (int i = 0; i < list->count; i++)
    if (strcmp(list->items[i]->name, name) == 0) return list->items[i];
  return NULL;
}

static bool name_one(world *w, declaration_list *list, declaration *d) {
  if (!names_find(&list->names, d->name)) return names_add(w, &list->names, d->name, d);
  return list->repeats = true;
}

/* Without memory for it the list is searched. */
static void name_last(world *w, declaration_list *list) {
  bool named = list->count >= LONG_LIST;
  for (int i = list->names.count ? list->count - 1 : 0; named && i < list->count; i++)
    named = name_one(w, list, list->items[i]);
  if (!named) names_clear(w, &list->names);
}

void *declaration_add(world *w, declaration_list *list, size_t size, const char *name) {
  declaration *d = world_allocate(w, size);
  if (!d || !world_append(w, &list->items, &list->count, &list->capacity, d)) {
    world_free(w, d);
    return NULL;
  }
  d->id = ++w->next_id;
  d->removed_at = -1;
  world_copy(d->name, sizeof d->name, name);
  name_last(w, list);
  return d;
}

declaration *declaration_named(const declaration_list *list, const char *name) {
  return list->names.count ? names_find(&list->names, name) : search(list, name);
}

/* The next of its name takes its place, for which the table has room. */
static void forget_name(world *w, declaration_list *list, const declaration *d) {
  if (names_find(&list->names, d->name) != d) return;
  names_remove(&list->names, d->name);
  declaration *next = list->repeats ? search(list, d->name) : NULL;
  if (next) names_add(w, &list->names, next->name, next);
}

declaration *declaration_of(const declaration_list *list, int64_t id) {
  for (int i = 0; i < list->count; i++)
    if (list->items[i]->id == id) return list->items[i];
  return NULL;
}

declaration *declaration_first(const declaration_list *list) { return list->count ? list->items[0] : NULL; }

void *declaration_need(world *w, declaration_list *list, size_t size) {
  return list->count ? list->items[0] : declaration_add(w, list, size, "");
}

static void *last_of(const declaration_kind *kind, declaration *d) { return (char *)d + kind->last; }
static void *next_of(const declaration_kind *kind, declaration *d) { return (char *)d + kind->next; }

static void drop(world *w, const declaration_kind *kind, void *values) {
  if (kind->drop) kind->drop(w, values);
}

static void free_record(world *w, const declaration_kind *kind, declaration *d) {
  drop(w, kind, last_of(kind, d));
  drop(w, kind, next_of(kind, d));
  if (kind->clear) kind->clear(w, d);
  world_free(w, d);
}

void declaration_cut(world *w, const declaration_kind *kind, declaration_list *list, declaration *d) {
  int kept = 0;
  for (int i = 0; i < list->count; i++)
    if (list->items[i] != d) list->items[kept++] = list->items[i];
  list->count = kept;
  forget_name(w, list, d);
  free_record(w, kind, d);
}

void declaration_free_all(world *w, const declaration_kind *kind, declaration_list *list) {
  for (int i = 0; i < list->count; i++) free_record(w, kind, list->items[i]);
  names_clear(w, &list->names);
  world_free(w, list->items);
  *list = (declaration_list){0};
}

void declaration_set(world *w, declaration *d, const char *line) {
  d->next_set = true;
  d->order = ++w->order;
  world_copy(d->next_line, sizeof d->next_line, line);
}

void declaration_made(declaration *d, const char *line) {
  d->runtime = d->runtime || !d->declared;
  d->removed_at = -1;
  world_copy(d->line, sizeof d->line, line);
}

bool declaration_is_kept(const declaration *d) { return d->removed_at >= 0; }

/* ---- commit ---- */

static declaration_fate fate_of(const declaration *d) {
  if (!d->next_set) return d->declared ? FATE_GOES : FATE_NONE;
  if (declaration_is_kept(d)) return FATE_RETURNS;
  return d->declared || d->runtime ? FATE_STAYS : FATE_COMES;
}

static void drop_next(world *w, const declaration_kind *kind, declaration *d) {
  drop(w, kind, next_of(kind, d));
  if (d->next_set) memset(next_of(kind, d), 0, kind->size);
  d->next_set = false;
}

/* What the load has said is what the running scripts say from now on. */
static void take(world *w, const declaration_kind *kind, declaration *d) {
  drop(w, kind, last_of(kind, d));
  memcpy(last_of(kind, d), next_of(kind, d), kind->size);
  memset(next_of(kind, d), 0, kind->size);
  world_copy(d->line, sizeof d->line, d->next_line);
  d->declared = true;
  d->next_set = d->runtime = false;
  d->removed_at = -1;
}

static void apply(world *w, actor_record *owner, const declaration_kind *kind, declaration *d) {
  if (kind->apply(w, owner, d)) take(w, kind, d);
  else drop_next(w, kind, d);
}

static void remove_one(world *w, actor_record *owner, const declaration_kind *kind, declaration *d) {
  d->removed_at = sinew_host_time(w->host);
  if (kind->remove) kind->remove(w, owner, d);
  d->declared = false;
}

static bool comes(const declaration *d) { return d->fate == FATE_COMES || d->fate == FATE_RETURNS; }

/* Both are in the order of the file. */
static declaration *merge(declaration *a, declaration *b) {
  declaration *first = NULL, **end = &first;
  while (a && b) {
    declaration **least = a->order <= b->order ? &a : &b;
    *end = *least;
    end = &(*end)->then;
    *least = *end;
  }
  *end = a ? a : b;
  return first;
}

static declaration *in_order(const declaration_list *list) {
  declaration *runs[32] = {0}, *all = NULL; /* runs[k]: 2ᵏ declarations in order, or none */
  for (int i = 0; i < list->count; i++) {
    declaration *d = list->items[i];
    if (!comes(d)) continue;
    d->then = NULL;
    int k = 0;
    for (; runs[k]; runs[k++] = NULL) d = merge(runs[k], d);
    runs[k] = d;
  }
  for (int k = 0; k < 32; k++) all = merge(runs[k], all);
  return all;
}

static void create(world *w, actor_record *owner, const declaration_kind *kind, const declaration_list *list) {
  for (int i = 0; i < list->count && !kind->ordered; i++)
    if (comes(list->items[i])) apply(w, owner, kind, list->items[i]);
  for (declaration *d = kind->ordered ? in_order(list) : NULL; d; d = d->then) apply(w, owner, kind, d);
}

void declaration_commit(world *w, actor_record *owner, const declaration_kind *kind, declaration_list *list) {
  for (int i = 0; i < list->count; i++) list->items[i]->fate = fate_of(list->items[i]);
  for (int i = 0; i < list->count; i++) {
    declaration *d = list->items[i];
    if (d->fate == FATE_STAYS) apply(w, owner, kind, d);
    if (d->fate == FATE_NONE && d->runtime && kind->found) kind->found(w, owner, d);
  }
  if (kind->match) kind->match(w, owner);
  for (int i = 0; i < list->count; i++)
    if (list->items[i]->fate == FATE_GOES) remove_one(w, owner, kind, list->items[i]);
  create(w, owner, kind, list);
  if (kind->finish) kind->finish(w, owner);
}

/* ---- rollback, time ---- */

static void forget(world *w, actor_record *owner, const declaration_kind *kind, declaration_list *list,
                   declaration *d) {
  if (kind->forget) kind->forget(w, owner, d);
  d->removed_at = -1;
  if (!kind->stays) declaration_cut(w, kind, list, d);
}

void declaration_rollback(world *w, actor_record *owner, const declaration_kind *kind, declaration_list *list) {
  for (int i = list->count - 1; i >= 0; i--) {
    declaration *d = list->items[i];
    drop_next(w, kind, d);
    if (!d->declared && !d->runtime && !declaration_is_kept(d)) forget(w, owner, kind, list, d);
  }
}

void declaration_update(world *w, actor_record *owner, const declaration_kind *kind, declaration_list *list,
                        double dt) {
  for (int i = list->count - 1; i >= 0; i--) {
    declaration *d = list->items[i];
    if (!declaration_is_kept(d)) continue;
    if (sinew_host_time(w->host) - d->removed_at > WORLD_HOLD) forget(w, owner, kind, list, d);
    else if (kind->fade) kind->fade(w, owner, d, dt);
  }
}
