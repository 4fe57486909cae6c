/* One actor's step in time: fades, the decisions of graphs, clocks, events. The result is a list of clip instances. */
#include "actor/play/actor_events.h"
#include "actor/stage.h"

#include <math.h>
#include <string.h>

/* An actor that moves further than this many of its own metres per second has been placed elsewhere. */
static void watch_way(actor *a, double dt) {
  static const double farthest_speed = 30;
  graph_inputs *s = a->inputs;
  const sinew_vec3 here = a->transform.translation, before = s->placed ? s->at : here;
  double moved = sinew_hypot((double)(here.x - before.x), (double)(here.z - before.z));
  bool went = moved < farthest_speed * gait_size(a->gait) * actor_ground_scale(a) * dt;
  s->moved = dt > 0 && went ? moved / actor_ground_scale(a) : 0;
  s->at = here;
  s->placed = true;
}

static graph_frame frame_of(sinew_stage *stage, actor *a, int index, double dt) {
  return (graph_frame){.graph = a->layers[index].graph,
                       .layer = index,
                       .dt = dt,
                       .moved = a->inputs->moved,
                       .scale = actor_ground_scale(a),
                       .model = a->model,
                       .markers = &stage->markers,
                       .gait = a->gait,
                       .params = a->params.values,
                       .events = (const char(*)[EVENT_NAME])a->inputs->sent,
                       .event_count = a->inputs->sent_count,
                       .condition = stage->condition,
                       .condition_user = stage->condition_user,
                       .marks = a->metrics ? &a->metrics->marks : NULL,
                       .actor = {a->id},
                       .groups = a->inputs->groups,
                       .instances = &a->instances};
}

void actor_decide(sinew_stage *stage, actor *a, double dt) {
  for (int i = 0; a->inputs && i < a->layer_count; i++) {
    if (!a->layers[i].graph) continue;
    if (a->layers[i].graph->stops) actor_need_gait(stage, a);
    graph_frame frame = frame_of(stage, a, i, dt);
    graph_decide(&frame);
    inertia_request(&a->inertia, frame.inertial, false);
    inertia_request(&a->inertia, frame.standing, true);
  }
}

static void add_graph(sinew_stage *stage, actor *a, int index, double dt) {
  graph_frame frame = frame_of(stage, a, index, dt);
  graph_update(&frame, 1);
}

static void add_actions(sinew_stage *stage, actor *a, int index, double dt) {
  layer *l = a->layers + index;
  actions_fade(stage, l, dt);
  for (int i = 0; i < l->action_count; i++) {
    action *act = stage_find_action(stage, l->actions[i]);
    clip_instance *item = clip_instance_add(&a->instances, act->asked.clip, index, &act->playback);
    if (!item) return;
    item->node = -1;
    item->action = l->actions[i];
    item->weight = action_strength(act);
    item->mean = (float)action_strength_mean(act, dt);
    item->first = act->asked.weight * (float)fade_value_ago(&act->fade, fmax(dt, 0));
    item->group = act->group;
    item->coasts = act->frozen;
    item->step = act->asked.paused ? 0 : dt;
    item->late = 0;
    item->sync = act->sync;
  }
}

/* Without a graph, the base layer's actions and any requested rest pose are normalised to 1. */
static void normalize_base(actor *a, double dt) {
  layer *l = a->layers;
  float rest = (float)fade_value(&l->rest), rest_mean = (float)fade_mean(&l->rest, dt), sum = rest, mean = rest_mean;
  float rest_first = (float)fade_value_ago(&l->rest, fmax(dt, 0)), first = rest_first;
  l->rest_weight = l->rest_mean = l->first.rest_weight = 0;
  l->threshold = l->first.threshold = rest_threshold(1);
  if (l->graph_instances) return;
  for (int i = 0; i < l->instance_count; i++) {
    sum += a->instances.items[i].weight;
    mean += a->instances.items[i].mean;
    first += a->instances.items[i].first;
  }
  for (int i = 0; i < l->instance_count; i++) {
    if (sum > 0) a->instances.items[i].weight /= sum;
    if (mean > 0) a->instances.items[i].mean /= mean;
    if (first > 0) a->instances.items[i].first /= first;
  }
  if (sum > 0) l->rest_weight = rest / sum;
  l->threshold = rest_threshold(sum);
  if (first > 0) l->first.rest_weight = rest_first / first;
  l->first.threshold = rest_threshold(first);
  if (mean > 0) l->rest_mean = rest_mean / mean;
}

/* An empty sync group restarts when its next member joins. */
static void forget_idle_groups(actor *a) {
  for (int g = 0; a->inputs && g < SYNC_GROUPS; g++) {
    bool used = false;
    for (int i = 0; i < a->instances.count && !used; i++)
      used = a->instances.items[i].sync == &a->inputs->groups[g].phase;
    if (!used) a->inputs->groups[g].phase = (sync_phase){0};
  }
}

/* When memory runs out the next update tries again. */
static void need_gait(sinew_stage *stage, actor *a) {
  bool needed = a->modifiers.count > 0 || a->inertia.groups || root_is_on(&a->root);
  const clip_instance *shown = NULL; /* a crossfade stops feet at the ground */
  for (int i = 0; i < a->instances.count && !needed; i++) {
    const clip_instance *item = a->instances.items + i;
    needed = item->sync || item->match != SINEW_MATCH_TIME;
    if (!(item->weight > 0)) continue;
    needed |= shown && (shown->layer != item->layer || shown->group != item->group);
    shown = item;
  }
  if (needed) actor_need_gait(stage, a);
  for (int i = 0; i < a->instances.count && (a->modifiers.locks || a->metrics); i++) gait_of(a->gait, a->instances.items[i].clip);
}

/* Moves the waiting events to the front. */
static void forget_sent(graph_inputs *s) {
  memmove(s->sent, s->sent + s->sent_count, (size_t)s->waiting_count * sizeof *s->sent);
  s->sent_count = 0;
}

void actor_advance(sinew_stage *stage, actor *a, double dt) {
  a->instances.count = 0;
  if (a->inputs) watch_way(a, dt);
  if (a->metrics) a->metrics->jumps.begun = a->transform;
  for (int i = 0; i < a->layer_count; i++) {
    layer *l = a->layers + i;
    layer_fade(l, dt);
    l->first_instance = a->instances.count;
    if (l->graph) add_graph(stage, a, i, dt);
    l->graph_instances = a->instances.count - l->first_instance;
    add_actions(stage, a, i, dt);
    l->instance_count = a->instances.count - l->first_instance;
    if (i == 0) normalize_base(a, dt);
  }
  a->step = dt > 0 ? dt : 0;
  a->rests = a->bind_pose || stage->bind_pose;
  inertia_advance(&a->inertia, dt);
  forget_idle_groups(a);
  need_gait(stage, a);
  a->inertia.unit = gait_size(a->gait);
  clip_instances_advance(&a->instances, a->model, &stage->markers, a->gait);
  root_prepare(&a->root, a->model, gait_size(a->gait), &a->instances);
  actor_events_add(stage, a, dt);
  for (int i = 0; i < a->layer_count; i++) actions_end(stage, a->layers + i);
  if (a->inputs) forget_sent(a->inputs);
}
