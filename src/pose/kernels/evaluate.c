/* Sample, blend and local to model in one pass over the joints, some groups at a time, so that they stay in L1. */
#include "pose/kernels/evaluate_lanes.h"

void LANES_NAME(pose_evaluate, LANES_SUFFIX)(const sinew_evaluate_job *job) {
  _Alignas(64) sinew_pose_group scratch[PART];
  evaluation e; /* not initialised: it is large */
  open_evaluation(&e, job);
  int count = sinew_pose_group_count(job->model->joint_count);
  for (int first = 0; first < count; first += PART) {
    part p = {.first = first, .count = count - first < PART ? count - first : PART};
    p.poses = job->pose.groups ? job->pose.groups + first : scratch;
    read_part(&e, &p);
    place_groups(p.poses, p.scaled, job->model, job->joints, first, first + p.count);
  }
}
