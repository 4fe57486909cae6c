/* Actors that are attached to joints of others, and the order of evaluation that this requires. */
#include "actor/play/fade.h"
#include "actor/stage.h"
#include "base/error.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "model/model.h"

#include <math.h>

static actor *above(const sinew_stage *stage, const actor *a) { return stage_find(stage, a->attachment.asked.to); }

static bool is_too_long(const sinew_stage *stage, const actor *a, const actor *other) {
  int count = 1 + a->below;
  for (; other && count < SINEW_ATTACH_MOST; other = above(stage, other)) count++;
  return other;
}

static void count_above(const sinew_stage *stage, const actor *a, actor *other) {
  for (int below = a->below + 1; other && other->below < below; below++) {
    other->below = below;
    other = above(stage, other);
  }
}

sinew_attachment sinew_attachment_default(void) { return (sinew_attachment){.offset = sinew_transform_identity()}; }

bool sinew_actor_attach(sinew_stage *stage, sinew_actor id, const sinew_attachment *asked, sinew_error *error) {
  actor *a = stage_find(stage, id), *other = stage_find(stage, asked->to);
  int joint = asked->joint;
  if (stage_closed(stage)) return error_set(error, "nothing can be attached: %s", stage_closed(stage)), false;
  if (!a || (asked->to.id && !other)) {
    error_set(error, "the actor is gone");
    return false;
  }
  if (other && (joint < 0 || joint >= other->model->joint_count)) {
    error_set(error, "'%s' has no joint %d to attach '%s' to", other->name, joint, a->name);
    return false;
  }
  if (other && (other == a || attachment_hangs(stage, other, a)))
    return error_set(error, "'%s' cannot be attached to '%s', which is attached to it", a->name, other->name), false;
  if (other && actor_waits_for(stage, other, a)) {
    error_set(error,
              "'%s' cannot be attached to '%s', whose modifiers have a target on it or on an actor that "
              "waits for it",
              a->name, other->name);
    return false;
  }
  if (is_too_long(stage, a, other))
    return error_set(error,
                     "'%s' cannot be attached to '%s': more than %d actors would be attached one to the "
                     "other",
                     a->name, other->name, SINEW_ATTACH_MOST),
           false;
  stage->waves_stale = true;
  count_above(stage, a, other);
  if (other) actor_follow(other);
  a->attachment = (attachment){.asked = *asked};
  return true;
}

bool sinew_actor_attachment(const sinew_stage *stage, sinew_actor id, sinew_attachment *asked) {
  const actor *a = stage_find(stage, id);
  if (!a || !above(stage, a)) return false;
  *asked = a->attachment.asked;
  return true;
}

/* ---- positions ---- */

static sinew_mat3x4 rest_of(const sinew_model *model, int joint) {
  sinew_mat3x4 placed = sinew_mat3x4_identity();
  for (int i = joint; i >= 0; i = model->parents[i]) {
    sinew_transform local = sinew_model_joint_rest(model, i);
    sinew_mat3x4 matrix = sinew_mat3x4_from_transform(&local);
    placed = sinew_mat3x4_multiply(&matrix, &placed);
  }
  return placed;
}

/* The joint of the other actor, whose transform is `world`. The lengths of the rest matrix's axes are its scale. */
static sinew_mat3x4 frame_of(const actor *a, const actor *other, const sinew_mat3x4 *world) {
  static const float even = 1e-5f;
  sinew_mat3x4 frame = sinew_mat3x4_multiply(world, other->joints + a->attachment.asked.joint);
  if (a->attachment.asked.joint_scale) return frame;
  sinew_mat3x4 rest = rest_of(other->model, a->attachment.asked.joint);
  for (int axis = 0; axis < 3; axis++) {
    float scale = vec3_length((sinew_vec3){rest.m[axis], rest.m[4 + axis], rest.m[8 + axis]});
    if (!(scale > 0) || fabsf(scale - 1) < even) continue;
    for (int row = 0; row < 3; row++) frame.m[4 * row + axis] /= scale;
  }
  return frame;
}

