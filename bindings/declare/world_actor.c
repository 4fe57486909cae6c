#include "declare/world.h"

#include <string.h>

/* Ids ascend in the list: what comes is added at its end. */
actor_record *world_actor_near(const world *w, int64_t id, int *hint) {
  if (*hint < w->actors.count && w->actors.items[*hint]->id == id) return actor_at(w, *hint);
  int low = 0, high = w->actors.count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (w->actors.items[middle]->id < id) low = middle + 1;
    else high = middle;
  }
  *hint = low;
  return low < w->actors.count && w->actors.items[low]->id == id ? actor_at(w, low) : NULL;
}

actor_record *world_actor(const world *w, int64_t id) {
  int hint = 0;
  return world_actor_near(w, id, &hint);
}

const actor_record *world_actor_on_stage(world *w, sinew_actor actor) {
  for (int k = 0; k < w->actors.count; k++) {
    int i = (w->last_on_stage + k) % w->actors.count;
    if (actor_at(w, i)->actor.id == actor.id) return actor_at(w, w->last_on_stage = i);
  }
  return NULL;
}

static actor_record *find_any(const world *w, const char *name) {
  return (actor_record *)declaration_named(&w->actors, name);
}

actor_record *world_find_actor(const world *w, const char *name) {
  actor_record *record = find_any(w, name);
  return record && declaration_is_kept(&record->head) && !record->head.next_set ? NULL : record;
}

actor_record *world_named_actor(const world *w, const char *name) {
  actor_record *record = world_find_actor(w, name);
  return record && w->loading && !record->head.next_set ? NULL : record;
}

static actor_record *add_record(world *w, const char *name, sinew_error *error) {
  if (w->actors.count == WORLD_ACTORS) {
    world_fail(error, "a scene may have %d actors, and '%s' is one too many", WORLD_ACTORS, name);
    return NULL;
  }
  actor_record *record = declaration_add(w, &w->actors, sizeof *record, name);
  if (!record) world_fail(error, "out of memory for actor '%s'", name);
  else record->number = 2;
  return record;
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
  record->epoch = w->epoch;
  declaration_made(&record->head, line);
  return record;
}

static actor_record *declare_now(world *w, const char *name, sinew_model *model, const char *line, sinew_error *error) {
  actor_record *record = find_any(w, name);
  bool keep = record && !declaration_is_kept(&record->head) && record->model == model && record->actor.id;
  if (!keep) return make_now(w, name, model, line, error);
  record->epoch = w->epoch;
  world_copy(record->head.line, sizeof record->head.line, line);
  return record;
}

static actor_record *declare_next(world *w, const char *name, sinew_model *model, const char *line,
                                  sinew_error *error) {
  actor_record *record = find_any(w, name);
  if (!record) record = add_record(w, name, error);
  if (!record) return NULL;
  record->next_model = sinew_model_retain(model);
  declaration_set(w, &record->head, line);
  return record;
}

actor_record *world_declare_actor(world *w, const char *name, sinew_model *model, const char *line,
                                  sinew_error *error) {
  const actor_record *record = find_any(w, name);
  const declaration *d = record ? &record->head : NULL;
  bool twice = d && (w->loading ? d->next_set : record->epoch == w->epoch && !declaration_is_kept(d));
  if (twice) {
    world_fail(error,
               "actor '%s' is declared already at %s: give this one a name of its own, such as \"%s\" .. i, or find "
               "the first with sinew.actor(\"%s\") alone",
               name, w->loading ? d->next_line : d->line, name, name);
    return NULL;
  }
  return w->loading ? declare_next(w, name, model, line, error) : declare_now(w, name, model, line, error);
}

sinew_model *world_actor_model(const world *w, const actor_record *record) {
  return w->loading && record->next_model ? record->next_model : record->model;
}

/* ---- properties ---- */

static void standard(void *values) {
  *(actor_values *)values = (actor_values){
      .position = sinew_transform_identity(), .visible = true, .skinning = SINEW_SKINNING_LINEAR, .opacity = 1};
}

static void read_actor(const world *w, const actor_record *owner, const property_record *p, void *values) {
  (void)p;
  if (!owner->actor.id) {
    standard(values);
    return;
  }
  *(actor_values *)values = (actor_values){
      .position = sinew_actor_transform(w->stage, owner->actor),
      .visible = sinew_actor_is_visible(w->stage, owner->actor),
      .skinning = sinew_actor_skinning(w->stage, owner->actor),
      .opacity = owner->faded > 0 ? owner->opacity : sinew_actor_opacity(w->stage, owner->actor),
  };
}

static void write_actor(world *w, actor_record *owner, const property_record *p, const void *values) {
  actor_values v;
  read_actor(w, owner, p, &v);
  field_copy(p->field, &v, values);
  v.position.rotation = sinew_quat_normalize(v.position.rotation);
  owner->opacity = v.opacity < 1 ? v.opacity : 1;
  sinew_actor_set_transform(w->stage, owner->actor, &v.position);
  sinew_actor_set_visible(w->stage, owner->actor, v.visible);
  sinew_actor_set_skinning(w->stage, owner->actor, v.skinning);
  sinew_actor_set_opacity(w->stage, owner->actor, owner->opacity * (1 - owner->faded));
}

