/* Stride and orientation warping: strides that fit the actor's true velocity. */
#include "actor/modifiers/warp.h"

#include "actor/modifiers/kinds.h"
#include "actor/stage.h"
#include "math/elementary.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "pose/modifiers/posed.h"

#include <math.h>

enum { FEET = 2, SPINE = 1 + 3 * FEET }; /* the number of joints before those of the spine */

/* Half-lives in seconds: of the stretch, and of the rotation. Planted feet slide while they rotate, so the rotation is
 * slow: at most so many radians per second. */
static const double stretch_life = 0.05, turn_life = 0.07, most_turn_rate = 2;
/* The half-life of the direction along which strides are stretched, and of their middle, because both differ between
 * clips. */
static const float direction_life = 0.05f;
/* The largest change of the stretch per second: at this rate a foot moves about as fast as it swings. */
static const double most_stretch_rate = 8;
/* A quarter of a rotation; strides turn round this much beyond it, and turn back this much before it. */
static const double quarter = 1.5707963267948966, turning_margin = 0.17;
/* Metres per second: slower clips stand and have no strides; a faster actor has been placed elsewhere. */
static const double least_speed = 0.1, whole_speed = 0.3, farthest_speed = 30;
/* The fraction of the rotation that the pelvis takes; metres that it sinks at most so that a leg reaches. */
static const float pelvis_fraction = 0.5f, most_drop = 0.12f;

/* ---- the blend of the clips ---- */

/* The velocity at which the actor would move without a foot slide, in model space, and the middle of each foot's
 * path. */
typedef struct gait_sum {
  double x, z;
  sinew_vec3 middle[GAIT_LEGS];
  float weight;
} gait_sum;

/* On the base layer, actions cover the graph. */
static float weight_of(const actor *a, int i) {
  const layer *l = a->layers;
  float actions = layer_action_weight(a, l), weight = a->instances.items[l->first_instance + i].weight;
  return i < l->graph_instances ? weight * (1 - fminf(actions, 1)) : weight / fmaxf(actions, 1);
}

/* A clip that starts, stops or turns has no even path with a middle: use the hip's. */
static sinew_vec3 rest_position(const sinew_model *model, int joint) {
  sinew_mat3x4 position = sinew_mat3x4_identity();
  for (; joint >= 0; joint = model->parents[joint]) {
    sinew_transform rest = sinew_model_joint_rest(model, joint);
    sinew_mat3x4 m = sinew_mat3x4_from_transform(&rest);
    position = sinew_mat3x4_multiply(&m, &position);
  }
  return (sinew_vec3){position.m[3], 0, position.m[11]};
}

/* A clip that is matched by distance has the current speed of its course. Its actor has rotated along with it. */
static void add_course(const actor *a, const clip_instance *item, float weight, gait_sum *sum) {
  static const double moment = 1.0 / 60;
  const clip_course *c = a->gait->courses + item->clip;
  double duration = a->model->clips[item->clip].duration, before = item->time - fmax(item->rate, 0.1) * moment;
  double length = course_travelled(c, duration, item->time) - course_travelled(c, duration, before);
  double speed = (double)weight * length / moment, yaw = copysign(course_turned(c, duration, item->time), c->angle);
  sum->x += speed * (c->x * sinew_cos(yaw) - c->z * sinew_sin(yaw));
  sum->z += speed * (c->x * sinew_sin(yaw) + c->z * sinew_cos(yaw));
}

/* In clips in sync, feet move back at the clips' natural speed (foot_blend.h). A standing clip has no velocity; a clip
 * that moves its own hips forward needs no help. */
static void add_clip(const actor *a, const clip_instance *item, float weight, gait_sum *sum) {
  const clip_gait *gait = &a->gait->clips[item->clip];
  bool travels = item->match != SINEW_MATCH_TIME;
  if (!gait->known || !(weight > 0)) return;
  sum->weight += weight;
  for (int side = 0; side < a->gait->leg_count; side++)
    sum->middle[side] = vec3_add_scaled(
        sum->middle[side], weight, travels ? rest_position(a->model, a->gait->legs[side].thigh) : gait->middle[side]);
  if (travels) {
    add_course(a, item, weight, sum);
    return;
  }
  bool goes = gait->kind == GAIT_MOVING && item->step != 0 && (!gait->carries_hips || root_is_on(&a->root));
  double rate = !goes ? 0 : item->sync ? item->speed : item->rate;
  sum->x += (double)weight * gait->x * rate;
  sum->z += (double)weight * gait->z * rate;
}

