#include "declare/world.h"

#include <string.h>

enum { STAGE_LAYERS = 16 };

layer_record *world_layer(const actor_record *record, int64_t id) {
  return (layer_record *)declaration_of(&record->parts[PART_LAYERS], id);
}

static layer_record *find_any(const actor_record *record, const char *name) {
  return (layer_record *)declaration_named(&record->parts[PART_LAYERS], name);
}

layer_record *world_find_layer(const actor_record *record, const char *name) {
  layer_record *layer = find_any(record, name);
  return layer && declaration_is_kept(&layer->head) && !layer->head.next_set ? NULL : layer;
}

static size_t pose_size(sinew_pose pose) {
  return (size_t)sinew_pose_group_count(pose.joint_count) * sizeof *pose.groups;
}

static void drop_values(world *w, void *of) {
  layer_values *values = of;
  world_free(w, values->mask);
  world_free(w, values->reference.pose.groups);
  *values = (layer_values){0};
}

/* What is handed over becomes the world's own. */
static bool own_values(world *w, layer_values *values, const char *name, sinew_error *error) {
  sinew_pose *pose = &values->reference.pose, given = *pose;
  if (!given.groups) return true;
  pose->groups = world_allocate(w, pose_size(given));
  if (pose->groups) memcpy(pose->groups, given.groups, pose_size(given));
  else world_fail(error, "out of memory for layer '%s'", name);
  if (!pose->groups) drop_values(w, values);
  return pose->groups;
}

static void take_values(world *w, layer_values *target, const layer_values *values) {
  drop_values(w, target);
  *target = *values;
}

static layer_record *add_record(world *w, actor_record *record, const char *name, sinew_error *error) {
  declaration_list *list = &record->parts[PART_LAYERS];
  layer_record *layer = NULL;
  if (list->count + 1 >= STAGE_LAYERS)
    world_fail(error, "actor '%s' has %d layers already, and '%s' would be one too many", record->head.name,
               STAGE_LAYERS, name);
  else if (!(layer = declaration_add(w, list, sizeof *layer, name)))
    world_fail(error, "out of memory for layer '%s'", name);
  return layer;
}

static sinew_layer_def stage_def(const layer_values *values) {
  return (sinew_layer_def){values->mode, values->weight, values->mask, values->reference};
}

static bool apply_now(world *w, actor_record *record, layer_record *layer, sinew_error *error) {
  sinew_layer_def def = stage_def(&layer->last);
  int index = sinew_actor_find_layer(w->stage, record->actor, layer->head.name);
  if (index >= 0) return sinew_actor_set_layer(w->stage, record->actor, index, &def);
  return sinew_actor_add_layer(w->stage, record->actor, layer->head.name, &def, error) >= 0;
}

static layer_record *declare_now(world *w, actor_record *record, layer_record *layer, const char *name,
                                 layer_values *values, const char *line, sinew_error *error) {
  bool fresh = !layer;
  if (fresh) layer = add_record(w, record, name, error);
  if (!layer) return drop_values(w, values), NULL;
  take_values(w, &layer->last, values);
  declaration_made(&layer->head, line);
  if (apply_now(w, record, layer, error)) return layer;
  if (fresh) declaration_cut(w, &layer_declarations, &record->parts[PART_LAYERS], &layer->head);
  return NULL;
}

static layer_record *declare_next(world *w, actor_record *record, layer_record *layer, const char *name,
                                  layer_values *values, const char *line, sinew_error *error) {
  bool twice = layer && layer->head.next_set;
  if (twice)
    world_fail(error, "layer '%s' of actor '%s' is declared already at %s: with the name alone, layer(\"%s\") finds it",
               name, record->head.name, layer->head.next_line, name);
  else if (!layer) layer = add_record(w, record, name, error);
  if (twice || !layer) return drop_values(w, values), NULL;
  take_values(w, &layer->next, values);
  declaration_set(w, &layer->head, line);
  return layer;
}

layer_record *world_declare_layer(world *w, actor_record *record, const char *name, layer_values *values,
                                  const char *line, sinew_error *error) {
  layer_record *layer = find_any(record, name);
  if (!own_values(w, values, name, error)) return NULL;
  return w->loading ? declare_next(w, record, layer, name, values, line, error)
                    : declare_now(w, record, layer, name, values, line, error);
}