bool sinew_actor_attached_at(const sinew_stage *stage, sinew_actor id, sinew_mat3x4 *at) {
  const actor *a = stage_find(stage, id), *other = a ? above(stage, a) : NULL;
  if (!other) return false;
  sinew_mat3x4 world = sinew_mat3x4_from_transform(&other->transform);
  *at = frame_of(a, other, &world);
  return true;
}

/* Finds the attached position, if the other actor has been evaluated; false if it is attached to nothing. */
static bool find_position(const sinew_stage *stage, const actor *a, sinew_mat3x4 *position) {
  sinew_mat3x4 joint, offset = sinew_mat3x4_from_transform(&a->attachment.asked.offset);
  if (!sinew_actor_attached_at(stage, (sinew_actor){a->id}, &joint)) return false;
  *position = sinew_mat3x4_multiply(&joint, &offset);
  return true;
}

void attachment_join(const sinew_stage *stage, actor *a, double seconds) {
  sinew_mat3x4 position, inverse, was = sinew_mat3x4_from_transform(&a->transform);
  if (!find_position(stage, a, &position) || !sinew_mat3x4_inverse(&position, &inverse)) return;
  was = sinew_mat3x4_multiply(&inverse, &was);
  a->attachment.join = sinew_transform_from_mat3x4(&was);
  a->attachment.joined = 0;
  a->attachment.join_seconds = seconds;
}

/* The displacement from the attached position to the old one shrinks over time, while the other actor moves. */
static sinew_mat3x4 joined_position(const actor *a, double joined, const sinew_mat3x4 *position) {
  const attachment *at = &a->attachment;
  float left = 1 - (float)ease(SINEW_EASE_IN_OUT, joined / at->join_seconds);
  sinew_transform none = sinew_transform_identity();
  sinew_transform offset = {vec3_lerp(none.translation, at->join.translation, left),
                            quat_nlerp(none.rotation, at->join.rotation, left),
                            vec3_lerp(none.scale, at->join.scale, left)};
  sinew_mat3x4 matrix = sinew_mat3x4_from_transform(&offset);
  return sinew_mat3x4_multiply(position, &matrix);
}

void attachment_position(const sinew_stage *stage, actor *a) {
  sinew_mat3x4 position;
  if (!find_position(stage, a, &position)) return;
  attachment *at = &a->attachment;
  if (at->joined < at->join_seconds) position = joined_position(a, at->joined += a->step, &position);
  a->transform = sinew_transform_from_mat3x4(&position);
}

/* An attached actor is placed only after those above it are evaluated, but it may be asked for earlier. */
sinew_mat3x4 attachment_world(const sinew_stage *stage, const actor *a) {
  const attachment *at = &a->attachment;
  const actor *other = stage_find(stage, at->asked.to);
  sinew_mat3x4 world = sinew_mat3x4_from_transform(&a->transform);
  if (!other) return world;
  sinew_mat3x4 above = attachment_world(stage, other), offset = sinew_mat3x4_from_transform(&at->asked.offset);
  sinew_mat3x4 joint = frame_of(a, other, &above);
  world = sinew_mat3x4_multiply(&joint, &offset);
  return at->joined < at->join_seconds ? joined_position(a, at->joined + a->step, &world) : world;
}

/* ---- targets that follow joints ---- */

/* The joint's current position; if it is not available in this update, returns false, and the target stays. */
bool modifier_find_target(const sinew_stage *stage, const actor *a, const joint_target *target, sinew_vec3 *point) {
  const actor *other = target->to ? stage_find(stage, (sinew_actor){target->to}) : NULL;
  if (!other || target->joint >= other->model->joint_count) return false;
  bool own = other == a || attachment_hangs(stage, other, a);
  if (!own && other->wave >= a->wave) return false;
  sinew_mat3x4 world = attachment_world(stage, other);
  const float *m = other->joints[target->joint].m;
  *point = sinew_mat3x4_transform_point(&world, (sinew_vec3){m[3], m[7], m[11]});
  return true;
}
