/* Poses in files: the same bits come back, joints meet by name, and whatever else is in the file gets a sentence. */
#include "model/pose_group.h"
#include "support/failing_heap.h"
#include "support/fixture.h"

#include <sinew/pose_file.h>

#include <stdio.h>
#include <unistd.h>

static char path[64];

static int set_up(void **state) {
  (void)state;
  snprintf(path, sizeof path, "/tmp/sinew-pose-%ld.pose", (long)getpid());
  random_seed(5);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  unlink(path);
  return 0;
}

static sinew_model *named(const char *const *names, int count) {
  joint_desc joints[16];
  for (int i = 0; i < count; i++)
    joints[i] = (joint_desc){.name = names[i], .parent = i - 1, .rest = random_transform(true)};
  model_desc desc = {.path = "rig", .root = sinew_transform_identity(), .joints = joints, .joint_count = count};
  sinew_model *model = model_create(&desc, NULL);
  assert_non_null(model);
  return model;
}

static void write_text(const char *text, size_t size) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, size, file), size);
  fclose(file);
}

static size_t read_text(char *out, size_t size) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  size_t got = fread(out, 1, size - 1, file);
  out[got] = 0;
  fclose(file);
  return got;
}

typedef struct met {
  int missing, unknown;
  char names[512];
} met;

static void count_missing(void *user, int joint) {
  assert_in_range(joint, 1, 1000);
  ((met *)user)->missing++;
}

static void count_unknown(void *user, const char *name) {
  met *m = user;
  m->unknown++;
  strcat(strcat(m->names, name), ";");
}

static met read_pose(const sinew_model *model, sinew_pose out) {
  met m = {0};
  sinew_error error = {""};
  sinew_pose_report report = {count_missing, count_unknown, &m};
  if (!sinew_pose_read(path, model, out, &report, &error)) fail_msg("%s", error.message);
  return m;
}

static void expect_same_bits(sinew_pose a, sinew_pose b) {
  for (int i = 1; i < a.joint_count; i++) {
    sinew_transform s = sinew_pose_joint(&a, i), t = sinew_pose_joint(&b, i);
    assert_memory_equal(&s, &t, sizeof s);
  }
}

/* Names that texts could stumble over, twins and one without a name among them. */
static void the_same_bits_come_back(void **state) {
  (void)state;
  static const char *const names[] = {"Hips",
                                      "two words",
                                      " spaces ",
                                      "",
                                      "back\\slash",
                                      "line\nbreak",
                                      "twin",
                                      "twin",
                                      "#no note",
                                      "end",
                                      "\xc3\xa4\xe2\x82\xac",
                                      "7 8 9 1",
                                      "tab\tand\r\n",
                                      "\\x41",
                                      "joints 12",
                                      "mixamorig:Spine"};
  sinew_model *model = named(names, 16);
  for (int turn = 0; turn < 20; turn++) {
    sinew_pose pose = random_pose(17, true), back = random_pose(17, true);
    sinew_transform strange = random_transform(true);
    strange.translation = (sinew_vec3){1e-38f, -3.4e38f, -0.0f};
    strange.scale = (sinew_vec3){1e-45f, 0, -1};
    sinew_pose_set_joint(&pose, 5, &strange);
    sinew_error error;
    if (!sinew_pose_write(path, model, pose, &error)) fail_msg("%s", error.message);
    met m = read_pose(model, back);
    assert_int_equal(m.missing + m.unknown, 0);
    expect_same_bits(pose, back);
    free(pose.groups), free(back.groups);
  }
  sinew_model_release(model);
}

