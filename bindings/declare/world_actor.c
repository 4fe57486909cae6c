#include "declare/world.h"

#include <string.h>

static const float defaults[ACTOR_FIELDS][4] = {
    [ACTOR_POSITION] = {0, 0, 0, 0}, [ACTOR_ROTATION] = {0, 0, 0, 1}, [ACTOR_SCALE] = {1, 1, 1, 0},
    [ACTOR_VISIBLE] = {1, 0, 0, 0},  [ACTOR_SKINNING] = {0, 0, 0, 0}, [ACTOR_OPACITY] = {1, 0, 0, 0},
};

const float *world_actor_default(int field) { return defaults[field]; }

int world_actor_field_size(int field) {
  static const int sizes[ACTOR_FIELDS] = {3, 4, 3, 1, 1, 1};
  return sizes[field];
}

/* Ids ascend in the list: what comes is added at its end. */
actor_record *world_actor_near(const world *w, int64_t id, int *hint) {
  if (*hint < w->actor_count && w->actors[*hint]->id == id) return w->actors[*hint];
  int low = 0, high = w->actor_count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (w->actors[middle]->id < id) low = middle + 1;
    else high = middle;
  }
  *hint = low;
  return low < w->actor_count && w->actors[low]->id == id ? w->actors[low] : NULL;
}

actor_record *world_actor(const world *w, int64_t id) {
  int hint = 0;
  return world_actor_near(w, id, &hint);
}

const actor_record *world_actor_on_stage(world *w, sinew_actor actor) {
  for (int k = 0; k < w->actor_count; k++) {
    int i = (w->last_on_stage + k) % w->actor_count;
    if (w->actors[i]->actor.id == actor.id) return w->actors[w->last_on_stage = i];
  }
  return NULL;
}

static actor_record *find_any(const world *w, const char *name) {
  for (int i = 0; i < w->actor_count; i++)
    if (strcmp(w->actors[i]->name, name) == 0) return w->actors[i];
  return NULL;
}

actor_record *world_find_actor(const world *w, const char *name) {
  actor_record *record = find_any(w, name);
  return record && record->swept_at >= 0 && !record->next_set ? NULL : record;
}

static actor_record *add_record(world *w, const char *name, sinew_error *error) {
  if (w->actor_count == WORLD_ACTORS) {
    world_fail(error, "a scene may have %d actors, and '%s' is one too many", WORLD_ACTORS, name);
    return NULL;
  }
  actor_record *record = world_allocate(w, sizeof *record);
  if (!record || !world_append(w, &w->actors, &w->actor_count, &w->actor_capacity, record)) {
    world_free(w, record);
    world_fail(error, "out of memory for actor '%s'", name);
    return NULL;
  }
  record->id = ++w->next_id;
  record->swept_at = -1;
  world_copy(record->name, sizeof record->name, name);
  return record;
}

static void free_record(world *w, actor_record *record) {
  for (int i = 0; i < record->play_count; i++) world_free(w, record->plays[i]);
  for (int i = 0; i < record->layer_count; i++) world_free_layer(w, record->layers[i]);
  for (int i = 0; i < record->morph_count; i++) world_free(w, record->morphs[i]);
  for (int i = 0; i < record->param_count; i++) world_free(w, record->params[i]);
  for (int i = 0; i < record->graph_count; i++) world_free_graph(w, record->graphs[i]);
  world_free_modifiers(w, record);
  world_free(w, record->params);
  world_free(w, record->graphs);
  world_free(w, record->plays);
  world_free(w, record->layers);
  world_free(w, record->morphs);
  sinew_model_release(record->model);
  sinew_model_release(record->next_model);
  world_free(w, record->clips);
  world_free(w, record);
}

void world_forget_actor(world *w, actor_record *record) {
  sinew_actor_destroy(w->stage, record->actor);
  sinew_actor_destroy(w->stage, record->replacement);
  for (int i = 0; i < w->actor_count; i++) {
    if (w->actors[i] != record) continue;
    memmove(w->actors + i, w->actors + i + 1, (size_t)(w->actor_count - i - 1) * sizeof *w->actors);
    w->actor_count--;
    w->forgotten++;
    break;
  }
  free_record(w, record);
}

/* At run time there is no transaction: what is declared is there at once. */
static actor_record *make_now(world *w, const char *name, sinew_model *model, const char *line, sinew_error *error) {
  actor_record *old = find_any(w, name);
  sinew_actor actor = sinew_actor_create(w->stage, name, model, error);
  if (!actor.id) return NULL;
  if (old) world_forget_actor(w, old);
  actor_record *record = add_record(w, name, error);
  if (!record) {
    sinew_actor_destroy(w->stage, actor);
    return NULL;
  }
  record->actor = actor;
  record->model = sinew_model_retain(model);
  record->generation = w->generation;
  world_copy(record->line, sizeof record->line, line);
  return record;
}

static actor_record *declare_now(world *w, const char *name, sinew_model *model, const char *line, sinew_error *error) {
  actor_record *record = find_any(w, name);
  bool keep = record && record->swept_at < 0 && record->model == model && record->actor.id;
  if (!keep) return make_now(w, name, model, line, error);
  record->generation = w->generation;
  world_copy(record->line, sizeof record->line, line);
  return record;
}

