/* Evaluates an actor's clip instances to a pose: the base layer, then each layer above it, then joints and palette. */
#include "actor/model_space.h"
#include "actor/stage.h"
#include "actor/sync/foot_blend.h"
#include "actor/sync/foot_floor.h"
#include "math/float_env.h"
#include "model/pose_group.h"

#include <math.h>
#include <string.h>

/* ---- sources ---- */

/* The instances of one layer: its graph's, or its actions'. */
typedef struct span {
  const clip_instance *items;
  int count;
} span;

static span graph_of(const actor *a, const layer *l) {
  return (span){a->instances.items + l->first_instance, l->graph_instances};
}

static span actions_of(const actor *a, const layer *l) {
  return (span){a->instances.items + l->first_instance + l->graph_instances, l->instance_count - l->graph_instances};
}

/* The moment at which instances are sampled: now and `back` steps earlier; or, for a transition that begins, where they
 * were before this update and a gap earlier. An instance that began late in the update is extrapolated backwards. */
typedef struct moment {
  bool from;
  double gap, back;
} moment;

static playback beginning(const clip_instance *item) {
  playback p = item->now;
  p.position = p.from_position;
  p.loops = p.from_loops;
  p.finished = p.from_finished;
  return p;
}

/* Uses the real position a gap earlier if it is known, otherwise the speed. */
static void go_back(playback *p, double gap) {
  bool known = gap > 0 && p->marks == 2;
  if (known) p->speed = 1;
  playback_advance(p, known ? -p->advanced : -gap);
}

static double time_of(const clip_instance *item, moment at) {
  if (!at.from && at.back == 0) return item->time;
  playback p = at.from ? beginning(item) : item->now;
  if (!at.from) playback_advance(&p, -at.back * item->step);
  else if (item->step != 0 && at.gap + item->late != 0) go_back(&p, at.gap + item->late);
  return playback_time(&p);
}

/* A clip that has just started has no position a gap earlier. */
static bool has_past(const clip_instance *item, moment at) {
  if (!at.from || item->step == 0) return true;
  playback p = beginning(item);
  if (p.finished) return true;
  go_back(&p, at.gap + item->late);
  return item->now.from_loops != 0 || p.loops == 0;
}

/* Leaves the displacement of a clip that is matched by distance to the actor. */
static void remove_course(const actor *a, const clip_instance *item, double time, sinew_pose output) {
  const clip_course *course = a->gait ? a->gait->courses + item->clip : NULL;
  if (!course || !course->axes || a->gait->root < 0) return;
  const sinew_root_track track = {a->model, a->model->clips + item->clip, a->gait->root, course->axes};
  sinew_root_remove(&(sinew_root_remove_job){track, time, output});
}

void actor_sample(const actor *a, const clip_instance *item, double time, sinew_pose output) {
  sinew_sample(&(sinew_sample_job){a->model, a->model->clips + item->clip, time, output});
  if (item->layer != 0) return;
  if (item->match != SINEW_MATCH_TIME && !root_is_on(&a->root)) remove_course(a, item, time, output);
  else root_remove(&a->root, a->model, item->clip, time, output);
}

static void sample_at(const actor *a, const clip_instance *item, double time, sinew_pose output) {
  if (a->layers[item->layer].asked.mode != SINEW_LAYER_ADDITIVE || item->layer == 0)
    actor_sample(a, item, time, output);
  else sinew_sample(&(sinew_sample_job){a->model, a->model->clips + item->clip, time, output});
}

/* A clip without a past is extrapolated backwards with its initial speed. */
static void sample_instance(const scratch *s, const actor *a, const clip_instance *item, moment at, sinew_pose output) {
  if (!at.from && at.back == 0) {
    sample_at(a, item, item->time, output);
    return;
  }
  bool past = has_past(item, at);
  sinew_pose later = scratch_pose(s, SCRATCH_LATER, a->model->joint_count);
  sample_at(a, item, time_of(item, past ? at : (moment){.from = true, .gap = -item->late}), output);
  if (past) return;
  sample_at(a, item, time_of(item, (moment){.from = true, .gap = -at.gap - 2 * item->late}), later);
  sinew_additive(
      &(sinew_additive_job){.below = output, .pose = output, .reference = later, .weight = 1, .output = output});
}