static void joints_meet_by_name(void **state) {
  (void)state;
  static const char *const from[] = {"Root", "Arm", "Tail", "mixamorig:Head"}, *const to[] = {"Head", "Wing", "Arm"};
  sinew_model *a = named(from, 4), *b = named(to, 3);
  sinew_pose pose = random_pose(5, true), back = random_pose(4, true), rest = model_rest_pose(b);
  assert_true(sinew_pose_write(path, a, pose, NULL));
  met m = read_pose(b, back);
  assert_int_equal(m.missing, 2);
  assert_string_equal(m.names, "Root;Tail;mixamorig:Head;");
  sinew_transform t = sinew_pose_joint(&pose, 2), u = sinew_pose_joint(&back, 3);
  assert_memory_equal(&t, &u, sizeof t);
  t = sinew_pose_joint(&rest, 2), u = sinew_pose_joint(&back, 2);
  assert_memory_equal(&t, &u, sizeof t);
  assert_true(sinew_pose_read(path, b, back, NULL, NULL));
  sinew_model_release(a), sinew_model_release(b);
  free(pose.groups), free(back.groups);
}

/* By hand, as on Windows, with notes. */
static void people_may_edit_it(void **state) {
  (void)state;
  static const char text[] =
      "# mine\r\nsinew pose 1\r\n\r\njoints 1\r\n  1 2 3  0 0 0 1  1 1 1 Hips\r\n# so\r\nend\r\n\r\n";
  static const char *const names[] = {"Hips"};
  sinew_model *model = named(names, 1);
  sinew_pose back = random_pose(2, true);
  write_text(text, sizeof text - 1);
  met m = read_pose(model, back);
  assert_int_equal(m.missing + m.unknown, 0);
  sinew_transform t = sinew_pose_joint(&back, 1);
  assert_true(t.translation.y == 2 && t.rotation.w == 1 && t.scale.z == 1);
  sinew_model_release(model);
  free(back.groups);
}

/* ---- what is refused ---- */

static void expect_refused(const sinew_model *model, const char *text, size_t size, const char *why) {
  sinew_error error = {""};
  sinew_pose out = random_pose(model->joint_count, true), before = copy_pose(out);
  write_text(text, size);
  if (sinew_pose_read(path, model, out, NULL, &error)) fail_msg("not refused (%s): %s", why, text);
  if (!strstr(error.message, why) || !strstr(error.message, path)) fail_msg("'%s' is not: %s", why, error.message);
  expect_same_bits(out, before);
  free(out.groups), free(before.groups);
}

#define HEAD "sinew pose 1\njoints 1\n"
#define GOOD "0 0 0 0 0 0 1 1 1 1 "

static void what_is_no_pose_gets_a_sentence(void **state) {
  (void)state;
  static const char *const names[] = {"Hips", "Head"};
  static const struct {
    const char *text, *why;
  } cases[] = {
      {"{}", "this is not a pose"},
      {"\n\n", "this is not a pose"},
      {"sinew pose 1.5\njoints 0\nend\n", "this is not a pose"},
      {"sinew pose 2\njoints 0\nend\n", "has version 2"},
      {"sinew pose 1\n", "come second"},
      {"sinew pose 1\njoints -1\nend\n", "come second"},
      {"sinew pose 1\njoints 99999999\nend\n", "come second"},
      {"sinew pose 1\njoints 99999999999999999999\nend\n", "come second"},
      {HEAD "end\n", "it ends after 0 of 1 joints"},
      {HEAD GOOD "Hips\n", "\"end\" is missing"},
      {HEAD GOOD "Hips\n" GOOD "Head\nend\n", "after the last joint comes \"end\""},
      {HEAD GOOD "Hips\nend\nmore", "something after \"end\""},
      {HEAD "0 0 0 0 0 0 1 1 1 Hips\nend\n", ":3: a joint is ten numbers and a name"},
      {HEAD "0,5 0 0 0 0 0 1 1 1 1 Hips\nend\n", "ten numbers and a name"},
      {HEAD "nan 0 0 0 0 0 1 1 1 1 Hips\nend\n", ":3: a number is not finite"},
      {HEAD "1e39 0 0 0 0 0 1 1 1 1 Hips\nend\n", "not finite"},
      {HEAD "0 0 0 0 0 0 1 1 1 -inf Hips\nend\n", "not finite"},
      {HEAD "0 0 0 0 0 0 0 1 1 1 Hips\nend\n", "unit length"},
      {HEAD "0 0 0 0 0 0 1.1 1 1 1 Hips\nend\n", "unit length"},
      {HEAD "0 0 0 1e30 0 0 1 1 1 1 Hips\nend\n", "unit length"},
      {"sinew pose 1\njoints 2\n" GOOD "Hips\n" GOOD "Hips\nend\n", ":4: the joint 'Hips' is listed twice"},
  };
  sinew_model *model = named(names, 2);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    expect_refused(model, cases[i].text, strlen(cases[i].text), cases[i].why);
  expect_refused(model, HEAD GOOD "Hi\0ps\nend\n", sizeof HEAD GOOD "Hi\0ps\nend\n" - 1, "this is not text");
  char *huge = malloc(17 << 20);
  memset(huge, ' ', 17 << 20);
  expect_refused(model, huge, 17 << 20, "more than the 16777216 that are read");
  free(huge);
  unlink(path);
  sinew_error error;
  sinew_pose out = random_pose(3, true);
  assert_false(sinew_pose_read(path, model, out, NULL, &error));
  assert_false(sinew_pose_read("/tmp", model, out, NULL, &error));
  out.joint_count = 2;
  assert_false(sinew_pose_read(path, model, out, NULL, &error));
  assert_non_null(strstr(error.message, "2 joints and the model 3"));
  free(out.groups);
  sinew_model_release(model);
}

