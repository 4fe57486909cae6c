#include "actor/crowd/crowd_graph.h"

#include "model/model.h"

#include <math.h>
#include <string.h>

/* Small enough for the stack of a thread. */
enum { NODES = 64, INSTANCES = 64, CHANGES = MACHINE_CHANGES * NODES };

/* ---- which graphs ---- */

static const char *check_node(const sinew_node_def *n) {
  if (n->match != SINEW_MATCH_TIME) return "its clips advance by time: only actors have match";
  return n->sync_group ? "its phase is its own: sync = true" : NULL;
}

static const char *check_transition(const sinew_transition_def *t) {
  if (t->condition >= 0) return "its conditions must be text: only actors have conditions that are functions";
  return t->event ? "it waits for an event, and only actors receive events" : NULL;
}

static int count_instances(const sinew_graph_def *def) {
  int instances[NODES];
  for (int i = def->node_count - 1; i >= 0; i--) { /* children come after their parents */
    const sinew_node_def *n = def->nodes + i;
    int sum = 0, most = 0;
    for (int c = n->first_child; c < n->first_child + n->child_count; c++) {
      sum += instances[c];
      if (instances[c] > most) most = instances[c];
    }
    instances[i] = n->kind == SINEW_NODE_CLIP ? 1 : n->kind < SINEW_NODE_SWITCH ? sum : GRAPH_ENTRIES * most;
    if (instances[i] > INSTANCES) instances[i] = INSTANCES + 1;
  }
  return instances[0];
}

const char *crowd_graph_check(const sinew_graph_def *def) {
  if (def->node_count > NODES) return "it has more than 64 nodes";
  const char *reason = NULL;
  for (int i = 0; i < def->node_count && !reason; i++) reason = check_node(def->nodes + i);
  for (int i = 0; i < def->transition_count && !reason; i++) reason = check_transition(def->transitions + i);
  if (!reason && count_instances(def) > INSTANCES) reason = "more than 64 of its clips could play at once";
  return reason;
}

/* ---- memory ---- */

void crowd_graph_lay_out(block *b, crowd_graphs *g, size_t characters) {
  if (!g->shared) return;
  size_t size = g->shared->sizes[0] + (size_t)g->shared->node_count * sizeof *g->shared->weights;
  g->state_size = (size + 7) / 8 * 8;
  g->states = block_take(b, characters, g->state_size);
  g->begun = block_take(b, characters, sizeof *g->begun);
  g->sought = block_take(b, characters, sizeof *g->sought);
}

void crowd_graph_fill(const crowd_graphs *g, int characters) {
  for (int i = 0; g->shared && i < characters; i++) g->sought[i] = (double)NAN;
}

bool crowd_graph_is_synced(const crowd_graphs *g) {
  bool synced = false;
  for (int i = 0; g->shared && i < g->shared->node_count; i++) synced |= g->shared->nodes[i].sync;
  return synced;
}

/* ---- a character's own graph ---- */

/* The shared definition with the state of one character. */
typedef struct own_graph {
  graph graph;
  graph_frame frame;
  double params[CROWD_GRAPH_PARAMS];
  state_change changes[CHANGES];
  clip_instance_list list;
  clip_instance instances[INSTANCES];
} own_graph;

static graph graph_of(const crowd_graphs *g, int character) {
  graph own = *g->shared;
  own.state = g->states + (size_t)character * g->state_size;
  own.weights = (float *)(void *)(own.state + own.sizes[0]);
  return own;
}

static void open_graph(own_graph *own, const crowd_graphs *g, const crowd_graph_view *view, int character, double dt) {
  const sinew_crowd_characters *all = view->characters;
  own->graph = graph_of(g, character);
  own->graph.changes = own->changes;
  own->list = (clip_instance_list){own->instances, 0, INSTANCES};
  for (int p = 0; p < all->param_count; p++) {
    float value = all->params[(size_t)p * (size_t)all->count + (size_t)character];
    own->params[p] = isfinite(value) ? (double)value : 0;
  }
  own->frame = (graph_frame){.graph = &own->graph,
                             .dt = dt,
                             .scale = 1,
                             .model = view->model,
                             .markers = view->markers,
                             .params = own->params,
                             .fades_only = true,
                             .instances = &own->list};
}

/* ---- a step ---- */

