#include "model/retarget/retarget_legs.h"

#include "math/elementary.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "model/model_space.h"

#include <math.h>

static sinew_vec3 place(const sinew_transform *joint, sinew_vec3 point) {
  sinew_transform local = {point, {0, 0, 0, 1}, {1, 1, 1}};
  return model_space_compose(joint, &local).translation;
}

/* ---- soles ---- */

static void add_point(retarget_sole *sole, int joint, sinew_vec3 point) {
  sole->joints[sole->count] = joint;
  sole->points[sole->count++] = point;
}

/* Of the mesh where it is known; else what is on the ground below the ankle and the toes. `turn` makes y point up. */
static retarget_sole find_sole(const model_body *b, const sinew_transform *rest, sinew_quat turn, float ground,
                               int foot, int toes) {
  retarget_sole sole = {.count = 0};
  for (int i = 0; b && i < b->foot_count; i++) {
    const body_foot *f = b->feet + i;
    for (int k = 0; k < 2 && f->foot == foot && f->has_corners; k++)
      add_point(&sole, foot, f->back[k]), add_point(&sole, f->end, f->tip[k]);
  }
  for (int i = 0; i < 2 && (sole.count == i); i++) {
    int joint = i ? toes : foot;
    if (joint < 0) break;
    sinew_vec3 at = quat_rotate(turn, rest[joint].translation);
    at.y = ground;
    add_point(&sole, joint, model_space_below(rest + joint, quat_rotate(quat_conjugate(turn), at)));
  }
  return sole;
}

static float height_of(const retarget_sole *sole, sinew_quat turn, const sinew_transform *placed) {
  float lowest = INFINITY;
  for (int i = 0; i < sole->count; i++)
    lowest = fminf(lowest, quat_rotate(turn, place(placed + sole->joints[i], sole->points[i])).y);
  return lowest;
}

/* ---- the plan ---- */

static float their_height(const retarget_legs_job *job, int joint) {
  return quat_rotate(job->plan->rotation, job->their_rest[joint].translation).y;
}

/* Where their soles are at rest: on the ground, or below it in a rest pose around the origin. */
static float their_floor(const retarget_legs_job *job, const retarget_leg *leg) {
  float foot = their_height(job, leg->their_foot), thigh = their_height(job, leg->their_thigh);
  bool at_origin = foot < -0.5f * (thigh - foot) && !isfinite(job->plan->stride_ankle);
  return at_origin ? foot - job->our_rest[leg->foot].translation.y / job->plan->scale : 0;
}

static int toes_of(const model_body *b, int foot) {
  for (int side = 0; side < 2; side++)
    if (b->person.limbs[side][LIMB_FOOT] == foot) return b->person.limbs[side][LIMB_TOES];
  return -1;
}

static bool plan_leg(const retarget_legs_job *job, int side, retarget_leg *leg) {
  const int32_t *limbs = job->map->our_body.limbs[side], *theirs = job->map->theirs;
  int thigh = limbs[LIMB_THIGH], shin = limbs[LIMB_SHIN], foot = limbs[LIMB_FOOT], toes = limbs[LIMB_TOES];
  if (thigh < 0 || shin < 0 || foot < 0 || theirs[thigh] < 0 || theirs[shin] < 0 || theirs[foot] < 0) return false;
  if (thigh == shin || !skeleton_is_above(job->plan->ours, thigh, shin)) return false;
  if (!skeleton_is_above(job->plan->ours, shin, foot) && job->plan->joints[foot].follows != shin) return false;
  sinew_vec3 front = quat_rotate(quat_conjugate(job->our_rest[thigh].rotation), job->ours->front);
  *leg = (retarget_leg){theirs[thigh], theirs[shin], theirs[foot], thigh, shin, foot, .front = front};
  const model_body *mesh = isfinite(job->plan->stride_ankle) ? NULL : job->theirs; /* whose sole lies flat at rest */
  leg->their_sole = find_sole(mesh, job->their_flat, job->plan->rotation, their_floor(job, leg), leg->their_foot,
                              toes_of(job->theirs, leg->their_foot));
  leg->our_sole = find_sole(job->ours, job->our_rest, (sinew_quat){0, 0, 0, 1}, 0, foot, toes);
  return true;
}

