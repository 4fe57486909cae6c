/* After Assimp: the file's own names, animation samplers (STEP, LINEAR, CUBICSPLINE, exactly) and morph weights. */
#include "import/source/gltf/gltf_file.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

typedef struct finisher {
  gltf *g;
  raw_model *raw;
  int32_t *node_of; /* the file's node → raw node, or -1 */
  int32_t *file_of; /* raw node → the file's node, or -1 */
  gltf_list meshes; /* with the copies that the rewriting made */
} finisher;

/* ---- names ---- */

static bool restore_names(finisher *f) {
  f->raw->numbered = true;
  size_t prefix = strlen(GLTF_NODE_NAME);
  f->node_of = raw_alloc(f->raw, (size_t)f->g->nodes.count, sizeof *f->node_of);
  f->file_of = raw_alloc(f->raw, (size_t)f->raw->node_count, sizeof *f->file_of);
  if (!f->node_of || !f->file_of) return false;
  for (int i = 0; i < f->g->nodes.count; i++) f->node_of[i] = -1;
  for (int i = 0; i < f->raw->node_count; i++) {
    raw_node *node = f->raw->nodes + i;
    f->file_of[i] = -1;
    if (strncmp(node->name, GLTF_NODE_NAME, prefix) != 0) continue;
    int index = atoi(node->name + prefix);
    if (index < 0 || index >= f->g->nodes.count) continue;
    node->name = f->g->node_names[index];
    node->file_number = f->file_of[i] = index;
    f->node_of[index] = i;
  }
  return true;
}

/* Assimp calls the parts of a mesh "Name-0", "Name-1" and nameless ones "meshes[3]": the file's own is enough. */
static bool name_mesh(finisher *f, raw_mesh *mesh, const cJSON *from) {
  const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(from, "name"));
  if (from) mesh->name = raw_string(f->raw, name ? name : "");
  return mesh->name != NULL;
}

/* ---- morph weights at rest ---- */

static bool restore_mesh(finisher *f, raw_mesh *mesh) {
  int file = mesh->node < 0 ? -1 : f->file_of[mesh->node];
  const cJSON *node = file < 0 ? NULL : f->g->nodes.items[file], *weight;
  int index = gltf_index(node, "mesh", f->meshes.count);
  const cJSON *from = index < 0 ? NULL : f->meshes.items[index];
  const cJSON *weights = cJSON_GetObjectItemCaseSensitive(node, "weights");
  if (!weights) weights = cJSON_GetObjectItemCaseSensitive(from, "weights");
  for (int i = 0; i < mesh->morph_count; i++) mesh->morphs[i].weight = 0;
  int i = 0;
  cJSON_ArrayForEach(weight, weights) {
    if (i < mesh->morph_count && cJSON_IsNumber(weight)) mesh->morphs[i].weight = (float)weight->valuedouble;
    i++;
  }
  return name_mesh(f, mesh, from);
}

/* ---- samplers ---- */

typedef struct sampler {
  float *times, *values;
  int key_count, value_count; /* values are counted in accessor elements */
  raw_interpolation interpolation;
} sampler;

static bool read_sampler(finisher *f, const cJSON *from, int width, sampler *s) {
  const char *mode = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(from, "interpolation"));
  s->interpolation = mode && strcmp(mode, "STEP") == 0          ? RAW_STEP
                     : mode && strcmp(mode, "CUBICSPLINE") == 0 ? RAW_CUBIC
                                                                : RAW_LINEAR;
  int input = gltf_index(from, "input", f->g->accessors.count),
      output = gltf_index(from, "output", f->g->accessors.count);
  return gltf_read_accessor(f->g, input, 1, &s->times, &s->key_count) &&
         gltf_read_accessor(f->g, output, width, &s->values, &s->value_count);
}

static raw_track *add_track(raw_model *raw, raw_clip *clip, const sampler *s, raw_track like) {
  size_t keys = (size_t)s->key_count,
         values = (size_t)clip_kind_width(like.kind) * (s->interpolation == RAW_CUBIC ? 3 : 1);
  raw_track *track =
      raw_grow(raw, (void **)&clip->tracks, &clip->track_count, &clip->track_capacity, sizeof *clip->tracks);
  if (!track) return NULL;
  *track = like;
  track->interpolation = s->interpolation;
  track->key_count = s->key_count;
  track->times = raw_alloc(raw, keys, sizeof *track->times);
  track->values = raw_alloc(raw, keys * values, sizeof *track->values);
  for (size_t i = 0; track->times && i < keys; i++) track->times[i] = (double)s->times[i];
  return track->times && track->values ? track : NULL;
}

