/* Eight joints' transforms in lanes, and the joints' local matrices. */
#ifndef SINEW_POSE_KERNELS_GROUP_LANES_H
#define SINEW_POSE_KERNELS_GROUP_LANES_H

#include "pose/kernels/pose_lanes.h"

#include <string.h>

enum { AFFINE = 12 };

typedef struct vec_lanes {
  lanes x, y, z;
} vec_lanes;

typedef struct group_lanes {
  quat_lanes rotation;
  vec_lanes translation, scale;
} group_lanes;

LANES_INLINE vec_lanes load_vectors(const float (*from)[SINEW_LANES]) {
  return (vec_lanes){lanes_load(from[0]), lanes_load(from[1]), lanes_load(from[2])};
}

LANES_INLINE void store_vectors(float (*to)[SINEW_LANES], vec_lanes v) {
  lanes_store(to[0], v.x);
  lanes_store(to[1], v.y);
  lanes_store(to[2], v.z);
}

LANES_INLINE group_lanes load_group(const sinew_pose_group *g) {
  return (group_lanes){load_rotation(g), load_vectors(g->translation), load_vectors(g->scale)};
}

LANES_INLINE void store_group(sinew_pose_group *to, const group_lanes *g) {
  store_rotation(to, g->rotation);
  store_vectors(to->translation, g->translation);
  store_vectors(to->scale, g->scale);
}

/* T·R·S of eight joints, one 3×4 matrix after the other. The rotation is divided by |q|² in place of normalising it. */
LANES_INLINE void store_local_matrices(const group_lanes *g, bool scaled, float *out) {
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
  for (int r = 0; scaled && r < 3; r++) {
    m[r][0] = lanes_mul(m[r][0], g->scale.x);
    m[r][1] = lanes_mul(m[r][1], g->scale.y);
    m[r][2] = lanes_mul(m[r][2], g->scale.z);
  }
  lanes_store_rows(m[0][0], m[0][1], m[0][2], g->translation.x, out, AFFINE);
  lanes_store_rows(m[1][0], m[1][1], m[1][2], g->translation.y, out + 4, AFFINE);
  lanes_store_rows(m[2][0], m[2][1], m[2][2], g->translation.z, out + 8, AFFINE);
}

/* joints[i] = its parent × its local matrix. */
LANES_INLINE void place_joint(const float *local, const int32_t *parents, sinew_mat3x4 *joints, int i) {
  lanes_multiply_affine(joints[parents[i]].m, local, joints[i].m);
}

/* Joints first .. end − 1, of one group, whose local matrices are `local`: parents come before their children. */
LANES_INLINE void place_joints(const float *local, const int32_t *parents, sinew_mat3x4 *joints, int first, int end) {
  if (first > 0 && end - first == SINEW_LANES) { /* most groups: no loop */
    place_joint(local, parents, joints, first);
    place_joint(local + AFFINE, parents, joints, first + 1);
    place_joint(local + 2 * AFFINE, parents, joints, first + 2);
    place_joint(local + 3 * AFFINE, parents, joints, first + 3);
    place_joint(local + 4 * AFFINE, parents, joints, first + 4);
    place_joint(local + 5 * AFFINE, parents, joints, first + 5);
    place_joint(local + 6 * AFFINE, parents, joints, first + 6);
    place_joint(local + 7 * AFFINE, parents, joints, first + 7);
    return;
  }
  for (int i = first; i < end; i++, local += AFFINE) {
    if (i == 0) memcpy(joints, local, sizeof *joints); /* the root has no parent */
    else place_joint(local, parents, joints, i);
  }
}

#endif
