/* The blended values of the curves of an actor's clips. */
#include "actor/stage.h"
#include "base/error.h"
#include "model/clip/clip.h"

#include <math.h>
#include <string.h>

typedef struct curve_sum {
  double weight, value; /* of the clips that have the curve: normalised weights, and weighted values */
} curve_sum;

static curve_sum sum_of(const sinew_stage *stage, const actor *a, const layer *l, const char *name) {
  curve_sum sum = {0, 0};
  for (int i = 0; i < l->instance_count; i++) {
    const clip_instance *item = a->instances.items + l->first_instance + i;
    const sinew_curve_view *curve = curve_find(&stage->curves, a->model, item->clip, name);
    double weight = curve ? (double)instance_normalized_weight(a, item) : 0;
    if (!(weight > 0)) continue;
    sum.weight += weight;
    sum.value += weight * clip_curve_value(curve, item->time);
  }
  return sum;
}

/* The fraction of the layers below that all instances of this layer cover together. */
static double cover_of(const actor *a, const layer *l) {
  double own = 0, actions = fmin((double)layer_action_weight(a, l), 1);
  for (int i = 0; i < l->graph_instances; i++) own += (double)a->instances.items[l->first_instance + i].weight;
  return fmin(l->graph_instances ? own * (1 - actions) + actions : actions, 1) * (double)l->asked.weight;
}

static double over(const actor *a, const layer *l, curve_sum sum, double below) {
  if (l->asked.mode == SINEW_LAYER_ADDITIVE) return below + sum.value * (double)l->asked.weight;
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
  return curve_set(&stage->curves, model, clip, &(sinew_curve_view){name, keys, count}, error);
}

bool sinew_stage_curve(const sinew_stage *stage, const sinew_model *model, int clip, const char *name, double time,
                       double *value) {
  bool there = clip >= 0 && clip < sinew_model_clip_count(model) && name;
  const sinew_curve_view *curve = there ? curve_find(&stage->curves, model, clip, name) : NULL;
  *value = curve ? clip_curve_value(curve, time) : 0;
  return curve;
}

/* Whether the curve comes before the index-th one of a clip, too. */
static bool is_known(const sinew_stage *stage, const sinew_model *model, int clip, int index, const char *name) {
  const sinew_curve_view *other;
  for (int c = 0; c <= clip; c++)
    for (int i = 0; (c < clip || i < index) && (other = curve_at(&stage->curves, model, c, i)) != NULL; i++)
      if (strcmp(other->name, name) == 0) return true;
  return false;
}

static bool is_replaced(const sinew_stage *stage, const sinew_model *model, int clip, int index) {
  const char *name = curve_at(&stage->curves, model, clip, index)->name;
  for (int i = 0; i < index; i++)
    if (strcmp(curve_at(&stage->curves, model, clip, i)->name, name) == 0) return true;
  return false;
}

const char *sinew_stage_clip_curve_name(const sinew_stage *stage, const sinew_model *model, int clip, int index) {
  const sinew_curve_view *curve;
  bool there = clip >= 0 && clip < sinew_model_clip_count(model) && index >= 0;
  for (int i = 0; there && (curve = curve_at(&stage->curves, model, clip, i)) != NULL; i++)
    if (!is_replaced(stage, model, clip, i) && index-- == 0) return curve->name;
  return NULL;
}

const char *sinew_stage_curve_name(const sinew_stage *stage, const sinew_model *model, int index) {
  const sinew_curve_view *curve;
  for (int c = 0; c < model->clip_count; c++)
    for (int i = 0; (curve = curve_at(&stage->curves, model, c, i)) != NULL; i++)
      if (!is_known(stage, model, c, i, curve->name) && index-- == 0) return curve->name;
  return NULL;
}
