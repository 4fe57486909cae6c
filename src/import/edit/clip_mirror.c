#include "import/edit/clip_mirror.h"

#include "base/error.h"
#include "import/build/skeleton.h"
#include "model/clip/clip_curve.h"
#include "model/model_space.h"
#include "model/names/joint_name.h"
#include "model/names/mirror.h"

#include <string.h>

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

bool mirror_clip(raw_model *raw, raw_clip *clip) {
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
