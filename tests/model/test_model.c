#include "support/fixture.h"

#include "model/clip/clip_pack.h"
#include "model/names/model_names.h"

#include "support/failing_heap.h"

#include "base/memory/block.h"

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

/* ---- joints by name and path, by the definition ---- */

static bool is_called(const sinew_model *model, int joint, const char *name) {
  const char *own = sinew_model_joint_name(model, joint);
  return strcmp(own, name) == 0 || strcmp(joint_name_bare(own), name) == 0;
}

static int named_parent(const sinew_model *model, int joint) {
  do joint = sinew_model_joint_parent(model, joint);
  while (joint > 0 && !sinew_model_joint_name(model, joint)[0]);
  return joint;
}

/* The number of joints that a path skips on its way up from the joint; -1 if it does not match. */
static int gaps_of(const sinew_model *model, int joint, const char *path) {
  char text[64], *parts[64];
  int count = 0, gaps = 0;
  snprintf(text, sizeof text, "%s", path + (path[0] == '/'));
  for (char *part = strtok(text, "/"); part; part = strtok(NULL, "/")) parts[count++] = part;
  if (count == 0 || !is_called(model, joint, parts[--count])) return -1;
  while (count > 0 && (joint = named_parent(model, joint)) > 0)
    if (is_called(model, joint, parts[count - 1])) count--;
    else gaps++;
  if (count > 0 || (path[0] == '/' && named_parent(model, joint) > 0)) return -1;
  return gaps;
}

/* 0: called so; 1: so without a namespace; 2: a path without gaps; 3: with; 4: not at all. */
static int answer_of(const sinew_model *model, int joint, const char *path) {
  const char *name = sinew_model_joint_name(model, joint);
  if (strcmp(name, path) == 0) return 0;
  if (strcmp(joint_name_bare(name), path) == 0) return 1;
  int gaps = strchr(path, '/') ? gaps_of(model, joint, path) : -1;
  return gaps < 0 ? 4 : gaps > 0 ? 3 : 2;
}

static int first_joint(const sinew_model *model, const char *path) {
  int best = -1, best_answer = 4, best_rank = 0;
  for (int i = 1; i < sinew_model_joint_count(model); i++) {
    int answer = answer_of(model, i, path), rank = model->ranks[i];
    if (answer > best_answer || answer == 4 || (answer == best_answer && rank >= best_rank)) continue;
    best = i, best_answer = answer, best_rank = rank;
  }
  return best;
}

/* Of so few letters that most names come more than once. */
static char *random_text(char *text, const char *letters, int most) {
  int length = (int)random_range(0, (float)most + 0.99f);
  for (int i = 0; i < length; i++) text[i] = letters[(int)random_range(0, (float)strlen(letters) - 0.01f)];
  text[length] = 0;
  return text;
}

static void random_path(char path[64]) {
  size_t used = 0;
  path[0] = 0;
  for (int parts = (int)random_range(1, 4.99f), i = 0; i < parts; i++, used = strlen(path)) {
    char part[8];
    snprintf(path + used, 64 - used, "%s%s", i || random_range(0, 1) < 0.2f ? "/" : "", random_text(part, "ab:|", 3));
  }
  if (strstr(path, "//") || (used && path[used - 1] == '/')) path[0] = 0; /* parts have names */
}

static void names_and_paths_are_found_as_defined(void **state) {
  enum { COUNT = 120 };
  char names[COUNT][8], wanted[64];
  uint8_t ranks[COUNT];
  joint_desc joints[COUNT];
  int found = 0;
  (void)state;
  for (int i = 0; i < COUNT; i++) {
    ranks[i] = (uint8_t)random_range(0, 2.99f);
    joints[i] = (joint_desc){.name = random_text(names[i], "ab:|", 3),
                             .parent = i ? i - 1 - (int)random_range(0, i < 4 ? 0.0f : 3.99f) : -1,
                             .rest = sinew_transform_identity()};
  }
  model_desc desc = {.path = "x", .root = sinew_transform_identity(), .joints = joints, .joint_count = COUNT};
  desc.ranks = ranks;
  sinew_model *model = model_create(&desc, NULL);
  for (int i = 0; i < 20000; i++) {
    random_path(wanted);
    int expected = wanted[0] ? first_joint(model, wanted) : -1, joint = sinew_model_find_joint(model, wanted);
    if (joint != expected) fail_msg("'%s' is joint %d and was found as %d", wanted, expected, joint);
    found += joint > 0 && strchr(wanted, '/');
  }
  assert_true(found > 500);
  sinew_model_release(model);
}