static int index_of(const world *w, const actor_record *record, const layer_record *layer) {
  return sinew_actor_find_layer(w->stage, record->actor, layer->head.name);
}

int world_layer_index(const world *w, const actor_record *record, int64_t id) {
  if (id == 0) return 0;
  const layer_record *layer = world_layer(record, id);
  return layer ? index_of(w, record, layer) : -1;
}

void world_set_layer_weight(world *w, actor_record *record, layer_record *layer, float weight) {
  if (w->loading) {
    layer->next.weight = weight;
  } else {
    sinew_actor_set_layer_weight(w->stage, record->actor, index_of(w, record, layer), weight);
  }
}

void world_fade_layer(world *w, actor_record *record, layer_record *layer, float weight, double seconds) {
  if (w->loading) layer->next.weight = weight;
  else sinew_actor_fade_layer(w->stage, record->actor, index_of(w, record, layer), weight, seconds);
}

bool world_set_mask(world *w, actor_record *record, layer_record *layer, float *mask, int count, double seconds) {
  if (w->loading) {
    world_free(w, layer->next.mask);
    layer->next.mask = mask;
    layer->next.mask_count = count;
    return true;
  }
  int index = index_of(w, record, layer);
  sinew_layer_def def = sinew_actor_layer(w->stage, record->actor, index);
  def.joint_weights = mask;
  sinew_actor_join(w->stage, record->actor, record->actor, seconds);
  bool set = sinew_actor_set_layer(w->stage, record->actor, index, &def);
  world_free(w, mask);
  return set;
}

static float living_weight(const world *w, const actor_record *record, const layer_record *layer) {
  return sinew_actor_layer(w->stage, record->actor, index_of(w, record, layer)).weight;
}

float world_get_layer_weight(const world *w, const actor_record *record, const layer_record *layer) {
  bool there = record->actor.id && index_of(w, record, layer) > 0;
  bool changed = layer->head.next_set && (!layer->head.declared || layer->next.weight != layer->last.weight);
  return changed || !there ? layer->next.weight : living_weight(w, record, layer);
}

/* ---- commit ---- */

static sinew_reference move_reference(const sinew_reference *reference, const sinew_model *to, const int *clips) {
  bool fits = reference->kind == SINEW_REFERENCE_POSE && reference->pose.joint_count == sinew_model_joint_count(to);
  if (fits) return *reference;
  int clip = reference->kind == SINEW_REFERENCE_CLIP ? clips[reference->clip] : -1;
  if (clip < 0) return (sinew_reference){.kind = SINEW_REFERENCE_BEGIN};
  return (sinew_reference){.kind = SINEW_REFERENCE_CLIP, .clip = clip, .time = reference->time};
}

/* Where another model is to come, its masks and poses have to wait for it. */
bool world_prepare_layers(world *w, actor_record *record, sinew_error *error) {
  sinew_actor actor = record->actor.id ? record->actor : record->replacement;
  const declaration_list *list = &record->parts[PART_LAYERS];
  for (int i = 0; i < list->count; i++) {
    const layer_record *layer = (const layer_record *)list->items[i];
    sinew_layer_def def = stage_def(layer->head.next_set ? &layer->next : &layer->last);
    if (record->actor.id && record->replacement.id) {
      def.joint_weights = NULL;
      def.reference = (sinew_reference){.kind = SINEW_REFERENCE_BEGIN};
    }
    if (sinew_actor_find_layer(w->stage, actor, layer->head.name) >= 0) continue;
    if (sinew_actor_add_layer(w->stage, actor, layer->head.name, &def, error) < 0) return false;
  }
  return true;
}

/* Joint by joint. NULL where memory is out: then the mask counts as another. */
static float *move_mask(world *w, const float *mask, const sinew_model *from, const sinew_model *to) {
  size_t count = (size_t)sinew_model_joint_count(to);
  float *moved = mask ? world_allocate(w, (count + 1) * sizeof *moved) : NULL;
  for (int i = 0; moved && i < sinew_model_joint_count(from); i++) {
    int joint = i ? sinew_model_find_joint(to, sinew_model_joint_name(from, i)) : 0;
    if (joint >= 0) moved[joint] = mask[i];
  }
  return moved;
}

