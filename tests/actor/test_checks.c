/* Every job has a check, and so without inputs it gives a reason and does nothing. */
#include "support/fixture.h"

#include <sinew/sinew.h>

#define EXPECT_REFUSED(name)                                                                                           \
  do {                                                                                                                 \
    sinew_##name##_job job;                                                                                            \
    memset(&job, 0, sizeof job);                                                                                       \
    const char *why = sinew_##name##_check(&job);                                                                      \
    assert_non_null(why);                                                                                              \
    assert_true(strlen(why) > 5 && why[strlen(why) - 1] != '.');                                                       \
    assert_false(sinew_##name(&job));                                                                                  \
  } while (0)

static void jobs_without_inputs_say_why(void **state) {
  (void)state;
  EXPECT_REFUSED(sample_joint);
  EXPECT_REFUSED(blend);
  EXPECT_REFUSED(layer);
  EXPECT_REFUSED(additive);
  EXPECT_REFUSED(additive_make);
  EXPECT_REFUSED(additive_apply);
  EXPECT_REFUSED(inertialize);
  EXPECT_REFUSED(inertialize_begin);
  EXPECT_REFUSED(local_to_model);
  EXPECT_REFUSED(palette);
  EXPECT_REFUSED(dual_quat_palette);
  EXPECT_REFUSED(joint_extents);
  EXPECT_REFUSED(bounds);
  EXPECT_REFUSED(root_motion);
  EXPECT_REFUSED(root_path);
  EXPECT_REFUSED(root_remove);
}

static void what_was_set_can_be_read(void **state) {
  (void)state;
  sinew_error error = {""};
  sinew_model *model = random_model(4, SHAPE_CHAIN, 4, false);
  sinew_stage *stage = sinew_stage_create(&error);
  sinew_actor actor = sinew_actor_create(stage, "a", model, &error);
  const char *names[] = {"speed", "turn"};
  const double values[] = {1, 2};
  assert_true(sinew_actor_set_params(stage, actor, names, values, 2, &error));
  assert_string_equal(sinew_actor_param_name(stage, actor, 1), "turn");
  assert_null(sinew_actor_param_name(stage, actor, 2));
  assert_null(sinew_actor_param_name(stage, (sinew_actor){0}, 0));
  double end = sinew_clip_duration(sinew_model_clip(model, 0));
  const sinew_marker markers[] = {{.time = end, .name = "late"}, {.time = 0, .name = "early", .tag = 7}};
  int count = -1;
  assert_true(sinew_stage_set_markers(stage, model, 0, markers, 2, &error));
  const sinew_marker *got = sinew_stage_markers(stage, model, 0, &count);
  assert_int_equal(count, 2);
  assert_string_equal(got[0].name, "early");
  assert_int_equal(got[0].tag, 7);
  assert_string_equal(got[1].name, "late");
  assert_true(sinew_stage_set_markers(stage, model, 0, NULL, 0, &error));
  sinew_stage_markers(stage, model, 0, &count);
  assert_int_equal(count, 0);
  sinew_stage_destroy(stage);
  sinew_model_release(model);
  forget_made_clip();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(jobs_without_inputs_say_why),
      cmocka_unit_test(what_was_set_can_be_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
