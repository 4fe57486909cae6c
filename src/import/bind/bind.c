#include "import/bind/bind.h"

#include "base/error.h"
#include "base/file.h"
#include "import/bind/same_rig.h"
#include "import/body/raw_body.h"
#include "import/build/skeleton.h"
#include "import/raw/curve.h"
#include "import/raw/raw_nodes.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "model/names/model_names.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- bind morphs ---- */

static bool is_same_name(const char *a, const char *b) {
  return a[0] && strcmp(joint_name_bare(a), joint_name_bare(b)) == 0;
}

static const char *node_name(const raw_model *raw, const raw_mesh *mesh) {
  return mesh->node < 0 ? "" : raw->nodes[mesh->node].name;
}

/* The evidence that two meshes are the same: their nodes share a name, they share a name, or none. */
typedef enum likeness { LIKE_NODES, LIKE_MESHES, LIKE_ANY, LIKE_COUNT } likeness;

static bool is_like(const binding *b, const raw_mesh *ours, const raw_mesh *theirs, likeness like) {
  if (like == LIKE_NODES) return is_same_name(node_name(b->raw, ours), node_name(b->from, theirs));
  return like == LIKE_ANY || is_same_name(ours->name, theirs->name);
}

static int find_target(const raw_mesh *mesh, const char *name) {
  for (int i = 0; i < mesh->morph_count; i++)
    if (name[0] && strcmp(mesh->morphs[i].name, name) == 0) return i;
  return -1;
}

static bool copy_weights(const binding *b, raw_clip *clip, const raw_track *track, int mesh, int target) {
  raw_track *copy = add_raw_track(b->raw, clip);
  if (!copy) return false;
  *copy = *track;
  copy->node = mesh;
  copy->target = target;
  copy->times = raw_copy(b->raw, track->times, (size_t)track->key_count, sizeof *track->times);
  return copy->times && raw_copy_values(b->raw, copy);
}

static bool bind_weights(const binding *b, const raw_track *track, raw_clip *clip, likeness like, int *bound) {
  const raw_mesh *theirs = b->from->meshes + track->node;
  for (int m = 0; m < b->raw->mesh_count; m++) {
    const raw_mesh *ours = b->raw->meshes + m;
    int target = find_target(ours, theirs->morphs[track->target].name);
    if (target < 0 || !is_like(b, ours, theirs, like)) continue;
    if (!copy_weights(b, clip, track, m, target)) return false;
    (*bound)++;
  }
  return true;
}

/* Appends curves of morph weights to `clip`: to targets of the same name, on meshes of the same name if there are any,
 * else on any mesh. Counts those without a target. */
static bool bind_morphs(const binding *b, const raw_clip *from, raw_clip *clip, int *unbound) {
  for (int i = 0; i < from->track_count; i++) {
    const raw_track *track = from->tracks + i;
    int bound = 0;
    if (track->kind != TRACK_MORPH) continue;
    for (int like = LIKE_NODES; like < LIKE_COUNT && bound == 0; like++)
      if (!bind_weights(b, track, clip, (likeness)like, &bound)) return false;
    *unbound += bound == 0;
  }
  return true;
}

/* ---- bind ---- */

raw_track *add_raw_track(raw_model *raw, raw_clip *clip) {
  return raw_grow(raw, (void **)&clip->tracks, &clip->track_count, &clip->track_capacity, sizeof *clip->tracks);
}

/* ---- opening ---- */

/* The same rig in another unit has all its bones longer by one factor. Joints at the top, and offsets that clips
 * animate, do not count: the position of a character says nothing about its size. */
static double near_one(double ratio) { return fabs(ratio - 1) < 0.02 ? 1 : ratio; }

static float reach_from_parent(const skeleton_view *skeleton, const sinew_transform *rest, int joint) {
  return vec3_distance(rest[joint].translation, rest[skeleton->parents[joint]].translation);
}

