#include "declare/kinds/declared_crowd.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST 1e9f

static const crowd_range ranges[CROWD_FIELDS + 1] = {
    [CROWD_X] = {0, -MOST, MOST, "a finite number of metres"},
    [CROWD_Y] = {0, -MOST, MOST, "a finite number of metres"},
    [CROWD_Z] = {0, -MOST, MOST, "a finite number of metres"},
    [CROWD_YAW] = {0, -MOST, MOST, "a finite number of radians"},
    [CROWD_SCALE] = {1, 1e-6f, MOST, "a number above 0"},
    [CROWD_PHASE] = {0, -MOST, MOST, "a finite number"},
    [CROWD_RATE] = {1, -MOST, MOST, "a finite number"},
    [CROWD_RED] = {1, 0, MOST, "0 or more"},
    [CROWD_GREEN] = {1, 0, MOST, "0 or more"},
    [CROWD_BLUE] = {1, 0, MOST, "0 or more"},
    [CROWD_OPACITY] = {1, 0, 1, "a number from 0 to 1"},
    [CROWD_VISIBLE] = {1, 0, 1, "0 or 1"},
    [CROWD_FIELDS] = {0, -3e38f, 3e38f, "a finite number"}, /* parameters */
};

const crowd_range *crowd_range_of(int array) { return ranges + (array < CROWD_FIELDS ? array : CROWD_FIELDS); }

const char *crowd_array_name(const crowd_record *record, int array) {
  static const char *const names[CROWD_FIELDS] = {"x",    "y",   "z",     "yaw",  "scale",   "phase",
                                                  "rate", "red", "green", "blue", "opacity", "visible"};
  if (array >= CROWD_FIRST_MORPH) return record->morphs[array - CROWD_FIRST_MORPH];
  return array < CROWD_FIELDS ? names[array] : record->params[array - CROWD_FIELDS];
}

/* ---- records ---- */

static crowd_record *find_any(const declarations *all, const char *name) {
  return (crowd_record *)declaration_named(&all->crowds, name);
}

crowd_record *declarations_find_crowd(const declarations *all, const char *name) {
  crowd_record *record = find_any(all, name);
  return record && declaration_is_kept(&record->head) && !record->head.next_set ? NULL : record;
}

crowd_record *declarations_crowd(const declarations *all, int64_t id, int *hint) {
  for (int k = 0; k < all->crowds.count; k++) {
    int i = (*hint + k) % all->crowds.count;
    if (all->crowds.items[i]->id == id) return crowd_at(all, *hint = i);
  }
  return NULL;
}

static bool is_taken(const declarations *all, const crowd_record *record) {
  return all->loading ? record->head.next_set : record->epoch == all->epoch && !declaration_is_kept(&record->head);
}

void declarations_name_crowd(const declarations *all, char out[DECLARED_NAME]) {
  const crowd_record *record;
  declarations_copy(out, DECLARED_NAME, "crowd");
  for (int i = 2; (record = find_any(all, out)) && is_taken(all, record); i++)
    snprintf(out, DECLARED_NAME, "crowd %d", i);
}

static crowd_record *add_record(declarations *all, const char *name) {
  crowd_record *record = declaration_add(all, &all->crowds, sizeof *record, name);
  if (record) record->shown = 1;
  return record;
}

int declarations_crowd_param(const crowd_record *record, const char *name) {
  for (int i = 0; i < record->param_count; i++)
    if (strcmp(record->params[i], name) == 0) return i;
  return -1;
}

int declarations_crowd_morph(crowd_record *record, const char *name) {
  int morph = 0;
  while (morph < record->morph_count && strcmp(record->morphs[morph], name) != 0) morph++;
  if (morph == CROWD_MORPHS) return -1;
  if (morph == record->morph_count) declarations_copy(record->morphs[record->morph_count++], DECLARED_NAME, name);
  return CROWD_FIRST_MORPH + morph;
}

