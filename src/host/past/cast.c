#include "base/memory/array.h"
#include "base/memory/memory.h"
#include "host/past/review.h"

void cast_release(cast *c) {
  mem_free(c->shown);
  mem_free(c->matrices);
  mem_free(c->groups);
  *c = (cast){0};
}

static bool reserve(cast *c) {
  int count = ring_actor_count(c->ring, c->moment), matrices = 0, groups = 0;
  for (int i = 0; i < count; i++) {
    const sinew_model *model = ring_model(c->ring, c->moment, ring_actor(c->ring, c->moment, i));
    int joints = sinew_model_joint_count(model);
    matrices += joints + sinew_model_palette_count(model);
    if (sinew_pose_group_count(joints) > groups) groups = sinew_pose_group_count(joints);
  }
  return array_reserve((void **)&c->shown, &c->shown_capacity, count, sizeof *c->shown) &&
         array_reserve((void **)&c->matrices, &c->matrix_capacity, matrices, sizeof *c->matrices) &&
         array_reserve((void **)&c->groups, &c->group_capacity, groups, sizeof *c->groups);
}

static void pose_actor(cast *c, sinew_actor actor, sinew_mat3x4 *joints) {
  sinew_model *model = ring_model(c->ring, c->moment, actor);
  const ring_moment *m = ring_read(c->ring, c->moment, actor);
  sinew_pose pose = {c->groups, sinew_model_joint_count(model)};
  sinew_mat3x4 *palette = joints + pose.joint_count;
  sinew_model_rest_pose(model, pose); /* lanes past the last joint, too */
  if (!ring_pose(c->ring, c->moment, actor, pose)) return;
  if (!sinew_local_to_model(&(sinew_local_to_model_job){.model = model, .pose = pose, .output = joints}) ||
      !sinew_palette(&(sinew_palette_job){.model = model, .joints = joints, .output = palette}))
    return;
  c->shown[c->shown_count++] = (shown_actor){.actor = actor,
                                             .model = model,
                                             .transform = m->place,
                                             .opacity = m->opacity,
                                             .palette = palette,
                                             .joints = joints,
                                             .morphs = ring_morphs(c->ring, c->moment, actor)};
}

void cast_pose(cast *c, const ring *kept, double time) {
  int64_t moment = ring_find(kept, time);
  if (c->ring == kept && moment == c->moment) return;
  c->ring = kept;
  c->moment = moment;
  c->shown_count = 0;
  if (!reserve(c)) return;
  sinew_mat3x4 *next = c->matrices;
  for (int i = 0; i < ring_actor_count(kept, moment); i++) {
    sinew_actor actor = ring_actor(kept, moment, i);
    const sinew_model *model = ring_model(kept, moment, actor);
    pose_actor(c, actor, next);
    next += sinew_model_joint_count(model) + sinew_model_palette_count(model);
  }
}
