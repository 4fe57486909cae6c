/* Crowds of a load: everything that can fail is prepared first, the rest is applied at once; a removed crowd fades and
 * is kept for revival. */
#include "declare/kinds/declared_crowd.h"

#include <math.h>
#include <string.h>

/* ---- prepare ---- */

static bool needs_another(const crowd_record *record, int count) {
  const crowd_values *v = &record->next;
  const crowd_body *body = &record->body;
  return !body->values || v->model != record->last.model || count != body->count ||
         record->param_count + CROWD_FIELDS != body->array_count ||
         !declarations_same_graph(v->own_graph, record->last.own_graph) ||
         !crowd_graph_same_clips(&v->graph, &record->last.graph);
}

/* Passes the parameters to the members' graphs. */
static void show_params(const crowd_body *body) {
  const float *params = body->values + (size_t)CROWD_FIELDS * (size_t)body->count;
  size_t count = (size_t)body->members.param_count * (size_t)body->count;
  if (count) memcpy(body->members.params, params, count * sizeof *params);
}

static void carry_values(const crowd_record *record) {
  const crowd_body *from = &record->body, *to = &record->replacement;
  for (int a = 0; a < to->array_count; a++)
    for (int i = 0; i < to->count; i++) {
      bool known = a < from->array_count && i < from->count;
      float fallback = a < CROWD_FIELDS ? crowd_range_of(a)->fallback : record->next.params[a - CROWD_FIELDS];
      to->values[(size_t)a * (size_t)to->count + (size_t)i] =
          known ? from->values[(size_t)a * (size_t)from->count + (size_t)i] : fallback;
    }
  for (int m = 0; m < record->morph_count; m++)
    for (int i = 0; i < from->count && i < to->count; i++)
      crowd_set_value(record, to, CROWD_FIRST_MORPH + m, i, crowd_value(record, from, CROWD_FIRST_MORPH + m, i));
}

static void define_slots(const crowd_graph *graph, sinew_crowd_def *def) {
  def->slot_count = graph->slot_count;
  def->sync = graph->nodes[0].sync;
  for (int s = 0; s < def->slot_count; s++) def->clips[s] = graph->nodes[graph->slots[s]].clip;
}

/* A crowd whose model is loading plays nothing and is not on the stage. */
static bool make_members(declarations *all, const crowd_record *record, crowd_body *made, sinew_error *error) {
  const crowd_values *v = &record->next;
  const char *names[CROWD_PARAMS];
  sinew_crowd_def def = sinew_crowd_def_default();
  if (v->graph.node_count == 0 && !v->own_graph) return true;
  def.name = record->head.name;
  def.model = v->model;
  def.count = made->count;
  if (!v->own_graph) define_slots(&v->graph, &def);
  else def.graph = &v->own_graph->def;
  def.param_names = names;
  def.param_count = record->param_count;
  for (int i = 0; i < record->param_count; i++) names[i] = record->params[i];
  made->crowd = sinew_crowd_create(all->stage, &def, error);
  if (!made->crowd.id) return false;
  made->stage = all->stage;
  made->members = sinew_crowd_view(all->stage, made->crowd);
  memset(made->members.visible, 0, (size_t)made->count); /* until it takes over */
  return true;
}

bool declarations_prepare_crowd(declarations *all, crowd_record *record, int count, sinew_error *error) {
  const crowd_values *v = &record->next;
  crowd_body *made = &record->replacement;
  if (!needs_another(record, count)) return true;
  size_t joints = (size_t)sinew_model_joint_count(v->model) * sizeof *made->joints;
  size_t floats = (size_t)(CROWD_FIELDS + record->param_count) * (size_t)count;
  made->values = declarations_allocate(all, joints + floats * sizeof *made->values);
  if (!made->values) return declarations_fail(error, "out of memory for crowd '%s'", record->head.name);
  made->model = v->model;
  made->count = count;
  made->array_count = CROWD_FIELDS + record->param_count;
  made->joints = (sinew_mat3x4 *)(void *)(made->values + floats);
  if (make_members(all, record, made, error)) return true;
  declarations_free(all, made->values);
  *made = (crowd_body){0};
  return false;
}

bool declarations_prepare_crowds(declarations *all, sinew_error *error) {
  for (int i = 0; i < all->crowds.count; i++) {
    crowd_record *record = crowd_at(all, i);
    bool same = record->body.values && record->next.count == record->last.count;
    if (record->head.next_set &&
        !declarations_prepare_crowd(all, record, same ? record->body.count : record->next.count, error))
      return false;
  }
  return true;
}

/* ---- apply ---- */

