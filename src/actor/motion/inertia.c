#include "actor/motion/inertia.h"

#include "actor/motion/levers.h"
#include "actor/scratch.h"
#include "actor/sync/leg_bend.h"
#include "base/memory/memory.h"
#include "math/elementary.h"
#include "model/model.h"
#include "model/pose_group.h"

#include <math.h>

enum { FEET_GROUPS = 2 * GAIT_FEET / SINEW_LANES };

/* The feet of a pose, stored as a pose: joint i has the ball's position over the ground and the foot's rotation, joint
 * GAIT_FEET + i the ball's height. */
typedef struct feet_pose {
  sinew_pose_group groups[FEET_GROUPS];
} feet_pose;

typedef struct foot_inertia_change {
  const feet_pose *from, *from_before, *to, *to_before;
  double gap;  /* seconds from each `before` pose to the other */
  double unit; /* the size in model_gait */
} foot_inertia_change;

typedef struct foot_inertia_job {
  const foot_inertia *inertia;
  const model_gait *gait;
  double time, duration;
  const feet_pose *source; /* the feet in the new motion */
  sinew_posed posed;       /* the pose whose limbs are bent; its matrices are scratch */
} foot_inertia_job;

/* Feet that continue as they were shown, and move softly to the new motion.  The offsets of hip, knee and ankle decay
 * independently, which would throw the foot: a knee turning at 13 rad/s and a hip at 9 hold a foot still only while
 * both last. So the ball of each foot and the foot's rotation have their own offset, in model space, and the limb is
 * bent to match. Heights have one, too; otherwise the rest of a stride would push a foot down, where the ground stops
 * it. */

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

