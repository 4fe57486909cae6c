#include "declare/declarations.h"

#include <string.h>

/* Ids ascend in the list, because new records are added at its end. */
actor_record *declarations_actor_near(const declarations *all, int64_t id, int *hint) {
  if (*hint < all->actors.count && all->actors.items[*hint]->id == id) return actor_at(all, *hint);
  int low = 0, high = all->actors.count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (all->actors.items[middle]->id < id) low = middle + 1;
    else high = middle;
  }
  *hint = low;
  return low < all->actors.count && all->actors.items[low]->id == id ? actor_at(all, low) : NULL;
}

actor_record *declarations_actor(const declarations *all, int64_t id) {
  int hint = 0;
  return declarations_actor_near(all, id, &hint);
}

const actor_record *declarations_actor_on_stage(declarations *all, sinew_actor actor) {
  for (int k = 0; k < all->actors.count; k++) {
    int i = (all->last_on_stage + k) % all->actors.count;
    if (actor_at(all, i)->actor.id == actor.id) return actor_at(all, all->last_on_stage = i);
  }
  return NULL;
}

static actor_record *find_any(const declarations *all, const char *name) {
  return (actor_record *)declaration_named(&all->actors, name);
}

actor_record *declarations_find_actor(const declarations *all, const char *name) {
  actor_record *record = find_any(all, name);
  return record && declaration_is_kept(&record->head) && !record->head.next_set ? NULL : record;
}

actor_record *declarations_named_actor(const declarations *all, const char *name) {
  actor_record *record = declarations_find_actor(all, name);
  return record && all->loading && !record->head.next_set ? NULL : record;
}

static actor_record *add_record(declarations *all, const char *name, sinew_error *error) {
  if (all->actors.count == DECLARED_ACTORS) {
    declarations_fail(error, "a scene may have %d actors, and '%s' is one too many", DECLARED_ACTORS, name);
    return NULL;
  }
  actor_record *record = declaration_add(all, &all->actors, sizeof *record, name);
  if (!record) declarations_fail(error, "out of memory for actor '%s'", name);
  else record->number = 2;
  return record;
}

void declarations_hold_model(int64_t *joints, sinew_model **place, sinew_model *model) {
  if (model) *joints += sinew_model_joint_count(sinew_model_retain(model));
  if (*place) *joints -= sinew_model_joint_count(*place);
  sinew_model_release(*place);
  *place = model;
}

static bool has_room(const declarations *all, const char *name, const sinew_model *model, sinew_error *error) {
  int64_t joints = (all->loading ? all->next_joints : all->joints) + sinew_model_joint_count(model);
  return joints <= DECLARED_JOINTS ||
         declarations_fail(error, "the actors of a scene have %d joints at most, and with '%s' they would have %lld",
                           DECLARED_JOINTS, name, (long long)joints);
}

/* At run time there is no transaction: a declaration takes effect at once. */
static actor_record *make_now(declarations *all, const char *name, sinew_model *model, const char *line,
                              sinew_error *error) {
  actor_record *old = find_any(all, name);
  sinew_actor actor = sinew_actor_create(all->stage, name, model, error);
  if (!actor.id) return NULL;
  if (old) declarations_forget_actor(all, old);
  actor_record *record = add_record(all, name, error);
  if (!record) {
    sinew_actor_destroy(all->stage, actor);
    return NULL;
  }
  record->actor = actor;
  declarations_hold_model(&all->joints, &record->model, model);
  record->epoch = all->epoch;
  declaration_made(&record->head, line);
  return record;
}

static actor_record *declare_now(declarations *all, const char *name, sinew_model *model, const char *line,
                                 sinew_error *error) {
  actor_record *record = find_any(all, name);
  bool keep = record && !declaration_is_kept(&record->head) && record->model == model && record->actor.id;
  if (!keep) return make_now(all, name, model, line, error);
  record->epoch = all->epoch;
  declarations_copy(record->head.line, sizeof record->head.line, line);
  return record;
}

static actor_record *declare_next(declarations *all, const char *name, sinew_model *model, const char *line,
                                  sinew_error *error) {
  actor_record *record = find_any(all, name);
  if (!record) record = add_record(all, name, error);
  if (!record) return NULL;
  declarations_hold_model(&all->next_joints, &record->next_model, model);
  declaration_set(all, &record->head, line);
  return record;
}

