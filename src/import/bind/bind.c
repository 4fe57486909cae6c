#include "import/bind/bind.h"

#include "base/error.h"
#include "base/file.h"
#include "import/bind/binding.h"
#include "import/build/skeleton.h"
#include "math/quat.h"
#include "math/vec3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Rotations within this many radians, and lengths within this part, are the same. */
static const float same_angle = 0.01f, same_length = 0.03f;

raw_track *add_raw_track(raw_model *raw, raw_clip *clip) {
  return raw_grow(raw, (void **)&clip->tracks, &clip->track_count, &clip->track_capacity, sizeof *clip->tracks);
}

/* ---- do the skeletons differ? ---- */

typedef struct comparison {
  const binding *b;
  bool *relevant; /* of their joints: it moves, or something below it does */
  bool parents_agree, turns_agree, still_turns_agree, offsets_agree;
} comparison;

static float angle_between(sinew_quat a, sinew_quat b) { return quat_angle(sinew_quat_multiply(quat_conjugate(a), b)); }

static int matched_above(const binding *b, int ours) {
  do ours = b->ours.parents[ours];
  while (ours > 0 && b->map.theirs[ours] < 0);
  return ours;
}

/* Seen from their next partners above, which must be each other's, do the parents stand alike, and still? */
static bool parents_agree(const binding *b, int ours) {
  int theirs = b->map.theirs[ours], above = matched_above(b, ours), end = above > 0 ? b->map.theirs[above] : 0;
  int our_parent = b->ours.parents[ours], their_parent = b->theirs.parents[theirs], i = their_parent;
  for (; i > end; i = b->theirs.parents[i])
    if (b->moves[i]) return false;
  if (i != end) return false;
  sinew_quat our_turn = b->our_rest[our_parent].rotation, their_turn = b->their_rest[their_parent].rotation;
  if (above > 0) {
    our_turn = sinew_quat_multiply(quat_conjugate(b->our_rest[above].rotation), our_turn);
    their_turn = sinew_quat_multiply(quat_conjugate(b->their_rest[end].rotation), their_turn);
  }
  return angle_between(our_turn, their_turn) < same_angle;
}

static bool offsets_agree(const binding *b, int ours) {
  sinew_vec3 is = b->ours.rest[ours].translation, other = b->theirs.rest[b->map.theirs[ours]].translation;
  float ratio = (float)b->ratio, longer = fmaxf(vec3_length(is), ratio * vec3_length(other));
  return vec3_length(vec3_add_scaled(is, -ratio, other)) <= same_length * longer + 1e-5f;
}

static void compare_joint(comparison *c, int ours) {
  const binding *b = c->b;
  int theirs = b->map.theirs[ours];
  float angle = angle_between(b->ours.rest[ours].rotation, b->theirs.rest[theirs].rotation);
  if (!parents_agree(b, ours)) c->parents_agree = false;
  if (angle >= same_angle) c->turns_agree = false;
  if (angle >= same_angle && !(b->moves[theirs] & MOVE_ROTATION)) c->still_turns_agree = false;
  if (matched_above(b, ours) > 0 && !offsets_agree(b, ours)) c->offsets_agree = false;
}

/* The same rig in another unit has all its bones longer by one factor. Joints at the top do not count: where a
 * character stands says nothing about its size. */
static double find_ratio(const binding *b) {
  double ours = 0, theirs = 0;
  for (int i = 1; i < b->ours.count; i++) {
    if (b->map.theirs[i] < 0 || matched_above(b, i) <= 0) continue;
    ours += (double)vec3_length(b->ours.rest[i].translation);
    theirs += (double)vec3_length(b->theirs.rest[b->map.theirs[i]].translation);
  }
  double ratio = theirs > 0 && ours > 0 ? ours / theirs : 1;
  return fabs(ratio - 1) < 0.02 ? 1 : ratio;
}

