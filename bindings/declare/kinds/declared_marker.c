/* Markers of clips: the model's on the stage. A clip has one list of them. */
#include "declare/declarations.h"

#include <string.h>

typedef struct marker_list {
  sinew_marker *items; /* with the names behind them, in one piece */
  int count;
} marker_list;

typedef struct marker_record {
  declaration head;   /* name: of the clip */
  sinew_model *model; /* retained */
  int clip;
  bool changed; /* by a callback since */
  marker_list last, next;
} marker_record;

static bool same_list(const marker_list *a, const marker_list *b) {
  bool same = a->count == b->count;
  for (int i = 0; same && i < a->count; i++) same = kind_same(&kind_marker, a->items + i, b->items + i);
  return same;
}

static bool copy(declarations *all, const sinew_marker *markers, int count, marker_list *list) {
  size_t size = (size_t)count * sizeof *markers + 1;
  for (int i = 0; i < count; i++) size += strlen(markers[i].name) + 1;
  sinew_marker *out = declarations_allocate(all, size);
  char *text = out ? (char *)(out + count) : NULL;
  for (int i = 0; out && i < count; i++) {
    out[i] = markers[i];
    out[i].name = strcpy(text, markers[i].name);
    text += strlen(text) + 1;
  }
  *list = (marker_list){out, count};
  return out;
}

static void drop(declarations *all, void *values) {
  marker_list *list = values;
  declarations_free(all, list->items);
  *list = (marker_list){0};
}

static void clear(declarations *all, declaration *d) {
  (void)all;
  sinew_model_release(((marker_record *)d)->model);
}

/* ---- telling ---- */

/* Of the markers that have the name, the one in the same order; or -1. */
static int find(const marker_list *list, const marker_list *other, int index) {
  int before = 0;
  for (int i = 0; i < index; i++) before += strcmp(other->items[i].name, other->items[index].name) == 0;
  for (int i = 0; i < list->count; i++)
    if (strcmp(list->items[i].name, other->items[index].name) == 0 && before-- == 0) return i;
  return -1;
}

static void tell(declarations *all, const char *clip, const marker_list *last, const marker_list *next) {
  for (int i = 0; i < last->count; i++)
    if (find(next, last, i) < 0) declarations_tell_fate(all, FATE_GOES, "%s: marker %s", clip, last->items[i].name);
  for (int i = 0; i < next->count; i++) {
    int before = find(last, next, i);
    const char *name = next->items[i].name;
    if (before < 0) declarations_tell_fate(all, FATE_COMES, "%s: marker %s", clip, name);
    else
      declarations_tell_values(all, &kind_marker, &(told_values){last->items + before, NULL},
                               &(told_values){next->items + i, NULL}, "%s, marker %s", clip, name);
  }
}

/* ---- commit ---- */

static void give(declarations *all, const marker_record *record, const marker_list *list) {
  sinew_error error;
  if (!sinew_stage_set_markers(all->stage, record->model, record->clip, list->items, list->count, &error))
    declarations_say(all, SINEW_LOG_WARNING, "%s", error.message);
}

/* What is declared as before is given all the same, for its data are new. */
static bool apply(declarations *all, actor_record *owner, declaration *d) {
  marker_record *record = (marker_record *)d;
  (void)owner;
  bool same = same_list(&record->last, &record->next);
  if (d->fate == FATE_STAYS && same && record->changed) return true;
  give(all, record, &record->next);
  record->changed = false;
  if (!same && all->epoch > 1) tell(all, d->name, &record->last, &record->next);
  return true;
}

static void remove_markers(declarations *all, actor_record *owner, declaration *d) {
  const marker_record *record = (const marker_record *)d;
  (void)owner;
  give(all, record, &(marker_list){0});
  tell(all, d->name, &record->last, &(marker_list){0});
  drop(all, &((marker_record *)d)->last);
}

/* A model that was loaded again has clips of the same names: what was declared of the old ones was of these. */
static void match(declarations *all, actor_record *owner) {
  (void)owner;
  for (int i = 0; i < all->markers.count; i++) {
    marker_record *old = (marker_record *)all->markers.items[i];
    for (int k = 0; k < all->markers.count && old->head.fate == FATE_GOES; k++) {
      marker_record *fresh = (marker_record *)all->markers.items[k];
      bool same = fresh->head.fate == FATE_COMES && strcmp(fresh->head.name, old->head.name) == 0 &&
                  strcmp(sinew_model_path(fresh->model), sinew_model_path(old->model)) == 0;
      if (!same || fresh->last.items) continue;
      fresh->last = old->last;
      old->last = (marker_list){0};
      old->head.declared = false;
      old->head.fate = FATE_NONE;
      declaration_keep(all, &old->head);
    }
  }
}

static void end(declarations *all, declaration *d) { give(all, (marker_record *)d, &(marker_list){0}); }

const declaration_kind marker_declarations = {.last = offsetof(marker_record, last),
                                              .next = offsetof(marker_record, next),
                                              .size = sizeof(marker_list),
                                              .drop = drop,
                                              .apply = apply,
                                              .remove = remove_markers,
                                              .match = match,
                                              .end = end,
                                              .clear = clear};

static marker_record *find_record(const declarations *all, const sinew_model *model, int clip) {
  for (int i = 0; i < all->markers.count; i++) {
    marker_record *record = (marker_record *)all->markers.items[i];
    if (record->model == model && record->clip == clip) return record;
  }
  return NULL;
}

static marker_record *need(declarations *all, sinew_model *model, int clip) {
  marker_record *record = find_record(all, model, clip);
  if (record) return record;
  record = declaration_add(all, &all->markers, sizeof *record, sinew_clip_name(sinew_model_clip(model, clip)));
  if (!record) return NULL;
  record->model = sinew_model_retain(model);
  record->clip = clip;
  return record;
}

bool declarations_set_markers(declarations *all, sinew_model *model, int clip, const sinew_marker *markers, int count,
                              sinew_error *error) {
  marker_list next;
  marker_record *record = all->loading ? need(all, model, clip) : find_record(all, model, clip);
  if (!all->loading && record) record->changed = true;
  if (!all->loading) return sinew_stage_set_markers(all->stage, model, clip, markers, count, error);
  if (!record || !copy(all, markers, count, &next)) return declarations_fail(error, "out of memory for markers");
  drop(all, &record->next);
  record->next = next;
  declaration_set(all, &record->head, "");
  return true;
}
