/* Which joints are a person's, where a file has more than one skeleton with their names. */
#include "support/fixture.h"

#include "model/names/humanoid.h"

enum { COPIED = 7, JOINTS = 2 + 2 * COPIED };

/* A copy that moves nothing comes first and is nearer to the root than the joints of the skin. */
static void joints_of_a_skin_go_before_a_copy(void **state) {
  static const char *const body[COPIED] = {"Hips",       "LeftUpLeg", "LeftLeg",  "LeftFoot",
                                           "RightUpLeg", "RightLeg",  "RightFoot"};
  static const int32_t above[COPIED] = {-1, 0, 1, 2, 0, 4, 5};
  const char *names[JOINTS] = {""};
  int32_t parents[JOINTS] = {-1};
  uint8_t ranks[JOINTS] = {0};
  sinew_transform rest[JOINTS];
  humanoid found;
  (void)state;
  for (int i = 0; i < JOINTS; i++) rest[i] = sinew_transform_identity();
  names[1 + COPIED] = "Group", parents[1 + COPIED] = 0, ranks[1 + COPIED] = 1;
  for (int i = 0; i < COPIED; i++) {
    int copy = 1 + i, joint = 2 + COPIED + i;
    names[copy] = names[joint] = body[i];
    parents[copy] = above[i] < 0 ? 0 : 1 + above[i];
    parents[joint] = above[i] < 0 ? 1 + COPIED : 2 + COPIED + above[i];
    ranks[copy] = 1, ranks[joint] = i > 0 ? 0 : 1; /* the hips deform nothing themselves */
  }
  skeleton_view skeleton = {JOINTS, names, parents, rest, ranks, NULL};
  assert_true(humanoid_find(&skeleton, &found));
  assert_int_equal(found.hips, 2 + COPIED);
  assert_int_equal(found.limbs[0][LIMB_THIGH], 3 + COPIED);
  assert_int_equal(found.limbs[0][LIMB_FOOT], 5 + COPIED);
  assert_int_equal(found.limbs[1][LIMB_FOOT], 8 + COPIED);
  skeleton.ranks = NULL; /* nobody knows: the higher one */
  assert_true(humanoid_find(&skeleton, &found));
  assert_int_equal(found.hips, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(joints_of_a_skin_go_before_a_copy)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
