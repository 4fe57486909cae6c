/* A clip of the same rig, or of one with other bones: its curves are copied. */
#include "import/bind/bind.h"
#include "import/bind/same_rig.h"
#include "math/quat.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

/* A bone keeps its own length: only the distance of a curve from its own rest counts. */
static void resize(const binding *b, const raw_track *track, float *values, size_t count) {
  int theirs = track->node + 1, ours = b->map.ours[theirs];
  const sinew_transform *our_parent = b->our_rest + b->ours.parents[ours],
                        *their_parent = b->their_rest + b->theirs.parents[theirs];
  float is[3], other[3], factor = b->plan.scale;
  if (fabsf(our_parent->scale.x) > 1e-12f) factor *= their_parent->scale.x / our_parent->scale.x;
  memcpy(is, &b->ours.rest[ours].translation, sizeof is);
  memcpy(other, &b->theirs.rest[theirs].translation, sizeof other);
  for (size_t i = 0; i < count; i++) {
    bool tangent = track->interpolation == RAW_CUBIC && i / 3 % 3 != 1;
    values[i] = tangent ? factor * values[i] : is[i % 3] + factor * (values[i] - other[i % 3]);
  }
}

/* ---- joints at the top ---- Above the topmost joints, one file has an armature that is rotated and scaled by a
 * hundred, another has a group or nothing. Our joint must move in model space as theirs does, times the ratio of the
 * bones: ours = our_parent⁻¹ · turn · ratio · their_parent · theirs. If both parents have the same rotation, there is
 * no turn. */

static bool is_top(const binding *b, int ours) {
  return b->mode == BIND_SAME && !b->from->has_no_rest && matched_above(b, ours) <= 0;
}

static const sinew_transform *our_parent(const binding *b, int ours) { return b->our_rest + b->ours.parents[ours]; }

static const sinew_transform *their_parent(const binding *b, int ours) {
  return b->their_rest + b->theirs.parents[b->map.theirs[ours]];
}

static sinew_quat rotation_between_tops(const binding *b, int ours) {
  sinew_quat is = our_parent(b, ours)->rotation, other = their_parent(b, ours)->rotation;
  bool alike = fabsf(quat_dot(is, other)) > 1 - 1e-5f;
  return alike ? (sinew_quat){0, 0, 0, 1} : b->plan.rotation;
}

sinew_quat copy_rotation(const binding *b, int ours) {
  if (ours < 0) return (sinew_quat){0, 0, 0, 1};
  for (int above = matched_above(b, ours); above > 0; above = matched_above(b, ours)) ours = above;
  return is_top(b, ours) ? rotation_between_tops(b, ours) : (sinew_quat){0, 0, 0, 1};
}

static sinew_quat rotation_of_top(const binding *b, int ours, sinew_quat q) {
  sinew_quat world =
      sinew_quat_multiply(rotation_between_tops(b, ours), sinew_quat_multiply(their_parent(b, ours)->rotation, q));
  return sinew_quat_multiply(quat_conjugate(our_parent(b, ours)->rotation), world);
}

static float divided(float a, float b) { return fabsf(b) > 1e-12f ? a / b : a; }

/* Converts a position, or with `is_slope` its derivative. */
static sinew_vec3 position_of_top(const binding *b, int ours, sinew_vec3 v, bool is_slope) {
  const sinew_transform *is = our_parent(b, ours), *other = their_parent(b, ours);
  v = quat_rotate(other->rotation, (sinew_vec3){v.x * other->scale.x, v.y * other->scale.y, v.z * other->scale.z});
  if (!is_slope) v = vec3_add(v, other->translation);
  v = vec3_scale(quat_rotate(rotation_between_tops(b, ours), v), (float)b->world_ratio);
  if (!is_slope) v = vec3_sub(v, is->translation);
  v = quat_rotate(quat_conjugate(is->rotation), v);
  return (sinew_vec3){divided(v.x, is->scale.x), divided(v.y, is->scale.y), divided(v.z, is->scale.z)};
}

/* Scales are relative to the rest pose: a unit that a file expresses as a scale at the top stays there. */
static sinew_vec3 scale_of_top(const binding *b, int ours, sinew_vec3 s) {
  sinew_vec3 is = b->ours.rest[ours].scale, other = b->theirs.rest[b->map.theirs[ours]].scale;
  return (sinew_vec3){is.x * divided(s.x, other.x), is.y * divided(s.y, other.y), is.z * divided(s.z, other.z)};
}

static void bring_top(const binding *b, int ours, const raw_track *track, float *values, size_t count) {
  size_t width = (size_t)clip_kind_width(track->kind);
  for (size_t i = 0; i + width <= count; i += width) {
    bool is_slope = track->interpolation == RAW_CUBIC && i / width % 3 != 1;
    float *at = values + i;
    sinew_vec3 v = {at[0], at[1], at[2]};
    if (track->kind == TRACK_ROTATION) {
      sinew_quat q = rotation_of_top(b, ours, (sinew_quat){at[0], at[1], at[2], at[3]});
      memcpy(at, &q, 4 * sizeof *at);
      continue;
    }
    v = track->kind == TRACK_SCALE ? scale_of_top(b, ours, v) : position_of_top(b, ours, v, is_slope);
    memcpy(at, &v, 3 * sizeof *at);
  }
}

