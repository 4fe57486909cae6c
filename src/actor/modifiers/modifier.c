#include "actor/modifiers/modifier.h"

#include "actor/modifiers/kinds.h"
#include "actor/stage.h"
#include "base/error.h"
#include "base/memory/memory.h"
#include "math/vec3.h"
#include "model/pose_group.h"

#include <math.h>
#include <string.h>

/* ---- making ---- */

static bool copy_def(modifier *m, const sinew_modifier_def *def, int index) {
  size_t count = def->joint_count > 0 ? (size_t)def->joint_count : 0;
  *m = (modifier){.def = *def, .index = index, .is_new = true, .name = mem_copy_string(def->name)};
  m->joints = mem_alloc_array(count, sizeof *m->joints);
  m->joint_weights = def->joint_weights ? mem_alloc_array(count, sizeof *m->joint_weights) : NULL;
  m->springs = def->kind == SINEW_MODIFIER_SPRING ? mem_alloc_array(count, sizeof *m->springs) : NULL;
  m->feet = def->kind == SINEW_MODIFIER_PLANT ? mem_alloc_array(count / 3, sizeof *m->feet) : NULL;
  m->planted = m->feet ? mem_alloc_zeroed(count / 3 * sizeof *m->planted) : NULL;
  bool made = m->name && (m->joints || !count) && (m->joint_weights || !def->joint_weights || !count) &&
              (m->springs || def->kind != SINEW_MODIFIER_SPRING || !count) &&
              ((m->feet && m->planted) || def->kind != SINEW_MODIFIER_PLANT || count < 3);
  if (!made) return false;
  if (count) memcpy(m->joints, def->joints, count * sizeof *m->joints);
  if (count && m->joint_weights) memcpy(m->joint_weights, def->joint_weights, count * sizeof *m->joint_weights);
  for (int i = 0; m->feet && i < modifier_foot_count(m); i++)
    m->feet[i] = (sinew_foot){
        m->joints[1 + 3 * i], m->joints[2 + 3 * i], m->joints[3 + 3 * i], def->hinge, NAN, {0, 1, 0}, 1, {0, 0, 0}};
  m->def.name = m->name;
  m->def.joints = m->joints;
  m->def.joint_weights = m->joint_weights;
  return true;
}

static const char *check_def(const sinew_modifier_def *def, const sinew_modifier_def *all, int index) {
  if (!def->name || !def->name[0]) return "it has no name";
  for (int i = 0; i < index; i++)
    if (strcmp(all[i].name, def->name) == 0) return "another modifier has that name";
  if ((unsigned)def->kind > SINEW_MODIFIER_FUNCTION) return "there is no such kind";
  if (def->joint_count < modifier_kinds[def->kind]->least_joints) return "it has too few joints";
  if (def->joint_count > 0 && !def->joints) return "it has no joints";
  if (def->kind == SINEW_MODIFIER_PLANT && (def->joint_count % 3 != 1 || def->joint_count > 1 + 3 * SINEW_FEET_MAX))
    return "its joints are not a pelvis and three for each foot";
  if (!(def->weight >= 0 && def->weight <= 1)) return "its weight is not from 0 to 1";
  if (!memchr(def->weight_param, 0, sizeof def->weight_param)) return "the name of its weight's parameter has no end";
  return modifier_ignores(def);
}

static bool same_joints(const modifier *a, const modifier *b) {
  if (a->def.joint_count != b->def.joint_count) return false;
  return a->def.joint_count == 0 || memcmp(a->joints, b->joints, (size_t)a->def.joint_count * sizeof *a->joints) == 0;
}

static bool is_alike(const modifier *a, const modifier *b) { return a->def.kind == b->def.kind && same_joints(a, b); }

static bool has_namesake(const modifier *m, const modifier_list *list) {
  for (int i = 0; i < list->count; i++)
    if (strcmp(list->items[i].name, m->name) == 0 && is_alike(list->items + i, m)) return true;
  return false;
}

