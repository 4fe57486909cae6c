/* Planting: feet on uneven ground. Each foot follows the plane under it (foothold.c), foot locking keeps it in place
 * (foot_lock.c), and the pelvis follows what the feet will need. Everything that is added to the pose is the value of a
 * spring, so none of it jumps, and on level ground all of it is 0. */
#include "actor/modifiers/foot_lock.h"
#include "actor/modifiers/foothold.h"
#include "actor/modifiers/kinds.h"
#include "actor/stage.h"
#include "math/elementary.h"
#include "math/vec3.h"
#include "pose/modifiers/posed.h"

#include <math.h>

/* Half-lives in seconds: of the actor's mean velocity, and of its height, whose rate is how fast it climbs. */
static const double velocity_life = 0.05, climb_life = 0.25;
/* The ground whose rise is followed is so many seconds ahead of the actor: as many as the spring is late. */
static const float climb_lead = 0.35f;
/* Of ground that the caller sets. */
static const double given_life = 0.04;
/* A longer step in one frame is a jump to another position. */
static const float farthest_step = 1;

/* ---- the actor ---- */

/* World lengths of a metre of a figure of size 1. */
static float scale_of(const modifier_frame *f) {
  float scale = fabsf(sinew_transform_from_mat3x4(&f->world).scale.y);
  return (float)gait_size(f->of->gait) * (scale > 1e-6f ? scale : 1);
}

static sinew_vec3 place_of(const modifier_frame *f) {
  return (sinew_vec3){f->world.m[3], f->world.m[7], f->world.m[11]};
}

static void follow_actor(modifier *m, const modifier_frame *f) {
  planted_body *b = &m->body;
  sinew_vec3 at = place_of(f), none = {0, 0, 0};
  bool has_ground = m->def.ground;
  float yaw = float_atan2(f->world.m[2], f->world.m[10]);
  if (!b->known || b->has_ground != has_ground)
    *b = (planted_body){
        .known = true, .has_ground = has_ground, .at = at, .yaw = yaw, .root = {at.y, 0}, .pelvis = {NAN, 0}};
  sinew_vec3 velocity = f->dt > 0 ? vec3_scale(vec3_sub(at, b->at), (float)(1 / f->dt)) : none;
  velocity.y = 0;
  float left = (float)sinew_pow(2, -f->dt / velocity_life);
  b->velocity = vec3_lerp(velocity, b->velocity, left);
  float turned = remainderf(yaw - b->yaw, 6.2831853f), turning = f->dt > 0 ? turned / (float)f->dt : 0;
  b->turning = turning + (b->turning - turning) * left;
  b->yaw = yaw;
  sinew_vec3 ahead = vec3_add_scaled(at, climb_lead, b->velocity), normal = {0, 1, 0};
  float height = at.y;
  if (has_ground && f->dt > 0)
    height = m->def.ground(m->def.ground_user, f->actor, m->index, ahead.x, ahead.z, &normal);
  glide_follow(&b->root, isfinite(height) ? height : at.y, 0, climb_life, f->dt);
  b->at = at;
}

/* ---- the pelvis ---- */

/* How much lower the pelvis must be for a foot that is held beside its pose: 0 or less, in model space. The leg may be
 * as long as in the pose. */
static float reach_loss(const modifier_frame *f, const sinew_foot *foot) {
  static const float bent = 0.985f;
  sinew_vec3 hip = posed_position(&f->posed, foot->upper), knee = posed_position(&f->posed, foot->middle),
             ankle = posed_position(&f->posed, foot->tip);
  float whole = vec3_distance(hip, knee) + vec3_distance(knee, ankle);
  float length = fmaxf(vec3_distance(hip, ankle), bent * whole);
  float out = float_hypot(ankle.x + foot->hold.x - hip.x, ankle.z + foot->hold.z - hip.z);
  float up = length > out ? sqrtf(length * length - out * out) : 0;
  return fminf(ankle.y + up - hip.y, 0);
}

/* How low the pelvis may be before this leg folds too far, in model space. */
static float fold_limit(const modifier_frame *f, const sinew_foot *foot) {
  static const float folded = 0.55f;
  float hip = posed_position(&f->posed, foot->upper).y, ankle = posed_position(&f->posed, foot->tip).y;
  return (folded - 1) * fmaxf(hip - ankle, 0);
}

