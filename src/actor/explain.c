#include <sinew/explain.h>

#include "actor/stage.h"
#include "base/error.h"
#include "base/memory/memory.h"
#include "math/float_env.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "model/pose_group.h"

#include <math.h>
#include <string.h>

/* Collects the causes of one joint. */
typedef struct explanation {
  const sinew_stage *stage;
  const scratch *s;
  actor *a;
  int joint;
  sinew_cause *items;
  int count, capacity;
  bool failed;
} explanation;

static void add(explanation *e, sinew_cause cause) {
  sinew_cause *item = array_grow((void **)&e->items, &e->count, &e->capacity, sizeof *item);
  if (item) *item = cause;
  else e->failed = true;
}

static sinew_cause cause_of(sinew_cause_kind kind, int index, float weight) {
  return (sinew_cause){.kind = kind, .layer = index, .clip = -1, .node = -1, .modifier = -1, .weight = weight};
}

static void measure(sinew_cause *cause, sinew_transform from, sinew_transform to) {
  cause->angle = quat_angle(sinew_quat_multiply(quat_conjugate(from.rotation), to.rotation));
  cause->distance = vec3_distance(from.translation, to.translation);
}

static void scale(explanation *e, int begin, int end, float factor) {
  for (int i = begin; i < end; i++)
    if (e->items[i].kind != SINEW_CAUSE_LAYER) e->items[i].weight *= factor;
}

/* ---- clips ---- */

static void add_instance(explanation *e, const clip_instance *item, int index, float weight, bool additive) {
  int joints = e->a->model->joint_count;
  sinew_cause cause = cause_of(item->node >= 0 ? SINEW_CAUSE_NODE : SINEW_CAUSE_ACTION, index, weight);
  sinew_pose pose = scratch_pose(e->s, 0, joints), rest = model_rest_pose(e->a->model);
  cause.clip = item->clip;
  cause.node = item->node;
  cause.action.id = item->action;
  actor_sample(e->a, item, item->time, pose);
  if (additive) rest = layer_reference(e->a, e->a->layers + index, item, scratch_pose(e->s, 1, joints));
  measure(&cause, sinew_pose_joint(&rest, e->joint), sinew_pose_joint(&pose, e->joint));
  add(e, cause);
}

static float weight_of(const explanation *e, const clip_instance *item) {
  return item->weight * e->a->model->clips[item->clip].animated[e->joint];
}

/* Adds the instances of a blend, normalised as sinew_blend does it; returns the sum of their weights before
 * normalising. */
static float add_blend(explanation *e, const clip_instance *items, int instance_count, int index, float threshold) {
  const clip_instance *chosen[MAX_ACTIONS];
  int count = clip_instances_choose(items, instance_count, chosen);
  float sum = 0;
  for (int i = 0; i < count; i++) sum += weight_of(e, chosen[i]);
  const layer *l = e->a->layers + index;
  float whole = fmaxf(sum + (l->graph_instances ? 0 : l->rest_weight), threshold);
  for (int i = 0; i < count; i++) add_instance(e, chosen[i], index, weight_of(e, chosen[i]) / whole, false);
  add(e, cause_of(SINEW_CAUSE_REST, index, 1 - sum / whole));
  return sum;
}

/* Adds a layer's graph with its actions over it; returns how much of the joint they cover. */
static float add_mix(explanation *e, int layer_index, float threshold) {
  const layer *l = e->a->layers + layer_index;
  const clip_instance *items = e->a->instances.items + l->first_instance;
  int first = e->count, actions = l->instance_count - l->graph_instances;
  if (!l->graph_instances) return fminf(add_blend(e, items, actions, layer_index, threshold), 1);
  float covered = fminf(add_blend(e, items, l->graph_instances, layer_index, threshold), 1);
  int middle = e->count;
  float above = fminf(add_blend(e, items + l->graph_instances, actions, layer_index, LAYER_THRESHOLD), 1);
  float both = covered + (1 - covered) * above, part = above / fmaxf(both, threshold);
  scale(e, first, middle, 1 - part);
  scale(e, middle, e->count, part);
  return both;
}

/* ---- layers ---- */

static float mask_of(const explanation *e, const layer *l) {
  return l->asked.joint_weights ? l->asked.joint_weights[e->joint] : 1;
}

static sinew_transform blended(const explanation *e, int layers) {
  sinew_pose pose = scratch_pose(e->s, SCRATCH_TO, e->a->model->joint_count);
  actor_blend(e->s, e->a, layers, 0, pose);
  return sinew_pose_joint(&pose, e->joint);
}

static void add_layer(explanation *e, int index, float weight) {
  sinew_cause cause = cause_of(SINEW_CAUSE_LAYER, index, weight);
  sinew_transform before = blended(e, index), after = blended(e, index + 1);
  if (memcmp(&before, &after, sizeof after) == 0) return;
  measure(&cause, before, after);
  add(e, cause);
}

static void add_override(explanation *e, int index) {
  const layer *l = e->a->layers + index;
  int first = e->count;
  float covered = add_mix(e, index, LAYER_THRESHOLD) * l->asked.weight * mask_of(e, l);
  covered = fminf(fmaxf(covered, 0), 1);
  scale(e, 0, first, 1 - covered);
  scale(e, first, e->count, covered);
  add_layer(e, index, covered);
}

