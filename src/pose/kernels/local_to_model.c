#include "pose/kernels/pose_lanes.h"

enum { MATRIX = 12 };

/* T·R·S of eight joints, one 3×4 matrix after the other. The rotation is divided by |q|² in place of normalising it. */
static void store_local_matrices(const sinew_pose_group *g, float *out) {
  const lanes one = lanes_set(1);
  quat_lanes q = load_rotation(g);
  lanes s = lanes_div(lanes_set(2), quat_lanes_dot(q, q));
  lanes xs = lanes_mul(q.x, s), ys = lanes_mul(q.y, s), zs = lanes_mul(q.z, s);
  lanes wx = lanes_mul(q.w, xs), wy = lanes_mul(q.w, ys), wz = lanes_mul(q.w, zs);
  lanes yy = lanes_mul(q.y, ys), zz = lanes_mul(q.z, zs);
  lanes sx = lanes_load(g->scale[0]), sy = lanes_load(g->scale[1]), sz = lanes_load(g->scale[2]);
  lanes xx = lanes_mul(q.x, xs), xy = lanes_mul(q.x, ys), xz = lanes_mul(q.x, zs), yz = lanes_mul(q.y, zs);
  lanes_store_rows(lanes_mul(lanes_sub(lanes_sub(one, yy), zz), sx), lanes_mul(lanes_sub(xy, wz), sy),
                   lanes_mul(lanes_add(xz, wy), sz), lanes_load(g->translation[0]), out, MATRIX);
  lanes_store_rows(lanes_mul(lanes_add(xy, wz), sx), lanes_mul(lanes_sub(lanes_sub(one, xx), zz), sy),
                   lanes_mul(lanes_sub(yz, wx), sz), lanes_load(g->translation[1]), out + 4, MATRIX);
  lanes_store_rows(lanes_mul(lanes_sub(xz, wy), sx), lanes_mul(lanes_add(yz, wx), sy),
                   lanes_mul(lanes_sub(lanes_sub(one, xx), yy), sz), lanes_load(g->translation[2]), out + 8, MATRIX);
}

void LANES_NAME(pose_local_to_model, LANES_SUFFIX)(sinew_pose pose, const int32_t *parents, int first, int end,
                                                   sinew_mat3x4 *output) {
  static const float identity[MATRIX] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  for (int joint = first; joint < end;) {
    float local[SINEW_LANES * MATRIX];
    int begin = joint - joint % SINEW_LANES, stop = end - begin < SINEW_LANES ? end : begin + SINEW_LANES;
    store_local_matrices(pose.groups + joint / SINEW_LANES, local);
    for (; joint < stop; joint++) {
      int parent = parents[joint];
      lanes_multiply_affine(parent < 0 ? identity : output[parent].m, local + (joint - begin) * MATRIX,
                            output[joint].m);
    }
  }
}
