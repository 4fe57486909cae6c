/* Eight joints' transforms in lanes, and the joints' local matrices. */
#ifndef SINEW_POSE_KERNELS_GROUP_LANES_H
#define SINEW_POSE_KERNELS_GROUP_LANES_H

#include "pose/kernels/pose_lanes.h"

#include <string.h>

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

LANES_INLINE vec_lanes vec_lanes_multiply(vec_lanes a, vec_lanes b) {
  return (vec_lanes){lanes_mul(a.x, b.x), lanes_mul(a.y, b.y), lanes_mul(a.z, b.z)};
}

LANES_INLINE vec_lanes vec_lanes_add(vec_lanes a, vec_lanes b) {
  return (vec_lanes){lanes_add(a.x, b.x), lanes_add(a.y, b.y), lanes_add(a.z, b.z)};
}

LANES_INLINE vec_lanes vec_lanes_sub(vec_lanes a, vec_lanes b) {
  return (vec_lanes){lanes_sub(a.x, b.x), lanes_sub(a.y, b.y), lanes_sub(a.z, b.z)};
}

LANES_INLINE vec_lanes vec_lanes_scale(vec_lanes v, lanes s) {
  return (vec_lanes){lanes_mul(v.x, s), lanes_mul(v.y, s), lanes_mul(v.z, s)};
}

/* sum + s · v */
LANES_INLINE vec_lanes vec_lanes_add_scaled(vec_lanes sum, lanes s, vec_lanes v) {
  return (vec_lanes){lanes_fma(s, v.x, sum.x), lanes_fma(s, v.y, sum.y), lanes_fma(s, v.z, sum.z)};
}

LANES_INLINE group_lanes load_group(const sinew_pose_group *g) {
  return (group_lanes){load_rotation(g), load_vectors(g->translation), load_vectors(g->scale)};
}

LANES_INLINE void store_group(sinew_pose_group *to, const group_lanes *g) {
  store_rotation(to, g->rotation);
  store_vectors(to->translation, g->translation);
  store_vectors(to->scale, g->scale);
}

/* Eight joints' matrices, row by row, with joints i and i + 4 side by side: lanes_store_pairs. */
enum { LOCAL_ROW = 4 * SINEW_LANES };
typedef float local_matrices[3 * LOCAL_ROW];

LANES_INLINE void store_matrix_row(vec_lanes row, lanes t, const vec_lanes *scale, float *out) {
  if (scale) row = vec_lanes_multiply(row, *scale);
  lanes_store_pairs(row.x, row.y, row.z, t, out);
}

/* The terms shared by the rows of a rotation's matrix, divided by |q|² instead of normalising the rotation. */
typedef struct rotation_terms {
  quat_lanes q;
  lanes xs, ys, zs, wx, wy, wz, off_xx, off_zz;
} rotation_terms;

LANES_INLINE rotation_terms find_rotation_terms(quat_lanes q) {
  const lanes one = lanes_set(1);
  lanes s = lanes_div(lanes_set(2), quat_lanes_dot(q, q));
  lanes xs = lanes_mul(q.x, s), ys = lanes_mul(q.y, s), zs = lanes_mul(q.z, s);
  return (rotation_terms){q,
                          xs,
                          ys,
                          zs,
                          lanes_mul(q.w, xs),
                          lanes_mul(q.w, ys),
                          lanes_mul(q.w, zs),
                          lanes_fnma(q.x, xs, one),
                          lanes_fnma(q.z, zs, one)};
}

LANES_INLINE vec_lanes rotation_row_x(const rotation_terms *t) {
  return (vec_lanes){lanes_fnma(t->q.y, t->ys, t->off_zz), lanes_fms(t->q.x, t->ys, t->wz),
                     lanes_fma(t->q.x, t->zs, t->wy)};
}

LANES_INLINE vec_lanes rotation_row_y(const rotation_terms *t) {
  return (vec_lanes){lanes_fma(t->q.x, t->ys, t->wz), lanes_fnma(t->q.x, t->xs, t->off_zz),
                     lanes_fms(t->q.y, t->zs, t->wx)};
}

LANES_INLINE vec_lanes rotation_row_z(const rotation_terms *t) {
  return (vec_lanes){lanes_fms(t->q.x, t->zs, t->wy), lanes_fma(t->q.y, t->zs, t->wx),
                     lanes_fnma(t->q.y, t->ys, t->off_xx)};
}

/* T·R·S of eight joints; without S if `scale` is NULL. */
LANES_INLINE void store_local_matrices(quat_lanes q, vec_lanes translation, const vec_lanes *scale, float *out) {
  rotation_terms terms = find_rotation_terms(q);
  store_matrix_row(rotation_row_x(&terms), translation.x, scale, out);
  store_matrix_row(rotation_row_y(&terms), translation.y, scale, out + LOCAL_ROW);
  store_matrix_row(rotation_row_z(&terms), translation.z, scale, out + 2 * LOCAL_ROW);
}

