#include "pose/kernels/clip_lanes.h"

void LANES_NAME(pose_sample, LANES_SUFFIX)(const sinew_clip *clip, double time, sinew_pose_group *output) {
  const lanes one = lanes_set(1);
  const sinew_pose_group *rest = clip->rest;
  clip_reader reader;
  open_clip(&reader, clip, time);
  for (int group = 0, count = sinew_pose_group_count(clip->joint_count); group < count; group++, rest++, output++) {
    int flags = reader.groups[group].flags;
    store_rotation(output, read_group_rotations(&reader, group));
    if (flags & CLIP_GROUP_PLACED) store_vectors(output->translation, load_vectors(rest->translation));
    else store_vectors(output->translation, read_group_translations(&reader, group));
    if (flags & CLIP_GROUP_SCALED) store_vectors(output->scale, read_group_scales(&reader, group));
    else store_vectors(output->scale, (vec_lanes){one, one, one});
  }
}