/* The lower of the plane's heights under ball and ankle: a leg is never as straight as it could be. */
static float under_foot(float height, float lean_x, float lean_z, sinew_vec3 to_ankle) {
  return height + fminf(posed_rise((sinew_vec3){lean_x, 1, lean_z}, to_ankle), 0);
}

/* The height at which the pelvis, climbing as the actor does, meets what this foot needs: while it stands, or when it
 * will. */
static float level_for(const modifier *m, const foothold_job *job, sinew_vec3 to_ankle) {
  const foot_phase *phase = &job->phase;
  const planted_foot *p = job->p;
  const foothold *to = &p->swing.to;
  float height = under_foot(p->floor.at, p->lean_x.at, p->lean_z.at, to_ankle), climb = m->body.root.rate;
  if (!phase->moves || !phase->steps || !m->def.ground) return height;
  if (p->swing.on) height = under_foot(to->height, to->lean_x, to->lean_z, to_ankle);
  return height - climb * (float)(climb > 0 ? phase->to_lift : phase->to_land);
}

static void follow_feet(modifier *m, const modifier_frame *f, float goal, float climb) {
  planted_body *b = &m->body;
  if (isnan(b->pelvis.at) || !(m->def.half_life > 0)) b->pelvis = (glide){goal, climb};
  else glide_follow(&b->pelvis, goal, climb, (double)m->def.half_life, f->dt);
}

/* ---- the feet ---- */

static void forget_jump(modifier *m, const modifier_frame *f, sinew_vec3 ball, const planted_foot *p) {
  if (!p->known || vec3_distance(ball, p->ball) < (farthest_step + 20 * (float)f->dt) * scale_of(f)) return;
  for (int i = 0; i < modifier_foot_count(m); i++) m->planted[i] = (planted_foot){0};
  m->body.known = false;
  follow_actor(m, f);
}

/* Where the ball is shown, apart from its height. */
static sinew_vec3 place_ball(const modifier *m, const foothold_job *job) {
  planted_foot *p = job->p;
  sinew_vec3 placed = m->def.ground ? vec3_add(job->ball, foothold_aside(job)) : job->ball;
  bool locks = m->def.lock > 0 && job->phase.known;
  if (locks) foot_lock_update(p, placed, job->phase.down, m->def.lock, job->f->dt);
  if (p->known && job->f->dt > 0) p->moving = vec3_scale(vec3_sub(placed, p->placed), (float)(1 / job->f->dt));
  p->moving.y = 0;
  p->placed = placed;
  return locks ? foot_lock_shown(p, placed) : placed;
}

/* Without a function, the ground is what was set, or level with the actor. */
static void follow_given(modifier *m, planted_foot *p, const sinew_foot *foot, const modifier_frame *f) {
  const float steep = fmaxf(foot->normal.y, 0.1f);
  const bool given = !isnan(foot->ground);
  const float goals[] = {foot->ground, given ? foot->normal.x / steep : 0, given ? foot->normal.z / steep : 0};
  glide *values[] = {&p->floor, &p->lean_x, &p->lean_z};
  for (int i = 0; i < 3; i++) {
    if (!p->given || !given) *values[i] = (glide){goals[i], 0};
    else glide_follow(values[i], goals[i], 0, given_life, f->dt);
  }
  if (!given) p->floor.at = f->world.m[7];
  else if (!p->given) m->body.pelvis.at = NAN;
  p->given = given;
}

/* Reports the plane under the foot where its ankle is shown. */
static void tell_ground(sinew_foot *told, const planted_foot *p, sinew_vec3 ankle) {
  told->normal = p->plane;
  told->ground = p->under + posed_rise(p->plane, vec3_sub(ankle, p->heel));
}

