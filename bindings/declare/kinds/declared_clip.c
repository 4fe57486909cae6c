/* Declarations about clips: the markers of a clip, and each of its curves. A declaration is a list of items, which
 * replaces the stage's for that clip of the model. */
#include "declare/declarations.h"

#include <stdint.h>
#include <string.h>

typedef struct item_list {
  void *items; /* of the kind, followed by their names, in one block; NULL: not declared */
  int count;
} item_list;

typedef struct clip_record clip_record;

/* The operations that pass a list to the stage, and the words for messages about it. */
typedef struct clip_kind {
  bool (*same)(const item_list *a, const item_list *b);
  bool (*copy)(declarations *all, const item_list *from, item_list *to);
  bool (*set)(declarations *all, const clip_record *r, const item_list *list, sinew_error *error);
  void (*tell)(declarations *all, const clip_record *r, const item_list *last, const item_list *next);
} clip_kind;

struct clip_record {
  declaration head; /* name: of the curve; of the clip, for its markers */
  const clip_kind *kind;
  sinew_model *model; /* retained */
  int clip;
  bool changed; /* by a callback since */
  item_list last, next;
};

static const char *clip_of(const clip_record *r) { return sinew_clip_name(sinew_model_clip(r->model, r->clip)); }

static clip_record *at(const declaration_list *list, int i) { return (clip_record *)list->items[i]; }

/* ---- commit ---- */

static void give(declarations *all, const clip_record *r, const item_list *list) {
  sinew_error error;
  if (!r->kind->set(all, r, list, &error)) declarations_say(all, SINEW_LOG_WARNING, "%s", error.message);
}

/* A curve may weigh a modifier, and markers may lead a stride: no joint jumps. */
static void join_actors(const declarations *all, const sinew_model *model) {
  for (int i = 0; i < all->actors.count; i++) {
    const actor_record *record = actor_at(all, i);
    if (record->model == model && record->head.fate == FATE_STAYS)
      sinew_actor_join(all->stage, record->actor, record->actor, DECLARED_JOIN);
  }
}

/* A new model needs the declaration even if it has not changed. */
static bool apply(declarations *all, actor_record *owner, declaration *d) {
  clip_record *r = (clip_record *)d;
  (void)owner;
  bool same = r->last.items && r->kind->same(&r->last, &r->next);
  if (d->fate == FATE_STAYS && same && r->changed) return true;
  give(all, r, &r->next);
  r->changed = false;
  if (same || all->epoch <= 1) return true;
  join_actors(all, r->model);
  r->kind->tell(all, r, &r->last, &r->next);
  return true;
}

static void drop(declarations *all, void *values) {
  item_list *list = values;
  declarations_free(all, list->items);
  *list = (item_list){0};
}

static void remove_items(declarations *all, actor_record *owner, declaration *d) {
  clip_record *r = (clip_record *)d;
  (void)owner;
  give(all, r, &(item_list){0});
  join_actors(all, r->model);
  r->kind->tell(all, r, &r->last, &(item_list){0});
  drop(all, &r->last);
}

/* A reloaded model has clips of the same names: declarations of the old ones apply to these. */
static bool takes_place(const clip_record *fresh, const clip_record *old) {
  return fresh->head.fate == FATE_COMES && !fresh->last.items && strcmp(fresh->head.name, old->head.name) == 0 &&
         strcmp(clip_of(fresh), clip_of(old)) == 0 &&
         strcmp(sinew_model_path(fresh->model), sinew_model_path(old->model)) == 0;
}

static void match(declarations *all, const declaration_list *list) {
  for (int i = 0; i < list->count; i++) {
    clip_record *old = at(list, i);
    for (int k = 0; k < list->count && old->head.fate == FATE_GOES; k++) {
      if (!takes_place(at(list, k), old)) continue;
      at(list, k)->last = old->last;
      old->last = (item_list){0};
      old->head.declared = false;
      old->head.fate = FATE_NONE;
      declaration_keep(all, &old->head);
    }
  }
}

static void match_markers(declarations *all, actor_record *owner) {
  (void)owner;
  match(all, &all->markers);
}

static void match_curves(declarations *all, actor_record *owner) {
  (void)owner;
  match(all, &all->curves);
}

