#include "import/edit/clip_edit.h"

#include "base/error.h"
#include "import/edit/clip_mirror.h"
#include "import/raw/curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Allocates room for other keys; the old ones may belong to another track. */
static bool renew_keys(raw_model *raw, raw_track *track, int room) {
  track->times = raw_alloc(raw, (size_t)room, sizeof *track->times);
  track->values = raw_alloc(raw, (size_t)room * raw_key_size(track), sizeof *track->values);
  track->stride = 0;
  track->key_count = 0;
  return track->times && track->values;
}

static float *add_key(raw_track *track, double time) {
  track->times[track->key_count] = time;
  return raw_key(track, track->key_count++);
}

static void copy_key(raw_track *to, const raw_track *from, int key, double time) {
  memcpy(add_key(to, time), raw_key(from, key), raw_key_size(from) * sizeof(float));
}

/* ---- cut ---- */

/* Inserts a key in the middle of a curve, whose shape does not change. */
static void split_at(raw_track *to, const raw_track *from, double time) {
  float *key = add_key(to, time);
  size_t width = (size_t)clip_kind_width(from->kind);
  double value[4], slope[4] = {0};
  if (from->interpolation == RAW_CUBIC) curve_cubic(from, time, value, slope);
  else curve_value(from, time, value);
  for (size_t k = 0; k < width; k++) {
    if (from->interpolation != RAW_CUBIC) key[k] = (float)value[k];
    else key[k] = key[2 * width + k] = (float)slope[k], key[width + k] = (float)value[k];
  }
}

static bool cut_track(raw_model *raw, raw_track *track, double from, double to) {
  raw_track old = *track;
  int last = old.key_count - 1;
  if (!renew_keys(raw, track, old.key_count + 2)) return false;
  if (old.times[last] <= from) {
    copy_key(track, &old, last, from);
    return true;
  }
  if (old.times[0] >= to) {
    copy_key(track, &old, 0, to);
    return true;
  }
  bool starts_inside = old.times[0] >= from;
  if (!starts_inside) split_at(track, &old, from);
  for (int i = 0; i <= last && old.times[i] <= to; i++)
    if (starts_inside || old.times[i] > from) copy_key(track, &old, i, old.times[i]);
  if (old.times[last] > to && track->times[track->key_count - 1] < to) split_at(track, &old, to);
  return true;
}

static bool cut_tracks(raw_model *raw, raw_clip *clip, double from, double to) {
  for (int i = 0; i < clip->track_count; i++)
    if (!cut_track(raw, clip->tracks + i, from, to)) return false;
  return true;
}

bool cut_clips(raw_model *raw) {
  for (int i = 0; i < raw->clip_count; i++) {
    raw_clip *clip = raw->clips + i;
    if (clip->to > clip->from && !cut_tracks(raw, clip, clip->from, clip->to)) return false;
  }
  return true;
}

/* ---- close ---- */

static bool is_moved(const raw_clip *clip, int node) {
  for (int i = 0; i < clip->track_count; i++) {
    const raw_track *track = clip->tracks + i;
    if (track->kind != TRACK_MORPH && track->node == node && curve_moves(track)) return true;
  }
  return false;
}

/* Whether this is the translation of a joint with nothing moving above it: the character's travel. */
static bool is_travel(const raw_model *raw, const raw_clip *clip, const raw_track *track) {
  if (track->kind != TRACK_TRANSLATION) return false;
  for (int node = raw->nodes[track->node].parent; node >= 0; node = raw->nodes[node].parent)
    if (is_moved(clip, node)) return false;
  return true;
}

