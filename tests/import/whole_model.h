/* whole_model – a small model with one of everything that a model may have, built from raw parts. */
#ifndef SINEW_TESTS_WHOLE_MODEL_H
#define SINEW_TESTS_WHOLE_MODEL_H

#include "import/build/build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WHOLE_NODES = 5, WHOLE_VERTICES = 6, WHOLE_KEYS = 4 };

static inline float *whole_floats(raw_model *raw, int count, float first, float step) {
  float *values = raw_alloc(raw, (size_t)count, sizeof *values);
  for (int i = 0; values && i < count; i++) values[i] = first + step * (float)i;
  return values;
}

static inline bool whole_nodes(raw_model *raw) {
  static const char *const names[WHOLE_NODES] = {"hips", "spine", "arm.L", "arm.R", "hand"};
  static const int parents[WHOLE_NODES] = {-1, 0, 1, 1, 2};
  for (int i = 0; i < WHOLE_NODES; i++) {
    raw_node *node = raw_grow(raw, (void **)&raw->nodes, &raw->node_count, &raw->node_capacity, sizeof *node);
    if (!node) return false;
    *node = (raw_node){.name = names[i], .parent = parents[i], .local = sinew_mat3x4_identity()};
    node->local.m[3] = 0.25f * (float)i;
  }
  return true;
}

static inline bool whole_track(raw_model *raw, raw_clip *clip, track_kind kind, int node, int target, int keys) {
  raw_track *track = raw_grow(raw, (void **)&clip->tracks, &clip->track_count, &clip->track_capacity, sizeof *track);
  int width = clip_kind_width(kind);
  if (!track) return false;
  *track = (raw_track){.kind = kind,
                       .node = node,
                       .target = target,
                       .interpolation = node == 3 ? RAW_STEP : RAW_LINEAR,
                       .key_count = keys,
                       .times = raw_alloc(raw, (size_t)keys, sizeof(double)),
                       .values = whole_floats(raw, keys * width, 0.5f, 0.125f)};
  if (!track->times || !track->values) return false;
  for (int k = 0; k < keys; k++) {
    track->times[k] = 0.25 * k * k + 0.25 * k;
    if (kind != TRACK_ROTATION) continue;
    float angle = 0.2f * (float)(k + node);
    memcpy(track->values + 4 * k, (float[]){0, sinf(angle), 0, cosf(angle)}, 4 * sizeof(float));
  }
  return true;
}

static inline bool whole_clips(raw_model *raw) {
  raw_clip *clip = raw_grow(raw, (void **)&raw->clips, &raw->clip_count, &raw->clip_capacity, sizeof *clip);
  if (!clip) return false;
  clip->name = "Move";
  return whole_track(raw, clip, TRACK_ROTATION, 0, 0, WHOLE_KEYS) &&
         whole_track(raw, clip, TRACK_ROTATION, 2, 0, WHOLE_KEYS) &&
         whole_track(raw, clip, TRACK_TRANSLATION, 0, 0, WHOLE_KEYS) &&
         whole_track(raw, clip, TRACK_TRANSLATION, 3, 0, WHOLE_KEYS) &&
         whole_track(raw, clip, TRACK_SCALE, 1, 0, WHOLE_KEYS) && whole_track(raw, clip, TRACK_SCALE, 4, 0, 1) &&
         whole_track(raw, clip, TRACK_MORPH, 0, 0, WHOLE_KEYS) && whole_track(raw, clip, TRACK_MORPH, 0, 1, 1);
}

