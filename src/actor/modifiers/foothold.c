#include "actor/modifiers/foothold.h"

#include "actor/stage.h"
#include "math/elementary.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "pose/modifiers/posed.h"

#include <math.h>

/* Half-lives in seconds: of the springs of the plane under a foot that stands, and of one that swings; and of the
 * distance at which a foot is shown beside its pose. */
static const double stand_life = 0.06, swing_life = 0.065, aside_life = 0.05;
/* Metres: a landing that moves by so much is asked again; an edge under a sole is higher; a foot rises so much over
 * what it passes; a swing this short goes by time. */
static const float new_landing = 0.02f, least_edge = 0.04f, clearance = 0.02f, least_swing = 0.1f;
/* A foot that slides looks this many seconds ahead, for steps higher than so many metres, and more by so much of the
 * distance, which ground may curve by. */
static const float look_time = 0.18f, least_step = 0.05f, curving = 0.15f;
/* A foot in the air looks as far ahead at what its ends will pass: seconds, and metres at most. */
static const float edge_time = 0.1f, farthest_look = 0.3f;
/* Points of the way through the air; and so many are asked in a frame. */
enum { WAY_POINTS = 8, POINTS_A_FRAME = 3 };

sinew_vec3 foothold_ball(const modifier_frame *f, const sinew_foot *foot) {
  return sinew_mat3x4_transform_point(&f->world, posed_position(&f->posed, posed_ball(f->posed.model, foot->tip)));
}

/* ---- the ground ---- */

typedef struct ground_point {
  float height, lean_x, lean_z; /* the normal is (lean_x, 1, lean_z) */
} ground_point;

/* Where there is none, the ground is level with the actor. */
static ground_point ask(const foothold_job *job, sinew_vec3 at) {
  const modifier *m = job->m;
  sinew_vec3 normal = {0, 1, 0}, up = {0, 1, 0};
  float height = m->def.ground(m->def.ground_user, job->f->actor, m->index, at.x, at.z, &normal);
  if (!isfinite(height)) return (ground_point){job->f->world.m[7], 0, 0};
  sinew_vec3 n = vec3_is_finite(normal) && normal.y > 0 ? vec3_unit(normal, up) : up;
  float steep = fmaxf(n.y, 0.1f);
  return (ground_point){height, n.x / steep, n.z / steep};
}

static float rise(float lean_x, float lean_z, sinew_vec3 from, sinew_vec3 to) {
  return posed_rise((sinew_vec3){lean_x, 1, lean_z}, (sinew_vec3){to.x - from.x, 0, to.z - from.z});
}

/* The foothold of a sole whose points are there: it rests on the highest of them. */
static foothold carry(const ground_point found[FOOT_POINTS], const sinew_vec3 at[FOOT_POINTS]) {
  const ground_point *heel = found + FOOT_HEEL, *toe = found + FOOT_TOE;
  foothold out = {.ball = at[FOOT_BALL],
                  .height = -INFINITY,
                  .lean_x = (heel->lean_x + toe->lean_x) / 2,
                  .lean_z = (heel->lean_z + toe->lean_z) / 2};
  for (int i = 0; i < FOOT_POINTS; i++)
    out.height = fmaxf(out.height, found[i].height - rise(out.lean_x, out.lean_z, out.ball, at[i]));
  return out;
}

/* ---- the way through the air ---- */

/* The fraction of its way that a foot with its ball there has gone. */
static float progress(const foothold_job *job, sinew_vec3 ball, double time) {
  const foot_swing *s = &job->p->swing;
  float x = s->to.ball.x - s->from.ball.x, z = s->to.ball.z - s->from.ball.z, square = x * x + z * z;
  float least = least_swing * job->unit, whole = (float)(time + job->phase.to_land);
  if (square < least * least) return whole > 0 ? fminf((float)time / whole, 1) : 1;
  return fminf(fmaxf((x * (ball.x - s->from.ball.x) + z * (ball.z - s->from.ball.z)) / square, 0), 1);
}

static float mix(float a, float b, float t) { return a + (b - a) * t; }

/* Up soon after it lifts, and down before it lands. */
static float bump_at(float u) {
  static const float up = 0.45f, down = 0.35f;
  return ease_smooth(fminf(u / up, 1)) * ease_smooth(fminf((1 - u) / down, 1));
}

/* The line from foothold to foothold, and beside it a plane that leans as they do: on a slope the slope itself. */
static float between(const foot_swing *s, float u, sinew_vec3 at) {
  const foothold *a = &s->from, *b = &s->to;
  return mix(a->height, b->height, u) +
         rise(mix(a->lean_x, b->lean_x, u), mix(a->lean_z, b->lean_z, u), vec3_lerp(a->ball, b->ball, u), at);
}

