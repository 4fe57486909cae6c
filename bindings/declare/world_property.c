/* Properties: what is declared value by value, of actors, of the camera, the light and the view. */
#include "declare/world.h"

#include <stdio.h>
#include <string.h>

enum { VALUES_LAST, VALUES_NEXT, VALUES_KEPT, VALUES_BEFORE };

static void *values_of(const property_record *p, int which) {
  const declaration_kind *kind = &p->kind->declared;
  return (char *)(size_t)p + kind->last + (size_t)which * kind->size;
}

static void give(world *w, actor_record *owner, property_record *p, const void *values) {
  if (field_blind[FIELD_APPLY] != p->field) p->kind->write(w, owner, p, values);
}

/* ---- telling ---- */

static const char *title(const actor_record *owner, const property_record *p) {
  return owner ? owner->head.name : p->kind->fields->name;
}

static void note(world *w, const actor_record *owner, const property_record *p, const char *before, const char *after) {
  if (owner && !owner->head.declared && !owner->head.runtime) return;
  world_note(w, "%s.%s %s%s%s", title(owner, p), p->head.name, before, before[0] ? " → " : "", after);
}

static void print(const property_record *p, int which, char out[96]) {
  field_print(p->field, values_of(p, which), NULL, out, 96);
}

/* ---- commit ---- */

bool property_apply(world *w, actor_record *owner, declaration *d) {
  property_record *p = (property_record *)d;
  char before[96] = "", after[96];
  bool same = field_same(p->field, values_of(p, VALUES_LAST), values_of(p, VALUES_NEXT));
  if (d->fate == FATE_STAYS && same) return true;
  if (d->fate == FATE_STAYS) print(p, VALUES_LAST, before);
  if (d->fate == FATE_COMES) p->kind->read(w, owner, p, values_of(p, VALUES_BEFORE));
  give(w, owner, p, values_of(p, d->fate == FATE_RETURNS && same ? VALUES_KEPT : VALUES_NEXT));
  print(p, VALUES_NEXT, after);
  note(w, owner, p, before, after);
  return true;
}

void property_remove(world *w, actor_record *owner, declaration *d) {
  property_record *p = (property_record *)d;
  char before[96];
  p->kind->read(w, owner, p, values_of(p, VALUES_KEPT));
  print(p, VALUES_LAST, before);
  note(w, owner, p, before, p->kind->standard ? "default" : "not declared any more");
  if (!p->kind->standard) return;
  if (!p->kind->restores) p->kind->standard(values_of(p, VALUES_BEFORE));
  give(w, owner, p, values_of(p, VALUES_BEFORE));
}

void property_restore(world *w, property_record *p) {
  if (p->head.declared && p->kind->restores) give(w, NULL, p, values_of(p, VALUES_BEFORE));
}

/* ---- as scripts see them ---- */

property_record *world_need_property(world *w, declaration_list *list, const property_kind *kind,
                                     const store_field *field, const char *name) {
  for (int i = 0; i < list->count; i++) {
    property_record *p = (property_record *)list->items[i];
    if (p->field == field && strcmp(p->head.name, name) == 0) return p;
  }
  property_record *p = declaration_add(w, list, kind->declared.last + 4 * kind->declared.size, name);
  if (!p) return NULL;
  p->kind = kind;
  p->field = field;
  return p;
}

bool world_set_property(world *w, actor_record *owner, declaration_list *list, const property_kind *kind,
                        const store_field *field, const char *name, const void *values) {
  property_record now = {.kind = kind, .field = field};
  world_copy(now.head.name, sizeof now.head.name, name);
  if (!w->loading) return kind->write(w, owner, &now, values), true;
  property_record *p = world_need_property(w, list, kind, field, name);
  if (!p) return false;
  field_copy(field, values_of(p, VALUES_NEXT), values);
  declaration_set(w, &p->head, "");
  return true;
}

void world_get_properties(const declaration_list *list, const char *name, void *values) {
  for (int i = 0; i < list->count; i++) {
    const property_record *p = (const property_record *)list->items[i];
    const void *next = values_of(p, VALUES_NEXT);
    bool known = p->head.declared && field_same(p->field, values_of(p, VALUES_LAST), next);
    bool asked = !name || strcmp(p->head.name, name) == 0;
    if (asked && p->head.next_set && !known) field_copy(p->field, values, next);
  }
}