static void quat_product(const double *a, const double *b, double *out) {
  const double product[4] = {
      a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
      a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
  memcpy(out, product, sizeof product);
}

/* The fraction `t` of a rotation, along the shorter arc. */
static void part_of_rotation(const double *rotation, double t, double *out) {
  double sign = rotation[3] < 0 ? -1 : 1;
  double sine = sqrt(rotation[0] * rotation[0] + rotation[1] * rotation[1] + rotation[2] * rotation[2]);
  double angle = t * sinew_atan2(sine, sign * rotation[3]);
  for (int k = 0; k < 3; k++) out[k] = sine > 0 ? sign * rotation[k] / sine * sinew_sin(angle) : 0;
  out[3] = sinew_cos(angle);
}

/* The tangents of a cubic rotation are rotated with their key; their small change by the spreading itself is neglected.
 */
static void close_rotation(raw_track *track, const double *first, const double *last) {
  const double back[4] = {-last[0], -last[1], -last[2], last[3]};
  double rotation[4], part[4], value[4], start = track->times[0], span = track->times[track->key_count - 1] - start;
  quat_product(first, back, rotation);
  for (int i = 0; i < track->key_count; i++) {
    part_of_rotation(rotation, (track->times[i] - start) / span, part);
    float *key = raw_key(track, i);
    for (size_t at = 0; at < raw_key_size(track); at += 4) {
      for (int k = 0; k < 4; k++) value[k] = (double)key[at + (size_t)k];
      quat_product(part, value, value);
      for (int k = 0; k < 4; k++) key[at + (size_t)k] = (float)value[k];
    }
  }
}

static void close_vector(raw_track *track, const double *first, const double *last) {
  double start = track->times[0], span = track->times[track->key_count - 1] - start;
  size_t width = (size_t)clip_kind_width(track->kind), size = raw_key_size(track);
  for (int i = 0; i < track->key_count; i++)
    for (size_t at = 0; at < size; at++) {
      double gap = first[at % width] - last[at % width];
      bool tangent = size != width && at / width != 1;
      double part = tangent ? 1 / span : (track->times[i] - start) / span;
      track->values[(size_t)i * size + at] += (float)(gap * part);
    }
}

static bool close_track(raw_model *raw, const raw_clip *clip, raw_track *track) {
  if (track->interpolation == RAW_STEP || track->key_count < 2 || is_travel(raw, clip, track)) return true;
  double first[4], last[4];
  curve_key(track, 0, first);
  curve_key(track, track->key_count - 1, last);
  if (!raw_copy_values(raw, track)) return false;
  if (track->kind == TRACK_ROTATION) close_rotation(track, first, last);
  else close_vector(track, first, last);
  return true;
}

/* ---- reverse ---- */

/* Swaps in-tangents and out-tangents, and negates slopes. */
static void turn_tangents(float *key, size_t width) {
  for (size_t k = 0; k < width; k++) {
    float in = key[k];
    key[k] = -key[2 * width + k];
    key[2 * width + k] = -in;
  }
}

/* The value of a step holds until the next key. Backwards that key comes first, so each key takes the value before it.
 */
static void reverse_steps(raw_track *track, const raw_track *old, double sum, double end) {
  int last = old->key_count - 1;
  if (old->times[last] < end) copy_key(track, old, last, sum - end);
  for (int i = last; i >= 0; i--)
    if (i > 0 || old->key_count == 1) copy_key(track, old, i > 0 ? i - 1 : 0, sum - old->times[i]);
}

static bool reverse_track(raw_model *raw, raw_track *track, double start, double end) {
  raw_track old = *track;
  double sum = start + end;
  if (!renew_keys(raw, track, old.key_count + 1)) return false;
  if (old.interpolation == RAW_STEP) {
    reverse_steps(track, &old, sum, end);
    return true;
  }
  for (int i = old.key_count - 1; i >= 0; i--) {
    copy_key(track, &old, i, sum - old.times[i]);
    if (old.interpolation == RAW_CUBIC)
      turn_tangents(raw_key(track, track->key_count - 1), (size_t)clip_kind_width(track->kind));
  }
  return true;
}

/* ---- one edit ---- */

static void find_span(const raw_clip *clip, double *start, double *end) {
  *start = *end = 0;
  for (int i = 0; i < clip->track_count; i++) {
    const raw_track *track = clip->tracks + i;
    *start = i == 0 ? track->times[0] : fmin(*start, track->times[0]);
    *end = i == 0 ? track->times[track->key_count - 1] : fmax(*end, track->times[track->key_count - 1]);
  }
}

static bool cut_clip(raw_model *raw, raw_clip *clip, const sinew_clip_edit *edit) {
  double start, end;
  find_span(clip, &start, &end);
  double length = end - start;
  if (edit->from == 0 && isinf(edit->to)) return true;
  if (edit->from >= length || (edit->to > length + 1e-6 && !isinf(edit->to)))
    return error_set(raw->error, "%s: clip '%s' is %.6g s long, and cannot be cut from %g s to %g s", raw->path,
                     clip->name, length, edit->from, edit->to);
  return cut_tracks(raw, clip, start + edit->from, fmin(start + edit->to, end));
}

static bool reverse_curve(raw_model *raw, sinew_curve_view *curve, double sum) {
  sinew_curve_key *keys = raw_alloc(raw, (size_t)curve->count, sizeof *keys);
  for (int i = 0; keys && i < curve->count; i++) {
    const sinew_curve_key *from = curve->keys + (curve->count - 1 - i);
    keys[i] = (sinew_curve_key){sum - from->time, from->value};
  }
  curve->keys = keys;
  return keys;
}

static bool reverse_clip(raw_model *raw, raw_clip *clip) {
  double start, end;
  find_span(clip, &start, &end);
  for (int i = 0; i < clip->track_count; i++)
    if (!reverse_track(raw, clip->tracks + i, start, end)) return false;
  for (int i = 0; i < clip->curve_count; i++)
    if (!reverse_curve(raw, clip->curves + i, start + end)) return false;
  return true;
}

/* `clip` is a copy that owns its tracks and curves. A curve is cut when the clip is built, and never closed: a jump at
 * its end, as in a phase, is intended. */
static bool edit_clip(raw_model *raw, raw_clip *clip, const sinew_clip_edit *edit) {
  if (!clip->file_name) clip->file_name = clip->name;
  if (edit->name) clip->name = raw_string(raw, edit->name);
  clip->tracks = raw_copy(raw, clip->tracks, (size_t)clip->track_count, sizeof *clip->tracks);
  clip->track_capacity = clip->track_count;
  clip->curves = raw_copy(raw, clip->curves, (size_t)clip->curve_count, sizeof *clip->curves);
  clip->curve_capacity = clip->curve_count;
  if (!clip->name || !clip->tracks || !clip->curves || !cut_clip(raw, clip, edit)) return false;
  for (int i = 0; edit->loop && i < clip->track_count; i++)
    if (!close_track(raw, clip, clip->tracks + i)) return false;
  if (edit->mirror && !mirror_clip(raw, clip)) return false;
  return !edit->reverse || reverse_clip(raw, clip);
}

/* ---- all edits ---- */

static int find_clip(const raw_clip *clips, int count, const char *name) {
  for (int i = 0; i < count; i++)
    if (strcmp(clips[i].name, name) == 0) return i;
  char *end;
  long number = name[0] == '#' ? strtol(name + 1, &end, 10) : -1;
  if (number >= 0 && end > name + 1 && *end == '\0' && number < count) return (int)number;
  for (int i = 0; i < count; i++)
    if (clips[i].file_name && strcmp(clips[i].file_name, name) == 0) return i;
  return -1;
}

/* The clip of the last of the edits. */
static bool refuse_clip(raw_model *raw, const raw_clip *clips, int count, const sinew_clip_edit *edits, int last) {
  const char *name = edits[last].clip, **names = raw_alloc(raw, (size_t)count, sizeof *names);
  if (!names) return false;
  for (int i = 0; i < count; i++) names[i] = clips[i].name;
  for (int i = 0; i < last; i++)
    if (edits[i].name && strcmp(edits[i].name, name) == 0)
      return error_set(raw->error, "%s: there is no clip '%s' to edit: edits name clips as their files do, here '%s'",
                       raw->path, name, edits[i].clip);
  const char *near = sinew_nearest_name(name, names, count);
  return error_set(raw->error, "%s: there is no clip '%s' to edit%s%s%s", raw->path, name,
                   near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

bool edit_clips(raw_model *raw, const sinew_clip_edit *edits, int count) {
  int old_count = raw->clip_count;
  raw_clip *old = raw_copy(raw, raw->clips, (size_t)old_count, sizeof *old);
  bool *edited = raw_alloc(raw, (size_t)old_count, sizeof *edited);
  if (!old || !edited) return false;
  for (int i = 0; i < count; i++) {
    int found = find_clip(old, old_count, edits[i].clip);
    if (found < 0) return refuse_clip(raw, old, old_count, edits, i);
    raw_clip clip = old[found], *position = raw->clips + found;
    if (!edit_clip(raw, &clip, edits + i)) return false;
    if (edited[found])
      position = raw_grow(raw, (void **)&raw->clips, &raw->clip_count, &raw->clip_capacity, sizeof *raw->clips);
    if (!position) return false;
    *position = clip;
    edited[found] = true;
  }
  return true;
}
