#include "actor/stage.h"
#include "base/error.h"
#include "base/memory/block.h"
#include "base/memory/memory.h"

#include <math.h>
#include <string.h>

/* ---- creation ---- */

static int count_morphs(const sinew_model *model, int mesh_end) {
  int count = 0;
  for (int m = 0; m < mesh_end; m++) count += model->meshes[m].morph_count;
  return count;
}

static void free_actor(actor *a) {
  actor_free_inputs(a);
  for (int i = 0; i < a->layer_count; i++) layer_free(a->layers + i);
  sinew_model_release(a->model);
  mem_free(a->name);
  mem_free(a->layers);
  block_release(a->results);
  mem_free(a);
}

static void lay_results(block *b, void *user) {
  actor *a = user;
  const sinew_model *model = a->model;
  size_t groups = (size_t)sinew_pose_group_count(model->joint_count),
         morphs = (size_t)count_morphs(model, model->mesh_count);
  a->pose = (sinew_pose){block_take(b, groups, sizeof *a->pose.groups), model->joint_count};
  a->before = (sinew_pose){block_take(b, groups, sizeof *a->before.groups), model->joint_count};
  a->joints = block_take(b, (size_t)model->joint_count, sizeof *a->joints);
  a->morphs = block_take(b, morphs, sizeof *a->morphs);
  a->morph_sum = block_take(b, morphs, sizeof *a->morph_sum);
  a->morph_sample = block_take(b, morphs, sizeof *a->morph_sample);
  a->manual = block_take(b, morphs, sizeof *a->manual);
}

static bool allocate_base_layer(actor *a) {
  if (!array_fit((void **)&a->layers, &a->layer_capacity, 1, sizeof *a->layers)) return false;
  a->layers[0] = (layer){.name = mem_copy_string("base"), .asked = {.weight = 1}, .threshold = rest_threshold(1)};
  a->layer_count = 1;
  return a->layers[0].name;
}

static actor *allocate_actor(const char *name, sinew_model *model) {
  actor *a = mem_alloc_zeroed(sizeof *a);
  if (!a) return NULL;
  a->model = sinew_model_retain(model);
  a->transform = sinew_transform_identity();
  root_reset(&a->root, 0);
  a->visible = true;
  a->opacity = 1;
  a->name = mem_copy_string(name);
  a->results = block_create(lay_results, a, a->model->path, NULL);
  if (a->name && a->results && allocate_base_layer(a)) return a;
  free_actor(a);
  return NULL;
}

static bool enlist(sinew_stage *stage, actor *a) {
  if (!stage_reserve(stage, sinew_pose_group_count(a->model->joint_count), NULL)) return false;
  if (!array_reserve((void **)&stage->actors, &stage->actor_capacity, stage->actor_count + 1, sizeof *stage->actors))
    return false;
  if (!stage_reserve_waves(stage, stage->actor_count + 1)) return false;
  if (!palettes_add(&stage->palettes, &a->palette, a->model->palette_count)) return false;
  actor **slot = pool_add(&stage->actor_slots, &a->id);
  if (!slot) {
    palettes_remove(&stage->palettes, &a->palette);
    return false;
  }
  *slot = a;
  stage->actors[stage->actor_count++] = a;
  stage->waves_stale = true;
  return true;
}

sinew_actor sinew_actor_create(sinew_stage *stage, const char *name, sinew_model *model, sinew_error *error) {
  if (stage_closed(stage)) {
    error_set(error, "the actor '%s' cannot be created: %s", name ? name : "", stage_closed(stage));
    return (sinew_actor){0};
  }
  actor *a = allocate_actor(name ? name : "", model);
  if (!a || !enlist(stage, a)) {
    if (a) free_actor(a);
    error_set(error, "out of memory for the actor '%s'", name ? name : "");
    return (sinew_actor){0};
  }
  actor_evaluate(stage, stage->scratches, a);
  actor_finish(stage, a);
  return (sinew_actor){a->id};
}

void sinew_actor_destroy(sinew_stage *stage, sinew_actor id) {
  actor *a = stage_find(stage, id);
  if (!a || stage_waits(stage, &a->goes)) return;
  for (int l = 0; l < a->layer_count; l++)
    for (int i = 0; i < a->layers[l].action_count; i++) pool_remove(&stage->action_slots, a->layers[l].actions[i]);
  int position = 0;
  while (stage->actors[position] != a) position++;
  memmove(stage->actors + position, stage->actors + position + 1,
          (size_t)(stage->actor_count - position - 1) * sizeof *stage->actors);
  stage->actor_count--;
  stage->waves_stale = true;
  gait_leave(&stage->gaits, a->gait);
  palettes_remove(&stage->palettes, &a->palette);
  pool_remove(&stage->actor_slots, id.id);
  free_actor(a);
}

/* ---- questions and settings ---- */

bool sinew_actor_is_valid(const sinew_stage *stage, sinew_actor id) { return stage_find(stage, id) != NULL; }

const char *sinew_actor_name(const sinew_stage *stage, sinew_actor id) {
  const actor *a = stage_find(stage, id);
  return a ? a->name : NULL;
}

