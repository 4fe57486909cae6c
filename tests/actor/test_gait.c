/* How fast the hero's clips travel and when their feet come down, against what their source says. */
#include "support/hero.h"

#include "actor/sync/gait.h"

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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(clips_travel_as_they_were_made)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
