/* Look-at: turns a chain of joints (spine, neck, head) so that the last one faces a target. */
#include "actor/modifiers/kinds.h"
#include "math/elementary.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "pose/modifiers/posed.h"

#include <math.h>

static sinew_vec3 turn_between(sinew_vec3 from, sinew_vec3 to) {
  sinew_quat q = quat_between(from, to);
  sinew_vec3 axis = {q.x, q.y, q.z};
  float sine = vec3_length(axis), angle = 2 * float_atan2(sine, q.w);
  return sine > 0 ? vec3_scale(axis, angle / sine) : axis;
}

static sinew_vec3 turned(sinew_vec3 direction, sinew_vec3 turn) {
  float angle = vec3_length(turn);
  return angle > 0 ? quat_rotate(sinew_quat_from_axis_angle(turn, angle), direction) : direction;
}

/* The exact step of a critically damped spring whose half-life h makes y = 2 ln 2 / h. The remainder ends at zero,
 * never as a denormal number. */
static void draw(modifier_gaze *g, double dt, double half_life) {
  static const float least_angle = 1e-7f, least_speed = 1e-6f;
  double y = 1.3862943611198906 / half_life, left = sinew_exp(-y * dt);
  sinew_vec3 j = vec3_add_scaled(g->velocity, (float)y, g->offset);
  g->offset = vec3_scale(vec3_add_scaled(g->offset, (float)dt, j), (float)left);
  g->velocity = vec3_scale(vec3_add_scaled(g->velocity, (float)(-y * dt), j), (float)left);
  if (vec3_length(g->offset) < least_angle && vec3_length(g->velocity) < least_speed)
    g->offset = g->velocity = (sinew_vec3){0, 0, 0};
}

static bool is_zero(sinew_vec3 v) { return v.x == 0 && v.y == 0 && v.z == 0; }

/* An arc is at most π/2 times its chord, so the chord mostly decides. */
static bool jumps(const modifier *m, sinew_vec3 goal, double dt) {
  float most = m->def.turn_rate * (float)dt + 1e-4f;
  if (!m->gaze.known) return true;
  return 1.5708f * vec3_distance(m->gaze.goal, goal) > most && vec3_length(turn_between(m->gaze.goal, goal)) > most;
}

/* The direction of the gaze for a goal; at first the pose's own, `ahead`. */
static sinew_vec3 look(modifier *m, sinew_vec3 ahead, sinew_vec3 goal, double dt) {
  modifier_gaze *g = &m->gaze;
  if (jumps(m, goal, dt)) g->offset = turn_between(goal, g->known ? turned(g->goal, g->offset) : ahead);
  g->goal = goal;
  g->known = true;
  if (is_zero(g->offset) && is_zero(g->velocity)) return goal;
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

/* The point to look at, in the world; false if the pose stays as it is. */
static bool find_point(modifier *m, const modifier_frame *f, sinew_vec3 *point) {
  bool has = !isnan(m->def.target.x);
  if (!has && !m->gaze.aims && is_settled(m)) {
    m->gaze.known = false;
    return false;
  }
  m->gaze.aims = has;
  if (has && m->def.half_life <= 0) return true;
  sinew_mat3x4 eye = sinew_mat3x4_multiply(&f->world, f->posed.joints + m->joints[m->def.joint_count - 1]);
  sinew_vec3 position = {eye.m[3], eye.m[7], eye.m[11]}, ahead = direction_of(&eye, m->def.forward);
  sinew_vec3 direction = has ? vec3_sub(m->def.target, position) : vec3_scale(ahead, 10);
  sinew_vec3 goal = vec3_unit(direction, ahead), shown = m->def.half_life <= 0 ? goal : look(m, ahead, goal, f->dt);
  *point = vec3_add_scaled(position, vec3_length(direction), shown);
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
  if (!runs) return sinew_aim_check(&job);
  if (!vec3_is_finite(job.target)) return NULL;
  look_at_turn(&job);
  modifier_turned(f, job.chain[0]);
  return NULL;
}

static int deepest(const modifier *m) { return m->joints[m->def.joint_count - 1]; }

static const modifier_value values[] = {
    MODIFIER_VALUE(target),        MODIFIER_VALUE(forward),   MODIFIER_VALUE(up),        MODIFIER_VALUE(limit),
    MODIFIER_VALUE(joint_weights), MODIFIER_VALUE(half_life), MODIFIER_VALUE(turn_rate), {0}};

const modifier_kind modifier_look_at = {
    .least_joints = 1, .aims = true, .settles = true, .deepest = deepest, .job = job, .values = values};
