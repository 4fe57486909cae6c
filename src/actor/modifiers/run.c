/* Runs the modifiers of an actor. */
#include "actor/modifiers/kinds.h"
#include "actor/modifiers/modifier.h"
#include "actor/stage.h"
#include "base/memory/memory.h"
#include "math/vec3.h"
#include "model/pose_group.h"
#include "pose/modifiers/posed.h"

#include <math.h>

static const modifier_kind *kind_of(const modifier *m) { return modifier_kinds[m->def.kind]; }

bool modifier_aims(const modifier *m) { return kind_of(m)->aims; }

static bool lacks_target(const modifier *m) { return kind_of(m)->aims && isnan(m->def.target.x); }

float modifier_weight(const modifier *m, const modifier_frame *f) {
  int param = m->def.weight_param[0] ? sinew_actor_find_param(f->stage, f->actor, m->def.weight_param) : -1;
  if (!m->def.weight_param[0]) return m->def.weight;
  double much = param >= 0 ? sinew_actor_param(f->stage, f->actor, param)
                           : sinew_actor_curve(f->stage, f->actor, m->def.weight_param, 1);
  return m->def.weight * (float)fmin(fmax(much, 0), 1);
}

static int group_count(const modifier_frame *f) { return sinew_pose_group_count(f->posed.pose.joint_count); }

static void place_groups(const modifier_frame *f, int end) {
  posed_place(&f->posed, *f->placed, end);
  if (end > *f->placed) *f->placed = end;
}

void modifier_place(const modifier_frame *f, int joint) { place_groups(f, joint / SINEW_LANES + 1); }

void modifier_place_all(const modifier_frame *f) { place_groups(f, group_count(f)); }

void modifier_turned(const modifier_frame *f, int joint) {
  if (joint / SINEW_LANES < *f->placed) *f->placed = joint / SINEW_LANES;
}

static void act(modifier *m, const modifier_frame *f) {
  const modifier_kind *kind = kind_of(m);
  if (kind->deepest) modifier_place(f, kind->deepest(m));
  else modifier_place_all(f);
  jumps *measured =
      m->def.kind == SINEW_MODIFIER_FUNCTION && f->dt > 0 && f->of->metrics ? &f->of->metrics->jumps : NULL;
  if (measured) jumps_before_function(measured, f->posed.pose);
  kind->job(m, f, true);
  if (measured) jumps_after_function(measured, f->posed.pose, m->index);
}

/* A target on something attached to the actor itself follows the actor's joints. */
void modifier_run(modifier *m, const modifier_frame *f) {
  const float own = m->def.weight;
  m->reached.x = NAN;
  if (m->follows.to) {
    modifier_place_all(f);
    modifier_find_target(f->stage, f->of, &m->follows, &m->def.target);
  }
  m->def.weight = modifier_weight(m, f);
  if (m->def.weight > 0 && (kind_of(m)->settles || !lacks_target(m))) act(m, f);
  m->def.weight = own;
}

bool modifier_is_alike(const modifier *m, const sinew_modifier_def *def) {
  const sinew_modifier_def *a = &m->def;
  bool same =
      memcmp(&a->target, &def->target, sizeof a->target) == 0 && memcmp(&a->pole, &def->pole, sizeof a->pole) == 0;
  for (const modifier_value *v = kind_of(m)->values; v && v->name && same; v++)
    same = memcmp((const char *)a + v->offset, (const char *)def + v->offset, v->size) == 0;
  return same;
}

modifier modifier_copy(const modifier *m, planted_foot planted[SINEW_FEET_MAX]) {
  modifier copy = *m;
  for (int i = 0; m->planted && i < modifier_foot_count(m); i++) planted[i] = m->planted[i];
  copy.planted = planted;
  return copy;
}

void modifier_try(const modifier *m, const modifier_frame *f, const sinew_modifier_def *given, float weight) {
  planted_foot planted[SINEW_FEET_MAX];
  modifier copy = modifier_copy(m, planted);
  if (m->springs || m->def.kind == SINEW_MODIFIER_FUNCTION || m->def.ground) return;
  copy.def.target = given->target;
  copy.def.pole = given->pole;
  for (const modifier_value *v = kind_of(m)->values; v && v->name; v++)
    memcpy((char *)&copy.def + v->offset, (const char *)given + v->offset, v->size);
  copy.def.weight = weight;
  copy.def.weight_param[0] = '\0';
  copy.follows = (joint_target){0};
  modifier_run(&copy, f);
}

