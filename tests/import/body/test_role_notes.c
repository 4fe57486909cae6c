/* What the author says of the body and cannot be: a note, and the figure is as if it had not been said. */
#include "support/fixture.h"

#include <sinew/model.h>

static void expect_note(const sinew_joint_role *roles, int count, const char *words) {
  sinew_error error;
  char path[512];
  snprintf(path, sizeof path, "%s/assets/hero.glb", SINEW_SOURCE);
  sinew_load_options options = sinew_load_options_default();
  options.roles = roles, options.role_count = count;
  sinew_model *model = sinew_model_load(path, &options, &error);
  if (!model) fail_msg("%s", error.message);
  int joints[SINEW_ROLES], noted = 0;
  for (int i = 0; i < sinew_model_note_count(model); i++) noted += strstr(sinew_model_note(model, i), words) != NULL;
  if (noted != 1) fail_msg("noted %d times: %s", noted, words);
  assert_true(sinew_model_roles(model, joints));
  assert_string_equal(sinew_model_joint_name(model, joints[SINEW_ROLE_LEFT_FOOT]), "LeftFoot");
  assert_string_equal(sinew_model_joint_name(model, joints[SINEW_ROLE_RIGHT_UPPER_ARM]), "RightArm");
  sinew_model_release(model);
}

static void what_contradicts_the_rig_is_left_out(void **state) {
  (void)state;
  static const sinew_joint_role wrong[] = {{"left_foot", "LeftFot"}, {"right_foot", "RightFoot"}},
                                twice[] = {{"left_foot", "LeftFoot"}, {"right_foot", "LeftFoot"}},
                                single[] = {{"left_foot", "LeftFoot"}},
                                feet[] = {{"left_foot", "RightFoot"}, {"right_foot", "LeftFoot"}},
                                arms[] = {{"left_upper_arm", "RightArm"}, {"right_upper_arm", "LeftArm"}};
  expect_note(wrong, 2, "did you mean 'LeftFoot'?: it is left out");
  expect_note(wrong, 2, "right_foot is named without left_foot");
  expect_note(twice, 2, "'LeftFoot' is both left_foot and right_foot");
  expect_note(single, 1, "left_foot is named without right_foot");
  expect_note(feet, 2, "on the right of a figure that faces +z");
  expect_note(arms, 2, "on the right of a figure that faces +z");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_contradicts_the_rig_is_left_out)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