/* Poses to blend. `alike`: a clip that stands for all, if they animate the same joints; else NULL. */
typedef struct blend_sources {
  int count;
  const sinew_clip *alike;
  sinew_blend_source items[MAX_ACTIONS + 1];
} blend_sources;

static int animates(const sinew_clip *clip, int group) { return clip->groups[group].flags >> CLIP_GROUP_ANIMATES; }

static bool animate_alike(const sinew_clip *a, const sinew_clip *b, int groups) {
  bool alike = true;
  for (int g = 0; g < groups && alike; g++) alike = animates(a, g) == animates(b, g);
  return alike;
}

/* Samples instances into scratch poses: one source for each that has a weight. */
static void sample_instances(const scratch *s, const actor *a, span instances, moment at, blend_sources *sources) {
  const clip_instance *chosen[MAX_ACTIONS];
  int groups = sinew_pose_group_count(a->model->joint_count);
  sources->count = clip_instances_choose(instances.items, instances.count, chosen);
  sources->alike = NULL;
  for (int i = 0; i < sources->count; i++) {
    const sinew_clip *clip = a->model->clips + chosen[i]->clip;
    sinew_pose pose = scratch_pose(s, i, a->model->joint_count);
    sample_instance(s, a, chosen[i], at, pose);
    sources->items[i] =
        (sinew_blend_source){pose.groups, chosen[i]->weight, clip->animates_all ? NULL : clip->animated};
    if (i == 0) sources->alike = clip;
    else if (sources->alike && !animate_alike(sources->alike, clip, groups)) sources->alike = NULL;
  }
}

static void add_rest(const actor *a, blend_sources *sources, float weight) {
  sources->items[sources->count++] = (sinew_blend_source){model_rest_pose(a->model).groups, weight, NULL};
  sources->alike = NULL;
}

static int lanes_of(const actor *a) { return sinew_pose_group_count(a->model->joint_count) * SINEW_LANES; }

static void rest_lane(sinew_pose_group *group, const sinew_pose_group *rest, int lane) {
  float *to = &group->rotation[0][0] + lane;
  const float *from = &rest->rotation[0][0] + lane;
  for (size_t c = 0; c < sizeof *group / sizeof *to; c += SINEW_LANES) to[c] = from[c];
}

static void rest_joints(sinew_pose pose, sinew_pose rest, const sinew_clip *clip) {
  enum { ALL = (1 << SINEW_LANES) - 1 };
  for (int g = 0, groups = sinew_pose_group_count(pose.joint_count); g < groups; g++)
    for (int i = 0; animates(clip, g) != ALL && i < SINEW_LANES; i++)
      if (!(animates(clip, g) >> i & 1)) rest_lane(pose.groups + g, rest.groups + g, i);
}

/* If all clips animate the same joints, as the clips of one character mostly do, no source needs joint weights. */
static void blend(const actor *a, const blend_sources *sources, float threshold, sinew_pose output) {
  sinew_blend_source plain[MAX_ACTIONS + 1];
  sinew_blend_job job = {sources->items, sources->count, model_rest_pose(a->model), threshold, output};
  if (sources->alike) job.sources = plain;
  for (int i = 0; sources->alike && i < sources->count; i++)
    plain[i] = (sinew_blend_source){sources->items[i].pose, sources->items[i].weight, NULL};
  sinew_blend(&job);
  if (sources->alike) rest_joints(output, job.rest, sources->alike);
}

/* ---- layers ---- */

/* Finds how much of each joint the sources cover: min(1, Σ weights that animate it). */
static void find_coverage(float *coverage, const blend_sources *sources, int lanes) {
  memset(coverage, 0, (size_t)lanes * sizeof *coverage);
  for (int k = 0; k < sources->count; k++) {
    const float *own = sources->items[k].joint_weights, weight = sources->items[k].weight;
    for (int i = 0; own && i < lanes; i++) coverage[i] += weight * own[i];
    for (int i = 0; !own && i < lanes; i++) coverage[i] += weight;
  }
  for (int i = 0; i < lanes; i++) coverage[i] = coverage[i] < 1 ? coverage[i] : 1;
}

