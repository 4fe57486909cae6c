#include "pose/kernels/group_lanes.h"

/* Of a group the lanes from .. to − 1. */
static void place_lanes(const sinew_local_to_model_job *job, int group, int from, int to) {
  local_matrices local;
  int first = group * SINEW_LANES;
  make_local(job->pose.groups + group, true, local);
  placing p = {job->model->above + first, job->output->m, job->output[first].m, local};
  for (int i = from; i < to; i++) place_joint(&p, i);
}

static void place_range(const sinew_local_to_model_job *job, int first, int end) {
  for (int joint = first, next; joint < end; joint = next) {
    int group = joint / SINEW_LANES, begin = group * SINEW_LANES;
    next = begin + SINEW_LANES < end ? begin + SINEW_LANES : end;
    place_lanes(job, group, joint - begin, next - begin);
  }
}

void LANES_NAME(pose_local_to_model, LANES_SUFFIX)(const sinew_local_to_model_job *job, int first, int end) {
  if (first > 0) place_range(job, first, end);
  else place_groups(job->pose.groups, NULL, job->model, job->output, 0, sinew_pose_group_count(end));
}
