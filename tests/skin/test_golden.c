/* One number for all that the core reckons over ten seconds, and another for backends that round twice: every backend,
 * every number of threads, every compiler, every optimisation and every floating-point environment that the application
 * has set gives these bits. Release and sanitizer builds run this test, math/run_elsewhere.py runs it with NEON, and
 * the workflow with gcc and clang.
 */
#include "skin/skin_fixture.h"

#include "base/jobs.h"

#include "math/simd.h"
#include "model/pose_group.h"
#include "support/backends.h"
#include "support/float_modes.h"

enum { JOINTS = 67, FRAMES = 300 /* at 30 a second */, ROWS = 40, CHARACTERS = 20, RANGE = 4 };

/* tests/pose/test_backends.c says how far apart these two may be. */
static uint64_t golden(void) { return simd_rounds_once(simd_current()) ? 0x74f3436538de85c7u : 0x2a5608c03007df40u; }

typedef struct run {
  sinew_model *model, *body, *character;
  sinew_pose poses[4];
  sinew_mat3x4 joints[JOINTS], palette[BONES + 2];
  sinew_dual_quat duals[BONES + 2];
  float mask[JOINTS + SINEW_LANES], vertices[2][VERTICES * 3];
  double times[FRAMES][SINEW_EVALUATE_SOURCES];
  sinew_mat3x4 many[CHARACTERS][JOINTS], palettes[CHARACTERS][BONES + 2];
  int frame;
  uint64_t hash;
} run;

/* FNV-1a, over 32 bits at a time. */
static void add_words(run *r, const void *values, size_t bytes) {
  const uint32_t *words = values;
  for (size_t i = 0; i < bytes / sizeof *words; i++) r->hash = (r->hash ^ words[i]) * 1099511628211u;
}

static sinew_pose pose_of(const sinew_model *model) {
  int count = sinew_model_joint_count(model);
  return (sinew_pose){calloc((size_t)sinew_pose_group_count(count), sizeof(sinew_pose_group)), count};
}

/* Three samples, blended with a mask; a layer; something added. */
static void run_jobs(run *r, int frame) {
  const sinew_clip *clip = sinew_model_clip(r->model, 0);
  sinew_blend_source sources[3];
  for (int i = 0; i < 3; i++) {
    assert_true(sinew_sample(&(sinew_sample_job){r->model, clip, r->times[frame][i], r->poses[i]}));
    sources[i] = (sinew_blend_source){r->poses[i].groups, (float)(frame % (7 + i)), i == 2 ? r->mask : NULL};
  }
  sinew_pose out = r->poses[3];
  assert_true(sinew_blend(&(sinew_blend_job){sources, 3, model_rest_pose(r->model), 0.1f, out}));
  assert_true(sinew_layer(&(sinew_layer_job){out, r->poses[0], 0.3f, r->mask, out, r->model}));
  assert_true(sinew_additive(&(sinew_additive_job){out, r->poses[1], r->poses[2], 0.4f, r->mask, out}));
  assert_true(sinew_local_to_model(&(sinew_local_to_model_job){r->model, out, r->joints, 0}));
  add_words(r, r->joints, sizeof r->joints);
}

static void run_at_once(run *r, const sinew_model *model, int frame) {
  sinew_evaluate_source sources[SINEW_EVALUATE_SOURCES];
  for (int i = 0; i < SINEW_EVALUATE_SOURCES; i++)
    sources[i] = (sinew_evaluate_source){sinew_model_clip(model, i % sinew_model_clip_count(model)), r->times[frame][i],
                                         (float)(frame % (5 + i))};
  assert_true(sinew_evaluate(
      &(sinew_evaluate_job){model, sources, frame % (SINEW_EVALUATE_SOURCES + 1), 0.1f, {NULL, 0}, r->joints, NULL}));
  add_words(r, r->joints, sizeof r->joints);
}