/* weights × weight × the mask, or without one. */
static void scale_weights(float *weights, float weight, const float *mask, int lanes) {
  for (int i = 0; mask && i < lanes; i++) weights[i] *= weight * mask[i];
  for (int i = 0; !mask && i < lanes; i++) weights[i] *= weight;
}

/* Does both for a single source with joint weights. */
static void mask_weights(float *weights, const sinew_blend_source *source, float weight, const float *mask, int lanes) {
  for (int i = 0; i < lanes; i++) {
    float covered = source->weight * source->joint_weights[i];
    weights[i] = (covered < 1 ? covered : 1) * (weight * mask[i]);
  }
}

/* The fraction of a base layer's instances that is in sync. */
static const float least_synced = 0.1f;

static float synced_weight(span instances) {
  float synced = 0, sum = 0;
  for (int i = 0; i < instances.count; i++) {
    sum += instances.items[i].weight;
    if (instances.items[i].sync) synced += instances.items[i].weight;
  }
  return sum > 0 ? synced / sum * fminf(sum / least_synced, 1) : 0;
}

/* The step of the update; 0 for a pose outside of one. */
static double step_of(const clip_instance *const *items, int count) {
  double step = 0;
  for (int i = 0; i < count; i++)
    if (items[i]->step != 0) step = items[i]->step + items[i]->late;
  return step;
}

/* Seconds of the update that had passed when the motion began to which a transition leads. */
static double lateness(const actor *a) {
  double late = 0;
  for (int i = 0; i < a->layers->graph_instances; i++)
    late = fmax(late, a->instances.items[a->layers->first_instance + i].late);
  return late;
}

static bool has_joint(const layer *l, int joint) {
  return !l->asked.joint_weights || l->asked.joint_weights[joint] > 0;
}

static bool has_legs(const actor *a, const layer *l) {
  bool found = false;
  for (int i = 0; a->gait && i < a->gait->leg_count; i++) found |= has_joint(l, a->gait->legs[i].foot);
  for (int i = 0; a->gait && i < a->gait->limb_count; i++) found |= has_joint(l, a->gait->limbs[i].foot);
  return found;
}

/* Root motion is taken out of the base layer only. */
static void blend_feet(const scratch *s, const actor *a, const layer *l, span instances, const blend_sources *sources,
                       moment at, sinew_pose pose) {
  static const root_motion none = {.def = {.joint = -1}};
  const clip_instance *items[MAX_ACTIONS + 1] = {NULL};
  if (sources->count < 2 || !has_legs(a, l)) return;
  int chosen = clip_instances_choose(instances.items, instances.count, items);
  foot_blend(&(foot_blend_job){.model = a->model,
                               .gait = a->gait,
                               .sources = sources->items,
                               .items = items,
                               .root = l == a->layers ? &a->root : &none,
                               .back = at.from ? step_of(items, chosen) + at.gap : at.back * a->step,
                               .count = sources->count,
                               .weight = synced_weight(instances),
                               .joints = s->joints,
                               .pose = pose});
}

/* The last source may be the rest pose, which is not an instance. */
static void find_parts(const blend_sources *sources, const clip_instance *const *items, int joint_count,
                       foot_floor_part parts[MAX_ACTIONS + 1]) {
  for (int i = 0; i < sources->count; i++)
    parts[i] = (foot_floor_part){.pose = {(sinew_pose_group *)(uintptr_t)sources->items[i].pose, joint_count},
                                 .weight = sources->items[i].weight,
                                 .joint_weights = sources->items[i].joint_weights,
                                 .group = items[i] ? items[i]->group : 0,
                                 .sync = items[i] ? items[i]->sync : NULL};
}

