/* Every loop over lanes is eight independent lanes wide, so that a compiler turns it into vectors. */
#include <sinew/pose.h>

#include <math.h>
#include <string.h>

const char *sinew_blend_check(const sinew_blend_job *job) {
  if (!job->output.groups || !job->rest.groups) return "blend: the rest pose or the output is missing";
  if (job->rest.joint_count != job->output.joint_count) return "blend: the rest pose and the output differ in size";
  if (job->source_count < 0) return "blend: the number of sources is negative";
  if (job->source_count > 0 && !job->sources) return "blend: the sources are missing";
  if (!(job->threshold > 0) || !isfinite(job->threshold)) return "blend: the threshold is not a positive number";
  for (int i = 0; i < job->source_count; i++) {
    if (!job->sources[i].pose) return "blend: a source has no pose";
    if (!(job->sources[i].weight >= 0) || !isfinite(job->sources[i].weight))
      return "blend: a weight is negative or not a finite number";
  }
  return NULL;
}

typedef struct sums {
  sinew_pose_group values;
  float weight[SINEW_LANES];
} sums;

/* The rotation that the others are sign-aligned to: the heaviest source's, ties to the lowest index. */
static void find_heaviest(const sinew_blend_job *job, int group, float reference[4][SINEW_LANES]) {
  float heaviest[SINEW_LANES] = {0};
  memcpy(reference, job->rest.groups[group].rotation, sizeof job->rest.groups[group].rotation);
  for (int s = 0; s < job->source_count; s++) {
    const sinew_blend_source *source = job->sources + s;
    const float *mask = source->joint_weights ? source->joint_weights + group * SINEW_LANES : NULL;
    for (int i = 0; i < SINEW_LANES; i++) {
      float weight = source->weight * (mask ? mask[i] : 1.0f);
      if (weight <= heaviest[i]) continue;
      heaviest[i] = weight;
      for (int c = 0; c < 4; c++) reference[c][i] = source->pose[group].rotation[c][i];
    }
  }
}

static void add_weighted(sums *sum, const sinew_pose_group *pose, const float weights[SINEW_LANES],
                         float reference[4][SINEW_LANES]) {
  for (int i = 0; i < SINEW_LANES; i++) {
    float dot = 0;
    for (int c = 0; c < 4; c++) dot += pose->rotation[c][i] * reference[c][i];
    float signed_weight = dot < 0 ? -weights[i] : weights[i];
    for (int c = 0; c < 4; c++) sum->values.rotation[c][i] += signed_weight * pose->rotation[c][i];
    for (int c = 0; c < 3; c++) sum->values.translation[c][i] += weights[i] * pose->translation[c][i];
    for (int c = 0; c < 3; c++) sum->values.scale[c][i] += weights[i] * pose->scale[c][i];
    sum->weight[i] += weights[i];
  }
}

static void add_source(sums *sum, const sinew_blend_source *source, int group, float reference[4][SINEW_LANES]) {
  float weights[SINEW_LANES];
  const float *mask = source->joint_weights ? source->joint_weights + group * SINEW_LANES : NULL;
  for (int i = 0; i < SINEW_LANES; i++) weights[i] = source->weight * (mask ? mask[i] : 1.0f);
  add_weighted(sum, source->pose + group, weights, reference);
}

static void add_rest(sums *sum, const sinew_blend_job *job, int group, float reference[4][SINEW_LANES]) {
  float weights[SINEW_LANES];
  for (int i = 0; i < SINEW_LANES; i++)
    weights[i] = sum->weight[i] < job->threshold ? job->threshold - sum->weight[i] : 0;
  add_weighted(sum, job->rest.groups + group, weights, reference);
}

static void normalize(const sums *sum, sinew_pose_group *output) {
  for (int i = 0; i < SINEW_LANES; i++) {
    float length = 0, inverse = 1 / sum->weight[i];
    for (int c = 0; c < 4; c++) length += sum->values.rotation[c][i] * sum->values.rotation[c][i];
    float unit = 1 / sqrtf(length);
    for (int c = 0; c < 4; c++) output->rotation[c][i] = sum->values.rotation[c][i] * unit;
    for (int c = 0; c < 3; c++) output->translation[c][i] = sum->values.translation[c][i] * inverse;
    for (int c = 0; c < 3; c++) output->scale[c][i] = sum->values.scale[c][i] * inverse;
  }
}

bool sinew_blend(const sinew_blend_job *job) {
  if (sinew_blend_check(job)) return false;
  for (int group = 0; group < sinew_pose_group_count(job->output.joint_count); group++) {
    float reference[4][SINEW_LANES];
    sums sum = {0};
    find_heaviest(job, group, reference);
    for (int s = 0; s < job->source_count; s++) add_source(&sum, job->sources + s, group, reference);
    add_rest(&sum, job, group, reference);
    normalize(&sum, job->output.groups + group);
  }
  return true;
}