bool sinew_actor_set_name(sinew_stage *stage, sinew_actor id, const char *name) {
  actor *a = stage_open(stage, id);
  char *copy = a ? mem_copy_string(name) : NULL;
  if (!copy) return false;
  mem_free(a->name);
  a->name = copy;
  return true;
}

sinew_model *sinew_actor_model(const sinew_stage *stage, sinew_actor id) {
  const actor *a = stage_find(stage, id);
  return a ? a->model : NULL;
}

sinew_transform sinew_actor_transform(const sinew_stage *stage, sinew_actor id) {
  const actor *a = stage_find(stage, id);
  return a ? a->transform : sinew_transform_identity();
}

bool sinew_actor_set_transform(sinew_stage *stage, sinew_actor id, const sinew_transform *t) {
  actor *a = stage_open(stage, id);
  if (!a || !transform_is_finite(t)) return false;
  a->transform = *t;
  a->transform.rotation = sinew_quat_normalize(t->rotation);
  return true;
}

bool sinew_actor_skips_hidden(const sinew_stage *stage, sinew_actor id) {
  const actor *a = stage_find(stage, id);
  return a && a->skips_hidden;
}

void sinew_actor_set_skip_hidden(sinew_stage *stage, sinew_actor id, bool skip) {
  actor *a = stage_open(stage, id);
  if (a) a->skips_hidden = skip;
}

void *sinew_actor_user(const sinew_stage *stage, sinew_actor id) {
  const actor *a = stage_find(stage, id);
  return a ? a->user : NULL;
}

void sinew_actor_set_user(sinew_stage *stage, sinew_actor id, void *user) {
  actor *a = stage_find(stage, id);
  if (a) a->user = user;
}

bool sinew_actor_is_visible(const sinew_stage *stage, sinew_actor id) {
  const actor *a = stage_find(stage, id);
  return a && a->visible;
}

void sinew_actor_set_visible(sinew_stage *stage, sinew_actor id, bool visible) {
  actor *a = stage_open(stage, id);
  if (a) a->visible = visible;
}

sinew_skinning sinew_actor_skinning(const sinew_stage *stage, sinew_actor id) {
  const actor *a = stage_find(stage, id);
  return a ? a->skinning : SINEW_SKINNING_LINEAR;
}

void sinew_actor_set_skinning(sinew_stage *stage, sinew_actor id, sinew_skinning skinning) {
  actor *a = stage_open(stage, id);
  if (a) a->skinning = skinning;
}

float sinew_actor_opacity(const sinew_stage *stage, sinew_actor id) {
  const actor *a = stage_find(stage, id);
  return a ? a->opacity : 0;
}

void sinew_actor_set_opacity(sinew_stage *stage, sinew_actor id, float opacity) {
  actor *a = stage_open(stage, id);
  if (a && !isnan(opacity)) a->opacity = fminf(fmaxf(opacity, 0), 1);
}

void sinew_actor_set_bind_pose(sinew_stage *stage, sinew_actor id, bool bind_pose) {
  actor *a = stage_open(stage, id);
  if (a) a->bind_pose = bind_pose;
}

void sinew_stage_set_bind_pose(sinew_stage *stage, bool bind_pose) {
  if (!stage_closed(stage)) stage->bind_pose = bind_pose;
}

void sinew_actor_set_paused(sinew_stage *stage, sinew_actor id, bool paused) {
  actor *a = stage_open(stage, id);
  if (a) a->paused = paused;
}

/* ---- results ---- */

sinew_pose sinew_actor_pose(const sinew_stage *stage, sinew_actor id) {
  actor *a = stage_find(stage, id);
  if (a) actor_make_poses(stage, a);
  return a ? a->pose : (sinew_pose){NULL, 0};
}

const sinew_mat3x4 *sinew_actor_joints(const sinew_stage *stage, sinew_actor id) {
  actor *a = stage_find(stage, id);
  return a ? actor_joints(a) : NULL;
}

const sinew_mat3x4 *sinew_actor_palette(const sinew_stage *stage, sinew_actor id) {
  const actor *a = stage_find(stage, id);
  return a && a->palette.count ? stage->palettes.matrices + a->palette.offset : NULL;
}

int sinew_actor_palette_offset(const sinew_stage *stage, sinew_actor id) {
  const actor *a = stage_find(stage, id);
  return a && a->palette.count ? a->palette.offset : -1;
}

/* ---- morphs ---- */

const float *sinew_actor_morphs(const sinew_stage *stage, sinew_actor id, int mesh) {
  const actor *a = stage_find(stage, id);
  if (!a || mesh < 0 || mesh >= a->model->mesh_count || a->model->meshes[mesh].morph_count == 0) return NULL;
  return a->morphs + count_morphs(a->model, mesh);
}

bool sinew_actor_set_morph(sinew_stage *stage, sinew_actor id, const char *name, float weight) {
  actor *a = stage_open(stage, id);
  int morph = a && isfinite(weight) ? sinew_model_find_morph(a->model, name) : -1;
  if (morph >= 0) a->manual[morph] = weight;
  return morph >= 0;
}

float sinew_actor_morph(const sinew_stage *stage, sinew_actor id, const char *name) {
  const actor *a = stage_find(stage, id);
  int morph = a ? sinew_model_find_morph(a->model, name) : -1;
  return morph >= 0 ? a->manual[morph] : 0;
}