static void stop_feet(const scratch *s, const actor *a, const layer *l, span instances, const blend_sources *sources,
                      sinew_pose pose) {
  const clip_instance *items[MAX_ACTIONS + 1] = {NULL};
  foot_floor_part parts[MAX_ACTIONS + 1];
  if (sources->count < 2 || !has_legs(a, l)) return;
  clip_instances_choose(instances.items, instances.count, items);
  find_parts(sources, items, pose.joint_count, parts);
  if (!foot_floor_has_transition(parts, sources->count) || !foot_floor_is_near(a->gait, pose)) return;
  foot_floor floor = foot_floor_of(a->gait, parts, sources->count);
  foot_floor_apply(&floor, a->gait, &(sinew_posed){a->model, pose, s->joints});
}

static void blend_instances(const scratch *s, const actor *a, const layer *l, span instances,
                            const blend_sources *sources, float threshold, moment at, sinew_pose pose) {
  blend(a, sources, threshold, pose);
  blend_feet(s, a, l, instances, sources, at, pose);
  stop_feet(s, a, l, instances, sources, pose);
}

/* A layer is in a transition if it, or one of its actions, fades in or out. A layer with a constant weight is a mix,
 * however much it covers. */
static bool is_in_transition(const actor *a, const layer *l) {
  float actions = layer_action_weight(a, l);
  return l->fade_duration > 0 || (actions > 0 && actions < 0.9999f);
}

static bool needs_floor(const actor *a, const layer *l) { return has_legs(a, l) && is_in_transition(a, l); }

/* Lays the layer's pose over the one below. */
static void cover(const scratch *s, const actor *a, const layer *l, const sinew_layer_job *job) {
  const foot_floor_part parts[] = {
      {.pose = job->below, .weight = 1, .joint_weights = job->joint_weights, .beneath = true},
      {.pose = job->above, .weight = 1, .joint_weights = job->joint_weights, .group = 1}};
  foot_floor floor = {.stops = false};
  if (needs_floor(a, l)) floor = foot_floor_of(a->gait, parts, 2);
  if (l->asked.space == SINEW_LAYER_MODEL) model_space_layer(s, a->model, job);
  else sinew_layer(job);
  foot_floor_apply(&floor, a->gait, &(sinew_posed){a->model, job->output, s->joints});
}

/* Joins the coverage of a graph (`below`) with that of the actions above it: `below` gets the coverage of both, `above`
 * the actions' fraction of that. */
static void join_coverage(float *below, float *above, float threshold) {
  float both = *below + (1 - *below) * *above;
  *above /= fmaxf(both, threshold);
  *below = both;
}

/* Lays actions over the graph of their layer; joints that the graph does not animate belong to the actions alone.
 * s->coverage, the graph's, becomes that of both. */
static void cover_graph(const scratch *s, const actor *a, const layer *l, moment at, float threshold, sinew_pose pose) {
  blend_sources sources;
  span actions = actions_of(a, l);
  sample_instances(s, a, actions, at, &sources);
  if (sources.count == 0) return;
  sinew_pose above = scratch_pose(s, SCRATCH_ABOVE, a->model->joint_count);
  blend_instances(s, a, l, actions, &sources, LAYER_THRESHOLD, at, above);
  int lanes = lanes_of(a);
  find_coverage(s->actions, &sources, lanes);
  for (int i = 0; i < lanes; i++) join_coverage(s->coverage + i, s->actions + i, threshold);
  cover(s, a, l, &(sinew_layer_job){pose, above, 1, s->actions, pose, a->model});
}

static void evaluate_base(const scratch *s, const actor *a, moment at, sinew_pose output) {
  const layer *l = a->layers;
  blend_sources sources;
  span instances = l->graph_instances ? graph_of(a, l) : actions_of(a, l);
  sample_instances(s, a, instances, at, &sources);
  if (sources.count && l->rest_weight > 0) add_rest(a, &sources, l->rest_weight);
  blend_instances(s, a, l, instances, &sources, l->threshold, at, output);
  if (!l->graph_instances) return;
  find_coverage(s->coverage, &sources, lanes_of(a));
  cover_graph(s, a, l, at, l->threshold, output);
}

