#include "pose/modifiers/joint_rotation.h"

#include "math/vec3.h"

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
