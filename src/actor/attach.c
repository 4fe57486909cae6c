/* Actors that stand at joints of others, and the order of evaluation that this asks for. */
#include "actor/stage.h"
#include "base/error.h"

#include <math.h>

bool sinew_actor_attach(sinew_stage *stage, sinew_actor id, sinew_actor to, int joint, const sinew_transform *offset,
                        sinew_error *error) {
  actor *a = stage_find(stage, id), *other = stage_find(stage, to);
  if (!a || (to.id && !other)) {
    error_set(error, "the actor is gone");
    return false;
  }
  if (other && (joint < 0 || joint >= other->model->joint_count)) {
    error_set(error, "'%s' has no joint %d to attach '%s' to", other->name, joint, a->name);
    return false;
  }
  for (const actor *up = other; up; up = stage_find(stage, (sinew_actor){up->attachment.to})) {
    if (up != a) continue;
    error_set(error, "'%s' cannot hang from '%s', which hangs from it", a->name, other->name);
    return false;
  }
  stage->attached += (other != NULL) - (a->attachment.to != 0);
  a->attachment = (attachment){to.id, joint, offset ? *offset : sinew_transform_identity()};
  return true;
}

sinew_actor sinew_actor_attached_to(const sinew_stage *stage, sinew_actor id) {
  const actor *a = stage_find(stage, id);
  return (sinew_actor){a && stage_find(stage, (sinew_actor){a->attachment.to}) ? a->attachment.to : 0};
}

int attachment_depth(const sinew_stage *stage, const actor *a) {
  int depth = 0;
  for (const actor *up = stage_find(stage, (sinew_actor){a->attachment.to}); up;
       up = stage_find(stage, (sinew_actor){up->attachment.to}))
    depth++;
  return depth;
}

void attachment_place(const sinew_stage *stage, actor *a) {
  const actor *other = stage_find(stage, (sinew_actor){a->attachment.to});
  if (!other) return;
  sinew_mat3x4 world = sinew_mat3x4_from_transform(&other->transform);
  sinew_mat3x4 offset = sinew_mat3x4_from_transform(&a->attachment.offset);
  sinew_mat3x4 joint = sinew_mat3x4_multiply(&world, other->joints + a->attachment.joint);
  sinew_mat3x4 placed = sinew_mat3x4_multiply(&joint, &offset);
  a->transform = sinew_transform_from_mat3x4(&placed);
}