static bool check_size(const declarations *all, const crowd_record *record, const sinew_model *model, int count,
                       sinew_error *error) {
  int64_t members = count, matrices = (int64_t)count * sinew_model_palette_count(model);
  for (int i = 0; i < all->crowds.count; i++) {
    const crowd_record *other = crowd_at(all, i);
    if (other == record) continue;
    const crowd_values *v = other->head.next_set ? &other->next : &other->last;
    int size = other->head.next_set || !other->body.values ? v->count : other->body.count;
    members += size;
    matrices += v->model ? (int64_t)size * sinew_model_palette_count(v->model) : 0;
  }
  if (members > CROWD_MEMBERS)
    return declarations_fail(error, "the crowds of a scene have %d members at most, and these would be %lld",
                             CROWD_MEMBERS, (long long)members);
  if (matrices > CROWD_MATRICES)
    return declarations_fail(error, "the crowds of a scene have %d joints at most, and these would be %lld",
                             CROWD_MATRICES, (long long)matrices);
  return true;
}

static bool names_material(const char *name, size_t length, const char *material) {
  bool any_end = length > 0 && name[length - 1] == '*';
  if (any_end) return strncmp(name, material, length - 1) == 0;
  return strlen(material) == length && memcmp(name, material, length) == 0;
}

bool crowd_tints(const char *names, const char *material) {
  bool found = names[0] == '\0';
  for (const char *name = names; *name && !found;) {
    const char *end = strstr(name, ", ");
    size_t length = end ? (size_t)(end - name) : strlen(name);
    found = names_material(name, length, material);
    name += length + (end ? 2 : 0);
  }
  return found;
}

/* ---- declaring ---- */

void crowd_values_drop(declarations *all, crowd_values *values) {
  sinew_model_release(values->model);
  declarations_free(all, values->own_graph);
  values->model = NULL;
  values->own_graph = NULL;
}

/* Finds the indices of parameters in the record; false if there is no room for a new one. */
static bool place_params(crowd_record *record, const char *const *names, int count, int positions[CROWD_PARAMS]) {
  for (int i = 0; i < count; i++) {
    positions[i] = declarations_crowd_param(record, names[i]);
    if (positions[i] >= 0) continue;
    if (record->param_count == CROWD_PARAMS) return false;
    positions[i] = record->param_count++;
    declarations_copy(record->params[positions[i]], DECLARED_NAME, names[i]);
  }
  return true;
}

static void place_nodes(sinew_node_def *nodes, int count, const int *positions) {
  for (sinew_node_def *n = nodes; n < nodes + count; n++) {
    if (n->param_x >= 0) n->param_x = positions[n->param_x];
    if (n->param_y >= 0) n->param_y = positions[n->param_y];
    if (n->weight_param >= 0) n->weight_param = positions[n->weight_param];
  }
}

static crowd_values placed(const crowd_values *values, const int *positions, int count) {
  crowd_values v = *values;
  memset(v.params, 0, sizeof v.params);
  for (int i = 0; i < count; i++) v.params[positions[i]] = values->params[i];
  for (int i = 0; i < count; i++) v.given |= 1u << positions[i];
  place_nodes(v.graph.nodes, v.graph.node_count, positions);
  if (v.own_graph)
    place_nodes((sinew_node_def *)(uintptr_t)v.own_graph->def.nodes, v.own_graph->def.node_count, positions);
  return v;
}

static bool fits(declarations *all, crowd_record *record, const crowd_values *values, const char *const *names,
                 int count, int positions[CROWD_PARAMS], sinew_error *error) {
  if (!check_size(all, record, values->model, values->count, error)) return false;
  if (!place_params(record, names, count, positions))
    return declarations_fail(error, "crowd '%s' has had more than %d parameters since it was made", record->head.name,
                             CROWD_PARAMS);
  return true;
}

static bool set_next(declarations *all, crowd_record *record, const crowd_values *values, const char *const *names,
                     int count, sinew_error *error) {
  int positions[CROWD_PARAMS];
  if (!fits(all, record, values, names, count, positions, error)) {
    declarations_free(all, values->own_graph);
    return false;
  }
  record->next = placed(values, positions, count);
  sinew_model_retain(values->model);
  return true;
}

static void drop_next(declarations *all, crowd_record *record) {
  crowd_values_drop(all, &record->next);
  record->head.next_set = false;
}

/* At run time there is no transaction: a declaration takes effect at once. */
static bool make_now(declarations *all, crowd_record *record, const char *line, sinew_error *error) {
  bool made = declarations_prepare_crowd(all, record, record->next.count, error);
  record->head.fate = record->body.values ? FATE_STAYS : FATE_COMES;
  if (made) declarations_apply_crowd(all, record);
  else drop_next(all, record);
  record->head.declared = false;
  declaration_made(&record->head, line);
  return made;
}