static float way_height(const foothold_job *job, float u, sinew_vec3 at) {
  const foot_swing *s = &job->p->swing;
  float over = s->bump + fminf(s->bump, clearance * job->unit);
  return between(s, u, at) + over * bump_at(u);
}

static sinew_vec3 way_aside(const foot_swing *s, float u) {
  return vec3_lerp(s->from.aside, s->to.aside, ease_smooth(fminf(u / 0.7f, 1)));
}

/* Asks for the ground on the way. */
static void look_at_way(const foothold_job *job, int from) {
  foot_swing *s = &job->p->swing;
  for (int i = from; i < from + POINTS_A_FRAME && i < WAY_POINTS; i++) {
    float u = (float)(i + 1) / (WAY_POINTS + 1);
    sinew_vec3 at = vec3_lerp(s->from.ball, s->to.ball, u);
    s->bump = fmaxf(s->bump, ask(job, at).height - between(s, u, at));
  }
}

/* ---- a better foothold ---- */

/* The points of the sole at the landing. */
static void place_sole(const foothold_job *job, sinew_vec3 ball, sinew_vec3 at[FOOT_POINTS]) {
  sinew_quat turn = sinew_transform_from_mat3x4(&job->f->world).rotation;
  float scale = job->unit / (float)gait_size(job->f->of->gait);
  for (int i = 0; i < FOOT_POINTS; i++) at[i] = vec3_add_scaled(ball, scale, quat_rotate(turn, job->outline->flat[i]));
}

/* What a sole would rest on that is so many points farther: the height, and how much it costs to go there. A person
 * stands with a third of the sole over an edge, but not with its middle. */
static float judge(const foothold_job *job, int from, float *height) {
  static const float least_support = 0.65f, unsupported = 3, hollow = 2;
  const float *profile = job->p->swing.profile, level = least_edge * job->unit;
  int supported = 0;
  *height = profile[from];
  for (int i = 1; i <= SOLE_STEPS; i++) *height = fmaxf(*height, profile[from + i]);
  for (int i = 0; i <= SOLE_STEPS; i++) supported += profile[from + i] > *height - level;
  float cost = fabsf((float)(from - SOLE_STEPS / 2)) / SOLE_STEPS, support = (float)supported / (SOLE_STEPS + 1);
  if (support < least_support) cost += unsupported * (1 - support);
  if (!(profile[from + SOLE_STEPS / 2] > *height - level)) cost += hollow;
  return cost;
}

/* A sole that would lie across an edge goes to where it rests, by up to half its length. */
static void choose_foothold(const foothold_job *job, sinew_vec3 along) {
  foothold *to = &job->p->swing.to;
  int best = SOLE_STEPS / 2;
  float height, least = judge(job, best, &to->height);
  for (int from = 0; from <= SOLE_STEPS; from++) {
    float cost = judge(job, from, &height);
    if (cost < least - 1e-6f) least = cost, best = from, to->height = height;
  }
  to->aside = vec3_scale(along, (float)best / SOLE_STEPS - 0.5f);
  to->aside.y = 0;
}

/* Asks for the ground along the sole and half of its length before and behind it, over the plane that it leans by. */
static void look_at_landing(const foothold_job *job, int from) {
  foot_swing *s = &job->p->swing;
  sinew_vec3 at[FOOT_POINTS];
  place_sole(job, s->to.ball, at);
  sinew_vec3 along = vec3_sub(at[FOOT_TOE], at[FOOT_HEEL]), first = vec3_add_scaled(at[FOOT_HEEL], -0.5f, along);
  for (int i = from; i < from + POINTS_A_FRAME && i < PROFILE_POINTS; i++) {
    sinew_vec3 point = vec3_add_scaled(first, (float)i / SOLE_STEPS, along);
    s->profile[i] = ask(job, point).height - rise(s->to.lean_x, s->to.lean_z, s->to.ball, point);
  }
  if (from < PROFILE_POINTS && from + POINTS_A_FRAME >= PROFILE_POINTS) choose_foothold(job, along);
}

static void ask_landing(const foothold_job *job, sinew_vec3 ball) {
  sinew_vec3 at[FOOT_POINTS], aside = job->p->swing.to.aside;
  ground_point found[FOOT_POINTS];
  place_sole(job, ball, at);
  for (int i = 0; i < FOOT_POINTS; i++) found[i] = ask(job, at[i]);
  job->p->swing.to = carry(found, at);
  job->p->swing.to.aside = aside;
  job->p->swing.asked = 0;
}

