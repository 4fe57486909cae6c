/* Samples, blends and computes matrices in one loop over the joints, some groups at a time, so that they stay in the L1
 * cache. */
#include "math/lanes.h"
#include "model/clip/clip_still.h"
#include "pose/kernels/evaluate_lanes.h"

/* A matrix to be multiplied with many others: each element in all lanes, and the last column as a summand. */
typedef struct still_above {
  lanes x[3], y[3], z[3], last[3];
} still_above;

LANES_INLINE still_above open_above(const float *m) {
  static const float columns[SINEW_LANES] = {0, 0, 0, 1, 0, 0, 0, 1};
  const lanes none = lanes_set(0), is_last = lanes_greater(lanes_load(columns), none);
  still_above above;
#pragma GCC unroll 3
  for (int r = 0; r < 3; r++) {
    lanes row = lanes_load_twice(m + 4 * r);
    above.x[r] = LANES_SPLAT(row, 0), above.y[r] = LANES_SPLAT(row, 1), above.z[r] = LANES_SPLAT(row, 2);
    above.last[r] = lanes_select(is_last, row, none);
  }
  return above;
}

/* Also prefetches the next character's memory: send_for_next. */
LANES_INLINE void place_still_pair(const still_above *above, const still_pair *pair, float *joints, uintptr_t next) {
  lanes b[3] = {lanes_load(pair->rows[0]), lanes_load(pair->rows[1]), lanes_load(pair->rows[2])};
  float *one = joints + pair->to[0], *other = joints + pair->to[1];
  __builtin_prefetch((const void *)((uintptr_t)one + next), 1, 2);
  __builtin_prefetch((const void *)((uintptr_t)other + next), 1, 2);
#pragma GCC unroll 3
  for (int r = 0; r < 3; r++) {
    lanes row = lanes_affine_sum(above->x[r], b[0], above->y[r], b[1], above->z[r], b[2], above->last[r]);
    lanes_store_halves(row, one + 4 * r, other + 4 * r);
  }
}

/* The joints of the groups before a span have been computed. */
LANES_INLINE void place_still(const still_span *span, float *joints, int joint_count) {
  uintptr_t next = (uintptr_t)joint_count * sizeof(sinew_mat3x4);
  const still_pair *pair = span->pairs;
  for (int i = 0; i < span->run_count; i++) {
    still_above above = open_above(joints + span->runs[i].above);
    for (const still_pair *end = pair + span->runs[i].pair_count; pair < end; pair++)
      place_still_pair(&above, pair, joints, next);
  }
}

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
