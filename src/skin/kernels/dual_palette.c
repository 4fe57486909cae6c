#include "skin/kernels/lanes3.h"
#include "skin/kernels/skin.h"

/* The 3×3 part, its columns. */
typedef struct columns {
  lanes3 x, y, z;
} columns;

LANES_INLINE lanes size_of(lanes a) { return lanes_flip(a, lanes_sign(a)); }

/* The deviation of the matrix from a rotation: from orthogonal unit columns, not mirrored. */
LANES_INLINE lanes find_apart(const columns *m) {
  const lanes one = lanes_set(1);
  lanes x = size_of(lanes_sub(lanes3_dot(m->x, m->x), one)), y = size_of(lanes_sub(lanes3_dot(m->y, m->y), one));
  lanes z = size_of(lanes_sub(lanes3_dot(m->z, m->z), one)), xy = size_of(lanes3_dot(m->x, m->y));
  lanes xz = size_of(lanes3_dot(m->x, m->z)), yz = size_of(lanes3_dot(m->y, m->z));
  lanes most = lanes_max(lanes_max(lanes_max(x, y), lanes_max(z, xy)), lanes_max(xz, yz));
  lanes mirrored = lanes_greater(lanes_set(0), lanes3_dot(lanes3_cross(m->x, m->y), m->z));
  return lanes_select(mirrored, one, most);
}

typedef struct quat_sum {
  lanes x, y, z, w;
} quat_sum;

LANES_INLINE quat_sum choose(lanes mask, quat_sum a, quat_sum b) {
  return (quat_sum){lanes_select(mask, a.x, b.x), lanes_select(mask, a.y, b.y), lanes_select(mask, a.z, b.z),
                    lanes_select(mask, a.w, b.w)};
}

/* Shepperd 1978: of the four formulas, the one that divides by the largest component. */
LANES_INLINE quat_sum find_rotation(const columns *m) {
  const lanes one = lanes_set(1), zero = lanes_set(0);
  lanes trace = lanes_add(lanes_add(m->x.x, m->y.y), m->z.z), plus = lanes_add(m->x.y, m->y.x);
  lanes xz = lanes_add(m->x.z, m->z.x), yz = lanes_add(m->y.z, m->z.y);
  lanes wx = lanes_sub(m->y.z, m->z.y), wy = lanes_sub(m->z.x, m->x.z), wz = lanes_sub(m->x.y, m->y.x);
  quat_sum by_w = {wx, wy, wz, lanes_add(one, trace)};
  quat_sum by_x = {lanes_sub(lanes_add(one, lanes_sub(m->x.x, m->y.y)), m->z.z), plus, xz, wx};
  quat_sum by_y = {plus, lanes_sub(lanes_add(one, lanes_sub(m->y.y, m->x.x)), m->z.z), yz, wy};
  quat_sum by_z = {xz, yz, lanes_sub(lanes_add(one, lanes_sub(m->z.z, m->x.x)), m->y.y), wz};
  quat_sum q = choose(lanes_greater(m->y.y, m->z.z), by_y, by_z);
  q = choose(lanes_greater(m->x.x, lanes_max(m->y.y, m->z.z)), by_x, q);
  q = choose(lanes_greater(trace, zero), by_w, q);
  lanes square = lanes_fma(q.x, q.x, lanes_fma(q.y, q.y, lanes_fma(q.z, q.z, lanes_mul(q.w, q.w))));
  lanes s = lanes_div(one, lanes_sqrt(square));
  return (quat_sum){lanes_mul(q.x, s), lanes_mul(q.y, s), lanes_mul(q.z, s), lanes_mul(q.w, s)};
}

/* Nothing is stretched. */
LANES_INLINE void store_rigid(quat_sum q, lanes3 translation, float *output) {
  enum { STRIDE = sizeof(sinew_dual_quat) / sizeof(float) };
  const lanes one = lanes_set(1), zero = lanes_set(0);
  lanes_store_rows(q.x, q.y, q.z, q.w, output, STRIDE);
  lanes_store_rows(translation.x, translation.y, translation.z, one, output + 4, STRIDE);
  lanes_store_rows(zero, zero, zero, one, output + 8, STRIDE);
  lanes_store_rows(zero, zero, zero, one, output + 12, STRIDE);
}

bool skin_dual_palette(const sinew_mat3x4 *palette, sinew_dual_quat *output, float apart[SINEW_LANES]) {
  lanes x[4], y[4], z[4];
  lanes_load_rows(palette->m, 12, x);
  lanes_load_rows(palette->m + 4, 12, y);
  lanes_load_rows(palette->m + 8, 12, z);
  columns m = {{x[0], y[0], z[0]}, {x[1], y[1], z[1]}, {x[2], y[2], z[2]}};
  lanes far = find_apart(&m);
  store_rigid(find_rotation(&m), (lanes3){x[3], y[3], z[3]}, (void *)output);
  lanes_store(apart, far);
  return !lanes_any(lanes_greater(far, lanes_set(SKIN_RIGID)));
}
