/* What an actor's actions add up to: the base layer, then each layer above it, then joints and palette. */
#include "actor/stage.h"

#include <math.h>
#include <string.h>

/* Above the base a layer's own weight decides how much it covers, so the rest pose never joins. */
static const float no_rest = 1e-6f;

static void sample_action(const actor *a, const action *act, sinew_pose output) {
  sinew_sample(&(sinew_sample_job){a->model, a->model->clips + act->clip, playback_time(&act->playback), output});
}

/* Samples the layer's actions into scratch poses; one source for each that weighs something. */
static int sample_layer(const sinew_stage *stage, const scratch *s, const actor *a, const layer *l,
                        sinew_blend_source sources[MAX_ACTIONS]) {
  int count = 0;
  for (int i = 0; i < l->action_count; i++) {
    const action *act = stage_find_action(stage, l->actions[i]);
    float strength = action_strength(act);
    if (!(strength > 0)) continue;
    sinew_pose pose = scratch_pose(s, count, a->model->joint_count);
    sample_action(a, act, pose);
    const sinew_clip *clip = a->model->clips + act->clip;
    sources[count++] = (sinew_blend_source){pose.groups, strength, clip->carries_all ? NULL : clip->carried};
  }
  return count;
}

static void evaluate_base(const sinew_stage *stage, const scratch *s, actor *a) {
  sinew_blend_source sources[MAX_ACTIONS];
  int count = sample_layer(stage, s, a, a->layers, sources);
  sinew_blend(&(sinew_blend_job){sources, count, sinew_model_rest_pose(a->model), REST_THRESHOLD, a->pose});
}

/* How much of each joint a layer covers: min(1, Σ weights that carry it) × layer × mask. */
static void find_coverage(scratch *s, const layer *l, const sinew_blend_source *sources, int count, int lanes) {
  for (int i = 0; i < lanes; i++) {
    float sum = 0;
    for (int k = 0; k < count; k++)
      sum += sources[k].weight * (sources[k].joint_weights ? sources[k].joint_weights[i] : 1);
    s->coverage[i] = fminf(sum, 1) * l->weight * (l->joint_weights ? l->joint_weights[i] : 1);
  }
}

static void evaluate_override(const sinew_stage *stage, scratch *s, actor *a, const layer *l) {
  sinew_blend_source sources[MAX_ACTIONS];
  int count = sample_layer(stage, s, a, l, sources);
  if (count == 0) return;
  sinew_pose above = scratch_pose(s, MAX_ACTIONS, a->model->joint_count);
  sinew_blend(&(sinew_blend_job){sources, count, sinew_model_rest_pose(a->model), no_rest, above});
  find_coverage(s, l, sources, count, sinew_pose_group_count(a->model->joint_count) * SINEW_LANES);
  sinew_layer(&(sinew_layer_job){a->pose, above, 1, s->coverage, a->pose});
}

static void add_action(scratch *s, actor *a, const layer *l, const action *act) {
  const sinew_clip *clip = a->model->clips + act->clip;
  sinew_pose pose = scratch_pose(s, 0, a->model->joint_count), reference = scratch_pose(s, 1, a->model->joint_count);
  sample_action(a, act, pose);
  sinew_sample(&(sinew_sample_job){a->model, clip, 0, reference});
  int lanes = sinew_pose_group_count(a->model->joint_count) * SINEW_LANES;
  for (int i = 0; i < lanes; i++) s->coverage[i] = clip->carried[i] * (l->joint_weights ? l->joint_weights[i] : 1);
  sinew_additive(
      &(sinew_additive_job){a->pose, pose, reference, action_strength(act) * l->weight, s->coverage, a->pose});
}

static void evaluate_additive(const sinew_stage *stage, scratch *s, actor *a, const layer *l) {
  for (int i = 0; i < l->action_count; i++) {
    const action *act = stage_find_action(stage, l->actions[i]);
    if (action_strength(act) > 0) add_action(s, a, l, act);
  }
}

void actor_evaluate(const sinew_stage *stage, scratch *s, actor *a) {
  sinew_pose rest = sinew_model_rest_pose(a->model);
  if (a->bind_pose) {
    memcpy(a->pose.groups, rest.groups, (size_t)sinew_pose_group_count(rest.joint_count) * sizeof *rest.groups);
  } else {
    evaluate_base(stage, s, a);
    for (int i = 1; i < a->layer_count; i++) {
      const layer *l = a->layers + i;
      if (l->weight == 0 || l->action_count == 0) continue;
      if (l->mode == SINEW_LAYER_ADDITIVE) evaluate_additive(stage, s, a, l);
      else evaluate_override(stage, s, a, l);
    }
  }
  sinew_local_to_model(&(sinew_local_to_model_job){a->model, a->pose, a->joints, 0});
  if (a->palette.count)
    sinew_palette(&(sinew_palette_job){a->model, a->joints, stage->palettes.matrices + a->palette.offset});
  actor_evaluate_morphs(stage, a);
}