static actor_record *declare_next(world *w, const char *name, sinew_model *model, const char *line,
                                  sinew_error *error) {
  actor_record *record = find_any(w, name);
  if (!record) record = add_record(w, name, error);
  if (!record) return NULL;
  record->next_set = true;
  record->next_model = sinew_model_retain(model);
  world_copy(record->next_line, sizeof record->next_line, line);
  return record;
}

actor_record *world_declare_actor(world *w, const char *name, sinew_model *model, const char *line,
                                  sinew_error *error) {
  actor_record *record = find_any(w, name);
  bool twice = record && (w->loading ? record->next_set : record->generation == w->generation && record->swept_at < 0);
  if (twice) {
    world_fail(error,
               "actor '%s' is declared already at %s: give this one a name of its own, such as \"%s\" .. i, or find "
               "the first with sinew.actor(\"%s\") alone",
               name, w->loading ? record->next_line : record->line, name, name);
    return NULL;
  }
  return w->loading ? declare_next(w, name, model, line, error) : declare_now(w, name, model, line, error);
}

sinew_model *world_actor_model(const world *w, const actor_record *record) {
  return w->loading && record->next_model ? record->next_model : record->model;
}

void world_apply_actor(world *w, actor_record *record, int field, const float value[4]) {
  sinew_transform t = sinew_actor_transform(w->stage, record->actor);
  if (field == ACTOR_POSITION) t.translation = (sinew_vec3){value[0], value[1], value[2]};
  if (field == ACTOR_ROTATION) {
    t.rotation = sinew_quat_normalize((sinew_quat){value[0], value[1], value[2], value[3]});
  }
  if (field == ACTOR_SCALE) t.scale = (sinew_vec3){value[0], value[1], value[2]};
  if (field == ACTOR_VISIBLE) {
    sinew_actor_set_visible(w->stage, record->actor, value[0] != 0);
  } else if (field == ACTOR_OPACITY) {
    record->opacity = value[0] < 1 ? value[0] : 1;
    sinew_actor_set_opacity(w->stage, record->actor, record->opacity * (1 - record->swept));
  } else if (field == ACTOR_SKINNING) {
    sinew_actor_set_skinning(w->stage, record->actor, (sinew_skinning)value[0]);
  } else {
    sinew_actor_set_transform(w->stage, record->actor, &t);
  }
}

void world_set_actor(world *w, actor_record *record, int field, const float value[4]) {
  if (!w->loading) {
    world_apply_actor(w, record, field, value);
    return;
  }
  world_value *next = &record->fields[field].next;
  *next = (world_value){.set = true};
  memcpy(next->v, value, (size_t)world_actor_field_size(field) * sizeof *value);
}

void world_living_actor(const world *w, const actor_record *record, int field, float value[4]) {
  sinew_transform t = sinew_actor_transform(w->stage, record->actor);
  if (field == ACTOR_POSITION) memcpy(value, &t.translation, sizeof t.translation);
  if (field == ACTOR_ROTATION) memcpy(value, &t.rotation, sizeof t.rotation);
  if (field == ACTOR_SCALE) memcpy(value, &t.scale, sizeof t.scale);
  if (field == ACTOR_VISIBLE) value[0] = sinew_actor_is_visible(w->stage, record->actor) ? 1.0f : 0.0f;
  if (field == ACTOR_OPACITY)
    value[0] = record->swept > 0 ? record->opacity : sinew_actor_opacity(w->stage, record->actor);
  if (field == ACTOR_SKINNING) value[0] = (float)sinew_actor_skinning(w->stage, record->actor);
}

void world_get_actor(const world *w, const actor_record *record, int field, float value[4]) {
  const world_property *p = &record->fields[field];
  if (world_property_changed(p)) {
    memcpy(value, p->next.v, sizeof p->next.v);
  } else if (record->actor.id) {
    world_living_actor(w, record, field, value);
  } else {
    memcpy(value, defaults[field], sizeof defaults[field]);
  }
}

/* ---- morphs ---- */

static morph_record *find_morph(const actor_record *record, const char *name) {
  for (int i = 0; i < record->morph_count; i++)
    if (strcmp(record->morphs[i]->name, name) == 0) return record->morphs[i];
  return NULL;
}

bool world_set_morph(world *w, actor_record *record, const char *name, float value, sinew_error *error) {
  if (!w->loading) {
    sinew_actor_set_morph(w->stage, record->actor, name, value);
    return true;
  }
  morph_record *morph = find_morph(record, name);
  if (!morph) {
    morph = world_allocate(w, sizeof *morph);
    if (!morph || !world_append(w, &record->morphs, &record->morph_count, &record->morph_capacity, morph)) {
      world_free(w, morph);
      return world_fail(error, "out of memory for morph '%s'", name);
    }
    world_copy(morph->name, sizeof morph->name, name);
  }
  morph->value.next = (world_value){.set = true, .v = {value, 0, 0, 0}};
  return true;
}

float world_get_morph(const world *w, const actor_record *record, const char *name) {
  const morph_record *morph = find_morph(record, name);
  if (morph && world_property_changed(&morph->value)) return morph->value.next.v[0];
  return record->actor.id ? sinew_actor_morph(w->stage, record->actor, name) : 0.0f;
}
