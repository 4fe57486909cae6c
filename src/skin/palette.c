#include "math/float_env.h"
#include "model/model.h"
#include "skin/kernels.h"

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
