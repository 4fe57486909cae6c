#include "bench/bench_cases.h"
#include "model/pose_group.h"

#include <sinew/motion.h>

#include <math.h>

/* Multiples of the golden ratio (Weyl). */
double bench_moment(int64_t turn) { return fmod((double)turn * 0.6180339887498949, 1.0); }

static const sinew_clip *clip_of(const bench_scene *scene, int64_t turn) {
  return sinew_model_clip(scene->model, (int)(turn % sinew_model_clip_count(scene->model)));
}

static void use_pose(bench_scene *scene) { scene->sum += (double)scene->output.groups[0].rotation[3][0]; }

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

/* Plays each clip for a while at 60 Hz. */
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
                         .rest = model_rest_pose(scene->model),
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
                                   .rest = model_rest_pose(scene->model),
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
  sinew_cpu_skin_job job = {.model = scene->model,
                            .mesh = scene->mesh,
                            .palette = scene->palettes[turn % BENCH_POSES],
                            .positions = scene->positions,
                            .normals = scene->normals};
  sinew_cpu_skin(&job);
  scene->sum += (double)scene->positions[0];
}

static void run_dual_palette(bench_scene *scene, int64_t turn) {
  sinew_dual_quat *output = scene->dual_quats[turn % BENCH_POSES];
  sinew_dual_quat_palette(&(sinew_dual_quat_palette_job){scene->model, scene->palettes[turn % BENCH_POSES], output});
  scene->sum += (double)output->rotation[0];
}

static void run_dual_skin(bench_scene *scene, int64_t turn) {
  sinew_cpu_skin_job job = {.model = scene->model,
                            .mesh = scene->mesh,
                            .dual_quats = scene->dual_quats[turn % BENCH_POSES],
                            .positions = scene->positions,
                            .normals = scene->normals};
  sinew_cpu_skin(&job);
  scene->sum += (double)scene->positions[0];
}

static void run_bounds(bench_scene *scene, int64_t turn) {
  sinew_vec3 low, high;
  sinew_bounds_job job = {.extents = scene->extents,
                          .palette = scene->palettes[turn % BENCH_POSES],
                          .count = sinew_model_palette_count(scene->model),
                          .minimum = &low,
                          .maximum = &high};
  sinew_bounds(&job);
  scene->sum += (double)low.x;
}

static sinew_pose pose_at(const bench_scene *scene, int64_t turn) { return scene->poses[turn % BENCH_POSES]; }

static void run_additive(bench_scene *scene, int64_t turn) {
  sinew_additive(&(sinew_additive_job){.below = pose_at(scene, turn),
                                       .pose = pose_at(scene, turn + 5),
                                       .reference = pose_at(scene, turn + 10),
                                       .weight = (float)bench_moment(turn),
                                       .output = scene->output});
  use_pose(scene);
}

static void run_inertialize(bench_scene *scene, int64_t turn) {
  sinew_inertialize(&(sinew_inertialize_job){.inertia = scene->inertia,
                                             .time = bench_moment(turn),
                                             .duration = 1,
                                             .source = pose_at(scene, turn),
                                             .output = scene->output});
  use_pose(scene);
}

/* The track of the first joint that is not the virtual root. */
static sinew_root_track root_track(const bench_scene *scene, int64_t turn) {
  return (sinew_root_track){.model = scene->model,
                            .clip = clip_of(scene, turn),
                            .joint = sinew_model_joint_count(scene->model) > 1,
                            .axes = SINEW_ROOT_X | SINEW_ROOT_Z | SINEW_ROOT_YAW};
}

static void run_root_motion(bench_scene *scene, int64_t turn) {
  sinew_transform moved = sinew_transform_identity();
  sinew_root_track track = root_track(scene, turn);
  sinew_root_motion(&(sinew_root_motion_job){.track = track,
                                             .from = random_time(track.clip, turn),
                                             .to = random_time(track.clip, turn + 1),
                                             .loops = turn % 2,
                                             .output = &moved});
  scene->sum += (double)moved.translation.x;
}

static void run_root_removal(bench_scene *scene, int64_t turn) {
  sinew_root_track track = root_track(scene, turn);
  scene->output.groups[0] = pose_at(scene, turn).groups[0];
  sinew_root_remove(&(sinew_root_remove_job){track, random_time(track.clip, turn), scene->output});
  use_pose(scene);
}

double bench_step(int64_t turn) { return 1.0 / 60 * (0.5 + bench_moment(turn)); }

static void update_stage(bench_scene *scene, sinew_stage *stage, int64_t turn) {
  sinew_stage_update(stage, bench_step(turn));
  scene->sum += (double)sinew_actor_joints(stage, sinew_stage_actor(stage, 0))->m[0];
}

static void run_actor(bench_scene *scene, int64_t turn) { update_stage(scene, scene->one, turn); }
static void run_actors(bench_scene *scene, int64_t turn) { update_stage(scene, scene->many, turn); }

/* The goals are those of a humanoid with 67 joints, divided by that number; 0: there is none. */
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
    {"dual quaternion palette", run_dual_palette, 1, BENCH_PER_JOINT, 0},
    {"bounds", run_bounds, 1, BENCH_PER_JOINT, 0},
    {"additive", run_additive, 1, BENCH_PER_JOINT, 0},
    {"inertialize", run_inertialize, 1, BENCH_PER_JOINT, 0},
    {"root motion", run_root_motion, 1, BENCH_PER_CHARACTER, 0},
    {"root removal", run_root_removal, 1, BENCH_PER_CHARACTER, 0},
    {"one actor, two clips", run_actor, 1, BENCH_PER_JOINT, 20000.0 / 67},
    {"100 actors, two clips", run_actors, BENCH_ACTORS, BENCH_PER_JOINT, 20000.0 / 67},
    {"CPU skinning", run_skin, 1, BENCH_PER_VERTEX, 3.7},
    {"CPU skinning, dual quaternions", run_dual_skin, 1, BENCH_PER_VERTEX, 0},
};
const int bench_case_count = sizeof bench_cases / sizeof *bench_cases;

bool bench_case_applies(const bench_case *wanted, const bench_scene *scene) {
  if (wanted->per == BENCH_PER_VERTEX) return scene->mesh >= 0;
  if (wanted->run == run_palette || wanted->run == run_dual_palette || wanted->run == run_bounds)
    return sinew_model_palette_count(scene->model) > 0;
  return sinew_model_clip_count(scene->model) > 0 || wanted->run == run_local_to_model;
}
