#include "pose/modifiers/posed.h"

#include "math/elementary.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "model/model.h"
#include "pose/kernels.h"

const char *posed_check(const sinew_posed *posed, float weight) {
  if (!posed->model) return "modifier: the model is missing";
  if (!posed->pose.groups || !posed->joints) return "modifier: the pose or its joints in model space are missing";
  if (posed->pose.joint_count != posed->model->joint_count) return "modifier: the pose is not of the model's size";
  if (!(weight >= 0 && weight <= 1)) return "modifier: the weight is not in 0..1";
  return NULL;
}

bool posed_has_joint(const sinew_posed *posed, int joint) { return joint >= 0 && joint < posed->model->joint_count; }

bool posed_is_below(const sinew_posed *posed, int joint, int above) {
  int start = joint;
  while (joint > above) joint = posed->model->parents[joint];
  return joint == above && start != above;
}

int posed_ball(const sinew_model *model, int ankle) {
  for (int i = ankle + 1; i < model->joint_count; i++)
    if (model->parents[i] == ankle) return i;
  return ankle;
}

float posed_rise(sinew_vec3 normal, sinew_vec3 way) {
  return -(normal.x * way.x + normal.z * way.z) / fmaxf(normal.y, 0.1f * vec3_length(normal));
}

sinew_vec3 posed_position(const sinew_posed *posed, int joint) {
  const float *m = posed->joints[joint].m;
  return (sinew_vec3){m[3], m[7], m[11]};
}

limb_reach posed_reach(const sinew_posed *posed, int upper, int middle, int tip) {
  static const float near = 0.5f, nearest = 0.35f, far = 0.985f, farthest = 0.999f;
  sinew_vec3 a = posed_position(posed, upper), b = posed_position(posed, middle), c = posed_position(posed, tip);
  float length = vec3_distance(a, b) + vec3_distance(b, c), own = vec3_distance(a, c);
  limb_reach reach = {.length = length, .near = fminf(near * length, own), .far = fmaxf(far * length, own)};
  reach.nearest = fminf(nearest * length, reach.near);
  reach.farthest = fmaxf(farthest * length, reach.far);
  return reach;
}

/* Beyond `soft`, ever less of what is asked; never beyond `most`. */
static float softly(float asked, float soft, float most) {
  float room = most - soft;
  return room != 0 ? soft + room * (1 - float_exp((soft - asked) / room)) : soft;
}

sinew_vec3 limb_within_reach(limb_reach reach, sinew_vec3 upper, sinew_vec3 goal) {
  float asked = vec3_distance(upper, goal), reached = asked;
  if (asked > reach.far) reached = softly(asked, reach.far, reach.farthest);
  if (asked < reach.near) reached = softly(asked, reach.near, reach.nearest);
  if (reached == asked || !(asked > 0)) return goal;
  return vec3_add_scaled(upper, reached / asked, vec3_sub(goal, upper));
}

sinew_mat3x4 posed_parent(const sinew_posed *posed, int joint) {
  int parent = posed->model->parents[joint];
  return parent < 0 ? sinew_mat3x4_identity() : posed->joints[parent];
}

sinew_vec3 posed_direction(const sinew_posed *posed, int joint, sinew_vec3 direction) {
  const float *m = posed->joints[joint].m;
  sinew_vec3 turned = {m[0] * direction.x + m[1] * direction.y + m[2] * direction.z,
                       m[4] * direction.x + m[5] * direction.y + m[6] * direction.z,
                       m[8] * direction.x + m[9] * direction.y + m[10] * direction.z};
  return vec3_unit(turned, (sinew_vec3){0, 0, 0});
}

static sinew_quat rotation_of(const sinew_pose_group *g, int i) {
  return (sinew_quat){g->rotation[0][i], g->rotation[1][i], g->rotation[2][i], g->rotation[3][i]};
}

static void set_rotation(sinew_pose_group *g, int i, sinew_quat q) {
  g->rotation[0][i] = q.x, g->rotation[1][i] = q.y, g->rotation[2][i] = q.z, g->rotation[3][i] = q.w;
}

