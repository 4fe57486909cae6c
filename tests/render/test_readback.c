/* Vertices skinned on the GPU against the CPU's reference, over random models and real ones. */
#include <float.h>

#include "model/pose_group.h"
#include "render/gpu.h"
#include "render/shapes.h"

typedef struct difference {
  double position, normal, tangent; /* positions as a share of the model's size */
} difference;

static double largest(const float *a, const float *b, int count, int stride, int size) {
  double worst = 0;
  for (int i = 0; i < count; i++) {
    double square = 0;
    for (int k = 0; k < size; k++) {
      double d = (double)a[i * stride + k] - (double)b[i * stride + k];
      square += d * d;
    }
    worst = fmax(worst, isnan(square) ? INFINITY : sqrt(square));
  }
  return worst;
}

static double size_of(const float *positions, int count) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, square = 0;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 3; k++) {
      low[k] = fmin(low[k], positions[3 * i + k]);
      high[k] = fmax(high[k], positions[3 * i + k]);
    }
  for (int k = 0; k < 3; k++) square += (high[k] - low[k]) * (high[k] - low[k]);
  return sqrt(square);
}

static void *off_by_a_rounding(const void *floats, size_t bytes) {
  float *made = malloc(bytes);
  memcpy(made, floats, bytes);
  for (size_t i = 0; i < bytes / sizeof *made; i++) made[i] *= random_bits() % 2 ? 1 + FLT_EPSILON : 1 - FLT_EPSILON;
  return made;
}

/* The distance between the normals, less four times the movement that a rounding error in every number of the palette
 * causes: where joints nearly flatten a vertex, its normal is a small difference of large products. */
static double normals_apart(const sinew_cpu_skin_job *job, const float *read, int count, int palette_count) {
  float *moved = calloc((size_t)count * 3 + 1, sizeof *moved);
  sinew_cpu_skin_job again = *job;
  again.normals = moved, again.positions = again.tangents = NULL;
  size_t entries = (size_t)palette_count;
  if (job->palette) again.palette = off_by_a_rounding(job->palette, entries * sizeof *job->palette);
  else again.dual_quats = off_by_a_rounding(job->dual_quats, entries * sizeof *job->dual_quats);
  assert_true(sinew_cpu_skin(&again));
  double worst = 0;
  for (int i = 0; i < count; i++) {
    const float *normal = job->normals + (size_t)i * 3;
    double allowed = 4 * largest(normal, moved + (size_t)i * 3, 1, 3, 3);
    worst = fmax(worst, largest(normal, read + (size_t)i * 3, 1, 3, 3) - allowed);
  }
  free((void *)(job->palette ? (const void *)again.palette : again.dual_quats)), free(moved);
  return worst;
}

/* The same mesh on both sides; by dual quaternions where they are given. */
static difference compare(sinew_renderer *renderer, const sinew_model *model, int mesh, const sinew_mat3x4 *palette,
                          const sinew_dual_quat *dual_quats, const float *morphs) {
  sinew_error error = {0};
  sinew_mesh_view view = sinew_model_mesh(model, mesh);
  size_t count = (size_t)view.vertex_count;
  float *memory = calloc(count * 20 + 20, sizeof *memory), *cpu = memory, *read = memory + count * 10;
  sinew_cpu_skin_job job = {.model = model,
                            .mesh = mesh,
                            .palette = dual_quats ? NULL : palette,
                            .dual_quats = dual_quats,
                            .morph_weights = morphs,
                            .positions = cpu,
                            .normals = cpu + count * 3,
                            .tangents = view.tangents ? cpu + count * 6 : NULL};
  assert_null(sinew_cpu_skin_check(&job));
  assert_true(sinew_cpu_skin(&job));
  sinew_gpu_model *uploaded = sinew_gpu_model_create(renderer, model, &error);
  if (!uploaded) fail_msg("%s", error.message);
  sinew_gpu_skin_job gpu_job = {.model = uploaded,
                                .mesh = mesh,
                                .palette = palette,
                                .dual_quats = dual_quats,
                                .morph_weights = morphs,
                                .positions = read,
                                .normals = read + count * 3,
                                .tangents = view.tangents ? read + count * 6 : NULL};
  if (!sinew_renderer_skin(renderer, &gpu_job, &error)) fail_msg("%s", error.message);
  difference result = {
      .position = largest(cpu, read, view.vertex_count, 3, 3) / fmax(size_of(cpu, view.vertex_count), 1e-9),
      .normal = normals_apart(&job, read + count * 3, view.vertex_count, sinew_model_palette_count(model)),
      .tangent = view.tangents ? largest(cpu + count * 6, read + count * 6, view.vertex_count, 4, 4) : 0};
  sinew_gpu_model_destroy(renderer, uploaded);
  free(memory);
  return result;
}

