#include "cli/bench_cases.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

/* Multiples of the golden ratio (Weyl). */
double bench_moment(int64_t turn) { return fmod((double)turn * 0.6180339887498949, 1.0); }

static const sinew_clip *clip_of(const bench_scene *scene, int64_t turn) {
  return sinew_model_clip(scene->model, (int)(turn % sinew_model_clip_count(scene->model)));
}

static void use_pose(bench_scene *scene) { scene->sum += (double)scene->output.groups[0].rotation[3][0]; }

/* ---- the cases */

static void sample(bench_scene *scene, const sinew_clip *clip, double time, sinew_pose output) {
  sinew_sample(&(sinew_sample_job){.model = scene->model, .clip = clip, .time = time, .output = output});
}

static double random_time(const sinew_clip *clip, int64_t turn) {
  return bench_moment(turn) * sinew_clip_duration(clip);
}

static void run_sample(bench_scene *scene, int64_t turn) {
  const sinew_clip *clip = clip_of(scene, turn);
  sample(scene, clip, random_time(clip, turn), scene->output);
  use_pose(scene);
}

/* At 60 Hz, each clip for a while. */
static double playing_time(const sinew_clip *clip, int64_t turn) {
  double duration = sinew_clip_duration(clip);
  return duration > 0 ? fmod((double)turn / 60, duration) : 0;
}

static void run_forward(bench_scene *scene, int64_t turn) {
  const sinew_clip *clip = clip_of(scene, turn / 256);
  sample(scene, clip, playing_time(clip, turn), scene->output);
  use_pose(scene);
}

static void run_backward(bench_scene *scene, int64_t turn) {
  const sinew_clip *clip = clip_of(scene, turn / 256);
  sample(scene, clip, sinew_clip_duration(clip) - playing_time(clip, turn), scene->output);
  use_pose(scene);
}

static void run_blend(bench_scene *scene, int64_t turn) {
  sinew_blend_source sources[3];
  float first = (float)bench_moment(turn);
  const float weights[3] = {first, 1 - first, 0.5f};
  for (int i = 0; i < 3; i++)
    sources[i] = (sinew_blend_source){.pose = scene->poses[(turn + 5 * i) % BENCH_POSES].groups, .weight = weights[i]};
  sinew_blend_job job = {.sources = sources,
                         .source_count = 3,
                         .rest = sinew_model_rest_pose(scene->model),
                         .threshold = 0.1f,
                         .output = scene->output};
  sinew_blend(&job);
  use_pose(scene);
}

static void run_local_to_model(bench_scene *scene, int64_t turn) {
  sinew_local_to_model_job job = {
      .model = scene->model, .pose = scene->poses[turn % BENCH_POSES], .output = scene->matrices};
  sinew_local_to_model(&job);
  scene->sum += (double)scene->matrices[0].m[0];
}

/* Clips to model-space matrices, one clip or three. */
static void run_jobs(bench_scene *scene, int64_t turn, int count) {
  sinew_blend_source sources[3];
  for (int i = 0; i < count; i++) {
    const sinew_clip *clip = clip_of(scene, turn + i);
    sample(scene, clip, random_time(clip, turn + 7 * i), scene->sampled[i]);
    sources[i] = (sinew_blend_source){.pose = scene->sampled[i].groups, .weight = 0.2f + (float)bench_moment(turn + i)};
  }
  sinew_pose pose = count > 1 ? scene->output : scene->sampled[0];
  if (count > 1)
    sinew_blend(&(sinew_blend_job){.sources = sources,
                                   .source_count = count,
                                   .rest = sinew_model_rest_pose(scene->model),
                                   .threshold = 0.1f,
                                   .output = pose});
  sinew_local_to_model(&(sinew_local_to_model_job){.model = scene->model, .pose = pose, .output = scene->matrices});
  scene->sum += (double)scene->matrices[0].m[0];
}

static void run_evaluate(bench_scene *scene, int64_t turn, int count) {
  sinew_evaluate_source sources[3];
  for (int i = 0; i < count; i++) {
    const sinew_clip *clip = clip_of(scene, turn + i);
    sources[i] = (sinew_evaluate_source){clip, random_time(clip, turn + 7 * i), 0.2f + (float)bench_moment(turn + i)};
  }
  sinew_evaluate(&(sinew_evaluate_job){
      .model = scene->model, .sources = sources, .source_count = count, .threshold = 0.1f, .joints = scene->matrices});
  scene->sum += (double)scene->matrices[0].m[0];
}

static void run_jobs_1(bench_scene *scene, int64_t turn) { run_jobs(scene, turn, 1); }
static void run_jobs_3(bench_scene *scene, int64_t turn) { run_jobs(scene, turn, 3); }
static void run_evaluate_1(bench_scene *scene, int64_t turn) { run_evaluate(scene, turn, 1); }
static void run_evaluate_3(bench_scene *scene, int64_t turn) { run_evaluate(scene, turn, 3); }

