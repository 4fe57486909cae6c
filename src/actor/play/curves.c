#include "actor/play/curves.h"

#include "base/error.h"
#include "base/memory/array.h"
#include "base/memory/memory.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

enum { NAME = 64, CLIP_CURVES = 64, KEYS = 65536, TABLE_KEYS = 1 << 22 };

static model_curves *find_model(const curve_table *table, const sinew_model *model) {
  for (int i = 0; i < table->count; i++)
    if (table->models[i].model == model) return table->models + i;
  return NULL;
}

static clip_curve *find_in(const clip_curves *clip, const char *name) {
  for (int i = 0; i < clip->count; i++)
    if (strcmp(clip->items[i].name, name) == 0) return clip->items + i;
  return NULL;
}

const clip_curve *clip_curve_find(const curve_table *table, const sinew_model *model, int clip, const char *name) {
  const model_curves *found = find_model(table, model);
  return found ? find_in(found->clips + clip, name) : NULL;
}

/* The last key at or before the time; of two at one time the second. */
double clip_curve_value(const clip_curve *c, double time) {
  int low = 0, high = c->count;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (c->keys[middle].time <= time) low = middle;
    else high = middle;
  }
  const sinew_curve_key *a = c->keys + low, *b = c->keys + (low + 1 < c->count ? low + 1 : low);
  if (time <= a->time || b->time <= a->time) return a->value;
  return a->value + (time - a->time) / (b->time - a->time) * (b->value - a->value);
}

/* ---- setting ---- */

static const char *check_keys(const sinew_clip *clip, const sinew_curve_key *keys, int count) {
  if (count > KEYS) return "it has more than 65536 keys";
  for (int i = 0; i < count; i++) {
    if (!isfinite(keys[i].time) || !isfinite(keys[i].value)) return "a key has a number that is not finite";
    if (keys[i].time < 0 || keys[i].time > clip->duration) return "a key lies outside of the clip";
    if (i && keys[i].time < keys[i - 1].time) return "its keys are not in the order of time";
  }
  return NULL;
}

static const char *check(const sinew_model *model, int clip, const char *name, const sinew_curve_key *keys, int count) {
  if (clip < 0 || clip >= model->clip_count || count < 0) return "there is no such clip";
  if (!name || !name[0] || strlen(name) >= NAME) return "its name has 1 to 63 bytes";
  return check_keys(model->clips + clip, keys, count);
}

static void free_curve(clip_curve *c) {
  mem_free(c->name);
  mem_free(c->keys);
}

static void drop(curve_table *t, clip_curve *c) {
  t->keys -= c->count;
  free_curve(c);
}

static bool make(clip_curve *out, const char *name, const sinew_curve_key *keys, int count) {
  *out = (clip_curve){mem_copy_string(name), mem_alloc_array((size_t)count, sizeof *keys), count};
  if (out->name && out->keys) return memcpy(out->keys, keys, (size_t)count * sizeof *keys), true;
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

static void take_away(curve_table *t, clip_curves *clip, clip_curve *c) {
  drop(t, c);
  *c = clip->items[--clip->count];
}

static const char *put(curve_table *t, sinew_model *model, int clip, const char *name, const sinew_curve_key *keys,
                       int count) {
  static const char memory[] = "out of memory";
  model_curves *m = need_model(t, model);
  clip_curve fresh;
  if (!m) return memory;
  clip_curves *curves = m->clips + clip;
  clip_curve *old = find_in(curves, name);
  if (t->keys + count > TABLE_KEYS) return "all curves together have more than 4194304 keys";
  if (!old && curves->count == CLIP_CURVES) return "the clip has 64 curves already";
  if (!array_reserve((void **)&curves->items, &curves->capacity, curves->count + 1, sizeof *curves->items))
    return memory;
  if (!make(&fresh, name, keys, count)) return memory;
  old = find_in(curves, name);
  if (old) drop(t, old), *old = fresh;
  else curves->items[curves->count++] = fresh;
  t->keys += count;
  return NULL;
}

bool clip_curve_set(curve_table *t, sinew_model *model, int clip, const char *name, const sinew_curve_key *keys,
                    int count, sinew_error *error) {
  const char *reason = check(model, clip, name, keys, count);
  if (!reason && count == 0) {
    model_curves *m = find_model(t, model);
    clip_curve *old = m ? find_in(m->clips + clip, name) : NULL;
    if (old) take_away(t, m->clips + clip, old);
    return true;
  }
  if (!reason) reason = put(t, model, clip, name, keys, count);
  if (reason) error_set(error, "the curve '%s' cannot be set: %s", name ? name : "", reason);
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
