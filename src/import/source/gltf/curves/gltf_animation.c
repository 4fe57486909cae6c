/* Animations: samplers as curves, exactly (STEP, LINEAR, CUBICSPLINE). */
#include "import/source/gltf/gltf_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct gltf_target {
  bool is_known;
  track_kind kind;
  int node;            /* the file's, or -1 */
  int mesh;            /* the file's mesh, all of whose nodes are targets; or -1 */
  int weight;          /* of one target; -1: of all */
  const char *pointer; /* of KHR_animation_pointer, or NULL */
} gltf_target;

/* ---- the property that an animation channel moves ---- */

static bool find_kind(const char *path, track_kind *kind) {
  static const struct {
    const char *path;
    track_kind kind;
  } paths[] = {{"rotation", TRACK_ROTATION},
               {"translation", TRACK_TRANSLATION},
               {"scale", TRACK_SCALE},
               {"weights", TRACK_MORPH}};
  for (size_t i = 0; path && i < sizeof paths / sizeof *paths; i++) {
    if (strcmp(path, paths[i].path) != 0) continue;
    *kind = paths[i].kind;
    return true;
  }
  return false;
}

/* Reads "12" at the front of a pointer's remainder: false if there is no number below `count`, or if it is followed by
 * anything but '/'. */
static bool take_number(const char **at, int count, int *number) {
  char *end;
  if (**at < '0' || **at > '9') return false;
  long value = strtol(*at, &end, 10);
  if (value < 0 || value >= count || (*end != '/' && *end != '\0')) return false;
  *number = (int)value;
  *at = *end == '/' ? end + 1 : end;
  return true;
}

static bool skip_word(const char **at, const char *word) {
  size_t length = strlen(word);
  if (strncmp(*at, word, length) != 0) return false;
  *at += length;
  return true;
}

/* "weights", or "weights/3". */
static bool read_weights(const char *at, gltf_target *target) {
  target->kind = TRACK_MORPH;
  if (strcmp(at, "weights") == 0) return true;
  return skip_word(&at, "weights/") && take_number(&at, 1 << 16, &target->weight) && *at == '\0';
}

static bool read_pointer(const gltf *g, const char *at, gltf_target *target) {
  if (skip_word(&at, "/meshes/")) return take_number(&at, g->meshes.count, &target->mesh) && read_weights(at, target);
  if (!skip_word(&at, "/nodes/") || !take_number(&at, g->nodes.count, &target->node)) return false;
  return (find_kind(at, &target->kind) && target->kind != TRACK_MORPH) || read_weights(at, target);
}

static gltf_target gltf_target_read(const gltf *g, const cJSON *json) {
  gltf_target target = {.node = -1, .mesh = -1, .weight = -1};
  const char *path = gltf_text(json, "path");
  const char *pointer = gltf_text(gltf_extension(json, "KHR_animation_pointer"), "pointer");
  if (path && strcmp(path, "pointer") == 0) {
    target.pointer = pointer ? pointer : "";
    target.is_known = pointer && read_pointer(g, pointer, &target);
    return target;
  }
  target.node = gltf_index(json, "node", g->nodes.count);
  target.is_known = target.node >= 0 && find_kind(path, &target.kind);
  return target;
}

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

/* Named numbers over the time of an animation, from its extras: "curves": { "grip": [[time, value], …] }. A program
 * that cannot store nested lists (Blender) writes [time, value, time, value, …]. */

typedef struct key_reader {
  sinew_curve_key *keys;
  int numbers; /* read so far: a time, a value, a time … */
} key_reader;

static bool read_number(key_reader *r, const cJSON *number) {
  if (!cJSON_IsNumber(number)) return false;
  sinew_curve_key *key = r->keys + r->numbers / 2;
  *(r->numbers++ % 2 ? &key->value : &key->time) = number->valuedouble;
  return true;
}

static bool read_pair(key_reader *r, const cJSON *pair) {
  return cJSON_IsArray(pair) && cJSON_GetArraySize(pair) == 2 && read_number(r, pair->child) &&
         read_number(r, pair->child->next);
}

/* Either all items are pairs, or all are numbers. */
static bool read_keys(key_reader *r, const cJSON *list) {
  const cJSON *item;
  bool pairs = cJSON_IsArray(list) && cJSON_IsArray(list->child);
  if (!cJSON_IsArray(list)) return false;
  cJSON_ArrayForEach(item, list) {
    if (!(pairs ? read_pair(r, item) : read_number(r, item))) return false;
  }
  return r->numbers % 2 == 0;
}

static bool read_curve(gltf *g, const cJSON *list, raw_clip *clip) {
  raw_model *raw = g->raw;
  sinew_curve_view curve = {.name = raw_string(raw, list->string)};
  key_reader r = {raw_alloc(raw, (size_t)cJSON_GetArraySize(list), sizeof *r.keys), 0};
  if (!curve.name || !r.keys) return false;
  if (!read_keys(&r, list))
    return raw_note(raw,
                    "clip '%s': curve '%.100s' is left out: it is neither a list of [time, value] nor of as many "
                    "times as values in turn",
                    clip->name, curve.name);
  curve.keys = r.keys;
  curve.count = r.numbers / 2;
  sinew_curve_view *kept =
      raw_grow(raw, (void **)&clip->curves, &clip->curve_count, &clip->curve_capacity, sizeof *clip->curves);
  if (kept) *kept = curve;
  return kept;
}

/* Adds a note about a file that writes frames instead of seconds. */
static bool note_late(gltf *g, const raw_clip *clip) {
  const double slack = 0.5, farthest = 1e7; /* keys beyond `farthest` are left out */
  double end = -HUGE_VAL;
  for (int i = 0; i < clip->track_count; i++)
    for (int k = 0; k < clip->tracks[i].key_count; k++) end = fmax(end, clip->tracks[i].times[k]);
  for (int i = 0; i < clip->curve_count && clip->track_count; i++) {
    const sinew_curve_view *curve = clip->curves + i;
    double last = curve->count ? curve->keys[curve->count - 1].time : end;
    if (last > end + slack && last <= farthest &&
        !raw_note(g->raw,
                  "clip '%s': curve '%.100s' continues to %.4g s, and the clip ends at %.4g s: times are seconds",
                  clip->name, curve->name, last, end))
      return false;
  }
  return true;
}

bool gltf_read_curves(gltf *g, const cJSON *animation, raw_clip *clip) {
  const cJSON *curves = gltf_member(gltf_member(animation, "extras"), "curves"), *list;
  if (!curves) return true;
  if (!cJSON_IsObject(curves))
    return raw_note(g->raw, "clip '%s': the 'curves' among its extras are left out: they are not an object",
                    clip->name);
  cJSON_ArrayForEach(list, curves) {
    if (!read_curve(g, list, clip)) return false;
  }
  return note_late(g, clip);
}
