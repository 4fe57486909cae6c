/* The speeds of the hero's clips, and the moments when feet come down, compared with those in the clips' source. */
#include "support/hero.h"
#include "support/rig.h"

#include "actor/sync/gait.h"

#include <stdio.h>
#include <unistd.h>

typedef struct expected {
  const char *clip;
  gait_kind kind;
  double x, z;
  int steps;
} expected;

/* From the tables that the clips were made of (assets/source): what they travel in a second. */
static const expected gaits[] = {
    {"Idle", GAIT_STANDING, 0, 0, 0},       {"Walk", GAIT_MOVING, 0, 1.4, 2},
    {"Run", GAIT_MOVING, 0, 4, 2},          {"RunRoot", GAIT_MOVING, 0, 4, 2},
    {"StrafeLeft", GAIT_MOVING, 0.8, 0, 2}, {"StrafeRight", GAIT_MOVING, -0.8, 0, 2},
    {"WalkBack", GAIT_MOVING, 0, -1, 2},    {"Wave", GAIT_STANDING, 0, 0, 0},
};

static void clips_travel_as_they_were_made(void **state) {
  (void)state;
  sinew_model *model = load_hero();
  gait_table table = {0};
  model_gait *g = gait_take(&table, model);
  assert_non_null(g);
  assert_int_equal(g->leg_count, 2);
  for (size_t i = 0; i < sizeof gaits / sizeof *gaits; i++) {
    const expected *e = gaits + i;
    const clip_gait *found = gait_of(g, hero_clip(model, e->clip));
    print_message("%s: %d %.4f %.4f, %d steps", e->clip, found->kind, found->x, found->z, found->step_count);
    for (int k = 0; k < found->step_count; k++) print_message(" %.3f:%d", found->steps[k].time, found->steps[k].leg);
    print_message("\n");
    assert_int_equal(found->kind, e->kind);
    assert_near(found->x, e->x, 0.01 + 0.01 * fabs(e->x));
    assert_near(found->z, e->z, 0.01 + 0.01 * fabs(e->z));
    assert_int_equal(found->step_count, e->steps);
  }
  assert_ptr_equal(gait_take(&table, model), g);
  gait_leave(&table, g);
  assert_int_equal(table.count, 1);
  gait_leave(&table, g);
  assert_int_equal(table.count, 0);
  mem_free(table.items);
  sinew_model_release(model);
}

/* A foot of the run stands until key frame 5, of the walk until key frame 17, 1/30 s each. In the next interval it
 * rolls off, slowly at first: blends with other clips do not draw that out. */
static void a_foot_stands_firmly_until_it_rolls_off(void **state) {
  (void)state;
  sinew_model *model = load_hero();
  gait_table table = {0};
  model_gait *g = gait_take(&table, model);
  assert_non_null(g);
  const clip_gait *run = gait_of(g, hero_clip(model, "Run")), *walk = gait_of(g, hero_clip(model, "Walk"));
  assert_near(run->steps[0].time + run->steps[0].firm, 5 / 30.0, 1 / 120.0);
  assert_near(run->steps[1].time + run->steps[1].firm, 15 / 30.0, 1 / 120.0);
  assert_near(walk->steps[0].time + walk->steps[0].firm, 17 / 30.0, 1 / 120.0);
  gait_leave(&table, g);
  mem_free(table.items);
  sinew_model_release(model);
}

/* It is not known the legs of a fox by name: its paws are the ends of limbs that are low. */
static void paws_say_how_fast_a_fox_travels(void **state) {
  (void)state;
  static const struct {
    const char *clip;
    gait_kind kind;
    double speed;
  } paces[] = {{"Idle", GAIT_STANDING, 0},
               {"Walk", GAIT_MOVING, 0.65},
               {"Trot", GAIT_MOVING, 1.4},
               {"TrotRoot", GAIT_MOVING, 1.4},
               {"Gallop", GAIT_MOVING, 3.8}};
  sinew_model *model = sinew_model_load(SINEW_SOURCE "/assets/fox.glb", NULL, NULL);
  assert_non_null(model);
  gait_table table = {0};
  model_gait *g = gait_take(&table, model);
  assert_non_null(g);
  assert_int_equal(g->leg_count, 0);
  for (size_t i = 0; i < sizeof paces / sizeof *paces; i++) {
    const clip_gait *found = gait_of(g, hero_clip(model, paces[i].clip));
    assert_int_equal(found->kind, paces[i].kind);
    assert_near(found->x, 0, 0.01);
    assert_near(found->z, paces[i].speed, 0.01 * paces[i].speed + 1e-6);
    assert_int_equal(found->step_count, found->kind == GAIT_MOVING ? 2 : 0); /* of the hind paws */
  }
  gait_leave(&table, g);
  mem_free(table.items);
  sinew_model_release(model);
}

