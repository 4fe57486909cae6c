#include "pose/kernels/group_lanes.h"

/* The local matrices of the last group: narrow levels share a group. */
typedef struct recent_group {
  int group;
  local_matrices local;
} recent_group;

/* Computes the lanes from .. to − 1 of a group, none of which is below another. */
static void place_lanes(const sinew_local_to_model_job *job, recent_group *recent, int group, int from, int to) {
  int first = group * SINEW_LANES;
  if (recent->group != group) make_local(job->pose.groups + group, true, recent->local);
  recent->group = group;
  placing p = {job->model->above + first, job->output->m, job->output[first].m, recent->local};
  for (; from + 1 < to; from += 2) place_two(&p, from, from + 1);
  if (from < to) place_joint(&p, from);
}

/* Computes a joint and its descendants, level by level. */
static void place_below(const sinew_local_to_model_job *job) {
  const int32_t *below = job->model->below;
  recent_group recent;
  recent.group = -1;
  for (int first = job->first, end = first + 1; first < end;) {
    for (int joint = first, next; joint < end; joint = next) {
      int group = joint / SINEW_LANES, begin = group * SINEW_LANES;
      next = begin + SINEW_LANES < end ? begin + SINEW_LANES : end;
      place_lanes(job, &recent, group, joint - begin, next - begin);
    }
    first = below[first], end = below[end];
  }
}

void LANES_NAME(pose_place, LANES_SUFFIX)(const sinew_local_to_model_job *job, int first, int end) {
  place_groups(job->pose.groups + first, NULL, job->model, job->output, first, end);
}

void LANES_NAME(pose_local_to_model, LANES_SUFFIX)(const sinew_local_to_model_job *job) {
  if (job->first > 0) place_below(job);
  else LANES_NAME(pose_place, LANES_SUFFIX)(job, 0, sinew_pose_group_count(job->pose.joint_count));
}
