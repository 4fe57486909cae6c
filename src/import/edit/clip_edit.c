#include "import/edit/clip_edit.h"

#include "base/error.h"
#include "import/build/skeleton.h"
#include "import/raw/curve.h"
#include "model/clip/clip.h"
#include "model/model_space.h"
#include "model/names/joint_name.h"
#include "model/names/mirror.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- exchanges left and right in the curves of a clip, as sinew_mirror does in poses ---- */

typedef struct mirroring {
  skeleton_view skeleton;
  int32_t *partners;
  sinew_transform *rest; /* model space */
} mirroring;

static bool open_mirroring(raw_model *raw, mirroring *m) {
  if (!raw_skeleton(raw, raw, &m->skeleton)) return false;
  size_t count = (size_t)m->skeleton.count;
  m->partners = raw_alloc(raw, count, sizeof *m->partners);
  m->rest = raw_alloc(raw, count, sizeof *m->rest);
  if (!m->partners || !m->rest) return false;
  if (!mirror_find(&m->skeleton, m->partners)) return error_memory(raw->error, raw->path, count);
  skeleton_to_model(&m->skeleton, m->skeleton.rest, m->rest);
  return true;
}

static bool has_pairs(const mirroring *m) {
  for (int i = 1; i < m->skeleton.count; i++)
    if (m->partners[i] != i) return true;
  return false;
}

static sinew_vec3 mirror_vector(const mirror_rule *rule, track_kind kind, bool tangent, sinew_vec3 v) {
  if (kind == TRACK_SCALE) return mirror_size(rule, v);
  return tangent ? mirror_offset(rule, v) : mirror_position(rule, v);
}

static void mirror_value(const mirror_rule *rule, track_kind kind, bool tangent, float *value) {
  if (kind == TRACK_ROTATION) {
    sinew_quat q = mirror_rotation(rule, (sinew_quat){value[0], value[1], value[2], value[3]});
    memcpy(value, &q, sizeof q);
    return;
  }
  sinew_vec3 v = mirror_vector(rule, kind, tangent, (sinew_vec3){value[0], value[1], value[2]});
  memcpy(value, &v, sizeof v);
}

static bool mirror_track(raw_model *raw, const mirroring *m, raw_track *track) {
  int joint = m->partners[track->node + 1];
  mirror_rule rule = mirror_find_rule(&m->skeleton, m->partners, m->rest, joint);
  int width = clip_kind_width(track->kind), parts = track->interpolation == RAW_CUBIC ? 3 : 1;
  size_t values = (size_t)track->key_count * (size_t)parts;
  track->node = joint - 1;
  if (!raw_copy_values(raw, track)) return false;
  for (size_t i = 0; i < values; i++)
    mirror_value(&rule, track->kind, parts == 3 && i % 3 != 1, track->values + i * (size_t)width);
  return true;
}

/* "BlinkLeft" becomes "BlinkRight" if the mesh has both. */
static bool mirror_morph(raw_model *raw, raw_track *track) {
  const raw_mesh *mesh = raw->meshes + track->node;
  const char **names = raw_alloc(raw, (size_t)mesh->morph_count, sizeof *names);
  int32_t *partners = raw_alloc(raw, (size_t)mesh->morph_count, sizeof *partners);
  if (!names || !partners) return false;
  for (int i = 0; i < mesh->morph_count; i++) names[i] = mesh->morphs[i].name;
  if (!mirror_find(&(skeleton_view){.count = mesh->morph_count, .names = names}, partners))
    return error_memory(raw->error, raw->path, (size_t)mesh->morph_count);
  track->target = partners[track->target];
  return true;
}

/* ---- the names of curves ---- */

static bool are_sides(const char *name, const char *other) {
  char plain[JOINT_PLAIN_SIZE], other_plain[JOINT_PLAIN_SIZE];
  joint_side side = joint_name_plain(name, NULL, plain), other_side = joint_name_plain(other, NULL, other_plain);
  return side != SIDE_NONE && other_side != SIDE_NONE && side != other_side && strcmp(plain, other_plain) == 0;
}

/* Replaces `word` at a place in the name by the other, if that gives a name of the other side. */
static bool try_side(const char *name, size_t at, const char *word, const char *other, char *out) {
  size_t length = strlen(word);
  if (strncmp(name + at, word, length) != 0 || strlen(name) - length + strlen(other) >= CLIP_CURVE_NAME) return false;
  memcpy(out, name, at);
  strcpy(out + at, other);
  strcat(out, name + at + length);
  return are_sides(name, out);
}

/* "left_grip" becomes "right_grip", and "grip.R" becomes "grip.L". */
static bool find_side(const char *name, char *out) {
  static const char *const words[][2] = {
      {"left", "right"}, {"Left", "Right"}, {"LEFT", "RIGHT"}, {"l", "r"}, {"L", "R"}};
  for (size_t w = 0; w < sizeof words / sizeof *words; w++)
    for (size_t at = 0; name[at]; at++)
      if (try_side(name, at, words[w][0], words[w][1], out) || try_side(name, at, words[w][1], words[w][0], out))
        return true;
  return false;
}

static bool mirror_curve(raw_model *raw, sinew_curve_view *curve) {
  char other[CLIP_CURVE_NAME];
  if (!find_side(curve->name, other)) return true;
  curve->name = raw_string(raw, other);
  return curve->name != NULL;
}

/* The clip owns its list of tracks; keys may be shared, and are not changed. False and an error message if no joint of
 * the model has a partner on the other side, or when memory runs out. */
static bool mirror_clip(raw_model *raw, raw_clip *clip) {
  mirroring m;
  if (!open_mirroring(raw, &m)) return false;
  if (!has_pairs(&m))
    return error_set(raw->error,
                     "%s: clip '%s' cannot be mirrored: no two joints are called left and right of each other, as "
                     "'LeftHand' and 'RightHand' or 'hand.L' and 'hand.R' are",
                     raw->path, clip->name);
  for (int i = 0; i < clip->track_count; i++) {
    raw_track *track = clip->tracks + i;
    if (!(track->kind == TRACK_MORPH ? mirror_morph(raw, track) : mirror_track(raw, &m, track))) return false;
  }
  for (int i = 0; i < clip->curve_count; i++)
    if (!mirror_curve(raw, clip->curves + i)) return false;
  return true;
}

/* ---- clip edit ---- */

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
