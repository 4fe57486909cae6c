#include "import/bind/same_rig.h"

#include "import/raw/curve.h"
#include "math/quat.h"
#include "math/vec3.h"

#include <math.h>

/* Rotations within this angle in radians, and lengths within this fraction, are equal. */
static const float same_angle = 0.01f, same_length = 0.03f;
/* The smallest fraction of a rig's length whose offsets must agree. */
static const float most_of_it = 0.75f;

typedef struct comparison {
  const binding *b;
  bool *relevant;   /* of their joints: it moves, or a joint below it does */
  bool *is_in_body; /* of ours: a skin is bound to it, or to a joint below it */
  bool parents_agree, rotations_agree, offsets_agree;
  bool may_be_animated; /* a different offset may be the clips' doing */
  float agreed, total;  /* metres of offsets */
} comparison;

static float angle_between(sinew_quat a, sinew_quat b) { return quat_angle(sinew_quat_multiply(quat_conjugate(a), b)); }

int matched_above(const binding *b, int ours) {
  do ours = b->ours.parents[ours];
  while (ours > 0 && b->map.theirs[ours] < 0);
  return ours;
}

/* Whether the parents have the same constant rotation, relative to their next partners above, which must be each
 * other's. Joints above the topmost partners may have any rotation: copy_clip handles that. */
static bool parents_agree(const binding *b, int ours) {
  int theirs = b->map.theirs[ours], above = matched_above(b, ours), end = above > 0 ? b->map.theirs[above] : 0;
  int our_parent = b->ours.parents[ours], their_parent = b->theirs.parents[theirs], i = their_parent;
  for (; i > end; i = b->theirs.parents[i])
    if (b->moves[i] & MOVE_FROM_REST) return false;
  if (i != end) return false;
  if (above <= 0) return true;
  sinew_quat our_turn = b->our_rest[our_parent].rotation, their_turn = b->their_rest[their_parent].rotation;
  our_turn = sinew_quat_multiply(quat_conjugate(b->our_rest[above].rotation), our_turn);
  their_turn = sinew_quat_multiply(quat_conjugate(b->their_rest[end].rotation), their_turn);
  return angle_between(our_turn, their_turn) < same_angle;
}

/* Whether the clips give the joint that length at some time. A file of clips alone may have such a moment as its rest
 * pose. */
static bool is_reached(const binding *b, int theirs, float length, float slack) {
  float shortest = INFINITY, longest = 0;
  for (int c = 0; c < b->from->clip_count; c++)
    for (int i = 0; i < b->from->clips[c].track_count; i++) {
      const raw_track *track = b->from->clips[c].tracks + i;
      if (track->kind != TRACK_TRANSLATION || track->node + 1 != theirs) continue;
      for (int k = 0; k < track->key_count; k++) {
        double v[4];
        curve_key(track, k, v);
        float is = (float)b->ratio * vec3_length((sinew_vec3){(float)v[0], (float)v[1], (float)v[2]});
        shortest = fminf(shortest, is);
        longest = fmaxf(longest, is);
      }
    }
  return length >= shortest - slack && length <= longest + slack;
}

static void compare_offset(comparison *c, int ours) {
  const binding *b = c->b;
  int theirs = b->map.theirs[ours];
  sinew_vec3 is = b->ours.rest[ours].translation, other = b->theirs.rest[theirs].translation;
  float ratio = (float)b->ratio, length = vec3_length(is), their_length = ratio * vec3_length(other);
  float longer = fmaxf(length, their_length), slack = same_length * longer + 1e-5f;
  bool agrees = vec3_length(vec3_add_scaled(is, -ratio, other)) <= slack;
  if (!agrees && b->moves[theirs] & MOVE_OFFSET) agrees = is_reached(b, theirs, length, slack);
  c->total += longer;
  if (agrees) c->agreed += longer;
  else c->offsets_agree = false;
  if (!agrees && fabsf(length - their_length) > slack && !(b->moves[theirs] & MOVE_OFFSET)) c->may_be_animated = false;
}

static void compare_joint(comparison *c, int ours) {
  const binding *b = c->b;
  int theirs = b->map.theirs[ours];
  if (!parents_agree(b, ours)) c->parents_agree = false;
  if (angle_between(b->ours.rest[ours].rotation, b->theirs.rest[theirs].rotation) >= same_angle)
    c->rotations_agree = false;
  if (matched_above(b, ours) > 0) compare_offset(c, ours);
}

/* ---- finding the joints that count ---- */

static bool open_relevant(comparison *c) {
  const binding *b = c->b;
  c->relevant = raw_alloc(b->raw, (size_t)b->theirs.count, sizeof *c->relevant);
  if (!c->relevant) return false;
  for (int i = b->theirs.count - 1; i > 0; i--) {
    c->relevant[i] = c->relevant[i] || b->moves[i];
    if (c->relevant[i]) c->relevant[b->theirs.parents[i]] = true;
  }
  return true;
}

/* Cameras and lights attached to a rig are not part of it. Without a skin, everything is. */
static bool open_body(comparison *c) {
  const binding *b = c->b;
  bool is_skinned = false;
  c->is_in_body = raw_alloc(b->raw, (size_t)b->ours.count, sizeof *c->is_in_body);
  if (!c->is_in_body) return false;
  for (int m = 0; m < b->raw->mesh_count; m++)
    for (int i = 0; i < b->raw->meshes[m].bone_count; i++)
      is_skinned = c->is_in_body[b->raw->meshes[m].bones[i].node + 1] = true;
  for (int i = b->ours.count - 1; i > 0; i--) {
    if (!is_skinned) c->is_in_body[i] = true;
    if (c->is_in_body[i]) c->is_in_body[b->ours.parents[i]] = true;
  }
  return true;
}

/* ---- the answer ---- */

/* Whether the hips of both are equally high above their rest, apart from scale. */
static bool travels_from_rest(const binding *b, int ours) {
  const retarget_joint *joint = b->plan.joints + ours;
  if (!joint->travels) return true;
  float is = joint->to.y - b->our_rest[ours].translation.y;
  float other = joint->from.y - b->their_rest[joint->source].translation.y;
  return fabsf(is - b->plan.scale * other) < 1e-3f;
}

static bind_mode mode_of(const comparison *c, bool from_rest) {
  const binding *b = c->b;
  bool alike = c->offsets_agree || (c->may_be_animated && c->agreed >= most_of_it * c->total);
  if (c->parents_agree && alike) return BIND_SAME;
  bool faces = fabsf(b->plan.rotation.w) > 0.999f,
       resized = faces && c->rotations_agree && b->plan.largest_align < 0.05f;
  return c->parents_agree && resized && from_rest ? BIND_RESIZED : BIND_CORRECTED;
}

bool same_rig_find_mode(binding *b) {
  comparison c = {
      .b = b, .parents_agree = true, .rotations_agree = true, .offsets_agree = true, .may_be_animated = true};
  if (!open_relevant(&c) || !open_body(&c)) return false;
  bool from_rest = true;
  for (int i = 1; i < b->ours.count; i++) {
    if (b->map.theirs[i] < 0 || !c.relevant[b->map.theirs[i]] || !c.is_in_body[i]) continue;
    compare_joint(&c, i);
    from_rest = from_rest && travels_from_rest(b, i);
  }
  b->mode = mode_of(&c, from_rest);
  return true;
}
