#include <sinew/math.h>

#include "math/quat.h"
#include "math/vec3.h"

sinew_transform sinew_transform_identity(void) { return (sinew_transform){{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}; }

sinew_mat3x4 sinew_mat3x4_identity(void) { return (sinew_mat3x4){{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}}; }

sinew_mat3x4 sinew_mat3x4_from_transform(const sinew_transform *transform) {
  sinew_quat q = transform->rotation;
  sinew_vec3 t = transform->translation, k = transform->scale;
  float length = quat_dot(q, q);
  float s = length > 0.0f ? 2.0f / length : 0.0f;
  float xx = q.x * q.x * s, yy = q.y * q.y * s, zz = q.z * q.z * s;
  float xy = q.x * q.y * s, xz = q.x * q.z * s, yz = q.y * q.z * s;
  float wx = q.w * q.x * s, wy = q.w * q.y * s, wz = q.w * q.z * s;
  return (sinew_mat3x4){{
      (1 - yy - zz) * k.x,
      (xy - wz) * k.y,
      (xz + wy) * k.z,
      t.x,
      (xy + wz) * k.x,
      (1 - xx - zz) * k.y,
      (yz - wx) * k.z,
      t.y,
      (xz - wy) * k.x,
      (yz + wx) * k.y,
      (1 - xx - yy) * k.z,
      t.z,
  }};
}

sinew_mat3x4 sinew_mat3x4_multiply(const sinew_mat3x4 *a, const sinew_mat3x4 *b) {
  sinew_mat3x4 product;
  for (int r = 0; r < 3; r++) {
    const float *row = a->m + 4 * r;
    for (int c = 0; c < 4; c++)
      product.m[4 * r + c] = row[0] * b->m[c] + row[1] * b->m[4 + c] + row[2] * b->m[8 + c] + (c == 3 ? row[3] : 0.0f);
  }
  return product;
}

/* Element (r, c) of the cofactor matrix of the 3×3 part; in double, because the difference of products cancels. */
static double cofactor(const float *m, int r, int c) {
  int r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
  return (double)m[4 * r1 + c1] * (double)m[4 * r2 + c2] - (double)m[4 * r1 + c2] * (double)m[4 * r2 + c1];
}

bool sinew_mat3x4_inverse(const sinew_mat3x4 *matrix, sinew_mat3x4 *inverse) {
  const float *m = matrix->m;
  double determinant = 0;
  for (int c = 0; c < 3; c++) determinant += (double)m[c] * cofactor(m, 0, c);
  if (!(fabs(determinant) >= 1e-30) || !isfinite(determinant)) {
    *inverse = sinew_mat3x4_identity();
    return false;
  }
  sinew_mat3x4 result;
  for (int r = 0; r < 3; r++) {
    double moved = 0;
    for (int c = 0; c < 3; c++) {
      double value = cofactor(m, c, r) / determinant;
      result.m[4 * r + c] = (float)value;
      moved -= value * (double)m[4 * c + 3];
    }
    result.m[4 * r + 3] = (float)moved;
  }
  *inverse = result;
  return true;
}

static sinew_vec3 column(const sinew_mat3x4 *m, int c) { return (sinew_vec3){m->m[c], m->m[4 + c], m->m[8 + c]}; }

/* a without its component along the unit vector `along`, normalised; `fallback` if nothing is left. */
static sinew_vec3 unit_without(sinew_vec3 a, sinew_vec3 along, sinew_vec3 fallback) {
  float d = vec3_dot(a, along);
  sinew_vec3 rest = {a.x - d * along.x, a.y - d * along.y, a.z - d * along.z};
  float length = sqrtf(vec3_dot(rest, rest));
  if (!(length > 1e-20f)) return fallback;
  return (sinew_vec3){rest.x / length, rest.y / length, rest.z / length};
}

sinew_transform sinew_transform_from_mat3x4(const sinew_mat3x4 *matrix) {
  sinew_vec3 x = column(matrix, 0), y = column(matrix, 1), z = column(matrix, 2);
  sinew_transform t = {
      column(matrix, 3), {0, 0, 0, 1}, {sqrtf(vec3_dot(x, x)), sqrtf(vec3_dot(y, y)), sqrtf(vec3_dot(z, z))}};
  if (vec3_dot(vec3_cross(x, y), z) < 0) {
    t.scale.x = -t.scale.x;
    x = (sinew_vec3){-x.x, -x.y, -x.z};
  }
  sinew_vec3 nothing = {0, 0, 0};
  x = unit_without(x, nothing, (sinew_vec3){1, 0, 0});
  sinew_vec3 aside = fabsf(x.y) < 0.9f ? (sinew_vec3){0, 1, 0} : (sinew_vec3){0, 0, 1};
  y = unit_without(y, x, unit_without(aside, x, aside));
  t.rotation = quat_from_axes(x, y);
  return t;
}

sinew_mat4 sinew_mat4_from_mat3x4(const sinew_mat3x4 *matrix) {
  sinew_mat4 result = {{0}};
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 4; c++) result.m[4 * c + r] = matrix->m[4 * r + c];
  result.m[15] = 1;
  return result;
}

sinew_vec3 sinew_mat3x4_transform_point(const sinew_mat3x4 *matrix, sinew_vec3 p) {
  const float *m = matrix->m;
  return (sinew_vec3){m[0] * p.x + m[1] * p.y + m[2] * p.z + m[3], m[4] * p.x + m[5] * p.y + m[6] * p.z + m[7],
                      m[8] * p.x + m[9] * p.y + m[10] * p.z + m[11]};
}