const property_kind actor_properties = {.declared = PROPERTY_OPERATIONS(actor_property, false),
                                        .fields = &kind_actor,
                                        .read = read_actor,
                                        .write = write_actor,
                                        .standard = standard};

bool world_set_actor(world *w, actor_record *record, const store_field *field, const actor_values *values) {
  return world_set_property(w, record, &record->parts[PART_PROPERTIES], &actor_properties, field, field->name, values);
}

actor_values world_actor_values(const world *w, const actor_record *record) {
  actor_values v;
  read_actor(w, record, NULL, &v);
  world_get_properties(&record->parts[PART_PROPERTIES], NULL, &v);
  return v;
}

/* ---- morph targets ---- */

static void no_weight(void *values) { *(number_values *)values = (number_values){0}; }

static void read_morph(const world *w, const actor_record *owner, const property_record *p, void *values) {
  bool there = owner->actor.id;
  ((number_values *)values)->value = there ? (double)sinew_actor_morph(w->stage, owner->actor, p->head.name) : 0;
}

static void write_morph(world *w, actor_record *owner, const property_record *p, const void *values) {
  sinew_actor_set_morph(w->stage, owner->actor, p->head.name, (float)((const number_values *)values)->value);
}

const property_kind morph_properties = {.declared = PROPERTY_OPERATIONS(number_record, false),
                                        .fields = &kind_morph,
                                        .read = read_morph,
                                        .write = write_morph,
                                        .standard = no_weight};

bool world_set_morph(world *w, actor_record *record, const char *name, double value, sinew_error *error) {
  bool set = world_set_property(w, record, &record->parts[PART_MORPHS], &morph_properties, kind_morph.fields, name,
                                &(number_values){value});
  return set || world_fail(error, "out of memory for morph '%s'", name);
}

double world_get_morph(const world *w, const actor_record *record, const char *name) {
  number_values v;
  property_record p = {.kind = &morph_properties};
  world_copy(p.head.name, sizeof p.head.name, name);
  read_morph(w, record, &p, &v);
  world_get_properties(&record->parts[PART_MORPHS], name, &v);
  return v.value;
}

/* ---- parameters: names only join while the actor lives, so that what graphs hold stays ---- */

static int param_index(const actor_record *record, const char *name) {
  const declaration_list *list = &record->parts[PART_PARAMS];
  for (int i = 0; i < list->count; i++)
    if (strcmp(list->items[i]->name, name) == 0) return i;
  return -1;
}

int world_param_index(const actor_record *record, const char *name) { return param_index(record, name); }

static void read_param(const world *w, const actor_record *owner, const property_record *p, void *values) {
  int index = param_index(owner, p->head.name);
  bool there = owner->actor.id && index < sinew_actor_param_count(w->stage, owner->actor);
  ((number_values *)values)->value = there ? sinew_actor_param(w->stage, owner->actor, index) : 0;
}

/* Those that have joined, with what is declared of them; the others keep what they have become. */
static bool join_params(const world *w, const actor_record *record, sinew_error *error) {
  const char *names[WORLD_PARAMS];
  double values[WORLD_PARAMS];
  const declaration_list *list = &record->parts[PART_PARAMS];
  int known = sinew_actor_param_count(w->stage, record->actor);
  for (int i = 0; i < list->count; i++) {
    const number_record *p = (const number_record *)list->items[i];
    names[i] = list->items[i]->name;
    values[i] = i < known ? sinew_actor_param(w->stage, record->actor, i) : p->values[list->items[i]->next_set].value;
  }
  return sinew_actor_set_params(w->stage, record->actor, names, values, list->count, error);
}

static void write_param(world *w, actor_record *owner, const property_record *p, const void *values) {
  sinew_error error;
  int index = param_index(owner, p->head.name);
  if (index >= sinew_actor_param_count(w->stage, owner->actor) && !join_params(w, owner, &error))
    sinew_log(SINEW_LOG_WARNING, "%s: %s", owner->head.name, error.message);
  sinew_actor_set_param(w->stage, owner->actor, index, ((const number_values *)values)->value);
}

const property_kind param_properties = {.declared = PROPERTY_OPERATIONS(number_record, true),
                                        .fields = &kind_param,
                                        .read = read_param,
                                        .write = write_param};

bool world_declare_param(world *w, actor_record *record, const char *name, double value, sinew_error *error) {
  declaration_list *list = &record->parts[PART_PARAMS];
  if (param_index(record, name) < 0 && list->count == WORLD_PARAMS)
    return world_fail(error, "actor '%s' has more than %d parameters", record->head.name, WORLD_PARAMS);
  if (!world_need_property(w, list, &param_properties, kind_param.fields, name))
    return world_fail(error, "out of memory for the parameter '%s'", name);
  world_set_param(w, record, name, value);
  return true;
}

void world_set_param(world *w, actor_record *record, const char *name, double value) {
  world_set_property(w, record, &record->parts[PART_PARAMS], &param_properties, kind_param.fields, name,
                     &(number_values){value});
}

double world_param(const world *w, const actor_record *record, const char *name) {
  number_values v;
  property_record p = {.kind = &param_properties};
  world_copy(p.head.name, sizeof p.head.name, name);
  read_param(w, record, &p, &v);
  world_get_properties(&record->parts[PART_PARAMS], name, &v);
  return v.value;
}