/* A few questions in each frame. */
static void look_around(const foothold_job *job) {
  int *asked = &job->p->swing.asked;
  if (*asked < WAY_POINTS) look_at_way(job, *asked);
  else look_at_landing(job, *asked - WAY_POINTS);
  *asked += POINTS_A_FRAME;
}

/* The ball where it comes down, if actor and clips go on as they do. */
static sinew_vec3 find_landing(const foothold_job *job) {
  const float *m = job->f->world.m, left = (float)job->phase.to_land;
  sinew_vec3 root = {m[3], m[7], m[11]}, there = sinew_mat3x4_transform_point(&job->f->world, job->phase.landing);
  sinew_quat turn = sinew_quat_from_axis_angle((sinew_vec3){0, 1, 0}, job->turning * left);
  return vec3_add_scaled(vec3_add(root, quat_rotate(turn, vec3_sub(there, root))), left, job->velocity);
}

static void begin_swing(const foothold_job *job) {
  planted_foot *p = job->p;
  p->swing.on = true;
  p->swing.time = 0;
  p->swing.bump = 0;
  p->swing.from = (foothold){p->ball, p->floor.at, p->lean_x.at, p->lean_z.at, {p->aside_x.at, 0, p->aside_z.at}};
  p->swing.from.height += rise(p->lean_x.at, p->lean_z.at, p->shown, p->ball);
  ask_landing(job, find_landing(job));
}

static sinew_vec3 find_aside(const foothold_job *job) {
  foot_swing *s = &job->p->swing;
  const foot_phase *phase = &job->phase;
  if (!phase->steps || phase->down > 0.6f) s->on = false;
  else if (!s->on && phase->down < 0.4f && job->p->known) begin_swing(job);
  if (!s->on) return s->to.aside;
  sinew_vec3 landing = find_landing(job);
  s->time += job->f->dt;
  bool moved = float_hypot(landing.x - s->to.ball.x, landing.z - s->to.ball.z) > new_landing * job->unit;
  if (moved && phase->to_land > 0) ask_landing(job, landing);
  else if (s->asked < WAY_POINTS + PROFILE_POINTS) look_around(job);
  return way_aside(s, progress(job, job->ball, s->time));
}

sinew_vec3 foothold_aside(const foothold_job *job) {
  planted_foot *p = job->p;
  sinew_vec3 aside = find_aside(job);
  glide_follow(&p->aside_x, aside.x, 0, aside_life, job->f->dt);
  glide_follow(&p->aside_z, aside.z, 0, aside_life, job->f->dt);
  return (sinew_vec3){p->aside_x.at, 0, p->aside_z.at};
}

/* ---- the plane under the foot ---- */

typedef struct sole_now {
  sinew_vec3 at[FOOT_POINTS];
  float lift[FOOT_POINTS]; /* in the pose, above where they are at rest */
} sole_now;

static sole_now find_sole(const foothold_job *job, sinew_vec3 shown) {
  const modifier_frame *f = job->f;
  sole_now sole;
  sinew_vec3 aside = vec3_sub(shown, job->ball);
  float scale = job->unit / (float)gait_size(f->of->gait);
  for (int i = 0; i < FOOT_POINTS; i++) {
    const foot_point *point = job->outline->points + i;
    sinew_vec3 at = sinew_mat3x4_transform_point(f->posed.joints + point->joint, point->at);
    sole.at[i] = vec3_add(sinew_mat3x4_transform_point(&f->world, at), aside);
    sole.lift[i] = fmaxf(at.y - point->rest, 0) * scale;
  }
  return sole;
}

/* The height at which the plane under the foot carries this point of its sole. */
static float needed(const foothold_job *job, const sole_now *sole, int i, float height) {
  const planted_foot *p = job->p;
  return height - rise(p->lean_x.at, p->lean_z.at, sole->at[FOOT_BALL], sole->at[i]) - sole->lift[i];
}

/* The way of the ball in so many seconds, along the ground and up to farthest_look. */
static sinew_vec3 way_in(const foothold_job *job, const sole_now *sole, float seconds) {
  sinew_vec3 way = vec3_sub(sole->at[FOOT_BALL], job->p->shown), none = {0, 0, 0};
  float times = seconds / (float)job->f->dt, far = times * float_hypot(way.x, way.z), most = farthest_look * job->unit;
  way.y = 0;
  return far > 0 ? vec3_scale(way, far > most ? times * most / far : times) : none;
}

/* What the foot slides towards, for a step up. */
static float look_ahead(const foothold_job *job, const sole_now *sole, float goal) {
  const planted_foot *p = job->p;
  sinew_vec3 way = way_in(job, sole, look_time);
  float far = float_hypot(way.x, way.z), least = least_step * job->unit + curving * far;
  for (int i = FOOT_HEEL; i <= FOOT_TOE && far > 0.002f * job->unit; i += FOOT_TOE - FOOT_HEEL) {
    sinew_vec3 there = vec3_add(sole->at[i], way);
    float height = ask(job, there).height - rise(p->lean_x.at, p->lean_z.at, sole->at[FOOT_BALL], there);
    if (height > goal + least) goal = height;
  }
  return goal;
}