actor_record *declare_actor(declarations *all, const char *name, sinew_model *model, const char *line,
                            sinew_error *error) {
  const actor_record *record = find_any(all, name);
  const declaration *d = record ? &record->head : NULL;
  bool twice = d && (all->loading ? d->next_set : record->epoch == all->epoch && !declaration_is_kept(d));
  if (twice) {
    declarations_fail(error,
                      "actor '%s' is already declared at %s: give this one a name of its own, such as \"%s\" .. i, or "
                      "find the first with sinew.actor(\"%s\") alone",
                      name, all->loading ? d->next_line : d->line, name, name);
    return NULL;
  }
  if (!has_room(all, name, model, error)) return NULL;
  return all->loading ? declare_next(all, name, model, line, error) : declare_now(all, name, model, line, error);
}

sinew_model *declarations_actor_model(const declarations *all, const actor_record *record) {
  return all->loading && record->next_model ? record->next_model : record->model;
}

/* ---- properties ---- */

static void standard(void *values) {
  *(actor_values *)values = (actor_values){
      .position = sinew_transform_identity(), .visible = true, .skinning = SINEW_SKINNING_LINEAR, .opacity = 1};
}

static void read_actor(const declarations *all, const actor_record *owner, const property_record *p, void *values) {
  (void)p;
  if (!owner->actor.id) {
    standard(values);
    return;
  }
  *(actor_values *)values = (actor_values){
      .position = sinew_actor_transform(all->stage, owner->actor),
      .visible = sinew_actor_is_visible(all->stage, owner->actor),
      .skinning = sinew_actor_skinning(all->stage, owner->actor),
      .opacity = owner->faded > 0 ? owner->opacity : sinew_actor_opacity(all->stage, owner->actor),
  };
}

static void write_actor(declarations *all, actor_record *owner, const property_record *p, const void *values) {
  actor_values v;
  read_actor(all, owner, p, &v);
  field_copy(p->field, &v, values);
  v.position.rotation = sinew_quat_normalize(v.position.rotation);
  owner->opacity = v.opacity < 1 ? v.opacity : 1;
  sinew_actor_set_transform(all->stage, owner->actor, &v.position);
  sinew_actor_set_visible(all->stage, owner->actor, v.visible);
  sinew_actor_set_skinning(all->stage, owner->actor, v.skinning);
  sinew_actor_set_opacity(all->stage, owner->actor, owner->opacity * (1 - owner->faded));
}

const property_kind actor_properties = {.declared = PROPERTY_OPERATIONS(actor_property, false),
                                        .fields = &kind_actor,
                                        .read = read_actor,
                                        .write = write_actor,
                                        .standard = standard};

bool declarations_set_actor(declarations *all, actor_record *record, const store_field *field,
                            const actor_values *values) {
  return declarations_set_property(all, record, &record->parts[PART_PROPERTIES], &actor_properties, field, field->name,
                                   values);
}

actor_values declarations_actor_values(const declarations *all, const actor_record *record) {
  actor_values v;
  read_actor(all, record, NULL, &v);
  declarations_get_properties(&record->parts[PART_PROPERTIES], NULL, &v);
  return v;
}

/* ---- morph targets ---- */

static void no_weight(void *values) { *(number_values *)values = (number_values){0}; }

static void read_morph(const declarations *all, const actor_record *owner, const property_record *p, void *values) {
  bool there = owner->actor.id;
  ((number_values *)values)->value = there ? (double)sinew_actor_morph(all->stage, owner->actor, p->head.name) : 0;
}

static void write_morph(declarations *all, actor_record *owner, const property_record *p, const void *values) {
  sinew_actor_set_morph(all->stage, owner->actor, p->head.name, (float)((const number_values *)values)->value);
}

const property_kind morph_properties = {.declared = PROPERTY_OPERATIONS(number_record, false),
                                        .fields = &kind_morph,
                                        .read = read_morph,
                                        .write = write_morph,
                                        .standard = no_weight};

bool declarations_set_morph(declarations *all, actor_record *record, const char *name, double value,
                            sinew_error *error) {
  bool set = declarations_set_property(all, record, &record->parts[PART_MORPHS], &morph_properties, kind_morph.fields,
                                       name, &(number_values){value});
  return set || declarations_fail(error, "out of memory for morph '%s'", name);
}

double declarations_get_morph(const declarations *all, const actor_record *record, const char *name) {
  number_values v;
  property_record p = {.kind = &morph_properties};
  declarations_copy(p.head.name, sizeof p.head.name, name);
  read_morph(all, record, &p, &v);
  declarations_get_properties(&record->parts[PART_MORPHS], name, &v);
  return v.value;
}

