#include "actor/motion/foot_inertia.h"

#include "actor/sync/leg_bend.h"
#include "math/elementary.h"
#include "model/pose_group.h"

#include <math.h>

/* An offset overshoots by up to 2 cm (sinew_inertialize_begin). Heights are stored enlarged by this factor, so that
 * they overshoot less. */
static const float tall = 6;

static sinew_pose pose_of(const feet_pose *feet) {
  return (sinew_pose){(sinew_pose_group *)(uintptr_t)feet->groups, 2 * GAIT_FEET};
}

static sinew_quat rotation_of(const sinew_mat3x4 *m) { return sinew_transform_from_mat3x4(m).rotation; }

static void place_foot(const sinew_pose *all, int i, const sinew_mat3x4 *foot, const sinew_mat3x4 *ball) {
  sinew_transform place = {{ball->m[3], 0, ball->m[11]}, rotation_of(foot), {1, 1, 1}};
  sinew_pose_set_joint(all, i, &place);
  sinew_pose_set_joint(all, GAIT_FEET + i, &(sinew_transform){{0, tall * ball->m[7], 0}, {0, 0, 0, 1}, {1, 1, 1}});
}

feet_pose feet_of(const model_gait *gait, sinew_pose pose) {
  feet_pose feet;
  const sinew_pose all = pose_of(&feet);
  pose_groups_clear(feet.groups, FEET_GROUPS);
  for (int i = 0; i < gait->leg_count; i++) {
    sinew_mat3x4 foot = leg_joint_in(gait->model, pose, gait->legs[i].foot);
    sinew_mat3x4 ball = leg_joint_in(gait->model, pose, gait->legs[i].toes);
    place_foot(&all, i, &foot, &ball);
  }
  for (int i = 0; i < gait->limb_count; i++) {
    sinew_mat3x4 foot = leg_joint_in(gait->model, pose, gait->limbs[i].foot);
    place_foot(&all, i, &foot, &foot);
  }
  return feet;
}

static float height_in(const feet_pose *feet, int side) {
  sinew_pose pose = pose_of(feet);
  return sinew_pose_joint(&pose, GAIT_FEET + side).translation.y / tall;
}

/* Over the ground. */
static float distance_between(const feet_pose *a, const feet_pose *b, int side) {
  sinew_pose from = pose_of(a), to = pose_of(b);
  sinew_transform p = sinew_pose_joint(&from, side), q = sinew_pose_joint(&to, side);
  return float_hypot(q.translation.x - p.translation.x, q.translation.z - p.translation.z);
}

/* The job wants the new motion a gap later: extrapolate it by its last change. */
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
                                                         .output = f->offsets,
                                                         .unit = (float)c->unit});
  for (int i = 0; i < GAIT_FEET; i++) {
    f->begun[i] = height_in(c->from, i);
    f->apart[i] = distance_between(c->from, c->to, i);
  }
}

/* 0 at both ends of the transition, 1 in its middle. */
static float midway(const foot_inertia_job *job) {
  float s = (float)fmin(job->time / job->duration, 1);
  return 16 * s * s * (1 - s) * (1 - s);
}

/* Keeps the foot no lower than it stands at rest, unless it began lower or the new motion takes it lower; a foot that
 * has far to go is lifted on its way, unless it is high already: in a run a heel comes near the hip. */
static sinew_transform goal_of(const foot_inertia_job *job, const feet_pose *shown, const feet_pose *rest, int side) {
  static const float lift = 0.12f, high = 0.25f; /* of the way; metres */
  sinew_pose pose = pose_of(shown);
  sinew_transform goal = sinew_pose_joint(&pose, side);
  float lowest = fminf(fminf(height_in(rest, side), height_in(job->source, side)), job->inertia->begun[side]);
  float y = fmaxf(height_in(shown, side), lowest);
  float low = 1 - ease_smooth(fminf(fmaxf((y - lowest) / (high * (float)job->gait->size), 0), 1));
  goal.translation.y = y + low * lift * job->inertia->apart[side] * midway(job);
  return goal;
}

/* A knee that is straight before and after would snap if the foot, in the air, takes another path than a straight leg:
 * so it bends meanwhile. A knee whose foot stays on its path is left alone. */
static float slack_of(const foot_inertia_job *job, const sinew_transform *goal, const feet_pose *rest, int side) {
  static const float high = 0.04f, far = 0.05f;
  float unit = (float)job->gait->size;
  float up = fminf(fmaxf((goal->translation.y - height_in(rest, side)) / (high * unit), 0), 1);
  return midway(job) * up * up * (3 - 2 * up) * fminf(job->inertia->apart[side] / (far * unit), 1);
}

static void bring_leg(const foot_inertia_job *job, const feet_pose *shown, const feet_pose *rest, int i) {
  sinew_transform goal = goal_of(job, shown, rest, i);
  leg_bring(job->gait->legs + i, &job->posed, goal, slack_of(job, &goal, rest, i));
}

void foot_inertia_apply(const foot_inertia_job *job) {
  const model_gait *gait = job->gait;
  feet_pose shown, rest = feet_of(gait, model_rest_pose(gait->model));
  sinew_inertialize(
      &(sinew_inertialize_job){job->inertia->offsets, job->time, job->duration, pose_of(job->source), pose_of(&shown)});
  sinew_local_to_model(&(sinew_local_to_model_job){gait->model, job->posed.pose, job->posed.joints, 0});
  for (int i = 0; i < gait->leg_count; i++) bring_leg(job, &shown, &rest, i);
  for (int i = 0; i < gait->limb_count; i++) limb_bring(gait->limbs + i, &job->posed, goal_of(job, &shown, &rest, i));
}
