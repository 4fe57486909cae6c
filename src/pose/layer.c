#include <sinew/pose.h>

#include <math.h>

static const char *check_poses(const sinew_pose *below, const sinew_pose *above, const sinew_pose *output) {
  if (!below->groups || !above->groups || !output->groups) return "layer: a pose is missing";
  if (below->joint_count != output->joint_count || above->joint_count != output->joint_count)
    return "layer: the poses differ in size";
  return NULL;
}

const char *sinew_layer_check(const sinew_layer_job *job) {
  if (!isfinite(job->weight)) return "layer: the weight is not a finite number";
  return check_poses(&job->below, &job->above, &job->output);
}

const char *sinew_additive_check(const sinew_additive_job *job) {
  if (!isfinite(job->weight)) return "additive: the weight is not a finite number";
  if (!job->reference.groups || job->reference.joint_count != job->output.joint_count)
    return "additive: the reference is missing or differs in size";
  return check_poses(&job->below, &job->pose, &job->output);
}

static void find_weights(float weight, const float *joint_weights, int group, float weights[SINEW_LANES]) {
  for (int i = 0; i < SINEW_LANES; i++)
    weights[i] = weight * (joint_weights ? joint_weights[group * SINEW_LANES + i] : 1.0f);
}

static float clamp01(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }

static void lerp_group(const sinew_pose_group *below, const sinew_pose_group *above, const float weights[SINEW_LANES],
                       sinew_pose_group *output) {
  for (int i = 0; i < SINEW_LANES; i++) {
    float w = clamp01(weights[i]), dot = 0, length = 0, q[4];
    for (int c = 0; c < 4; c++) dot += below->rotation[c][i] * above->rotation[c][i];
    float signed_weight = dot < 0 ? -w : w;
    for (int c = 0; c < 4; c++) q[c] = (1 - w) * below->rotation[c][i] + signed_weight * above->rotation[c][i];
    for (int c = 0; c < 4; c++) length += q[c] * q[c];
    float unit = 1 / sqrtf(length);
    for (int c = 0; c < 4; c++) output->rotation[c][i] = q[c] * unit;
    for (int c = 0; c < 3; c++)
      output->translation[c][i] = (1 - w) * below->translation[c][i] + w * above->translation[c][i];
    for (int c = 0; c < 3; c++) output->scale[c][i] = (1 - w) * below->scale[c][i] + w * above->scale[c][i];
  }
}

bool sinew_layer(const sinew_layer_job *job) {
  if (sinew_layer_check(job)) return false;
  for (int group = 0; group < sinew_pose_group_count(job->output.joint_count); group++) {
    float weights[SINEW_LANES];
    find_weights(job->weight, job->joint_weights, group, weights);
    lerp_group(job->below.groups + group, job->above.groups + group, weights, job->output.groups + group);
  }
  return true;
}

typedef struct quat_lane {
  float x, y, z, w;
} quat_lane;

static quat_lane read_lane(const sinew_pose_group *g, int i) {
  return (quat_lane){g->rotation[0][i], g->rotation[1][i], g->rotation[2][i], g->rotation[3][i]};
}

static quat_lane multiply(quat_lane a, quat_lane b) {
  return (quat_lane){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                     a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

/* below · (reference⁻¹ · pose)^w, the power by normalised lerp from the identity along the shorter arc. */
static void add_rotation(const sinew_additive_job *job, int group, int i, float w) {
  quat_lane reference = read_lane(job->reference.groups + group, i);
  quat_lane inverse = {-reference.x, -reference.y, -reference.z, reference.w};
  quat_lane d = multiply(inverse, read_lane(job->pose.groups + group, i));
  float s = d.w < 0 ? -w : w;
  d = (quat_lane){s * d.x, s * d.y, s * d.z, 1 - w + s * d.w};
  quat_lane q = multiply(read_lane(job->below.groups + group, i), d);
  float unit = 1 / sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  float values[4] = {q.x * unit, q.y * unit, q.z * unit, q.w * unit};
  for (int c = 0; c < 4; c++) job->output.groups[group].rotation[c][i] = values[c];
}

static void add_group(const sinew_additive_job *job, int group, const float weights[SINEW_LANES]) {
  const sinew_pose_group *below = job->below.groups + group, *pose = job->pose.groups + group;
  const sinew_pose_group *reference = job->reference.groups + group;
  sinew_pose_group *output = job->output.groups + group;
  for (int i = 0; i < SINEW_LANES; i++) {
    float w = weights[i];
    add_rotation(job, group, i, w);
    for (int c = 0; c < 3; c++) {
      output->translation[c][i] =
          below->translation[c][i] + w * (pose->translation[c][i] - reference->translation[c][i]);
      float from = reference->scale[c][i];
      float ratio = from != 0 ? pose->scale[c][i] / from : 1; /* a scale of 0 has no ratio: nothing to add */
      output->scale[c][i] = below->scale[c][i] * (1 + w * (ratio - 1));
    }
  }
}

bool sinew_additive(const sinew_additive_job *job) {
  if (sinew_additive_check(job)) return false;
  for (int group = 0; group < sinew_pose_group_count(job->output.joint_count); group++) {
    float weights[SINEW_LANES];
    find_weights(job->weight, job->joint_weights, group, weights);
    add_group(job, group, weights);
  }
  return true;
}