static void find_ratios(binding *b) {
  double ours = 0, theirs = 0, our_world = 0, their_world = 0;
  for (int i = 1; i < b->ours.count; i++) {
    int partner = b->map.theirs[i];
    if (partner < 0 || matched_above(b, i) <= 0 || b->moves[partner] & MOVE_OFFSET) continue;
    ours += (double)vec3_length(b->ours.rest[i].translation);
    theirs += (double)vec3_length(b->theirs.rest[partner].translation);
    our_world += (double)reach_from_parent(&b->ours, b->our_rest, i);
    their_world += (double)reach_from_parent(&b->theirs, b->their_rest, partner);
  }
  b->ratio = near_one(theirs > 0 && ours > 0 ? ours / theirs : 1);
  b->world_ratio = near_one(their_world > 0 && our_world > 0 ? our_world / their_world : 1);
}

/* Whether a curve changes an offset by more than the 3 % that lengths may differ by. */
static bool moves_offset(const raw_track *track, const sinew_transform *rest) {
  int value = track->interpolation == RAW_CUBIC ? 3 : 0;
  const float *first = raw_key(track, 0) + value;
  float slack = 0.03f * vec3_length(rest->translation);
  for (int i = 1; i < track->key_count; i++)
    for (int k = 0; k < 3; k++)
      if (fabsf(raw_key(track, i)[value + k] - first[k]) > slack) return true;
  return false;
}

/* Compares the first key with the rest pose, and the others with the first. */
static bool leaves_rest(const raw_track *track, const sinew_transform *rest) {
  const float *is = track->kind == TRACK_ROTATION      ? &rest->rotation.x
                    : track->kind == TRACK_TRANSLATION ? &rest->translation.x
                                                       : &rest->scale.x;
  int width = clip_kind_width(track->kind);
  double first[4], apart = 0, opposite = 0, size = 0;
  curve_key(track, 0, first);
  for (int k = 0; k < width; k++) {
    double a = (double)is[k];
    apart += (first[k] - a) * (first[k] - a), opposite += (first[k] + a) * (first[k] + a), size += a * a;
  }
  if (track->kind == TRACK_ROTATION) apart = fmin(apart, opposite);
  double slack = 1e-4 * fmax(1, sqrt(size));
  return sqrt(apart) > slack || !curve_stays(track, slack);
}

static bool find_moves(binding *b) {
  b->moves = raw_alloc(b->raw, (size_t)b->theirs.count, 1);
  for (int c = 0; b->moves && c < b->from->clip_count; c++)
    for (int i = 0; i < b->from->clips[c].track_count; i++) {
      const raw_track *track = b->from->clips[c].tracks + i;
      if (track->kind == TRACK_MORPH) continue;
      int joint = track->node + 1;
      b->moves[joint] |= (uint8_t)(1 << track->kind);
      if (leaves_rest(track, b->theirs.rest + joint)) b->moves[joint] |= MOVE_FROM_REST;
      if (track->kind == TRACK_TRANSLATION && moves_offset(track, b->theirs.rest + joint))
        b->moves[joint] |= MOVE_OFFSET;
    }
  return b->moves != NULL;
}

/* An MD5 animation has no bind pose: its nodes are as in its first frame. It was made for an MD5 mesh, so that mesh's
 * bind pose applies. */
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

static bool choose_mode(binding *b, sinew_retarget_mode wanted) {
  if (b->from->has_no_rest) {
    b->mode = BIND_SAME;
    b->ratio = 1;
    return true;
  }
  if (wanted == SINEW_RETARGET_AUTO || wanted == SINEW_RETARGET_RAW) return same_rig_find_mode(b);
  b->mode = wanted == SINEW_RETARGET_COPY ? BIND_SAME : BIND_CORRECTED;
  return true;
}