/* The joint's transform in their rest pose, applied to our skeleton. */
static sinew_transform their_rest_on_ours(const binding *b, int ours) {
  sinew_transform rest = b->theirs.rest[b->map.theirs[ours]];
  if (is_top(b, ours)) {
    rest.rotation = rotation_of_top(b, ours, rest.rotation);
    rest.translation = position_of_top(b, ours, rest.translation, false);
  } else {
    rest.translation = vec3_scale(rest.translation, (float)b->ratio);
  }
  return rest;
}

/* ---- curves ---- */

static bool copy_track(const binding *b, raw_clip *clip, const raw_track *track) {
  raw_track *copy = add_raw_track(b->raw, clip);
  if (!copy) return false;
  *copy = *track;
  copy->node = b->map.ours[track->node + 1] - 1;
  size_t keys = (size_t)track->key_count, values = keys * raw_key_size(track);
  copy->times = raw_copy(b->raw, track->times, keys, sizeof *track->times);
  if (!copy->times || !raw_copy_values(b->raw, copy)) return false;
  bool top = is_top(b, copy->node + 1);
  if (top) bring_top(b, copy->node + 1, track, copy->values, values);
  if (track->kind != TRACK_TRANSLATION) return true;
  if (b->mode == BIND_RESIZED) resize(b, track, copy->values, values);
  for (size_t i = 0; b->mode == BIND_SAME && !top && b->ratio != 1 && i < values; i++)
    copy->values[i] = (float)((double)copy->values[i] * b->ratio);
  for (size_t i = 0; i < values; i++) copy->values[i] = raw_bounded(copy->values[i]);
  return true;
}

/* ---- joints that the clip does not move ---- */

/* `time` is within the clip, so that a clip that begins late in its file does not begin sooner here. */
static bool add_constant(const binding *b, raw_clip *clip, track_kind kind, int ours, double time, const float *value) {
  size_t width = (size_t)clip_kind_width(kind);
  raw_track *track = add_raw_track(b->raw, clip);
  if (!track) return false;
  *track = (raw_track){.kind = kind, .node = ours - 1, .interpolation = RAW_LINEAR, .key_count = 1};
  track->times = raw_copy(b->raw, &time, 1, sizeof time);
  track->values = raw_copy(b->raw, value, width, sizeof *value);
  return track->times && track->values;
}

/* Whether a joint above or below it moves. `moves` is indexed by our joints. */
static bool moves_with_others(const binding *b, const uint8_t *moves, int ours) {
  for (int above = b->ours.parents[ours]; above > 0; above = b->ours.parents[above])
    if (moves[above]) return true;
  for (int below = ours + 1; below < b->ours.count; below++)
    if (moves[below] && skeleton_is_above(&b->ours, ours, below)) return true;
  return false;
}

static bool hold_joint(const binding *b, raw_clip *clip, double time, uint8_t moves, int ours) {
  const sinew_transform *is = b->ours.rest + ours, other = their_rest_on_ours(b, ours);
  sinew_vec3 apart = vec3_sub(is->translation, other.translation);
  bool turned = fabsf(quat_dot(is->rotation, other.rotation)) < 1 - 1e-5f;
  bool moved = vec3_length(apart) > 0.03f * vec3_length(is->translation) + 1e-5f;
  if (turned && !(moves & MOVE_ROTATION) && !add_constant(b, clip, TRACK_ROTATION, ours, time, &other.rotation.x))
    return false;
  return !moved || moves & MOVE_TRANSLATION ||
         add_constant(b, clip, TRACK_TRANSLATION, ours, time, &other.translation.x);
}

/* The curves of one rig belong to its own file's rest pose: a joint that a clip does not move, between others that it
 * does, takes that pose. */
static bool hold_rest(const binding *b, const raw_clip *from, raw_clip *clip) {
  uint8_t *moves = raw_alloc(b->raw, (size_t)b->ours.count, sizeof *moves);
  double begin = from->track_count ? from->tracks[0].times[0] : 0;
  if (!moves) return false;
  for (int i = 0; i < from->track_count; i++) {
    begin = fmin(begin, from->tracks[i].times[0]);
    int ours = b->map.ours[from->tracks[i].node + 1];
    if (from->tracks[i].kind != TRACK_MORPH && ours > 0) moves[ours] |= (uint8_t)(1 << from->tracks[i].kind);
  }
  for (int i = 1; i < b->ours.count; i++)
    if (b->map.theirs[i] > 0 && moves_with_others(b, moves, i) && !hold_joint(b, clip, begin, moves[i], i))
      return false;
  return true;
}

/* ---- a clip ---- */

bool copy_clip(const binding *b, const raw_clip *from, raw_clip *clip) {
  for (int i = 0; i < from->track_count; i++) {
    const raw_track *track = from->tracks + i;
    if (track->kind == TRACK_MORPH || b->map.ours[track->node + 1] < 0) continue;
    if (!copy_track(b, clip, track)) return false;
  }
  return b->mode != BIND_SAME || b->from->has_no_rest || hold_rest(b, from, clip);
}
