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

LANES_INLINE void store_matrix_row(lanes a, lanes b, lanes c, lanes t, const vec_lanes *scale, float *out) {
  if (scale) lanes_store_rows(lanes_mul(a, scale->x), lanes_mul(b, scale->y), lanes_mul(c, scale->z), t, out, AFFINE);
  else lanes_store_rows(a, b, c, t, out, AFFINE);
}

/* T·R·S of eight joints, one 3×4 matrix after the other, and without S where `scale` is NULL. The rotation is divided
 * by |q|² in place of normalising it. */
LANES_INLINE void store_local_matrices(quat_lanes q, vec_lanes translation, const vec_lanes *scale, float *out) {
  const lanes one = lanes_set(1);
  lanes s = lanes_div(lanes_set(2), quat_lanes_dot(q, q));
  lanes xs = lanes_mul(q.x, s), ys = lanes_mul(q.y, s), zs = lanes_mul(q.z, s);
  lanes wx = lanes_mul(q.w, xs), wy = lanes_mul(q.w, ys), wz = lanes_mul(q.w, zs);
  lanes off_zz = lanes_fnma(q.z, zs, one), off_xx = lanes_fnma(q.x, xs, one);
  store_matrix_row(lanes_fnma(q.y, ys, off_zz), lanes_fms(q.x, ys, wz), lanes_fma(q.x, zs, wy), translation.x, scale,
                   out);
  store_matrix_row(lanes_fma(q.x, ys, wz), lanes_fnma(q.x, xs, off_zz), lanes_fms(q.y, zs, wx), translation.y, scale,
                   out + 4);
  store_matrix_row(lanes_fms(q.x, zs, wy), lanes_fma(q.y, zs, wx), lanes_fnma(q.y, ys, off_xx), translation.z, scale,
                   out + 8);
}

/* joints[i] = its parent × its local matrix, of the joint i of `to`, whose parent is parents[i]. */
LANES_INLINE void place_joint(const float *local, const int32_t *parents, const sinew_mat3x4 *joints, sinew_mat3x4 *to,
                              int i) {
  lanes_multiply_affine(joints[parents[i]].m, local + i * AFFINE, to[i].m);
}

/* Joints first .. end − 1, of one group, whose local matrices are `local`: parents come before their children. */
LANES_INLINE void place_joints(const float *local, const int32_t *parents, sinew_mat3x4 *joints, int first, int end) {
  sinew_mat3x4 *to = joints + first;
  int count = end - first;
  parents += first;
  if (first > 0 && count == SINEW_LANES) { /* most groups: no loop */
    place_joint(local, parents, joints, to, 0);
    place_joint(local, parents, joints, to, 1);
    place_joint(local, parents, joints, to, 2);
    place_joint(local, parents, joints, to, 3);
    place_joint(local, parents, joints, to, 4);
    place_joint(local, parents, joints, to, 5);
    place_joint(local, parents, joints, to, 6);
    place_joint(local, parents, joints, to, 7);
    return;
  }
  if (first == 0) memcpy(joints, local, sizeof *joints); /* the root has no parent */
  for (int i = first == 0; i < count; i++) place_joint(local, parents, joints, to, i);
}

/* The joints of a group, of `joint_count` in all. */
LANES_INLINE void place_group(const float *local, const int32_t *parents, sinew_mat3x4 *joints, int group,
                              int joint_count) {
  int first = group * SINEW_LANES, rest = joint_count - first;
  place_joints(local, parents, joints, first, first + (rest < SINEW_LANES ? rest : SINEW_LANES));
}

#endif
