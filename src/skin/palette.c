#include "model/model.h"
#include "skin/kernels.h"

const char *sinew_palette_check(const sinew_palette_job *job) {
  if (!job->model) return "palette: the model is missing";
  if (!job->joints || !job->output) return "palette: the joints or the output are missing";
  return NULL;
}

bool sinew_palette(const sinew_palette_job *job) {
  if (sinew_palette_check(job)) return false;
  const skin_kernels *kernels = skin_kernels_current();
  for (int s = 0; s < job->model->skin_count; s++) {
    const sinew_skin_view *skin = job->model->skins + s;
    kernels->palette(skin, job->joints, job->output + skin->first);
  }
  return true;
}