static sinew_dual_quat *dual_quats_of(const sinew_model *model, const sinew_mat3x4 *palette) {
  sinew_dual_quat *made = calloc((size_t)sinew_model_palette_count(model) + 1, sizeof *made);
  assert_true(sinew_dual_quat_palette(&(sinew_dual_quat_palette_job){model, palette, made}));
  return made;
}

static void expect_close(const char *what, difference d) {
  printf("  %-44s %10.2e %10.2e %10.2e\n", what, d.position, d.normal, d.tangent);
  assert_true(d.position <= 1e-5);
  assert_true(d.normal <= 1e-4);
  assert_true(d.tangent <= 1e-4);
}

static void compare_soup(sinew_renderer *renderer, const soup_def *def, bool mirrored) {
  sinew_model *model = soup_model(def);
  sinew_mat3x4 *palette = random_palette(def->joint_count, mirrored);
  float weights[64] = {0};
  for (int i = 0; i < def->morph_count; i++) weights[i] = i % 4 == 3 ? 0 : random_range(-0.5f, 1);
  char what[80];
  snprintf(what, sizeof what, "%d joints, %d influences, %d targets%s", def->joint_count,
           def->rigid ? 1 : def->influences, def->morph_count, mirrored ? ", mirrored" : "");
  const float *morphs = def->morph_count ? weights : NULL;
  expect_close(what, compare(renderer, model, 0, palette, NULL, morphs));
  sinew_dual_quat *dual_quats = dual_quats_of(model, palette);
  expect_close("  … by dual quaternions", compare(renderer, model, 0, palette, dual_quats, morphs));
  free(dual_quats);
  free(palette);
  sinew_model_release(model);
}

static void random_models(void **state) {
  static const int joint_counts[] = {1, 3, 100, 300, 1000};
  gpu *g = *state;
  random_seed(7);
  printf("  %-44s %10s %10s %10s\n", "", "position", "normal", "tangent");
  for (int i = 0; i < 5; i++)
    for (int influences = 4; influences <= 8; influences += 4)
      for (int morphs = 0; morphs <= 12; morphs += 12)
        compare_soup(g->renderer, &(soup_def){joint_counts[i], influences, 3000, morphs, i != 1, i != 2, false},
                     i == 3);
}

/* Meshes whose vertices follow one joint each take a shorter way. */
static void rigid_parts(void **state) {
  gpu *g = *state;
  random_seed(10);
  compare_soup(g->renderer, &(soup_def){20, 4, 500, 3, true, true, true}, false);
}

static void many_targets_need_several_rows(void **state) {
  gpu *g = *state;
  random_seed(8);
  compare_soup(g->renderer, &(soup_def){10, 4, 9001, 40, true, true, false}, false);
}

/* A joint scaled to nothing leaves no direction to a normal: both sides must say zero and never NaN. */
static void collapsed_joint(void **state) {
  gpu *g = *state;
  random_seed(9);
  sinew_model *model = soup_model(&(soup_def){2, 4, 30, 0, true, false, false});
  sinew_mat3x4 palette[2] = {{{0}}, {{0}}};
  expect_close("collapsed", compare(g->renderer, model, 0, palette, NULL, NULL));
  sinew_model_release(model);
}

static difference worse(difference a, difference b) {
  return (difference){fmax(a.position, b.position), fmax(a.normal, b.normal), fmax(a.tangent, b.tangent)};
}