/* ---- parameters: while the actor lives names are only added, so that the indices in graphs stay valid ---- */

int declarations_param_index(const actor_record *record, const char *name) {
  const declaration_list *list = &record->parts[PART_PARAMS];
  for (int i = 0; i < list->count; i++)
    if (strcmp(list->items[i]->name, name) == 0) return i;
  return -1;
}

static double living_param(const declarations *all, const actor_record *record, int index) {
  bool there = record->actor.id && index < sinew_actor_param_count(all->stage, record->actor);
  return there ? sinew_actor_param(all->stage, record->actor, index) : 0;
}

static void read_param(const declarations *all, const actor_record *owner, const property_record *p, void *values) {
  ((number_values *)values)->value = living_param(all, owner, declarations_param_index(owner, p->head.name));
}

/* Adds new parameters with their declared values; the others keep their current values. */
static bool join_params(const declarations *all, const actor_record *record, sinew_error *error) {
  const char *names[DECLARED_PARAMS];
  double values[DECLARED_PARAMS];
  const declaration_list *list = &record->parts[PART_PARAMS];
  int known = sinew_actor_param_count(all->stage, record->actor);
  for (int i = 0; i < list->count; i++) {
    const number_record *p = (const number_record *)list->items[i];
    names[i] = list->items[i]->name;
    values[i] = i < known ? sinew_actor_param(all->stage, record->actor, i) : p->values[list->items[i]->next_set].value;
  }
  return sinew_actor_set_params(all->stage, record->actor, names, values, list->count, error);
}

void declarations_join_params(declarations *all, const actor_record *record) {
  sinew_error error;
  if (!join_params(all, record, &error))
    declarations_say(all, SINEW_LOG_WARNING, "%s: %s", record->head.name, error.message);
}

/* The stage's parameters are the first of the list. */
void declarations_rename_params(declarations *all, const actor_record *record) {
  const char *names[DECLARED_PARAMS];
  sinew_error error;
  int count = sinew_actor_param_count(all->stage, record->actor);
  for (int i = 0; i < count; i++) names[i] = record->parts[PART_PARAMS].items[i]->name;
  if (!sinew_actor_rename_params(all->stage, record->actor, names, count, &error))
    declarations_say(all, SINEW_LOG_WARNING, "%s: %s", record->head.name, error.message);
}

static void write_param(declarations *all, actor_record *owner, const property_record *p, const void *values) {
  int index = declarations_param_index(owner, p->head.name);
  double value = ((const number_values *)values)->value;
  if (sinew_actor_set_param(all->stage, owner->actor, index, value)) return;
  if (index >= sinew_actor_param_count(all->stage, owner->actor)) declarations_join_params(all, owner);
  sinew_actor_set_param(all->stage, owner->actor, index, value);
}

const property_kind param_properties = {.declared = PROPERTY_OPERATIONS(number_record, true),
                                        .fields = &kind_param,
                                        .read = read_param,
                                        .write = write_param};

bool declare_param(declarations *all, actor_record *record, const char *name, double value, sinew_error *error) {
  declaration_list *list = &record->parts[PART_PARAMS];
  if (declarations_param_index(record, name) < 0 && list->count == DECLARED_PARAMS)
    return declarations_fail(error, "actor '%s' has more than %d parameters", record->head.name, DECLARED_PARAMS);
  if (!declarations_need_property(all, list, &param_properties, kind_param.fields, name))
    return declarations_fail(error, "out of memory for the parameter '%s'", name);
  declarations_set_param(all, record, declarations_param_index(record, name), value);
  return true;
}

/* Scripts write them every frame: for actors on the stage they are set at once. */
void declarations_set_param(declarations *all, actor_record *record, int index, double value) {
  declaration_list *list = &record->parts[PART_PARAMS];
  if (!all->loading && sinew_actor_set_param(all->stage, record->actor, index, value)) return;
  declarations_set_property(all, record, list, &param_properties, kind_param.fields, list->items[index]->name,
                            &(number_values){value});
}

double declarations_param(const declarations *all, const actor_record *record, int index) {
  const declaration_list *list = &record->parts[PART_PARAMS];
  number_values v = {living_param(all, record, index)};
  declarations_get_properties(list, list->items[index]->name, &v);
  return v.value;
}