void modifiers_run(modifier_list *list, const modifier_frame *f) {
  for (int i = 0; i < list->count; i++) modifier_run(list->items + i, f);
  modifier_place_all(f);
  for (int i = 0; i < list->count; i++) {
    modifier *m = list->items + i;
    if (!isnan(m->reached.x))
      m->reach_error = vec3_distance(posed_position(&f->posed, kind_of(m)->deepest(m)), m->reached);
  }
}

static float *lane_of(const modifier *m, int joint, sinew_inertia_group *groups) {
  return &groups[m->joints[joint] / SINEW_LANES].offset[0][0][m->joints[joint] % SINEW_LANES];
}

/* `before`: the rest of an older offset, or NULL. */
static bool swings_on(const modifier *m, sinew_inertia_group *before) {
  bool on = m->springs && !m->is_new && m->def.weight > 0;
  for (int i = 0; on && i < m->def.joint_count; i++) {
    const float *x = before ? lane_of(m, i, before) : NULL;
    on = m->springs[i].started && (!x || (x[0] == 0 && x[SINEW_LANES] == 0 && x[2 * SINEW_LANES] == 0));
  }
  return on;
}

void modifiers_find_swinging(modifier_list *list, sinew_inertia_group *before) {
  bool known = !list->lacks;
  for (int i = 0; i < list->count; i++) {
    modifier *m = list->items + i;
    m->swings_on = known && swings_on(m, before);
    known = known && (!m->is_new || m->def.weight == 0);
  }
}

void modifiers_clear_offset(const modifier_list *list, sinew_inertia_group *groups) {
  for (int i = 0; i < list->count; i++) {
    const modifier *m = list->items + i;
    for (int k = 0; m->swings_on && k < m->def.joint_count; k++) {
      sinew_inertia_group *g = groups + m->joints[k] / SINEW_LANES;
      int lane = m->joints[k] % SINEW_LANES;
      for (int c = 0; c < 3; c++) g->offset[0][c][lane] = g->velocity[0][c][lane] = 0;
    }
  }
}

void modifiers_have_run(modifier_list *list) {
  for (int i = 0; i < list->count; i++) list->items[i].is_new = false;
  list->lacks = false;
}

static void free_modifier(modifier *m) {
  mem_free(m->name);
  mem_free(m->joints);
  mem_free(m->joint_weights);
  mem_free(m->springs);
  mem_free(m->feet);
  mem_free(m->planted);
}

void modifiers_reset(modifier_list *list) {
  for (int i = 0; i < list->count; i++) free_modifier(list->items + i);
  mem_free(list->items);
  *list = (modifier_list){0};
}

modifier_frame actor_modifier_frame(const sinew_stage *stage, const actor *a, int *placed) {
  modifier_frame f = {.stage = stage,
                      .of = a,
                      .posed = {a->model, a->pose, a->joints},
                      .placed = placed,
                      .actor = {a->id},
                      .dt = a->step};
  f.world = sinew_mat3x4_from_transform(&a->transform);
  sinew_mat3x4_inverse(&f.world, &f.inverse);
  return f;
}

/* ---- the ground ---- */

int modifier_find_foot(const sinew_model *model, const modifier *m, int joint) {
  if (!m->feet) return -1;
  for (; joint >= 0; joint = sinew_model_joint_parent(model, joint))
    for (int foot = 0; foot < modifier_foot_count(m); foot++)
      if (m->def.joints[3 + 3 * foot] == joint) return foot;
  return -1;
}

bool modifiers_plane_under(const actor *a, int joint, sinew_vec3 at, float *height, sinew_vec3 *normal) {
  for (int i = 0; i < a->modifiers.count; i++) {
    const modifier *m = a->modifiers.items + i;
    int foot = m->def.weight > 0 ? modifier_find_foot(a->model, m, joint) : -1;
    if (foot < 0 || isnan(m->feet[foot].ground)) continue;
    sinew_mat3x4 world = sinew_mat3x4_from_transform(&a->transform);
    const float *ankle = a->joints[m->def.joints[3 + 3 * foot]].m;
    sinew_vec3 from = sinew_mat3x4_transform_point(&world, (sinew_vec3){ankle[3], ankle[7], ankle[11]});
    float ground = m->feet[foot].ground;
    if (m->def.ground && m->planted[foot].known) from = m->planted[foot].heel, ground = m->planted[foot].under;
    sinew_vec3 n = vec3_unit(m->feet[foot].normal, (sinew_vec3){0, 1, 0});
    *height = ground - (n.x * (at.x - from.x) + n.z * (at.z - from.z)) / fmaxf(n.y, 0.1f);
    *normal = n;
    return true;
  }
  return false;
}
