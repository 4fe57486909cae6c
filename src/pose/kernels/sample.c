#include "pose/kernels/clip_lanes.h"

void LANES_NAME(pose_sample, LANES_SUFFIX)(const sinew_clip *clip, double time, sinew_pose_group *output) {
  clip_reader reader;
  open_clip(&reader, clip, time);
  for (int i = 0, count = sinew_pose_group_count(clip->joint_count); i < count; i++) {
    group_lanes group = read_group(&reader, i);
    store_group(output + i, &group);
  }
}
