/* Animations: samplers as curves, exactly (STEP, LINEAR, CUBICSPLINE). */
#include "import/source/gltf/curves/gltf_target.h"

#include <string.h>

/* ---- samplers ---- */

typedef struct sampler {
  float *times, *values;
  int key_count;
  int value_count; /* numbers */
  raw_interpolation interpolation;
} sampler;

static bool read_elements(gltf *g, const cJSON *from, const char *name, int width, float **values, int *count) {
  gltf_elements elements;
  *values = NULL;
  *count = 0;
  if (!gltf_accessor(g, gltf_index(from, name, g->accessors.count), &elements)) return false;
  if (elements.count == 0 || elements.width != width) return true;
  *count = elements.count * width;
  *values = gltf_floats(g, &elements, NULL, (size_t)elements.count);
  return *values != NULL;
}

static bool read_sampler(gltf *g, const cJSON *from, int width, sampler *s) {
  const char *mode = gltf_text(from, "interpolation");
  s->interpolation = mode && strcmp(mode, "STEP") == 0          ? RAW_STEP
                     : mode && strcmp(mode, "CUBICSPLINE") == 0 ? RAW_CUBIC
                                                                : RAW_LINEAR;
  return read_elements(g, from, "input", 1, &s->times, &s->key_count) &&
         read_elements(g, from, "output", width, &s->values, &s->value_count);
}

static int values_a_key(const sampler *s) { return s->interpolation == RAW_CUBIC ? 3 : 1; }

/* ---- tracks ---- */

static raw_track *add_track(raw_model *raw, raw_clip *clip, const sampler *s, raw_track like) {
  size_t keys = (size_t)s->key_count, values = (size_t)(clip_kind_width(like.kind) * values_a_key(s));
  raw_track *track =
      raw_grow(raw, (void **)&clip->tracks, &clip->track_count, &clip->track_capacity, sizeof *clip->tracks);
  if (!track) return NULL;
  *track = like;
  track->interpolation = s->interpolation;
  track->key_count = s->key_count;
  track->times = raw_alloc(raw, keys, sizeof *track->times);
  if (!track->values) track->values = raw_alloc(raw, keys * values, sizeof *track->values);
  for (size_t i = 0; track->times && i < keys; i++) track->times[i] = (double)s->times[i];
  return track->times && track->values ? track : NULL;
}

static bool add_node_track(gltf *g, raw_clip *clip, const sampler *s, track_kind kind, int node) {
  if ((int64_t)s->key_count * values_a_key(s) * clip_kind_width(kind) > s->value_count)
    return raw_note(g->raw, "clip '%s': a channel of node '%s' has fewer values than times: dropped", clip->name,
                    g->raw->nodes[node].name);
  return add_track(g->raw, clip, s, (raw_track){.kind = kind, .node = node, .values = s->values}) != NULL;
}

/* A key in the file holds the weights of all targets; for CUBICSPLINE all in-tangents, then all values, then all
 * out-tangents. */
static bool add_morph_track(raw_model *raw, raw_clip *clip, const sampler *s, int mesh, int target, int weights) {
  size_t at = weights > 1 ? (size_t)target : 0, parts = (size_t)values_a_key(s);
  raw_track *track = add_track(raw, clip, s, (raw_track){.kind = TRACK_MORPH, .node = mesh, .target = target});
  for (size_t i = 0; track && i < (size_t)s->key_count * parts; i++)
    track->values[i] = s->values[i * (size_t)weights + at];
  return track != NULL;
}

/* The number of weights of one target, or of all of them in each key; 0 if the keys have unequal numbers. */
static int count_weights(const sampler *s, int weight) {
  int64_t keys = (int64_t)s->key_count * values_a_key(s);
  if (weight >= 0) return keys <= s->value_count;
  return keys > 0 && s->value_count % keys == 0 ? (int)(s->value_count / keys) : 0;
}