/* Do the hips of both stand as high above their rest, but for the scale? */
static bool travels_from_rest(const binding *b, int ours) {
  const retarget_joint *joint = b->plan.joints + ours;
  if (!joint->travels) return true;
  float is = joint->to.y - b->our_rest[ours].translation.y;
  float other = joint->from.y - b->their_rest[joint->source].translation.y;
  return fabsf(is - b->plan.scale * other) < 1e-3f;
}

/* One rig in two poses has the same joints at the same offsets, whatever the rest pose: its curves fit as they are. Two
 * rigs with the same rest pose but other bones share their turns. */
static bool find_mode(binding *b) {
  comparison c = {b, raw_alloc(b->raw, (size_t)b->theirs.count, sizeof *c.relevant), true, true, true, true};
  if (!c.relevant) return false;
  for (int i = b->theirs.count - 1; i > 0; i--) {
    c.relevant[i] = c.relevant[i] || b->moves[i];
    if (c.relevant[i]) c.relevant[b->theirs.parents[i]] = true;
  }
  bool from_rest = true;
  for (int i = 1; i < b->ours.count; i++) {
    if (b->map.theirs[i] < 0 || !c.relevant[b->map.theirs[i]]) continue;
    compare_joint(&c, i);
    from_rest = from_rest && travels_from_rest(b, i);
  }
  bool faces = fabsf(b->plan.turn.w) > 0.999f, resized = faces && c.turns_agree && b->plan.largest_align < 0.05f;
  b->mode = BIND_CORRECTED;
  if (c.parents_agree && c.still_turns_agree && c.offsets_agree) b->mode = BIND_SAME;
  else if (c.parents_agree && resized && from_rest) b->mode = BIND_RESIZED;
  return true;
}

/* ---- opening ---- */

static bool find_moves(binding *b) {
  b->moves = raw_alloc(b->raw, (size_t)b->theirs.count, 1);
  for (int c = 0; b->moves && c < b->from->clip_count; c++)
    for (int i = 0; i < b->from->clips[c].track_count; i++) {
      const raw_track *track = b->from->clips[c].tracks + i;
      if (track->kind != TRACK_MORPH) b->moves[track->node + 1] |= (uint8_t)(1 << track->kind);
    }
  return b->moves != NULL;
}

/* An MD5 animation has no bind pose: its nodes stand as in its first frame. It was made for an MD5 mesh, whose bind
 * pose is its own then. */
static bool take_our_rest(binding *b) {
  bool is_animation = b->from->format == RAW_MD5 && strcasecmp(path_extension(b->from->path), "md5anim") == 0;
  if (!is_animation || b->raw->format != RAW_MD5) return true;
  sinew_transform *rest = raw_copy(b->raw, b->theirs.rest, (size_t)b->theirs.count, sizeof *rest);
  if (!rest) return false;
  for (int i = 1; i < b->ours.count; i++)
    if (b->map.theirs[i] >= 0) rest[b->map.theirs[i]] = b->ours.rest[i];
  b->theirs.rest = rest;
  return true;
}

static bool open_plan(binding *b) {
  size_t ours = (size_t)b->ours.count, theirs = (size_t)b->theirs.count;
  b->plan = (retarget_plan){.theirs = &b->theirs, .ours = &b->ours};
  b->plan.joints = raw_alloc(b->raw, ours, sizeof *b->plan.joints);
  b->our_rest = raw_alloc(b->raw, ours, sizeof *b->our_rest);
  b->their_rest = raw_alloc(b->raw, theirs, sizeof *b->their_rest);
  if (!b->plan.joints || !b->our_rest || !b->their_rest || !take_our_rest(b)) return false;
  if (!retarget_plan_make(&b->plan, &b->map)) return error_memory(b->raw->error, b->from->path, ours);
  skeleton_to_model(&b->ours, b->ours.rest, b->our_rest);
  skeleton_to_model(&b->theirs, b->theirs.rest, b->their_rest);
  b->ratio = find_ratio(b);
  return find_mode(b);
}

