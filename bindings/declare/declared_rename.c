/* Actors and crowds that a save gives another name. Everything about them is found by their names, so they get the new
 * names first, and then the load runs again: it finds them, and compares all they have as ever. */
#include "declare/kinds/declared_crowd.h"

#include <string.h>

typedef struct renamed_declaration {
  declaration_list *list;
  declaration *d;
  char from[DECLARED_NAME];
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

static bool remember(declarations *all, declaration_list *list, declaration *d) {
  renamed_declaration *r = declarations_allocate(all, sizeof *r);
  if (!r) return false;
  *r = (renamed_declaration){.list = list, .d = d};
  memcpy(r->from, d->name, sizeof r->from);
  if (declarations_append(all, &all->renames, &all->rename_count, &all->rename_capacity, r)) return true;
  declarations_free(all, r);
  return false;
}

static void swap_names(declaration *a, declaration *b) {
  char name[DECLARED_NAME];
  memcpy(name, a->name, sizeof name);
  memcpy(a->name, b->name, sizeof name);
  memcpy(b->name, name, sizeof name);
}

/* The record that comes takes the old name with it when the load is undone. */
static void rename_all(declarations *all, declaration_list *list) {
  for (int i = 0; i < list->count; i++) {
    declaration *d = list->items[i], *other = goes(d) ? find_partner(all, list, d) : NULL;
    if (other && remember(all, list, d)) swap_names(d, other);
  }
  declaration_find_by_new_names(all, list);
}

static bool any_comes(const declaration_list *list) {
  for (int i = 0; i < list->count; i++)
    if (comes(list->items[i])) return true;
  return false;
}

bool declarations_rename(declarations *all) {
  if (any_comes(&all->actors)) rename_all(all, &all->actors);
  if (any_comes(&all->crowds)) rename_all(all, &all->crowds);
  return all->rename_count > 0;
}

static void forget_renames(declarations *all) {
  for (int i = 0; i < all->rename_count; i++) declarations_free(all, all->renames[i]);
  declarations_free(all, all->renames);
  all->renames = NULL;
  all->rename_count = all->rename_capacity = 0;
}

void declarations_rename_back(declarations *all) {
  for (int i = 0; i < all->rename_count; i++) {
    const renamed_declaration *r = all->renames[i];
    memcpy(r->d->name, r->from, sizeof r->from);
  }
  declaration_find_by_new_names(all, &all->actors);
  declaration_find_by_new_names(all, &all->crowds);
  forget_renames(all);
}

void declarations_commit_renames(declarations *all) {
  for (int i = 0; i < all->rename_count; i++) {
    const renamed_declaration *r = all->renames[i];
    declarations_note(all, "%s is called %s now", r->from, r->d->name);
    if (r->list == &all->actors) sinew_actor_set_name(all->stage, ((actor_record *)r->d)->actor, r->d->name);
  }
  forget_renames(all);
}
