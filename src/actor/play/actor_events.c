#include "actor/play/actor_events.h"

#include <math.h>
#include <string.h>

/* A weight this small is rounding: it raises no events. */
static const float least_weight = 1e-4f;

/* The weight within the layer, `ago` seconds before the end of the update: an action's fade is known, and a graph's
 * weight is assumed to have changed evenly. */
static float weight_ago(const sinew_stage *stage, const clip_instance *item, double ago, double dt) {
  const action *a = item->action ? stage_find_action(stage, item->action) : NULL;
  if (!(ago > 0) || !(dt > 0)) return item->weight;
  if (!a) return (float)fmax((double)item->weight + 2 * (double)(item->mean - item->weight) * ago / dt, 0);
  float now = action_strength(a), then = a->asked.weight * (float)fade_value_ago(&a->fade, ago);
  return now > 0 && item->weight > 0 ? fminf(then * (item->weight / now), fmaxf(item->weight, 1)) : then;
}

/* The weight of an event that this instance raises: its normalised weight in the layer, times the layer's own weight. A
 * graph is covered by the actions. */
static float event_weight(const actor *a, const clip_instance *item, float weight) {
  const layer *l = a->layers + item->layer;
  float actions = layer_action_weight(a, l), covered = actions < 1 ? actions : 1;
  float normalized = item->node >= 0 ? weight * (1 - covered) : actions > 1 ? weight / actions : weight;
  float own = l == a->layers ? 1 : fabsf(l->asked.weight);
  return normalized * (own > 1 ? 1 : own);
}

/* ---- clips in sync ---- */

typedef struct event_source {
  const sinew_stage *stage;
  const actor *actor;
  double dt;
} event_source;

static const clip_markers *markers_at(const event_source *h, const clip_instance *item) {
  return markers_of(&h->stage->markers, h->actor->model, item->clip);
}

static bool has_sync_marker(const clip_markers *m, const char *name) {
  for (int i = 0; i < m->sync_count; i++)
    if (strcmp(m->items[m->sync[i]].name, name) == 0) return true;
  return false;
}

/* The next of the clips in sync whose markers include this one, or NULL. */
static const clip_instance *member_from(const event_source *h, const clip_instance *item, const char *name,
                                        int *index) {
  for (; *index < h->actor->instances.count; ++*index) {
    const clip_instance *other = h->actor->instances.items + *index;
    if (other->sync == item->sync && has_sync_marker(markers_at(h, other), name)) return other;
  }
  return NULL;
}

static bool leads(const event_source *h, const clip_instance *item, const char *name) {
  const clip_instance *other, *lead = NULL;
  for (int i = 0; (other = member_from(h, item, name, &i)); i++)
    if (!lead || other->mean > lead->mean) lead = other;
  return lead == item;
}

static float weight_together(const event_source *h, const clip_instance *item, const char *name, double ago) {
  const clip_instance *other;
  float sum = 0;
  for (int i = 0; (other = member_from(h, item, name, &i)); i++)
    sum += event_weight(h->actor, other, weight_ago(h->stage, other, ago, h->dt));
  return sum;
}

/* ---- one instance ---- */

static bool is_shared(const event_source *h, const clip_instance *item, const sinew_event *event) {
  return item->sync && event->kind == SINEW_EVENT_MARKER && has_sync_marker(markers_at(h, item), event->name);
}

/* An end raises an event whatever its weight. */
static bool weigh(const event_source *h, const clip_instance *item, sinew_event *event, double moment) {
  double ago = fabs(h->dt) - moment;
  bool shared = is_shared(h, item, event);
  if (shared && !leads(h, item, event->name)) return false;
  event->weight = shared ? weight_together(h, item, event->name, ago)
                         : event_weight(h->actor, item, weight_ago(h->stage, item, ago, h->dt));
  return event->weight > least_weight || event->kind == SINEW_EVENT_FINISH;
}

static bool is_cut_off(const sinew_stage *stage, const clip_instance *item) {
  const action *a = item->action ? stage_find_action(stage, item->action) : NULL;
  return a && a->stopping && !a->leaving;
}

static bool raises_events(const clip_instance *item) {
  return item->weight > 0 || item->mean > 0 || item->now.finished;
}

static void add_clip_events(sinew_stage *stage, const event_source *h, const clip_instance *item) {
  const clip_markers *markers = markers_at(h, item);
  if (!raises_events(item) || events_are_none(&item->now, markers)) return;
  event_queue *queue = &stage->events;
  int first = queue->count, kept = first;
  const sinew_event event = {.actor = {h->actor->id},
                             .action = {item->action},
                             .layer = item->layer,
                             .node = item->node,
                             .clip = item->clip,
                             .from = -1,
                             .to = -1};
  events_gather(queue, &item->now, markers, &event, item->now.finished && is_cut_off(stage, item));
  for (int i = first; i < queue->count; i++) {
    if (!weigh(h, item, queue->items + i, queue->moments[i].seconds)) continue;
    queue->items[kept] = queue->items[i];
    queue->moments[kept++] = queue->moments[i];
  }
  queue->count = kept;
}

/* ---- states ---- */

static const char *key_of(const graph *g, int machine, int state) {
  return state < 0 ? NULL : g->nodes[g->nodes[machine].first_child + state].key;
}

static void add_state_change(event_queue *queue, const actor *a, int index, const state_change *change) {
  const graph *g = a->layers[index].graph;
  const clip_instance machine = {.layer = index, .node = change->node};
  sinew_event event = {.kind = SINEW_EVENT_EXIT,
                       .actor = {a->id},
                       .layer = index,
                       .node = change->node,
                       .clip = -1,
                       .name = "exit",
                       .time = change->stayed,
                       .weight = event_weight(a, &machine, g->weights[change->node]),
                       .from = change->from,
                       .to = change->to,
                       .from_key = key_of(g, change->node, change->from),
                       .to_key = key_of(g, change->node, change->to)};
  if (change->from >= 0) events_add_state(queue, &event, change->moment);
  event.kind = SINEW_EVENT_ENTER, event.name = "enter", event.time = 0;
  if (change->to >= 0) events_add_state(queue, &event, change->moment);
}

/* The graph lives until these events are forgotten, because they hold the keys of its states. */
static void add_state_events(sinew_stage *stage, const actor *a, int index) {
  graph *g = a->layers[index].graph;
  for (int i = 0; i < g->change_count; i++) add_state_change(&stage->events, a, index, g->changes + i);
  if (g->change_count == 0) return;
  g->next_named = stage->named_graphs;
  stage->named_graphs = graph_retain(g);
}

void actor_events_reset(sinew_stage *stage) {
  for (graph *g = stage->named_graphs, *next; g; g = next) {
    next = g->next_named;
    graph_destroy(g);
  }
  stage->named_graphs = NULL;
  stage->events.count = stage->events.lost = 0;
}

void actor_events_add(sinew_stage *stage, const actor *a, double dt) {
  int first = stage->events.count;
  event_source h = {stage, a, dt};
  for (int i = 0; i < a->instances.count; i++) add_clip_events(stage, &h, a->instances.items + i);
  for (int i = 0; i < a->layer_count; i++)
    if (a->layers[i].graph) add_state_events(stage, a, i);
  events_sort(&stage->events, first);
}