static void weigh(const crowd_record *record) {
  const crowd_body *body = &record->body;
  if (record->last.own_graph) {
    show_params(body);
    return;
  }
  const float *params = body->values + (size_t)CROWD_FIELDS * (size_t)body->count;
  for (int i = 0; i < body->count; i++) {
    float weights[SINEW_CROWD_SLOTS];
    crowd_graph_weigh(&record->last.graph, params + i, (size_t)body->count, weights);
    for (int s = 0; s < body->members.slot_count; s++) body->members.slots[s].weight[i] = weights[s];
  }
}

void declarations_swap_crowd(declarations *all, crowd_record *record) {
  if (!record->replacement.values) return;
  bool noted = record->head.declared && record->body.crowd.id;
  if (noted && record->last.model != record->next.model)
    declarations_tell_model(all, record->head.name, sinew_crowd_model(all->stage, record->body.crowd),
                            record->next.model);
  carry_values(record);
  show_params(&record->replacement);
  sinew_crowd_continue(all->stage, record->replacement.crowd, record->body.crowd);
  sinew_crowd_destroy(all->stage, record->body.crowd);
  declarations_free(all, record->body.values);
  record->body = record->replacement;
  record->replacement = (crowd_body){0};
  record->held = false;
}

static bool is_given(const crowd_values *values, int param) { return values->given >> param & 1; }

static void tell_param(declarations *all, const crowd_record *record, int p) {
  const char *crowd = record->head.name, *name = record->params[p];
  double before = (double)record->last.params[p], value = (double)record->next.params[p];
  if (!record->head.declared) return;
  if (!is_given(&record->next, p)) declarations_note(all, "%s.%s %g → no longer declared", crowd, name, before);
  else if (!is_given(&record->last, p)) declarations_note(all, "%s.%s %g", crowd, name, value);
  else declarations_note(all, "%s.%s %g → %g", crowd, name, before, value);
}

/* A changed default applies to every member. */
static void apply_params(declarations *all, crowd_record *record) {
  for (int p = 0; p < record->param_count; p++) {
    float before = record->last.params[p], value = record->next.params[p];
    bool same = before == value && is_given(&record->last, p) == is_given(&record->next, p);
    if (same || !record->last.model) continue;
    tell_param(all, record, p);
    float *values = record->body.values + (size_t)(CROWD_FIELDS + p) * (size_t)record->body.count;
    for (int i = 0; i < record->body.count && before != value; i++) values[i] = value;
  }
}

static void apply_array(declarations *all, crowd_record *record, int array) {
  const float *last = record->last_arrays[array], *next = record->next_arrays[array];
  const crowd_body *body = &record->body;
  bool is_param = array >= CROWD_FIELDS && array < CROWD_FIRST_MORPH;
  float fallback = is_param ? record->last.params[array - CROWD_FIELDS] : crowd_range_of(array)->fallback;
  int changed = 0;
  for (int i = 0; i < body->count; i++) {
    float before = last && i < record->last_count ? last[i] : NAN;
    float after = next && i < record->next_count ? next[i] : NAN;
    if (before == after || (isnan(before) && isnan(after))) continue;
    crowd_set_value(record, body, array, i, isnan(after) ? fallback : after);
    changed++;
    if (array == CROWD_PHASE) crowd_show(record, array, i);
  }
  if (changed && record->head.declared)
    declarations_note(all, "%s.%s of %d member%s", record->head.name, crowd_array_name(record, array), changed,
                      changed > 1 ? "s" : "");
}

static void apply_arrays(declarations *all, crowd_record *record) {
  for (int a = 0; a < CROWD_ARRAYS; a++) {
    if (record->last_arrays[a] || record->next_arrays[a]) apply_array(all, record, a);
    declarations_free(all, record->last_arrays[a]);
    record->last_arrays[a] = record->next_arrays[a];
    record->next_arrays[a] = NULL;
  }
  record->last_count = record->next_count;
  record->weighs = true;
  crowd_show_all(record);
}

static const char *param_name(const void *owner, int index) { return ((const crowd_record *)owner)->params[index]; }

static void tell_graph(declarations *all, const crowd_record *record) {
  graph_copy a = crowd_values_graph(&record->last), b = crowd_values_graph(&record->next);
  if (!declarations_same_graph(&a, &b))
    declarations_tell_graph(all, record->head.name, &a, record->last.model, &b, record->next.model, param_name, record);
}

static void tell(declarations *all, const crowd_record *record) {
  bool known = record->head.declared && record->body.crowd.id;
  if (known) tell_graph(all, record);
  if (known)
    declarations_tell_values(all, &kind_crowd, &(told_values){&record->last, NULL}, &(told_values){&record->next, NULL},
                             "%s", record->head.name);
  declarations_tell_fate(all, record->head.fate, "%s", record->head.name);
}