static void end(declarations *all, declaration *d) { give(all, (clip_record *)d, &(item_list){0}); }

static void clear(declarations *all, declaration *d) {
  (void)all;
  sinew_model_release(((clip_record *)d)->model);
}

#define OPERATIONS(matching)                                                                                           \
  {                                                                                                                    \
    .last = offsetof(clip_record, last), .next = offsetof(clip_record, next), .size = sizeof(item_list), .drop = drop, \
    .apply = apply, .remove = remove_items, .match = matching, .end = end, .clear = clear                              \
  }

const declaration_kind marker_declarations = OPERATIONS(match_markers), curve_declarations = OPERATIONS(match_curves);

/* ---- declaring ---- */

static clip_record *find(const declaration_list *list, const sinew_model *model, int clip, const char *name) {
  for (int i = 0; i < list->count; i++)
    if (at(list, i)->model == model && at(list, i)->clip == clip && strcmp(at(list, i)->head.name, name) == 0)
      return at(list, i);
  return NULL;
}

static clip_record *need(declarations *all, declaration_list *list, sinew_model *model, int clip, const char *name) {
  clip_record *r = find(list, model, clip, name);
  if (r || !(r = declaration_add(all, list, sizeof *r, name))) return r;
  r->model = sinew_model_retain(model);
  r->clip = clip;
  return r;
}

static bool set_now(declarations *all, const clip_kind *kind, sinew_model *model, int clip, const char *name,
                    const item_list *items, sinew_error *error) {
  clip_record now = {.model = model, .clip = clip};
  declarations_copy(now.head.name, sizeof now.head.name, name);
  return kind->set(all, &now, items, error);
}

static bool set_items(declarations *all, declaration_list *list, const clip_kind *kind, sinew_model *model, int clip,
                      const char *name, const item_list *items, sinew_error *error) {
  item_list next = {0};
  clip_record *r = all->loading ? need(all, list, model, clip, name) : find(list, model, clip, name);
  if (!all->loading && r) r->changed = true;
  if (!all->loading) return set_now(all, kind, model, clip, name, items, error);
  if (!r || !kind->copy(all, items, &next))
    return declarations_fail(error, "out of memory for the markers and curves of clip '%s'", name);
  drop(all, &r->next);
  r->kind = kind;
  r->next = next;
  declaration_set(all, &r->head, all->line);
  all->line[0] = '\0';
  return true;
}

/* ---- markers ---- */

static const sinew_marker *marker_at(const item_list *list, int i) { return (const sinew_marker *)list->items + i; }

static bool same_markers(const item_list *a, const item_list *b) {
  bool same = a->count == b->count;
  for (int i = 0; same && i < a->count; i++) same = kind_same(&kind_marker, marker_at(a, i), marker_at(b, i));
  return same;
}

static bool copy_markers(declarations *all, const item_list *from, item_list *to) {
  size_t size = (size_t)from->count * sizeof(sinew_marker) + 1;
  for (int i = 0; i < from->count; i++) size += strlen(marker_at(from, i)->name) + 1;
  sinew_marker *out = declarations_allocate(all, size);
  char *text = out ? (char *)(out + from->count) : NULL;
  for (int i = 0; out && i < from->count; i++) {
    out[i] = *marker_at(from, i);
    out[i].name = strcpy(text, out[i].name);
    text += strlen(text) + 1;
  }
  *to = (item_list){out, from->count};
  return out;
}

static bool give_markers(declarations *all, const clip_record *r, const item_list *list, sinew_error *error) {
  return sinew_stage_set_markers(all->stage, r->model, r->clip, list->items, list->count, error);
}

/* The marker with that name in the same order; or -1. */
static int find_marker(const item_list *list, const item_list *other, int index) {
  const char *name = marker_at(other, index)->name;
  int before = 0;
  for (int i = 0; i < index; i++) before += strcmp(marker_at(other, i)->name, name) == 0;
  for (int i = 0; i < list->count; i++)
    if (strcmp(marker_at(list, i)->name, name) == 0 && before-- == 0) return i;
  return -1;
}

