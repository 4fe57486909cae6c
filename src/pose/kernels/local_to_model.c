#include "pose/kernels/group_lanes.h"

void LANES_NAME(pose_local_to_model, LANES_SUFFIX)(sinew_pose pose, const int32_t *parents, int first, int end,
                                                   sinew_mat3x4 *output) {
  for (int joint = first, stop; joint < end; joint = stop) {
    float local[SINEW_LANES * AFFINE];
    int begin = joint - joint % SINEW_LANES;
    stop = end - begin < SINEW_LANES ? end : begin + SINEW_LANES;
    group_lanes group = load_group(pose.groups + joint / SINEW_LANES);
    store_local_matrices(group.rotation, group.translation, &group.scale, local);
    place_joints(local + (joint - begin) * AFFINE, parents, output, joint, stop);
  }
}
