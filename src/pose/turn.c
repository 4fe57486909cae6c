#include "pose/turn.h"

#include "math/quat.h"

#include <math.h>

sinew_quat turn_in_parent(const sinew_mat3x4 *parent, sinew_quat turn) {
  sinew_transform p = sinew_transform_from_mat3x4(parent);
  sinew_quat q = sinew_quat_multiply(sinew_quat_multiply(quat_conjugate(p.rotation), turn), p.rotation);
  /* A mirror turns a rotation's axis as it turns a cross product. */
  float x = copysignf(1, p.scale.x), y = copysignf(1, p.scale.y), z = copysignf(1, p.scale.z);
  return (sinew_quat){q.x * y * z, q.y * z * x, q.z * x * y, q.w};
}
