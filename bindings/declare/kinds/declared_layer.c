#include "declare/declarations.h"

#include <string.h>

layer_record *declarations_layer(const actor_record *record, int64_t id) {
  return (layer_record *)declaration_of(&record->parts[PART_LAYERS], id);
}

const char *declarations_layer_name(const actor_record *record, int64_t id) {
  const layer_record *layer = id ? declarations_layer(record, id) : NULL;
  return layer ? layer->head.name : "base";
}

static layer_record *find_any(const actor_record *record, const char *name) {
  return (layer_record *)declaration_named(&record->parts[PART_LAYERS], name);
}

layer_record *declarations_find_layer(const actor_record *record, const char *name) {
  layer_record *layer = find_any(record, name);
  return layer && declaration_is_kept(&layer->head) && !layer->head.next_set ? NULL : layer;
}

static size_t pose_size(sinew_pose pose) {
  return (size_t)sinew_pose_group_count(pose.joint_count) * sizeof *pose.groups;
}

static void drop_values(declarations *all, void *of) {
  layer_values *values = of;
  declarations_free(all, (float *)(uintptr_t)values->def.joint_weights);
  declarations_free(all, values->def.reference.pose.groups);
  *values = (layer_values){0};
}

/* Takes ownership of the arrays in `values`. */
static bool own_values(declarations *all, layer_values *values, const char *name, sinew_error *error) {
  sinew_pose *pose = &values->def.reference.pose, given = *pose;
  if (!given.groups) return true;
  pose->groups = declarations_allocate(all, pose_size(given));
  if (pose->groups) memcpy(pose->groups, given.groups, pose_size(given));
  else declarations_fail(error, "out of memory for layer '%s'", name);
  if (!pose->groups) drop_values(all, values);
  return pose->groups;
}

static void take_values(declarations *all, layer_values *target, const layer_values *values) {
  drop_values(all, target);
  *target = *values;
}

static void forget(declarations *all, actor_record *record, declaration *d) {
  int index = sinew_actor_find_layer(all->stage, record->actor, d->name);
  if (index > 0) sinew_actor_remove_layer(all->stage, record->actor, index);
}

/* Frees the layer that has been kept longest. */
static void make_room(declarations *all, actor_record *record) {
  declaration_list *list = &record->parts[PART_LAYERS];
  declaration *oldest = NULL;
  for (int i = 0; i < list->count; i++) {
    declaration *d = list->items[i];
    bool free = declaration_is_kept(d) && !d->next_set;
    if (free && (!oldest || d->removed_at < oldest->removed_at)) oldest = d;
  }
  if (!oldest) return;
  forget(all, record, oldest);
  declaration_cut(all, &layer_declarations, list, oldest);
}

static layer_record *add_record(declarations *all, actor_record *record, const char *name, sinew_error *error) {
  declaration_list *list = &record->parts[PART_LAYERS];
  layer_record *layer = NULL;
  if (list->count + 1 >= STAGE_LAYERS) make_room(all, record);
  if (list->count + 1 >= STAGE_LAYERS)
    declarations_fail(error, "actor '%s' has %d layers already, and '%s' would be one too many", record->head.name,
                      STAGE_LAYERS, name);
  else if (!(layer = declaration_add(all, list, sizeof *layer, name)))
    declarations_fail(error, "out of memory for layer '%s'", name);
  return layer;
}

static bool apply_now(declarations *all, actor_record *record, layer_record *layer, sinew_error *error) {
  const sinew_layer_def *def = &layer->last.def;
  int index = sinew_actor_find_layer(all->stage, record->actor, layer->head.name);
  if (index >= 0) return sinew_actor_set_layer(all->stage, record->actor, index, def);
  return sinew_actor_add_layer(all->stage, record->actor, layer->head.name, def, error) >= 0;
}

static layer_record *declare_now(declarations *all, actor_record *record, layer_record *layer, const char *name,
                                 layer_values *values, const char *line, sinew_error *error) {
  bool fresh = !layer;
  if (fresh) layer = add_record(all, record, name, error);
  if (!layer) return drop_values(all, values), NULL;
  take_values(all, &layer->last, values);
  declaration_made(&layer->head, line);
  if (apply_now(all, record, layer, error)) return layer;
  if (fresh) declaration_cut(all, &layer_declarations, &record->parts[PART_LAYERS], &layer->head);
  return NULL;
}

static layer_record *declare_next(declarations *all, actor_record *record, layer_record *layer, const char *name,
                                  layer_values *values, const char *line, sinew_error *error) {
  bool twice = layer && layer->head.next_set;
  if (twice)
    declarations_fail(error,
                      "layer '%s' of actor '%s' is already declared at %s: with the name alone, layer(\"%s\") finds it",
                      name, record->head.name, layer->head.next_line, name);
  else if (!layer) layer = add_record(all, record, name, error);
  if (twice || !layer) return drop_values(all, values), NULL;
  take_values(all, &layer->next, values);
  declaration_set(all, &layer->head, line);
  return layer;
}