/* A file of centimetres that is read as metres: a hundred times as large and as fast, and otherwise the same. */
static void another_unit_is_another_speed(void **state) {
  (void)state;
  char path[1024];
  sinew_load_options options = sinew_load_options_default();
  options.unit = 100;
  snprintf(path, sizeof path, "%s/assets/hero.glb", SINEW_SOURCE);
  sinew_model *model = load_hero(), *large = sinew_model_load(path, &options, NULL);
  assert_non_null(large);
  gait_table table = {0};
  model_gait *g = gait_take(&table, model), *h = gait_take(&table, large);
  assert_true(g && h && h->leg_count == 2);
  static const char *const clips[] = {"Walk", "Run", "RunRoot"};
  for (int i = 0; i < 3; i++) {
    const clip_gait *is = gait_of(g, hero_clip(model, clips[i])), *was = gait_of(h, hero_clip(large, clips[i]));
    assert_near(was->z, 100 * is->z, 2);
    assert_int_equal(was->step_count, is->step_count);
    assert_int_equal(was->kind, is->kind);
  }
  gait_leave(&table, g);
  gait_leave(&table, h);
  mem_free(table.items);
  sinew_model_release(model);
  sinew_model_release(large);
}

/* Two hooves below a body, each down for 60 % of half a second, in which it goes back by 0.6 m: two strides in a clip
 * of a second, 2 m/s. */
static sinew_transform trot(int joint, double time) {
  sinew_transform t = sinew_transform_identity();
  double phase = fmod(2 * time + 0.5 * (joint == 2), 1), s = (phase - 0.6) / 0.4;
  if (joint == 0) t.translation.y = 1.5f;
  if (joint == 0) return t;
  t.translation = (sinew_vec3){joint == 1 ? 0.2f : -0.2f, -1.45f, (float)(phase < 0.6 ? 0.3 - phase : -0.3 + 0.6 * s)};
  if (phase >= 0.6) t.translation.y += (float)(0.2 * sin(3.14159265358979323846 * s));
  return t;
}

static void two_strides_in_a_clip_are_counted(void **state) {
  (void)state;
  joint_desc joints[] = {{.name = "a", .parent = -1, .rest = trot(0, 0)},
                         {.name = "b", .parent = 0, .rest = trot(1, 0)},
                         {.name = "c", .parent = 0, .rest = trot(2, 0)}};
  sinew_model *model = make_rig(joints, 3, trot, 1, 121);
  gait_table table = {0};
  model_gait *g = gait_take(&table, model);
  assert_non_null(g);
  const clip_gait *found = gait_of(g, 0);
  assert_int_equal(found->kind, GAIT_MOVING);
  assert_near(found->z, 2, 0.04);
  assert_int_equal(found->strides, 2);
  gait_leave(&table, g);
  mem_free(table.items);
  sinew_model_release(model);
}

/* Feet that drift and roll while they stand come down once; of the run one foot is hardly ever seen on the ground. */
static void recorded_steps_are_read_or_doubted(void **state) {
  static const struct {
    const char *file;
    double speed;
    int steps;
  } clips[] = {{"pab_walk.fbx", 1.07, 2}, {"pab_jog.fbx", 3.12, 2}, {"pab_run.fbx", 5.02, 0}};
  (void)state;
  for (int i = 0; i < 3; i++) {
    char path[512];
    sinew_error error;
    snprintf(path, sizeof path, "%s/../shared/models/real/files/%s", SINEW_SOURCE, clips[i].file);
    if (access(path, R_OK) != 0) skip();
    sinew_model *model = sinew_model_load(path, NULL, &error);
    if (!model) fail_msg("%s", error.message);
    gait_table table = {0};
    model_gait *g = gait_take(&table, model);
    assert_non_null(g);
    const clip_gait *found = gait_of(g, 0);
    assert_near(found->z, clips[i].speed, 0.05);
    assert_int_equal(found->strides, 1);
    assert_int_equal(found->step_count, clips[i].steps);
    gait_leave(&table, g);
    mem_free(table.items);
    sinew_model_release(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(clips_travel_as_they_were_made),  cmocka_unit_test(a_foot_stands_firmly_until_it_rolls_off),
      cmocka_unit_test(paws_say_how_fast_a_fox_travels), cmocka_unit_test(two_strides_in_a_clip_are_counted),
      cmocka_unit_test(another_unit_is_another_speed),   cmocka_unit_test(recorded_steps_are_read_or_doubted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
