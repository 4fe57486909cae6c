#include "math/float_env.h"
#include "model/model.h"
#include "pose/kernels.h"
#include "skin/kernels.h"

#include <math.h>

const char *sinew_palette_check(const sinew_palette_job *job) {
  if (!job->model) return "palette: the model is missing";
  if (!job->joints || !job->output) return "palette: the joints or the output are missing";
  return NULL;
}

void palette_of_joints(const sinew_model *model, const sinew_mat3x4 *joints, sinew_mat3x4 *output) {
  const skin_kernels *kernels = skin_kernels_current();
  for (int s = 0; s < model->skin_count; s++)
    kernels->palette(model->skins + s, joints, output + model->skins[s].first, model->palette_count);
}

bool sinew_palette(const sinew_palette_job *job) {
  if (sinew_palette_check(job)) return false;
  uint64_t before = float_env_enter();
  palette_of_joints(job->model, job->joints, job->output);
  float_env_leave(before);
  return true;
}

/* ---- evaluate ---- */

static const char *check_source(const sinew_evaluate_job *job, const sinew_evaluate_source *source) {
  if (!source->clip) return "evaluate: a clip is missing";
  if (source->clip->joint_count != job->model->joint_count) return "evaluate: a clip belongs to another model";
  if (!isfinite(source->time)) return "evaluate: a time is not a finite number";
  if (!(source->weight >= 0) || !isfinite(source->weight))
    return "evaluate: a weight is negative or not a finite number";
  return NULL;
}

const char *sinew_evaluate_check(const sinew_evaluate_job *job) {
  if (!job->model) return "evaluate: the model is missing";
  if (!job->joints) return "evaluate: the output is missing";
  if (job->pose.groups && job->pose.joint_count != job->model->joint_count)
    return "evaluate: the pose is not of the model's size";
  if (job->source_count < 0 || job->source_count > SINEW_EVALUATE_SOURCES) return "evaluate: there are 0 to 4 sources";
  if (job->source_count > 0 && !job->sources) return "evaluate: the sources are missing";
  if (!(job->threshold > 0) || !isfinite(job->threshold)) return "evaluate: the threshold is not a positive number";
  const char *wrong = NULL;
  for (int i = 0; i < job->source_count && !wrong; i++) wrong = check_source(job, job->sources + i);
  return wrong;
}

void evaluate_eight(const sinew_evaluate_job *jobs, sinew_mat3x4 *scratch) {
  const sinew_model *model = jobs->model;
  sinew_mat3x4 *palettes[SINEW_LANES];
  uint64_t before = float_env_enter();
  pose_kernels_current()->evaluate_eight(jobs, scratch->m);
  for (int i = 0; i < SINEW_LANES; i++) palettes[i] = jobs[i].palette;
  for (int s = 0; s < model->skin_count; s++)
    skin_kernels_current()->palette_eight(model->skins + s, scratch->m, palettes, model->palette_count);
  float_env_leave(before);
}

static void evaluate_one(const sinew_evaluate_job *job, bool still) {
  uint64_t before = float_env_enter();
  pose_kernels_current()->evaluate(job, still);
  if (job->palette) palette_of_joints(job->model, job->joints, job->palette);
  float_env_leave(before);
}

void evaluate_like_eight(const sinew_evaluate_job *job) { evaluate_one(job, false); }

bool sinew_evaluate(const sinew_evaluate_job *job) {
  if (sinew_evaluate_check(job)) return false;
  evaluate_one(job, true);
  return true;
}
