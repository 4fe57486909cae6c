/* A stage gives the same bits whatever floating-point environment the application has set, and so do the jobs that
 * measure and bound a model. (tests/pose/test_float_env.c and tests/skin/test_golden.c ask the same of other jobs.) */
#include "actor/everything.h"
#include "support/backends.h"
#include "support/float_modes.h"

enum { FRAMES = 30, MATRICES = 70 };

/* ---- a stage ---- */

static void record_actor(const sinew_stage *stage, sinew_actor actor, record *r) {
  sinew_pose pose = sinew_actor_pose(stage, actor);
  sinew_transform position = sinew_actor_transform(stage, actor), delta = sinew_actor_root_delta(stage, actor);
  record_add(r, &position, sizeof position);
  record_add(r, &delta, sizeof delta);
  record_add(r, pose.groups, (size_t)sinew_pose_group_count(pose.joint_count) * sizeof *pose.groups);
  record_add(r, sinew_actor_joints(stage, actor), (size_t)pose.joint_count * sizeof(sinew_mat3x4));
  record_add(r, sinew_actor_morphs(stage, actor, 0), 2 * sizeof(float));
}

static void record_stage(const sinew_stage *stage, record *r) {
  int count;
  for (int i = 0; i < ACTORS; i++) record_actor(stage, sinew_stage_actor(stage, i), r);
  const sinew_mat3x4 *palettes = sinew_stage_palettes(stage, &count);
  record_add(r, palettes, (size_t)count * sizeof *palettes);
  const sinew_event *events = sinew_stage_events(stage, &count, NULL);
  for (int i = 0; i < count; i++) {
    record_add(r, &events[i].time, sizeof events[i].time);
    record_add(r, &events[i].weight, sizeof events[i].weight);
  }
  sinew_crowd_characters crowd = sinew_crowd_view(stage, sinew_stage_crowd(stage, 0));
  record_add(r, crowd.slots[0].time, CROWD * sizeof(double));
  record_add(r, crowd.morphs, (size_t)(CROWD * crowd.morph_count) * sizeof(float));
}

static record play(bool foreign) {
  heard h = {0};
  record r = {0};
  random_seed(12);
  sinew_model *model = cast_model(MATRICES);
  sinew_stage *stage = sinew_stage_create(NULL);
  assert_true(sinew_stage_set_threads(stage, 2));
  fill_stage(stage, model, &h);
  for (int i = 0; i < FRAMES; i++) {
    uint64_t env = foreign ? enter_foreign_env() : 0;
    sinew_stage_update(stage, 1.0 / 30);
    if (foreign) leave_foreign_env(env);
    record_stage(stage, &r);
  }
  sinew_stage_destroy(stage);
  sinew_model_release(model);
  return r;
}

static void check_stage(void) {
  record usual = play(false), foreign = play(true);
  expect_same_record(&usual, &foreign);
}

static void a_stage_updates_to_the_same_bits(void **state) {
  (void)state;
  on_every_backend(check_stage);
}

/* ---- jobs ---- */

typedef struct measures {
  sinew_joint_extent extents[MATRICES];
  sinew_vec3 low, high;
  float morphs[CAST_CLIPS][2];
} measures;

static void measure(const sinew_model *model, const sinew_mat3x4 *palette, measures *m) {
  assert_true(sinew_joint_extents(&(sinew_joint_extents_job){model, m->extents}));
  assert_true(sinew_bounds(&(sinew_bounds_job){m->extents, palette, MATRICES, &m->low, &m->high}));
  for (int c = 0; c < CAST_CLIPS; c++)
    assert_true(sinew_sample_morphs(model, sinew_model_clip(model, c), 0.123, 0, m->morphs[c]));
}

/* One vertex under every joint, and moved by its targets, one by next to nothing: what rounds or is flushed shows. */
static sinew_model *model_with_a_vertex(void) {
  sinew_model *model = cast_model(MATRICES);
  sinew_mesh_view *mesh = (sinew_mesh_view *)(uintptr_t)model->meshes;
  float *position = (float *)(uintptr_t)mesh->positions;
  position[0] = 0.1f, position[1] = 1e-41f, position[2] = -0.7f;
  float *moves = (float *)(uintptr_t)mesh->morphs[0].positions;
  moves[0] = 1e-9f, moves[1] = 3e-42f, moves[2] = 0.3f;
  return model;
}

static void check_jobs(void) {
  random_seed(13);
  sinew_model *model = model_with_a_vertex();
  sinew_mat3x4 palette[MATRICES];
  static measures usual, foreign;
  memset(&usual, 0, sizeof usual), memset(&foreign, 0, sizeof foreign);
  for (int i = 0; i < MATRICES; i++) {
    sinew_transform t = random_transform(true);
    palette[i] = sinew_mat3x4_from_transform(&t);
  }
  measure(model, palette, &usual);
  uint64_t env = enter_foreign_env();
  measure(model, palette, &foreign);
  leave_foreign_env(env);
  assert_memory_equal(&usual, &foreign, sizeof usual);
  assert_true(usual.extents[0].half.y > 0 && usual.high.x > usual.low.x);
  sinew_model_release(model);
}

static void extents_bounds_and_morphs_have_the_same_bits(void **state) {
  (void)state;
  on_every_backend(check_jobs);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_stage_updates_to_the_same_bits),
                                     cmocka_unit_test(extents_bounds_and_morphs_have_the_same_bits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