/* The usual layer is one clip behind a mask. Joints that the clip does not animate have no weight. */
static void override_by_one(const scratch *s, const actor *a, const layer *l, const blend_sources *sources,
                            sinew_pose output) {
  const sinew_blend_source whole = {sources->items[0].pose, sources->items[0].weight, sources->alike->animated};
  mask_weights(s->coverage, &whole, l->asked.weight, l->asked.joint_weights, lanes_of(a));
  sinew_pose above = scratch_pose(s, 0, a->model->joint_count);
  sinew_layer(&(sinew_layer_job){output, above, 1, s->coverage, output, a->model});
}

static void evaluate_override(const scratch *s, const actor *a, const layer *l, moment at, sinew_pose output) {
  blend_sources sources;
  span instances = l->graph_instances ? graph_of(a, l) : actions_of(a, l);
  sample_instances(s, a, instances, at, &sources);
  if (sources.count == 0 && !l->graph_instances) return;
  bool plain =
      sources.count == 1 && !l->graph_instances && l->asked.joint_weights && l->asked.space == SINEW_LAYER_LOCAL;
  if (plain && !needs_floor(a, l)) {
    override_by_one(s, a, l, &sources, output);
    return;
  }
  sinew_pose layer_pose = scratch_pose(s, SCRATCH_LAYER, a->model->joint_count);
  blend_instances(s, a, l, instances, &sources, LAYER_THRESHOLD, at, layer_pose);
  find_coverage(s->coverage, &sources, lanes_of(a));
  if (l->graph_instances) cover_graph(s, a, l, at, LAYER_THRESHOLD, layer_pose);
  scale_weights(s->coverage, l->asked.weight, l->asked.joint_weights, lanes_of(a));
  cover(s, a, l, &(sinew_layer_job){output, layer_pose, 1, s->coverage, output, a->model});
}

static void add_instance(const scratch *s, const actor *a, const layer *l, const clip_instance *item, float weight,
                         moment at, sinew_pose output) {
  const sinew_clip *clip = a->model->clips + item->clip;
  sinew_pose pose = scratch_pose(s, 0, a->model->joint_count);
  sinew_pose reference = layer_reference(a, l, item, scratch_pose(s, 1, a->model->joint_count));
  sample_instance(s, a, item, at, pose);
  const sinew_blend_source whole = {pose.groups, 1, clip->animated};
  if (l->asked.joint_weights) mask_weights(s->coverage, &whole, 1, l->asked.joint_weights, lanes_of(a));
  const sinew_additive_job job = {
      output, pose, reference, weight * l->asked.weight, l->asked.joint_weights ? s->coverage : clip->animated, output};
  if (l->asked.space == SINEW_LAYER_MODEL) model_space_additive(s, a->model, &job);
  else sinew_additive(&job);
}

static void evaluate_additive(const scratch *s, const actor *a, const layer *l, moment at, sinew_pose output) {
  float under = 1 - fminf(layer_action_weight(a, l), 1);
  for (int i = 0; i < l->instance_count; i++) {
    const clip_instance *item = a->instances.items + l->first_instance + i;
    float weight = item->node >= 0 ? item->weight * under : item->weight;
    if (weight > 0) add_instance(s, a, l, item, weight, at, output);
  }
}

static void evaluate_layers(const scratch *s, const actor *a, int count, moment at, sinew_pose output) {
  evaluate_base(s, a, at, output);
  for (int i = 1; i < count; i++) {
    const layer *l = a->layers + i;
    if (l->asked.weight == 0 || l->instance_count == 0) continue;
    if (l->asked.mode == SINEW_LAYER_ADDITIVE) evaluate_additive(s, a, l, at, output);
    else evaluate_override(s, a, l, at, output);
  }
}

void actor_blend(const scratch *s, const actor *a, int layers, double back, sinew_pose output) {
  evaluate_layers(s, a, layers, (moment){.back = back}, output);
}

static void swap(float *a, float *b) {
  float c = *a;
  *a = *b;
  *b = c;
}