/* It acts as it did. */
static bool says_the_same(const modifier *m, const modifier *was) {
  return m->def.weight == was->def.weight && modifier_is_alike(m, &was->def);
}

static void go_on(modifier *m, const modifier *was) {
  m->is_new = was->is_new || (!m->springs && !says_the_same(m, was)) || m->def.weight != was->def.weight;
  bool aims_on = isnan(m->def.target.x) || memcmp(&m->def.target, &was->def.target, sizeof m->def.target) == 0;
  if (aims_on) m->follows = was->follows;
  m->gaze = was->gaze;
  m->reach = was->reach;
  m->body = was->body;
  m->warp = was->warp;
  if (m->springs) memcpy(m->springs, was->springs, (size_t)m->def.joint_count * sizeof *m->springs);
  for (int k = 0; m->feet && k < modifier_foot_count(m); k++) {
    sinew_vec3 hinge = m->feet[k].hinge;
    m->feet[k] = was->feet[k];
    m->feet[k].hinge = hinge;
    m->planted[k] = was->planted[k];
  }
}

/* A modifier with the same name, kind and joints keeps its state; otherwise one that replaces a removed modifier of the
 * same kind and joints gets that one's state. */
static void take_over(modifier_list *list, const modifier_list *old) {
  bool taken[MODIFIERS] = {0};
  list->lacks = old->lacks;
  for (int i = 0; i < list->count; i++) {
    modifier *m = list->items + i;
    bool named = has_namesake(m, old), found = false;
    for (int k = 0; k < old->count && !found; k++) {
      const modifier *was = old->items + k;
      bool same_name = strcmp(was->name, m->name) == 0;
      found = is_alike(was, m) && !taken[k] && (named ? same_name : !has_namesake(was, list));
      if (found) go_on(m, was), taken[k] = true;
    }
  }
  for (int k = 0; k < old->count; k++) list->lacks = list->lacks || (!taken[k] && old->items[k].def.weight > 0);
}

/* A modifier that turns a joint moves all joints below it: a spring for each of 20,000 joints in a chain would take
 * minutes per frame. */
static const char *check_work(const sinew_model *model, const sinew_modifier_def *defs, int count) {
  enum { MOST_WORK = 1 << 24 };
  int64_t joints = 0;
  for (int i = 0; i < count; i++) joints += defs[i].joint_count > 1 ? defs[i].joint_count : 1;
  return joints * model->joint_count > MOST_WORK ? "the modifiers have too many joints for a model with this many"
                                                 : NULL;
}

static bool make(const modifier_frame *frame, const modifier_list *old, const sinew_modifier_def *defs, int count,
                 modifier_list *out, sinew_error *error) {
  out->items = mem_alloc_array((size_t)count, sizeof *out->items);
  for (int i = 0; i < count; i++) {
    const char *reason = check_def(defs + i, defs, i);
    if (!reason) reason = check_work(frame->posed.model, defs, i + 1);
    if (!reason && out->items) {
      out->count++;
      reason = copy_def(out->items + i, defs + i, i)
                   ? modifier_kinds[out->items[i].def.kind]->job(out->items + i, frame, false)
                   : "out of memory";
    } else if (!reason) {
      reason = "out of memory";
    }
    if (!reason) {
      out->has_functions |= defs[i].kind == SINEW_MODIFIER_FUNCTION || defs[i].ground;
      out->locks |= defs[i].lock > 0 || defs[i].ground || defs[i].kind == SINEW_MODIFIER_WARP;
      continue;
    }
    error_set(error, "the modifier '%s' is not valid: %s", defs[i].name ? defs[i].name : "", reason);
    return false;
  }
  take_over(out, old);
  return true;
}

static bool is_count(int count, sinew_error *error) {
  if (count >= 0 && count <= MODIFIERS) return true;
  error_set(error, "an actor has %d modifiers at most", MODIFIERS);
  return false;
}

