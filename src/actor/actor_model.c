/* Replaces the model of an actor. The actor keeps its id, its playing clips, graphs and their states, fades and layers.
 * The caller names the counterparts of clips; joints are matched by name. */
#include "actor/stage.h"
#include "base/error.h"
#include "base/memory/memory.h"
#include "model/pose_group.h"

#include <string.h>

static int joint_in(const sinew_model *from, const sinew_model *to, int joint) {
  return joint <= 0 ? joint : sinew_model_counterpart(from, joint, to);
}

static bool same_joints(const sinew_model *a, const sinew_model *b) {
  bool same = a->joint_count == b->joint_count;
  for (int i = 1; same && i < a->joint_count; i++)
    same = sinew_model_joint_parent(a, i) == sinew_model_joint_parent(b, i) &&
           strcmp(sinew_model_joint_name(a, i), sinew_model_joint_name(b, i)) == 0;
  return same;
}

/* ---- poses: matched joint by joint; joints that the old model lacks are at rest ---- */

static void take_pose(const sinew_model *to, sinew_pose out, const sinew_model *from, sinew_pose pose) {
  pose_copy(out, model_rest_pose(to));
  for (int i = 0; i < from->joint_count; i++) {
    int joint = joint_in(from, to, i);
    sinew_transform t = sinew_pose_joint(&pose, i);
    if (joint >= 0) sinew_pose_set_joint(&out, joint, &t);
  }
}

/* An old transition continues if the joints are the same. */
static void take_inertia(actor *a, actor *from, bool same) {
  if (same) {
    inertia fresh = a->inertia;
    inertia_offset none = a->inertia_offset;
    a->inertia = from->inertia;
    a->inertia_offset = from->inertia_offset;
    from->inertia = fresh;
    from->inertia_offset = none;
    return;
  }
  for (int k = 0; k < 2 && from->inertia.groups; k++)
    take_pose(a->model, a->inertia.shown[k], from->model, from->inertia.shown[k]);
  if (!from->inertia.groups) {
    pose_copy(a->inertia.shown[0], a->pose);
    pose_copy(a->inertia.shown[1], a->before);
  }
  a->inertia.shown_count = from->inertia.groups ? from->inertia.shown_count : from->poses;
  a->inertia.step = from->inertia.step;
}

static void take_poses(actor *a, actor *from, bool same) {
  take_pose(a->model, a->pose, from->model, from->pose);
  take_pose(a->model, a->before, from->model, from->before);
  a->poses = from->poses;
  a->step = from->step;
  take_inertia(a, from, same);
  sinew_local_to_model(&(sinew_local_to_model_job){a->model, a->pose, a->joints, 0});
  a->joints_wait = false;
}

/* ---- layers ---- */

/* NULL, which means 1 everywhere, when memory runs out. */
static float *take_mask(const sinew_model *to, const sinew_model *from, const float *mask) {
  size_t positions = (size_t)sinew_pose_group_count(to->joint_count) * SINEW_LANES;
  float *out = mem_alloc_array(positions, sizeof *out);
  memset(out, 0, out ? positions * sizeof *out : 0);
  for (int i = 0; out && i < from->joint_count; i++) {
    int joint = joint_in(from, to, i);
    if (joint >= 0) out[joint] = mask[i];
  }
  return out;
}

static void take_reference(const actor *a, const actor *from, sinew_reference *r, const int *clips) {
  if (r->kind == SINEW_REFERENCE_CLIP) r->clip = clips[r->clip];
  if (r->kind == SINEW_REFERENCE_POSE) {
    sinew_pose old = r->pose;
    r->pose = (sinew_pose){mem_alloc_array((size_t)sinew_pose_group_count(a->pose.joint_count), sizeof *old.groups),
                           a->pose.joint_count};
    if (r->pose.groups) take_pose(a->model, r->pose, from->model, old);
    mem_free(old.groups);
  }
  bool lost = (r->kind == SINEW_REFERENCE_CLIP && r->clip < 0) || (r->kind == SINEW_REFERENCE_POSE && !r->pose.groups);
  if (lost) *r = (sinew_reference){.kind = SINEW_REFERENCE_BEGIN};
}

static void take_layer(const actor *a, const actor *from, layer *l, bool same, const int *clips) {
  take_reference(a, from, &l->asked.reference, clips);
  if (same || !l->asked.joint_weights) return;
  float *mask = take_mask(a->model, from->model, l->asked.joint_weights);
  mem_free((float *)(uintptr_t)l->asked.joint_weights);
  l->asked.joint_weights = mask;
}

/* ---- what plays ---- */

/* Ends actions of clips that the model lacks. The others keep the part that they play; a part that ended with the old
 * clip ends with the new one. */
static void take_actions(sinew_stage *stage, const actor *a, const layer *l, const actor *from, const int *clips) {
  for (int i = l->action_count; i > 0; i--) {
    action *act = stage_find_action(stage, l->actions[i - 1]);
    int clip = clips[act->asked.clip];
    if (clip < 0) {
      stage_end_action(stage, l->actions[i - 1]);
      continue;
    }
    double before = from->model->clips[act->asked.clip].duration, after = a->model->clips[clip].duration;
    playback_move(&act->playback, before, after);
    act->asked.clip = clip;
  }
}

/* True if another layer already continues the graph (sinew_actor_continue_graph), so that it is moved only once. */
static bool moves_elsewhere(const actor *a, int index) {
  const graph *held = a->layers[index].held;
  bool found = false;
  for (int i = 0; i < a->layer_count; i++)
    found = found || a->layers[i].graph == held || (i < index && a->layers[i].held == held);
  return found;
}

