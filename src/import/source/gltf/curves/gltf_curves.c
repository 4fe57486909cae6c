/* Named numbers over the time of an animation, from its extras: "curves": { "grip": [[time, value], …] }. A program
 * that cannot store nested lists (Blender) writes [time, value, time, value, …]. */
#include "import/source/gltf/gltf_file.h"

#include <math.h>

typedef struct key_reader {
  sinew_curve_key *keys;
  int numbers; /* read so far: a time, a value, a time … */
} key_reader;

static bool read_number(key_reader *r, const cJSON *number) {
  if (!cJSON_IsNumber(number)) return false;
  sinew_curve_key *key = r->keys + r->numbers / 2;
  *(r->numbers++ % 2 ? &key->value : &key->time) = number->valuedouble;
  return true;
}

static bool read_pair(key_reader *r, const cJSON *pair) {
  return cJSON_IsArray(pair) && cJSON_GetArraySize(pair) == 2 && read_number(r, pair->child) &&
         read_number(r, pair->child->next);
}

/* Either all items are pairs, or all are numbers. */
static bool read_keys(key_reader *r, const cJSON *list) {
  const cJSON *item;
  bool pairs = cJSON_IsArray(list) && cJSON_IsArray(list->child);
  if (!cJSON_IsArray(list)) return false;
  cJSON_ArrayForEach(item, list) {
    if (!(pairs ? read_pair(r, item) : read_number(r, item))) return false;
  }
  return r->numbers % 2 == 0;
}

static bool read_curve(gltf *g, const cJSON *list, raw_clip *clip) {
  raw_model *raw = g->raw;
  sinew_curve_view curve = {.name = raw_string(raw, list->string)};
  key_reader r = {raw_alloc(raw, (size_t)cJSON_GetArraySize(list), sizeof *r.keys), 0};
  if (!curve.name || !r.keys) return false;
  if (!read_keys(&r, list))
    return raw_note(raw,
                    "clip '%s': curve '%.100s' is left out: it is neither a list of [time, value] nor of as many "
                    "times as values in turn",
                    clip->name, curve.name);
  curve.keys = r.keys;
  curve.count = r.numbers / 2;
  sinew_curve_view *kept =
      raw_grow(raw, (void **)&clip->curves, &clip->curve_count, &clip->curve_capacity, sizeof *clip->curves);
  if (kept) *kept = curve;
  return kept;
}

/* Adds a note about a file that writes frames instead of seconds. */
static bool note_late(gltf *g, const raw_clip *clip) {
  const double slack = 0.5, farthest = 1e7; /* keys beyond `farthest` are left out */
  double end = -HUGE_VAL;
  for (int i = 0; i < clip->track_count; i++)
    for (int k = 0; k < clip->tracks[i].key_count; k++) end = fmax(end, clip->tracks[i].times[k]);
  for (int i = 0; i < clip->curve_count && clip->track_count; i++) {
    const sinew_curve_view *curve = clip->curves + i;
    double last = curve->count ? curve->keys[curve->count - 1].time : end;
    if (last > end + slack && last <= farthest &&
        !raw_note(g->raw,
                  "clip '%s': curve '%.100s' continues to %.4g s, and the clip ends at %.4g s: times are seconds",
                  clip->name, curve->name, last, end))
      return false;
  }
  return true;
}

bool gltf_read_curves(gltf *g, const cJSON *animation, raw_clip *clip) {
  const cJSON *curves = gltf_member(gltf_member(animation, "extras"), "curves"), *list;
  if (!curves) return true;
  if (!cJSON_IsObject(curves))
    return raw_note(g->raw, "clip '%s': the 'curves' among its extras are left out: they are not an object",
                    clip->name);
  cJSON_ArrayForEach(list, curves) {
    if (!read_curve(g, list, clip)) return false;
  }
  return note_late(g, clip);
}
