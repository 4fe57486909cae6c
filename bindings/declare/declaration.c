#include "declare/declarations.h"

#include <stdlib.h>
#include <string.h>

/* ---- lists ---- */

/* Of equal names, the earlier one has the smaller id. */
static int compare(const char *name, int64_t id, const declaration *d) {
  int order = strcmp(name, d->name);
  return order ? order : (id > d->id) - (id < d->id);
}

static int compare_items(const void *a, const void *b) {
  const declaration *d = *(declaration *const *)a;
  return compare(d->name, d->id, *(declaration *const *)b);
}

/* The index of the first item in the sorted list that does not come before it. */
static int place_of(const declaration_list *list, const char *name, int64_t id) {
  int low = 0, high = list->sorted_count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (compare(name, id, list->sorted[middle]) > 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* If memory runs out, the list is searched unsorted. */
static bool sort_last(declarations *all, declaration_list *list, declaration *d) {
  int place = place_of(list, d->name, d->id);
  if (!declarations_append(all, &list->sorted, &list->sorted_count, &list->sorted_capacity, d)) return false;
  declaration **here = list->sorted + place;
  memmove(here + 1, here, (size_t)(list->sorted_count - 1 - place) * sizeof *here);
  *here = d;
  return true;
}

void *declaration_add(declarations *all, declaration_list *list, size_t size, const char *name) {
  declaration *d = declarations_allocate(all, size);
  if (!d || !declarations_append(all, &list->items, &list->count, &list->capacity, d)) {
    declarations_free(all, d);
    return NULL;
  }
  d->id = ++all->next_id;
  d->removed_at = -1;
  declarations_copy(d->name, sizeof d->name, name);
  if (list->sorted_count != list->count - 1 || !sort_last(all, list, d)) list->sorted_count = 0;
  return d;
}

declaration *declaration_named(const declaration_list *list, const char *name) {
  if (list->sorted_count == list->count) {
    int place = place_of(list, name, 0);
    bool found = place < list->count && strcmp(list->sorted[place]->name, name) == 0;
    return found ? list->sorted[place] : NULL;
  }
  for (int i = 0; i < list->count; i++)
    if (strcmp(list->items[i]->name, name) == 0) return list->items[i];
  return NULL;
}

void declaration_forget_names(declaration_list *list) { list->sorted_count = 0; }

void declaration_find_by_new_names(declarations *all, declaration_list *list) {
  bool room = true;
  list->sorted_count = 0;
  for (int i = 0; i < list->count && room; i++)
    room = declarations_append(all, &list->sorted, &list->sorted_count, &list->sorted_capacity, list->items[i]);
  if (!room) list->sorted_count = 0;
  else if (list->count > 0) qsort(list->sorted, (size_t)list->count, sizeof *list->sorted, compare_items);
}

declaration *declaration_of(const declaration_list *list, int64_t id) {
  for (int i = 0; i < list->count; i++)
    if (list->items[i]->id == id) return list->items[i];
  return NULL;
}

declaration *declaration_first(const declaration_list *list) { return list->count ? list->items[0] : NULL; }

void *declaration_need(declarations *all, declaration_list *list, size_t size) {
  return list->count ? list->items[0] : declaration_add(all, list, size, "");
}

static void *last_of(const declaration_kind *kind, declaration *d) { return (char *)d + kind->last; }
static void *next_of(const declaration_kind *kind, declaration *d) { return (char *)d + kind->next; }

static void drop(declarations *all, const declaration_kind *kind, void *values) {
  if (kind->drop) kind->drop(all, values);
}

static void free_record(declarations *all, const declaration_kind *kind, declaration *d) {
  drop(all, kind, last_of(kind, d));
  drop(all, kind, next_of(kind, d));
  if (kind->clear) kind->clear(all, d);
  declarations_free(all, d);
}

static int without(declaration **items, int count, const declaration *d) {
  int kept = 0;
  for (int i = 0; i < count; i++)
    if (items[i] != d) items[kept++] = items[i];
  return kept;
}

void declaration_cut(declarations *all, const declaration_kind *kind, declaration_list *list, declaration *d) {
  list->count = without(list->items, list->count, d);
  list->sorted_count = without(list->sorted, list->sorted_count, d);
  free_record(all, kind, d);
}

void declaration_free_all(declarations *all, const declaration_kind *kind, declaration_list *list) {
  for (int i = 0; i < list->count && kind->end; i++) kind->end(all, list->items[i]);
  for (int i = 0; i < list->count; i++) free_record(all, kind, list->items[i]);
  declarations_free(all, list->sorted);
  declarations_free(all, list->items);
  *list = (declaration_list){0};
}

void declaration_set(declarations *all, declaration *d, const char *line) {
  d->next_set = true;
  d->order = ++all->order;
  declarations_copy(d->next_line, sizeof d->next_line, line);
}

void declaration_made(declaration *d, const char *line) {
  d->runtime = d->runtime || !d->declared;
  d->removed_at = -1;
  if (line) declarations_copy(d->line, sizeof d->line, line);
}

bool declaration_is_kept(const declaration *d) { return d->removed_at >= 0; }

void declaration_keep(declarations *all, declaration *d) {
  d->removed_at = sinew_host_time(all->host);
  all->ending = true;
}

/* ---- commit ---- */

static declaration_fate fate_of(const declaration *d) {
  if (!d->next_set) return d->declared ? FATE_GOES : FATE_NONE;
  if (declaration_is_kept(d)) return FATE_RETURNS;
  return d->declared || d->runtime ? FATE_STAYS : FATE_COMES;
}

static void drop_next(declarations *all, const declaration_kind *kind, declaration *d) {
  drop(all, kind, next_of(kind, d));
  if (d->next_set) memset(next_of(kind, d), 0, kind->size);
  d->next_set = false;
}

/* The running scripts now declare what the load declared. */
static void take(declarations *all, const declaration_kind *kind, declaration *d) {
  drop(all, kind, last_of(kind, d));
  memcpy(last_of(kind, d), next_of(kind, d), kind->size);
  memset(next_of(kind, d), 0, kind->size);
  declarations_copy(d->line, sizeof d->line, d->next_line);
  d->declared = true;
  d->next_set = d->runtime = false;
  d->removed_at = -1;
}

static void apply(declarations *all, actor_record *owner, const declaration_kind *kind, declaration *d) {
  if (kind->apply(all, owner, d)) take(all, kind, d);
  else drop_next(all, kind, d);
}

static void remove_one(declarations *all, actor_record *owner, const declaration_kind *kind, declaration *d) {
  declaration_keep(all, d);
  if (kind->remove) kind->remove(all, owner, d);
  d->declared = false;
}

static bool comes(const declaration *d) { return d->fate == FATE_COMES || d->fate == FATE_RETURNS; }

/* Both lists are in the order of the file. */
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

static void create(declarations *all, actor_record *owner, const declaration_kind *kind, const declaration_list *list) {
  for (int i = 0; i < list->count && !kind->ordered; i++)
    if (comes(list->items[i])) apply(all, owner, kind, list->items[i]);
  for (declaration *d = kind->ordered ? in_order(list) : NULL; d; d = d->then) apply(all, owner, kind, d);
}

void declaration_commit(declarations *all, actor_record *owner, const declaration_kind *kind, declaration_list *list) {
  for (int i = 0; i < list->count; i++) list->items[i]->fate = fate_of(list->items[i]);
  if (kind->begin) kind->begin(all, owner);
  for (int i = 0; i < list->count; i++) {
    declaration *d = list->items[i];
    if (d->fate == FATE_STAYS) apply(all, owner, kind, d);
    if (d->fate == FATE_NONE && d->runtime && kind->found) kind->found(all, owner, d);
  }
  if (kind->match) kind->match(all, owner);
  for (int i = 0; i < list->count; i++)
    if (list->items[i]->fate == FATE_GOES) remove_one(all, owner, kind, list->items[i]);
  create(all, owner, kind, list);
  if (kind->finish) kind->finish(all, owner);
}

/* ---- rollback, time ---- */

static void forget(declarations *all, actor_record *owner, const declaration_kind *kind, declaration_list *list,
                   declaration *d) {
  if (kind->forget) kind->forget(all, owner, d);
  d->removed_at = -1;
  if (!kind->stays) declaration_cut(all, kind, list, d);
}

void declaration_rollback(declarations *all, actor_record *owner, const declaration_kind *kind,
                          declaration_list *list) {
  for (int i = list->count - 1; i >= 0; i--) {
    declaration *d = list->items[i];
    if (kind->rollback) kind->rollback(all, d);
    drop_next(all, kind, d);
    if (!d->declared && !d->runtime && !declaration_is_kept(d)) forget(all, owner, kind, list, d);
  }
}

void declaration_update(declarations *all, actor_record *owner, const declaration_kind *kind, declaration_list *list,
                        double dt) {
  for (int i = list->count - 1; i >= 0; i--) {
    declaration *d = list->items[i];
    if (!declaration_is_kept(d)) continue;
    if (sinew_host_time(all->host) - d->removed_at > DECLARED_HOLD) {
      forget(all, owner, kind, list, d);
      continue;
    }
    all->ending = true;
    if (kind->fade) kind->fade(all, owner, d, dt);
  }
}
