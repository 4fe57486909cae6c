#include "model/model.h"

const char *sinew_palette_check(const sinew_palette_job *job) {
  if (!job->model) return "palette: the model is missing";
  if (!job->joints || !job->output) return "palette: the joints or the output are missing";
  return NULL;
}

bool sinew_palette(const sinew_palette_job *job) {
  if (sinew_palette_check(job)) return false;
  const sinew_model *model = job->model;
  for (int s = 0; s < model->skin_count; s++) {
    const sinew_skin_view *skin = model->skins + s;
    sinew_mat3x4 *palette = job->output + skin->first;
    for (int i = 0; i < skin->count; i++)
      palette[i] = sinew_mat3x4_multiply(job->joints + skin->joints[i], skin->inverse_binds + i);
  }
  return true;
}
