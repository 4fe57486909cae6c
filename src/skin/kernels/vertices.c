#include "skin/kernels/skin.h"

/* Twelve floats as two rows of lanes that overlap by half. */
static inline void blend_vertex(const sinew_mat3x4 *palette, const uint16_t *joints, const float *weights,
                                int influences, float *output) {
  const float *m = palette[joints[0]].m;
  lanes w = lanes_set(weights[0]), low = lanes_mul(w, lanes_load(m)), high = lanes_mul(w, lanes_load(m + 4));
  for (int k = 1; k < influences; k++) {
    m = palette[joints[k]].m;
    w = lanes_set(weights[k]);
    low = lanes_fma(w, lanes_load(m), low);
    high = lanes_fma(w, lanes_load(m + 4), high);
  }
  lanes_store(output, low);
  lanes_store(output + 4, high);
}

void skin_blend(const sinew_mat3x4 *palette, const uint16_t *joints, const float *weights, int influences, int count,
                skin_block *block) {
  for (int v = 0; v < count; v++, joints += influences, weights += influences)
    if (influences == 4) blend_vertex(palette, joints, weights, 4, block->matrix[v]);
    else blend_vertex(palette, joints, weights, influences, block->matrix[v]);
}

typedef struct lanes3 {
  lanes x, y, z;
} lanes3;

LANES_INLINE lanes3 load(const float *values, int stride) {
  lanes c[4];
  lanes_load_rows(values, stride, c);
  return (lanes3){c[0], c[1], c[2]};
}

LANES_INLINE void store(float values[SINEW_LANES][4], lanes3 v) { lanes_store_rows(v.x, v.y, v.z, v.z, values[0], 4); }

LANES_INLINE lanes3 cross(lanes3 a, lanes3 b) {
  return (lanes3){lanes_sub(lanes_mul(a.y, b.z), lanes_mul(a.z, b.y)),
                  lanes_sub(lanes_mul(a.z, b.x), lanes_mul(a.x, b.z)),
                  lanes_sub(lanes_mul(a.x, b.y), lanes_mul(a.y, b.x))};
}

LANES_INLINE lanes dot(lanes3 a, lanes3 b) { return lanes_fma(a.z, b.z, lanes_fma(a.y, b.y, lanes_mul(a.x, b.x))); }

/* x · v.x + y · v.y + z · v.z */
LANES_INLINE lanes3 combine(lanes3 x, lanes3 y, lanes3 z, lanes3 v) {
  return (lanes3){lanes_fma(z.x, v.z, lanes_fma(y.x, v.y, lanes_mul(x.x, v.x))),
                  lanes_fma(z.y, v.z, lanes_fma(y.y, v.y, lanes_mul(x.y, v.x))),
                  lanes_fma(z.z, v.z, lanes_fma(y.z, v.y, lanes_mul(x.z, v.x)))};
}

LANES_INLINE lanes3 unit(lanes3 v) {
  lanes length = lanes_sqrt(dot(v, v)), zero = lanes_set(0);
  lanes s = lanes_select(lanes_greater(length, zero), lanes_div(lanes_set(1), length), zero);
  return (lanes3){lanes_mul(v.x, s), lanes_mul(v.y, s), lanes_mul(v.z, s)};
}

/* Normals by the cofactor matrix, det · (M⁻¹)ᵀ: right up to a length, also where M has no inverse. Its sign follows the
 * determinant, so a mirrored matrix needs it turned back. */
LANES_INLINE lanes3 transform_normal(lanes3 x, lanes3 y, lanes3 z, lanes3 n) {
  lanes3 yz = cross(y, z);
  lanes3 sum = combine(yz, cross(z, x), cross(x, y), n);
  lanes sign = lanes_sign(dot(x, yz));
  return unit((lanes3){lanes_flip(sum.x, sign), lanes_flip(sum.y, sign), lanes_flip(sum.z, sign)});
}

void skin_vertices(skin_block *b) {
  lanes row[3][4];
  for (int r = 0; r < 3; r++) lanes_load_rows(b->matrix[0] + 4 * r, 12, row[r]);
  lanes3 x = {row[0][0], row[1][0], row[2][0]}, y = {row[0][1], row[1][1], row[2][1]};
  lanes3 z = {row[0][2], row[1][2], row[2][2]};
  lanes3 p = combine(x, y, z, load(b->position, b->stride));
  store(b->out[0], (lanes3){lanes_add(p.x, row[0][3]), lanes_add(p.y, row[1][3]), lanes_add(p.z, row[2][3])});
  if (b->normals) store(b->out[1], transform_normal(x, y, z, load(b->normal, b->stride)));
  if (b->tangent) store(b->out[2], unit(combine(x, y, z, load(b->tangent, 4))));
}
