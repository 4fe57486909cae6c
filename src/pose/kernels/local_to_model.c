#include "pose/kernels/group_lanes.h"

void LANES_NAME(pose_local_to_model, LANES_SUFFIX)(sinew_pose pose, const int32_t *parents, int first, int end,
                                                   sinew_mat3x4 *output) {
  static const float identity[AFFINE] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  for (int joint = first; joint < end;) {
    float local[SINEW_LANES * AFFINE];
    int begin = joint - joint % SINEW_LANES, stop = end - begin < SINEW_LANES ? end : begin + SINEW_LANES;
    group_lanes group = load_group(pose.groups + joint / SINEW_LANES);
    store_local_matrices(&group, true, local);
    for (; joint < stop; joint++) {
      int parent = parents[joint];
      lanes_multiply_affine(parent < 0 ? identity : output[parent].m, local + (joint - begin) * AFFINE,
                            output[joint].m);
    }
  }
}
