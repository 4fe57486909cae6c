/* Aim (look_at): a chain of joints that looks at a target. */
#include "actor/modifiers/kinds.h"
#include "math/quat.h"
#include "math/vec3.h"

#include <math.h>

static sinew_vec3 turn_between(sinew_vec3 from, sinew_vec3 to) {
  sinew_quat q = quat_between(from, to);
  sinew_vec3 axis = {q.x, q.y, q.z};
  float sine = vec3_length(axis), angle = 2 * atan2f(sine, q.w);
  return sine > 0 ? vec3_scale(axis, angle / sine) : axis;
}

static sinew_vec3 turned(sinew_vec3 direction, sinew_vec3 turn) {
  float angle = vec3_length(turn);
  return angle > 0 ? quat_rotate(sinew_quat_from_axis_angle(turn, angle), direction) : direction;
}

/* The exact step of a critically damped spring whose half-life h makes y = 2 ln 2 / h. */
static void draw(modifier_gaze *g, double dt, double half_life) {
  double y = 1.3862943611198906 / half_life, left = exp(-y * dt);
  sinew_vec3 j = vec3_add_scaled(g->velocity, (float)y, g->offset);
  g->offset = vec3_scale(vec3_add_scaled(g->offset, (float)dt, j), (float)left);
  g->velocity = vec3_scale(vec3_add_scaled(g->velocity, (float)(-y * dt), j), (float)left);
}

/* Where it looks, for a goal; at first where the pose does. */
static sinew_vec3 look(modifier *m, sinew_vec3 ahead, sinew_vec3 goal, double dt) {
  modifier_gaze *g = &m->gaze;
  if (m->def.half_life <= 0) return goal;
  sinew_vec3 shown = g->known ? turned(g->goal, g->offset) : ahead;
  bool jumps = !g->known || vec3_length(turn_between(g->goal, goal)) > m->def.turn_rate * (float)dt + 1e-4f;
  if (jumps) g->offset = turn_between(goal, shown);
  g->goal = goal;
  g->known = true;
  draw(g, dt, (double)m->def.half_life);
  return turned(goal, g->offset);
}

static bool is_settled(const modifier *m) {
  return !m->gaze.known || m->def.half_life <= 0 || vec3_length(m->gaze.offset) < 1e-3f;
}

static sinew_vec3 direction_of(const sinew_mat3x4 *m, sinew_vec3 v) {
  sinew_vec3 zero = sinew_mat3x4_transform_point(m, (sinew_vec3){0, 0, 0});
  return vec3_unit(vec3_sub(sinew_mat3x4_transform_point(m, v), zero), (sinew_vec3){0, 0, 1});
}

/* The point to look at, in the world; false where the pose stays as it is. */
static bool find_point(modifier *m, const modifier_frame *f, sinew_vec3 *point) {
  sinew_mat3x4 eye = sinew_mat3x4_multiply(&f->world, f->posed.joints + m->joints[m->def.joint_count - 1]);
  sinew_vec3 position = {eye.m[3], eye.m[7], eye.m[11]}, ahead = direction_of(&eye, m->def.forward);
  bool has = !isnan(m->def.target.x);
  sinew_vec3 direction = has ? vec3_sub(m->def.target, position) : vec3_scale(ahead, 10);
  if (!has && !m->gaze.aims && is_settled(m)) {
    m->gaze.known = false;
    return false;
  }
  m->gaze.aims = has;
  *point = vec3_add_scaled(position, vec3_length(direction), look(m, ahead, vec3_unit(direction, ahead), f->dt));
  return true;
}

static const char *job(modifier *m, const modifier_frame *f, bool runs) {
  sinew_vec3 point = m->def.target;
  if (runs && !find_point(m, f, &point)) return NULL;
  if (!(m->def.half_life >= 0 && m->def.turn_rate >= 0)) return "its half-life and its turn rate are not 0 or more";
  sinew_aim_job job = {.posed = f->posed,
                       .chain = m->joints,
                       .count = m->def.joint_count,
                       .joint_weights = m->joint_weights,
                       .forward = m->def.forward,
                       .up = m->def.up,
                       .target = modifier_into_model(f, point),
                       .limit = m->def.limit,
                       .weight = m->def.weight};
  CHECK_OR_RUN(aim);
}

static const modifier_value values[] = {
    MODIFIER_VALUE(target),        MODIFIER_VALUE(forward),   MODIFIER_VALUE(up),        MODIFIER_VALUE(limit),
    MODIFIER_VALUE(joint_weights), MODIFIER_VALUE(half_life), MODIFIER_VALUE(turn_rate), {0}};

const modifier_kind modifier_aim = {.least_joints = 1, .aims = true, .settles = true, .job = job, .values = values};
