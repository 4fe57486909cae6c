#include "actor/sync/foot_floor.h"

#include "actor/sync/leg_bend.h"
#include "model/model.h"

#include <math.h>

/* Metres of a person, within which a falling foot is slowed down: a straight knee would snap. */
static const float softest = 0.02f;

static int joint_of(const model_gait *gait, int i) {
  return i < gait->leg_count ? gait->legs[i].toes : gait->limbs[i - gait->leg_count].foot;
}

/* The joint at the top of the leg, which moves the foot: its toes may rest in a clip that walks. */
static int top_of(const model_gait *gait, int i) {
  return i < gait->leg_count ? gait->legs[i].thigh : gait->limbs[i - gait->leg_count].top;
}

static sinew_vec3 foot_in(const model_gait *gait, sinew_pose pose, int i) {
  sinew_mat3x4 m = leg_joint_in(gait->model, pose, joint_of(gait, i));
  return (sinew_vec3){m.m[3], m.m[7], m.m[11]};
}

bool foot_floor_is_near(const model_gait *gait, sinew_pose pose) {
  bool near = false;
  for (int i = 0; i < gait->standing && !near; i++)
    near = foot_in(gait, pose, i).y < gait->stands[i] + softest * (float)gait->size;
  return near;
}

/* ---- the blended parts ---- */

static bool is_transition(const foot_floor_part *a, const foot_floor_part *b) {
  return a->group != b->group && !(a->sync && a->sync == b->sync);
}

bool foot_floor_has_transition(const foot_floor_part *parts, int count) {
  bool has = false;
  for (int i = 1; i < count && !has; i++)
    for (int k = 0; k < i && !has; k++) has = is_transition(parts + i, parts + k);
  return has;
}

static float weight_of(const model_gait *gait, const foot_floor_part *part, int i) {
  float own = part->joint_weights ? part->joint_weights[top_of(gait, i)] : 1;
  return part->weight * (part->beneath ? 1 - own : own);
}

enum { MOST_PARTS = 33 };

/* In the blend, a straight limb of length l hangs lower by Σ w w' (f − f')² / 4 l, over all pairs with feet at f and
 * f'. */
static void find_foot(foot_floor *floor, const model_gait *gait, const foot_floor_part *parts, int count, int i) {
  sinew_vec3 at[MOST_PARTS];
  float weights[MOST_PARTS], whole = 0, all = 0, due = 0;
  floor->lowest[i] = gait->stands[i];
  for (int k = 0; k < count; k++) {
    weights[k] = weight_of(gait, parts + k, i);
    if (!(weights[k] > 0)) continue;
    at[k] = foot_in(gait, parts[k].pose, i);
    floor->lowest[i] = fminf(floor->lowest[i], at[k].y);
    whole += weights[k];
  }
  for (int k = 1; k < count; k++)
    for (int j = 0; j < k; j++) {
      if (!(weights[k] > 0) || !(weights[j] > 0)) continue;
      float x = at[k].x - at[j].x, z = at[k].z - at[j].z, part = weights[k] * weights[j] * (x * x + z * z);
      all += part;
      if (is_transition(parts + k, parts + j)) due += part;
    }
  floor->sag[i] = whole > 0 ? all / (whole * whole * 2 * gait->hangs[i]) : 0;
  floor->from_transition[i] = all > 0 ? due / all : 0;
}

foot_floor foot_floor_of(const model_gait *gait, const foot_floor_part *parts, int count) {
  foot_floor floor = {.stops = false};
  if (count > MOST_PARTS) return floor;
  for (int i = 0; i < gait->standing; i++) {
    find_foot(&floor, gait, parts, count, i);
    floor.stops |= floor.from_transition[i] > 0;
  }
  return floor;
}

/* ---- the blend ---- */

/* A parabola joins the fall and the floor. */
static float height_over(const foot_floor *floor, const model_gait *gait, int i, float height) {
  float soft = fminf(floor->sag[i], softest * (float)gait->size), over = height - floor->lowest[i];
  if (over >= soft) return height;
  float lifted = floor->lowest[i] + (over > -soft ? (over + soft) * (over + soft) / (4 * soft) : 0);
  return height + floor->from_transition[i] * (lifted - height);
}

static void lift(const model_gait *gait, const sinew_posed *posed, int i, float height) {
  sinew_transform goal = sinew_transform_from_mat3x4(posed->joints + joint_of(gait, i));
  goal.translation.y = height;
  if (i < gait->leg_count) leg_bend(gait->legs + i, posed, goal.translation, 1);
  else limb_bring(gait->limbs + i - gait->leg_count, posed, goal);
}

void foot_floor_apply(const foot_floor *floor, const model_gait *gait, const sinew_posed *posed) {
  bool placed = false;
  for (int i = 0; floor->stops && i < gait->standing; i++) {
    float height = foot_in(gait, posed->pose, i).y, wanted = height_over(floor, gait, i, height);
    if (!(wanted > height)) continue;
    if (!placed) sinew_local_to_model(&(sinew_local_to_model_job){posed->model, posed->pose, posed->joints, 0});
    placed = true;
    lift(gait, posed, i, wanted);
  }
}
