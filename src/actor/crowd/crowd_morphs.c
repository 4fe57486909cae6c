/* Morph weights are normalised over the clips that move the mesh, as those of an actor. All meshes are computed at
 * once, as differences from the rest weights: a target without a weight in a clip adds nothing. */
#include "actor/crowd/crowd_morphs.h"

#include "actor/stage.h"

#include <math.h>
#include <string.h>

crowd_morphs crowd_morphs_lay_out(block *b, const sinew_model *model, size_t characters) {
  crowd_morphs m = {0};
  for (int i = 0; i < model->mesh_count; i++) m.count += model->meshes[i].morph_count;
  if (m.count == 0) return m;
  size_t meshes = (size_t)model->mesh_count;
  m.first = block_take(b, meshes, sizeof *m.first);
  m.rest = block_take(b, (size_t)m.count, sizeof *m.rest);
  m.moves = block_take(b, meshes * (size_t)model->clip_count, sizeof *m.moves);
  m.weights = block_take(b, characters, (size_t)m.count * sizeof *m.weights);
  return m;
}

static void note_meshes(const clip_morph *morphs, int count, uint8_t *moves) {
  for (int i = 0; i < count; i++) moves[morphs[i].mesh] = 1;
}

void crowd_morphs_fill(const crowd_morphs *m, const sinew_model *model) {
  if (m->count == 0) return;
  int count = 0;
  for (int i = 0; i < model->mesh_count; i++) {
    const sinew_mesh_view *mesh = model->meshes + i;
    m->first[i] = count;
    for (int t = 0; t < mesh->morph_count; t++) m->rest[count++] = mesh->morphs[t].rest_weight;
  }
  for (int c = 0; c < model->clip_count; c++) {
    const sinew_clip *clip = model->clips + c;
    uint8_t *moves = m->moves + (size_t)c * (size_t)model->mesh_count;
    note_meshes(clip->constant_morphs, clip->constant_morph_count, moves);
    for (int t = 0; t < clip->track_group_count; t++)
      note_meshes(clip->track_groups[t].morphs, clip->track_groups[t].morph_count, moves);
  }
}

static void add_value(const crowd_morphs *m, const clip_morph *morph, float weight, float value, float *sum) {
  int target = m->first[morph->mesh] + morph->target;
  sum[target] += weight * (value - m->rest[target]);
}

static void add_clip(const crowd_morphs *m, const sinew_evaluate_source *source, float *sum) {
  const sinew_clip *clip = source->clip;
  for (int i = 0; i < clip->constant_morph_count; i++) {
    const clip_morph *morph = clip->constant_morphs + i;
    add_value(m, morph, source->weight, clip->constant_weights[morph->offset], sum);
  }
  for (int t = 0; t < clip->track_group_count; t++) {
    const track_group *tracks = clip->track_groups + t;
    if (tracks->morph_count == 0) continue;
    clip_cursor cursor = track_group_seek(tracks, source->time);
    for (int i = 0; i < tracks->morph_count; i++)
      add_value(m, tracks->morphs + i, source->weight, clip_morph_value(tracks->morphs + i, &cursor), sum);
  }
}

/* 1 / Σ weights of the clips that move the mesh; if that sum is small, the rest weights join. */
static float fraction_of(const crowd_morphs *m, const sinew_model *model, const sinew_evaluate_source *sources,
                         int count, float threshold, int mesh) {
  float total = 0;
  for (int i = 0; i < count; i++) {
    ptrdiff_t clip = sources[i].clip - model->clips;
    if (m->moves[clip * model->mesh_count + mesh]) total += sources[i].weight;
  }
  return 1 / fmaxf(total, threshold);
}

void crowd_morphs_evaluate(const crowd_morphs *m, const sinew_model *model, const sinew_evaluate_source *sources,
                           int source_count, float threshold, const float *added, float *output) {
  memset(output, 0, (size_t)m->count * sizeof *output);
  for (int i = 0; i < source_count; i++) add_clip(m, sources + i, output);
  for (int mesh = 0; mesh < model->mesh_count; mesh++) {
    int end = m->first[mesh] + model->meshes[mesh].morph_count;
    float fraction = end > m->first[mesh] ? fraction_of(m, model, sources, source_count, threshold, mesh) : 0;
    for (int t = m->first[mesh]; t < end; t++) {
      float value = m->rest[t] + fraction * output[t], whole = value + added[t];
      output[t] = isfinite(whole) ? whole : value;
    }
  }
}