static gait_sum find_sum(const actor *a) {
  gait_sum sum = {0};
  for (int i = 0; a->gait && i < a->layers->instance_count; i++)
    add_clip(a, a->instances.items + a->layers->first_instance + i, weight_of(a, i), &sum);
  if (!(sum.weight > 0)) return sum;
  sum.x /= (double)sum.weight, sum.z /= (double)sum.weight;
  for (int side = 0; side < GAIT_LEGS; side++) sum.middle[side] = vec3_scale(sum.middle[side], 1 / sum.weight);
  return sum;
}

/* ---- the goals ---- */

/* There is no actor yet while a modifier is only checked. */
static double size_of(const modifier_frame *f) { return f->of ? gait_size(f->of->gait) : 1; }

/* Finds the actor's velocity since the last update, in its own space, metres a second. */
static bool find_velocity(const modifier *m, const modifier_frame *f, double *x, double *z) {
  if (!m->warp.known || !(f->dt > 0)) return false;
  const sinew_vec3 here = sinew_mat3x4_transform_point(&f->inverse,
                                                       (sinew_vec3){f->world.m[3], f->world.m[7], f->world.m[11]}),
                   before = sinew_mat3x4_transform_point(&f->inverse, m->warp.at);
  *x = (double)(here.x - before.x) / f->dt;
  *z = (double)(here.z - before.z) / f->dt;
  return sinew_hypot(*x, *z) < farthest_speed * size_of(f);
}

static double fraction_in(double half_life, double dt) { return 1 - sinew_pow(2, -dt / half_life); }

static double clamp(double value, double low, double high) { return fmin(fmax(value, low), high); }

/* The remaining rotation when the actor moves at the angle `apart` to its clips. Beyond a quarter turn, strides run
 * backwards: each foot follows its path in reverse, which moves the actor back. */
static double turn_left(modifier_stride *s, double apart) {
  double margin = s->backward ? -turning_margin : turning_margin;
  s->backward = fabs(apart) > quarter + margin;
  return s->backward ? apart - copysign(2 * quarter, apart) : apart;
}

/* Clips that hardly travel have no strides to stretch. */
static double strides_at(double metres) { return clamp((metres - least_speed) / (whole_speed - least_speed), 0, 1); }

static void follow(modifier *m, const modifier_frame *f, const gait_sum *sum) {
  double x, z, speed = sinew_hypot(sum->x, sum->z), stretch = 1, angle = 0, unit = size_of(f);
  double much = strides_at(speed / unit);
  if (!find_velocity(m, f, &x, &z)) return;
  if (speed > least_speed * unit) {
    double apart = sinew_atan2(x * sum->z - z * sum->x, x * sum->x + z * sum->z), wanted = sinew_hypot(x, z);
    if (wanted > least_speed * unit)
      angle = clamp(turn_left(&m->warp, apart), -(double)m->def.angle, (double)m->def.angle);
    stretch = clamp(wanted / speed, (double)m->def.stride[0], (double)m->def.stride[1]) * (m->warp.backward ? -1 : 1);
  } else m->warp.backward = false;
  angle *= much, stretch = 1 + (stretch - 1) * much;
  double turn = (angle - m->warp.angle) * fraction_in(turn_life, f->dt), most = most_turn_rate * f->dt;
  double step = (stretch - m->warp.stretch) * fraction_in(stretch_life, f->dt), longest = most_stretch_rate * f->dt;
  m->warp.stretch += clamp(step, -longest, longest);
  m->warp.angle += clamp(turn, -most, most);
}

static bool is_warped(const modifier_stride *s) { return fabs(s->angle) >= 1e-4 || fabs(s->stretch - 1) >= 1e-4; }

