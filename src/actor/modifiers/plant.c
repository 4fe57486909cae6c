/* Planting: feet on uneven ground. Foot locking keeps planted feet in place (foot_lock.c). */
#include "actor/modifiers/damped.h"
#include "actor/modifiers/foot_lock.h"
#include "actor/modifiers/kinds.h"
#include "actor/stage.h"
#include "math/elementary.h"
#include "math/vec3.h"
#include "pose/modifiers/posed.h"

#include <math.h>

/* The half-life of the spring of the ground under a foot, in seconds; the pelvis uses the modifier's. */
static const double ground_life = 0.04;
/* A foot this far above its position in the rest pose is in the air; it looks this many seconds ahead, step by step. */
static const float air_height = 0.03f, look_time = 0.05f;
/* Metres: the smallest step; the distance of each look ahead; the extra height allowed for curved ground, per metre. */
static const float least_step = 0.05f, farthest_look = 0.1f, curving = 0.15f;
enum { LOOKS = 5 };
/* Metres that the pelvis sinks at most so that a leg reaches. */
static const float most_drop = 0.06f;
/* A longer step in one frame is a jump to another position. */
static const float farthest_step = 1;

static sinew_vec3 position_of(const modifier_frame *f, int joint) {
  const float *m = f->posed.joints[joint].m;
  return sinew_mat3x4_transform_point(&f->world, (sinew_vec3){m[3], m[7], m[11]});
}

/* In the world. */
static float scale_of(const modifier_frame *f) {
  float scale = fabsf(sinew_transform_from_mat3x4(&f->world).scale.y);
  return (float)gait_size(f->of->gait) * (scale > 1e-6f ? scale : 1);
}

/* ---- the ground ---- */

static float rest_height(const modifier_frame *f, int joint) {
  sinew_mat3x4 position = sinew_mat3x4_identity();
  for (; joint >= 0; joint = f->posed.model->parents[joint]) {
    sinew_transform rest = sinew_model_joint_rest(f->posed.model, joint);
    sinew_mat3x4 m = sinew_mat3x4_from_transform(&rest);
    position = sinew_mat3x4_multiply(&m, &position);
  }
  return position.m[7];
}

/* NAN if there is none. */
static float ask(const modifier *m, const modifier_frame *f, sinew_vec3 at, sinew_vec3 *normal) {
  sinew_vec3 found = {0, 1, 0}, up = {0, 1, 0};
  float height = m->def.ground(m->def.ground_user, f->actor, m->index, at.x, at.z, &found);
  *normal = vec3_is_finite(found) && found.y > 0 ? vec3_unit(found, up) : up;
  return isfinite(height) ? height : NAN;
}

/* The plane under a foot follows the ground under its ankle and its ball, so that an edge tilts it softly. */
static void follow_slope(planted_foot *p, sinew_vec3 normal, double dt) {
  float x = normal.x / fmaxf(normal.y, 0.1f), z = normal.z / fmaxf(normal.y, 0.1f);
  bool is_new = !p->known || p->slope.y == 0; /* just given a ground, it has feet but no slope yet */
  if (is_new) p->slope = (sinew_vec3){x, 1, z}, p->tilt = (sinew_vec3){0, 0, 0};
  damped_step(&p->slope.x, &p->tilt.x, x, ground_life, dt);
  damped_step(&p->slope.z, &p->tilt.z, z, ground_life, dt);
}

/* The normal of the plane that is tangent under the ankle across the foot, and that rises by `rise` along it. */
static sinew_vec3 plane_through(sinew_vec3 normal, sinew_vec3 offset, float rise) {
  float far = offset.x * offset.x + offset.z * offset.z, steep = fmaxf(normal.y, 0.1f);
  sinew_vec3 slope = {normal.x / steep, 1, normal.z / steep};
  if (isnan(rise) || !(far > 1e-6f)) return slope;
  float missing = (rise - posed_rise(slope, offset)) / far;
  return (sinew_vec3){slope.x - missing * offset.x, 1, slope.z - missing * offset.z};
}