static feet_pose feet_of(const model_gait *gait, sinew_pose pose) {
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
static void foot_inertia_begin(foot_inertia *f, const foot_inertia_change *c) {
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

/* Adds the rest of the offset to the feet of the source, and bends the limbs to match. */
static void foot_inertia_apply(const foot_inertia_job *job) {
  const model_gait *gait = job->gait;
  feet_pose shown, rest = feet_of(gait, model_rest_pose(gait->model));
  sinew_inertialize(
      &(sinew_inertialize_job){job->inertia->offsets, job->time, job->duration, pose_of(job->source), pose_of(&shown)});
  sinew_local_to_model(&(sinew_local_to_model_job){gait->model, job->posed.pose, job->posed.joints, 0});
  for (int i = 0; i < gait->leg_count; i++) bring_leg(job, &shown, &rest, i);
  for (int i = 0; i < gait->limb_count; i++) limb_bring(gait->limbs + i, &job->posed, goal_of(job, &shown, &rest, i));
}

/* ---- inertia ---- */

/* Two poses closer than this in time give no velocity. */
static const double least_gap = 1e-6;

/* Files often scale the joint above the hips, or one above that, and give the body's lengths in another unit. */
static float scale_of_body(const sinew_model *model) {
  int body = 0, children = 1;
  while (children == 1 && body + 1 < model->joint_count) {
    children = 0;
    for (int i = body + 1; i < model->joint_count; i++) children += model->parents[i] == body;
    if (children == 1 && model->parents[body + 1] == body) body++;
    else children = 0;
  }
  sinew_mat3x4 m = leg_joint_in(model, model_rest_pose(model), body);
  float scale = sqrtf(m.m[0] * m.m[0] + m.m[4] * m.m[4] + m.m[8] * m.m[8]);
  return scale > 0 && isfinite(scale) ? scale : 1;
}

static void measure_body(inertia *i, const sinew_model *model) {
  i->scale = scale_of_body(model);
  for (int k = 0; k < model->joint_count; k++) i->levers[k] /= i->scale;
}

bool inertia_reserve(inertia *i, const sinew_model *model, sinew_pose now, sinew_pose before, int count) {
  if (i->groups) return true;
  size_t groups = (size_t)sinew_pose_group_count(now.joint_count);
  sinew_pose_group *poses = mem_alloc_array(2 * groups, sizeof *poses);
  i->groups = mem_alloc_array(groups + FEET_GROUPS, sizeof *i->groups);
  i->levers = levers_find(model);
  if (!poses || !i->groups || !i->levers) {
    mem_free(poses);
    mem_free(i->groups);
    mem_free(i->levers);
    i->groups = NULL;
    i->levers = NULL;
    return false;
  }
  measure_body(i, model);
  i->shown[0] = (sinew_pose){poses, now.joint_count};
  i->shown[1] = (sinew_pose){poses + groups, now.joint_count};
  pose_copy(i->shown[0], now);
  pose_copy(i->shown[1], before);
  i->shown_count = count;
  return true;
}

void inertia_follow(inertia *i, const inertia *other) {
  for (int k = 0; k < 2; k++) pose_copy(i->shown[k], other->shown[k]);
  i->shown_count = other->shown_count;
  i->step = other->step;
}

void inertia_reset(inertia *i) {
  sinew_pose_group *low = i->shown[0].groups < i->shown[1].groups ? i->shown[0].groups : i->shown[1].groups;
  mem_free(low);
  mem_free(i->groups);
  mem_free(i->levers);
  *i = (inertia){0};
}

void inertia_request(inertia *i, double seconds, bool stands) {
  if (!i->groups || !(seconds > i->requested)) return;
  i->requested = seconds;
  i->stands = stands;
}

void inertia_advance(inertia *i, double dt) {
  i->gap = i->step;
  i->step = dt > 0 ? dt : 0;
  i->time += i->step;
}

bool inertia_begins(const inertia *i) { return i->groups && i->requested >= least_gap; }

bool inertia_is_idle(const inertia *i) { return !i->groups || (!inertia_begins(i) && i->time >= i->duration); }

static void begin_feet(inertia *i, const model_gait *gait, bool moves, sinew_pose to, sinew_pose to_before) {
  bool has = gait && gait->leg_count + gait->limb_count > 0;
  i->feet.offsets = has ? i->groups + sinew_pose_group_count(i->shown[0].joint_count) : NULL;
  if (!has) return;
  feet_pose from = feet_of(gait, i->shown[0]), from_before = feet_of(gait, i->shown[1]);
  feet_pose goal = feet_of(gait, to), goal_before = feet_of(gait, to_before);
  foot_inertia_begin(&i->feet, &(foot_inertia_change){.from = &from,
                                                      .from_before = moves ? &from_before : &from,
                                                      .to = &goal,
                                                      .to_before = moves ? &goal_before : &goal,
                                                      .gap = moves ? i->gap : least_gap,
                                                      .unit = i->unit});
}

/* The job wants the source a gap later: extrapolate it from `to_before` and `to`. */
void inertia_begin(inertia *i, const model_gait *gait, sinew_pose to, sinew_pose to_before) {
  bool moves = !i->stands && i->shown_count == 2 && i->gap >= least_gap;
  begin_feet(i, gait, moves, to, to_before);
  sinew_additive(
      &(sinew_additive_job){.below = to, .pose = to, .reference = to_before, .weight = 1, .output = to_before});
  sinew_inertialize_begin(&(sinew_inertialize_begin_job){.from = i->shown[0],
                                                         .from_before = moves ? i->shown[1] : i->shown[0],
                                                         .to = to,
                                                         .to_after = moves ? to_before : to,
                                                         .dt = moves ? i->gap : least_gap,
                                                         .levers = i->levers,
                                                         .output = i->groups,
                                                         .unit = (float)i->unit / i->scale});
  i->time = i->step;
  i->duration = i->requested;
  i->requested = 0;
}

void inertia_add(const inertia *i, const model_gait *gait, double time, sinew_pose pose, sinew_mat3x4 *joints) {
  feet_pose source;
  bool feet = i->feet.offsets && gait;
  if (!i->groups || !(time < i->duration)) return;
  if (feet) source = feet_of(gait, pose);
  sinew_inertialize(&(sinew_inertialize_job){i->groups, time, i->duration, pose, pose});
  if (feet)
    foot_inertia_apply(&(foot_inertia_job){&i->feet, gait, time, i->duration, &source, {gait->model, pose, joints}});
}

void inertia_apply(inertia *i, const model_gait *gait, sinew_pose pose, sinew_mat3x4 *joints) {
  if (!i->groups) return;
  i->requested = 0;
  inertia_add(i, gait, i->time, pose, joints);
  sinew_pose oldest = i->shown[1];
  i->shown[1] = i->shown[0];
  i->shown[0] = oldest;
  pose_copy(oldest, pose);
  if (i->shown_count < 2) i->shown_count++;
}

/* ---- the offset of replaced modifiers ---- */

bool inertia_offset_request(inertia_offset *s, int joint_count, double seconds) {
  size_t groups = (size_t)sinew_pose_group_count(joint_count);
  if (!s->groups) s->groups = mem_alloc_array(groups, sizeof *s->groups);
  if (!s->poses) s->poses = mem_alloc_array(2 * groups, sizeof *s->poses);
  bool room = s->groups && s->poses;
  if (room && seconds > s->requested) s->requested = seconds;
  return room;
}

void inertia_offset_reset(inertia_offset *s) {
  mem_free(s->groups);
  mem_free(s->poses);
  *s = (inertia_offset){0};
}

bool inertia_offset_begins(const inertia_offset *s) { return s->requested >= least_gap; }

bool inertia_offset_is_idle(const inertia_offset *s) { return !inertia_offset_begins(s) && s->time >= s->duration; }

/* The pose `shown` as it was `dt` ago, with the offset that it had then. */
static sinew_pose shown_before(const inertia_offset *s, sinew_pose shown, double dt, sinew_pose pose) {
  size_t groups = (size_t)sinew_pose_group_count(shown.joint_count);
  sinew_pose late = {s->poses, shown.joint_count}, early = {s->poses + groups, shown.joint_count};
  if (s->time >= s->duration || dt < least_gap) return shown;
  sinew_inertialize(&(sinew_inertialize_job){s->groups, s->time - dt, s->duration, pose, late});
  sinew_inertialize(&(sinew_inertialize_job){s->groups, s->time - 2 * dt, s->duration, pose, early});
  sinew_additive(&(sinew_additive_job){.below = shown, .pose = early, .reference = late, .weight = 1, .output = early});
  return early;
}

void inertia_offset_begin(inertia_offset *s, sinew_pose shown, const inertia *blend, double dt, sinew_pose pose) {
  sinew_additive(&(sinew_additive_job){
      .below = shown, .pose = blend->shown[0], .reference = blend->shown[1], .weight = 1, .output = shown});
  sinew_inertialize_begin(&(sinew_inertialize_begin_job){.from = shown,
                                                         .from_before = shown_before(s, shown, dt, pose),
                                                         .to = pose,
                                                         .to_after = pose,
                                                         .dt = fmax(dt, least_gap),
                                                         .levers = blend->levers,
                                                         .output = s->groups,
                                                         .unit = (float)blend->unit / blend->scale});
  s->time = dt;
  s->duration = s->requested;
  s->requested = 0;
}

void inertia_offset_apply(inertia_offset *s, double dt, sinew_pose pose) {
  sinew_inertialize(&(sinew_inertialize_job){s->groups, s->time, s->duration, pose, pose});
  s->time += dt;
}
