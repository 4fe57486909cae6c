#include "pose/kernels/blend_lanes.h"
#include "pose/kernels/clip_lanes.h"
#include "pose/kernels/group_lanes.h"
#include "pose/kernels/pose_lanes.h"

#include <string.h>

/* ---- blend ---- */

static double total_weight(const sinew_blend_job *job) {
  double total = 0;
  for (int s = 0; s < job->source_count; s++) total += (double)job->sources[s].weight;
  return total;
}

/* A group with any weights. */
static void blend_weighted(const sinew_blend_job *job, double whole, int group) {
  const float threshold = normalized_threshold(job->threshold, whole);
  group_lanes rest = load_group(job->rest.groups + group), sum = no_sum();
  heaviest_lanes heaviest = {rest.rotation, lanes_set(0)};
  lanes total = lanes_set(0);
  for (int s = 0; s < job->source_count; s++) {
    const sinew_blend_source *source = job->sources + s;
    lanes weight = group_weights(normalized_weight(source->weight, whole), source->joint_weights, group);
    take_heavier(&heaviest, weight, load_rotation(source->pose + group));
  }
  const quat_lanes reference = side_reference(heaviest.rotation, rest.rotation);
  for (int s = 0; s < job->source_count; s++) {
    const sinew_blend_source *source = job->sources + s;
    lanes weight = group_weights(normalized_weight(source->weight, whole), source->joint_weights, group);
    group_lanes pose = load_group(source->pose + group);
    add_weighted(&sum, &pose, weight, reference);
    total = lanes_add(total, weight);
  }
  finish_sum(&sum, total, &rest, threshold, reference);
  store_group(job->output.groups + group, &sum);
}

/* False if the joints of a group have different joint weights. */
static bool blend_alike(const sinew_blend_job *job, const even_blend *even, int group) {
  const float *weights[FEW] = {NULL};
  const sinew_pose_group *poses[FEW];
  const sinew_pose_group *rest = job->rest.groups + group;
  sinew_pose_group blended;
  for (int i = 0; i < even->count; i++) {
    const sinew_blend_source *source = job->sources + even->sources[i];
    weights[i] = weights_of_group(source->joint_weights, group);
    poses[i] = source->pose + group;
  }
  if (!animate_alike(weights, even->count)) return false;
  if (animate_all(weights[0])) {
    blend_any_group(poses, even, rest, job->output.groups + group);
    return true;
  }
  blend_any_group(poses, even, rest, &blended);
  store_animated(&blended, weights[0], rest, job->output.groups + group);
  return true;
}

/* For any weights; `even`, or NULL, are the weights without joint weights. */
static void blend_masked(const sinew_blend_job *job, const even_blend *even) {
  const double whole = whole_of(total_weight(job), job->threshold);
  for (int g = 0, count = sinew_pose_group_count(job->output.joint_count); g < count; g++)
    if (!even || !blend_alike(job, even, g)) blend_weighted(job, whole, g);
}

static bool has_masks(const sinew_blend_job *job) {
  bool has = false;
  for (int s = 0; s < job->source_count; s++) has |= job->sources[s].joint_weights != NULL;
  return has;
}

/* Finds the weights without joint weights. */
static bool find_even_poses(const sinew_blend_job *job, even_blend *even) {
  float weights[FEW];
  if (job->source_count > FEW) return false;
  for (int s = 0; s < job->source_count; s++) weights[s] = job->sources[s].weight;
  return find_even(even, weights, job->source_count, job->threshold);
}

/* `count` is a constant in each call. */
LANES_INLINE void blend_even(const sinew_blend_job *job, const even_blend *even, int count) {
  const sinew_pose_group *poses[FEW];
  for (int i = 0; i < count; i++) poses[i] = job->sources[even->sources[i]].pose;
  for (int g = 0, groups = sinew_pose_group_count(job->output.joint_count); g < groups; g++) {
    blend_group(poses, even->weights, count, job->rest.groups + g, job->output.groups + g);
    for (int i = 0; i < count; i++) poses[i]++;
  }
}

/* One pose is itself. */
static void copy_pose(const sinew_blend_job *job, const sinew_pose_group *pose) {
  memmove(job->output.groups, pose, (size_t)sinew_pose_group_count(job->output.joint_count) * sizeof *pose);
}

void LANES_NAME(pose_blend, LANES_SUFFIX)(const sinew_blend_job *job) {
  even_blend even;
  if (!find_even_poses(job, &even)) blend_masked(job, NULL);
  else if (has_masks(job)) blend_masked(job, &even);
  else if (even.count == 1) copy_pose(job, job->sources[even.sources[0]].pose);
  else if (even.count == 2) blend_even(job, &even, 2);
  else if (even.count == 3) blend_even(job, &even, 3);
  else blend_even(job, &even, 4);
}

/* ---- layer ---- */

static lanes lerp(lanes a, lanes b, lanes w) { return lanes_fma(w, lanes_sub(b, a), a); }

void LANES_NAME(pose_layer, LANES_SUFFIX)(const sinew_layer_job *job) {
  const lanes zero = lanes_set(0), one = lanes_set(1);
  for (int group = 0, count = sinew_pose_group_count(job->output.joint_count); group < count; group++) {
    const sinew_pose_group *below = job->below.groups + group, *above = job->above.groups + group;
    sinew_pose_group *output = job->output.groups + group;
    lanes w = lanes_min(lanes_max(group_weights(job->weight, job->joint_weights, group), zero), one);
    quat_lanes a = load_rotation(below), b = load_rotation(above);
    quat_lanes reference = job->model ? side_reference(a, load_rotation(job->model->rest + group)) : a;
    lanes side = lanes_sign(quat_lanes_dot(b, reference));
    quat_lanes q = quat_lanes_add_scaled(quat_lanes_scale(a, lanes_sub(one, w)), lanes_flip(w, side), b);
    store_rotation(output, quat_lanes_normalize(q));
    for (int c = 0; c < 3; c++) {
      lanes_store(output->translation[c],
                  lerp(lanes_load(below->translation[c]), lanes_load(above->translation[c]), w));
      lanes_store(output->scale[c], lerp(lanes_load(below->scale[c]), lanes_load(above->scale[c]), w));
    }
  }
}

/* ---- sample ---- */

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

/* ---- local to model ---- */

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

/* ---- table ---- */

extern const pose_kernels LANES_NAME(pose_kernels, LANES_SUFFIX);
const pose_kernels LANES_NAME(pose_kernels, LANES_SUFFIX) = {
    LANES_NAME(pose_sample, LANES_SUFFIX),
    LANES_NAME(pose_blend, LANES_SUFFIX),
    LANES_NAME(pose_layer, LANES_SUFFIX),
    LANES_NAME(pose_additive, LANES_SUFFIX),
    LANES_NAME(pose_additive_make, LANES_SUFFIX),
    LANES_NAME(pose_additive_apply, LANES_SUFFIX),
    LANES_NAME(pose_inertialize_begin, LANES_SUFFIX),
    LANES_NAME(pose_inertialize, LANES_SUFFIX),
    LANES_NAME(pose_local_to_model, LANES_SUFFIX),
    LANES_NAME(pose_place, LANES_SUFFIX),
    LANES_NAME(pose_evaluate, LANES_SUFFIX),
    LANES_NAME(pose_evaluate_eight, LANES_SUFFIX),
};