static bool open_map(binding *b, const bind_pairs *pairs) {
  joint_map_job job = {.theirs = &b->theirs,
                       .ours = &b->ours,
                       .pairs = pairs->pairs,
                       .pair_count = pairs->count,
                       .what = b->raw->path,
                       .error = b->raw->error};
  return raw_skeleton(b->raw, b->raw, &b->ours) && raw_skeleton(b->raw, b->from, &b->theirs) && find_moves(b) &&
         joint_map_find(&job, &b->map);
}

/* ---- copying ---- */

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

static bool copy_clip(const binding *b, const raw_clip *from, raw_clip *clip) {
  for (int i = 0; i < from->track_count; i++) {
    const raw_track *track = from->tracks + i;
    if (track->kind == TRACK_MORPH || b->map.ours[track->node + 1] < 0) continue;
    if (!copy_track(b, clip, track)) return false;
  }
  return true;
}

static bool bind_clip(const binding *b, const raw_clip *from, int *unbound) {
  raw_clip clip = {.name = raw_string(b->raw, from->name)};
  bool good = clip.name && (b->mode == BIND_CORRECTED ? retarget_clip(b, from, &clip) : copy_clip(b, from, &clip)) &&
              bind_morphs(b, from, &clip, unbound);
  if (!good) return false;
  if (clip.track_count == 0 && from->track_count > 0)
    return raw_note(b->raw, "%s: clip '%s' moves nothing that the model has, and is left out", b->from->path,
                    from->name);
  raw_clip *kept =
      raw_grow(b->raw, (void **)&b->raw->clips, &b->raw->clip_count, &b->raw->clip_capacity, sizeof *b->raw->clips);
  if (kept) *kept = clip;
  return kept != NULL;
}

/* ---- the report ---- */

static sinew_clip_file_view *report(const binding *b) {
  raw_model *raw = b->raw;
  sinew_joint_match *matches = raw_alloc(raw, (size_t)b->theirs.count, sizeof *matches);
  int count = 0;
  for (int i = 1; matches && i < b->theirs.count; i++) {
    if (!b->moves[i] || !b->theirs.names[i]) continue;
    matches[count] = (sinew_joint_match){raw_string(raw, b->theirs.names[i]), b->map.ours[i], b->map.kinds[i]};
    if (matches[count].joint >= 0) matches[count].joint--;
    if (!matches[count++].theirs) return NULL;
  }
  sinew_clip_file_view *file =
      raw_grow(raw, (void **)&raw->clip_files, &raw->clip_file_count, &raw->clip_file_capacity, sizeof *file);
  if (!matches || !file) return NULL;
  *file = (sinew_clip_file_view){.path = raw_string(raw, b->from->path),
                                 .matches = matches,
                                 .match_count = count,
                                 .scale = b->mode == BIND_SAME ? (float)b->ratio : b->plan.scale,
                                 .corrected = b->mode == BIND_CORRECTED};
  return file->path ? file : NULL;
}

/* "a, b, c, d, …": a few names for a sentence. */
typedef struct name_list {
  int count;
  char text[256];
} name_list;

static void list_name(name_list *list, const char *format, const char *a, const char *b) {
  enum { SHOWN = 4 };
  char *end = list->text + strlen(list->text);
  size_t room = sizeof list->text - (size_t)(end - list->text);
  if (list->count > SHOWN) return;
  if (list->count++ == SHOWN) snprintf(end, room, ", …");
  else if (list->count > 1) end += snprintf(end, room, ", "), room -= 2;
  if (list->count <= SHOWN) snprintf(end, room, format, a, b);
}

static int count_kind(const sinew_clip_file_view *file, sinew_match_kind kind) {
  int count = 0;
  for (int i = 0; i < file->match_count; i++) count += file->matches[i].kind == (int32_t)kind;
  return count;
}

static void list_names(const binding *b, const sinew_clip_file_view *file, name_list *missing, name_list *guessed) {
  for (int i = 0; i < file->match_count; i++) {
    const sinew_joint_match *match = file->matches + i;
    if (match->kind == SINEW_MATCH_NONE) list_name(missing, "%.40s", match->theirs, NULL);
    if (match->kind == SINEW_MATCH_GUESS)
      list_name(guessed, "%.24s → %.24s", match->theirs, b->raw->nodes[match->joint].name);
  }
}

