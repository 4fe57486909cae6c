/* Eight joints' transforms in lanes, and the joints' local matrices. */
#ifndef SINEW_POSE_KERNELS_GROUP_LANES_H
#define SINEW_POSE_KERNELS_GROUP_LANES_H

#include "pose/kernels/pose_lanes.h"

enum { AFFINE = 12 };

typedef struct group_lanes {
  quat_lanes rotation;
  lanes translation[3], scale[3];
} group_lanes;

static inline group_lanes load_group(const sinew_pose_group *g) {
  return (group_lanes){
      load_rotation(g),
      {lanes_load(g->translation[0]), lanes_load(g->translation[1]), lanes_load(g->translation[2])},
      {lanes_load(g->scale[0]), lanes_load(g->scale[1]), lanes_load(g->scale[2])},
  };
}

static inline void store_group(sinew_pose_group *to, const group_lanes *g) {
  store_rotation(to, g->rotation);
  for (int c = 0; c < 3; c++) {
    lanes_store(to->translation[c], g->translation[c]);
    lanes_store(to->scale[c], g->scale[c]);
  }
}

/* T·R·S of eight joints, one 3×4 matrix after the other. The rotation is divided by |q|² in place of normalising it. */
static inline void store_local_matrices(const group_lanes *g, bool scaled, float *out) {
  const lanes one = lanes_set(1);
  quat_lanes q = g->rotation;
  lanes s = lanes_div(lanes_set(2), quat_lanes_dot(q, q));
  lanes xs = lanes_mul(q.x, s), ys = lanes_mul(q.y, s), zs = lanes_mul(q.z, s);
  lanes wx = lanes_mul(q.w, xs), wy = lanes_mul(q.w, ys), wz = lanes_mul(q.w, zs);
  lanes off_xx = lanes_fnma(q.x, xs, one), zz = lanes_mul(q.z, zs);
  lanes m[3][3] = {
      {lanes_sub(lanes_fnma(q.y, ys, one), zz), lanes_sub(lanes_mul(q.x, ys), wz), lanes_fma(q.x, zs, wy)},
      {lanes_fma(q.x, ys, wz), lanes_sub(off_xx, zz), lanes_sub(lanes_mul(q.y, zs), wx)},
      {lanes_sub(lanes_mul(q.x, zs), wy), lanes_fma(q.y, zs, wx), lanes_fnma(q.y, ys, off_xx)},
  };
  for (int r = 0; r < 3; r++) {
    for (int c = 0; scaled && c < 3; c++) m[r][c] = lanes_mul(m[r][c], g->scale[c]);
    lanes_store_rows(m[r][0], m[r][1], m[r][2], g->translation[r], out + 4 * r, AFFINE);
  }
}

#endif
