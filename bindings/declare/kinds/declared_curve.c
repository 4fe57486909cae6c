/* Curves of clips: the model's on the stage. */
#include "declare/declarations.h"

#include <string.h>

typedef struct key_list {
  sinew_curve_key *items;
  int count;
} key_list;

typedef struct curve_record {
  declaration head;   /* name: of the curve */
  sinew_model *model; /* retained */
  int clip;
  bool changed; /* by a callback since */
  key_list last, next;
} curve_record;

static curve_record *at(const declarations *all, int index) { return (curve_record *)all->curves.items[index]; }

static bool same_keys(const key_list *a, const key_list *b) {
  return a->count == b->count && (!a->count || memcmp(a->items, b->items, (size_t)a->count * sizeof *a->items) == 0);
}

static bool copy(declarations *all, const sinew_curve_key *keys, int count, key_list *list) {
  *list = (key_list){declarations_allocate(all, (size_t)count * sizeof *keys + 1), count};
  if (list->items && count) memcpy(list->items, keys, (size_t)count * sizeof *keys);
  return list->items;
}

static void drop(declarations *all, void *values) {
  key_list *list = values;
  declarations_free(all, list->items);
  *list = (key_list){0};
}

static void clear(declarations *all, declaration *d) {
  (void)all;
  sinew_model_release(((curve_record *)d)->model);
}

static const char *clip_of(const curve_record *r) { return sinew_clip_name(sinew_model_clip(r->model, r->clip)); }

/* ---- commit ---- */

static void give(declarations *all, const curve_record *r, const key_list *list) {
  sinew_error error;
  if (!sinew_stage_set_curve(all->stage, r->model, r->clip, r->head.name, list->items, list->count, &error))
    declarations_say(all, SINEW_LOG_WARNING, "%s", error.message);
}

static bool apply(declarations *all, actor_record *owner, declaration *d) {
  curve_record *r = (curve_record *)d;
  (void)owner;
  bool stays = d->fate == FATE_STAYS, same = stays && same_keys(&r->last, &r->next);
  if (same && r->changed) return true;
  give(all, r, &r->next);
  r->changed = false;
  if (stays && !same) declarations_note(all, "%s: curve %s has changed", clip_of(r), d->name);
  else if (!stays && all->epoch > 1) declarations_tell_fate(all, d->fate, "%s: curve %s", clip_of(r), d->name);
  return true;
}

static void remove_curve(declarations *all, actor_record *owner, declaration *d) {
  curve_record *r = (curve_record *)d;
  (void)owner;
  give(all, r, &(key_list){0});
  declarations_tell_fate(all, FATE_GOES, "%s: curve %s", clip_of(r), d->name);
  drop(all, &r->last);
}

/* A model that was loaded again has clips of the same names: what was declared of the old ones was of these. */
static bool takes_place(const curve_record *fresh, const curve_record *old) {
  return fresh->head.fate == FATE_COMES && strcmp(fresh->head.name, old->head.name) == 0 &&
         strcmp(clip_of(fresh), clip_of(old)) == 0 &&
         strcmp(sinew_model_path(fresh->model), sinew_model_path(old->model)) == 0;
}

static void match(declarations *all, actor_record *owner) {
  (void)owner;
  for (int i = 0; i < all->curves.count; i++) {
    curve_record *old = at(all, i);
    for (int k = 0; k < all->curves.count && old->head.fate == FATE_GOES; k++) {
      if (!takes_place(at(all, k), old) || at(all, k)->last.items) continue;
      at(all, k)->last = old->last;
      at(all, k)->head.fate = FATE_STAYS;
      give(all, at(all, k), &at(all, k)->next);
      old->last = (key_list){0};
      old->head.declared = false;
      old->head.fate = FATE_NONE;
      declaration_keep(all, &old->head);
    }
  }
}

static void end(declarations *all, declaration *d) { give(all, (curve_record *)d, &(key_list){0}); }

const declaration_kind curve_declarations = {.last = offsetof(curve_record, last),
                                             .next = offsetof(curve_record, next),
                                             .size = sizeof(key_list),
                                             .drop = drop,
                                             .apply = apply,
                                             .remove = remove_curve,
                                             .match = match,
                                             .end = end,
                                             .clear = clear};

static curve_record *find_record(const declarations *all, const sinew_model *model, int clip, const char *name) {
  for (int i = 0; i < all->curves.count; i++)
    if (at(all, i)->model == model && at(all, i)->clip == clip && strcmp(at(all, i)->head.name, name) == 0)
      return at(all, i);
  return NULL;
}

static curve_record *need(declarations *all, sinew_model *model, int clip, const char *name) {
  curve_record *r = find_record(all, model, clip, name);
  if (r) return r;
  r = declaration_add(all, &all->curves, sizeof *r, name);
  if (!r) return NULL;
  r->model = sinew_model_retain(model);
  r->clip = clip;
  return r;
}

bool declarations_set_curve(declarations *all, sinew_model *model, int clip, const char *name,
                            const sinew_curve_key *keys, int count, sinew_error *error) {
  key_list next;
  curve_record *r = all->loading ? need(all, model, clip, name) : find_record(all, model, clip, name);
  if (!all->loading && r) r->changed = true;
  if (!all->loading) return sinew_stage_set_curve(all->stage, model, clip, name, keys, count, error);
  if (!r || !copy(all, keys, count, &next)) return declarations_fail(error, "out of memory for a curve");
  drop(all, &r->next);
  r->next = next;
  declaration_set(all, &r->head, "");
  return true;
}

bool declarations_has_curve(const declarations *all, const sinew_model *model, const char *name) {
  double value;
  for (int i = 0; i < all->curves.count; i++)
    if (at(all, i)->model == model && at(all, i)->head.next_set && strcmp(at(all, i)->head.name, name) == 0)
      return true;
  for (int i = 0; i < sinew_model_clip_count(model); i++)
    if (sinew_stage_curve(all->stage, model, i, name, 0, &value)) return true;
  return false;
}

static bool comes(const declarations *all, const curve_record *r) {
  double value;
  return r->head.next_set && r->next.count > 0 &&
         !sinew_stage_curve(all->stage, r->model, r->clip, r->head.name, 0, &value);
}

const char *declarations_curve_name(const declarations *all, const sinew_model *model, int clip, int index) {
  int known = 0;
  for (const char *name; (name = sinew_stage_clip_curve_name(all->stage, model, clip, known)) != NULL; known++)
    if (known == index) return name;
  for (int i = 0; i < all->curves.count; i++)
    if (at(all, i)->model == model && at(all, i)->clip == clip && comes(all, at(all, i)) && known++ == index)
      return at(all, i)->head.name;
  return NULL;
}