/* The height of that plane at the ankle, for ground that is higher elsewhere by more than `least`. */
static float step_up(float ground, float height, float rise, float least) {
  return height - rise > ground + least ? height - rise : ground;
}

/* In the air, finds the highest ground that the ball is about to reach; it moves along with the ankle. `ground` is what
 * is under it now. */
static float look_ahead(const modifier *m, const modifier_frame *f, const planted_foot *p, sinew_vec3 ankle,
                        sinew_vec3 ball, float ground) {
  sinew_vec3 velocity = vec3_scale(vec3_sub(ankle, p->ankle), (float)(1 / f->dt)), ignored;
  const float unit = scale_of(f);
  float seconds = fminf(look_time, farthest_look * unit / fmaxf(vec3_length(velocity), 1e-6f));
  for (int i = 1; i <= LOOKS; i++) {
    sinew_vec3 there = vec3_add_scaled(ball, seconds * (float)i, velocity);
    sinew_vec3 offset = vec3_sub(there, ankle);
    float least = least_step * unit + curving * float_hypot(offset.x, offset.z);
    ground = step_up(ground, ask(m, f, there, &ignored), posed_rise(p->slope, offset), least);
  }
  return ground;
}

/* Finds the ground for a foot to stand on: the higher of the ground under its ankle and under its ball. */
static void find_ground(const modifier *m, const modifier_frame *f, sinew_foot *foot, planted_foot *p) {
  sinew_vec3 at = position_of(f, foot->tip), ball = position_of(f, posed_ball(f->posed.model, foot->tip)), here, there;
  float under = ask(m, f, at, &here), before = ask(m, f, ball, &there);
  follow_slope(p, vec3_add(here, there), f->dt);
  p->under = isnan(under) ? f->world.m[7] : under;
  p->plane = plane_through(here, vec3_sub(ball, at), isnan(before) ? NAN : before - p->under);
  foot->normal = p->slope;
  foot->ground = isnan(under) ? f->world.m[7] : under;
  foot->ground = step_up(foot->ground, before, posed_rise(p->slope, vec3_sub(ball, at)), 0);
  bool flies = f->posed.joints[foot->tip].m[7] > rest_height(f, foot->tip) + air_height * (float)gait_size(f->of->gait);
  if (flies && p->known && f->dt > 0) foot->ground = look_ahead(m, f, p, at, ball, foot->ground);
}

/* Follows the plane under the foot without a lag, and every other change of the ground softly. */
static void follow_ground(const sinew_foot *foot, planted_foot *p, sinew_vec3 ankle, double dt) {
  if (!p->known) p->ground = foot->ground, p->climb = 0;
  else p->ground += posed_rise(p->slope, vec3_sub(ankle, p->ankle));
  damped_step(&p->ground, &p->climb, foot->ground, ground_life, dt);
}

/* ---- the pelvis ---- */

/* The height to which the pelvis may rise before a leg is stretched. */
static float reach_limit(const modifier_frame *f, const sinew_foot *feet, int count) {
  float limit = INFINITY;
  for (int i = 0; i < count; i++) {
    const sinew_mat3x4 *j = f->posed.joints;
    const float *u = j[feet[i].upper].m, *m = j[feet[i].middle].m, *t = j[feet[i].tip].m;
    sinew_vec3 hip = {u[3], u[7], u[11]}, knee = {m[3], m[7], m[11]}, ankle = {t[3], t[7], t[11]};
    float length = 0.995f * (vec3_distance(hip, knee) + vec3_distance(knee, ankle));
    float out = float_hypot(ankle.x + feet[i].hold.x - hip.x, ankle.z + feet[i].hold.z - hip.z);
    float up = length > out ? sqrtf(length * length - out * out) : 0;
    float ground = feet[i].ground + posed_rise(feet[i].normal, feet[i].hold);
    limit = fminf(limit, fmaxf(ankle.y + ground + up - hip.y, ground - most_drop * (float)gait_size(f->of->gait)));
  }
  return limit;
}