/* Calling it again restores the present weights. */
static void swap_weights(actor *a) {
  for (int i = 0; i < a->instances.count; i++) swap(&a->instances.items[i].weight, &a->instances.items[i].first);
  for (int i = 0; i < a->layer_count; i++) {
    layer *l = a->layers + i;
    swap(&l->asked.weight, &l->first.weight);
    swap(&l->rest_weight, &l->first.rest_weight);
    swap(&l->threshold, &l->first.threshold);
  }
}

void actor_blend_first(const scratch *s, actor *a, sinew_pose output) {
  swap_weights(a);
  evaluate_layers(s, a, a->layer_count, (moment){.from = true}, output);
  swap_weights(a);
}

/* ---- the whole ---- */

static void begin_transition(const scratch *s, actor *a) {
  sinew_pose to = scratch_pose(s, SCRATCH_TO, a->model->joint_count);
  sinew_pose before = scratch_pose(s, SCRATCH_TO_BEFORE, a->model->joint_count);
  evaluate_layers(s, a, a->layer_count, (moment){.from = true}, to);
  evaluate_layers(s, a, a->layer_count, (moment){.from = true, .gap = a->inertia.gap}, before);
  inertia_begin(&a->inertia, a->gait, to, before);
}

static void evaluate_pose(const scratch *s, actor *a) {
  if (a->rests) {
    pose_copy(a->pose, model_rest_pose(a->model));
    return;
  }
  actor_blend(s, a, a->layer_count, 0, a->pose);
  if (inertia_begins(&a->inertia)) begin_transition(s, a);
  inertia_apply(&a->inertia, a->gait, a->pose, s->joints);
}

/* Uses the weights of the pose: actions cover the graph below them. */
static void move_root(actor *a, bool begins) {
  const layer *base = a->layers;
  root_sum sum = {0};
  float actions = 0;
  for (int i = base->graph_instances; i < base->instance_count; i++)
    actions += a->instances.items[base->first_instance + i].mean;
  float under = 1 - fminf(actions, 1);
  for (int i = 0; i < base->instance_count; i++) {
    const clip_instance *item = a->instances.items + base->first_instance + i;
    float weight = item->mean * (item->node >= 0 ? under : 1);
    if (weight > 0) root_add(&sum, &a->root, a->model, item, weight, a->step);
  }
  root_finish(&a->root, &sum, a->step, begins ? &(root_change){a->inertia.requested, lateness(a)} : NULL);
  if (!a->root.def.apply) return;
  sinew_mat3x4 position = sinew_mat3x4_from_transform(&a->transform);
  a->transform.translation = sinew_mat3x4_transform_point(&position, a->root.delta.translation);
  a->transform.rotation = sinew_quat_normalize(sinew_quat_multiply(a->transform.rotation, a->root.delta.rotation));
}

/* Blends out the effect of modifiers that were replaced. */
static void settle(actor *a) {
  inertia_offset *offset = &a->inertia_offset;
  if (a->rests || inertia_offset_is_idle(offset)) return;
  if (inertia_offset_begins(offset)) {
    modifiers_find_swinging(&a->modifiers, offset->time < offset->duration ? offset->groups : NULL);
    inertia_offset_begin(offset, a->before, &a->inertia, a->step, a->pose);
    modifiers_clear_offset(&a->modifiers, offset->groups);
  }
  inertia_offset_apply(offset, a->step, a->pose);
  sinew_local_to_model(&(sinew_local_to_model_job){a->model, a->pose, a->joints, 0});
}

void actor_finish(const sinew_stage *stage, actor *a) {
  if (!a->unfinished) return;
  uint64_t before = float_env_enter();
  modifier_frame frame = actor_modifier_frame(stage, a, &a->placed);
  if (a->rests) modifier_place_all(&frame);
  else modifiers_run(&a->modifiers, &frame);
  settle(a);
  modifiers_have_run(&a->modifiers);
  if (a->palette.count)
    sinew_palette(&(sinew_palette_job){a->model, a->joints, stage->palettes.matrices + a->palette.offset});
  float_env_leave(before);
}

static bool is_silent(span instances) {
  for (int i = 0; i < instances.count; i++)
    if (instances.items[i].weight > 0) return false;
  return true;
}