static bool open_plan(binding *b, sinew_retarget_mode wanted) {
  size_t ours = (size_t)b->ours.count, theirs = (size_t)b->theirs.count;
  b->plan = (retarget_plan){.theirs = &b->theirs, .ours = &b->ours};
  b->plan.joints = raw_alloc(b->raw, ours, sizeof *b->plan.joints);
  b->our_rest = raw_alloc(b->raw, ours, sizeof *b->our_rest);
  b->their_rest = raw_alloc(b->raw, theirs, sizeof *b->their_rest);
  if (!b->plan.joints || !b->our_rest || !b->their_rest || !take_our_rest(b)) return false;
  if (!retarget_plan_make(&b->plan, &b->map)) return error_memory(b->raw->error, b->from->path, ours);
  skeleton_to_model(&b->ours, b->ours.rest, b->our_rest);
  skeleton_to_model(&b->theirs, b->theirs.rest, b->their_rest);
  find_ratios(b);
  if (!choose_mode(b, wanted) || !stride_rest_read(b)) return false;
  retarget_legs_job job = {&b->plan, &b->map, b->their_body, b->our_body, b->their_rest, b->their_flat, b->our_rest};
  if (b->mode == BIND_CORRECTED && wanted != SINEW_RETARGET_RAW) b->legs = retarget_legs_plan(&job);
  return true;
}

static bool open_map(binding *b, const bind_pairs *pairs) {
  b->their_body = raw_body(b->raw, b->from, NULL);
  b->our_body = b->raw->body ? b->raw->body : raw_body(b->raw, b->raw, NULL);
  if (!b->their_body || !b->our_body) return false;
  joint_map_job job = {.theirs = &b->theirs,
                       .ours = &b->ours,
                       .their_body = &b->their_body->person,
                       .our_body = &b->our_body->person,
                       .pairs = pairs->pairs,
                       .pair_count = pairs->count,
                       .what = b->raw->path,
                       .error = b->raw->error};
  return raw_skeleton(b->raw, b->raw, &b->ours) && raw_skeleton(b->raw, b->from, &b->theirs) && find_moves(b) &&
         joint_map_find(&job, &b->map);
}

/* ---- a clip ---- */

/* Named numbers of a clip mean the same on every body. */
static bool copy_curves(const binding *b, const raw_clip *from, raw_clip *clip) {
  clip->curves = raw_copy(b->raw, from->curves, (size_t)from->curve_count, sizeof *clip->curves);
  for (int i = 0; clip->curves && i < from->curve_count; i++) {
    sinew_curve_view *curve = clip->curves + i;
    curve->name = raw_string(b->raw, curve->name);
    curve->keys = raw_copy(b->raw, curve->keys, (size_t)curve->count, sizeof *curve->keys);
    if (!curve->name || !curve->keys) return false;
  }
  clip->curve_count = clip->curve_capacity = from->curve_count;
  return clip->curves;
}