layer_record *declare_layer(declarations *all, actor_record *record, const char *name, layer_values *values,
                            const char *line, sinew_error *error) {
  layer_record *layer = find_any(record, name);
  if (!own_values(all, values, name, error)) return NULL;
  return all->loading ? declare_next(all, record, layer, name, values, line, error)
                      : declare_now(all, record, layer, name, values, line, error);
}

static int index_of(const declarations *all, const actor_record *record, const layer_record *layer) {
  return sinew_actor_find_layer(all->stage, record->actor, layer->head.name);
}

int declarations_layer_index(const declarations *all, const actor_record *record, int64_t id) {
  if (id == 0) return 0;
  const layer_record *layer = declarations_layer(record, id);
  return layer ? index_of(all, record, layer) : -1;
}

sinew_play_def declarations_layer_play(const declarations *all, const actor_record *record, int64_t id) {
  const layer_record *layer = id ? declarations_layer(record, id) : NULL;
  if (!layer) return sinew_play_def_default();
  return all->loading && layer->head.next_set ? layer->next.play : layer->last.play;
}

void declarations_set_layer_weight(declarations *all, actor_record *record, layer_record *layer, float weight) {
  if (all->loading) {
    layer->next.def.weight = weight;
  } else {
    sinew_actor_set_layer_weight(all->stage, record->actor, index_of(all, record, layer), weight);
  }
}

void declarations_fade_layer(declarations *all, actor_record *record, layer_record *layer, float weight,
                             double seconds) {
  if (all->loading) layer->next.def.weight = weight;
  else sinew_actor_fade_layer(all->stage, record->actor, index_of(all, record, layer), weight, seconds);
}

bool declarations_set_mask(declarations *all, actor_record *record, layer_record *layer, float *mask, int count,
                           double seconds) {
  if (all->loading) {
    declarations_free(all, (float *)(uintptr_t)layer->next.def.joint_weights);
    layer->next.def.joint_weights = mask;
    layer->next.mask_count = count;
    return true;
  }
  int index = index_of(all, record, layer);
  sinew_layer_def def = sinew_actor_layer(all->stage, record->actor, index);
  def.joint_weights = mask;
  sinew_actor_join(all->stage, record->actor, record->actor, seconds);
  bool set = sinew_actor_set_layer(all->stage, record->actor, index, &def);
  declarations_free(all, mask);
  return set;
}

static float living_weight(const declarations *all, const actor_record *record, const layer_record *layer) {
  return sinew_actor_layer(all->stage, record->actor, index_of(all, record, layer)).weight;
}

float declarations_get_layer_weight(const declarations *all, const actor_record *record, const layer_record *layer) {
  bool there = record->actor.id && index_of(all, record, layer) > 0;
  bool changed = layer->head.next_set && (!layer->head.declared || layer->next.def.weight != layer->last.def.weight);
  return changed || !there ? layer->next.def.weight : living_weight(all, record, layer);
}

/* ---- commit ---- */

static sinew_reference move_reference(const sinew_reference *reference, const sinew_model *to, const int *clips) {
  bool fits = reference->kind == SINEW_REFERENCE_POSE && reference->pose.joint_count == sinew_model_joint_count(to);
  if (fits) return *reference;
  int clip = reference->kind == SINEW_REFERENCE_CLIP ? clips[reference->clip] : -1;
  if (clip < 0) return (sinew_reference){.kind = SINEW_REFERENCE_BEGIN};
  return (sinew_reference){.kind = SINEW_REFERENCE_CLIP, .clip = clip, .time = reference->time};
}

/* If the actor will get another model, masks and poses have to wait for it. */
bool declarations_prepare_layers(declarations *all, actor_record *record, sinew_error *error) {
  sinew_actor actor = record->actor.id ? record->actor : record->replacement;
  const declaration_list *list = &record->parts[PART_LAYERS];
  for (int i = 0; i < list->count; i++) {
    const layer_record *layer = (const layer_record *)list->items[i];
    sinew_layer_def def = layer->head.next_set ? layer->next.def : layer->last.def;
    if (record->actor.id && record->replacement.id) {
      def.joint_weights = NULL;
      def.reference = (sinew_reference){.kind = SINEW_REFERENCE_BEGIN};
    }
    if (sinew_actor_find_layer(all->stage, actor, layer->head.name) >= 0) continue;
    if (sinew_actor_add_layer(all->stage, actor, layer->head.name, &def, error) < 0) return false;
  }
  return true;
}

