/* Requests for models. If a save changes a request, this reports it, and replaces the model. */
#include "declare/declarations.h"

#include <string.h>

/* The end of a path, as much as fits a name. */
static const char *short_path(const char *path) {
  size_t length = strlen(path);
  return length < DECLARED_NAME ? path : path + length - DECLARED_NAME + 1;
}

static model_record *model_at(const declarations *all, int i) { return (model_record *)all->models.items[i]; }

static model_record *find(const declarations *all, const char *name, const model_values *last) {
  for (int i = 0; i < all->models.count; i++) {
    model_record *r = model_at(all, i);
    bool free = !r->head.next_set && strcmp(r->head.name, name) == 0;
    if (free && (!last || kind_same(&kind_model, &r->last, last))) return r;
  }
  return NULL;
}

static bool is_asked(const declarations *all, const char *name, const model_values *values) {
  bool found = false;
  for (int i = 0; i < all->models.count && !found; i++)
    found = model_at(all, i)->head.next_set && strcmp(model_at(all, i)->head.name, name) == 0 &&
            kind_same(&kind_model, &model_at(all, i)->next, values);
  return found;
}

/* Without memory nothing is reported. If several requests name the same file, an equal one is the same request. */
void declarations_ask_model(declarations *all, const char *path, const model_values *values) {
  const char *name = short_path(path);
  if (!all->loading || is_asked(all, name, values)) return;
  model_record *r = find(all, name, values);
  if (!r) r = find(all, name, NULL);
  if (!r) r = declaration_add(all, &all->models, sizeof *r, name);
  if (!r) return;
  r->next = *values;
  declaration_set(all, &r->head, "");
}

bool declarations_told_model(const declarations *all, const char *path) {
  bool told = false;
  for (int i = 0; i < all->models.count; i++)
    told = told || (model_at(all, i)->told && strcmp(model_at(all, i)->head.name, short_path(path)) == 0);
  return told;
}

const model_values *declarations_asked_model(const declarations *all, const sinew_model *model) {
  const declaration *d = declaration_named(&all->models, short_path(sinew_model_path(model)));
  return d && d->declared ? &((const model_record *)d)->last : NULL;
}

static void begin(declarations *all, actor_record *owner) {
  (void)owner;
  for (int i = 0; i < all->models.count; i++) model_at(all, i)->told = false;
}

static bool apply(declarations *all, actor_record *owner, declaration *d) {
  model_record *r = (model_record *)d;
  const char *slash = strrchr(d->name, '/');
  (void)owner;
  if (d->fate == FATE_STAYS)
    r->told = declarations_tell_values(all, &kind_model, &(told_values){&r->last, NULL}, &(told_values){&r->next, NULL},
                                       "%s", slash ? slash + 1 : d->name);
  return true;
}

const declaration_kind model_declarations = {.last = offsetof(model_record, last),
                                             .next = offsetof(model_record, next),
                                             .size = sizeof(model_values),
                                             .begin = begin,
                                             .apply = apply};
