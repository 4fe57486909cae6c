#include "pose/baked_curves.h"

#include "base/memory/array.h"
#include "base/memory/memory.h"
#include "model/clip/clip_curve.h"

#include <math.h>
#include <string.h>

const baked_curve *baked_curves_find(const baked_curves *curves, const char *name) {
  for (int i = 0; i < curves->count; i++)
    if (strcmp(curves->items[i].name, name) == 0) return curves->items + i;
  return NULL;
}

static baked_curve *need(baked_curves *curves, const char *name) {
  baked_curve *found = (baked_curve *)(uintptr_t)baked_curves_find(curves, name);
  if (found) return found;
  if (!array_reserve((void **)&curves->items, &curves->capacity, curves->count + 1, sizeof *curves->items)) return NULL;
  baked_curve fresh = {.name = mem_copy_string(name)};
  if (!fresh.name) return NULL;
  curves->items[curves->count] = fresh;
  return curves->items + curves->count++;
}

/* Whether the last key lies on the line from the one before it to the next. Allows only rounding errors: a larger slack
 * would straighten a slow bend key by key. */
static bool is_last_free(const baked_curve *curve, sinew_curve_key next) {
  if (curve->count < 2) return false;
  const sinew_curve_key *last = curve->keys + curve->count - 1, *before = last - 1;
  double span = next.time - before->time, slack = 1e-12 * fmax(1, fabs(last->value));
  if (!(last->time > before->time) || !(next.time > last->time)) return false;
  double line = before->value + (last->time - before->time) / span * (next.value - before->value);
  return fabs(last->value - line) <= slack;
}

const char *baked_curves_add(baked_curves *curves, const char *name, sinew_curve_key key) {
  const char *fault = clip_curve_fault(&(sinew_curve_view){name, &key, 1}, 0, HUGE_VAL);
  const baked_curve *old = fault ? NULL : baked_curves_find(curves, name);
  if (fault) return fault;
  if (!old && curves->count == CLIP_CURVES) return "the clip has 64 curves already";
  if (old && key.time < old->keys[old->count - 1].time) return "it is earlier than the one before";
  if (old && old->count == CLIP_CURVE_KEYS) return "the curve has 65536 keys already";
  baked_curve *curve = need(curves, name);
  if (!curve || !array_reserve((void **)&curve->keys, &curve->capacity, curve->count + 1, sizeof *curve->keys)) {
    if (curve && curve->count == 0) mem_free(curve->name), curves->count--;
    return "out of memory";
  }
  if (is_last_free(curve, key)) curve->count--;
  curve->keys[curve->count++] = key;
  return NULL;
}

void baked_curves_reset(baked_curves *curves) {
  for (int i = 0; i < curves->count; i++) {
    mem_free(curves->items[i].name);
    mem_free(curves->items[i].keys);
  }
  mem_free(curves->items);
  *curves = (baked_curves){0};
}
