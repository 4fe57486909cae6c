/* sinew_evaluate gives the bits of the jobs that it joins, each of which is tested against its own definition; where no
 * pose is asked for, the same to 1e-6 of the model's size, and the same bits for eight characters side by side. */
#include "base/sanitizers.h"
#include "model/pose_group.h"
#include "skin/kernels.h"
#include "skin/skin_fixture.h"
#include "support/backends.h"

enum { SOURCES = SINEW_EVALUATE_SOURCES };

typedef struct results {
  sinew_pose pose;
  sinew_mat3x4 *joints;
} results;

static results make_results(const sinew_model *model) {
  int count = sinew_model_joint_count(model);
  return (results){{calloc((size_t)sinew_pose_group_count(count), sizeof(sinew_pose_group)), count},
                   calloc((size_t)count, sizeof(sinew_mat3x4))};
}

static void free_results(results *r) { free(r->pose.groups), free(r->joints); }

/* Sample, blend, local to model, one after the other. */
static void run_jobs(const sinew_model *model, const sinew_evaluate_source *sources, int count, results *out) {
  sinew_blend_source blended[SOURCES];
  results samples[SOURCES];
  for (int i = 0; i < count; i++) {
    samples[i] = make_results(model);
    assert_true(sinew_sample(&(sinew_sample_job){model, sources[i].clip, sources[i].time, samples[i].pose}));
    const sinew_clip *clip = sources[i].clip;
    const float *animated = clip->animates_all ? NULL : clip->animated;
    blended[i] = (sinew_blend_source){samples[i].pose.groups, sources[i].weight, animated};
  }
  assert_true(sinew_blend(&(sinew_blend_job){blended, count, model_rest_pose(model), 0.1f, out->pose}));
  assert_true(sinew_local_to_model(&(sinew_local_to_model_job){model, out->pose, out->joints, 0}));
  for (int i = 0; i < count; i++) free_results(samples + i);
}

static void expect_bits(const results *a, const results *b) {
  size_t groups = (size_t)sinew_pose_group_count(a->pose.joint_count);
  assert_memory_equal(a->joints, b->joints, (size_t)a->pose.joint_count * sizeof *a->joints);
  assert_memory_equal(a->pose.groups, b->pose.groups, groups * sizeof *a->pose.groups);
}

static void expect_near(const sinew_mat3x4 *a, const sinew_mat3x4 *b, int joints) {
  double size = 0;
  for (int i = 0; i < joints; i++)
    for (int e = 0; e < 12; e++) size = fmax(size, fabs((double)b[i].m[e]));
  for (int i = 0; i < joints; i++)
    for (int e = 0; e < 12; e++) assert_near(a[i].m[e], (double)b[i].m[e], 1e-6 * size);
}

static void check_sources(const sinew_model *model, const sinew_evaluate_source *sources, int count) {
  results expected = make_results(model), with_pose = make_results(model), without = make_results(model);
  sinew_evaluate_job job = {model, sources, count, 0.1f, with_pose.pose, with_pose.joints, NULL};
  run_jobs(model, sources, count, &expected);
  assert_true(sinew_evaluate(&job));
  expect_bits(&with_pose, &expected);
  job.pose = (sinew_pose){NULL, 0};
  job.joints = without.joints;
  assert_true(sinew_evaluate(&job));
  expect_near(without.joints, expected.joints, expected.pose.joint_count);
  free_results(&expected), free_results(&with_pose), free_results(&without);
}

/* The fixture's clip carries every second joint; this makes it carry all of them, at rest. */
static void carry_all(const sinew_model *model) {
  sinew_clip *clip = (sinew_clip *)(uintptr_t)sinew_model_clip(model, 0);
  for (int i = 1; i < clip->joint_count; i++) ((float *)(uintptr_t)clip->animated)[i] = 1;
  clip->animates_all = true;
  for (int g = 0; g < sinew_pose_group_count(clip->joint_count); g++)
    ((clip_group *)(uintptr_t)clip->groups)[g].flags = clip_find_flags(clip, g);
}

/* Eight characters with other sources each, and what each of them gets alone. */
static void check_eight(sinew_model *model, int clips) {
  static sinew_mat3x4 palettes[SINEW_LANES][MOST_BONES], scratch[SINEW_LANES * MOST_BONES], alone[MOST_BONES];
  sinew_evaluate_source sources[SINEW_LANES][SOURCES];
  sinew_evaluate_job jobs[SINEW_LANES];
  give_skin(model);
  for (int i = 0; i < SINEW_LANES; i++) {
    for (int s = 0; s < SOURCES; s++)
      sources[i][s] = (sinew_evaluate_source){sinew_model_clip(model, (i + s) % clips),
                                              (double)random_range(-0.1f, 0.4f), i == 5 ? 0.01f : random_range(0, 1)};
    jobs[i] = (sinew_evaluate_job){model, sources[i], i % (SOURCES + 1), 0.1f, {NULL, 0}, scratch, palettes[i]};
  }
  evaluate_eight(jobs, scratch);
  for (int i = 0; i < SINEW_LANES; i++) {
    jobs[i].palette = alone;
    evaluate_like_eight(jobs + i);
    assert_memory_equal(palettes[i], alone, (size_t)model->palette_count * sizeof *alone);
  }
  take_skin(model);
}