/* A primitive may have fewer targets than the keys have weights: the first ones are its own. */
static bool add_morph_tracks(gltf *g, raw_clip *clip, const sampler *s, int mesh, int weight) {
  raw_model *raw = g->raw;
  int targets = raw->meshes[mesh].morph_count, weights = count_weights(s, weight);
  bool fits = targets > 0 && weight < targets && weights >= (weight < 0 ? targets : 1);
  if (!fits)
    return raw_note_count(raw, targets,
                          "clip '%s': the weights of mesh '%s' do not fit its %d {target|targets}: dropped", clip->name,
                          raw->meshes[mesh].name, targets);
  if (weight >= 0) return add_morph_track(raw, clip, s, mesh, weight, 1);
  for (int t = 0; t < targets; t++)
    if (!add_morph_track(raw, clip, s, mesh, t, weights)) return false;
  return weights == targets ||
         raw_note_count(raw, targets, "clip '%s': has %d weights in each key, and mesh '%s' %d {target|targets}",
                        clip->name, weights, raw->meshes[mesh].name, targets);
}

/* The file's node of a raw mesh, even if a helper stands in for it. */
static int file_node_of(const raw_model *raw, int mesh) { return raw->nodes[raw->meshes[mesh].node].file_number; }

static bool add_weights(gltf *g, raw_clip *clip, const sampler *s, const gltf_target *target) {
  for (int m = 0; m < g->raw->mesh_count; m++) {
    int node = file_node_of(g->raw, m);
    bool is_meant = target->mesh < 0 ? node == target->node
                                     : gltf_index(g->nodes.items[node], "mesh", g->meshes.count) == target->mesh;
    if (is_meant && !add_morph_tracks(g, clip, s, m, target->weight)) return false;
  }
  return true;
}

/* ---- channels ---- */

typedef struct left_out {
  int unbound;         /* channels without a node in the scene, or with broken data */
  int unplayed;        /* pointers to properties that are not animated here */
  const char *pointer; /* the first of them */
} left_out;

static bool read_channel(gltf *g, raw_clip *clip, const cJSON *channel, const gltf_list *samplers, left_out *out) {
  gltf_target target = gltf_target_read(g, gltf_member(channel, "target"));
  int from = gltf_index(channel, "sampler", samplers->count), node = target.node < 0 ? -1 : g->node_of[target.node];
  sampler s = {0};
  if (!target.is_known && target.pointer) {
    if (out->unplayed++ == 0) out->pointer = target.pointer;
    return true;
  }
  if (target.is_known && from >= 0 && (node >= 0 || target.mesh >= 0) &&
      !read_sampler(g, samplers->items[from], clip_kind_width(target.kind), &s))
    return false;
  if (!s.times || !s.values) {
    out->unbound++;
    return true;
  }
  return target.kind == TRACK_MORPH ? add_weights(g, clip, &s, &target)
                                    : add_node_track(g, clip, &s, target.kind, node);
}

static bool note_left_out(raw_model *raw, const raw_clip *clip, const left_out *out) {
  if (out->unplayed &&
      !raw_note_count(
          raw, out->unplayed,
          "clip '%s': %d {curve|curves} of other things than joints and morph targets {is|are} not played (%.100s)",
          clip->name, out->unplayed, out->pointer))
    return false;
  return !out->unbound ||
         raw_note_count(raw, out->unbound,
                        "clip '%s': %d {channel|channels} dropped: no such node in the scene, or broken data",
                        clip->name, out->unbound);
}

static bool read_animation(gltf *g, const cJSON *animation) {
  raw_model *raw = g->raw;
  raw_clip clip = {.name = gltf_name(g, animation)};
  gltf_list samplers;
  const cJSON *channel;
  left_out out = {0};
  if (!clip.name || !gltf_list_members(g, animation, "samplers", &samplers)) return false;
  cJSON_ArrayForEach(channel, gltf_member(animation, "channels")) {
    if (!read_channel(g, &clip, channel, &samplers, &out)) return false;
  }
  if (!gltf_read_curves(g, animation, &clip)) return false;
  raw_clip *kept = raw_grow(raw, (void **)&raw->clips, &raw->clip_count, &raw->clip_capacity, sizeof *raw->clips);
  if (!kept) return false;
  *kept = clip;
  return note_left_out(raw, kept, &out);
}

bool gltf_read_animations(gltf *g) {
  const cJSON *animation;
  cJSON_ArrayForEach(animation, gltf_member(g->root, "animations")) {
    if (!read_animation(g, animation)) return false;
  }
  return true;
}