/* The checks look at which joints exist, not at their positions. */
bool sinew_modifiers_check(const sinew_model *model, const sinew_modifier_def *defs, int count, sinew_error *error) {
  sinew_mat3x4 anywhere;
  modifier_frame frame = {.posed = {model, model_rest_pose(model), &anywhere}};
  modifier_list none = {0}, fresh = {0};
  bool fine = is_count(count, error) && make(&frame, &none, defs, count, &fresh, error);
  modifiers_reset(&fresh);
  return fine;
}

bool sinew_actor_set_modifiers(sinew_stage *stage, sinew_actor id, const sinew_modifier_def *defs, int count,
                               sinew_error *error) {
  actor *a = stage_find(stage, id);
  modifier_list fresh = {0};
  if (stage_closed(stage)) return error_set(error, "the modifiers cannot be set: %s", stage_closed(stage)), false;
  if (!a) return error_set(error, "the actor is gone"), false;
  if (!is_count(count, error)) return false;
  if (count && !actor_reserve_inertia(stage, a)) return error_set(error, "out of memory for modifiers"), false;
  modifier_frame frame = actor_modifier_frame(stage, a, NULL);
  if (!make(&frame, &a->modifiers, defs, count, &fresh, error)) {
    modifiers_reset(&fresh);
    return false;
  }
  modifiers_reset(&a->modifiers);
  a->modifiers = fresh;
  stage->waves_stale = true;
  return true;
}

/* ---- asking and setting ---- */

static modifier *find(const sinew_stage *stage, sinew_actor id, int index) {
  actor *a = stage_find(stage, id);
  return a && index >= 0 && index < a->modifiers.count ? a->modifiers.items + index : NULL;
}

int sinew_actor_modifier_count(const sinew_stage *stage, sinew_actor id) {
  const actor *a = stage_find(stage, id);
  return a ? a->modifiers.count : 0;
}

const char *sinew_actor_modifier_name(const sinew_stage *stage, sinew_actor id, int index) {
  const modifier *m = find(stage, id, index);
  return m ? m->name : NULL;
}

int sinew_actor_find_modifier(const sinew_stage *stage, sinew_actor id, const char *name) {
  const actor *a = stage_find(stage, id);
  for (int i = 0; a && name && i < a->modifiers.count; i++)
    if (strcmp(a->modifiers.items[i].name, name) == 0) return i;
  return -1;
}

bool sinew_actor_read_modifier_state(const sinew_stage *stage, sinew_actor id, int index, sinew_modifier_def *state) {
  const modifier *m = find(stage, id, index);
  *state = m ? m->def : (sinew_modifier_def){0};
  return m;
}

float sinew_actor_reach_error(const sinew_stage *stage, sinew_actor id, int index) {
  const modifier *m = find(stage, id, index);
  return m ? m->reach_error : 0;
}

static bool is_target(sinew_vec3 v) { return vec3_is_finite(v) || (isnan(v.x) && isnan(v.y) && isnan(v.z)); }

bool sinew_actor_modifier_aims(const sinew_stage *stage, sinew_actor id, int index) {
  const modifier *m = find(stage, id, index);
  return m && modifier_aims(m);
}

bool sinew_actor_set_modifier_state(sinew_stage *stage, sinew_actor id, int index, const sinew_modifier_def *state) {
  modifier *m = find(stage, id, index);
  if (!m || !isfinite(state->weight) || !is_target(state->target) || !vec3_is_finite(state->pole)) return false;
  m->def.weight = fminf(fmaxf(state->weight, 0), 1);
  if (modifier_kinds[m->def.kind]->aims && memcmp(&m->def.target, &state->target, sizeof state->target) != 0) {
    m->def.target = state->target;
    m->follows = (joint_target){0};
  }
  if (m->def.kind == SINEW_MODIFIER_TWO_BONE) m->def.pole = state->pole;
  return true;
}

