/* A clip of the same rig, or of one with other bones: its curves are copied. */
#include "import/bind/binding.h"
#include "math/quat.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

/* A bone keeps its own length: what counts is how far a curve leads away from its own rest. */
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

static bool copy_track(const binding *b, raw_clip *clip, const raw_track *track) {
  raw_track *copy = add_raw_track(b->raw, clip);
  if (!copy) return false;
  *copy = *track;
  copy->node = b->map.ours[track->node + 1] - 1;
  size_t keys = (size_t)track->key_count;
  size_t values = keys * (size_t)clip_kind_width(track->kind) * (track->interpolation == RAW_CUBIC ? 3 : 1);
  copy->times = raw_copy(b->raw, track->times, keys, sizeof *track->times);
  copy->values = raw_copy(b->raw, track->values, values, sizeof *track->values);
  if (!copy->times || !copy->values) return false;
  if (track->kind != TRACK_TRANSLATION) return true;
  if (b->mode == BIND_RESIZED) resize(b, track, copy->values, values);
  for (size_t i = 0; b->mode == BIND_SAME && b->ratio != 1 && i < values; i++)
    copy->values[i] = (float)((double)copy->values[i] * b->ratio);
  for (size_t i = 0; i < values; i++) copy->values[i] = raw_bounded(copy->values[i]);
  return true;
}

/* ---- what the clip leaves alone ---- */

static bool add_constant(const binding *b, raw_clip *clip, track_kind kind, int ours, const float *value) {
  size_t width = (size_t)clip_kind_width(kind);
  raw_track *track = add_raw_track(b->raw, clip);
  if (!track) return false;
  *track = (raw_track){.kind = kind, .node = ours - 1, .interpolation = RAW_LINEAR, .key_count = 1};
  track->times = raw_alloc(b->raw, 1, sizeof *track->times);
  track->values = raw_copy(b->raw, value, width, sizeof *value);
  return track->times && track->values;
}

/* Is something moved above the joint or below it? `moves` is by our joints. */
static bool moves_with_others(const binding *b, const uint8_t *moves, int ours) {
  for (int above = b->ours.parents[ours]; above > 0; above = b->ours.parents[above])
    if (moves[above]) return true;
  for (int below = ours + 1; below < b->ours.count; below++)
    if (moves[below] && skeleton_is_above(&b->ours, ours, below)) return true;
  return false;
}

static bool hold_joint(const binding *b, raw_clip *clip, uint8_t moves, int ours) {
  const sinew_transform *is = b->ours.rest + ours, *other = b->theirs.rest + b->map.theirs[ours];
  float offset[3] = {(float)(b->ratio * (double)other->translation.x), (float)(b->ratio * (double)other->translation.y),
                     (float)(b->ratio * (double)other->translation.z)};
  sinew_vec3 apart = vec3_sub(is->translation, (sinew_vec3){offset[0], offset[1], offset[2]});
  bool turned = fabsf(quat_dot(is->rotation, other->rotation)) < 1 - 1e-5f;
  bool moved = vec3_length(apart) > 0.03f * vec3_length(is->translation) + 1e-5f;
  if (turned && !(moves & MOVE_ROTATION) && !add_constant(b, clip, TRACK_ROTATION, ours, &other->rotation.x))
    return false;
  return !moved || moves & MOVE_TRANSLATION || add_constant(b, clip, TRACK_TRANSLATION, ours, offset);
}

/* The curves of one rig go with its own file's rest pose: a joint that a clip leaves alone, between others that it
 * moves, stands as in that file. */
static bool hold_rest(const binding *b, const raw_clip *from, raw_clip *clip) {
  uint8_t *moves = raw_alloc(b->raw, (size_t)b->ours.count, sizeof *moves);
  if (!moves) return false;
  for (int i = 0; i < from->track_count; i++) {
    int ours = b->map.ours[from->tracks[i].node + 1];
    if (from->tracks[i].kind != TRACK_MORPH && ours > 0) moves[ours] |= (uint8_t)(1 << from->tracks[i].kind);
  }
  for (int i = 1; i < b->ours.count; i++)
    if (b->map.theirs[i] > 0 && moves_with_others(b, moves, i) && !hold_joint(b, clip, moves[i], i)) return false;
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