static bool add_node_track(finisher *f, raw_clip *clip, const sampler *s, track_kind kind, int node) {
  int per_key = s->interpolation == RAW_CUBIC ? 3 : 1;
  if (s->value_count < s->key_count * per_key)
    return raw_note(f->raw, "clip '%s': a channel of node '%s' has fewer values than times: dropped", clip->name,
                    f->raw->nodes[node].name);
  raw_track *track = add_track(f->raw, clip, s, (raw_track){.kind = kind, .node = node});
  if (!track) return false;
  memcpy(track->values, s->values,
         (size_t)s->key_count * (size_t)per_key * (size_t)clip_kind_width(kind) * sizeof(float));
  return true;
}

/* A key of the file holds the weights of all targets; with CUBICSPLINE all in-tangents, all values, all out-tangents.
 */
static bool add_morph_tracks(finisher *f, raw_clip *clip, const sampler *s, int mesh) {
  int targets = f->raw->meshes[mesh].morph_count, parts = s->interpolation == RAW_CUBIC ? 3 : 1;
  if (targets == 0 || (int64_t)s->key_count * parts * targets > s->value_count)
    return raw_note(f->raw, "clip '%s': the weights of mesh '%s' do not fit its %d targets: dropped", clip->name,
                    f->raw->meshes[mesh].name, targets);
  for (int t = 0; t < targets; t++) {
    raw_track *track = add_track(f->raw, clip, s, (raw_track){.kind = TRACK_MORPH, .node = mesh, .target = t});
    if (!track) return false;
    for (size_t i = 0; i < (size_t)s->key_count * (size_t)parts; i++)
      track->values[i] = s->values[i * (size_t)targets + (size_t)t];
  }
  return true;
}

static bool add_weights(finisher *f, raw_clip *clip, const sampler *s, int node) {
  for (int m = 0; m < f->raw->mesh_count; m++)
    if (f->raw->meshes[m].node == node && !add_morph_tracks(f, clip, s, m)) return false;
  return true;
}

static bool read_channel(finisher *f, raw_clip *clip, const cJSON *channel, const gltf_list *samplers, int *unbound) {
  static const struct {
    const char *path;
    track_kind kind;
    int width;
  } paths[] = {{"rotation", TRACK_ROTATION, 4},
               {"translation", TRACK_TRANSLATION, 3},
               {"scale", TRACK_SCALE, 3},
               {"weights", TRACK_MORPH, 1}};
  const cJSON *target = cJSON_GetObjectItemCaseSensitive(channel, "target");
  const char *path = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(target, "path"));
  int file = gltf_index(target, "node", f->g->nodes.count), node = file < 0 ? -1 : f->node_of[file], kind = 0;
  int from = gltf_index(channel, "sampler", samplers->count);
  while (kind < 4 && (!path || strcmp(path, paths[kind].path) != 0)) kind++;
  sampler s = {0};
  if (node >= 0 && kind < 4 && from >= 0 && !read_sampler(f, samplers->items[from], paths[kind].width, &s))
    return false;
  if (!s.times || !s.values) {
    (*unbound)++;
    return true;
  }
  return paths[kind].kind == TRACK_MORPH ? add_weights(f, clip, &s, node)
                                         : add_node_track(f, clip, &s, paths[kind].kind, node);
}

static bool read_animation(finisher *f, const cJSON *animation) {
  raw_model *raw = f->raw;
  const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(animation, "name"));
  raw_clip clip = {.name = raw_string(raw, name ? name : "")};
  gltf_list samplers;
  const cJSON *channel;
  int unbound = 0;
  if (!clip.name || !gltf_list_members(f->g, animation, "samplers", &samplers)) return false;
  cJSON_ArrayForEach(channel, cJSON_GetObjectItemCaseSensitive(animation, "channels")) {
    if (!read_channel(f, &clip, channel, &samplers, &unbound)) return false;
  }
  raw_clip *kept = raw_grow(raw, (void **)&raw->clips, &raw->clip_count, &raw->clip_capacity, sizeof *raw->clips);
  if (!kept) return false;
  *kept = clip;
  return !unbound ||
         raw_note(raw, "clip '%s': %d channels dropped: no such node in the scene, or broken data", clip.name, unbound);
}

bool gltf_finish(gltf *g, raw_model *raw) {
  finisher f = {.g = g, .raw = raw};
  const cJSON *animation;
  if (!gltf_is_version_2(g)) return true;
  if (!restore_names(&f) || !gltf_list_members(g, g->root, "meshes", &f.meshes)) return false;
  for (int m = 0; m < raw->mesh_count; m++)
    if (!restore_mesh(&f, raw->meshes + m)) return false;
  cJSON_ArrayForEach(animation, g->animations) {
    if (!read_animation(&f, animation)) return false;
  }
  return true;
}