static void show(const sinew_crowd_characters *all, int character, const clip_instance_list *list, clip_instance *out) {
  const clip_instance *shown[SINEW_CROWD_SLOTS];
  int count = 0;
  for (int i = 0; i < list->count; i++) {
    const clip_instance *item = list->items + i;
    if (!(item->weight > 0)) continue;
    int at = count < all->slot_count ? count++ : all->slot_count;
    for (; at > 0 && shown[at - 1]->weight < item->weight; at--)
      if (at < all->slot_count) shown[at] = shown[at - 1];
    if (at < all->slot_count) shown[at] = item;
  }
  for (int s = 0; s < all->slot_count; s++) {
    all->slots[s].clip[character] = s < count ? shown[s]->clip : -1;
    all->slots[s].time[character] = s < count ? shown[s]->time : 0;
    all->slots[s].weight[character] = s < count ? shown[s]->weight : 0;
    if (out && s < count) out[s] = *shown[s];
  }
}

void crowd_graph_advance(const crowd_graphs *g, const crowd_graph_view *view, int character, double dt,
                         clip_instance *shown) {
  own_graph own; /* not initialised: it is large */
  open_graph(&own, g, view, character, dt);
  if (!g->begun[character]) node_reset(&own.frame, 0, own.graph.state, NULL);
  g->begun[character] |= dt != 0;
  graph_decide(&own.frame);
  if (isfinite(g->sought[character])) graph_seek_phase(&own.graph, g->sought[character]);
  if (g->begun[character]) g->sought[character] = (double)NAN;
  graph_update(&own.frame, 1);
  clip_instances_advance(&own.list, view->model, view->markers, view->gait);
  show(view->characters, character, &own.list, shown);
}

bool crowd_machine_state(const crowd_graphs *g, int character, int node, sinew_machine_state *out) {
  if (!g->shared || node < 0 || node >= g->shared->node_count || !g->begun[character]) return false;
  graph own = graph_of(g, character);
  return graph_machine_state(&own, node, out);
}

/* ---- continuing from other characters ---- */

/* The clips in a character's slots, as clips of the other model. */
typedef struct slots_seen {
  graph_seen seen;
  playback playbacks[SINEW_CROWD_SLOTS];
} slots_seen;

static void see_slots(const crowd_graph_old *old, int character, slots_seen *out) {
  out->seen.count = 0;
  for (int s = 0; s < old->view->characters->slot_count; s++) {
    const sinew_crowd_slot *slot = old->view->characters->slots + s;
    int clip = slot->clip[character], count = old->view->model->clip_count;
    if (clip < 0 || clip >= count || old->clips[clip] < 0 || !(slot->weight[character] > 0)) continue;
    out->playbacks[s] = playback_start(old->view->model->clips[clip].duration, (double)NAN, (double)NAN);
    playback_seek(out->playbacks + s, slot->time[character]);
    graph_seen_add(&out->seen, old->clips[clip], slot->weight[character], out->playbacks + s);
  }
}

/* Restores the old graph's clips after it was moved to the new model. */
static void restore_clips(const crowd_graphs *g, const int *clips) {
  for (int i = 0; i < g->shared->node_count; i++) g->shared->nodes[i].clip = clips[i];
}

static void take_graph(own_graph *own, const crowd_graph_view *view, const crowd_graph_old *old, int character) {
  int clips[NODES];
  graph was = graph_of(old->graph, character);
  graph_seen seen = {.count = 0};
  for (int i = 0; i < was.node_count; i++) clips[i] = was.nodes[i].clip;
  if (old->view->model != view->model) graph_move(&was, old->view->model, view->model, old->clips);
  graph_see(&was, &seen);
  graph_take_over(&own->graph, view->model, own->params, &was, &seen);
  restore_clips(old->graph, clips);
}

void crowd_graph_take_over(const crowd_graphs *g, const crowd_graph_view *view, const crowd_graph_old *old, int count) {
  own_graph own;
  slots_seen slots;
  for (int i = 0; i < count; i++) {
    bool begun = !old->graph->shared || old->graph->begun[i];
    g->begun[i] = begun;
    if (old->graph->shared) g->sought[i] = old->graph->sought[i];
    if (!begun) continue;
    open_graph(&own, g, view, i, 0);
    if (old->graph->shared) {
      take_graph(&own, view, old, i);
    } else {
      see_slots(old, i, &slots);
      graph_take_over(&own.graph, view->model, own.params, NULL, &slots.seen);
    }
  }
}