/* Moves it joint by joint. NULL when memory runs out: then the mask counts as changed. */
static float *move_mask(declarations *all, const float *mask, const sinew_model *from, const sinew_model *to) {
  size_t count = (size_t)sinew_model_joint_count(to);
  float *moved = mask ? declarations_allocate(all, (count + 1) * sizeof *moved) : NULL;
  for (int i = 0; moved && i < sinew_model_joint_count(from); i++) {
    int joint = i ? sinew_model_find_joint(to, sinew_model_joint_name(from, i)) : 0;
    if (joint >= 0) moved[joint] = mask[i];
  }
  return moved;
}

void declarations_move_layers(declarations *all, actor_record *record, const sinew_model *model) {
  const declaration_list *list = &record->parts[PART_LAYERS];
  for (int i = 0; i < list->count; i++) {
    layer_values *last = &((layer_record *)list->items[i])->last, old = *last;
    last->def.joint_weights = move_mask(all, old.def.joint_weights, record->model, model);
    last->mask_count = sinew_model_joint_count(model);
    last->def.reference = move_reference(&old.def.reference, model, record->clips);
    if (last->def.reference.pose.groups) old.def.reference.pose.groups = NULL;
    drop_values(all, &old);
  }
}

static void apply_changes(declarations *all, actor_record *record, layer_record *layer) {
  int index = index_of(all, record, layer);
  layer_values living = {.def = sinew_actor_layer(all->stage, record->actor, index)};
  if (kind_merge(&kind_layer, &layer->last, &layer->next, &living) == 0) return;
  sinew_actor_set_layer(all->stage, record->actor, index, &living.def);
  declarations_tell_values(all, &kind_layer, &(told_values){&layer->last, record->model},
                           &(told_values){&layer->next, record->model}, "%s %s", record->head.name, layer->head.name);
  record->changed = true;
}

/* Sets the layer's declared values, which had to wait for the actor's new model. */
static void set_now(const declarations *all, const actor_record *record, const layer_record *layer) {
  sinew_actor_set_layer(all->stage, record->actor, index_of(all, record, layer), &layer->next.def);
}

static bool apply(declarations *all, actor_record *record, declaration *d) {
  layer_record *layer = (layer_record *)d;
  bool returns = d->fate == FATE_RETURNS;
  record->changed = record->changed || returns;
  if (returns)
    sinew_actor_set_layer_weight(all->stage, record->actor, index_of(all, record, layer), layer->kept_weight);
  if (d->fate != FATE_COMES) apply_changes(all, record, layer);
  else if (record->swapped) set_now(all, record, layer);
  if (declarations_tells(record)) declarations_tell_fate(all, d->fate, "%s: layer %s", record->head.name, d->name);
  return true;
}

static void remove_layer(declarations *all, actor_record *record, declaration *d) {
  ((layer_record *)d)->kept_weight = living_weight(all, record, (layer_record *)d);
  declarations_tell_fate(all, d->fate, "%s: layer %s", record->head.name, d->name);
}

static void fade(declarations *all, actor_record *record, declaration *d, double dt) {
  const layer_record *layer = (const layer_record *)d;
  float left = living_weight(all, record, layer) - layer->kept_weight * (float)(dt / DECLARED_LAYER_FADE);
  bool ended = (layer->kept_weight > 0) != (left > 0);
  sinew_actor_set_layer_weight(all->stage, record->actor, index_of(all, record, layer), ended ? 0.0f : left);
}

/* The declared layer after that position in the order. */
static const layer_record *declared_after(const actor_record *record, int order) {
  const declaration *found = NULL;
  const declaration_list *list = &record->parts[PART_LAYERS];
  for (int i = 0; i < list->count; i++) {
    const declaration *d = list->items[i];
    if (d->declared && d->order > order && (!found || d->order < found->order)) found = d;
  }
  return (const layer_record *)found;
}

/* Puts declared layers in the order of the file; others keep their positions among them. */
static void order_layers(declarations *all, actor_record *record) {
  const layer_record *below = NULL;
  int top = 0;
  for (const layer_record *l = declared_after(record, 0); l; below = l, l = declared_after(record, l->head.order)) {
    int index = index_of(all, record, l);
    if (index >= top) {
      top = index;
      continue;
    }
    sinew_actor_move_layer(all->stage, record->actor, index, top);
    record->changed = true;
    if (below && l->head.fate != FATE_COMES && below->head.fate != FATE_COMES)
      declarations_note(all, "%s layer order: %s above %s", record->head.name, l->head.name, below->head.name);
  }
}

const declaration_kind layer_declarations = {.last = offsetof(layer_record, last),
                                             .next = offsetof(layer_record, next),
                                             .size = sizeof(layer_values),
                                             .drop = drop_values,
                                             .apply = apply,
                                             .remove = remove_layer,
                                             .finish = order_layers,
                                             .fade = fade,
                                             .forget = forget};
