/* Actors that are attached to joints of others, and the order of evaluation that this requires. */
#include "actor/play/fade.h"
#include "actor/stage.h"
#include "base/error.h"
#include "math/quat.h"
#include "math/vec3.h"

#include <math.h>

static actor *above(const sinew_stage *stage, const actor *a) {
  return stage_find(stage, (sinew_actor){a->attachment.to});
}

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

bool sinew_actor_attach(sinew_stage *stage, sinew_actor id, sinew_actor to, int joint, const sinew_transform *offset,
                        sinew_error *error) {
  actor *a = stage_find(stage, id), *other = stage_find(stage, to);
  if (stage_closed(stage)) return error_set(error, "nothing can be attached: %s", stage_closed(stage)), false;
  if (!a || (to.id && !other)) {
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
  a->attachment = (attachment){.to = to.id, .joint = joint, .offset = offset ? *offset : sinew_transform_identity()};
  return true;
}

sinew_actor sinew_actor_attached_to(const sinew_stage *stage, sinew_actor id) {
  const actor *a = stage_find(stage, id);
  return (sinew_actor){a && stage_find(stage, (sinew_actor){a->attachment.to}) ? a->attachment.to : 0};
}

bool sinew_actor_attachment(const sinew_stage *stage, sinew_actor id, sinew_actor *to, int *joint,
                            sinew_transform *offset) {
  const actor *a = stage_find(stage, id);
  if (!a || !above(stage, a)) return false;
  *to = (sinew_actor){a->attachment.to};
  *joint = a->attachment.joint;
  *offset = a->attachment.offset;
  return true;
}

/* Finds the attached position, if the other actor has been evaluated; false if it is attached to nothing. */
static bool find_position(const sinew_stage *stage, const actor *a, sinew_mat3x4 *position) {
  const actor *other = stage_find(stage, (sinew_actor){a->attachment.to});
  if (!other) return false;
  sinew_mat3x4 world = sinew_mat3x4_from_transform(&other->transform);
  sinew_mat3x4 offset = sinew_mat3x4_from_transform(&a->attachment.offset);
  sinew_mat3x4 joint = sinew_mat3x4_multiply(&world, other->joints + a->attachment.joint);
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
  const actor *other = stage_find(stage, (sinew_actor){at->to});
  sinew_mat3x4 world = sinew_mat3x4_from_transform(&a->transform);
  if (!other) return world;
  sinew_mat3x4 above = attachment_world(stage, other), offset = sinew_mat3x4_from_transform(&at->offset);
  sinew_mat3x4 joint = sinew_mat3x4_multiply(&above, other->joints + at->joint);
  world = sinew_mat3x4_multiply(&joint, &offset);
  return at->joined < at->join_seconds ? joined_position(a, at->joined + a->step, &world) : world;
}
