/* Every backend does the same: those that round twice to the bit, and the others, which round once, to 1e-5 of them.
 * (That AVX2 and NEON have the same bits is seen by skin/test_golden.c.) */
#include "support/backends.h"

enum { JOINTS = 203 };

typedef struct results {
  sinew_pose sampled, blended, even, layered, added, difference, applied, shown;
  sinew_inertia_group inertia[(JOINTS + SINEW_LANES - 1) / SINEW_LANES];
  sinew_mat3x4 joints[JOINTS];
} results;

typedef struct inputs {
  sinew_model *model;
  sinew_pose poses[4];
  float mask[JOINTS + SINEW_LANES];
} inputs;

static void run_all(const inputs *in, results *out) {
  sinew_blend_source sources[3] = {
      {in->poses[1].groups, 0.5f, NULL}, {in->poses[2].groups, 0.02f, in->mask}, {in->poses[3].groups, 0.7f, in->mask}};
  sinew_blend_source even[3] = {sources[0], sources[1], sources[2]};
  even[1].joint_weights = even[2].joint_weights = NULL;
  out->sampled = copy_pose(in->poses[0]);
  assert_true(sinew_sample(&(sinew_sample_job){in->model, sinew_model_clip(in->model, 0), 0.123, out->sampled}));
  out->even = copy_pose(in->poses[0]);
  assert_true(sinew_blend(&(sinew_blend_job){even, 3, in->poses[0], 0.1f, out->even}));
  out->blended = copy_pose(in->poses[0]), out->layered = copy_pose(in->poses[0]), out->added = copy_pose(in->poses[0]);
  assert_true(sinew_blend(&(sinew_blend_job){sources, 3, in->poses[0], 0.1f, out->blended}));
  assert_true(sinew_layer(&(sinew_layer_job){in->poses[0], in->poses[1], 0.8f, in->mask, out->layered, NULL}));
  assert_true(
      sinew_additive(&(sinew_additive_job){in->poses[0], in->poses[1], in->poses[2], 0.6f, in->mask, out->added}));
  out->difference = copy_pose(in->poses[0]), out->applied = copy_pose(in->poses[0]),
  out->shown = copy_pose(in->poses[0]);
  assert_true(sinew_additive_make(&(sinew_additive_make_job){in->poses[1], in->poses[2], out->difference}));
  assert_true(
      sinew_additive_apply(&(sinew_additive_apply_job){in->poses[0], out->difference, 0.6f, in->mask, out->applied}));
  assert_true(sinew_inertialize_begin(&(sinew_inertialize_begin_job){in->poses[0], out->layered, in->poses[2],
                                                                     out->applied, 0.25, NULL, out->inertia, 0}));
  assert_true(sinew_inertialize(&(sinew_inertialize_job){out->inertia, 0.2, 0.5, in->poses[3], out->shown}));
  assert_true(sinew_local_to_model(&(sinew_local_to_model_job){in->model, out->blended, out->joints, 0}));
}

enum { POSES = 8 };

static void list_poses(const results *r, const sinew_pose *poses[POSES]) {
  const sinew_pose *all[POSES] = {&r->sampled, &r->blended,    &r->even,    &r->layered,
                                  &r->added,   &r->difference, &r->applied, &r->shown};
  memcpy(poses, all, sizeof all);
}

static void free_results(results *r) {
  const sinew_pose *poses[POSES];
  list_poses(r, poses);
  for (int i = 0; i < POSES; i++) free(poses[i]->groups);
}

static double worst_difference(const void *a, const void *b, size_t bytes) {
  const float *x = a, *y = b;
  double worst = 0;
  for (size_t i = 0; i < bytes / sizeof(float); i++)
    worst = fmax(worst, fabs((double)x[i] - (double)y[i]) / fmax(1, fabs((double)x[i])));
  return worst;
}

static void expect_bytes_alike(const void *a, const void *b, size_t bytes, bool exact) {
  if (exact) assert_memory_equal(a, b, bytes);
  else assert_true(worst_difference(a, b, bytes) < 1e-5);
}

static void expect_alike(const results *a, const results *b, bool exact) {
  const sinew_pose *mine[POSES], *theirs[POSES];
  list_poses(a, mine), list_poses(b, theirs);
  size_t bytes = (size_t)sinew_pose_group_count(JOINTS) * sizeof(sinew_pose_group);
  for (int i = 0; i < POSES; i++) expect_bytes_alike(mine[i]->groups, theirs[i]->groups, bytes, exact);
  expect_bytes_alike(a->joints, b->joints, sizeof a->joints, exact);
  expect_bytes_alike(a->inertia, b->inertia, sizeof a->inertia, exact);
}

static void backends_agree(void **state) {
  (void)state;
  inputs in = {.model = random_model_with_clip(JOINTS - 1, SHAPE_RANDOM, 9, true, false)};
  for (int i = 0; i < 4; i++) in.poses[i] = random_pose(JOINTS, i % 2 == 0);
  for (int i = 0; i < JOINTS; i++) in.mask[i] = i % 5 == 0 ? 0 : random_range(0, 1);
  simd_backend before = simd_current();
  results plain[2], other; /* scalar, fused */
  for (int once = 0; once < 2; once++) {
    assert_true(simd_use(once ? SIMD_FUSED : SIMD_SCALAR));
    run_all(&in, plain + once);
  }
  expect_alike(plain, plain + 1, false);
  for (int b = SIMD_SCALAR + 1; b < SIMD_BACKEND_COUNT; b++) {
    if (!simd_use((simd_backend)b)) continue;
    printf("# %s\n", simd_name((simd_backend)b));
    run_all(&in, &other);
    expect_alike(plain + simd_rounds_once((simd_backend)b), &other, true);
    free_results(&other);
  }
  assert_true(simd_use(before));
  for (int once = 0; once < 2; once++) free_results(plain + once);
  for (int i = 0; i < 4; i++) free(in.poses[i].groups);
  sinew_model_release(in.model);
  forget_made_clip();
}

static void a_foreign_backend_is_refused(void **state) {
  (void)state;
  simd_backend foreign = simd_is_available(SIMD_NEON) ? SIMD_AVX2 : SIMD_NEON;
  assert_false(simd_use(foreign));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(backends_agree), cmocka_unit_test(a_foreign_backend_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