/* If the middle or the direction of the stretch jumped, the stride would jump, too. */
static void follow_way(modifier *m, const modifier_frame *f, const gait_sum *sum) {
  modifier_stride *s = &m->warp;
  double speed = sinew_hypot(sum->x, sum->z);
  float fraction = is_warped(s) ? (float)fraction_in((double)direction_life, f->dt) : 1;
  if (!(speed > least_speed * size_of(f))) return;
  sinew_vec3 now = {(float)(sum->x / speed), 0, (float)(sum->z / speed)};
  s->direction = vec3_unit(vec3_lerp(s->direction, now, fraction), now);
  for (int side = 0; side < GAIT_LEGS; side++)
    s->middle[side] = vec3_lerp(s->middle[side], sum->middle[side], fraction);
}

static void remember(modifier *m, const modifier_frame *f) {
  if (!m->warp.known) m->warp.stretch = 1;
  m->warp.known = true;
  m->warp.at = (sinew_vec3){f->world.m[3], f->world.m[7], f->world.m[11]};
}

/* ---- legs ---- */

typedef struct warp {
  const modifier_frame *f;
  float stretch;
  sinew_quat turn;
} warp;

static sinew_vec3 position_of(const modifier_frame *f, int joint) {
  const float *m = f->posed.joints[joint].m;
  return (sinew_vec3){m[3], m[7], m[11]};
}

static sinew_quat turn_of(float angle) { return sinew_quat_from_axis_angle((sinew_vec3){0, 1, 0}, angle); }

/* The leg that ends in the foot; −1: the clips do not tell. */
static int side_of(const actor *a, int foot) {
  for (int side = 0; a->gait && side < a->gait->leg_count; side++)
    if (a->gait->legs[side].foot == foot) return side;
  return -1;
}

/* The ball's distance from the middle of its path is scaled, and the path is rotated about the actor. */
static sinew_vec3 ankle_for(const warp *w, const modifier_stride *s, const int *limb) {
  int side = side_of(w->f->of, limb[2]);
  sinew_vec3 ankle = position_of(w->f, limb[2]), ball = ankle, middle = position_of(w->f, limb[0]);
  if (side >= 0) ball = position_of(w->f, w->f->of->gait->legs[side].toes), middle = s->middle[side];
  float along = vec3_dot(vec3_sub(ball, middle), s->direction);
  return quat_rotate(w->turn, vec3_add_scaled(ankle, (w->stretch - 1) * along, s->direction));
}

/* How much farther the pelvis must sink until the leg reaches its target: 0 or less. */
static float drop_for(const modifier_frame *f, const int *limb, float reach, sinew_vec3 ankle) {
  sinew_vec3 hip = position_of(f, limb[0]), knee = position_of(f, limb[1]), foot = position_of(f, limb[2]);
  float length = fmaxf(0.995f * (vec3_distance(hip, knee) + vec3_distance(knee, foot)), reach);
  float out = float_hypot(ankle.x - hip.x, ankle.z - hip.z);
  float up = length > out ? sqrtf(length * length - out * out) : 0;
  return fmaxf(fminf(ankle.y + up - hip.y, 0), -most_drop * (float)size_of(f));
}

/* The hips turn with the strides, and the chest keeps its direction. */
static float turn_hips(const modifier *m, const modifier_frame *f, float angle) {
  int spine = m->def.joint_count - SPINE;
  if (spine == 0 || angle == 0) return 0;
  posed_rotate(&f->posed, m->joints[0], turn_of(pelvis_fraction * angle), 1);
  for (int i = 0; i < spine; i++)
    posed_rotate(&f->posed, m->joints[SPINE + i], turn_of(-pelvis_fraction * angle / (float)spine), 1);
  posed_update(&f->posed, m->joints[0]);
  return pelvis_fraction * angle;
}

static sinew_plant_job plant_job(const modifier *m, const modifier_frame *f, sinew_foot feet[FEET], const float *drop) {
  for (int i = 0; i < FEET; i++) {
    const int *limb = m->joints + 1 + 3 * i;
    feet[i] = (sinew_foot){limb[0], limb[1], limb[2], m->def.hinge, 0, {0, 1, 0}, 1, {0, 0, 0}};
  }
  return (sinew_plant_job){.posed = f->posed,
                           .pelvis = m->joints[0],
                           .feet = feet,
                           .count = FEET,
                           .max_shift = most_drop * (float)size_of(f),
                           .max_tilt = 0,
                           .weight = 1,
                           .shift = drop};
}