static void compare_file(sinew_renderer *renderer, const char *path) {
  sinew_error error = {0};
  sinew_model *model = sinew_model_load(path, NULL, &error);
  if (!model) fail_msg("%s", error.message);
  int joint_count = sinew_model_joint_count(model), clips = sinew_model_clip_count(model);
  sinew_mat3x4 *joints = calloc((size_t)joint_count, sizeof *joints);
  sinew_mat3x4 *palette = calloc((size_t)sinew_model_palette_count(model) + 1, sizeof *palette);
  sinew_pose_group *groups = calloc((size_t)sinew_pose_group_count(joint_count), sizeof *groups);
  sinew_pose pose = {groups, joint_count};
  difference worst[2] = {0};
  for (int c = 0; c < clips || c == 0; c++) {
    const sinew_clip *clip = clips ? sinew_model_clip(model, c) : NULL;
    if (clip) assert_true(sinew_sample(&(sinew_sample_job){model, clip, sinew_clip_duration(clip) * 0.37, pose}));
    else pose = model_rest_pose(model);
    assert_true(sinew_local_to_model(&(sinew_local_to_model_job){model, pose, joints, 0}));
    assert_true(sinew_palette(&(sinew_palette_job){model, joints, palette}));
    sinew_dual_quat *dual_quats = dual_quats_of(model, palette);
    for (int m = 0; m < sinew_model_mesh_count(model); m++) {
      float weights[256] = {0};
      int targets = sinew_model_mesh(model, m).morph_count;
      for (int t = 0; t < targets && t < 256; t++) weights[t] = 0.3f + 0.1f * (float)(t % 5);
      const float *morphs = targets && targets <= 256 ? weights : NULL;
      worst[0] = worse(worst[0], compare(renderer, model, m, palette, NULL, morphs));
      worst[1] = worse(worst[1], compare(renderer, model, m, palette, dual_quats, morphs));
    }
    free(dual_quats);
  }
  expect_close(strrchr(path, '/') + 1, worst[0]);
  expect_close("  … by dual quaternions", worst[1]);
  free(joints), free(palette), free(groups);
  sinew_model_release(model);
}

static void our_hero(void **state) { compare_file(((gpu *)*state)->renderer, SINEW_SOURCE "/assets/hero.glb"); }

static void real_files(void **state) {
  static const char *const names[] = {"Fox.glb",
                                      "greenman.glb",
                                      "MorphStressTest.gltf",
                                      "RiggedSimple.glb",
                                      "skin-multiple-sets.gltf",
                                      "maya_game_sausage_7500_binary_combined.fbx"};
  gpu *g = *state;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    char path[512];
    snprintf(path, sizeof path, "%s/../shared/models/files/%s", SINEW_SOURCE, names[i]);
    FILE *file = fopen(path, "rb");
    if (!file) skip();
    fclose(file);
    compare_file(g->renderer, path);
  }
}

static void refuse(gpu *g, const sinew_gpu_skin_job *job, const char *word) {
  sinew_error error = {0};
  assert_false(sinew_renderer_skin(g->renderer, job, &error));
  if (!strstr(error.message, word)) fail_msg("'%s' does not say '%s'", error.message, word);
}

static void refuses_what_it_cannot(void **state) {
  gpu *g = *state;
  sinew_error error = {0};
  sinew_model *model = soup_model(&(soup_def){2, 4, 30, 1, false, false, false});
  sinew_gpu_model *uploaded = sinew_gpu_model_create(g->renderer, model, &error);
  sinew_mat3x4 palette[2] = {sinew_mat3x4_identity(), sinew_mat3x4_identity()};
  float out[120], broken = NAN;
  const sinew_gpu_skin_job good = {.model = uploaded, .palette = palette, .positions = out};
  sinew_gpu_skin_job job = good;
  job.mesh = 1, refuse(g, &job, "mesh 1"), job = good;
  job.mesh = -1, refuse(g, &job, "mesh -1"), job = good;
  job.tangents = out, refuse(g, &job, "tangents"), job = good;
  job.palette = NULL, refuse(g, &job, "palette"), job = good;
  job.morph_weights = &broken, refuse(g, &job, "morph weights"), job = good;
  palette[1].m[5] = INFINITY, refuse(g, &job, "finite");
  sinew_gpu_model_destroy(g->renderer, uploaded);
  sinew_model_release(model);
}

static int feedback_setup(void **state) {
  gpu_setup(state);
  return !sinew_renderer_set_skin_stage(((gpu *)*state)->renderer, SINEW_SKIN_FEEDBACK, NULL);
}

static bool context_computes(void) {
  void *state;
  gpu_setup(&state);
  bool computes = ((gpu *)state)->renderer->skin.computes;
  gpu_teardown(&state);
  return computes;
}

int main(void) {
  gpu_or_skip();
  const struct CMUnitTest tests[] = {
      gpu_test(random_models),         gpu_test(rigid_parts), gpu_test(many_targets_need_several_rows),
      gpu_test(collapsed_joint),       gpu_test(our_hero),    gpu_test(real_files),
      gpu_test(refuses_what_it_cannot)};
  int failed = cmocka_run_group_tests_name("readback by transform feedback", tests, feedback_setup, gpu_teardown);
  if (!context_computes()) return failed;
  return failed + cmocka_run_group_tests_name("readback by compute shader", tests, gpu_setup, gpu_teardown);
}
