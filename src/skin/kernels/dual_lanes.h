/* The matrices that move eight vertices, from dual quaternions, by the formulas at sinew_dual_quat. */
#ifndef SINEW_SKIN_KERNELS_DUAL_LANES_H
#define SINEW_SKIN_KERNELS_DUAL_LANES_H

#include "skin/kernels/frame_lanes.h"

/* Sums over a vertex's joints; `dual` is twice the dual part. */
typedef struct dual_lanes {
  lanes3 real;
  lanes real_w;
  lanes3 dual;
  lanes dual_w;
  lanes3 diagonal, sides; /* of the stretch: xx yy zz, and yz xz xy */
  lanes3 offset;
} dual_lanes;

/* Influence number k of eight vertices: its dual quaternions and weights. Missing vertices repeat the first one. */
typedef struct dual_influence {
  const float *entries[SINEW_LANES];
  lanes weights;
} dual_influence;

LANES_INLINE dual_influence find_influence(const skin_vertices *b, const lanes *fours, int k) {
  dual_influence in;
  float weights[SINEW_LANES] = {0};
  for (int v = 0; v < SINEW_LANES; v++) {
    int at = (v < b->count ? v : 0) * b->influences + k;
    in.entries[v] = b->dual_quats[b->joints[at]].rotation;
    if (!fours) weights[v] = b->weights[at];
  }
  in.weights = fours ? fours[k] : lanes_load(weights);
  return in;
}

/* The rotation of each vertex's heaviest influence; of several, the first. */
LANES_INLINE void find_reference(const skin_vertices *b, const lanes *fours, int used, lanes reference[4]) {
  dual_influence in = find_influence(b, fours, 0);
  lanes most = in.weights;
  lanes_gather_rows(in.entries, 0, reference);
  for (int k = 1; k < used; k++) {
    lanes r[4];
    in = find_influence(b, fours, k);
    lanes_gather_rows(in.entries, 0, r);
    lanes heavier = lanes_greater(in.weights, most);
    most = lanes_max(in.weights, most);
    for (int c = 0; c < 4; c++) reference[c] = lanes_select(heavier, r[c], reference[c]);
  }
}

/* Adds one influence of each vertex, in the hemisphere of `reference`. (t, 0) · r is (w t + t × r, −t · r). */
LANES_INLINE void add_entries(dual_lanes *sum, const dual_influence *in, const lanes reference[4]) {
  lanes r[4], t[4], o[4], s[4], weight = in->weights;
  lanes_gather_rows(in->entries, 0, r);
  lanes_gather_rows(in->entries, 4, t);
  lanes_gather_rows(in->entries, 8, o);
  lanes_gather_rows(in->entries, 12, s);
  lanes3 real = {r[0], r[1], r[2]}, shift = {t[0], t[1], t[2]};
  lanes same = lanes_fma(r[3], reference[3], lanes3_dot(real, (lanes3){reference[0], reference[1], reference[2]}));
  lanes side = lanes_select(lanes_greater(lanes_set(0), same), lanes_set(-0.0f), lanes_set(0));
  lanes w = lanes_flip(weight, side);
  lanes3 dual = lanes3_cross(shift, real);
  lanes3_add_scaled(&dual, r[3], shift);
  lanes3_add_scaled(&sum->real, w, real);
  sum->real_w = lanes_fma(w, r[3], sum->real_w);
  lanes3_add_scaled(&sum->dual, w, dual);
  sum->dual_w = lanes_fnma(w, lanes3_dot(shift, real), sum->dual_w);
  lanes3_add_scaled(&sum->diagonal, weight, (lanes3){t[3], o[3], s[3]});
  lanes3_add_scaled(&sum->sides, weight, (lanes3){s[2], s[1], s[0]});
  lanes3_add_scaled(&sum->offset, weight, (lanes3){o[0], o[1], o[2]});
}

/* The rotation of q as columns, divided by |q|², whose inverse is `inverse`. */
LANES_INLINE void rotation_columns(lanes3 q, lanes w, lanes inverse, lanes3 column[3]) {
  const lanes one = lanes_set(1);
  lanes s = lanes_add(inverse, inverse);
  lanes xs = lanes_mul(q.x, s), ys = lanes_mul(q.y, s), zs = lanes_mul(q.z, s);
  lanes wx = lanes_mul(w, xs), wy = lanes_mul(w, ys), wz = lanes_mul(w, zs);
  lanes off_zz = lanes_fnma(q.z, zs, one), off_xx = lanes_fnma(q.x, xs, one);
  column[0] = (lanes3){lanes_fnma(q.y, ys, off_zz), lanes_fma(q.x, ys, wz), lanes_fms(q.x, zs, wy)};
  column[1] = (lanes3){lanes_fms(q.x, ys, wz), lanes_fnma(q.x, xs, off_zz), lanes_fma(q.y, zs, wx)};
  column[2] = (lanes3){lanes_fma(q.x, zs, wy), lanes_fms(q.y, zs, wx), lanes_fnma(q.y, ys, off_xx)};
}

/* The vector part of dual · conjugate(real) / |real|²: (w d − e r − d × r), where e is the dual part's w. */
LANES_INLINE lanes3 translation_of(const dual_lanes *sum, lanes inverse) {
  lanes3 t = lanes3_cross(sum->real, sum->dual);
  lanes3_add_scaled(&t, sum->real_w, sum->dual);
  lanes3_add_scaled(&t, lanes_flip(sum->dual_w, lanes_set(-0.0f)), sum->real);
  return (lanes3){lanes_mul(inverse, t.x), lanes_mul(inverse, t.y), lanes_mul(inverse, t.z)};
}

LANES_INLINE frame_lanes frame_of_sums(const dual_lanes *sum) {
  lanes inverse = lanes_div(lanes_set(1), lanes_fma(sum->real_w, sum->real_w, lanes3_dot(sum->real, sum->real)));
  lanes3 rotation[3], d = sum->diagonal, s = sum->sides;
  rotation_columns(sum->real, sum->real_w, inverse, rotation);
  return (frame_lanes){
      lanes3_combine(rotation[0], rotation[1], rotation[2], (lanes3){d.x, s.z, s.y}),
      lanes3_combine(rotation[0], rotation[1], rotation[2], (lanes3){s.z, d.y, s.x}),
      lanes3_combine(rotation[0], rotation[1], rotation[2], (lanes3){s.y, s.x, d.z}),
      lanes3_add(lanes3_combine(rotation[0], rotation[1], rotation[2], sum->offset), translation_of(sum, inverse))};
}

LANES_COPIED frame_lanes frame_of_dual_quats(const skin_vertices *b, int used) {
  const lanes zero = lanes_set(0);
  const lanes3 none = {zero, zero, zero};
  dual_lanes sum = {none, zero, none, zero, none, none, none};
  lanes reference[4], weights[4], *fours = NULL;
  if (b->influences == 4 && b->count == SINEW_LANES) {
    lanes_load_rows(b->weights, 4, weights);
    fours = weights;
  }
  find_reference(b, fours, used, reference);
  for (int k = 0; k < used; k++) {
    dual_influence in = find_influence(b, fours, k);
    add_entries(&sum, &in, reference);
  }
  return frame_of_sums(&sum);
}

#endif
