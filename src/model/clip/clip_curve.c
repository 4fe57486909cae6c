#include "model/clip/clip_curve.h"

#include "model/clip/clip.h"

#include <math.h>
#include <string.h>

static const char *keys_fault(const sinew_curve_view *curve, double from, double to) {
  for (int i = 0; i < curve->count; i++) {
    const sinew_curve_key *key = curve->keys + i;
    if (!isfinite(key->time) || !isfinite(key->value)) return "a key has a number that is not finite";
    if (key->time < from || key->time > to) return "a key lies outside of the clip";
    if (i && key->time < key[-1].time) return "its keys are not in the order of time";
  }
  return NULL;
}

const char *clip_curve_fault(const sinew_curve_view *curve, double from, double to) {
  if (!curve->name || !curve->name[0] || strlen(curve->name) >= CLIP_CURVE_NAME) return "its name has 1 to 63 bytes";
  if (curve->count < 1) return "it has no keys";
  if (curve->count > CLIP_CURVE_KEYS) return "it has more than 65536 keys";
  return keys_fault(curve, from, to);
}

/* Interpolates from the last key at or before the time; of two at one time, the second. */
double clip_curve_value(const sinew_curve_view *curve, double time) {
  int low = 0, high = curve->count;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (curve->keys[middle].time <= time) low = middle;
    else high = middle;
  }
  const sinew_curve_key *a = curve->keys + low, *b = curve->keys + (low + 1 < curve->count ? low + 1 : low);
  if (time <= a->time || b->time <= a->time) return a->value;
  return a->value + (time - a->time) / (b->time - a->time) * (b->value - a->value);
}

const sinew_curve_view *clip_curve_in(const sinew_curve_view *curves, int count, const char *name) {
  for (int i = 0; i < count; i++)
    if (strcmp(curves[i].name, name) == 0) return curves + i;
  return NULL;
}

int sinew_clip_curve_count(const sinew_clip *clip) { return clip->curve_count; }

sinew_curve_view sinew_clip_curve(const sinew_clip *clip, int index) { return clip->curves[index]; }