/* The record for a declaration, created if needed; NULL if the name is taken or there is no room. */
static crowd_record *take_record(declarations *all, const char *name, sinew_error *error) {
  crowd_record *record = find_any(all, name);
  if (record && is_taken(all, record)) {
    declarations_fail(error,
                      "crowd '%s' is already declared at %s: give this one another name = \"…\", or find the first "
                      "with sinew.crowd(\"%s\") alone",
                      name, all->loading ? record->head.next_line : record->head.line, name);
    return NULL;
  }
  if (!record && all->crowds.count == DECLARED_CROWDS) {
    declarations_fail(error, "a scene may have %d crowds, and '%s' is one too many", DECLARED_CROWDS, name);
    return NULL;
  }
  if (!record) record = add_record(all, name);
  if (!record) declarations_fail(error, "out of memory for crowd '%s'", name);
  return record;
}

crowd_record *declare_crowd(declarations *all, const char *name, const crowd_values *values, const char *const *names,
                            int name_count, const char *line, sinew_error *error) {
  crowd_record *record = take_record(all, name, error);
  if (!record) {
    declarations_free(all, values->own_graph);
    return NULL;
  }
  bool made = set_next(all, record, values, names, name_count, error);
  if (made && all->loading) declaration_set(all, &record->head, line);
  if (made && (all->loading || make_now(all, record, line, error))) return record;
  if (!record->body.values) declarations_forget_crowd(all, record);
  return NULL;
}

bool declarations_arrive_crowd(declarations *all, crowd_record *record, const crowd_values *values,
                               const char *const *names, int name_count, sinew_error *error) {
  if (!set_next(all, record, values, names, name_count, error)) return false;
  bool made = declarations_prepare_crowd(all, record, record->body.count, error);
  if (made) {
    declarations_swap_crowd(all, record);
    crowd_values waited = record->last;
    record->last = record->next;
    record->next = waited;
    record->weighs = true;
    crowd_show_all(record);
    crowd_show_clocks(record);
  }
  drop_next(all, record);
  return made;
}

/* Declared values stay as declared. */
bool declarations_resize_crowd(declarations *all, crowd_record *record, int count, sinew_error *error) {
  if (!check_size(all, record, record->last.model, count, error)) return false;
  record->next = record->last;
  bool made = declarations_prepare_crowd(all, record, count, error);
  if (made) declarations_swap_crowd(all, record);
  record->next = (crowd_values){0};
  record->weighs = true;
  crowd_show_all(record);
  return made;
}

/* ---- the values that scripts see ---- */

const crowd_values *declarations_crowd_values(const declarations *all, const crowd_record *record) {
  return all->loading && record->head.next_set ? &record->next : &record->last;
}

int declarations_crowd_count(const declarations *all, const crowd_record *record) {
  return all->loading && record->head.next_set ? record->next.count : record->body.count;
}

static float default_of(const declarations *all, const crowd_record *record, int array) {
  if (array >= CROWD_FIRST_MORPH) return 0;
  return array < CROWD_FIELDS ? ranges[array].fallback
                              : declarations_crowd_values(all, record)->params[array - CROWD_FIELDS];
}

/* Reads the weights of all targets with a name, on any mesh, if `value` is NAN; else sets them. */
static float morph_value(const crowd_body *body, const char *name, int member, float value) {
  const sinew_crowd_characters *all = &body->members;
  if (!body->crowd.id) return 0;
  float *weights = all->morph_added + (size_t)member * (size_t)all->morph_count, found = 0;
  for (int m = 0; m < sinew_model_mesh_count(body->model); m++) {
    sinew_mesh_view mesh = sinew_model_mesh(body->model, m);
    for (int t = 0; t < mesh.morph_count; t++, weights++) {
      if (strcmp(mesh.morphs[t].name, name) != 0) continue;
      if (!isnan(value)) *weights = value;
      found = *weights;
    }
  }
  return found;
}

float crowd_value(const crowd_record *record, const crowd_body *body, int array, int member) {
  if (array >= CROWD_FIRST_MORPH) return morph_value(body, crowd_array_name(record, array), member, NAN);
  return body->values[(size_t)array * (size_t)body->count + (size_t)member];
}