/* ---- model-space matrices: each joint's parent × its local matrix ---- */

/* The matrices of a model's joints, and of a group of them; `above` belongs to its first joint. */
typedef struct placing {
  const int32_t *above;
  const float *joints;
  float *to;
  const float *local;
} placing;

enum { AFFINE = 12 };

LANES_INLINE void place_joint(const placing *p, int i) {
  lanes_multiply_affine(p->joints + p->above[i], p->local + 8 * (i % 4) + i / 4 * 4, LOCAL_ROW, p->to + i * AFFINE);
}

LANES_INLINE void place_pair(const placing *p, int i) {
  lanes_multiply_pair(p->joints + p->above[i], p->joints + p->above[i + 4], p->local + 8 * i, LOCAL_ROW,
                      p->to + i * AFFINE, p->to + (i + 4) * AFFINE);
}

/* The root has no parent. Copied row by row, as it is read. */
LANES_INLINE void place_root(const placing *p) {
  for (int r = 0; r < 3; r++) memcpy(p->to + 4 * r, p->local + r * LOCAL_ROW, 4 * sizeof *p->to);
}

LANES_INLINE void place_two(const placing *p, int i, int k) {
  lanes_multiply_two(p->joints + p->above[i], p->joints + p->above[k], p->local + 8 * (i % 4) + i / 4 * 4,
                     p->local + 8 * (k % 4) + k / 4 * 4, LOCAL_ROW, p->to + i * AFFINE, p->to + k * AFFINE);
}

/* Computes `count` joints of a group in order. */
LANES_INLINE void place_some(const placing *p, int count, int pairs) {
#pragma GCC unroll 4
  for (int i = 0; i < SINEW_LANES; i += 2) {
    if (pairs >> (4 + i / 2) & 1) {
      place_two(p, i, i + 1);
      continue;
    }
    if (i == 0 && p->to == p->joints) place_root(p);
    else if (i < count) place_joint(p, i);
    if (i + 1 < count) place_joint(p, i + 1);
  }
}

LANES_INLINE void place_group(const placing *p, int count, int pairs) {
  if ((pairs & 15) == 15) { /* the usual case: no branches, and rows are already side by side */
    place_pair(p, 0);
    place_pair(p, 1);
    place_pair(p, 2);
    place_pair(p, 3);
  } else {
    place_some(p, count, pairs);
  }
}

LANES_INLINE void make_local(const sinew_pose_group *g, bool scaled, float *local) {
  vec_lanes scale;
  if (scaled) scale = load_vectors(g->scale);
  store_local_matrices(load_rotation(g), load_vectors(g->translation), scaled ? &scale : NULL, local);
}

/* Prefetches the memory for the same group of the next character: characters' joints are mostly adjacent in memory, and
 * a write to uncached memory waits. If no character follows, it does no harm. */
LANES_INLINE void send_for_next(const sinew_model *model, const float *joints) {
  uintptr_t next = (uintptr_t)joints + (size_t)model->joint_count * sizeof(sinew_mat3x4);
#pragma GCC unroll 6
  for (unsigned i = 0; i < sizeof(float[SINEW_LANES * AFFINE]); i += 64)
    __builtin_prefetch((const void *)(next + i), 1, 2);
}

/* Computes the joints of groups first .. end − 1 from these poses; `scaled` says which groups have a scale that is not
 * 1 (NULL: any may). The local matrices of the next group are computed while a group's joints, which wait for each
 * other, are multiplied. */
LANES_INLINE void place_groups(const sinew_pose_group *poses, const bool *scaled, const sinew_model *model,
                               sinew_mat3x4 *joints, int first, int end) {
  _Alignas(64) local_matrices local[2];
  float *ready = local[0], *next = local[1];
  placing p = {model->above + first * SINEW_LANES, joints->m, joints[first * SINEW_LANES].m, NULL};
  for (int group = first - 1; group < end; group++) {
    if (group + 1 < end) {
      const sinew_pose_group *pose = poses + (group + 1 - first);
      if (!scaled || scaled[group + 1 - first]) make_local(pose, true, next);
      else make_local(pose, false, next);
    }
    if (group >= first) {
      p.local = ready;
      send_for_next(model, p.to);
      place_group(&p, model->joint_count - group * SINEW_LANES, model->pairs[group]);
      p.above += SINEW_LANES;
      p.to += SINEW_LANES * AFFINE;
    }
    float *placed = ready;
    ready = next, next = placed;
  }
}

#endif
