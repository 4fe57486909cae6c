#include "skin/kernels/dual_lanes.h"
#include "skin/kernels/skin.h"

LANES_INLINE lanes3 unit(lanes3 v) {
  lanes length = lanes_sqrt(lanes3_dot(v, v)), zero = lanes_set(0);
  lanes s = lanes_select(lanes_greater(length, zero), lanes_div(lanes_set(1), length), zero);
  return (lanes3){lanes_mul(v.x, s), lanes_mul(v.y, s), lanes_mul(v.z, s)};
}

/* Normals by the cofactor matrix, det · (M⁻¹)ᵀ: right up to a length, also where M has no inverse. Its sign follows the
 * determinant, so a mirrored matrix needs it turned back. */
LANES_INLINE lanes3 transform_normal(const frame_lanes *f, lanes3 n) {
  lanes3 yz = lanes3_cross(f->y, f->z);
  lanes3 sum = lanes3_combine(yz, lanes3_cross(f->z, f->x), lanes3_cross(f->x, f->y), n);
  lanes sign = lanes_sign(lanes3_dot(f->x, yz));
  return unit((lanes3){lanes_flip(sum.x, sign), lanes_flip(sum.y, sign), lanes_flip(sum.z, sign)});
}

/* Returns what is fourth in a row. */
LANES_INLINE lanes load(const float *rows, int stride, lanes3 *v) {
  lanes c[4];
  lanes_load_rows(rows, stride, c);
  *v = (lanes3){c[0], c[1], c[2]};
  return c[3];
}

LANES_INLINE void transform(const frame_lanes *f, const skin_vertices *b) {
  lanes3 v;
  if (b->out[0]) {
    load(b->in[0], b->stride, &v);
    v = lanes3_add(lanes3_combine(f->x, f->y, f->z, v), f->translation);
    lanes_store_rows(v.x, v.y, v.z, v.z, b->out[0], b->stride);
  }
  if (b->out[1]) {
    load(b->in[1], b->stride, &v);
    v = transform_normal(f, v);
    lanes_store_rows(v.x, v.y, v.z, v.z, b->out[1], b->stride);
  }
  if (b->out[2]) {
    lanes side = load(b->in[2], 4, &v);
    v = unit(lanes3_combine(f->x, f->y, f->z, v));
    lanes_store_rows(v.x, v.y, v.z, side, b->out[2], 4);
  }
}

/* How many influences come before weights that are 0 in all vertices. */
static inline int count_used(const skin_vertices *b) {
  for (int k = b->influences - 1; k > 0; k--)
    for (int v = 0; v < b->count; v++)
      if (b->weights[v * b->influences + k] != 0) return k + 1;
  return 1;
}

static inline void go_on(skin_vertices *b) {
  b->joints += SINEW_LANES * b->influences;
  b->weights += SINEW_LANES * b->influences;
  for (int i = 0; i < 3; i++) {
    int step = SINEW_LANES * (i == 2 ? 4 : b->stride);
    if (!b->out[i]) continue;
    b->in[i] += step;
    b->out[i] += step;
  }
}

void skin_move(skin_vertices b) {
  for (int left = b.count; left > 0; left -= SINEW_LANES, go_on(&b)) {
    b.count = left < SINEW_LANES ? left : SINEW_LANES;
    int used = count_used(&b);
    frame_lanes f = b.palette ? frame_of_matrices(&b, used) : frame_of_dual_quats(&b, used);
    transform(&f, &b);
  }
}