static void run_palette(bench_scene *scene, int64_t turn) {
  sinew_palette_job job = {
      .model = scene->model, .joints = scene->joints[turn % BENCH_POSES], .output = scene->palette};
  sinew_palette(&job);
  scene->sum += (double)scene->palette[0].m[0];
}

static void run_skin(bench_scene *scene, int64_t turn) {
  run_palette(scene, turn);
  sinew_cpu_skin_job job = {.model = scene->model,
                            .mesh = scene->mesh,
                            .palette = scene->palette,
                            .positions = scene->positions,
                            .normals = scene->normals};
  sinew_cpu_skin(&job);
  scene->sum += (double)scene->positions[0];
}

double bench_step(int64_t turn) { return 1.0 / 60 * (0.5 + bench_moment(turn)); }

static void update_stage(bench_scene *scene, sinew_stage *stage, int64_t turn) {
  sinew_stage_update(stage, bench_step(turn));
  scene->sum += (double)sinew_actor_joints(stage, sinew_stage_actor(stage, 0))->m[0];
}

static void run_actor(bench_scene *scene, int64_t turn) { update_stage(scene, scene->one, turn); }
static void run_actors(bench_scene *scene, int64_t turn) { update_stage(scene, scene->many, turn); }

/* The goals are those of a humanoid of 67 joints, divided by its joints. */
const bench_case bench_cases[] = {
    {"sample one clip, forward", run_forward, 1, BENCH_PER_JOINT, 60.0 / 67},
    {"sample one clip, backward", run_backward, 1, BENCH_PER_JOINT, 60.0 / 67},
    {"sample one clip, anywhere", run_sample, 1, BENCH_PER_JOINT, 60.0 / 67},
    {"blend 3 poses", run_blend, 1, BENCH_PER_JOINT, 90.0 / 67},
    {"local to model", run_local_to_model, 1, BENCH_PER_JOINT, 270.0 / 67},
    {"(a) 1 clip to model, by jobs", run_jobs_1, 1, BENCH_PER_JOINT, 300.0 / 67},
    {"(a) 1 clip to model, in one", run_evaluate_1, 1, BENCH_PER_JOINT, 250.0 / 67},
    {"(b) 3 clips to model, by jobs", run_jobs_3, 1, BENCH_PER_JOINT, 480.0 / 67},
    {"(b) 3 clips to model, in one", run_evaluate_3, 1, BENCH_PER_JOINT, 480.0 / 67},
    {"palette", run_palette, 1, BENCH_PER_JOINT, 2.5},
    {"one actor, two clips", run_actor, 1, BENCH_PER_JOINT, 20000.0 / 67},
    {"100 actors, two clips", run_actors, BENCH_ACTORS, BENCH_PER_JOINT, 20000.0 / 67},
    {"CPU skinning", run_skin, 1, BENCH_PER_VERTEX, 3.7},
};
const int bench_case_count = sizeof bench_cases / sizeof *bench_cases;

bool bench_case_applies(const bench_case *wanted, const bench_scene *scene) {
  if (wanted->per == BENCH_PER_VERTEX) return scene->mesh >= 0;
  if (wanted->run == run_palette) return sinew_model_palette_count(scene->model) > 0;
  return sinew_model_clip_count(scene->model) > 0 || wanted->run == run_local_to_model;
}

/* ---- the scene */

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
  scene->matrices = mem_alloc_array(joints, sizeof(sinew_mat3x4));
  scene->palette = mem_alloc_array(palette + 1, sizeof(sinew_mat3x4));
  scene->mesh = largest_mesh(scene->model);
  size_t vertices = scene->mesh < 0 ? 1 : (size_t)sinew_model_mesh(scene->model, scene->mesh).vertex_count;
  scene->positions = mem_alloc_array(vertices, 3 * sizeof(float));
  scene->normals = mem_alloc_array(vertices, 3 * sizeof(float));
  return good && scene->matrices && scene->palette && scene->positions && scene->normals;
}

static void fill_poses(bench_scene *scene) {
  bool has_clips = sinew_model_clip_count(scene->model) > 0;
  sinew_pose rest = sinew_model_rest_pose(scene->model);
  size_t size = (size_t)sinew_pose_group_count(rest.joint_count) * sizeof *rest.groups;
  for (int i = 0; i < BENCH_POSES; i++) {
    if (has_clips) run_sample(scene, i);
    memcpy(scene->poses[i].groups, has_clips ? scene->output.groups : rest.groups, size);
    sinew_local_to_model_job job = {.model = scene->model, .pose = scene->poses[i], .output = scene->joints[i]};
    sinew_local_to_model(&job);
  }
}

/* Two clips at once, at moments of their own. */
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
  }
  mem_free(scene->output.groups);
  for (int i = 0; i < 3; i++) mem_free(scene->sampled[i].groups);
  mem_free(scene->matrices);
  mem_free(scene->palette);
  mem_free(scene->positions);
  mem_free(scene->normals);
  sinew_model_release(scene->model);
  *scene = (bench_scene){.mesh = -1};
}