static void tell_markers(declarations *all, const clip_record *r, const item_list *last, const item_list *next) {
  const char *clip = r->head.name;
  for (int i = 0; i < last->count; i++)
    if (find_marker(next, last, i) < 0)
      declarations_tell_fate(all, FATE_GOES, "%s: marker %s", clip, marker_at(last, i)->name);
  for (int i = 0; i < next->count; i++) {
    int before = find_marker(last, next, i);
    const char *name = marker_at(next, i)->name;
    if (before < 0) declarations_tell_fate(all, FATE_COMES, "%s: marker %s", clip, name);
    else
      declarations_tell_values(all, &kind_marker, &(told_values){marker_at(last, before), NULL},
                               &(told_values){marker_at(next, i), NULL}, "%s, marker %s", clip, name);
  }
}

static const clip_kind markers = {same_markers, copy_markers, give_markers, tell_markers};

bool declarations_set_markers(declarations *all, sinew_model *model, int clip, const sinew_marker *items, int count,
                              sinew_error *error) {
  return set_items(all, &all->markers, &markers, model, clip, sinew_clip_name(sinew_model_clip(model, clip)),
                   &(item_list){(void *)(uintptr_t)items, count}, error);
}

const sinew_marker *declarations_declared_marker(const declarations *all, const sinew_model *model, int clip,
                                                 const sinew_marker *living, int index, const char **line, int *place) {
  const clip_record *r = find(&all->markers, model, clip, sinew_clip_name(sinew_model_clip(model, clip)));
  const item_list now = {(void *)(uintptr_t)living, index + 1};
  int found = r && r->head.declared && r->last.items ? find_marker(&r->last, &now, index) : -1;
  if (found < 0) return NULL;
  *line = r->head.line;
  *place = found + 1;
  return marker_at(&r->last, found);
}

/* ---- curves ---- */

static bool same_keys(const item_list *a, const item_list *b) {
  size_t size = (size_t)a->count * sizeof(sinew_curve_key);
  return a->count == b->count && (!size || memcmp(a->items, b->items, size) == 0);
}

static bool copy_keys(declarations *all, const item_list *from, item_list *to) {
  size_t size = (size_t)from->count * sizeof(sinew_curve_key);
  *to = (item_list){declarations_allocate(all, size + 1), from->count};
  if (to->items && size) memcpy(to->items, from->items, size);
  return to->items;
}

static bool give_curve(declarations *all, const clip_record *r, const item_list *list, sinew_error *error) {
  return sinew_stage_set_curve(all->stage, r->model, r->clip, r->head.name, list->items, list->count, error);
}

static void tell_curve(declarations *all, const clip_record *r, const item_list *last, const item_list *next) {
  if (last->items && next->items) declarations_note(all, "%s: curve %s has changed", clip_of(r), r->head.name);
  else declarations_tell_fate(all, r->head.fate, "%s: curve %s", clip_of(r), r->head.name);
}

static const clip_kind curves = {same_keys, copy_keys, give_curve, tell_curve};

bool declarations_set_curve(declarations *all, sinew_model *model, int clip, const char *name,
                            const sinew_curve_key *keys, int count, sinew_error *error) {
  return set_items(all, &all->curves, &curves, model, clip, name, &(item_list){(void *)(uintptr_t)keys, count}, error);
}

static bool has_curve(const declarations *all, const sinew_model *model, int clip, const char *name) {
  double value;
  return sinew_stage_curve(all->stage, model, clip, name, 0, &value);
}

bool declarations_has_curve(const declarations *all, const sinew_model *model, const char *name) {
  for (int i = 0; i < all->curves.count; i++) {
    const clip_record *r = at(&all->curves, i);
    if (r->model == model && r->head.next_set && strcmp(r->head.name, name) == 0) return true;
  }
  for (int i = 0; i < sinew_model_clip_count(model); i++)
    if (has_curve(all, model, i, name)) return true;
  return false;
}

const char *declarations_curve_name(const declarations *all, const sinew_model *model, int clip, int index) {
  int known = 0;
  for (const char *name; (name = sinew_stage_clip_curve_name(all->stage, model, clip, known)) != NULL; known++)
    if (known == index) return name;
  for (int i = 0; i < all->curves.count; i++) {
    const clip_record *r = at(&all->curves, i);
    bool comes = r->model == model && r->clip == clip && r->head.next_set && r->next.count > 0 &&
                 !has_curve(all, model, clip, r->head.name);
    if (comes && known++ == index) return r->head.name;
  }
  return NULL;
}