void world_move_layers(world *w, actor_record *record, const sinew_model *model) {
  const declaration_list *list = &record->parts[PART_LAYERS];
  for (int i = 0; i < list->count; i++) {
    layer_values *last = &((layer_record *)list->items[i])->last, old = *last;
    last->mask = move_mask(w, old.mask, record->model, model);
    last->mask_count = sinew_model_joint_count(model);
    last->reference = move_reference(&old.reference, model, record->clips);
    if (last->reference.pose.groups) old.reference.pose.groups = NULL;
    drop_values(w, &old);
  }
}

static void apply_changes(world *w, actor_record *record, layer_record *layer) {
  char changes[320];
  int index = index_of(w, record, layer);
  sinew_layer_def def = sinew_actor_layer(w->stage, record->actor, index);
  layer_values living = {def.mode, def.weight, (float *)(uintptr_t)def.joint_weights, 0, def.reference};
  if (kind_merge(&kind_layer, &layer->last, &layer->next, &living) == 0) return;
  def = stage_def(&living);
  sinew_actor_set_layer(w->stage, record->actor, index, &def);
  kind_tell(&kind_layer, &layer->last, record->model, &layer->next, record->model, changes, sizeof changes);
  world_note(w, "%s %s: %s", record->head.name, layer->head.name, changes);
  record->changed = true;
}

/* What its model has kept from the layer until now. */
static void set_now(const world *w, const actor_record *record, const layer_record *layer) {
  sinew_layer_def def = stage_def(&layer->next);
  sinew_actor_set_layer(w->stage, record->actor, index_of(w, record, layer), &def);
}

static bool apply(world *w, actor_record *record, declaration *d) {
  layer_record *layer = (layer_record *)d;
  bool returns = d->fate == FATE_RETURNS;
  record->changed = record->changed || returns;
  if (returns) sinew_actor_set_layer_weight(w->stage, record->actor, index_of(w, record, layer), layer->kept_weight);
  if (d->fate != FATE_COMES) apply_changes(w, record, layer);
  else if (record->swapped) set_now(w, record, layer);
  if (d->fate != FATE_STAYS && world_tells(record))
    world_note(w, "%s: layer %s %s", record->head.name, d->name, returns ? "is back" : "joins");
  return true;
}

static void remove_layer(world *w, actor_record *record, declaration *d) {
  ((layer_record *)d)->kept_weight = living_weight(w, record, (layer_record *)d);
  world_note(w, "%s: layer %s is gone", record->head.name, d->name);
}

static void fade(world *w, actor_record *record, declaration *d, double dt) {
  const layer_record *layer = (const layer_record *)d;
  float left = living_weight(w, record, layer) - layer->kept_weight * (float)(dt / WORLD_LAYER_FADE);
  bool ended = (layer->kept_weight > 0) != (left > 0);
  sinew_actor_set_layer_weight(w->stage, record->actor, index_of(w, record, layer), ended ? 0.0f : left);
}

static void forget(world *w, actor_record *record, declaration *d) {
  int index = sinew_actor_find_layer(w->stage, record->actor, d->name);
  if (index > 0) sinew_actor_remove_layer(w->stage, record->actor, index);
}

/* The declared layer that follows the order's place. */
static const layer_record *declared_after(const actor_record *record, int order) {
  const declaration *found = NULL;
  const declaration_list *list = &record->parts[PART_LAYERS];
  for (int i = 0; i < list->count; i++) {
    const declaration *d = list->items[i];
    if (d->declared && d->order > order && (!found || d->order < found->order)) found = d;
  }
  return (const layer_record *)found;
}

/* Declared layers lie as the file has them; those of other origin stay among them where they are. */
static void order_layers(world *w, actor_record *record) {
  const layer_record *below = NULL;
  int top = 0;
  for (const layer_record *l = declared_after(record, 0); l; below = l, l = declared_after(record, l->head.order)) {
    int index = index_of(w, record, l);
    if (index >= top) {
      top = index;
      continue;
    }
    sinew_actor_move_layer(w->stage, record->actor, index, top);
    record->changed = true;
    if (below && l->head.fate != FATE_COMES && below->head.fate != FATE_COMES)
      world_note(w, "%s layer order: %s above %s", record->head.name, l->head.name, below->head.name);
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
