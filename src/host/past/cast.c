#include "base/memory/memory.h"
#include "host/past/review.h"

#include <string.h>

void cast_release(cast *c) {
  if (c->stage) sinew_stage_destroy(c->stage);
  mem_free(c->crowds);
  mem_free(c->room);
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
  ring_moment m;
  sinew_pose pose = {c->groups, sinew_model_joint_count(model)};
  sinew_mat3x4 *palette = joints + pose.joint_count;
  sinew_model_rest_pose(model, pose); /* fills the lanes past the last joint, too */
  if (!ring_read(c->ring, c->moment, actor, &m) || !ring_pose(c->ring, c->moment, actor, pose)) return;
  if (!sinew_local_to_model(&(sinew_local_to_model_job){.model = model, .pose = pose, .output = joints}) ||
      !sinew_palette(&(sinew_palette_job){.model = model, .joints = joints, .output = palette}))
    return;
  c->shown[c->shown_count++] = (shown_actor){.actor = actor,
                                             .model = model,
                                             .transform = m.transform,
                                             .opacity = m.opacity,
                                             .palette = palette,
                                             .joints = joints,
                                             .morphs = ring_morphs(c->ring, c->moment, actor)};
}

/* ---- crowds ---- */

static sinew_crowd make_crowd(sinew_stage *stage, const kept_crowd *kept) {
  sinew_crowd_def def = sinew_crowd_def_default();
  sinew_error ignored;
  def.name = kept->name;
  def.model = kept->model;
  def.count = kept->members;
  def.slot_count = SINEW_CROWD_SLOTS;
  def.has_legs = true;
  for (int s = 0; s < SINEW_CROWD_SLOTS; s++) def.clips[s] = -1;
  return sinew_crowd_create(stage, &def, &ignored);
}

/* Reuses the crowd of the previous moment if the sizes match. */
static sinew_crowd_characters take_crowd(const cast *c, cast_crowd *is, const kept_crowd *kept) {
  bool fits = sinew_crowd_model(c->stage, is->shown) == kept->model &&
              sinew_crowd_view(c->stage, is->shown).count == kept->members;
  if (!fits) {
    sinew_crowd_destroy(c->stage, is->shown);
    is->shown = make_crowd(c->stage, kept);
  }
  is->then = kept->crowd;
  return sinew_crowd_view(c->stage, is->shown);
}

static void pose_crowd(cast *c, cast_crowd *is, const kept_crowd *kept) {
  sinew_crowd_characters all = take_crowd(c, is, kept);
  int words = kept->members * kept_crowd_stride(kept);
  if (all.count == 0) return;
  if (array_reserve((void **)&c->room, &c->room_capacity, words, sizeof *c->room))
    kept_crowd_open(kept, c->moment, c->room, &all);
  else memset(all.visible, 0, (size_t)all.count);
}

static bool reserve_crowds(cast *c, int wanted) {
  sinew_error ignored;
  for (; c->crowd_count > wanted; c->crowd_count--) sinew_crowd_destroy(c->stage, c->crowds[c->crowd_count - 1].shown);
  if (wanted > 0 && !c->stage) c->stage = sinew_stage_create(&ignored);
  if (!c->stage || !array_reserve((void **)&c->crowds, &c->crowd_capacity, wanted, sizeof *c->crowds)) return false;
  while (c->crowd_count < wanted) c->crowds[c->crowd_count++] = (cast_crowd){0};
  return true;
}

static void pose_crowds(cast *c) {
  int wanted = ring_crowd_count(c->ring, c->moment);
  if (!reserve_crowds(c, wanted)) reserve_crowds(c, wanted = 0);
  for (int i = 0; i < wanted; i++) pose_crowd(c, c->crowds + i, ring_crowd(c->ring, c->moment, i));
  if (wanted > 0) sinew_stage_update(c->stage, 0);
}

void cast_pose(cast *c, const ring *kept, double time) {
  int64_t moment = ring_find(kept, time);
  if (c->ring == kept && moment == c->moment) return;
  c->ring = kept;
  c->moment = moment;
  c->shown_count = 0;
  pose_crowds(c);
  if (!reserve(c)) return;
  sinew_mat3x4 *next = c->matrices;
  for (int i = 0; i < ring_actor_count(kept, moment); i++) {
    sinew_actor actor = ring_actor(kept, moment, i);
    const sinew_model *model = ring_model(kept, moment, actor);
    pose_actor(c, actor, next);
    next += sinew_model_joint_count(model) + sinew_model_palette_count(model);
  }
}
