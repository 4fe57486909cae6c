#include "actor/motion/foot_inertia.h"

#include "actor/sync/leg_bend.h"
#include "model/pose_group.h"

static sinew_pose pose_of(const feet_pose *feet) {
  return (sinew_pose){(sinew_pose_group *)(uintptr_t)&feet->group, GAIT_LEGS};
}

static sinew_quat rotation_of(const sinew_mat3x4 *m) { return sinew_transform_from_mat3x4(m).rotation; }

feet_pose feet_of(const model_gait *gait, sinew_pose pose) {
  feet_pose feet;
  pose_groups_clear(&feet.group, 1);
  for (int side = 0; side < gait->leg_count; side++) {
    const leg *l = gait->legs + side;
    sinew_mat3x4 foot = leg_joint_in(gait->model, pose, l->foot), ball = leg_joint_in(gait->model, pose, l->toes);
    pose_group_set(&feet.group, side,
                   &(sinew_transform){{ball.m[3], ball.m[7], ball.m[11]}, rotation_of(&foot), {1, 1, 1}});
  }
  return feet;
}

/* The job wants the new motion a gap later: as far on as it came. */
void foot_inertia_begin(sinew_inertia_group *offsets, const foot_inertia_change *c) {
  feet_pose later;
  sinew_pose to = pose_of(c->to), after = pose_of(&later);
  sinew_additive(
      &(sinew_additive_job){.below = to, .pose = to, .reference = pose_of(c->to_before), .weight = 1, .output = after});
  sinew_inertialize_begin(&(sinew_inertialize_begin_job){.from = pose_of(c->from),
                                                         .from_before = pose_of(c->from_before),
                                                         .to = to,
                                                         .to_after = after,
                                                         .dt = c->gap,
                                                         .output = offsets});
}

void foot_inertia_apply(const sinew_inertia_group *offsets, double time, double duration, const model_gait *gait,
                        const feet_pose *source, sinew_pose pose, sinew_mat3x4 *joints) {
  feet_pose shown;
  sinew_pose feet = pose_of(&shown);
  sinew_posed posed = {gait->model, pose, joints};
  sinew_inertialize(&(sinew_inertialize_job){offsets, time, duration, pose_of(source), feet});
  sinew_local_to_model(&(sinew_local_to_model_job){gait->model, pose, joints, 0});
  for (int side = 0; side < gait->leg_count; side++)
    leg_bring(gait->legs + side, &posed, sinew_pose_joint(&feet, side));
}