static void add_additive(explanation *e, int index) {
  const layer *l = e->a->layers + index;
  float under = 1 - fminf(layer_action_weight(e->a, l), 1);
  for (int i = 0; i < l->instance_count; i++) {
    const clip_instance *item = e->a->instances.items + l->first_instance + i;
    float weight = weight_of(e, item) * (item->node >= 0 ? under : 1) * l->asked.weight * mask_of(e, l);
    add_instance(e, item, index, weight, true);
  }
  add_layer(e, index, l->asked.weight * mask_of(e, l));
}

static void add_layers(explanation *e) {
  add_mix(e, 0, e->a->layers->threshold);
  for (int i = 1; i < e->a->layer_count && !e->failed; i++) {
    const layer *l = e->a->layers + i;
    if (l->asked.weight == 0 || l->instance_count == 0) continue;
    if (l->asked.mode == SINEW_LAYER_ADDITIVE) add_additive(e, i);
    else add_override(e, i);
  }
}

/* ---- inertia and modifiers ---- */

static sinew_mat3x4 joint_in_model(const explanation *e, sinew_pose pose) {
  sinew_local_to_model(&(sinew_local_to_model_job){e->a->model, pose, e->s->joints, 0});
  return e->s->joints[e->joint];
}

/* `before` becomes `after`. */
static void add_move(explanation *e, sinew_cause cause, sinew_mat3x4 *before, sinew_mat3x4 after) {
  if (memcmp(before, &after, sizeof after) != 0) {
    measure(&cause, sinew_transform_from_mat3x4(before), sinew_transform_from_mat3x4(&after));
    add(e, cause);
  }
  *before = after;
}

/* Runs a copy, so that the springs stay as they are. */
static void run_copy(explanation *e, const modifier *m, const modifier_frame *frame) {
  planted_foot planted[SINEW_FEET_MAX];
  modifier copy = modifier_copy(m, planted);
  size_t size = m->springs ? (size_t)m->def.joint_count * sizeof *m->springs : 0;
  copy.springs = size ? mem_alloc(size) : NULL;
  if (size && !copy.springs) {
    e->failed = true;
    return;
  }
  if (size) memcpy(copy.springs, m->springs, size);
  modifier_run(&copy, frame);
  mem_free(copy.springs);
}

static void add_after_blending(explanation *e) {
  const inertia *i = &e->a->inertia;
  sinew_pose pose = scratch_pose(e->s, SCRATCH_TO_BEFORE, e->a->model->joint_count);
  actor_blend(e->s, e->a, e->a->layer_count, 0, pose);
  sinew_mat3x4 before = joint_in_model(e, pose);
  if (i->groups && i->shown_count && i->time < i->duration) {
    pose_copy(pose, i->shown[0]);
    add_move(e, cause_of(SINEW_CAUSE_INERTIA, -1, 1), &before, joint_in_model(e, pose));
  }
  int placed = sinew_pose_group_count(e->a->model->joint_count);
  modifier_frame frame = actor_modifier_frame(e->stage, e->a, &placed);
  frame.posed = (sinew_posed){e->a->model, pose, e->s->joints};
  frame.dt = 0;
  for (int k = 0; k < e->a->modifiers.count && !e->failed; k++) {
    sinew_cause cause = cause_of(SINEW_CAUSE_MODIFIER, -1, e->a->modifiers.items[k].def.weight);
    cause.modifier = k;
    run_copy(e, e->a->modifiers.items + k, &frame);
    modifier_place_all(&frame);
    add_move(e, cause, &before, e->s->joints[e->joint]);
  }
  if (e->a->inertia_offset.time > 0 && !inertia_offset_is_idle(&e->a->inertia_offset))
    add_move(e, cause_of(SINEW_CAUSE_INERTIA, -1, 1), &before, e->a->joints[e->joint]);
}

/* ---- the whole ---- */

static void drop_idle(explanation *e) {
  int kept = 0;
  for (int i = 0; i < e->count; i++)
    if (e->items[i].weight != 0) e->items[kept++] = e->items[i];
  e->count = kept;
}

static const char *check(sinew_stage *stage, const actor *a, int joint) {
  if (stage_closed(stage)) return stage_closed(stage);
  if (!a) return "the actor is gone";
  if (joint < 0 || joint >= a->model->joint_count) return "there is no such joint";
  return NULL;
}

int sinew_actor_explain(sinew_stage *stage, sinew_actor id, int joint, sinew_cause *causes, int capacity,
                        sinew_error *error) {
  actor *a = stage_find(stage, id);
  const char *reason = check(stage, a, joint);
  if (reason) {
    error_set(error, "the joint cannot be explained: %s", reason);
    return -1;
  }
  explanation e = {.stage = stage, .s = stage->scratches, .a = a, .joint = joint};
  sinew_stage_lock(stage);
  uint64_t before = float_env_enter();
  if (a->rests) add(&e, cause_of(SINEW_CAUSE_REST, 0, 1));
  else add_layers(&e);
  if (!a->rests && !e.failed) add_after_blending(&e);
  float_env_leave(before);
  sinew_stage_unlock(stage);
  drop_idle(&e);
  int count = e.failed ? -1 : e.count;
  if (e.failed) error_set(error, "the joint cannot be explained: out of memory");
  if (count > 0 && capacity > 0)
    memcpy(causes, e.items, (size_t)(count < capacity ? count : capacity) * sizeof *causes);
  mem_free(e.items);
  return count;
}