static void tell_ground(planted_foot *p, const sole_now *sole, const ground_point *heel, const ground_point *toe) {
  sinew_vec3 along = vec3_sub(sole->at[FOOT_TOE], sole->at[FOOT_HEEL]);
  float far = along.x * along.x + along.z * along.z, missing = 0;
  p->plane = (sinew_vec3){heel->lean_x, 1, heel->lean_z};
  if (far > 1e-6f) missing = (toe->height - heel->height - posed_rise(p->plane, along)) / far;
  p->plane = vec3_add_scaled(p->plane, -missing, (sinew_vec3){along.x, 0, along.z});
  p->heel = sole->at[FOOT_HEEL];
  p->under = heel->height;
}

static void follow_lean(planted_foot *p, float lean_x, float lean_z, double life, double dt) {
  if (!p->known) p->lean_x = (glide){lean_x, 0}, p->lean_z = (glide){lean_z, 0};
  glide_follow(&p->lean_x, lean_x, 0, life, dt);
  glide_follow(&p->lean_z, lean_z, 0, life, dt);
}

static void follow_height(planted_foot *p, float goal, float step, double life, double dt) {
  if (!p->known) p->floor = (glide){goal, 0};
  glide_follow(&p->floor, goal, p->known && dt > 0 ? step / (float)dt : 0, life, dt);
}

/* What the ends of the sole are about to pass, unless the ground was asked often enough in this frame. */
static float look_at_edges(const foothold_job *job, const sole_now *sole, float goal) {
  if (!(job->f->dt > 0) || job->p->swing.asked == 0) return goal;
  sinew_vec3 way = way_in(job, sole, edge_time);
  for (int i = 0; i < FOOT_POINTS; i++)
    goal = fmaxf(goal, needed(job, sole, i, ask(job, vec3_add(sole->at[i], way)).height));
  return goal;
}

static void follow_swing(const foothold_job *job, const sole_now *sole, const ground_point found[FOOT_POINTS]) {
  planted_foot *p = job->p;
  const foot_swing *s = &p->swing;
  double dt = job->f->dt;
  float u = progress(job, job->ball, s->time), before = progress(job, p->ball, s->time - dt);
  follow_lean(p, mix(s->from.lean_x, s->to.lean_x, u), mix(s->from.lean_z, s->to.lean_z, u), swing_life, dt);
  float goal = way_height(job, u, sole->at[FOOT_BALL]), step = goal - way_height(job, before, p->shown);
  for (int i = FOOT_HEEL; i <= FOOT_TOE; i += FOOT_TOE - FOOT_HEEL)
    goal = fmaxf(goal, needed(job, sole, i, found[i].height));
  follow_height(p, look_at_edges(job, sole, goal), step, swing_life, dt);
}

/* Its ball is on the plane, however high it is: it may be that nobody knows when it comes down. */
static void follow_stand(const foothold_job *job, sole_now *sole, ground_point found[FOOT_POINTS]) {
  planted_foot *p = job->p;
  double dt = job->f->dt;
  float goal = -INFINITY;
  found[FOOT_BALL] = ask(job, sole->at[FOOT_BALL]);
  sole->lift[FOOT_BALL] = 0;
  follow_lean(p, (found[FOOT_HEEL].lean_x + found[FOOT_TOE].lean_x) / 2,
              (found[FOOT_HEEL].lean_z + found[FOOT_TOE].lean_z) / 2, stand_life, dt);
  for (int i = 0; i < FOOT_POINTS; i++) goal = fmaxf(goal, needed(job, sole, i, found[i].height));
  if (p->known && dt > 0) goal = look_ahead(job, sole, goal);
  follow_height(p, goal, rise(p->lean_x.at, p->lean_z.at, p->shown, sole->at[FOOT_BALL]), stand_life, dt);
}

void foothold_follow(const foothold_job *job, sinew_vec3 shown) {
  planted_foot *p = job->p;
  ground_point found[FOOT_POINTS];
  sole_now sole = find_sole(job, shown);
  for (int i = FOOT_HEEL; i <= FOOT_TOE; i += FOOT_TOE - FOOT_HEEL) found[i] = ask(job, sole.at[i]);
  if (p->swing.on) follow_swing(job, &sole, found);
  else follow_stand(job, &sole, found);
  tell_ground(p, &sole, found + FOOT_HEEL, found + FOOT_TOE);
}
