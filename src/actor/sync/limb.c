#include "actor/sync/limb.h"

#include "math/quat.h"
#include "math/vec3.h"
#include "model/model.h"
#include "pose/modifiers/posed.h"

#include <math.h>

bool limb_is_above(const sinew_model *model, int joint, int other) {
  while (other > joint) other = model->parents[other];
  return other == joint;
}

static bool carries_another(const sinew_model *model, int joint, const int *feet, int foot_count, int foot) {
  for (int i = 0; i < foot_count; i++)
    if (feet[i] != foot && limb_is_above(model, joint, feet[i])) return true;
  return false;
}

bool limb_find(const sinew_model *model, const int *feet, int foot_count, int foot, limb_chain *out) {
  int top = foot, count = 0;
  while (model->parents[top] > 0 && !carries_another(model, model->parents[top], feet, foot_count, foot))
    top = model->parents[top], count++;
  *out = (limb_chain){top, foot, count >= 4};
  return count >= 2 || count == 0;
}

/* ---- bringing it ---- */

/* Damped least squares (Wampler 1986): with r from each joint to the foot, and e from the foot to its goal, joints turn
 * by r × y, where (Σ (r² I − r rᵀ) + λ² I) y = e. */
typedef struct square {
  double xx, yy, zz, xy, xz, yz;
} square;

static void add_joint(square *a, double weight, sinew_vec3 r) {
  double x = (double)r.x, y = (double)r.y, z = (double)r.z;
  a->xx += weight * (y * y + z * z), a->yy += weight * (x * x + z * z), a->zz += weight * (x * x + y * y);
  a->xy -= weight * x * y, a->xz -= weight * x * z, a->yz -= weight * y * z;
}

/* It is positive definite. */
static sinew_vec3 solve(const square *a, sinew_vec3 e) {
  double xx = a->yy * a->zz - a->yz * a->yz, xy = a->xz * a->yz - a->xy * a->zz, xz = a->xy * a->yz - a->xz * a->yy,
         yy = a->xx * a->zz - a->xz * a->xz, yz = a->xy * a->xz - a->xx * a->yz, zz = a->xx * a->yy - a->xy * a->xy;
  double determinant = a->xx * xx + a->xy * xy + a->xz * xz, x = (double)e.x, y = (double)e.y, z = (double)e.z;
  if (!(determinant > 0)) return (sinew_vec3){0, 0, 0};
  return (sinew_vec3){(float)((xx * x + xy * y + xz * z) / determinant),
                      (float)((xy * x + yy * y + yz * z) / determinant),
                      (float)((xz * x + yz * y + zz * z) / determinant)};
}

static sinew_vec3 to_foot(const limb_chain *l, const sinew_posed *posed, int joint) {
  return vec3_sub(posed_position(posed, l->foot), posed_position(posed, joint));
}

/* A shoulder blade turns little. */
static double weight_of(const limb_chain *l, int joint) { return l->blade && joint == l->top ? 0.1 : 1; }

/* The way to the goal, though no more of it at a time than a part of the limb's length: a step takes angles for their
 * sines, and a longer one would turn the joints past the goal (Buss and Kim 2005 clamp it, too). */
static sinew_vec3 part_of_way(const limb_chain *l, const sinew_posed *posed, sinew_vec3 goal) {
  static const float part = 0.3f;
  sinew_vec3 way = vec3_sub(goal, posed_position(posed, l->foot));
  float length = 0, far = vec3_length(way);
  for (int i = l->foot, parent; i != l->top; i = parent) {
    parent = posed->model->parents[i];
    length += vec3_distance(posed_position(posed, i), posed_position(posed, parent));
  }
  return far > part * length ? vec3_scale(way, part * length / far) : way;
}

static void approach(const limb_chain *l, const sinew_posed *posed, sinew_vec3 goal) {
  static const double damping = 0.01;
  const int *parents = posed->model->parents;
  square sum = {0};
  for (int i = l->foot; i != l->top;) i = parents[i], add_joint(&sum, weight_of(l, i), to_foot(l, posed, i));
  double damp = damping * (sum.xx + sum.yy + sum.zz);
  sum.xx += damp, sum.yy += damp, sum.zz += damp;
  sinew_vec3 y = solve(&sum, part_of_way(l, posed, goal));
  for (int i = l->foot; i != l->top;) {
    i = parents[i];
    sinew_vec3 turn = vec3_scale(vec3_cross(to_foot(l, posed, i), y), (float)weight_of(l, i));
    float angle = vec3_length(turn);
    if (angle > 1e-6f) posed_rotate(posed, i, sinew_quat_from_axis_angle(vec3_scale(turn, 1 / angle), angle), 1);
  }
  posed_update(posed, l->top);
}

/* A foot without a limb goes there itself. */
static void move_alone(const sinew_posed *posed, int foot, sinew_vec3 goal) {
  sinew_mat3x4 parent = posed_parent(posed, foot), inverse;
  sinew_transform local = sinew_pose_joint(&posed->pose, foot);
  if (!sinew_mat3x4_inverse(&parent, &inverse)) return;
  local.translation = sinew_mat3x4_transform_point(&inverse, goal);
  sinew_pose_set_joint(&posed->pose, foot, &local);
  posed_update(posed, foot);
}

void limb_bring(const limb_chain *l, const sinew_posed *posed, sinew_transform goal) {
  enum { STEPS = 4 };
  if (l->top == l->foot) move_alone(posed, l->foot, goal.translation);
  for (int i = 0; i < STEPS && l->top != l->foot; i++) approach(l, posed, goal.translation);
  sinew_quat now = sinew_transform_from_mat3x4(posed->joints + l->foot).rotation;
  posed_rotate(posed, l->foot, sinew_quat_multiply(goal.rotation, quat_conjugate(now)), 1);
  posed_update(posed, l->foot);
}