/* Each name once, as it comes first; and its number in every mesh that has it. */
static void morph_targets_are_numbered_by_name(void **state) {
  enum { MESHES = 3, TARGETS = 4 };
  static const char *const names[MESHES][TARGETS] = {
      {"smile", "blink", "blink", "a"}, {"frown", "blink", "a", "b"}, {"smile", "b", "zz", ""}};
  static const char *const all[] = {"smile", "blink", "a", "frown", "b", "zz", ""};
  sinew_morph_view morphs[MESHES][TARGETS] = {0};
  sinew_mesh_view meshes[MESHES];
  const float corner[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  (void)state;
  for (int m = 0; m < MESHES; m++) {
    for (int i = 0; i < TARGETS; i++) morphs[m][i] = (sinew_morph_view){.name = names[m][i], .positions = corner};
    meshes[m] = (sinew_mesh_view){
        .joint = -1, .skin = 0, .material = -1, .same_as = -1, .morphs = morphs[m], .morph_count = TARGETS};
  }
  model_desc desc = {.path = "x", .root = sinew_transform_identity(), .meshes = meshes, .mesh_count = MESHES};
  sinew_model *model = model_create(&desc, NULL);
  assert_int_equal(sinew_model_morph_count(model), 7);
  for (int i = 0; i < 7; i++) {
    assert_string_equal(sinew_model_morph_name(model, i), all[i]);
    assert_int_equal(sinew_model_find_morph(model, all[i]), i);
  }
  for (int k = 0; k < MESHES * TARGETS; k++)
    assert_string_equal(all[model->names->morph_numbers[k]], names[k / TARGETS][k % TARGETS]);
  assert_null(sinew_model_morph_name(model, 7));
  assert_null(sinew_model_morph_name(model, -1));
  assert_int_equal(sinew_model_find_morph(model, "none"), -1);
  assert_int_equal(sinew_model_find_morph(model, NULL), -1);
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

/* ---- rows ---- */

typedef struct timed {
  track_group_desc desc;
  track_group track_group;
} timed;

static void lay_times(block *b, void *user) {
  timed *t = user;
  block_take(b, 1, 1); /* what block_release is given */
  clip_times_lay(b, &t->desc, &t->track_group);
}

/* Where a time falls in rows, by looking at every one of them. `slack`: of a step. */
static void expect_seek(const timed *t, double time, double slack) {
  static const unsigned char rows[8 * 512];
  const float *times = t->desc.times;
  track_group tracks = t->track_group;
  const clip_segment segment = {.stride = 8};
  tracks.shift = 30, tracks.segment_count = 1, tracks.segments = &segment, tracks.frames = rows;
  int row = 0, last = t->desc.frame_count - 1;
  while (row < last && times[row + 1] <= (float)time) row++;
  clip_cursor cursor = track_group_seek(&tracks, time);
  assert_true(cursor.weight >= 0 && cursor.weight <= 1 && cursor.a <= rows + 8 * last && cursor.b <= rows + 8 * last);
  double position = (double)(cursor.a - rows) / 8 + (double)cursor.weight, expected = row;
  if (row < last && (float)time > times[0])
    expected += ((double)(float)time - (double)times[row]) / ((double)times[row + 1] - (double)times[row]);
  assert_near(position, expected, slack);
  if (t->track_group.cell_count) assert_int_equal((cursor.a - rows) / 8, row);
}

/* Whether they are told to be even; the row of many times, on keys and beside them. */
static void expect_rows(const float *times, int count, bool step, bool even, double slack) {
  const clip_track track = {.kind = TRACK_TRANSLATION, .step = step};
  timed t = {.desc = {.times = times, .frame_count = count, .tracks = &track, .track_count = 1}};
  void *memory = block_create(lay_times, &t, "times", NULL);
  assert_int_equal(t.track_group.cell_count == 0, even);
  for (int i = 0; i < 2000; i++) expect_seek(&t, (double)random_range(-0.1f, 1.1f) * (double)times[count - 1], slack);
  for (int i = 0; i < count; i++) {
    expect_seek(&t, (double)times[i], slack);
    expect_seek(&t, (double)nextafterf(times[i], 100), slack);
    expect_seek(&t, (double)nextafterf(times[i], -100), slack);
  }
  expect_seek(&t, 1e300, slack);
  expect_seek(&t, -1e300, slack);
  block_release(memory);
}

static void times_fall_between_the_right_rows(void **state) {
  (void)state;
  enum { COUNT = 200 };
  float even[COUNT], squares[COUNT], uneven[COUNT], clumped[COUNT], shortened[COUNT];
  for (int i = 0; i < COUNT; i++) {
    even[i] = (float)(i / 30.0), squares[i] = (float)(i * i) * 0.01f;
    uneven[i] = i ? uneven[i - 1] + random_range(0.001f, 0.2f) : 0.05f;
    clumped[i] = i == COUNT - 1 ? 1000 : (float)i * 1e-4f; /* all but one in one cell */
    shortened[i] = i == COUNT - 1 ? even[i - 1] + 0.01f : even[i];
  }
  expect_rows(even, COUNT, false, true, 2e-4);
  expect_rows(shortened, COUNT, false, true, 4e-4);
  expect_rows(even, 2, false, true, 1e-6);
  expect_rows(shortened + COUNT - 2, 2, false, false, 1e-6); /* begins late */
  expect_rows(even, 1, false, true, 0);
  expect_rows(even, COUNT, true, false, 1e-6);
  expect_rows(squares, COUNT, false, false, 1e-6);
  expect_rows(uneven, COUNT, false, false, 1e-6);
  expect_rows(clumped, COUNT, false, false, 1e-6);
  shortened[COUNT - 1] = nextafterf(shortened[COUNT - 2], 100); /* nothing that a rate could find */
  expect_rows(shortened, COUNT, false, false, 1e-6);
}

static failing_heap heap;

static void a_model_without_memory_is_an_error(void **state) {
  (void)state;
  joint_desc joint = {.name = "a", .parent = -1, .rest = sinew_transform_identity()};
  model_desc desc = {.path = "hero.glb", .root = sinew_transform_identity(), .joints = &joint, .joint_count = 1};
  failing_heap_install(&heap);
  for (int fail_at = 0; fail_at < 8; fail_at++) {
    sinew_error error = {""};
    heap.left = fail_at;
    assert_null(model_create(&desc, &error));
    assert_non_null(strstr(error.message, "hero.glb"));
  }
  heap.left = 8;
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
      cmocka_unit_test(names_and_paths_are_found_as_defined),
      cmocka_unit_test(morph_targets_are_numbered_by_name),
      cmocka_unit_test(clips_are_found_by_name_or_number),
      cmocka_unit_test(times_fall_between_the_right_rows),
      cmocka_unit_test(a_model_without_memory_is_an_error),
      cmocka_unit_test(questions_out_of_range_have_harmless_answers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