/* Cut anywhere but in its last line break, a file is not taken for a whole one. */
static void no_part_of_a_file_passes(void **state) {
  (void)state;
  static const char *const names[] = {"Hips", "Head"};
  static char text[1024];
  sinew_model *model = named(names, 2);
  sinew_pose pose = random_pose(3, true);
  assert_true(sinew_pose_write(path, model, pose, NULL));
  size_t size = read_text(text, sizeof text);
  assert_true(size > 100);
  for (size_t cut = 1; cut + 1 < size; cut++) {
    sinew_error error = {""};
    write_text(text, cut);
    assert_false(sinew_pose_read(path, model, pose, NULL, &error));
    assert_true(error.message[0] != 0);
  }
  sinew_model_release(model);
  free(pose.groups);
}

static void what_is_not_finite_is_not_written(void **state) {
  (void)state;
  static const char *const names[] = {"Hips", "Head"};
  sinew_error error;
  sinew_model *model = named(names, 2);
  sinew_pose pose = random_pose(3, true);
  sinew_transform t = sinew_pose_joint(&pose, 2);
  assert_true(sinew_pose_write(path, model, pose, NULL));
  t.scale.y = NAN;
  sinew_pose_set_joint(&pose, 2, &t);
  assert_false(sinew_pose_write(path, model, pose, &error));
  assert_non_null(strstr(error.message, "the joint 'Head' is not finite"));
  assert_true(sinew_pose_read(path, model, pose, NULL, NULL)); /* the old one stayed */
  assert_false(sinew_pose_write("/nowhere/at/all.pose", model, pose, &error));
  sinew_model_release(model);
  free(pose.groups);
}

static void without_memory_there_is_a_sentence(void **state) {
  (void)state;
  static const char *const names[] = {"Hips", "Head"};
  sinew_model *model = named(names, 2);
  sinew_pose pose = random_pose(3, true);
  bool done = false;
  for (long requests = 0; !done; requests++) {
    failing_heap heap = {.left = requests};
    sinew_error error = {""};
    failing_heap_install(&heap);
    done = sinew_pose_write(path, model, pose, &error) && sinew_pose_read(path, model, pose, NULL, &error);
    assert_int_equal(heap.living, 0);
    sinew_set_allocator(NULL);
    assert_true(done || error.message[0]);
    assert_in_range(requests, 0, 20);
  }
  sinew_model_release(model);
  free(pose.groups);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_same_bits_come_back),
      cmocka_unit_test(joints_meet_by_name),
      cmocka_unit_test(people_may_edit_it),
      cmocka_unit_test(what_is_no_pose_gets_a_sentence),
      cmocka_unit_test(no_part_of_a_file_passes),
      cmocka_unit_test(what_is_not_finite_is_not_written),
      cmocka_unit_test(without_memory_there_is_a_sentence),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