static bool bind_clip(const binding *b, const raw_clip *from, int *unbound) {
  raw_clip clip = {.name = raw_string(b->raw, from->name)};
  if (from->file_name) clip.file_name = raw_string(b->raw, from->file_name);
  bool good = clip.name && (clip.file_name || !from->file_name) &&
              (b->mode == BIND_CORRECTED ? retarget_clip(b, from, &clip) : copy_clip(b, from, &clip)) &&
              bind_morphs(b, from, &clip, unbound) && copy_curves(b, from, &clip);
  if (!good) return false;
  if (clip.track_count == 0 && from->track_count > 0)
    return raw_note(b->raw, "%s: clip '%s' moves nothing that the model has, and is left out", b->from->path,
                    from->name);
  raw_clip *kept =
      raw_grow(b->raw, (void **)&b->raw->clips, &b->raw->clip_count, &b->raw->clip_capacity, sizeof *b->raw->clips);
  if (!kept) return false;
  *kept = clip;
  return verdict_check(b, from, kept);
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

static void list_names(const binding *b, const sinew_clip_file_view *file, name_list *missing, name_list *guessed) {
  for (int i = 0; i < file->match_count; i++) {
    const sinew_joint_match *match = file->matches + i;
    if (match->kind == SINEW_MATCH_NONE) name_list_add(missing, match->theirs, NULL);
    if (match->kind == SINEW_MATCH_GUESS) name_list_add(guessed, match->theirs, b->raw->nodes[match->joint].name);
  }
}

static bool has_leg(const humanoid *h) {
  return h->limbs[0][LIMB_THIGH] >= 0 && h->limbs[0][LIMB_SHIN] >= 0 && h->limbs[0][LIMB_FOOT] >= 0;
}

/* A clip of a walker on a figure that does not walk. */
static bool note_legs(const binding *b) {
  const humanoid *ours = &b->map.our_body;
  if (!has_leg(&b->map.their_body) || has_leg(ours)) return true;
  const char *hips = ours->hips >= 0 ? b->ours.names[ours->hips] : "unknown";
  const char *head = ours->head >= 0 ? b->ours.names[ours->head] : "unknown";
  return raw_note(b->raw,
                  "%s: its clips walk, and no legs of the model are known (pelvis %s, head %s): roles = { "
                  "left_upper_leg = …, left_lower_leg = …, left_foot = …, right_upper_leg = … } would say",
                  b->from->path, hips, head);
}

static bool note_matches(const binding *b, const sinew_clip_file_view *file) {
  name_list missing = {0}, guessed = {0};
  const char *path = b->from->path;
  list_names(b, file, &missing, &guessed);
  if (guessed.count && !raw_note_count(b->raw, guessed.count, "%s: %d {joint is|joints are} guessed (%s)", path,
                                       guessed.count, guessed.text))
    return false;
  if (missing.count &&
      !raw_note_count(b->raw, missing.count, "%s: moves %d {joint|joints} that the model does not have (%s)", path,
                      missing.count, missing.text))
    return false;
  if (!note_legs(b)) return false;
  if (file->corrected && !raw_note(b->raw, "%s: has another skeleton, so its clips are retargeted", path)) return false;
  return file->scale == 1 ||
         raw_note(b->raw, "%s: lengths are multiplied by %.4g to fit the model's", path, (double)file->scale);
}

/* The notes about a file that is left out are dropped. */
static bool leave_out(const binding *b, const name_list *missing) {
  raw_model *raw = b->raw;
  bool moves_joints = missing->count > 0;
  raw->clip_file_count--;
  raw->note_count = b->notes_before;
  return raw_note_count(raw, b->from->clip_count,
                        "%s: is left out, because its {clip moves|clips move} no %s of the model%s%s%s", b->from->path,
                        moves_joints ? "joint" : "morph target", moves_joints ? " (" : "", missing->text,
                        moves_joints ? ")" : "");
}

static bool refuse(const binding *b, const sinew_clip_file_view *file, bool skip) {
  name_list missing = {0}, guessed = {0};
  list_names(b, file, &missing, &guessed);
  if (skip) return leave_out(b, &missing);
  return error_set(b->raw->error,
                   "%s: no joint that its clips move is one of %s, by name or by guess (%s); a map can say which is",
                   b->from->path, b->raw->path, missing.text);
}

/* ---- the map of the options ---- */

bool bind_pairs_open(bind_pairs *pairs, raw_model *raw, const sinew_load_options *options) {
  *pairs = (bind_pairs){.retarget = options->retarget,
                        .skip_unfit = options->skip_unfit_clip_files,
                        .pairs = options->map,
                        .count = options->map_count};
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
  if (!open_map(b, pairs) || !open_plan(b, pairs->retarget) || !note_pairs(b, pairs)) return false;
  const sinew_clip_file_view *file = report(b);
  if (!file || !note_matches(b, file)) return false;
  for (int i = 0; i < b->from->note_count; i++)
    if (!raw_note(b->raw, "%s: %s", b->from->path, b->from->notes[i])) return false;
  for (int i = 0; i < b->from->clip_count; i++)
    if (!bind_clip(b, b->from->clips + i, &unbound)) return false;
  if (b->raw->clip_count == first) return refuse(b, file, pairs->skip_unfit);
  return unbound == 0 ||
         raw_note_count(b->raw, unbound,
                        "%s: %d {curve moves a morph target|curves move morph targets} that the model does not have",
                        b->from->path, unbound);
}

bool bind_clips(raw_model *raw, const raw_model *from, bind_pairs *pairs) {
  binding b = {.raw = raw, .from = from, .notes_before = raw->note_count};
  if (from->clip_count == 0 && pairs->skip_unfit)
    return raw_note(raw, "%s: holds no clips, and is left out", from->path);
  if (from->clip_count == 0) return error_set(raw->error, "%s: holds no clips", from->path);
  bool bound = bind_all(&b, pairs);
  joint_map_reset(&b.map);
  return bound;
}