static bool note_matches(const binding *b, const sinew_clip_file_view *file) {
  name_list missing = {0}, guessed = {0};
  const char *path = b->from->path;
  list_names(b, file, &missing, &guessed);
  if (guessed.count &&
      !raw_note(b->raw, "%s: %d joints are guessed (%s)", path, count_kind(file, SINEW_MATCH_GUESS), guessed.text))
    return false;
  if (missing.count &&
      !raw_note(b->raw, "%s: moves %d joints that the model does not have (%s)", path, missing.count, missing.text))
    return false;
  if (file->corrected && !raw_note(b->raw, "%s: is of another skeleton, and its clips are corrected", path))
    return false;
  return file->scale == 1 ||
         raw_note(b->raw, "%s: lengths are multiplied by %.4g to fit the model's", path, (double)file->scale);
}

static bool refuse(const binding *b, const sinew_clip_file_view *file) {
  name_list missing = {0}, guessed = {0};
  list_names(b, file, &missing, &guessed);
  return error_set(b->raw->error,
                   "%s: no joint that its clips move is one of %s, by name or by guess (%s); a map can say which is",
                   b->from->path, b->raw->path, missing.text);
}

/* ---- the map of the options ---- */

bool bind_pairs_open(bind_pairs *pairs, raw_model *raw, const sinew_load_options *options) {
  *pairs = (bind_pairs){.pairs = options->map, .count = options->map_count};
  pairs->found = raw_alloc(raw, (size_t)pairs->count, sizeof *pairs->found);
  pairs->nearest = raw_alloc(raw, (size_t)pairs->count, sizeof *pairs->nearest);
  return pairs->found && pairs->nearest;
}

static bool note_pairs(const binding *b, bind_pairs *pairs) {
  for (int i = 0; i < pairs->count; i++) {
    if (b->map.pair_found[i]) pairs->found[i] = true;
    const char *near = sinew_nearest_name(pairs->pairs[i].theirs, b->theirs.names, b->theirs.count);
    if (!near || pairs->found[i] || pairs->nearest[i]) continue;
    pairs->nearest[i] = raw_string(b->raw, near);
    if (!pairs->nearest[i]) return false;
  }
  return true;
}

bool bind_pairs_check(const bind_pairs *pairs, raw_model *raw) {
  for (int i = 0; i < pairs->count; i++) {
    if (pairs->found[i]) continue;
    const char *near = pairs->nearest[i];
    return error_set(raw->error, "%s: the map names a joint '%s', which no clip file has%s%s%s", raw->path,
                     pairs->pairs[i].theirs, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  }
  return true;
}

/* ---- a file ---- */

static bool bind_all(binding *b, bind_pairs *pairs) {
  int first = b->raw->clip_count, unbound = 0;
  if (!open_map(b, pairs) || !open_plan(b) || !note_pairs(b, pairs)) return false;
  const sinew_clip_file_view *file = report(b);
  if (!file || !note_matches(b, file)) return false;
  for (int i = 0; i < b->from->note_count; i++)
    if (!raw_note(b->raw, "%s: %s", b->from->path, b->from->notes[i])) return false;
  for (int i = 0; i < b->from->clip_count; i++)
    if (!bind_clip(b, b->from->clips + i, &unbound)) return false;
  if (b->raw->clip_count == first) return refuse(b, file);
  return unbound == 0 ||
         raw_note(b->raw, "%s: %d curves move morph targets that the model does not have", b->from->path, unbound);
}

bool bind_clips(raw_model *raw, const raw_model *from, bind_pairs *pairs) {
  binding b = {.raw = raw, .from = from};
  if (from->clip_count == 0) return error_set(raw->error, "%s: holds no clips", from->path);
  bool bound = bind_all(&b, pairs);
  joint_map_reset(&b.map);
  return bound;
}