void declarations_apply_crowd(declarations *all, crowd_record *record) {
  bool waited = record->body.values && !record->body.crowd.id;
  tell(all, record);
  declarations_swap_crowd(all, record);
  apply_params(all, record);
  bool fresh = record->head.fate != FATE_STAYS;
  crowd_values living = record->next;
  if (!fresh) living.detail = record->detail, kind_merge(&kind_crowd, &record->last, &record->next, &living);
  record->detail = living.detail;
  crowd_values_drop(all, &record->last);
  record->last = record->next;
  record->next.model = NULL;
  record->next.own_graph = NULL;
  record->epoch = all->epoch;
  record->head.removed_at = -1;
  record->shown = 1;
  if (waited) crowd_show_clocks(record);
  apply_arrays(all, record);
  if (record->body.crowd.id) weigh(record);
}

/* ---- the walk ---- */

static bool apply(declarations *all, actor_record *owner, declaration *d) {
  crowd_record *record = (crowd_record *)d;
  int known = d->fate == FATE_STAYS ? record->body.count : 0;
  bool returns = d->fate == FATE_RETURNS;
  (void)owner;
  declarations_apply_crowd(all, record);
  if (!returns && known < record->body.count) declarations_join_crowd(all, record, known);
  return true;
}

static void remove_crowd(declarations *all, actor_record *owner, declaration *d) {
  (void)owner;
  crowd_show_all((crowd_record *)d);
  declarations_tell_fate(all, d->fate, "%s", d->name);
}

static bool was_written(const crowd_record *record) {
  bool any = false;
  for (int a = 0; a < CROWD_ARRAYS; a++) any |= record->last_arrays[a] || record->next_arrays[a];
  return any;
}

/* The top level refers to a crowd that a callback made. */
static void found(declarations *all, actor_record *owner, declaration *d) {
  (void)owner;
  if (was_written((crowd_record *)d)) apply_arrays(all, (crowd_record *)d);
}

static void fade(declarations *all, actor_record *owner, declaration *d, double dt) {
  crowd_record *record = (crowd_record *)d;
  (void)all, (void)owner;
  if (record->shown <= 0) return;
  record->shown = fmaxf(record->shown - (float)(dt / DECLARED_REMOVE_FADE), 0);
  crowd_show_all(record);
}

static void free_body(declarations *all, crowd_body *body) {
  sinew_crowd_destroy(all->stage, body->crowd);
  declarations_free(all, body->values);
  *body = (crowd_body){0};
}

static void drop_load(declarations *all, crowd_record *record) {
  free_body(all, &record->replacement);
  for (int a = 0; a < CROWD_ARRAYS; a++) {
    declarations_free(all, record->next_arrays[a]);
    record->next_arrays[a] = NULL;
  }
  crowd_values_drop(all, &record->next);
}

static void clear(declarations *all, declaration *d) {
  crowd_record *record = (crowd_record *)d;
  drop_load(all, record);
  free_body(all, &record->body);
  for (int a = 0; a < CROWD_ARRAYS; a++) declarations_free(all, record->last_arrays[a]);
  crowd_values_drop(all, &record->last);
}

static void rollback(declarations *all, declaration *d) { drop_load(all, (crowd_record *)d); }

const declaration_kind crowd_declarations = {
    .apply = apply, .remove = remove_crowd, .found = found, .fade = fade, .rollback = rollback, .clear = clear};

void declarations_forget_crowd(declarations *all, crowd_record *record) {
  declaration_cut(all, &crowd_declarations, &all->crowds, &record->head);
}

/* ---- time ---- */

static void show_tinted(const crowd_record *record) {
  const crowd_body *body = &record->body;
  for (int i = 0; body->crowd.id && i < sinew_model_material_count(body->model); i++)
    body->members.tinted[i] = crowd_tints(record->last.tinted, sinew_model_material(body->model, i).name);
}

/* A crowd that is new on the stage is evaluated once before its palettes are kept. */
void declarations_weigh_crowds(declarations *all) {
  sinew_vec3 viewpoint = sinew_host_camera(all->host)->position;
  for (int i = 0; i < all->crowds.count; i++) {
    crowd_record *record = crowd_at(all, i);
    if (record->weighs) weigh(record), show_tinted(record);
    record->weighs = false;
    sinew_crowd_detail detail = record->held ? record->detail : sinew_crowd_detail_default();
    sinew_crowd_set_detail(all->stage, record->body.crowd, viewpoint, &detail);
    record->held = true;
  }
}
