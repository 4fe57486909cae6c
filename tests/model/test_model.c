#include "support/fixture.h"

#include "support/failing_heap.h"

#include "base/memory.h"

static void joints_are_stored_breadth_first(void **state) {
  (void)state;
  for (int shape = SHAPE_CHAIN; shape <= SHAPE_FOREST; shape++) {
    sinew_model *model = random_model(200, (skeleton_shape)shape, 0, true);
    int count = sinew_model_joint_count(model), depth[256] = {0};
    bool seen[200] = {false};
    assert_int_equal(count, 201);
    assert_int_equal(sinew_model_joint_parent(model, 0), -1);
    assert_int_equal(sinew_model_joint_file_index(model, 0), -1);
    for (int i = 1; i < count; i++) {
      int parent = sinew_model_joint_parent(model, i), file = sinew_model_joint_file_index(model, i);
      assert_true(parent >= 0 && parent < i);
      depth[i] = depth[parent] + 1;
      assert_true(depth[i] >= depth[i - 1]);                         /* level by level */
      assert_true(parent >= sinew_model_joint_parent(model, i - 1)); /* siblings side by side */
      assert_false(seen[file]);
      seen[file] = true;
      char name[16];
      snprintf(name, sizeof name, "j%d", file);
      assert_string_equal(sinew_model_joint_name(model, i), name);
      assert_int_equal(sinew_model_find_joint(model, name), i);
    }
    sinew_model_release(model);
  }
}

static void names_without_their_namespace_come_second(void **state) {
  (void)state;
  joint_desc joints[] = {{.name = "rig:Hips", .parent = -1, .rest = sinew_transform_identity()},
                         {.name = "Hips", .parent = 0, .rest = sinew_transform_identity()},
                         {.name = "rig:Head", .parent = 1, .rest = sinew_transform_identity()},
                         {.parent = 1, .rest = sinew_transform_identity()}};
  model_desc desc = {.path = "x", .root = sinew_transform_identity(), .joints = joints, .joint_count = 4};
  sinew_model *model = model_create(&desc, NULL);
  assert_int_equal(sinew_model_find_joint(model, "Hips"), 2);
  assert_int_equal(sinew_model_find_joint(model, "rig:Hips"), 1);
  assert_string_equal(sinew_model_joint_name(model, sinew_model_find_joint(model, "Head")), "rig:Head");
  assert_int_equal(sinew_model_find_joint(model, ""), -1);
  assert_int_equal(sinew_model_find_joint(model, NULL), -1);
  assert_int_equal(sinew_model_find_joint(model, "head"), -1);
  sinew_model_release(model);
}

static void clips_are_found_by_name_or_number(void **state) {
  (void)state;
  sinew_model *model = random_model(3, SHAPE_CHAIN, 4, false);
  assert_int_equal(sinew_model_find_clip(model, "Move"), 0);
  assert_int_equal(sinew_model_find_clip(model, "#0"), 0);
  const char *unknown[] = {"#1", "#-1", "#", "#0x", "move", "", "#99999999999999999999"};
  for (int i = 0; i < 7; i++) assert_int_equal(sinew_model_find_clip(model, unknown[i]), -1);
  assert_int_equal(sinew_model_find_clip(model, NULL), -1);
  assert_null(sinew_model_clip(model, 1));
  assert_null(sinew_model_clip(model, -1));
  sinew_model_release(model);
}

/* Where a time falls in rows, by looking at every one of them. */
static void expect_seek(const clip_table *table, double time) {
  int row = 0;
  while (row + 1 < table->row_count && table->times[row + 1] <= (float)time) row++;
  clip_cursor cursor = clip_table_seek(table, time);
  bool at_end = row == table->row_count - 1 || !((float)time > table->times[0]);
  assert_ptr_equal(cursor.a, table->rows + row * table->row_stride);
  if (at_end) assert_near(cursor.weight, 0, 0);
  else
    assert_near(cursor.weight, ((float)time - table->times[row]) / (table->times[row + 1] - table->times[row]), 1e-6);
}

static void times_fall_between_the_right_rows(void **state) {
  (void)state;
  float even[40], uneven[40], step = 1 / 30.0f;
  unsigned char rows[40 * 8] = {0};
  for (int i = 0; i < 40; i++) even[i] = (float)i * step, uneven[i] = (float)(i * i) * 0.01f;
  clip_table tables[] = {{.row_count = 40, .row_stride = 8, .times = even, .rows = rows, .uniform_step = even[1]},
                         {.row_count = 40, .row_stride = 8, .times = uneven, .rows = rows},
                         {.row_count = 1, .row_stride = 8, .times = even, .rows = rows}};
  for (int c = 0; c < 3; c++) {
    for (int i = 0; i < 5000; i++) expect_seek(tables + c, (double)random_range(-1, 17));
    for (int i = 0; i < tables[c].row_count; i++) {
      expect_seek(tables + c, (double)tables[c].times[i]);
      expect_seek(tables + c, (double)nextafterf(tables[c].times[i], 100));
      expect_seek(tables + c, (double)nextafterf(tables[c].times[i], -100));
    }
    expect_seek(tables + c, 1e300);
    expect_seek(tables + c, -1e300);
  }
}

static failing_heap heap;

static void a_model_without_memory_is_an_error(void **state) {
  (void)state;
  joint_desc joint = {.name = "a", .parent = -1, .rest = sinew_transform_identity()};
  model_desc desc = {.path = "hero.glb", .root = sinew_transform_identity(), .joints = &joint, .joint_count = 1};
  failing_heap_install(&heap);
  for (int fail_at = 0; fail_at < 3; fail_at++) {
    sinew_error error = {""};
    heap.left = fail_at;
    assert_null(model_create(&desc, &error));
    assert_non_null(strstr(error.message, "hero.glb"));
  }
  heap.left = 3;
  sinew_model *model = model_create(&desc, NULL);
  assert_non_null(model);
  sinew_model_release(model);
  sinew_set_allocator(NULL);
}

static void questions_out_of_range_have_harmless_answers(void **state) {
  (void)state;
  sinew_model *model = random_model(2, SHAPE_CHAIN, 0, false);
  assert_null(sinew_model_joint_name(model, 3));
  assert_int_equal(sinew_model_joint_parent(model, -1), -1);
  assert_int_equal(sinew_model_mesh(model, 0).vertex_count, 0);
  assert_int_equal(sinew_model_skin(model, 5).count, 0);
  assert_null(sinew_model_note(model, 0));
  assert_near(sinew_model_material(model, -1).base_color[3], 1, 0);
  assert_null(sinew_model_image(model, 0).rgba);
  assert_ptr_equal(sinew_model_retain(model), model);
  sinew_model_release(model);
  sinew_model_release(model);
  sinew_model_release(NULL);
  forget_made_clip();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(joints_are_stored_breadth_first),
      cmocka_unit_test(names_without_their_namespace_come_second),
      cmocka_unit_test(clips_are_found_by_name_or_number),
      cmocka_unit_test(times_fall_between_the_right_rows),
      cmocka_unit_test(a_model_without_memory_is_an_error),
      cmocka_unit_test(questions_out_of_range_have_harmless_answers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