static inline bool whole_mesh(raw_model *raw, bool bound) {
  raw_mesh *mesh = raw_grow(raw, (void **)&raw->meshes, &raw->mesh_count, &raw->mesh_capacity, sizeof *mesh);
  if (!mesh) return false;
  *mesh = (raw_mesh){.name = bound ? "body" : "box",
                     .node = bound ? 0 : 4,
                     .material = bound ? 0 : -1,
                     .vertex_count = WHOLE_VERTICES,
                     .index_count = 6,
                     .positions = whole_floats(raw, WHOLE_VERTICES * 3, -1, 0.125f),
                     .normals = whole_floats(raw, WHOLE_VERTICES * 3, 0, 0)};
  mesh->indices = raw_copy(raw, (uint32_t[]){0, 1, 2, 3, 4, 5}, 6, sizeof(uint32_t));
  if (!mesh->positions || !mesh->normals || !mesh->indices) return false;
  for (int v = 0; v < WHOLE_VERTICES; v++) mesh->normals[3 * v + 1] = 1;
  if (!bound) return true;
  mesh->tangents = whole_floats(raw, WHOLE_VERTICES * 4, 1, 0);
  mesh->uvs = whole_floats(raw, WHOLE_VERTICES * 2, 0, 0.0625f);
  mesh->colors = raw_alloc(raw, WHOLE_VERTICES, 4);
  mesh->bones = raw_alloc(raw, 2, sizeof *mesh->bones);
  mesh->morphs = raw_alloc(raw, 2, sizeof *mesh->morphs);
  if (!mesh->tangents || !mesh->uvs || !mesh->colors || !mesh->bones || !mesh->morphs) return false;
  mesh->bone_count = mesh->morph_count = 2;
  for (int b = 0; b < 2; b++) {
    raw_weight *weights = raw_alloc(raw, WHOLE_VERTICES, sizeof *weights);
    for (int v = 0; weights && v < WHOLE_VERTICES; v++)
      weights[v] = (raw_weight){(uint32_t)v, b ? 0.125f * (float)(v + 1) : 1 - 0.125f * (float)(v + 1)};
    mesh->bones[b] = (raw_bone){b + 1, sinew_mat3x4_identity(), weights, weights ? WHOLE_VERTICES : 0};
    mesh->morphs[b] = (raw_morph){.name = b ? "Blink" : "Smile",
                                  .weight = 0.5f * (float)b,
                                  .positions = whole_floats(raw, WHOLE_VERTICES * 3, 0, 0.03125f),
                                  .normals = b ? whole_floats(raw, WHOLE_VERTICES * 3, 0, 0) : NULL};
    if (!weights || !mesh->morphs[b].positions) return false;
  }
  return true;
}

static inline bool whole_looks(raw_model *raw) {
  raw->materials = raw_alloc(raw, 1, sizeof *raw->materials);
  raw->images = raw_alloc(raw, 1, sizeof *raw->images);
  uint8_t *pixels = raw_alloc(raw, 3 * 2, 4);
  if (!raw->materials || !raw->images || !pixels) return false;
  for (int i = 0; i < 3 * 2 * 4; i++) pixels[i] = (uint8_t)(10 * i);
  raw->materials[0] = sinew_material_default();
  raw->materials[0].name = "skin";
  memcpy(raw->materials[0].base_color, (float[3]){0.5f, 0.25f, 0.125f}, 3 * sizeof(float));
  raw->materials[0].roughness = 0.75f;
  raw->materials[0].alpha_mode = SINEW_ALPHA_MASK;
  raw->materials[0].double_sided = true;
  raw->materials[0].textures[SINEW_TEXTURE_BASE_COLOR].image = 0;
  raw->images[0] = (sinew_image_view){.name = "skin.png",
                                      .width = 3,
                                      .height = 2,
                                      .rgba = pixels,
                                      .wrap_u = SINEW_WRAP_CLAMP,
                                      .wrap_v = SINEW_WRAP_MIRROR};
  raw->material_count = raw->image_count = raw->image_capacity = 1;
  return raw_note(raw, "made by hand") && raw_note(raw, "%s", "");
}

/* NULL and an error message when memory runs out. */
static inline sinew_model *whole_model(sinew_error *error) {
  raw_model raw;
  model_desc desc = {.path = "whole.glb"};
  sinew_model *model = NULL;
  raw_init(&raw, "whole.glb", error);
  if (whole_nodes(&raw) && whole_clips(&raw) && whole_mesh(&raw, true) && whole_mesh(&raw, false) &&
      whole_looks(&raw) && raw_check(&raw) && build_skeleton(&raw, true, &desc) && build_clips(&raw, false, 0, &desc) &&
      build_meshes(&raw, 4, &desc)) {
    desc.materials = raw.materials;
    desc.material_count = raw.material_count;
    desc.images = raw.images;
    desc.image_count = raw.image_count;
    desc.notes = raw.notes;
    desc.note_count = raw.note_count;
    model = model_create(&desc, error);
  }
  raw_release(&raw);
  return model;
}

#endif
