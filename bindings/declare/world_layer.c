#include "declare/world.h"

#include <string.h>

enum { STAGE_LAYERS = 16 };

layer_record *world_layer(const actor_record *record, int64_t id) {
  for (int i = 0; i < record->layer_count; i++)
    if (record->layers[i]->id == id) return record->layers[i];
  return NULL;
}

static layer_record *find_any(const actor_record *record, const char *name) {
  for (int i = 0; i < record->layer_count; i++)
    if (strcmp(record->layers[i]->name, name) == 0) return record->layers[i];
  return NULL;
}

layer_record *world_find_layer(const actor_record *record, const char *name) {
  layer_record *layer = find_any(record, name);
  return layer && layer->swept_at >= 0 && !layer->next_set ? NULL : layer;
}

static size_t pose_size(sinew_pose pose) {
  return (size_t)sinew_pose_group_count(pose.joint_count) * sizeof *pose.groups;
}

static void drop_values(world *w, layer_values *values) {
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

void world_free_layer(world *w, layer_record *layer) {
  drop_values(w, &layer->last);
  drop_values(w, &layer->next);
  world_free(w, layer);
}

static void take_values(world *w, layer_values *target, const layer_values *values) {
  drop_values(w, target);
  *target = *values;
}

static layer_record *add_record(world *w, actor_record *record, const char *name, sinew_error *error) {
  layer_record *layer = NULL;
  if (record->layer_count + 1 >= STAGE_LAYERS) {
    world_fail(error, "actor '%s' has %d layers already, and '%s' would be one too many", record->name, STAGE_LAYERS,
               name);
    return NULL;
  }
  layer = world_allocate(w, sizeof *layer);
  if (!layer || !world_append(w, &record->layers, &record->layer_count, &record->layer_capacity, layer)) {
    world_free(w, layer);
    world_fail(error, "out of memory for layer '%s'", name);
    return NULL;
  }
  layer->id = ++w->next_id;
  layer->swept_at = -1;
  world_copy(layer->name, sizeof layer->name, name);
  return layer;
}

static void remove_record(world *w, actor_record *record, layer_record *layer) {
  for (int i = 0; i < record->layer_count; i++) {
    if (record->layers[i] != layer) continue;
    memmove(record->layers + i, record->layers + i + 1, (size_t)(record->layer_count - i - 1) * sizeof *record->layers);
    record->layer_count--;
    break;
  }
  world_free_layer(w, layer);
}

static sinew_layer_def stage_def(const layer_values *values) {
  return (sinew_layer_def){values->mode, values->weight, values->mask, values->reference};
}

static bool apply_now(world *w, actor_record *record, layer_record *layer, sinew_error *error) {
  sinew_layer_def def = stage_def(&layer->last);
  int index = sinew_actor_find_layer(w->stage, record->actor, layer->name);
  if (index >= 0) return sinew_actor_set_layer(w->stage, record->actor, index, &def);
  return sinew_actor_add_layer(w->stage, record->actor, layer->name, &def, error) >= 0;
}

static layer_record *declare_now(world *w, actor_record *record, const char *name, layer_values *values,
                                 sinew_error *error) {
  layer_record *layer = find_any(record, name);
  bool fresh = !layer;
  if (fresh) layer = add_record(w, record, name, error);
  if (!layer) {
    drop_values(w, values);
    return NULL;
  }
  take_values(w, &layer->last, values);
  layer->runtime = layer->runtime || fresh;
  layer->swept_at = -1;
  if (apply_now(w, record, layer, error)) return layer;
  if (fresh) remove_record(w, record, layer);
  return NULL;
}

static layer_record *declare_next(world *w, actor_record *record, const char *name, layer_values *values,
                                  const char *line, sinew_error *error) {
  layer_record *layer = find_any(record, name);
  if (layer && layer->next_set) {
    world_fail(error, "layer '%s' of actor '%s' is declared already at %s: with the name alone, layer(\"%s\") finds it",
               name, record->name, layer->next_line, name);
    layer = NULL;
  } else if (!layer) {
    layer = add_record(w, record, name, error);
  }
  if (!layer) {
    drop_values(w, values);
    return NULL;
  }
  take_values(w, &layer->next, values);
  layer->next_set = true;
  layer->order = ++w->order;
  world_copy(layer->next_line, sizeof layer->next_line, line);
  return layer;
}

layer_record *world_declare_layer(world *w, actor_record *record, const char *name, layer_values *values,
                                  const char *line, sinew_error *error) {
  if (!own_values(w, values, name, error)) return NULL;
  layer_record *layer =
      w->loading ? declare_next(w, record, name, values, line, error) : declare_now(w, record, name, values, error);
  if (layer && !w->loading) world_copy(layer->line, sizeof layer->line, line);
  return layer;
}

int world_layer_index(const world *w, const actor_record *record, int64_t id) {
  if (id == 0) return 0;
  const layer_record *layer = world_layer(record, id);
  return layer ? sinew_actor_find_layer(w->stage, record->actor, layer->name) : -1;
}

void world_set_layer_weight(world *w, actor_record *record, layer_record *layer, float weight) {
  if (w->loading) {
    layer->next.weight = weight;
  } else {
    sinew_actor_set_layer_weight(w->stage, record->actor, world_layer_index(w, record, layer->id), weight);
  }
}

void world_fade_layer(world *w, actor_record *record, layer_record *layer, float weight, double seconds) {
  if (w->loading) layer->next.weight = weight;
  else sinew_actor_fade_layer(w->stage, record->actor, world_layer_index(w, record, layer->id), weight, seconds);
}

bool world_set_mask(world *w, actor_record *record, layer_record *layer, float *mask, int count, double seconds) {
  if (w->loading) {
    world_free(w, layer->next.mask);
    layer->next.mask = mask;
    layer->next.mask_count = count;
    return true;
  }
  int index = world_layer_index(w, record, layer->id);
  sinew_layer_def def = sinew_actor_layer(w->stage, record->actor, index);
  def.joint_weights = mask;
  sinew_actor_join(w->stage, record->actor, record->actor, seconds);
  bool set = sinew_actor_set_layer(w->stage, record->actor, index, &def);
  world_free(w, mask);
  return set;
}

static float living_weight(const world *w, const actor_record *record, const layer_record *layer) {
  return sinew_actor_layer(w->stage, record->actor, world_layer_index(w, record, layer->id)).weight;
}

float world_get_layer_weight(const world *w, const actor_record *record, const layer_record *layer) {
  bool there = record->actor.id && world_layer_index(w, record, layer->id) > 0;
  bool changed = layer->next_set && (!layer->last_set || layer->next.weight != layer->last.weight);
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
  for (int i = 0; i < record->layer_count; i++) {
    const layer_record *layer = record->layers[i];
    sinew_layer_def def = stage_def(layer->next_set ? &layer->next : &layer->last);
    if (record->actor.id && record->replacement.id) {
      def.joint_weights = NULL;
      def.reference = (sinew_reference){.kind = SINEW_REFERENCE_BEGIN};
    }
    if (sinew_actor_find_layer(w->stage, actor, layer->name) >= 0) continue;
    if (sinew_actor_add_layer(w->stage, actor, layer->name, &def, error) < 0) return false;
  }
  return true;
}

/* Joint by joint. NULL where memory is out: then the mask counts as another. */
static float *move_mask(world *w, const float *mask, const sinew_model *from, const sinew_model *to) {
  size_t count = (size_t)sinew_model_joint_count(to);
  float *moved = mask ? world_allocate(w, (count + 1) * sizeof *moved) : NULL;
  for (int i = 0; moved && i < sinew_model_joint_count(from); i++) {
    int joint = i ? sinew_model_counterpart(from, i, to) : 0;
    if (joint >= 0) moved[joint] = mask[i];
  }
  return moved;
}

void world_move_layers(world *w, actor_record *record, const sinew_model *model) {
  for (int i = 0; i < record->layer_count; i++) {
    layer_values *last = &record->layers[i]->last, old = *last;
    last->mask = move_mask(w, old.mask, record->model, model);
    last->mask_count = sinew_model_joint_count(model);
    last->reference = move_reference(&old.reference, model, record->clips);
    if (last->reference.pose.groups) old.reference.pose.groups = NULL;
    drop_values(w, &old);
  }
}

void world_undo_layers(world *w, actor_record *record) {
  for (int i = record->layer_count - 1; i >= 0; i--) {
    layer_record *layer = record->layers[i];
    bool known = layer->last_set || layer->runtime || layer->swept_at >= 0;
    int index = sinew_actor_find_layer(w->stage, record->actor, layer->name);
    drop_values(w, &layer->next);
    layer->next_set = false;
    if (known) continue;
    if (index > 0) sinew_actor_remove_layer(w->stage, record->actor, index);
    remove_record(w, record, layer);
  }
}

static void apply_changes(world *w, actor_record *record, layer_record *layer) {
  char changes[320];
  int index = world_layer_index(w, record, layer->id);
  sinew_layer_def def = sinew_actor_layer(w->stage, record->actor, index);
  layer_values living = {def.mode, def.weight, (float *)(uintptr_t)def.joint_weights, 0, def.reference};
  if (kind_merge(&kind_layer, &layer->last, &layer->next, &living) == 0) return;
  def = stage_def(&living);
  sinew_actor_set_layer(w->stage, record->actor, index, &def);
  kind_tell(&kind_layer, &layer->last, record->model, &layer->next, record->model, changes, sizeof changes);
  world_note(w, "%s %s: %s", record->name, layer->name, changes);
  record->changed = true;
}

/* What its model has kept from the layer until now. */
static void set_now(const world *w, const actor_record *record, const layer_record *layer) {
  sinew_layer_def def = stage_def(&layer->next);
  sinew_actor_set_layer(w->stage, record->actor, world_layer_index(w, record, layer->id), &def);
}

static void commit_layer(world *w, actor_record *record, layer_record *layer) {
  bool held = layer->swept_at >= 0;
  if (held) {
    int index = world_layer_index(w, record, layer->id);
    sinew_actor_set_layer_weight(w->stage, record->actor, index, layer->held_weight);
    layer->swept_at = -1;
  }
  record->changed = record->changed || held;
  bool known = layer->last_set || held || layer->runtime;
  record->changed = record->changed || held;
  if (known) apply_changes(w, record, layer);
  if (!known && record->swapped) set_now(w, record, layer);
  if (!known && record->declared) world_note(w, "%s: layer %s joins", record->name, layer->name);
  layer->joined = !known;
  take_values(w, &layer->last, &layer->next);
  layer->next = (layer_values){0};
  layer->last_set = true;
  layer->runtime = layer->next_set = false;
  world_copy(layer->line, sizeof layer->line, layer->next_line);
}

/* The declared layer that follows the order's place. */
static const layer_record *declared_after(const actor_record *record, int order) {
  const layer_record *found = NULL;
  for (int i = 0; i < record->layer_count; i++) {
    const layer_record *layer = record->layers[i];
    if (layer->last_set && layer->order > order && (!found || layer->order < found->order)) found = layer;
  }
  return found;
}

/* Declared layers lie as the file has them; those of other origin stay among them where they are. */
static void order_layers(world *w, actor_record *record) {
  const layer_record *below = NULL;
  int top = 0;
  for (const layer_record *l = declared_after(record, 0); l; below = l, l = declared_after(record, l->order)) {
    int index = world_layer_index(w, record, l->id);
    if (index >= top) {
      top = index;
      continue;
    }
    sinew_actor_move_layer(w->stage, record->actor, index, top);
    record->changed = true;
    if (below && !l->joined && !below->joined)
      world_note(w, "%s layer order: %s above %s", record->name, l->name, below->name);
  }
}

void world_commit_layers(world *w, actor_record *record) {
  for (int i = 0; i < record->layer_count; i++) {
    layer_record *layer = record->layers[i];
    if (layer->next_set) {
      commit_layer(w, record, layer);
    } else if (layer->last_set) { /* no longer declared; `last` stays, for its return */
      layer->held_weight = living_weight(w, record, layer);
      layer->swept_at = sinew_host_time(w->host);
      layer->last_set = false;
      world_note(w, "%s: layer %s is gone", record->name, layer->name);
    }
  }
  order_layers(w, record);
  for (int i = 0; i < record->layer_count; i++) record->layers[i]->joined = false;
}

void world_update_layers(world *w, actor_record *record, double dt) {
  for (int i = record->layer_count - 1; i >= 0; i--) {
    layer_record *layer = record->layers[i];
    if (layer->swept_at < 0) continue;
    int index = world_layer_index(w, record, layer->id);
    float left = living_weight(w, record, layer) - layer->held_weight * (float)(dt / WORLD_SWEEP_FADE);
    bool ended = (layer->held_weight > 0) != (left > 0);
    sinew_actor_set_layer_weight(w->stage, record->actor, index, ended ? 0.0f : left);
    if (sinew_host_time(w->host) - layer->swept_at <= WORLD_HOLD) continue;
    sinew_actor_remove_layer(w->stage, record->actor, index);
    remove_record(w, record, layer);
  }
}
