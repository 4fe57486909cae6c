#include "support/fixture.h"

#include "host/drawing/lines.h"

/* root ─ a ─ b ─ c ─ d, and e on the root: a skin binds a, c and d; b lies between. */
static sinew_model *chain_model(bool skinned) {
  const sinew_transform rest = {{0, 1, 0}, {0, 0, 0, 1}, {1, 1, 1}};
  const joint_desc joints[] = {{"a", -1, rest, false, 0},
                               {"b", 0, rest, false, 0},
                               {"c", 1, rest, false, 0},
                               {"d", 2, rest, false, 0},
                               {"e", -1, rest, false, 0}};
  const int32_t bound[] = {0, 2, 3};
  const sinew_mat3x4 identity = sinew_mat3x4_identity();
  const sinew_mat3x4 binds[] = {identity, identity, identity};
  const skin_desc skin = {3, bound, binds};
  const model_desc desc = {.path = "chain",
                           .root = sinew_transform_identity(),
                           .joints = joints,
                           .joint_count = 5,
                           .skins = &skin,
                           .skin_count = skinned ? 1 : 0};
  sinew_model *model = model_create(&desc, NULL);
  assert_non_null(model);
  return model;
}

static void marks_by_name(const sinew_model *model, const uint8_t *marks, const char *names, const char *expected) {
  for (int i = 0; names[i]; i++) {
    const char name[2] = {names[i], '\0'};
    assert_int_equal(marks[sinew_model_find_joint(model, name)], expected[i] - '0');
  }
}

static void test_a_skin_marks_its_joints_and_what_lies_between(void **state) {
  (void)state;
  sinew_model *model = chain_model(true);
  uint8_t marks[6];
  skeleton_mark(model, marks);
  assert_int_equal(marks[0], 0);
  marks_by_name(model, marks, "abcde", "22210");
  sinew_model_release(model);
}

static void test_without_a_skin_all_joints_show(void **state) {
  (void)state;
  sinew_model *model = chain_model(false);
  uint8_t marks[6];
  skeleton_mark(model, marks);
  assert_int_equal(marks[0], 0);
  marks_by_name(model, marks, "abcde", "22211");
  sinew_model_release(model);
}

/* Three bones of twelve lines and one end of three; every end of a line lies within a bone's width of its joints. */
static void test_bones_join_the_joints(void **state) {
  (void)state;
  sinew_model *model = chain_model(true);
  uint8_t marks[6];
  line_list list = {0};
  sinew_mat3x4 joints[6];
  sinew_transform world = {{10, 0, 0}, {0, 0, 0, 1}, {2, 2, 2}};
  skeleton_mark(model, marks);
  for (int i = 0; i < 6; i++) joints[i] = sinew_mat3x4_identity();
  const char *names[] = {"a", "b", "c", "d"};
  for (int i = 0; i < 4; i++) joints[sinew_model_find_joint(model, names[i])].m[7] = (float)i;
  skeleton_lines_add(&list, model, marks, &world, joints);
  assert_int_equal(list.count, 3 * 12 + 3);
  float low = INFINITY, high = -INFINITY;
  for (int i = 0; i < list.count; i++) {
    assert_near(list.lines[i].a.x, 10, 0.3);
    low = fminf(low, fminf(list.lines[i].a.y, list.lines[i].b.y));
    high = fmaxf(high, fmaxf(list.lines[i].a.y, list.lines[i].b.y));
  }
  assert_near(low, 0, 1e-5);
  assert_near(high, 6.24, 0.01); /* joint d at 3 × 2, and the arm of its cross */
  line_list_release(&list);
  sinew_model_release(model);
}

/* root ─ hips ─ leg, leg: three axes stand for the root, in place of a bone from the floor to the hips. */
static void test_a_root_is_axes(void **state) {
  (void)state;
  const sinew_transform rest = {{0, 1, 0}, {0, 0, 0, 1}, {1, 1, 1}};
  const joint_desc joints[] = {{"root", -1, rest, false, 0},
                               {"hips", 0, rest, false, 0},
                               {"left", 1, rest, false, 0},
                               {"right", 1, rest, false, 0}};
  const model_desc desc = {.path = "biped", .root = sinew_transform_identity(), .joints = joints, .joint_count = 4};
  sinew_model *model = model_create(&desc, NULL);
  assert_non_null(model);
  uint8_t marks[5];
  line_list list = {0};
  sinew_mat3x4 placed[5];
  sinew_transform world = sinew_transform_identity();
  skeleton_mark(model, marks);
  for (int i = 0; i < 5; i++) placed[i] = sinew_mat3x4_identity(), placed[i].m[7] = (float)i;
  skeleton_lines_add(&list, model, marks, &world, placed);
  assert_int_equal(list.count, 3 + 2 * 12 + 2 * 3); /* the axes, two bones below the hips and their ends */
  line_list_release(&list);
  sinew_model_release(model);
}

static void test_joints_in_one_place_and_of_nan(void **state) {
  (void)state;
  sinew_model *model = random_model(40, SHAPE_RANDOM, 0, false);
  int count = sinew_model_joint_count(model);
  uint8_t *marks = calloc((size_t)count, 1);
  sinew_mat3x4 *joints = calloc((size_t)count, sizeof *joints);
  line_list list = {0};
  sinew_transform world = sinew_transform_identity();
  skeleton_mark(model, marks);
  skeleton_lines_add(&list, model, marks, &world, joints); /* all at the origin */
  joints[3].m[3] = NAN;
  skeleton_lines_add(&list, model, marks, &world, joints);
  for (int i = 0; i < list.count; i++) assert_true(isfinite(list.lines[i].a.x + list.lines[i].b.y));
  line_list_release(&list);
  free(marks), free(joints);
  sinew_model_release(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_skin_marks_its_joints_and_what_lies_between),
      cmocka_unit_test(test_without_a_skin_all_joints_show),
      cmocka_unit_test(test_bones_join_the_joints),
      cmocka_unit_test(test_a_root_is_axes),
      cmocka_unit_test(test_joints_in_one_place_and_of_nan),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
