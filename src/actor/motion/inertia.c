#include "actor/motion/inertia.h"

#include "actor/motion/levers.h"
#include "actor/scratch.h"
#include "actor/sync/leg_bend.h"
#include "base/memory/memory.h"
#include "model/model.h"
#include "model/pose_group.h"

#include <math.h>

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