/* Most characters are plain: a few clips on the base layer, and nobody needs an intermediate pose. */
static bool is_plain(const actor *a) {
  bool plain = !a->rests && a->modifiers.count == 0 && !root_is_on(&a->root) && inertia_is_idle(&a->inertia) &&
               inertia_offset_is_idle(&a->inertia_offset);
  if (a->layers->graph_instances && !is_silent(actions_of(a, a->layers))) return false;
  if (a->layers->rest_weight > 0 && !is_silent(actions_of(a, a->layers))) return false;
  for (int i = 1; i < a->layer_count && plain; i++)
    plain = a->layers[i].asked.weight == 0 ||
            (is_silent(graph_of(a, a->layers + i)) && is_silent(actions_of(a, a->layers + i)));
  return plain;
}

/* From clips to palette in one pass; false if the actor is not plain. */
static bool evaluate_plain(const sinew_stage *stage, const scratch *s, actor *a) {
  const clip_instance *chosen[MAX_ACTIONS];
  sinew_evaluate_source sources[SINEW_EVALUATE_SOURCES];
  const layer *base = a->layers;
  if (!is_plain(a)) return false;
  bool unread = !a->inertia.groups;
  span instances = base->graph_instances ? graph_of(a, base) : actions_of(a, base);
  int count = clip_instances_choose(instances.items, instances.count, chosen);
  if (count > SINEW_EVALUATE_SOURCES || (count > 1 && synced_weight(instances) > 0)) return false;
  for (int i = 0; i < count; i++)
    if (chosen[i]->match != SINEW_MATCH_TIME || (a->gait && chosen[i]->group != chosen[0]->group)) return false;
  for (int i = 0; i < count; i++)
    sources[i] = (sinew_evaluate_source){a->model->clips + chosen[i]->clip, chosen[i]->time, chosen[i]->weight};
  a->joints_wait = unread && !a->joints_read;
  sinew_evaluate(
      &(sinew_evaluate_job){.model = a->model,
                            .sources = sources,
                            .source_count = count,
                            .threshold = base->threshold,
                            .pose = unread ? (sinew_pose){NULL, 0} : a->pose,
                            .joints = a->joints_wait ? s->joints : a->joints,
                            .palette = a->palette.count ? stage->palettes.matrices + a->palette.offset : NULL});
  if (unread) {
    a->unmade.waits = true;
    a->unmade.count = count;
    a->unmade.threshold = base->threshold;
    memcpy(a->unmade.sources, sources, (size_t)count * sizeof *sources);
  }
  inertia_apply(&a->inertia, a->gait, a->pose, a->joints);
  actor_evaluate_morphs(a);
  return true;
}

static void place_all(actor *a) {
  sinew_local_to_model(&(sinew_local_to_model_job){a->model, a->pose, a->joints, 0});
  a->placed = sinew_pose_group_count(a->model->joint_count);
}

static void begin_pose(actor *a) {
  sinew_pose older = a->before;
  a->before = a->pose;
  a->pose = older;
  if (a->unmade.waits) a->unmade_before = a->unmade;
  else a->unmade_before.waits = false;
  a->unmade.waits = a->joints_wait = false;
  a->poses = a->rests || a->instances.count == 0 ? 0 : a->poses < 2 ? a->poses + 1 : 2;
}

bool actor_is_skipped(const actor *a) { return a->skips_hidden && !a->visible; }

/* The next pose starts without a past. */
static void skip(actor *a) {
  if (root_is_on(&a->root)) move_root(a, false);
  a->poses = 0;
}

void actor_evaluate(const sinew_stage *stage, scratch *s, actor *a) {
  a->unfinished = false;
  if (actor_is_skipped(a)) {
    skip(a);
    return;
  }
  begin_pose(a);
  if (evaluate_plain(stage, s, a)) return;
  if (root_is_on(&a->root)) move_root(a, inertia_begins(&a->inertia));
  evaluate_pose(s, a);
  a->placed = 0;
  if (a->modifiers.has_functions) place_all(a); /* one thread finishes these */
  actor_evaluate_morphs(a);
  a->unfinished = true;
}
