#include "pose/kernels/blend_lanes.h"

static void store_unit(group_lanes *sum, sinew_pose_group *output) {
  sum->rotation = quat_lanes_normalize(sum->rotation);
  store_group(output, sum);
}

static double total_weight(const sinew_blend_job *job) {
  double total = 0;
  for (int s = 0; s < job->source_count; s++) total += (double)job->sources[s].weight;
  return total;
}

/* Any weights. */
static void blend_masked(const sinew_blend_job *job) {
  const double whole = whole_of(total_weight(job), job->threshold);
  const lanes threshold = lanes_set(threshold_share(job->threshold, whole)), zero = lanes_set(0);
  for (int g = 0, count = sinew_pose_group_count(job->output.joint_count); g < count; g++) {
    group_lanes rest = load_group(job->rest.groups + g), sum = no_sum();
    heaviest_lanes heaviest = {rest.rotation, zero};
    lanes total = zero;
    for (int s = 0; s < job->source_count; s++) {
      const sinew_blend_source *source = job->sources + s;
      lanes weight = group_weights(share_of(source->weight, whole), source->joint_weights, g);
      take_heavier(&heaviest, weight, load_rotation(source->pose + g));
    }
    for (int s = 0; s < job->source_count; s++) {
      const sinew_blend_source *source = job->sources + s;
      lanes weight = group_weights(share_of(source->weight, whole), source->joint_weights, g);
      group_lanes pose = load_group(source->pose + g);
      add_weighted(&sum, &pose, weight, heaviest.rotation, true);
      total = lanes_add(total, weight);
    }
    lanes missing = lanes_max(lanes_sub(threshold, total), zero);
    add_weighted(&sum, &rest, missing, heaviest.rotation, true);
    lanes inverse = lanes_div(lanes_set(1), lanes_add(total, missing));
    sum.translation = vec_lanes_scale(sum.translation, inverse);
    sum.scale = vec_lanes_scale(sum.scale, inverse);
    store_unit(&sum, job->output.groups + g);
  }
}

/* Poses with the same weights for every joint: the heaviest first, and weights that add up to 1. */
enum { FEW = 4 };
typedef struct even_poses {
  const sinew_pose_group *groups[FEW];
  float weights[FEW];
  int count;
} even_poses;

static void add_pose(even_poses *poses, const sinew_pose_group *groups, float weight) {
  poses->groups[poses->count] = groups;
  poses->weights[poses->count++] = weight;
}

static int find_heaviest(const sinew_blend_job *job) {
  int heaviest = 0;
  for (int s = 1; s < job->source_count; s++)
    if (job->sources[s].weight > job->sources[heaviest].weight) heaviest = s;
  return heaviest;
}

/* False where there are too many, weights that differ by joint, or none that is more than 0. */
static bool find_even(const sinew_blend_job *job, even_poses *poses) {
  for (int s = 0; s < job->source_count; s++)
    if (job->sources[s].joint_weights) return false;
  const double total = total_weight(job), whole = whole_of(total, job->threshold);
  if (!(total > 0) || job->source_count + (total < whole) > FEW) return false;
  int heaviest = find_heaviest(job);
  poses->count = 0;
  add_pose(poses, job->sources[heaviest].pose, share_of(job->sources[heaviest].weight, whole));
  for (int s = 0; s < job->source_count; s++)
    if (s != heaviest) add_pose(poses, job->sources[s].pose, share_of(job->sources[s].weight, whole));
  if (total < whole) add_pose(poses, job->rest.groups, (float)((whole - total) / whole));
  return true;
}

/* `count` is known where this is called. */
LANES_INLINE void blend_even(const even_poses *poses, int count, sinew_pose output) {
  for (int g = 0, groups = sinew_pose_group_count(output.joint_count); g < groups; g++) {
    group_lanes first = load_group(poses->groups[0] + g), sum;
    lanes weight = lanes_set(poses->weights[0]);
    sum.rotation = quat_lanes_scale(first.rotation, weight);
    sum.translation = vec_lanes_scale(first.translation, weight);
    sum.scale = vec_lanes_scale(first.scale, weight);
    for (int i = 1; i < count; i++) {
      group_lanes pose = load_group(poses->groups[i] + g);
      add_weighted(&sum, &pose, lanes_set(poses->weights[i]), first.rotation, true);
    }
    store_unit(&sum, output.groups + g);
  }
}

void LANES_NAME(pose_blend, LANES_SUFFIX)(const sinew_blend_job *job) {
  even_poses poses;
  if (!find_even(job, &poses)) blend_masked(job);
  else if (poses.count == 2) blend_even(&poses, 2, job->output);
  else if (poses.count == 3) blend_even(&poses, 3, job->output);
  else blend_even(&poses, poses.count, job->output);
}