void posed_rotate(const sinew_posed *posed, int joint, sinew_quat rotation, float weight) {
  sinew_pose_group *group = posed->pose.groups + joint / SINEW_LANES;
  int lane = joint % SINEW_LANES, parent = posed->model->parents[joint];
  if (parent >= 0) rotation = rotation_in_parent(posed->joints + parent, rotation);
  sinew_quat before = rotation_of(group, lane), turned = quat_product(rotation, before);
  if (quat_dot(before, turned) < 0) turned = quat_negate(turned);
  turned = quat_unit(turned);
  set_rotation(group, lane, weight == 1 ? turned : sinew_quat_slerp(quat_unit(before), turned, weight));
}

void posed_update(const sinew_posed *posed, int joint) {
  sinew_local_to_model(&(sinew_local_to_model_job){posed->model, posed->pose, posed->joints, joint});
}

void posed_place(const sinew_posed *posed, int first, int end) {
  const sinew_local_to_model_job job = {posed->model, posed->pose, posed->joints, 0};
  if (first < end) pose_kernels_current()->place(&job, first, end);
}

/* ---- joint position ---- */

static sinew_mat3x4 position_in_parent(const sinew_model *model, const sinew_clip *clip, int joint, double time) {
  sinew_transform local;
  sinew_sample_joint(&(sinew_sample_joint_job){model, clip, time, joint, &local});
  return sinew_mat3x4_from_transform(&local);
}

sinew_mat3x4 joint_position(const sinew_model *model, const sinew_clip *clip, int joint, double time) {
  sinew_mat3x4 position = position_in_parent(model, clip, joint, time);
  while ((joint = model->parents[joint]) >= 0) {
    sinew_mat3x4 parent = position_in_parent(model, clip, joint, time);
    position = sinew_mat3x4_multiply(&parent, &position);
  }
  return position;
}

/* ---- converts a rotation from model space to a joint's space ---- */

static sinew_vec3 column(const sinew_mat3x4 *m, int c) { return (sinew_vec3){m->m[c], m->m[4 + c], m->m[8 + c]}; }

/* Whether axes are equally long and orthogonal, within the errors of a product of many matrices in floats. */
static bool is_even(sinew_vec3 x, sinew_vec3 y, sinew_vec3 z, float square) {
  float most = 4e-6f * square;
  return fabsf(vec3_dot(y, y) - square) <= most && fabsf(vec3_dot(z, z) - square) <= most &&
         fabsf(vec3_dot(x, y)) <= most && fabsf(vec3_dot(x, z)) <= most && fabsf(vec3_dot(y, z)) <= most;
}

/* The axis in the coordinates of x, y and their cross product. */
static sinew_vec3 see_unevenly(sinew_vec3 x, sinew_vec3 y, sinew_vec3 axis) {
  x = vec3_unit(x, (sinew_vec3){1, 0, 0});
  y = vec3_unit(vec3_without(y, x), (sinew_vec3){0, 0, 0});
  if (vec3_dot(y, y) == 0) y = vec3_across(x);
  return (sinew_vec3){vec3_dot(axis, x), vec3_dot(axis, y), vec3_dot(axis, vec3_cross(x, y))};
}

/* parent⁻¹ · turn · parent rotates by the same angle about the axis expressed in the parent's axes. A mirrored parent
 * inverts the axis, as it inverts a cross product. */
sinew_quat rotation_in_parent(const sinew_mat3x4 *parent, sinew_quat rotation) {
  sinew_vec3 x = column(parent, 0), y = column(parent, 1), z = column(parent, 2),
             axis = {rotation.x, rotation.y, rotation.z}, seen;
  bool mirrored = vec3_dot(vec3_cross(x, y), z) < 0;
  float square = vec3_dot(x, x);
  if (square > 1e-12f && is_even(x, y, z, square)) {
    float s = (mirrored ? -1 : 1) / sqrtf(square);
    seen = (sinew_vec3){vec3_dot(axis, x) * s, vec3_dot(axis, y) * s, vec3_dot(axis, z) * s};
  } else {
    seen = see_unevenly(x, y, axis);
    if (mirrored) seen.x = -seen.x, seen.y = -seen.y;
  }
  return (sinew_quat){seen.x, seen.y, seen.z, rotation.w};
}