/* The joints of the run move the body, too. */
static void run_skin(run *r) {
  assert_true(sinew_palette(&(sinew_palette_job){r->body, r->joints, r->palette}));
  assert_true(sinew_dual_quat_palette(&(sinew_dual_quat_palette_job){r->body, r->palette, r->duals}));
  assert_true(
      sinew_cpu_skin(&(sinew_cpu_skin_job){r->body, 0, r->palette, NULL, r->vertices[0], r->vertices[1], NULL, NULL}));
  add_words(r, r->vertices, sizeof r->vertices);
  assert_true(
      sinew_cpu_skin(&(sinew_cpu_skin_job){r->body, 0, NULL, NULL, r->vertices[0], r->vertices[1], NULL, r->duals}));
  add_words(r, r->palette, sizeof r->palette);
  add_words(r, r->duals, sizeof r->duals);
  add_words(r, r->vertices, sizeof r->vertices);
}

/* Some of many characters: any thread's. */
static void run_range(void *user, int worker, int begin, int end) {
  (void)worker;
  run *r = user;
  const sinew_clip *clip = sinew_model_clip(r->model, 0);
  for (int i = begin; i < end; i++) {
    const double *times = r->times[(r->frame + 7 * i) % FRAMES];
    sinew_evaluate_source sources[] = {{clip, times[0], 1}, {clip, times[1], (float)(i % 3)}};
    sinew_evaluate(&(sinew_evaluate_job){r->model, sources, 2, 0.1f, {NULL, 0}, r->many[i], NULL});
    sinew_palette(&(sinew_palette_job){r->body, r->many[i], r->palettes[i]});
  }
}

static uint64_t run_all(run *r, int threads) {
  jobs *pool = jobs_create(threads, NULL);
  assert_non_null(pool);
  r->hash = 14695981039346656037u;
  for (r->frame = 0; r->frame < FRAMES; r->frame++) {
    run_jobs(r, r->frame);
    run_at_once(r, r->character, r->frame);
    run_skin(r); /* without scales, the next with some */
    run_at_once(r, r->model, r->frame);
    run_skin(r);
    jobs_run(pool, CHARACTERS, RANGE, run_range, r);
    add_words(r, r->palettes, sizeof r->palettes);
  }
  jobs_destroy(pool);
  return r->hash;
}

static void open_run(run *r) {
  static mesh_data d;
  random_seed(0x5157);
  r->model = random_model_with_clip(JOINTS - 1, SHAPE_RANDOM, ROWS, true, false);
  r->body = make_model(&d, 4);
  r->character = make_character();
  for (int i = 0; i < 4; i++) r->poses[i] = pose_of(r->model);
  for (int frame = 0; frame < FRAMES; frame++)
    for (int i = 0; i < SINEW_EVALUATE_SOURCES; i++)
      r->times[frame][i] = fmod(frame * (1.0 + 0.25 * i) / 30, (ROWS - 1) / 30.0);
  for (int i = 0; i < JOINTS; i++) r->mask[i] = i % 5 == 0 ? 0 : random_range(0, 1);
}

static void close_run(run *r) {
  for (int i = 0; i < 4; i++) free(r->poses[i].groups);
  sinew_model_release(r->model), sinew_model_release(r->body), sinew_model_release(r->character);
  forget_made_clip();
}

static void every_backend_gives_the_golden_number(void **state) {
  (void)state;
  static run r;
  open_run(&r);
  simd_backend before = simd_current();
  for (int b = 0; b < SIMD_BACKEND_COUNT; b++) {
    if (!simd_use((simd_backend)b)) continue;
    uint64_t hash = run_all(&r, 1);
    printf("# %s: %016llx\n", simd_name((simd_backend)b), (unsigned long long)hash);
    assert_true(hash == golden());
  }
  assert_true(simd_use(before));
  close_run(&r);
}

static void every_number_of_threads_gives_the_golden_number(void **state) {
  (void)state;
  static run r;
  open_run(&r);
  for (int threads = 1; threads <= 5; threads += threads == 1 ? 1 : 3) assert_true(run_all(&r, threads) == golden());
  close_run(&r);
}

static void the_applications_environment_changes_nothing(void **state) {
  (void)state;
  static run r;
  open_run(&r);
  uint64_t env = enter_foreign_env();
  uint64_t hash = run_all(&r, 2);
  leave_foreign_env(env);
  assert_true(hash == golden());
  close_run(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_backend_gives_the_golden_number),
      cmocka_unit_test(every_number_of_threads_gives_the_golden_number),
      cmocka_unit_test(the_applications_environment_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
