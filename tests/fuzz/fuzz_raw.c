/* raw → raw_check → build → model → cooked → model, from random numbers where an importer would have a file. What
 * passes the checks must build; what is built must be a model that cooks and reads back, and whose clips sample to
 * numbers. */
#include "fuzz/feed.h"

#include "import/build/build.h"
#include "import/cook/cook.h"
#include "import/raw/raw.h"
#include "import/raw/raw_nodes.h"
#include "import/raw/weld.h"

#include "base/memory/memory.h"

#include <math.h>

static raw_model *model; /* being filled */

static float *feed_floats(feed *f, int count) {
  float *values = raw_alloc(model, (size_t)count, sizeof *values);
  for (int i = 0; i < count; i++) values[i] = feed_float(f);
  return values;
}

static void feed_node(feed *f, int index) {
  raw_node *node = raw_grow(model, (void **)&model->nodes, &model->node_count, &model->node_capacity, sizeof *node);
  static const char *const names[] = {"", "a", "b", "rig:a"};
  *node = (raw_node){.name = names[feed_below(f, 4)],
                     .parent = feed_index(f, index),
                     .local = sinew_mat3x4_identity(),
                     .file_number = index};
  int changes = feed_below(f, 13);
  for (int i = 0; i < changes; i++) node->local.m[feed_below(f, 12)] = feed_float(f);
}

static void feed_track(feed *f, raw_clip *clip) {
  raw_track *track =
      raw_grow(model, (void **)&clip->tracks, &clip->track_count, &clip->track_capacity, sizeof *clip->tracks);
  track->kind = (track_kind)feed_below(f, 4);
  track->node = feed_index(f, track->kind == TRACK_MORPH ? model->mesh_count : model->node_count);
  track->target = feed_index(f, 3);
  track->interpolation = (raw_interpolation)feed_below(f, 3);
  track->key_count = feed_below(f, track->interpolation == RAW_CUBIC ? 4 : 12); /* cubic ones take long to build */
  track->times = raw_alloc(model, (size_t)track->key_count, sizeof *track->times);
  double time = (double)feed_float(f);
  for (int i = 0; i < track->key_count; i++)
    track->times[i] = feed_below(f, 8) ? (time += 0.1 * feed_below(f, 9)) : (double)feed_float(f);
  track->values =
      feed_floats(f, track->key_count * clip_kind_width(track->kind) * (track->interpolation == RAW_CUBIC ? 3 : 1));
}

static void feed_clip(feed *f) {
  raw_clip *clip = raw_grow(model, (void **)&model->clips, &model->clip_count, &model->clip_capacity, sizeof *clip);
  clip->name = feed_below(f, 2) ? "Walk" : "";
  int tracks = feed_below(f, 10);
  for (int i = 0; i < tracks; i++) feed_track(f, clip);
}

static void feed_bones(feed *f, raw_mesh *mesh) {
  mesh->bone_count = feed_below(f, 12);
  mesh->bones = raw_alloc(model, (size_t)mesh->bone_count, sizeof *mesh->bones);
  for (int b = 0; b < mesh->bone_count; b++) {
    raw_bone *bone = mesh->bones + b;
    *bone = (raw_bone){.node = feed_index(f, model->node_count), .inverse_bind = sinew_mat3x4_identity()};
    if (feed_below(f, 4) == 0) bone->inverse_bind.m[feed_below(f, 12)] = feed_float(f);
    bone->weight_count = feed_below(f, 12);
    bone->weights = raw_alloc(model, (size_t)bone->weight_count, sizeof *bone->weights);
    for (int i = 0; i < bone->weight_count; i++)
      bone->weights[i] = (raw_weight){(uint32_t)feed_index(f, mesh->vertex_count), feed_float(f)};
  }
}

static void feed_morphs(feed *f, raw_mesh *mesh) {
  mesh->morph_count = feed_below(f, 4);
  mesh->morphs = raw_alloc(model, (size_t)mesh->morph_count, sizeof *mesh->morphs);
  for (int i = 0; i < mesh->morph_count; i++)
    mesh->morphs[i] = (raw_morph){.name = "Smile",
                                  .weight = feed_float(f),
                                  .positions = feed_floats(f, mesh->vertex_count * 3),
                                  .normals = feed_below(f, 2) ? feed_floats(f, mesh->vertex_count * 3) : NULL};
}

