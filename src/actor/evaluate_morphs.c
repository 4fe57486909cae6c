/* Evaluates morph weights through the layers, as for joints: normalised on the base layer over the actions whose clips
 * move the mesh's targets, covering above it, added on additive layers; weights set by hand are added last. */
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
  for (int i = 0; i < clip->track_group_count; i++)
    if (has_mesh(clip->track_groups[i].morphs, clip->track_groups[i].morph_count, mesh)) return true;
  return false;
}

static bool has_any(const sinew_clip *clip) {
  bool any = clip->constant_morph_count > 0;
  for (int i = 0; i < clip->track_group_count; i++) any = any || clip->track_groups[i].morph_count > 0;
  return any;
}

/* Few clips move targets. If none does, there is nothing to sum. */
static bool are_moved(const actor *a) {
  for (int i = 0; i < a->instances.count; i++)
    if (a->instances.items[i].weight > 0 && has_any(a->model->clips + a->instances.items[i].clip)) return true;
  return false;
}

typedef struct morph_sum {
  const actor *actor;
  int mesh, count;
  const layer *layer;
  float *values, *sample; /* count values */
  float total;
} morph_sum;

/* Samples the reference of an additive instance into the sum. */
static void sample_reference(const morph_sum *sum, const clip_instance *item) {
  double time;
  const sinew_model *model = sum->actor->model;
  const sinew_clip *clip = layer_reference_clip(sum->actor, sum->layer, item, &time);
  const sinew_morph_view *morphs = model->meshes[sum->mesh].morphs;
  if (clip) sinew_sample_morphs(model, clip, time, sum->mesh, sum->sample);
  for (int t = 0; !clip && t < sum->count; t++) sum->sample[t] = morphs[t].rest_weight;
}

/* Adds Σ weight × value of a part of the actor's instances, and Σ weight to the total. */
static void sum_instances(morph_sum *sum, int first, int count, float scale) {
  const actor *a = sum->actor;
  bool additive = sum->layer->asked.mode == SINEW_LAYER_ADDITIVE;
  for (int i = first; i < first + count; i++) {
    const clip_instance *item = a->instances.items + i;
    const sinew_clip *clip = a->model->clips + item->clip;
    float weight = item->weight * scale;
    if (!(weight > 0) || !clip_has_morphs(clip, sum->mesh)) continue;
    sinew_sample_morphs(a->model, clip, item->time, sum->mesh, sum->sample);
    for (int t = 0; t < sum->count; t++) sum->values[t] += weight * sum->sample[t];
    if (additive) sample_reference(sum, item);
    for (int t = 0; additive && t < sum->count; t++) sum->values[t] -= weight * sum->sample[t];
    sum->total += weight;
  }
}

/* Actions lie over the graph. */
static float sum_layer(actor *a, const layer *l, int mesh) {
  morph_sum sum = {.actor = a,
                   .mesh = mesh,
                   .count = a->model->meshes[mesh].morph_count,
                   .layer = l,
                   .values = a->morph_sum,
                   .sample = a->morph_sample};
  memset(sum.values, 0, (size_t)sum.count * sizeof *sum.values);
  sum_instances(&sum, l->first_instance + l->graph_instances, l->instance_count - l->graph_instances, 1);
  sum_instances(&sum, l->first_instance, l->graph_instances, 1 - fminf(sum.total, 1));
  return sum.total;
}

static void add_layer(const layer *l, bool base, float total, const float *sum, float *weights, int count) {
  if (l->asked.mode == SINEW_LAYER_ADDITIVE) {
    for (int t = 0; t < count; t++) weights[t] += l->asked.weight * sum[t];
    return;
  }
  if (!(total > 0)) return;
  float coverage = base ? fminf(total / l->threshold, 1) : fminf(fmaxf(fminf(total, 1) * l->asked.weight, 0), 1);
  for (int t = 0; t < count; t++) weights[t] += coverage * (sum[t] / total - weights[t]);
}

void actor_evaluate_morphs(actor *a) {
  if (a->model->names->morph_count == 0) return;
  float *weights = a->morphs;
  const int32_t *numbers = a->model->names->morph_numbers;
  bool moved = !a->rests && are_moved(a);
  for (int m = 0; m < a->model->mesh_count; m++) {
    const sinew_mesh_view *mesh = a->model->meshes + m;
    int count = mesh->morph_count;
    if (count == 0) continue;
    for (int t = 0; t < count; t++) weights[t] = mesh->morphs[t].rest_weight;
    for (int l = 0; l < a->layer_count && moved; l++) {
      float total = sum_layer(a, a->layers + l, m);
      add_layer(a->layers + l, l == 0, total, a->morph_sum, weights, count);
    }
    for (int t = 0; t < count; t++) weights[t] += a->manual[*numbers++];
    weights += count;
  }
}
