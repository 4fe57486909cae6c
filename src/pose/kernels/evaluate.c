/* Samples, blends and computes matrices in one loop over the joints, some groups at a time, so that they stay in the L1
 * cache. */
#include "pose/kernels/evaluate_lanes.h"
#include "pose/kernels/still_lanes.h"

/* Evaluates moving groups; returns the first group that is left. */
static int evaluate_part(evaluation *e, int first, int end) {
  _Alignas(64) sinew_pose_group scratch[PART];
  const sinew_evaluate_job *job = e->job;
  part p = {.first = first, .count = end - first < PART ? end - first : PART};
  p.poses = job->pose.groups ? job->pose.groups + first : scratch;
  read_part(e, &p);
  place_groups(p.poses, p.scaled, job->model, job->joints, first, first + p.count);
  return first + p.count;
}

/* Only used if the pose of a single clip is not needed. */
static const clip_still *still_of(const evaluation *e) {
  return e->even.count == 1 && !e->job->pose.groups ? e->readers->clip->still : NULL;
}

void LANES_NAME(pose_evaluate, LANES_SUFFIX)(const sinew_evaluate_job *job, bool still) {
  evaluation e; /* not initialised: it is large */
  open_evaluation(&e, job);
  const clip_still *ready = still ? still_of(&e) : NULL;
  const still_span *span = ready ? ready->spans : NULL, *none = ready ? span + ready->span_count : NULL;
  for (int group = 0, count = sinew_pose_group_count(job->model->joint_count); group < count;) {
    if (span != none && span->first == group) {
      place_still(span, job->joints->m, job->model->joint_count);
      group = span++->end;
    } else {
      group = evaluate_part(&e, group, span != none ? span->first : count);
    }
  }
}