static void take_playing(sinew_stage *stage, actor *a, const actor *from, const int *clips) {
  for (int i = 0; i < a->layer_count; i++) {
    layer *l = a->layers + i;
    take_actions(stage, a, l, from, clips);
    if (l->change.from >= 0) l->change.from = clips[l->change.from];
    if (l->change.to >= 0) l->change.to = clips[l->change.to];
    if (l->held && !moves_elsewhere(a, i)) graph_move(l->held, from->model, a->model, clips);
    if (!l->graph || graph_move(l->graph, from->model, a->model, clips)) continue;
    graph_destroy(l->held); /* it lacks a clip, so it is suspended: the next graph continues from it */
    l->held = l->graph;
    l->graph = NULL;
  }
}

/* ---- the rest ---- */

static void take_root(actor *a, actor *from, root_path *paths) {
  sinew_root_def def = from->root.def;
  int count = 0;
  for (int i = 0; i < def.foot_count; i++) {
    int foot = joint_in(from->model, a->model, def.feet[i]);
    if (foot >= 0) def.feet[count++] = foot;
  }
  def.joint = joint_in(from->model, a->model, def.joint);
  def.foot_count = count;
  root_reset(&a->root, a->model->clip_count);
  a->root.def = def;
  a->root.paths = paths;
  a->root.delta = from->root.delta;
}

static void take_state(actor *a, actor *from, bool same) {
  a->transform = from->transform;
  a->visible = from->visible;
  a->bind_pose = from->bind_pose;
  a->paused = from->paused;
  a->opacity = from->opacity;
  a->skinning = from->skinning;
  a->attachment = from->attachment;
  a->below = from->below;
  a->followed = from->followed;
  a->joints_read = from->joints_read;
  actor_free_params(&a->params);
  a->params = from->params;
  a->inputs = from->inputs;
  from->attachment = (attachment){0};
  from->params = (actor_params){0};
  from->inputs = NULL;
  if (!same) return;
  modifiers_reset(&a->modifiers);
  a->modifiers = from->modifiers;
  a->metrics = from->metrics;
  from->modifiers = (modifier_list){0};
  from->metrics = NULL;
  if (a->metrics) metrics_move(a);
}

static void take_layers(actor *a, actor *from, bool same, const int *clips) {
  layer *fresh = a->layers;
  layer_free(fresh);
  a->layers = from->layers, a->layer_count = from->layer_count, a->layer_capacity = from->layer_capacity;
  from->layers = fresh, from->layer_count = 0;
  for (int i = 0; i < a->layer_count; i++) {
    take_layer(a, from, a->layers + i, same, clips);
    a->layers[i].first_instance = a->layers[i].instance_count = a->layers[i].graph_instances = 0;
  }
}

/* Moves attachments and targets to the new joints; a joint that is gone becomes the root. */
static void move_joint(const actor *a, const actor *from, uint64_t to, int *joint) {
  if (to != a->id || to == 0) return;
  int found = joint_in(from->model, a->model, *joint);
  *joint = found >= 0 ? found : 0;
}

static void move_attached(const sinew_stage *stage, const actor *a, const actor *from) {
  for (int i = 0; i < stage->actor_count && a->followed; i++) {
    actor *other = stage->actors[i];
    move_joint(a, from, other->attachment.asked.to.id, &other->attachment.asked.joint);
    for (int m = 0; m < other->modifiers.count; m++) {
      joint_target *target = &other->modifiers.items[m].follows;
      move_joint(a, from, target->to, &target->joint);
    }
  }
}

static void exchange_ids(const sinew_stage *stage, actor *a, actor *b) {
  actor **at_a = pool_find(&stage->actor_slots, a->id), **at_b = pool_find(&stage->actor_slots, b->id);
  *at_a = b;
  *at_b = a;
  uint64_t id = a->id;
  a->id = b->id;
  b->id = id;
}

/* True if it plays nothing and has only the base layer. */
static bool is_fresh(const actor *a) {
  return a->layer_count == 1 && a->layers->action_count == 0 && !a->layers->graph && !a->layers->held && !a->inputs;
}

bool sinew_actor_take_model(sinew_stage *stage, sinew_actor id, sinew_actor fresh, const int *clips,
                            sinew_error *error) {
  actor *from = stage_find(stage, id), *a = stage_find(stage, fresh);
  if (stage_closed(stage)) return error_set(error, "the actor keeps its model: %s", stage_closed(stage)), false;
  if (!from || !a || a == from) return error_set(error, "the actor is gone"), false;
  if (!is_fresh(a)) return error_set(error, "'%s' cannot hand on its model: clips already play on it", a->name), false;
  bool same = same_joints(from->model, a->model);
  root_path *paths = NULL;
  if (root_is_on(&from->root)) paths = mem_alloc_array((size_t)a->model->clip_count + 1, sizeof *paths);
  if ((!paths && root_is_on(&from->root)) || !actor_reserve_inertia(stage, a) ||
      (same && !actor_reserve_inertia(stage, from))) {
    mem_free(paths);
    return error_set(error, "out of memory for another model of '%s'", from->name), false;
  }
  for (int i = 0; i < sinew_model_morph_count(from->model); i++)
    sinew_actor_set_morph(stage, fresh, sinew_model_morph_name(from->model, i), from->manual[i]);
  actor_make_poses(stage, from);
  take_poses(a, from, same);
  take_state(a, from, same);
  take_layers(a, from, same, clips);
  if (paths) take_root(a, from, paths);
  exchange_ids(stage, a, from);
  take_playing(stage, a, from, clips);
  if (!same) move_attached(stage, a, from);
  sinew_actor_destroy(stage, (sinew_actor){from->id});
  if (!actor_reserve_instances(a)) sinew_log(SINEW_LOG_WARNING, "out of memory for the actions of '%s'", a->name);
  return true;
}