static void update_foot(modifier *m, const modifier_frame *f, int i, sinew_foot *foot) {
  planted_foot *p = m->planted + i;
  const sinew_vec3 ball = foothold_ball(f, foot), ankle = modifier_in_world(f, posed_position(&f->posed, foot->tip));
  const foot_outline outline = gait_outline(f->of->gait, f->posed.model, foot->tip);
  forget_jump(m, f, ball, p);
  const foothold_job job = {.m = m,
                            .f = f,
                            .foot = foot,
                            .p = p,
                            .outline = &outline,
                            .unit = scale_of(f),
                            .phase = foot_phase_of(f->of, foot),
                            .ball = ball,
                            .velocity = m->body.velocity,
                            .turning = m->body.turning};
  sinew_vec3 shown = place_ball(m, &job), aside = vec3_sub(shown, ball);
  if (m->def.ground) foothold_follow(&job, shown);
  else follow_given(m, p, foot, f);
  foot->normal = (sinew_vec3){p->lean_x.at, 1, p->lean_z.at};
  foot->ground = p->floor.at + foot_lock_lift(p) - posed_rise(foot->normal, vec3_sub(shown, ankle));
  foot->hold =
      vec3_sub(sinew_mat3x4_transform_point(&f->inverse, shown), sinew_mat3x4_transform_point(&f->inverse, ball));
  if (m->def.ground) tell_ground(m->feet + i, p, vec3_add(ankle, aside));
  p->level = level_for(m, &job, vec3_sub(ankle, ball));
  p->ball = ball;
  p->shown = shown;
  p->known = true;
}

/* Feet know the ground in world space; the job wants it in model space, relative to the level on which the actor
 * stands. */
static float place_feet(modifier *m, const modifier_frame *f, bool runs, sinew_foot feet[SINEW_FEET_MAX]) {
  sinew_transform inverse = sinew_transform_from_mat3x4(&f->inverse);
  sinew_mat3x4 turn = sinew_mat3x4_from_transform(&(sinew_transform){{0, 0, 0}, inverse.rotation, {1, 1, 1}});
  for (int i = 0; i < modifier_foot_count(m); i++) {
    feet[i] = m->feet[i];
    if (runs) update_foot(m, f, i, feet + i);
    bool given = !isnan(feet[i].ground);
    feet[i].ground = given ? (feet[i].ground - f->world.m[7]) * inverse.scale.y : 0;
    feet[i].normal = sinew_mat3x4_transform_point(&turn, feet[i].normal);
  }
  return inverse.scale.y;
}

/* In proportion to the figure; there is no actor yet while a modifier is only checked. */
static float most_shift(const modifier *m, const modifier_frame *f) {
  return f->of ? m->def.max_shift * (float)(gait_size(f->of->gait) / gait_metre(f->of->gait)) : m->def.max_shift;
}

/* Where there is ground, the pelvis keeps its height in the world, so that an actor that is placed on a step rises as
 * softly as one that climbs it. */
static float find_shift(modifier *m, const modifier_frame *f, const sinew_foot *feet, float scale) {
  const float level = m->def.ground ? 0 : f->world.m[7], climb = m->def.ground ? m->body.root.rate : 0;
  float goal = INFINITY, least = f->world.m[7] - level - most_shift(m, f) / scale;
  if (!(scale > 0)) return 0;
  for (int i = 0; i < modifier_foot_count(m); i++) {
    goal = fminf(goal, m->planted[i].level - level + reach_loss(f, feet + i) / scale);
    least = fmaxf(least, m->planted[i].floor.at - level + fold_limit(f, feet + i) / scale);
  }
  follow_feet(m, f, fmaxf(goal, least), climb);
  return (m->body.pelvis.at + level - f->world.m[7]) * scale;
}

static const char *job(modifier *m, const modifier_frame *f, bool runs) {
  sinew_foot feet[SINEW_FEET_MAX];
  if (!(m->def.lock >= 0) || !isfinite(m->def.lock)) return "its lock is not a number of metres from 0 on";
  if (modifier_check_life(m)) return modifier_check_life(m);
  if (runs) follow_actor(m, f);
  float scale = place_feet(m, f, runs, feet), shift = runs ? find_shift(m, f, feet, scale) : 0;
  sinew_plant_job job = {.posed = f->posed,
                         .pelvis = m->joints[0],
                         .feet = feet,
                         .count = modifier_foot_count(m),
                         .max_shift = most_shift(m, f),
                         .max_tilt = m->def.max_tilt,
                         .weight = m->def.weight,
                         .shift = &shift};
  CHECK_OR_RUN(plant);
}

static const modifier_value values[] = {
    MODIFIER_VALUE(hinge),     MODIFIER_VALUE(max_shift), MODIFIER_VALUE(max_tilt),    MODIFIER_VALUE(lock),
    MODIFIER_VALUE(half_life), MODIFIER_VALUE(ground),    MODIFIER_VALUE(ground_user), {0}};

const modifier_kind modifier_plant = {.least_joints = 4, .aims = false, .job = job, .values = values};
