#include "math/float_env.h"
#include "model/model.h"
#include "pose/kernels.h"

#include <math.h>

const char *sinew_sample_check(const sinew_sample_job *job) {
  if (!job->model) return "sample: the model is missing";
  if (!job->clip) return "sample: the clip is missing";
  if (!isfinite(job->time)) return "sample: the time is not a finite number";
  if (!job->output.groups) return "sample: the output pose is missing";
  if (job->output.joint_count != job->model->joint_count) return "sample: the output pose is not of the model's size";
  if (job->clip->joint_count != job->model->joint_count) return "sample: the clip belongs to another model";
  return NULL;
}

bool sinew_sample(const sinew_sample_job *job) {
  if (sinew_sample_check(job)) return false;
  uint64_t before = float_env_enter();
  pose_kernels_current()->sample(job->clip, job->time, job->output.groups);
  float_env_leave(before);
  return true;
}

static void sample_track_group_morphs(const track_group *tracks, double time, int mesh, float *weights) {
  if (tracks->morph_count == 0) return;
  clip_cursor cursor = track_group_seek(tracks, time);
  for (int i = 0; i < tracks->morph_count; i++) {
    const clip_morph *morph = tracks->morphs + i;
    if (morph->mesh == mesh) weights[morph->target] = clip_morph_value(morph, &cursor);
  }
}

bool sinew_sample_morphs(const sinew_model *model, const sinew_clip *clip, double time, int mesh, float *weights) {
  if (!model || !clip || !weights || !isfinite(time) || mesh < 0 || mesh >= model->mesh_count) return false;
  const sinew_mesh_view *view = model->meshes + mesh;
  uint64_t before = float_env_enter();
  for (int i = 0; i < view->morph_count; i++) weights[i] = view->morphs[i].rest_weight;
  for (int i = 0; i < clip->constant_morph_count; i++) {
    const clip_morph *morph = clip->constant_morphs + i;
    if (morph->mesh == mesh) weights[morph->target] = clip->constant_weights[morph->offset];
  }
  for (int i = 0; i < clip->track_group_count; i++)
    sample_track_group_morphs(clip->track_groups + i, time, mesh, weights);
  float_env_leave(before);
  return true;
}