static void bend(modifier *m, const warp *w, float angle) {
  sinew_vec3 ankles[FEET];
  sinew_foot feet[FEET];
  float reach[FEET], drop = 0;
  for (int i = 0; i < FEET; i++) {
    const int *limb = m->joints + 1 + 3 * i;
    ankles[i] = ankle_for(w, &m->warp, limb);
    reach[i] = vec3_distance(position_of(w->f, limb[0]), position_of(w->f, limb[2]));
  }
  float turned = turn_hips(m, w->f, angle);
  sinew_plant_job job = plant_job(m, w->f, feet, &drop);
  for (int i = 0; i < FEET; i++) {
    feet[i].hold = vec3_sub(ankles[i], position_of(w->f, feet[i].tip));
    drop = fminf(drop, drop_for(w->f, m->joints + 1 + 3 * i, reach[i], ankles[i]));
  }
  sinew_plant(&job);
  for (int i = 0; i < FEET; i++) {
    posed_rotate(&w->f->posed, feet[i].tip, turn_of(angle - turned), 1);
    posed_update(&w->f->posed, feet[i].tip);
  }
}

static void run(modifier *m, const modifier_frame *f) {
  const gait_sum sum = find_sum(f->of);
  follow_way(m, f, &sum);
  follow(m, f, &sum);
  remember(m, f);
  if (!is_warped(&m->warp)) return;
  float angle = (float)m->warp.angle * m->def.weight, stretch = 1 + ((float)m->warp.stretch - 1) * m->def.weight;
  bend(m, &(warp){.f = f, .stretch = stretch, .turn = turn_of(angle)}, angle);
}

sinew_vec3 warp_ball(const actor *a, int side, sinew_vec3 ball) {
  for (int i = 0; i < a->modifiers.count; i++) {
    const modifier *m = a->modifiers.items + i;
    if (m->def.kind != SINEW_MODIFIER_WARP || !(m->def.weight > 0) || !m->warp.known) continue;
    float along = vec3_dot(vec3_sub(ball, m->warp.middle[side]), m->warp.direction);
    float stretch = ((float)m->warp.stretch - 1) * m->def.weight;
    sinew_quat turn = turn_of((float)m->warp.angle * m->def.weight);
    ball = quat_rotate(turn, vec3_add_scaled(ball, stretch * along, m->warp.direction));
  }
  return ball;
}

/* ---- the kind ---- */

static const char *check_spine(const modifier *m, const modifier_frame *f) {
  for (int i = SPINE; i < m->def.joint_count; i++) {
    if (!posed_has_joint(&f->posed, m->joints[i])) return "its spine has a joint that is not there";
    if (!posed_is_below(&f->posed, m->joints[i], m->joints[0])) return "its spine is not above the pelvis";
  }
  return NULL;
}

static const char *check(const modifier *m, const modifier_frame *f) {
  const float *stride = m->def.stride;
  sinew_foot feet[FEET];
  float drop = 0;
  if (!(stride[0] > 0 && stride[0] <= stride[1] && stride[1] <= 4))
    return "its stride is not { least, most } above 0, up to 4";
  if (!(m->def.angle >= 0 && m->def.angle <= 1.6f)) return "its angle is not from 0 to 1.6 radians";
  sinew_plant_job job = plant_job(m, f, feet, &drop);
  const char *reason = sinew_plant_check(&job);
  return reason ? reason : check_spine(m, f);
}

static const char *job(modifier *m, const modifier_frame *f, bool runs) {
  if (!runs) return check(m, f);
  run(m, f);
  return NULL;
}

static const modifier_value values[] = {MODIFIER_VALUE(hinge), MODIFIER_VALUE(stride), MODIFIER_VALUE(angle), {0}};

const modifier_kind modifier_warp = {.least_joints = SPINE, .aims = false, .job = job, .values = values};