static float reach_at_rest(const sinew_transform *rest, int from, int to) {
  return vec3_distance(rest[from].translation, rest[to].translation);
}

/* Turning alike is then right, whatever is known of the soles. */
static bool is_alike(const retarget_legs_job *job, const retarget_leg *leg) {
  float scale = job->plan->scale, whole = 0, off = 0;
  int toes = toes_of(job->ours, leg->foot), their_toes = toes_of(job->theirs, leg->their_foot);
  const int ours[4] = {leg->thigh, leg->shin, leg->foot, toes};
  const int theirs[4] = {leg->their_thigh, leg->their_shin, leg->their_foot, their_toes};
  for (int i = 0; i < 3 && ours[i + 1] >= 0 && theirs[i + 1] >= 0; i++) {
    float is = reach_at_rest(job->our_rest, ours[i], ours[i + 1]);
    off = fmaxf(off, fabsf(is - scale * reach_at_rest(job->their_flat, theirs[i], theirs[i + 1])));
    if (i < 2) whole += is;
  }
  float ankle = quat_rotate(job->plan->rotation, job->their_flat[leg->their_foot].translation).y;
  float height = ankle - their_floor(job, leg);
  return fmaxf(off, fabsf(job->our_rest[leg->foot].translation.y - scale * height)) < 0.01f * whole;
}

retarget_legs retarget_legs_plan(const retarget_legs_job *job) {
  retarget_legs legs = {0};
  int hips = job->map->our_body.hips;
  bool stands = hips >= 0 && job->plan->joints[hips].travels;
  if (stands && plan_leg(job, 0, legs.legs) && plan_leg(job, 1, legs.legs + 1)) legs.count = 2;
  if (legs.count && is_alike(job, legs.legs) && is_alike(job, legs.legs + 1)) legs.count = 0;
  return legs;
}

/* ---- a pose ---- */

typedef struct bend {
  sinew_vec3 hip, knee, ankle, target;
  float upper, lower;
} bend;

/* Theirs is straightened no further than ours may be without a jerk at the knee. */
static float reach_of(const bend *b, float distance, float their_reach) {
  float whole = b->upper + b->lower, free = fmaxf(0.97f, fminf(their_reach, 0.999f)) * whole, rest = whole - free;
  float least = fabsf(b->upper - b->lower) + 0.001f * whole;
  if (distance > free) distance = free + rest * (1 - float_exp(-(distance - free) / rest));
  return fmaxf(distance, least);
}

static sinew_vec3 unit_between(sinew_vec3 from, sinew_vec3 to) {
  return vec3_unit(vec3_sub(to, from), (sinew_vec3){0, -1, 0});
}

/* To the knee from the line of the leg; for a nearly straight one more and more the front. */
static sinew_vec3 find_pole(const bend *b, sinew_vec3 line, sinew_vec3 front) {
  float bent = 0.02f * (b->upper + b->lower);
  sinew_vec3 pole = vec3_without(vec3_sub(b->knee, b->hip), line);
  float missing = fmaxf(0, bent - vec3_length(pole));
  pole = vec3_add_scaled(pole, missing, vec3_unit(vec3_without(front, line), vec3_across(line)));
  return vec3_unit(pole, vec3_across(line));
}

static sinew_vec3 bent_knee(const bend *b, sinew_vec3 front) {
  sinew_vec3 pole = find_pole(b, unit_between(b->hip, b->ankle), front), line = unit_between(b->hip, b->target);
  float distance = vec3_distance(b->hip, b->target);
  float along = (b->upper * b->upper + distance * distance - b->lower * b->lower) / (2 * distance);
  float out = sqrtf(fmaxf(0, b->upper * b->upper - along * along));
  pole = vec3_unit(vec3_without(pole, line), vec3_across(line));
  return vec3_add_scaled(vec3_add_scaled(b->hip, along, line), out, pole);
}

/* Gives a joint a rotation in model space, and places what hangs from it. */
static void rotate(const skeleton_view *s, int joint, sinew_quat wanted, sinew_transform *local,
                   sinew_transform *placed) {
  sinew_quat above = placed[s->parents[joint]].rotation;
  local[joint].rotation = sinew_quat_normalize(sinew_quat_multiply(quat_conjugate(above), wanted));
  skeleton_to_model(s, local, placed);
}