/* Uses the height in the world, so that an actor that is placed on a step rises as softly as one that climbs it. */
static float find_shift(modifier *m, const modifier_frame *f, const sinew_foot *feet, float scale) {
  int count = modifier_foot_count(m);
  float lowest = INFINITY;
  for (int i = 0; i < count; i++) lowest = fminf(lowest, feet[i].ground);
  if (!m->def.ground || !(scale > 0)) return m->def.lock > 0 ? fminf(lowest, reach_limit(f, feet, count)) : lowest;
  float goal = f->world.m[7] + lowest / scale;
  if (!m->pelvis.known || !(m->def.half_life > 0)) m->pelvis = (planted_pelvis){true, goal, 0};
  else damped_step(&m->pelvis.height, &m->pelvis.climb, goal, (double)m->def.half_life, f->dt);
  return fminf((m->pelvis.height - f->world.m[7]) * scale, reach_limit(f, feet, count));
}

/* ---- all of it ---- */

static void forget_jump(modifier *m, const modifier_frame *f, sinew_vec3 ankle, const planted_foot *p) {
  if (!p->known || vec3_distance(ankle, p->ankle) < (farthest_step + 20 * (float)f->dt) * scale_of(f)) return;
  for (int i = 0; i < modifier_foot_count(m); i++) m->planted[i] = (planted_foot){0};
  m->pelvis.known = false;
}

/* Reports the ground under the ankle as it is shown: a foot that is held on a slope stands higher or lower than in the
 * pose. */
static void tell_ground(sinew_foot *told, const modifier_frame *f, const planted_foot *p, const sinew_foot *foot) {
  sinew_vec3 none = {0, 0, 0}, origin = sinew_mat3x4_transform_point(&f->world, none);
  sinew_vec3 offset = vec3_sub(sinew_mat3x4_transform_point(&f->world, foot->hold), origin);
  told->normal = p->plane;
  told->ground = p->under + posed_rise(p->plane, offset);
}

static void update_foot(modifier *m, const modifier_frame *f, int i, sinew_foot *foot) {
  planted_foot *p = m->planted + i;
  sinew_vec3 ankle = position_of(f, foot->tip), ball = position_of(f, posed_ball(f->posed.model, foot->tip));
  forget_jump(m, f, ankle, p);
  if (m->def.ground) {
    find_ground(m, f, foot, p);
    follow_ground(foot, p, ankle, f->dt);
    foot->ground = p->ground;
  } else {
    p->ground = isnan(foot->ground) ? f->world.m[7] : foot->ground;
  }
  float contact = m->def.lock > 0 ? foot_lock_contact(f->of, foot) : -1;
  if (contact >= 0) foot_lock_update(p, ball, contact, m->def.lock, f->dt);
  foot->hold = contact >= 0 ? foot_lock_displacement(f, p, ball) : (sinew_vec3){0, 0, 0};
  if (m->def.ground) tell_ground(m->feet + i, f, p, foot);
  p->ankle = ankle;
  p->ball = ball;
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

static const char *job(modifier *m, const modifier_frame *f, bool runs) {
  sinew_foot feet[SINEW_FEET_MAX];
  if (!(m->def.lock >= 0) || !isfinite(m->def.lock)) return "its lock is not a number of metres from 0 on";
  if (modifier_check_life(m)) return modifier_check_life(m);
  float scale = place_feet(m, f, runs, feet), shift = runs ? find_shift(m, f, feet, scale) : 0;
  sinew_plant_job job = {.posed = f->posed,
                         .pelvis = m->joints[0],
                         .feet = feet,
                         .count = modifier_foot_count(m),
                         .max_shift = m->def.max_shift,
                         .max_tilt = m->def.max_tilt,
                         .weight = m->def.weight,
                         .shift = &shift};
  CHECK_OR_RUN(plant);
}

static const modifier_value values[] = {
    MODIFIER_VALUE(hinge),     MODIFIER_VALUE(max_shift), MODIFIER_VALUE(max_tilt),    MODIFIER_VALUE(lock),
    MODIFIER_VALUE(half_life), MODIFIER_VALUE(ground),    MODIFIER_VALUE(ground_user), {0}};

const modifier_kind modifier_plant = {.least_joints = 4, .aims = false, .job = job, .values = values};
