#include "model/model.h"

#include "base/memory/block.h"
#include "base/memory/memory.h"
#include "model/names/model_names.h"
#include "model/pose_group.h"

#include <string.h>

const char *sinew_model_path(const sinew_model *model) { return model->path; }

sinew_model *sinew_model_placeholder(const char *path, sinew_error *error) {
  return model_create(&(model_desc){.path = path, .root = sinew_transform_identity()}, error);
}

sinew_model *sinew_model_retain(sinew_model *model) {
  atomic_fetch_add_explicit(&model->references, 1, memory_order_relaxed);
  return model;
}

void sinew_model_release(sinew_model *model) {
  if (!model || atomic_fetch_sub_explicit(&model->references, 1, memory_order_acq_rel) != 1) return;
  block_release(model->sources);
  block_release(model->names);
  block_release(model->still);
  file_map_close(&model->pixels);
  block_release(model);
}

int sinew_model_note_count(const sinew_model *model) { return model->note_count; }

const char *sinew_model_note(const sinew_model *model, int index) {
  return index >= 0 && index < model->note_count ? model->notes[index] : NULL;
}

/* ---- skeleton ---- */

static bool has_joint(const sinew_model *model, int joint) { return joint >= 0 && joint < model->joint_count; }

int sinew_model_joint_count(const sinew_model *model) { return model->joint_count; }

const char *sinew_model_joint_name(const sinew_model *model, int joint) {
  return has_joint(model, joint) ? model->joint_names[joint] : NULL;
}

int sinew_model_joint_parent(const sinew_model *model, int joint) {
  return has_joint(model, joint) ? model->parents[joint] : -1;
}

int sinew_model_joint_file_index(const sinew_model *model, int joint) {
  return has_joint(model, joint) ? model->file_indices[joint] : -1;
}

sinew_transform sinew_model_joint_rest(const sinew_model *model, int joint) {
  if (!has_joint(model, joint)) return sinew_transform_identity();
  sinew_pose rest = model_rest_pose(model);
  return sinew_pose_joint(&rest, joint);
}

skeleton_view model_names_of_joints(const sinew_model *model) {
  return (skeleton_view){model->joint_count, model->joint_names, model->parents, NULL, model->ranks, model->parts};
}

static joint_paths paths_of(const sinew_model *model) {
  return (joint_paths){model_names_of_joints(model), model->names->joints, model->names->joint_count};
}

int sinew_model_find_joint(const sinew_model *model, const char *name) {
  joint_paths paths = paths_of(model);
  return joint_path_find(&paths, name);
}

bool sinew_model_joint_path(const sinew_model *model, int joint, char *path, size_t size) {
  joint_paths paths = paths_of(model);
  if (size > 0) path[0] = '\0';
  return size > 0 && has_joint(model, joint) && joint_path_write(&paths, joint, path, size);
}

int sinew_model_counterpart(const sinew_model *from, int joint, const sinew_model *to) {
  char path[SINEW_JOINT_PATH];
  if (from == to) return has_joint(from, joint) ? joint : -1;
  sinew_model_joint_path(from, joint, path, sizeof path);
  int found = sinew_model_find_joint(to, path);
  return found < 0 ? sinew_model_find_joint(to, sinew_model_joint_name(from, joint)) : found;
}

/* ---- clips from other files ---- */

int sinew_model_clip_file_count(const sinew_model *model) { return model->clip_file_count; }

sinew_clip_file_view sinew_model_clip_file(const sinew_model *model, int index) {
  return index >= 0 && index < model->clip_file_count ? model->clip_files[index]
                                                      : (sinew_clip_file_view){.path = "", .scale = 1};
}

/* ---- clips ---- */

int sinew_model_clip_count(const sinew_model *model) { return model->clip_count; }

const sinew_clip *sinew_model_clip(const sinew_model *model, int index) {
  return index >= 0 && index < model->clip_count ? model->clips + index : NULL;
}

/* ---- meshes ---- */

int sinew_model_mesh_count(const sinew_model *model) { return model->mesh_count; }

sinew_mesh_view sinew_model_mesh(const sinew_model *model, int index) {
  return index >= 0 && index < model->mesh_count ? model->meshes[index] : (sinew_mesh_view){.skin = -1, .material = -1};
}

int sinew_model_skin_count(const sinew_model *model) { return model->skin_count; }

sinew_skin_view sinew_model_skin(const sinew_model *model, int index) {
  return index >= 0 && index < model->skin_count ? model->skins[index] : (sinew_skin_view){0};
}

int sinew_model_palette_count(const sinew_model *model) { return model->palette_count; }

void sinew_model_bounds(const sinew_model *model, sinew_vec3 *minimum, sinew_vec3 *maximum) {
  *minimum = model->bounds_min;
  *maximum = model->bounds_max;
}

/* ---- materials and images ---- */

int sinew_model_material_count(const sinew_model *model) { return model->material_count; }

sinew_material sinew_material_default(void) {
  sinew_material m = {.name = "",
                      .base_color = {1, 1, 1, 1},
                      .roughness = 0.8f,
                      .alpha_cutoff = 0.5f,
                      .normal_scale = 1,
                      .clearcoat_normal_scale = 1};
  for (int i = 0; i < SINEW_TEXTURE_ROLES; i++) m.textures[i].image = -1;
  return m;
}

sinew_material sinew_model_material(const sinew_model *model, int index) {
  if (index >= 0 && index < model->material_count) return model->materials[index];
  sinew_material grey = sinew_material_default();
  for (int i = 0; i < 3; i++) grey.base_color[i] = 0.8f;
  return grey;
}

int sinew_model_image_count(const sinew_model *model) { return model->image_count; }

sinew_image_view sinew_model_image(const sinew_model *model, int index) {
  return index >= 0 && index < model->image_count ? model->images[index] : (sinew_image_view){0};
}

/* ---- model sources ---- */

typedef struct layout {
  const char *const *paths;
  int count;
} layout;

static void lay_out(block *b, void *user) {
  const layout *l = user;
  model_sources *sources = block_take(b, 1, sizeof *sources);
  const char **paths = block_take(b, (size_t)l->count, sizeof *paths);
  for (int i = 0; i < l->count; i++) {
    const char *path = block_string(b, l->paths[i]);
    if (paths) paths[i] = path;
  }
  if (sources) *sources = (model_sources){l->count, paths};
}

void model_set_sources(sinew_model *model, const char *const *paths, int count) {
  layout l = {paths, count};
  model->sources = block_create(lay_out, &l, "a list of files", NULL);
}

int sinew_model_source_count(const sinew_model *model) { return model->sources ? model->sources->count : 0; }

const char *sinew_model_source(const sinew_model *model, int index) {
  return index >= 0 && index < sinew_model_source_count(model) ? model->sources->paths[index] : NULL;
}