static void feed_mesh(feed *f) {
  raw_mesh *mesh =
      raw_grow(model, (void **)&model->meshes, &model->mesh_count, &model->mesh_capacity, sizeof *model->meshes);
  int vertices = feed_below(f, 10), has = feed_below(f, 8);
  *mesh = (raw_mesh){.name = "body",
                     .node = feed_index(f, model->node_count),
                     .material = feed_index(f, model->material_count),
                     .vertex_count = vertices,
                     .index_count = feed_below(f, 20),
                     .positions = feed_floats(f, vertices * 3),
                     .normals = feed_floats(f, vertices * 3),
                     .tangents = has & 1 ? feed_floats(f, vertices * 4) : NULL,
                     .uvs = has & 2 ? feed_floats(f, vertices * 2) : NULL,
                     .colors = has & 4 ? raw_alloc(model, (size_t)vertices, 4) : NULL};
  mesh->indices = raw_alloc(model, (size_t)mesh->index_count, sizeof *mesh->indices);
  for (int i = 0; i < mesh->index_count; i++) mesh->indices[i] = (uint32_t)feed_index(f, vertices);
  feed_bones(f, mesh);
  feed_morphs(f, mesh);
}

static void feed_materials(feed *f) {
  model->material_count = feed_below(f, 3);
  model->materials = raw_alloc(model, (size_t)model->material_count, sizeof *model->materials);
  sinew_image_view *image =
      raw_grow(model, (void **)&model->images, &model->image_count, &model->image_capacity, sizeof *model->images);
  *image = (sinew_image_view){.name = "skin.png", .width = 1, .height = 1, .rgba = raw_alloc(model, 1, 4)};
  for (int i = 0; i < model->material_count; i++) {
    sinew_material *m = model->materials + i;
    *m = sinew_material_default();
    m->base_color[0] = feed_float(f), m->base_color[3] = feed_float(f);
    m->metallic = feed_float(f), m->emissive[0] = feed_float(f), m->clearcoat = feed_float(f);
    m->textures[feed_below(f, SINEW_TEXTURE_ROLES)] =
        (sinew_texture){feed_below(f, 2) - 1, feed_below(f, 3), {feed_float(f), 1, 0, 0, 1, 0}};
    m->textures[SINEW_TEXTURE_NORMAL].image = feed_below(f, 2) - 1;
  }
}

static void feed_model(feed *f) {
  model->format = (raw_format)feed_below(f, 5);
  model->numbered = model->format == RAW_GLTF;
  int nodes = feed_below(f, 12), meshes = feed_below(f, 3), clips = feed_below(f, 3);
  for (int i = 0; i < nodes; i++) feed_node(f, i);
  feed_materials(f);
  for (int i = 0; i < meshes; i++) feed_mesh(f);
  for (int i = 0; i < clips; i++) feed_clip(f);
  if (feed_below(f, 4) == 0) model->conversion.m[feed_below(f, 12)] = feed_float(f);
}

static void sample_all(const sinew_model *built) {
  int joints = sinew_model_joint_count(built);
  sinew_pose pose = {mem_alloc_array((size_t)sinew_pose_group_count(joints), sizeof *pose.groups), joints};
  for (int c = 0; c < sinew_model_clip_count(built); c++)
    for (int i = -1; i <= 5; i++) {
      const sinew_clip *clip = sinew_model_clip(built, c);
      sinew_sample_job job = {
          .model = built, .clip = clip, .time = 0.25 * i * sinew_clip_duration(clip), .output = pose};
      if (sinew_sample_check(&job)) abort();
      sinew_sample(&job);
      const float *values = (const float *)pose.groups;
      for (size_t k = 0; k < (size_t)sinew_pose_group_count(joints) * sizeof *pose.groups / sizeof *values; k++)
        if (!isfinite(values[k])) abort();
    }
  mem_free(pose.groups);
}

static bool build(raw_model *raw, bool exact, int max_influences, model_desc *desc) {
  if (!raw_check(raw) || !split_shear(raw)) return false;
  for (int i = 0; i < raw->mesh_count; i++)
    if (!weld_mesh(raw, raw->meshes + i)) return false;
  *desc = (model_desc){.path = raw->path,
                       .materials = raw->materials,
                       .material_count = raw->material_count,
                       .images = raw->images,
                       .image_count = raw->image_count};
  if (!build_skeleton(raw, false, desc) || !build_clips(raw, exact, 0, desc) ||
      !build_meshes(raw, max_influences, desc))
    return false;
  desc->notes = raw->notes;
  desc->note_count = raw->note_count;
  return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  feed f = {data, size};
  raw_model raw;
  sinew_error error = {""};
  model_desc desc;
  feed_allocator();
  raw_init(&raw, "fuzz.glb", &error);
  model = &raw;
  int influences = feed_below(&f, 2) ? 4 : 8;
  bool exact = feed_below(&f, 4) == 0;
  feed_model(&f);
  sinew_model *built = build(&raw, exact, influences, &desc) ? model_create(&desc, &error) : NULL;
  raw_release(&raw);
  if (!built) {
    if (!error.message[0]) abort();
    return 0;
  }
  feed_check_cooked(built);
  sample_all(built);
  sinew_model_release(built);
  return 0;
}
