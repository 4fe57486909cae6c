#include "actor/motion/foot_inertia.h"

#include "actor/sync/leg_bend.h"
#include "model/pose_group.h"

#include <math.h>

/* An offset overshoots by up to 2 cm (sinew_inertialize_begin): heights, which are so much larger in there, by less. */
static const float tall = 6;

static sinew_pose pose_of(const feet_pose *feet) {
  return (sinew_pose){(sinew_pose_group *)(uintptr_t)&feet->group, 2 * GAIT_LEGS};
}

static sinew_quat rotation_of(const sinew_mat3x4 *m) { return sinew_transform_from_mat3x4(m).rotation; }

feet_pose feet_of(const model_gait *gait, sinew_pose pose) {
  feet_pose feet;
  pose_groups_clear(&feet.group, 1);
  for (int side = 0; side < gait->leg_count; side++) {
    const leg *l = gait->legs + side;
    sinew_mat3x4 foot = leg_joint_in(gait->model, pose, l->foot), ball = leg_joint_in(gait->model, pose, l->toes);
    pose_group_set(&feet.group, side, &(sinew_transform){{ball.m[3], 0, ball.m[11]}, rotation_of(&foot), {1, 1, 1}});
    pose_group_set(&feet.group, GAIT_LEGS + side,
                   &(sinew_transform){{0, tall * ball.m[7], 0}, {0, 0, 0, 1}, {1, 1, 1}});
  }
  return feet;
}

static float height_in(const feet_pose *feet, int side) {
  sinew_pose pose = pose_of(feet);
  return sinew_pose_joint(&pose, GAIT_LEGS + side).translation.y / tall;
}

/* The job wants the new motion a gap later: as far on as it came. */
void foot_inertia_begin(foot_inertia *f, const foot_inertia_change *c) {
  feet_pose later;
  sinew_pose to = pose_of(c->to), after = pose_of(&later);
  sinew_additive(
      &(sinew_additive_job){.below = to, .pose = to, .reference = pose_of(c->to_before), .weight = 1, .output = after});
  sinew_inertialize_begin(&(sinew_inertialize_begin_job){.from = pose_of(c->from),
                                                         .from_before = pose_of(c->from_before),
                                                         .to = to,
                                                         .to_after = after,
                                                         .dt = c->gap,
                                                         .output = f->offsets});
  for (int side = 0; side < GAIT_LEGS; side++) f->begun[side] = height_in(c->from, side);
}

/* Not lower than a foot stands at rest, unless it began there or the new motion takes it there. */
static sinew_transform goal_of(const foot_inertia_job *job, const feet_pose *shown, const feet_pose *rest, int side) {
  sinew_pose pose = pose_of(shown);
  sinew_transform goal = sinew_pose_joint(&pose, side);
  float lowest = fminf(fminf(height_in(rest, side), height_in(job->source, side)), job->inertia->begun[side]);
  goal.translation.y = fmaxf(height_in(shown, side), lowest);
  return goal;
}

void foot_inertia_apply(const foot_inertia_job *job) {
  const model_gait *gait = job->gait;
  feet_pose shown, rest = feet_of(gait, model_rest_pose(gait->model));
  sinew_inertialize(
      &(sinew_inertialize_job){job->inertia->offsets, job->time, job->duration, pose_of(job->source), pose_of(&shown)});
  sinew_local_to_model(&(sinew_local_to_model_job){gait->model, job->posed.pose, job->posed.joints, 0});
  for (int side = 0; side < gait->leg_count; side++)
    leg_bring(gait->legs + side, &job->posed, goal_of(job, &shown, &rest, side));
}
