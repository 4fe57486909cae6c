#include "actor/play/curves.h"

#include "base/error.h"
#include "base/memory/memory.h"
#include "model/clip/clip.h"
#include "model/model.h"

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

const sinew_curve_view *curve_find(const curve_table *table, const sinew_model *model, int clip, const char *name) {
  const model_curves *own = find_model(table, model);
  const sinew_curve_view *found = own ? find_in(own->clips + clip, name) : NULL;
  const sinew_clip *of = model->clips + clip;
  return found ? found : clip_curve_in(of->curves, of->curve_count, name);
}

const sinew_curve_view *curve_at(const curve_table *table, const sinew_model *model, int clip, int index) {
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

bool curve_set(curve_table *t, sinew_model *model, int clip, const sinew_curve_view *curve, sinew_error *error) {
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
