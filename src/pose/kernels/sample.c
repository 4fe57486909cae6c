#include "pose/kernels/clip_lanes.h"

void LANES_NAME(pose_sample, LANES_SUFFIX)(const sinew_clip *clip, double time, sinew_pose_group *output) {
  clip_reader reader;
  open_clip(&reader, clip, time);
  for (int group = 0, count = sinew_pose_group_count(clip->joint_count); group < count; group++) {
    group_lanes g = read_group(&reader, group);
    store_group(output + group, &g);
  }
}