void crowd_set_value(const crowd_record *record, const crowd_body *body, int array, int member, float value) {
  if (array >= CROWD_FIRST_MORPH) morph_value(body, crowd_array_name(record, array), member, value);
  else body->values[(size_t)array * (size_t)body->count + (size_t)member] = value;
}

float declarations_get_member(const declarations *all, const crowd_record *record, int array, int member) {
  const crowd_body *body = &record->body;
  const float *next = all->loading ? record->next_arrays[array] : NULL;
  if (next && !isnan(next[member])) return next[member];
  bool has = array >= CROWD_FIRST_MORPH || array < body->array_count;
  if (member >= body->count || !has) return default_of(all, record, array);
  if (array == CROWD_PHASE && body->crowd.id) {
    return (float)sinew_crowd_phase(all->stage, body->crowd, member);
  }
  return crowd_value(record, body, array, member);
}

bool declarations_need_array(declarations *all, crowd_record *record, int array) {
  int count = declarations_crowd_count(all, record);
  if (!all->loading || record->next_arrays[array]) return true;
  float *values = declarations_allocate(all, (size_t)count * sizeof *values);
  if (!values) return false;
  for (int i = 0; i < count; i++) values[i] = NAN;
  record->next_arrays[array] = values;
  record->next_count = count;
  return true;
}

void declarations_set_member(const declarations *all, crowd_record *record, int array, int member, float value) {
  if (all->loading) {
    record->next_arrays[array][member] = value;
    return;
  }
  crowd_set_value(record, &record->body, array, member, value);
  if (array < CROWD_FIELDS) crowd_show(record, array, member);
  else if (array < CROWD_FIRST_MORPH) record->weighs = true;
}

sinew_vec3 declarations_member_joint(const crowd_record *record, int member, int joint) {
  const sinew_crowd_characters *all = &record->body.members;
  if (!record->body.crowd.id) {
    const float *values = record->body.values + member;
    size_t stride = (size_t)record->body.count;
    return (sinew_vec3){values[CROWD_X * stride], values[CROWD_Y * stride], values[CROWD_Z * stride]};
  }
  sinew_crowd_joints(record->body.stage, record->body.crowd, member, record->body.joints);
  const float *m = record->body.joints[joint].m;
  sinew_mat3x4 position = sinew_mat3x4_from_transform(all->transform + member);
  return sinew_mat3x4_transform_point(&position, (sinew_vec3){m[3], m[7], m[11]});
}

/* ---- the stage ---- */

void crowd_show(const crowd_record *record, int array, int member) {
  const crowd_body *body = &record->body;
  const sinew_crowd_characters *all = &body->members;
  if (!body->crowd.id) return;
  sinew_transform *t = all->transform + member;
  float value = body->values[(size_t)array * (size_t)body->count + (size_t)member];
  switch (array) {
  case CROWD_X: t->translation.x = value; break;
  case CROWD_Y: t->translation.y = value; break;
  case CROWD_Z: t->translation.z = value; break;
  case CROWD_YAW:
    t->rotation = (sinew_quat){0, (float)sinew_sin((double)value / 2), 0, (float)sinew_cos((double)value / 2)};
    break;
  case CROWD_SCALE: t->scale = (sinew_vec3){value, value, value}; break;
  case CROWD_PHASE:
    (void)sinew_crowd_seek(body->stage, body->crowd, member, (double)value - floor((double)value));
    break;
  case CROWD_RATE: all->speed[member] = !declaration_is_kept(&record->head) ? value : 0; break;
  case CROWD_OPACITY: all->tint[member][3] = value * record->shown; break;
  case CROWD_VISIBLE: all->visible[member] = value != 0 && record->shown > 0; break;
  default: all->tint[member][array - CROWD_RED] = value; break;
  }
}

void crowd_show_clocks(const crowd_record *record) {
  for (int i = 0; i < record->body.count; i++) crowd_show(record, CROWD_PHASE, i);
}

void crowd_show_all(const crowd_record *record) {
  for (int a = 0; a < CROWD_FIELDS; a++)
    for (int i = 0; a != CROWD_PHASE && i < record->body.count; i++) crowd_show(record, a, i);
}