static int spring_count(const modifier *m) { return m && m->springs ? m->def.joint_count : 0; }

int sinew_actor_springs(const sinew_stage *stage, sinew_actor id, int index, sinew_spring_state *states, int capacity) {
  const modifier *m = find(stage, id, index);
  int count = spring_count(m);
  for (int i = 0; i < count && i < capacity; i++) {
    const sinew_spring_state *s = m->springs + i;
    sinew_vec3 off = s->started ? vec3_sub(s->position, s->target) : s->position;
    states[i] = (sinew_spring_state){.position = off, .velocity = s->velocity};
  }
  return count;
}

bool sinew_actor_set_springs(sinew_stage *stage, sinew_actor id, int index, const sinew_spring_state *states,
                             int count) {
  modifier *m = find(stage, id, index);
  if (!m || count != spring_count(m) || stage_closed(stage)) return false;
  if (count) memcpy(m->springs, states, (size_t)count * sizeof *states);
  return true;
}

bool sinew_actor_set_ground(sinew_stage *stage, sinew_actor id, int index, int foot, float height, sinew_vec3 normal,
                            float weight) {
  modifier *m = find(stage, id, index);
  if (!m || !m->feet || foot < 0 || foot >= modifier_foot_count(m)) return false;
  if (!isfinite(height) || !vec3_is_finite(normal) || !isfinite(weight)) return false;
  m->feet[foot].ground = height;
  m->feet[foot].normal = normal;
  m->feet[foot].weight = fminf(fmaxf(weight, 0), 1);
  return true;
}

bool sinew_actor_ground(const sinew_stage *stage, sinew_actor id, int joint, float *height) {
  const actor *a = stage_find(stage, id);
  const sinew_model *model = a ? a->model : NULL;
  if (!model || joint < 0 || joint >= sinew_model_joint_count(model)) return false;
  for (int i = 0; i < sinew_actor_modifier_count(stage, id); i++) {
    const modifier *m = find(stage, id, i);
    int foot = modifier_find_foot(model, m, joint);
    if (foot < 0 || isnan(m->feet[foot].ground)) continue;
    *height = m->feet[foot].ground;
    return true;
  }
  return false;
}

/* ---- targets that follow joints ---- */

bool sinew_actor_set_modifier_target(sinew_stage *stage, sinew_actor id, int index, sinew_actor to, int joint,
                                     sinew_error *error) {
  const actor *a = stage_find(stage, id);
  actor *other = stage_find(stage, to);
  modifier *m = find(stage, id, index);
  if (!m || (to.id && !other)) return error_set(error, "the actor or its modifier is gone"), false;
  if (!modifier_aims(m)) return error_set(error, "the modifier '%s' has no target", m->name), false;
  if (other && (joint < 0 || joint >= other->model->joint_count))
    return error_set(error, "'%s' has no joint %d for the modifier '%s'", other->name, joint, m->name), false;
  bool waits = other && other != a && !attachment_hangs(stage, other, a);
  if (waits && actor_waits_for(stage, other, a)) {
    error_set(error,
              "the modifier '%s' of '%s' cannot aim at a joint of '%s', which itself waits for '%s'; give one of the "
              "two a point in each frame",
              m->name, a->name, other->name, a->name);
    return false;
  }
  m->follows = (joint_target){to.id, joint};
  if (other) actor_follow(other);
  stage->waves_stale = true;
  return true;
}

bool sinew_actor_modifier_target(const sinew_stage *stage, sinew_actor id, int index, sinew_actor *to, int *joint) {
  const modifier *m = find(stage, id, index);
  bool follows = m && stage_find(stage, (sinew_actor){m->follows.to});
  *to = (sinew_actor){follows ? m->follows.to : 0};
  *joint = follows ? m->follows.joint : -1;
  return follows;
}
