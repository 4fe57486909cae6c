#include "actor/play/curves.h"

#include "actor/stage.h"
#include "base/error.h"
#include "base/memory/memory.h"
#include "model/clip/clip.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

enum { TABLE_KEYS = 1 << 22 };

static model_curves *find_model(const curve_table *table, const sinew_model *model) {
  for (int i = 0; i < table->count; i++)
    if (table->models[i].model == model) return table->models + i;
  return NULL;
}

static sinew_curve_view *find_in(const clip_curves *clip, const char *name) {
  return (sinew_curve_view *)(uintptr_t)clip_curve_in(clip->items, clip->count, name);
}

/* The curve of a clip by its name, or NULL. */
static const sinew_curve_view *curve_find(const curve_table *table, const sinew_model *model, int clip,
                                          const char *name) {
  const model_curves *own = find_model(table, model);
  const sinew_curve_view *found = own ? find_in(own->clips + clip, name) : NULL;
  const sinew_clip *of = model->clips + clip;
  return found ? found : clip_curve_in(of->curves, of->curve_count, name);
}

/* The curve at that index: first the stage's, then the file's, except replaced ones; NULL after the last. */
static const sinew_curve_view *curve_at(const curve_table *table, const sinew_model *model, int clip, int index) {
  const model_curves *own = find_model(table, model);
  int count = own ? own->clips[clip].count : 0;
  if (index < count) return own->clips[clip].items + index;
  const sinew_clip *of = model->clips + clip;
  return index - count < of->curve_count ? of->curves + (index - count) : NULL;
}

/* ---- setting ---- */

static const char *check(const sinew_model *model, int clip, const sinew_curve_view *curve) {
  static const sinew_curve_key any;
  if (clip < 0 || clip >= model->clip_count || curve->count < 0) return "there is no such clip";
  const sinew_curve_view named = {curve->name, &any, 1};
  return clip_curve_fault(curve->count ? curve : &named, 0, model->clips[clip].duration);
}

static void free_curve(const sinew_curve_view *c) {
  mem_free((void *)(uintptr_t)c->name);
  mem_free((void *)(uintptr_t)c->keys);
}

static void drop(curve_table *t, sinew_curve_view *c) {
  t->keys -= c->count;
  free_curve(c);
}

static bool make(sinew_curve_view *out, const sinew_curve_view *from) {
  size_t count = (size_t)from->count;
  sinew_curve_key *keys = mem_alloc_array(count, sizeof *keys);
  *out = (sinew_curve_view){mem_copy_string(from->name), keys, from->count};
  if (out->name && keys) return memcpy(keys, from->keys, count * sizeof *keys), true;
  free_curve(out);
  return false;
}

static model_curves *need_model(curve_table *t, sinew_model *model) {
  model_curves *found = find_model(t, model);
  if (found) return found;
  if (!array_reserve((void **)&t->models, &t->capacity, t->count + 1, sizeof *t->models)) return NULL;
  clip_curves *clips = mem_alloc_zeroed((size_t)model->clip_count * sizeof *clips);
  if (!clips) return NULL;
  t->models[t->count] = (model_curves){sinew_model_retain(model), clips};
  return t->models + t->count++;
}

static void take_away(curve_table *t, clip_curves *clip, sinew_curve_view *c) {
  drop(t, c);
  *c = clip->items[--clip->count];
}

static const char *put(curve_table *t, sinew_model *model, int clip, const sinew_curve_view *curve) {
  static const char memory[] = "out of memory";
  model_curves *m = need_model(t, model);
  sinew_curve_view fresh;
  if (!m) return memory;
  clip_curves *curves = m->clips + clip;
  sinew_curve_view *old = find_in(curves, curve->name);
  if (t->keys + curve->count > TABLE_KEYS) return "all curves together have more than 4194304 keys";
  if (!old && curves->count == CLIP_CURVES) return "the clip has 64 curves already";
  if (!array_reserve((void **)&curves->items, &curves->capacity, curves->count + 1, sizeof *curves->items))
    return memory;
  if (!make(&fresh, curve)) return memory;
  old = find_in(curves, curve->name);
  if (old) drop(t, old), *old = fresh;
  else curves->items[curves->count++] = fresh;
  t->keys += curve->count;
  return NULL;
}

static bool curve_set(curve_table *t, sinew_model *model, int clip, const sinew_curve_view *curve, sinew_error *error) {
  const char *reason = check(model, clip, curve);
  if (!reason && curve->count == 0) {
    model_curves *m = find_model(t, model);
    sinew_curve_view *old = m ? find_in(m->clips + clip, curve->name) : NULL;
    if (old) take_away(t, m->clips + clip, old);
    return true;
  }
  if (!reason) reason = put(t, model, clip, curve);
  if (reason) error_set(error, "the curve '%s' cannot be set: %s", curve->name ? curve->name : "", reason);
  return !reason;
}

void curves_reset(curve_table *t) {
  for (int i = 0; i < t->count; i++) {
    model_curves *m = t->models + i;
    for (int c = 0; c < m->model->clip_count; c++) {
      for (int k = 0; k < m->clips[c].count; k++) free_curve(m->clips[c].items + k);
      mem_free(m->clips[c].items);
    }
    mem_free(m->clips);
    sinew_model_release(m->model);
  }
  mem_free(t->models);
  *t = (curve_table){0};
}

/* ---- The blended values of the curves of an actor's clips ---- */

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
