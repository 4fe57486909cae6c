#include "pose/modifiers/turn.h"

#include "math/vec3.h"

static sinew_vec3 column(const sinew_mat3x4 *m, int c) { return (sinew_vec3){m->m[c], m->m[4 + c], m->m[8 + c]}; }

/* parent⁻¹ · turn · parent turns by the same angle about the axis as the parent's own axes see it. A mirror turns a
 * rotation's axis the other way, as it turns a cross product. */
sinew_quat turn_in_parent(const sinew_mat3x4 *parent, sinew_quat turn) {
  sinew_vec3 x = column(parent, 0), y = column(parent, 1), axis = {turn.x, turn.y, turn.z};
  bool mirrored = vec3_dot(vec3_cross(x, y), column(parent, 2)) < 0;
  x = vec3_unit(x, (sinew_vec3){1, 0, 0});
  y = vec3_unit(vec3_without(y, x), (sinew_vec3){0, 0, 0});
  if (vec3_dot(y, y) == 0) y = vec3_across(x);
  float along_x = vec3_dot(axis, x), along_y = vec3_dot(axis, y), along_z = vec3_dot(axis, vec3_cross(x, y));
  return (sinew_quat){mirrored ? -along_x : along_x, mirrored ? -along_y : along_y, along_z, turn.w};
}
