/* Morph weights go through the layers like joints do: normalised on the base layer over the actions whose clips move
 * the mesh's targets, covering above it, added on additive layers; what was set by hand is added last. */
#include "actor/stage.h"

#include <math.h>
#include <string.h>

static bool has_mesh(const clip_morph *morphs, int count, int mesh) {
  for (int i = 0; i < count; i++)
    if (morphs[i].mesh == mesh) return true;
  return false;
}

static bool clip_has_morphs(const sinew_clip *clip, int mesh) {
  if (has_mesh(clip->constant_morphs, clip->constant_morph_count, mesh)) return true;
  for (int i = 0; i < clip->table_count; i++)
    if (has_mesh(clip->tables[i].morphs, clip->tables[i].morph_count, mesh)) return true;
  return false;
}

/* Σ weight × value into `sum` (count values), Σ weight as the result. `sample` holds count values. */
static float sum_layer(const sinew_stage *stage, const actor *a, const layer *l, int mesh, float *sum, float *sample) {
  int count = a->model->meshes[mesh].morph_count;
  bool additive = l->mode == SINEW_LAYER_ADDITIVE;
  float total = 0;
  memset(sum, 0, (size_t)count * sizeof *sum);
  for (int i = 0; i < l->action_count; i++) {
    const action *act = stage_find_action(stage, l->actions[i]);
    const sinew_clip *clip = a->model->clips + act->clip;
    float strength = action_strength(act);
    if (!(strength > 0) || !clip_has_morphs(clip, mesh)) continue;
    sinew_sample_morphs(a->model, clip, playback_time(&act->playback), mesh, sample);
    for (int t = 0; t < count; t++) sum[t] += strength * sample[t];
    if (additive) sinew_sample_morphs(a->model, clip, 0, mesh, sample);
    for (int t = 0; additive && t < count; t++) sum[t] -= strength * sample[t];
    total += strength;
  }
  return total;
}

static void add_layer(const layer *l, bool base, float total, const float *sum, float *weights, int count) {
  if (l->mode == SINEW_LAYER_ADDITIVE) {
    for (int t = 0; t < count; t++) weights[t] += l->weight * sum[t];
    return;
  }
  if (!(total > 0)) return;
  float coverage = base ? fminf(total / REST_THRESHOLD, 1) : fminf(fmaxf(fminf(total, 1) * l->weight, 0), 1);
  for (int t = 0; t < count; t++) weights[t] += coverage * (sum[t] / total - weights[t]);
}

static void add_manual(const actor *a, const sinew_mesh_view *mesh, float *weights) {
  for (int i = 0; i < a->manual_count; i++)
    for (int t = 0; t < mesh->morph_count; t++)
      if (strcmp(mesh->morphs[t].name, a->manual[i].name) == 0) weights[t] += a->manual[i].weight;
}

void actor_evaluate_morphs(const sinew_stage *stage, actor *a) {
  float *weights = a->morphs;
  for (int m = 0; m < a->model->mesh_count; m++) {
    const sinew_mesh_view *mesh = a->model->meshes + m;
    int count = mesh->morph_count;
    if (count == 0) continue;
    for (int t = 0; t < count; t++) weights[t] = mesh->morphs[t].rest_weight;
    for (int l = 0; l < a->layer_count && !a->bind_pose; l++) {
      float total = sum_layer(stage, a, a->layers + l, m, a->morph_sum, a->morph_sample);
      add_layer(a->layers + l, l == 0, total, a->morph_sum, weights, count);
    }
    add_manual(a, mesh, weights);
    weights += count;
  }
}
