/* Properties: values that are declared one by one, of actors, the camera, the light and the view. */
#include "declare/declarations.h"

#include <stdio.h>
#include <string.h>

enum { VALUES_LAST, VALUES_NEXT, VALUES_KEPT, VALUES_BEFORE };

static void *values_of(const property_record *p, int which) {
  const declaration_kind *kind = &p->kind->declared;
  return (char *)(size_t)p + kind->last + (size_t)which * kind->size;
}

static void give(declarations *all, actor_record *owner, property_record *p, const void *values) {
  if (field_blind[FIELD_APPLY] != p->field) p->kind->write(all, owner, p, values);
}

/* ---- telling ---- */

static const char *title(const actor_record *owner, const property_record *p) {
  return owner ? owner->head.name : p->kind->fields->name;
}

static void note(declarations *all, const actor_record *owner, const property_record *p, const char *before,
                 const char *after) {
  if (owner && !owner->head.declared && !owner->head.runtime) return;
  declarations_note(all, "%s.%s %s%s%s", title(owner, p), p->head.name, before, before[0] ? " → " : "", after);
}

static void print(const property_record *p, int which, char out[96]) {
  field_print(p->field, values_of(p, which), NULL, out, 96);
}

/* ---- commit ---- */

bool property_apply(declarations *all, actor_record *owner, declaration *d) {
  property_record *p = (property_record *)d;
  char before[96] = "", after[96];
  bool same = field_same(p->field, values_of(p, VALUES_LAST), values_of(p, VALUES_NEXT));
  if (d->fate == FATE_STAYS && same) return true;
  if (d->fate == FATE_STAYS) print(p, VALUES_LAST, before);
  if (d->fate == FATE_COMES) p->kind->read(all, owner, p, values_of(p, VALUES_BEFORE));
  give(all, owner, p, values_of(p, d->fate == FATE_RETURNS && same ? VALUES_KEPT : VALUES_NEXT));
  print(p, VALUES_NEXT, after);
  note(all, owner, p, before, after);
  return true;
}

void property_remove(declarations *all, actor_record *owner, declaration *d) {
  property_record *p = (property_record *)d;
  char before[96];
  p->kind->read(all, owner, p, values_of(p, VALUES_KEPT));
  print(p, VALUES_LAST, before);
  note(all, owner, p, before, p->kind->standard ? "default" : "no longer declared");
  if (!p->kind->standard) return;
  if (!p->kind->restores) p->kind->standard(values_of(p, VALUES_BEFORE));
  give(all, owner, p, values_of(p, VALUES_BEFORE));
}

void property_end(declarations *all, declaration *d) {
  property_record *p = (property_record *)d;
  if (p->head.declared && p->kind->restores) give(all, NULL, p, values_of(p, VALUES_BEFORE));
}

/* ---- the values that scripts see ---- */

const property_record *declarations_find_property(const declaration_list *list, const store_field *field) {
  for (int i = 0; i < list->count; i++)
    if (((const property_record *)list->items[i])->field == field) return (const property_record *)list->items[i];
  return NULL;
}

const void *declarations_declared_property(const declaration_list *list, const store_field *field) {
  const property_record *p = declarations_find_property(list, field);
  return p && p->head.declared ? values_of(p, VALUES_LAST) : NULL;
}

property_record *declarations_need_property(declarations *all, declaration_list *list, const property_kind *kind,
                                            const store_field *field, const char *name) {
  for (int i = 0; i < list->count; i++) {
    property_record *p = (property_record *)list->items[i];
    if (p->field == field && strcmp(p->head.name, name) == 0) return p;
  }
  property_record *p = declaration_add(all, list, kind->declared.last + 4 * kind->declared.size, name);
  if (!p) return NULL;
  p->kind = kind;
  p->field = field;
  return p;
}

bool declarations_set_property(declarations *all, actor_record *owner, declaration_list *list,
                               const property_kind *kind, const store_field *field, const char *name,
                               const void *values) {
  property_record now = {.kind = kind, .field = field};
  declarations_copy(now.head.name, sizeof now.head.name, name);
  if (!all->loading) return kind->write(all, owner, &now, values), true;
  property_record *p = declarations_need_property(all, list, kind, field, name);
  if (!p) return false;
  field_copy(field, values_of(p, VALUES_NEXT), values);
  declaration_set(all, &p->head, all->line);
  all->line[0] = '\0';
  return true;
}

void declarations_get_properties(const declaration_list *list, const char *name, void *values) {
  for (int i = 0; i < list->count; i++) {
    const property_record *p = (const property_record *)list->items[i];
    const void *next = values_of(p, VALUES_NEXT);
    bool known = p->head.declared && field_same(p->field, values_of(p, VALUES_LAST), next);
    bool asked = !name || strcmp(p->head.name, name) == 0;
    if (asked && p->head.next_set && !known) field_copy(p->field, values, next);
  }
}