/* Every number of sources, and weights that cover the rest pose or do not; the source i is of the clip i % clips. */
static void check_model(sinew_model *model, int clips) {
  static const float weights[][SOURCES] = {
      {1, 1, 1, 1}, {0.2f, 0.7f, 0.05f, 3}, {3e38f, 3e38f, 1e38f, 2e38f}, {0.01f, 0.02f, 0.03f, 0.01f}, {0, 1, 0, 0.5f},
      {0, 0, 0, 0}};
  sinew_evaluate_source sources[SOURCES];
  for (int count = 0; count <= SOURCES; count++)
    for (size_t w = 0; w < sizeof weights / sizeof *weights; w++) {
      for (int i = 0; i < count; i++)
        sources[i] = (sinew_evaluate_source){sinew_model_clip(model, i % clips), (double)random_range(-0.1f, 0.4f),
                                             weights[w][i]};
      check_sources(model, sources, count);
    }
  if (model->skin_count == 0)
    for (int i = 0; i < 4; i++) check_eight(model, clips);
}

static void check_random(int joints, skeleton_shape shape, bool scaled, bool wide, bool all) {
  sinew_model *model = random_model_with_clip(joints, shape, 9, scaled, wide);
  if (all) carry_all(model);
  check_model(model, 1);
  sinew_model_release(model);
  forget_made_clip();
}

static void check_character(void) {
  sinew_model *model = make_character();
  for (int clips = 1; clips <= 2; clips++) check_model(model, clips);
  sinew_model_release(model);
}

/* Clips that both leave out the joints of one group, and of another one some: the first clip, the second, both. */
static void check_partial_clips(void) {
  static const int left_out[2][4] = {{8, 9, 16, 29}, {8, 9, 24, 30}};
  sinew_model *model = make_character_without(left_out);
  for (int clips = 1; clips <= 2; clips++) check_model(model, clips);
  sinew_model_release(model);
}

/* The address sanitizer looks at each number of joints beside a group's eight, and at large models that are smaller. */
static void check_models(void) {
  enum { LARGE = SANITIZES_ADDRESSES ? 200 : 1000, EACH = SANITIZES_ADDRESSES ? 3 : 1 };
  for (int joints = 1; joints <= 17; joints++)
    for (int i = 0; i < 8; i += EACH) check_random(joints, SHAPE_RANDOM, i & 1, i & 2, i & 4);
  check_random(67, SHAPE_CHAIN, true, false, true);
  check_random(LARGE, SHAPE_FOREST, false, false, false);
  check_random(LARGE, SHAPE_RANDOM, true, true, true);
  check_random(LARGE, SHAPE_STAR, true, false, true);
  check_random(LARGE, SHAPE_COMB, true, false, true);
  check_random(LARGE, SHAPE_CHAIN, false, false, true);
  check_character();
  check_partial_clips();
}

static void all_at_once_is_what_the_jobs_give(void **state) {
  (void)state;
  on_every_backend(check_models);
}

static void the_palette_comes_with_it(void **state) {
  (void)state;
  static mesh_data d;
  sinew_model *model = make_model(&d, 4);
  results r = make_results(model);
  sinew_mat3x4 expected[BONES + 2], got[BONES + 2];
  assert_true(sinew_evaluate(&(sinew_evaluate_job){model, NULL, 0, 0.1f, {NULL, 0}, r.joints, got}));
  assert_true(sinew_palette(&(sinew_palette_job){model, r.joints, expected}));
  assert_memory_equal(got, expected, sizeof got);
  free_results(&r);
  sinew_model_release(model);
}

static void bad_jobs_are_refused(void **state) {
  (void)state;
  sinew_model *model = random_model(4, SHAPE_CHAIN, 3, false), *other = random_model(9, SHAPE_CHAIN, 3, false);
  const sinew_clip *clip = sinew_model_clip(model, 0);
  results r = make_results(model);
  sinew_evaluate_source good = {clip, 0, 1};
  sinew_evaluate_source bad[] = {{NULL, 0, 1},       {sinew_model_clip(other, 0), 0, 1},
                                 {clip, NAN, 1},     {clip, INFINITY, 1},
                                 {clip, 0, -1},      {clip, 0, NAN},
                                 {clip, 0, INFINITY}};
  sinew_evaluate_job jobs[] = {{NULL, &good, 1, 0.1f, r.pose, r.joints, NULL},
                               {model, NULL, 1, 0.1f, r.pose, r.joints, NULL},
                               {model, &good, -1, 0.1f, r.pose, r.joints, NULL},
                               {model, &good, SOURCES + 1, 0.1f, r.pose, r.joints, NULL},
                               {model, &good, 1, 0, r.pose, r.joints, NULL},
                               {model, &good, 1, NAN, r.pose, r.joints, NULL},
                               {model, &good, 1, 0.1f, {r.pose.groups, 4}, r.joints, NULL},
                               {model, &good, 1, 0.1f, r.pose, NULL, NULL}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_false(sinew_evaluate(&(sinew_evaluate_job){model, bad + i, 1, 0.1f, r.pose, r.joints, NULL}));
  for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
    assert_non_null(sinew_evaluate_check(jobs + i));
    assert_false(sinew_evaluate(jobs + i));
  }
  sinew_mat3x4 zero = {{0}};
  assert_memory_equal(r.joints, &zero, sizeof zero);
  free_results(&r);
  sinew_model_release(model), sinew_model_release(other);
  forget_made_clip();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_at_once_is_what_the_jobs_give),
      cmocka_unit_test(the_palette_comes_with_it),
      cmocka_unit_test(bad_jobs_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