static void point(const skeleton_view *s, int joint, sinew_vec3 from, sinew_vec3 is, sinew_vec3 wanted,
                  sinew_transform *local, sinew_transform *placed) {
  sinew_quat turn = quat_between(unit_between(from, is), unit_between(from, wanted));
  rotate(s, joint, sinew_quat_multiply(turn, placed[joint].rotation), local, placed);
}

static sinew_vec3 seen(const retarget_plan *plan, const sinew_transform *theirs, int from, int to) {
  return quat_rotate(plan->rotation, vec3_sub(theirs[to].translation, theirs[from].translation));
}

static float length_of(const retarget_leg *leg, const sinew_transform *theirs) {
  sinew_vec3 knee = theirs[leg->their_shin].translation;
  return vec3_distance(theirs[leg->their_thigh].translation, knee) +
         vec3_distance(knee, theirs[leg->their_foot].translation);
}

static float their_reach(const retarget_leg *leg, const sinew_transform *theirs) {
  float whole = length_of(leg, theirs);
  return whole > 0 ? vec3_distance(theirs[leg->their_thigh].translation, theirs[leg->their_foot].translation) / whole
                   : 1;
}

float retarget_legs_length(const retarget_legs *legs, const sinew_transform *theirs) {
  return length_of(legs->legs, theirs);
}

float retarget_legs_height(const retarget_legs *legs, const retarget_plan *plan, const sinew_transform *theirs) {
  float lowest = INFINITY, leg = retarget_legs_length(legs, theirs);
  for (int i = 0; i < legs->count; i++)
    lowest = fminf(lowest, height_of(&legs->legs[i].their_sole, plan->rotation, theirs));
  return leg > 0 ? lowest / leg : 0;
}

static bool find_bend(const retarget_leg *leg, const retarget_plan *plan, const sinew_transform *theirs,
                      const sinew_transform *placed, bend *b) {
  static const sinew_quat no_turn = {0, 0, 0, 1};
  b->hip = placed[leg->thigh].translation, b->knee = placed[leg->shin].translation;
  b->ankle = placed[leg->foot].translation;
  b->upper = vec3_distance(b->hip, b->knee), b->lower = vec3_distance(b->knee, b->ankle);
  if (!(b->upper > 0) || !(b->lower > 0)) return false;
  float sole = height_of(&leg->our_sole, no_turn, placed), wanted = height_of(&leg->their_sole, plan->rotation, theirs);
  b->target = vec3_add_scaled(b->hip, plan->scale, seen(plan, theirs, leg->their_thigh, leg->their_foot));
  b->target.y = b->ankle.y + plan->scale * wanted - sole;
  sinew_vec3 line = vec3_sub(b->target, b->hip);
  float distance = vec3_length(line);
  if (!(distance > 0)) return false;
  float reach = reach_of(b, distance, their_reach(leg, theirs));
  b->target = vec3_add_scaled(b->hip, reach / distance, line);
  return true;
}

static void bend_leg(const retarget_leg *leg, const retarget_plan *plan, const sinew_transform *theirs,
                     sinew_transform *ours, sinew_transform *placed) {
  bend b;
  sinew_quat foot = placed[leg->foot].rotation;
  sinew_vec3 front = quat_rotate(placed[leg->thigh].rotation, leg->front);
  if (!find_bend(leg, plan, theirs, placed, &b)) return;
  sinew_vec3 knee = bent_knee(&b, front), end = model_space_below(placed + leg->shin, b.ankle);
  point(plan->ours, leg->thigh, b.hip, b.knee, knee, ours, placed);
  point(plan->ours, leg->shin, placed[leg->shin].translation, place(placed + leg->shin, end), b.target, ours, placed);
  if (plan->joints[leg->foot].follows >= 0)
    ours[leg->foot].translation =
        model_space_below(placed + plan->ours->parents[leg->foot], place(placed + leg->shin, end));
  rotate(plan->ours, leg->foot, foot, ours, placed);
}

void retarget_legs_apply(const retarget_legs *legs, const retarget_plan *plan, const sinew_transform *theirs,
                         sinew_transform *ours, sinew_transform *ours_model) {
  for (int i = 0; i < legs->count; i++) bend_leg(legs->legs + i, plan, theirs, ours, ours_model);
}
