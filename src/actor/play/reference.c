/* What an additive layer subtracts from its clips. */
#include "actor/stage.h"

const sinew_clip *layer_reference_clip(const actor *a, const layer *l, const clip_instance *item, double *time) {
  const sinew_reference *r = &l->asked.reference;
  if (r->kind == SINEW_REFERENCE_POSE) return NULL;
  *time = r->kind == SINEW_REFERENCE_CLIP ? r->time : item->now.begin;
  return a->model->clips + (r->kind == SINEW_REFERENCE_CLIP ? r->clip : item->clip);
}

sinew_pose layer_reference(const actor *a, const layer *l, const clip_instance *item, sinew_pose memory) {
  double time;
  const sinew_clip *clip = layer_reference_clip(a, l, item, &time);
  if (!clip) return l->asked.reference.pose;
  sinew_sample(&(sinew_sample_job){a->model, clip, time, memory});
  return memory;
}
