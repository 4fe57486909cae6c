#include "actor/crowd/crowd_feet.h"

#include "actor/sync/foot_blend.h"
#include "model/model.h"
#include "model/pose_group.h"

static float synced_weight(const crowd_feet_job *job) {
  float weight = 0;
  for (int k = 0; k < job->count; k++)
    if (job->items[k]->sync) weight += job->sources[k].weight;
  return weight;
}

void crowd_feet_evaluate(const crowd_feet_job *job) {
  static const root_motion none = {.def = {.joint = -1}};
  const sinew_model *model = job->model;
  sinew_blend_source sources[SINEW_CROWD_SLOTS];
  sinew_pose pose = scratch_pose(job->scratch, SCRATCH_LAYER, model->joint_count);
  for (int k = 0; k < job->count; k++) {
    const sinew_evaluate_source *s = job->sources + k;
    sinew_pose own = scratch_pose(job->scratch, k, model->joint_count);
    sinew_sample(&(sinew_sample_job){model, s->clip, s->time, own});
    sources[k] = (sinew_blend_source){own.groups, s->weight, s->clip->animates_all ? NULL : s->clip->animated};
  }
  sinew_blend(&(sinew_blend_job){sources, job->count, model_rest_pose(model), job->threshold, pose});
  foot_blend(&(foot_blend_job){.model = model,
                               .gait = job->gait,
                               .sources = sources,
                               .items = job->items,
                               .root = &none,
                               .count = job->count,
                               .weight = synced_weight(job),
                               .joints = job->scratch->joints,
                               .pose = pose});
  sinew_local_to_model(&(sinew_local_to_model_job){model, pose, job->scratch->joints, 0});
  if (job->palette) sinew_palette(&(sinew_palette_job){model, job->scratch->joints, job->palette});
}
