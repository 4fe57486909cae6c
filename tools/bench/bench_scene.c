#include "bench/bench_cases.h"

#include "base/error.h"
#include "base/memory/memory.h"
#include "model/pose_group.h"

#include <string.h>

static int largest_mesh(const sinew_model *model) {
  int largest = -1, most = 0;
  for (int i = 0; i < sinew_model_mesh_count(model); i++) {
    int count = sinew_model_mesh(model, i).vertex_count;
    if (count > most) {
      most = count;
      largest = i;
    }
  }
  return largest;
}

static bool make_pose(sinew_pose *pose, int joint_count) {
  pose->joint_count = joint_count;
  pose->groups = mem_alloc_array((size_t)sinew_pose_group_count(joint_count), sizeof *pose->groups);
  return pose->groups;
}

static bool allocate(bench_scene *scene) {
  size_t joints = (size_t)sinew_model_joint_count(scene->model);
  size_t palette = (size_t)sinew_model_palette_count(scene->model);
  bool good = make_pose(&scene->output, (int)joints);
  for (int i = 0; i < 3; i++) good = make_pose(&scene->sampled[i], (int)joints) && good;
  for (int i = 0; i < BENCH_POSES; i++) {
    scene->joints[i] = mem_alloc_array(joints, sizeof(sinew_mat3x4));
    good = make_pose(&scene->poses[i], (int)joints) && scene->joints[i] && good;
  }
  for (int i = 0; i < BENCH_POSES; i++) {
    scene->palettes[i] = mem_alloc_array(palette + 1, sizeof(sinew_mat3x4));
    scene->dual_quats[i] = mem_alloc_array(palette + 1, sizeof(sinew_dual_quat));
    good = scene->palettes[i] && scene->dual_quats[i] && good;
  }
  scene->matrices = mem_alloc_array(joints, sizeof(sinew_mat3x4));
  scene->palette = mem_alloc_array(palette + 1, sizeof(sinew_mat3x4));
  scene->extents = mem_alloc_array(palette + 1, sizeof(sinew_joint_extent));
  scene->inertia = mem_alloc_array((size_t)sinew_pose_group_count((int)joints), sizeof(sinew_inertia_group));
  scene->mesh = largest_mesh(scene->model);
  size_t vertices = scene->mesh < 0 ? 1 : (size_t)sinew_model_mesh(scene->model, scene->mesh).vertex_count;
  scene->positions = mem_alloc_array(vertices, 3 * sizeof(float));
  scene->normals = mem_alloc_array(vertices, 3 * sizeof(float));
  return good && scene->matrices && scene->palette && scene->extents && scene->inertia && scene->positions &&
         scene->normals;
}

/* Samples moments of the clips, or without clips the rest pose. */
static void fill_poses(bench_scene *scene) {
  const sinew_model *model = scene->model;
  int clips = sinew_model_clip_count(model);
  sinew_pose rest = model_rest_pose(model);
  for (int i = 0; i < BENCH_POSES; i++) {
    const sinew_clip *clip = clips ? sinew_model_clip(model, i % clips) : NULL;
    if (clip)
      sinew_sample(&(sinew_sample_job){model, clip, bench_moment(i) * sinew_clip_duration(clip), scene->poses[i]});
    else
      memcpy(scene->poses[i].groups, rest.groups,
             (size_t)sinew_pose_group_count(rest.joint_count) * sizeof *rest.groups);
    sinew_local_to_model(&(sinew_local_to_model_job){model, scene->poses[i], scene->joints[i], 0});
    sinew_palette(&(sinew_palette_job){model, scene->joints[i], scene->palettes[i]});
    sinew_dual_quat_palette(&(sinew_dual_quat_palette_job){model, scene->palettes[i], scene->dual_quats[i]});
  }
  sinew_joint_extents(&(sinew_joint_extents_job){model, scene->extents});
  sinew_inertialize_begin(&(sinew_inertialize_begin_job){.from = scene->poses[0],
                                                         .from_before = scene->poses[1],
                                                         .to = scene->poses[2],
                                                         .to_after = scene->poses[3],
                                                         .dt = 1.0 / 60,
                                                         .output = scene->inertia});
}

/* Two clips at once, at different times. */
static bool add_actor(sinew_stage *stage, sinew_model *model, int number, sinew_error *error) {
  sinew_actor actor = sinew_actor_create(stage, "bench", model, error);
  if (!actor.id) return false;
  for (int i = 0; i < 2 && sinew_model_clip_count(model); i++) {
    sinew_play_def def = sinew_play_def_default();
    def.clip = (number + i) % sinew_model_clip_count(model);
    def.solo = false;
    def.fade = 0;
    def.weight = i ? 0.4f : 0.6f;
    def.time = bench_moment(number) * sinew_clip_duration(sinew_model_clip(model, def.clip));
    if (!sinew_actor_play(stage, actor, &def, error).id) return false;
  }
  return true;
}

static sinew_stage *make_stage(sinew_model *model, int actors, sinew_error *error) {
  sinew_stage *stage = sinew_stage_create(error);
  if (!stage) return NULL;
  sinew_stage_set_threads(stage, 1);
  for (int i = 0; i < actors; i++) {
    if (add_actor(stage, model, i, error)) continue;
    sinew_stage_destroy(stage);
    return NULL;
  }
  return stage;
}

bool bench_scene_init(bench_scene *scene, const char *path, sinew_error *error) {
  *scene = (bench_scene){.mesh = -1};
  scene->model = sinew_model_load(path, NULL, error);
  if (!scene->model) return false;
  if (!allocate(scene)) {
    bench_scene_reset(scene);
    return error_set(error, "out of memory for the measurements of %s", path);
  }
  fill_poses(scene);
  scene->one = make_stage(scene->model, 1, error);
  scene->many = scene->one ? make_stage(scene->model, BENCH_ACTORS, error) : NULL;
  if (scene->many) return true;
  bench_scene_reset(scene);
  return false;
}

void bench_scene_reset(bench_scene *scene) {
  sinew_stage_destroy(scene->one);
  sinew_stage_destroy(scene->many);
  for (int i = 0; i < BENCH_POSES; i++) {
    mem_free(scene->poses[i].groups);
    mem_free(scene->joints[i]);
    mem_free(scene->palettes[i]);
    mem_free(scene->dual_quats[i]);
  }
  mem_free(scene->output.groups);
  for (int i = 0; i < 3; i++) mem_free(scene->sampled[i].groups);
  mem_free(scene->matrices);
  mem_free(scene->palette);
  mem_free(scene->extents);
  mem_free(scene->inertia);
  mem_free(scene->positions);
  mem_free(scene->normals);
  sinew_model_release(scene->model);
  *scene = (bench_scene){.mesh = -1};
}
