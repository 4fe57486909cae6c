#include <sinew/playing.h>

#include "actor/stage.h"
#include "model/model.h"

#include <math.h>

float instance_normalized_weight(const actor *a, const clip_instance *item) {
  const layer *l = a->layers + item->layer;
  float actions = layer_action_weight(a, l);
  if (item->node >= 0) return item->weight * (1 - fminf(actions, 1));
  if (item->layer > 0 && l->asked.mode == SINEW_LAYER_ADDITIVE) return item->weight;
  if (l->graph_instances) return item->weight / fmaxf(actions, 1);
  if (item->layer == 0) return item->weight; /* normalised when it was added */
  return actions > 0 ? item->weight / actions : 0;
}

static void describe(const actor *a, const clip_instance *item, sinew_playing *out) {
  double duration = a->model->clips[item->clip].duration;
  out->clip = item->clip;
  out->time = item->time;
  out->phase = duration > 0 ? item->time / duration : 0;
  out->speed = item->step != 0 ? item->rate : 0;
}

bool sinew_action_playing(const sinew_stage *stage, sinew_action id, sinew_playing *out) {
  const action *act = stage_find_action(stage, id.id);
  const actor *a = act ? stage_find(stage, (sinew_actor){act->actor}) : NULL;
  *out = (sinew_playing){0};
  for (int i = 0; a && i < a->instances.count; i++) {
    const clip_instance *item = a->instances.items + i;
    if (item->action != id.id) continue;
    describe(a, item, out);
    out->normalized_weight = instance_normalized_weight(a, item);
    return true;
  }
  return false;
}

static bool is_below(const graph *g, int node, int top) {
  while (node > top) node = g->parents[node];
  return node == top;
}

/* A state that is entered again while it fades out plays twice; this takes both. */
bool sinew_actor_node_playing(const sinew_stage *stage, sinew_actor id, int index, int node, sinew_playing *out) {
  const actor *a = stage_find(stage, id);
  const layer *l = a && index >= 0 && index < a->layer_count ? a->layers + index : NULL;
  const clip_instance *lead = NULL;
  *out = (sinew_playing){0};
  if (!l || !l->graph || node < 0 || node >= l->graph->node_count) return false;
  for (int i = 0; i < l->graph_instances; i++) {
    const clip_instance *item = a->instances.items + l->first_instance + i;
    if (!is_below(l->graph, item->node, node)) continue;
    out->normalized_weight += instance_normalized_weight(a, item);
    if (!lead || item->weight > lead->weight) lead = item;
  }
  if (lead) describe(a, lead, out);
  return lead;
}

/* ---- transitions ---- */

static bool describe_change(const layer_change *c, sinew_transition_state *out) {
  if (!(c->time < c->fade)) return false;
  *out = (sinew_transition_state){c->kind, c->from, c->to, c->time, c->fade, (float)ease(c->ease, c->time / c->fade)};
  return true;
}

bool sinew_actor_transition(const sinew_stage *stage, sinew_actor id, int index, int node,
                            sinew_transition_state *out) {
  const actor *a = stage_find(stage, id);
  const layer *l = a && index >= 0 && index < a->layer_count ? a->layers + index : NULL;
  *out = (sinew_transition_state){0};
  if (!l || node < 0) return l && describe_change(&l->change, out);
  return l->graph && node < l->graph->node_count && graph_transition(l->graph, node, out);
}
