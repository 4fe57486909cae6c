/* The blended values of the curves of an actor's clips. */
#include "actor/stage.h"
#include "base/error.h"

#include <math.h>
#include <string.h>

typedef struct curve_sum {
  double weight, value; /* of the clips that have the curve: normalised weights, and values by them */
} curve_sum;

static curve_sum sum_of(const sinew_stage *stage, const actor *a, const layer *l, const char *name) {
  curve_sum sum = {0, 0};
  for (int i = 0; i < l->instance_count; i++) {
    const clip_instance *item = a->instances.items + l->first_instance + i;
    const clip_curve *curve = clip_curve_find(&stage->curves, a->model, item->clip, name);
    double weight = curve ? (double)instance_share(a, item) : 0;
    if (!(weight > 0)) continue;
    sum.weight += weight;
    sum.value += weight * clip_curve_value(curve, item->time);
  }
  return sum;
}

/* How much of what is below a layer's instances cover, all of them together. */
static double cover_of(const actor *a, const layer *l) {
  double own = 0, actions = fmin((double)layer_action_weight(a, l), 1);
  for (int i = 0; i < l->graph_instances; i++) own += (double)a->instances.items[l->first_instance + i].weight;
  return fmin(l->graph_instances ? own * (1 - actions) + actions : actions, 1) * (double)l->weight;
}

static double over(const actor *a, const layer *l, curve_sum sum, double below) {
  if (l->mode == SINEW_LAYER_ADDITIVE) return below + sum.value * (double)l->weight;
  double cover = cover_of(a, l) * fmin(sum.weight, 1);
  return sum.weight > 0 ? below + cover * (sum.value / sum.weight - below) : below;
}

double sinew_actor_curve(const sinew_stage *stage, sinew_actor id, const char *name, double rest) {
  const actor *a = stage_find(stage, id);
  if (!a || !name) return rest;
  const curve_sum base = sum_of(stage, a, a->layers, name);
  double value = base.value + (1 - base.weight) * rest;
  for (int i = 1; i < a->layer_count; i++) value = over(a, a->layers + i, sum_of(stage, a, a->layers + i, name), value);
  return value;
}

/* ---- public ---- */

bool sinew_stage_set_curve(sinew_stage *stage, sinew_model *model, int clip, const char *name,
                           const sinew_curve_key *keys, int count, sinew_error *error) {
  if (stage_closed(stage)) return error_set(error, "the curve cannot be set: %s", stage_closed(stage)), false;
  return clip_curve_set(&stage->curves, model, clip, name, keys, count, error);
}

bool sinew_stage_curve(const sinew_stage *stage, const sinew_model *model, int clip, const char *name, double time,
                       double *value) {
  bool there = clip >= 0 && clip < sinew_model_clip_count(model) && name;
  const clip_curve *curve = there ? clip_curve_find(&stage->curves, model, clip, name) : NULL;
  *value = curve ? clip_curve_value(curve, time) : 0;
  return curve;
}

/* Whether a clip before has it, too. */
static bool is_known(const model_curves *m, int clip, const char *name) {
  bool known = false;
  for (int c = 0; c < clip && !known; c++)
    for (int i = 0; i < m->clips[c].count; i++) known |= strcmp(m->clips[c].items[i].name, name) == 0;
  return known;
}

const char *sinew_stage_curve_name(const sinew_stage *stage, const sinew_model *model, int index) {
  for (int i = 0; i < stage->curves.count; i++) {
    const model_curves *m = stage->curves.models + i;
    for (int c = 0; m->model == model && c < model->clip_count; c++)
      for (int k = 0; k < m->clips[c].count; k++)
        if (!is_known(m, c, m->clips[c].items[k].name) && index-- == 0) return m->clips[c].items[k].name;
  }
  return NULL;
}
