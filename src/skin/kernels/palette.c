#include "pose/kernels/eight_lanes.h"
#include "skin/kernels/lanes3.h"
#include "skin/kernels/skin.h"

#include <float.h>
#include <math.h>

/* Prefetches the memory for the same matrix of the next palette: palettes of characters are adjacent in memory, and a
 * write to uncached memory waits. If no palette follows, it does no harm. */
static void palette(const sinew_skin_view *skin, const sinew_mat3x4 *joints, sinew_mat3x4 *output, int stride) {
  const int32_t *index = skin->joints;
  const sinew_mat3x4 *bind = skin->inverse_binds, *end = bind + skin->count;
  const uintptr_t ahead = (uintptr_t)stride * sizeof *output;
  for (; bind + 1 < end; bind += 2, index += 2, output += 2) {
    __builtin_prefetch((const void *)((uintptr_t)output + ahead), 1, 2);
    __builtin_prefetch((const void *)((uintptr_t)(output + 1) + ahead), 1, 2);
    lanes_multiply_two(joints[index[0]].m, joints[index[1]].m, bind->m, bind[1].m, 4, output->m, output[1].m);
  }
  if (bind < end) lanes_multiply_affine(joints[*index].m, bind->m, 4, output->m);
}

/* The next eight follow these. */
static void palette_eight(const sinew_skin_view *skin, const float *joints, sinew_mat3x4 *const outputs[], int stride) {
  const int32_t *index = skin->joints;
  const sinew_mat3x4 *bind = skin->inverse_binds, *end = bind + skin->count;
  float *to[EIGHT];
  for (int i = 0; i < EIGHT; i++) to[i] = outputs[i][skin->first].m;
  const uintptr_t ahead = (uintptr_t)stride * EIGHT * sizeof *bind;
  for (size_t offset = 0; bind < end; bind++, index++, offset += 12) {
    eight_matrix right;
    lanes row[4];
    for (int e = 0; e < 12; e++) right.rows[e / 4][e % 4] = lanes_set(bind->m[e]);
    for (int i = 0; i < EIGHT; i++) __builtin_prefetch((const void *)((uintptr_t)(to[i] + offset) + ahead), 1, 2);
    for (int r = 0; r < 3; r++) {
      eight_multiply_row(joints + (size_t)*index * EIGHT_MATRIX + r * EIGHT_ROW, &right, row);
      lanes_scatter_rows(row[0], row[1], row[2], row[3], to, offset + 4 * (size_t)r);
    }
  }
}

extern const skin_kernels LANES_NAME(skin_kernels, LANES_SUFFIX);
const skin_kernels LANES_NAME(skin_kernels, LANES_SUFFIX) = {palette, palette_eight, skin_dual_palette, skin_move,
                                                             skin_bounds};

/* ---- bounds ---- */

/* Enlarges the box slightly, for the rounding of a vertex and of the sum of its weights. */
static const float slack = 4e-6f;

LANES_INLINE lanes size_of(lanes a) { return lanes_flip(a, lanes_sign(a)); }

/* Moves one axis of eight boxes: the middle, and half of the length. */
LANES_INLINE lanes move_axis(const float *row, lanes3 center, lanes3 half, lanes *reach) {
  lanes m[4];
  lanes_load_rows(row, 12, m);
  lanes x = lanes_mul(m[0], center.x), y = lanes_mul(m[1], center.y), z = lanes_mul(m[2], center.z);
  lanes middle = lanes_add(lanes_add(x, y), lanes_add(z, m[3]));
  lanes terms = lanes_add(lanes_add(size_of(x), size_of(y)), lanes_add(size_of(z), size_of(m[3])));
  lanes length = lanes3_dot((lanes3){size_of(m[0]), size_of(m[1]), size_of(m[2])}, half);
  *reach = lanes_fma(lanes_set(slack), lanes_add(length, lanes_add(terms, size_of(middle))), length);
  return middle;
}

/* Leaves out boxes with a corner that is not finite, and those of joints that move nothing. */
void skin_bounds(const sinew_joint_extent *extents, const sinew_mat3x4 *palette, lanes_box *box) {
  const lanes zero = lanes_set(0), most = lanes_set(FLT_MAX), least = lanes_set(-FLT_MAX);
  const int stride = sizeof *extents / sizeof(float);
  lanes front[4], back[4], low[3], high[3], sum = zero;
  lanes_load_rows(&extents->center.x, stride, front);
  lanes_load_rows(&extents->center.z, stride, back); /* its z, and half */
  lanes3 center = {front[0], front[1], front[2]}, half = {back[1], back[2], back[3]};
  for (int axis = 0; axis < 3; axis++) {
    lanes reach, middle = move_axis(palette->m + 4 * axis, center, half, &reach);
    low[axis] = lanes_sub(middle, reach);
    high[axis] = lanes_add(middle, reach);
    lanes eighth = lanes_set(0.125f);
    sum = lanes_fma(eighth, size_of(low[axis]), lanes_fma(eighth, size_of(high[axis]), sum));
  }
  lanes finite = lanes_greater(lanes_set(INFINITY), sum);
  for (int axis = 0; axis < 3; axis++) {
    lanes from = lanes_select(finite, low[axis], most), to = lanes_select(finite, high[axis], least);
    from = lanes_select(lanes_greater(zero, half.x), most, from);
    to = lanes_select(lanes_greater(zero, half.x), least, to);
    lanes_store(box->low[axis], lanes_min(lanes_load(box->low[axis]), from));
    lanes_store(box->high[axis], lanes_max(lanes_load(box->high[axis]), to));
  }
}

/* ---- dual palette ---- */

/* The 3×3 part, its columns. */
typedef struct columns {
  lanes3 x, y, z;
} columns;

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
