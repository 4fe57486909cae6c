/* Baked clips: what is written is what was shown. */
#include "support/failing_heap.h"
#include "support/rig.h"

#include "base/file.h"
#include "base/memory/memory.h"
#include "model/pose_group.h"

#include <sinew/actor.h>
#include <sinew/baked_clip.h>
#include <sinew/curve.h>

#include <stdio.h>
#include <unistd.h>

static const double dt = 1.0 / 60;

enum { MOST = 512 };

static char path[64];

static int set_up(void **state) {
  (void)state;
  snprintf(path, sizeof path, "/tmp/sinew-clip-XXXXXX");
  int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  unlink(path);
  strcat(path, ".glb");
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  unlink(path);
  return 0;
}

/* ---- there and back ---- */

typedef struct shown {
  sinew_mat3x4 joints[MOST];
} shown;

static void record(sinew_stage *stage, sinew_actor actor, sinew_baked_clip *clip, int frames, shown *all) {
  sinew_error error = {""};
  for (int i = 0; i < frames; i++) {
    if (!sinew_baked_clip_add_key(clip, i * dt, sinew_actor_pose(stage, actor), NULL, &error))
      fail_msg("%s", error.message);
    memcpy(all[i].joints, sinew_actor_joints(stage, actor),
           (size_t)sinew_model_joint_count(sinew_baked_clip_model(clip)) * sizeof(sinew_mat3x4));
    sinew_stage_update(stage, dt);
  }
  assert_int_equal(sinew_baked_clip_key_count(clip), frames);
  if (!sinew_baked_clip_write(clip, path, "Leap", &error)) fail_msg("%s", error.message);
}

/* The largest distance between elements of the joints with names. */
static double worst_of(const sinew_model *model, const sinew_model *read, double time, const sinew_mat3x4 *want) {
  int count = sinew_model_joint_count(read);
  sinew_pose pose = {calloc((size_t)sinew_pose_group_count(count), sizeof(sinew_pose_group)), count};
  sinew_mat3x4 *joints = calloc((size_t)count, sizeof *joints);
  double worst = 0;
  assert_true(sinew_sample(&(sinew_sample_job){read, sinew_model_clip(read, 0), time, pose}));
  assert_true(sinew_local_to_model(&(sinew_local_to_model_job){read, pose, joints, 0}));
  for (int j = 1; j < sinew_model_joint_count(model); j++) {
    int other = sinew_model_find_joint(read, sinew_model_joint_name(model, j));
    assert_true(other > 0);
    for (int e = 0; e < 12; e++) worst = fmax(worst, fabs((double)joints[other].m[e] - (double)want[j].m[e]));
  }
  free(pose.groups), free(joints);
  return worst;
}

static sinew_model *read_back(void) {
  sinew_error error = {""};
  sinew_load_options options = sinew_load_options_default();
  options.exact = true;
  sinew_model *read = sinew_model_load(path, &options, &error);
  if (!read) fail_msg("%s", error.message);
  assert_int_equal(sinew_model_clip_count(read), 1);
  assert_string_equal(sinew_clip_name(sinew_model_clip(read, 0)), "Leap");
  return read;
}

static void a_crossfade_comes_back(void **state) {
  char file[1024];
  (void)state;
  snprintf(file, sizeof file, "%s/assets/hero.glb", SINEW_SOURCE);
  if (!file_exists(file)) skip();
  sinew_model *model = sinew_model_load(file, NULL, NULL);
  sinew_stage *stage = sinew_stage_create(NULL);
  sinew_actor actor = sinew_actor_create(stage, "hero", model, NULL);
  sinew_play_def def = sinew_play_def_default();
  shown *all = calloc(60, sizeof *all);
  for (int i = 0; i < 2; i++) {
    def.clip = sinew_model_find_clip(model, i ? "Run" : "Walk"), def.fade = i ? 0.5 : 0;
    sinew_actor_play(stage, actor, &def, NULL);
    sinew_stage_update(stage, 0.2);
  }
  sinew_baked_clip *clip = sinew_baked_clip_create(model, NULL);
  record(stage, actor, clip, 60, all);
  sinew_model *read = read_back();
  double worst = 0;
  for (int i = 0; i < 60; i++) worst = fmax(worst, worst_of(model, read, i * dt, all[i].joints));
  printf("# %.2g m at most\n", worst);
  assert_true(worst <= 1e-5);
  assert_near(sinew_clip_duration(sinew_model_clip(read, 0)), 59 * dt, 1e-6);
  sinew_model_release(read);
  sinew_baked_clip_destroy(clip);
  sinew_stage_destroy(stage);
  sinew_model_release(model);
  free(all);
}

/* ---- the file ---- */

static sinew_transform spin(int joint, double t) {
  sinew_transform at = sinew_transform_identity();
  at.translation.y = (float)joint;
  at.rotation = sinew_quat_from_axis_angle((sinew_vec3){0, 1, 0}, (float)(10 * t));
  return at;
}

static sinew_model *make_model(void) {
  const joint_desc joints[] = {{.name = "a \"b\"\\\n", .parent = -1, .rest = spin(0, 0)},
                               {.name = "Käse", .parent = 0, .rest = spin(1, 0)}};
  return make_rig(joints, 2, spin, 2, 65);
}

enum { KEYS = 40, GROUPS = 1 };

/* Up and down in lines, a bend, and what stands. */
static const char *const curves[] = {"grip \"l\"\\", "bend", "still"};

static double curve_value(int curve, int key) {
  return curve == 0 ? abs(key - 13) / 8.0 : curve == 1 ? sin(key * 0.3) : -0.1;
}

static bool add_curves(sinew_baked_clip *clip, int key) {
  for (int i = 0; i < 3; i++)
    if (!sinew_baked_clip_add_curve_key(clip, curves[i], key * 0.05, curve_value(i, key), NULL)) return false;
  return true;
}

static sinew_baked_clip *make_take(sinew_model *model, const sinew_transform *position) {
  sinew_pose_group group;
  sinew_pose pose = {&group, 3};
  sinew_baked_clip *clip = sinew_baked_clip_create(model, NULL);
  for (int i = 0; clip && i < KEYS; i++) {
    sinew_sample(&(sinew_sample_job){model, sinew_model_clip(model, 0), i * 0.05, pose});
    sinew_transform t = sinew_pose_joint(&pose, 1); /* of either sign */
    if (i % 3 == 1) t.rotation = (sinew_quat){-t.rotation.x, -t.rotation.y, -t.rotation.z, -t.rotation.w};
    sinew_pose_set_joint(&pose, 1, &t);
    if (sinew_baked_clip_add_key(clip, i * 0.05, pose, position, NULL) && add_curves(clip, i)) continue;
    sinew_baked_clip_destroy(clip);
    return NULL;
  }
  return clip;
}

/* The floats of the file: all times, then the channels of one joint after the other. */
static float *read_floats(size_t *count) {
  sinew_error error;
  size_t size;
  uint32_t json, data;
  unsigned char *file = file_read(path, 1 << 20, &size, &error);
  assert_non_null(file);
  memcpy(&json, file + 12, 4);
  memcpy(&data, file + 20 + json, 4);
  assert_int_equal(28 + json + data, size);
  float *values = malloc(data);
  memcpy(values, file + 28 + json, data);
  mem_free(file);
  *count = data / sizeof *values;
  return values;
}

static void neighbouring_rotations_have_one_sign_and_what_stands_has_one_key(void **state) {
  (void)state;
  sinew_model *model = make_model();
  sinew_baked_clip *clip = make_take(model, NULL);
  assert_true(sinew_baked_clip_write(clip, path, "Spin", NULL));
  size_t count;
  float *values = read_floats(&count);
  assert_int_equal(count, KEYS + 10 + 2 * (3 + 4 * KEYS + 3));
  const float *rotations = values + KEYS + 10 + 3;
  for (int i = 1; i < KEYS; i++) {
    double dot = 0;
    for (int e = 0; e < 4; e++) dot += (double)rotations[4 * i + e] * (double)rotations[4 * i - 4 + e];
    assert_true(dot > 0.9);
  }
  free(values);
  sinew_baked_clip_destroy(clip);
  sinew_model_release(model);
}

static void any_name_and_the_place_of_the_character_come_back(void **state) {
  (void)state;
  sinew_model *model = make_model();
  sinew_transform position = {{1, 2, 3}, {0, 0, 0, 1}, {1, 1, 1}};
  sinew_baked_clip *clip = make_take(model, &position);
  assert_true(sinew_baked_clip_write(clip, path, "Leap", NULL));
  sinew_model *read = read_back();
  assert_true(sinew_model_find_joint(read, "a \"b\"\\\n") > 0);
  int joint = sinew_model_find_joint(read, "Käse");
  assert_true(joint > 0);
  sinew_mat3x4 want[3];
  sinew_pose_group group;
  sinew_pose pose = {&group, 3};
  sinew_sample(&(sinew_sample_job){model, sinew_model_clip(model, 0), 0.5, pose});
  sinew_local_to_model(&(sinew_local_to_model_job){model, pose, want, 0});
  for (int j = 0; j < 3; j++) want[j].m[3] += 1, want[j].m[7] += 2, want[j].m[11] += 3;
  assert_true(worst_of(model, read, 0.5, want) < 1e-5);
  sinew_model_release(read);
  sinew_baked_clip_destroy(clip);
  sinew_model_release(model);
}

static void curves_come_back_with_the_keys_that_bend_them(void **state) {
  static const int keys[] = {3, KEYS, 2};
  sinew_error error = {""};
  (void)state;
  sinew_model *model = make_model();
  sinew_baked_clip *clip = make_take(model, NULL);
  assert_true(sinew_baked_clip_has_curve(clip, "bend") && !sinew_baked_clip_has_curve(clip, "grip"));
  assert_true(sinew_baked_clip_write(clip, path, "Leap", NULL));
  sinew_model *read = read_back();
  sinew_stage *stage = sinew_stage_create(&error);
  for (int i = 0; i < 3; i++) {
    assert_string_equal(sinew_clip_curve(sinew_model_clip(read, 0), i).name, curves[i]);
    int count = sinew_clip_curve(sinew_model_clip(read, 0), i).count;
    if (count > keys[i] + 2) fail_msg("'%s' has %d keys", curves[i], count);
    for (int k = 0; k < KEYS; k++) {
      double value;
      assert_true(sinew_stage_curve(stage, read, 0, curves[i], k * 0.05, &value));
      assert_near(value, curve_value(i, k), 1e-6); /* the clip's end is a float */
    }
  }
  sinew_stage_destroy(stage);
  sinew_model_release(read);
  sinew_baked_clip_destroy(clip);
  sinew_model_release(model);
}

/* ---- misuse ---- */

static void what_is_no_key_of_a_curve_is_refused(void **state) {
  static const struct {
    const char *name, *reason;
    double time, value;
  } cases[] = {{"", "1 to 63 bytes", 1, 0},
               {NULL, "1 to 63 bytes", 1, 0},
               {"a", "not finite", (double)NAN, 0},
               {"a", "not finite", 1, (double)INFINITY},
               {"a", "outside", -1, 0},
               {"still", "earlier", 0.1, 0},
               {"65th", "64 curves", 1, 0}};
  (void)state;
  sinew_model *model = make_model();
  sinew_baked_clip *clip = make_take(model, NULL);
  for (int i = 3; i < 64; i++) {
    char name[16];
    snprintf(name, sizeof name, "c%d", i);
    assert_true(sinew_baked_clip_add_curve_key(clip, name, 1, 0, NULL));
  }
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sinew_error error = {""};
    assert_false(sinew_baked_clip_add_curve_key(clip, cases[i].name, cases[i].time, cases[i].value, &error));
    if (!strstr(error.message, cases[i].reason)) fail_msg("%s", error.message);
  }
  sinew_baked_clip_destroy(clip);
  sinew_model_release(model);
}

static void what_cannot_be_recorded_says_why_and_adds_nothing(void **state) {
  sinew_error error;
  (void)state;
  sinew_model *model = make_model();
  sinew_baked_clip *clip = sinew_baked_clip_create(model, NULL);
  sinew_pose rest = model_rest_pose(model);
  assert_false(sinew_baked_clip_write(clip, path, "Leap", &error));
  assert_non_null(strstr(error.message, "no key"));
  sinew_transform nowhere = {{NAN, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
  assert_false(sinew_baked_clip_add_key(clip, 0, (sinew_pose){rest.groups, 2}, NULL, &error));
  assert_false(sinew_baked_clip_add_key(clip, -1, rest, NULL, &error));
  assert_false(sinew_baked_clip_add_key(clip, NAN, rest, NULL, &error));
  assert_false(sinew_baked_clip_add_key(clip, 0, rest, &nowhere, &error));
  assert_non_null(strstr(error.message, "not finite"));
  assert_true(sinew_baked_clip_add_key(clip, 1, rest, NULL, &error));
  assert_false(sinew_baked_clip_add_key(clip, 1, rest, NULL, &error));
  assert_non_null(strstr(error.message, "not later"));
  assert_int_equal(sinew_baked_clip_key_count(clip), 1);
  assert_false(sinew_baked_clip_write(clip, "/nowhere/at/all.glb", "Leap", &error));
  assert_non_null(strstr(error.message, "/nowhere/at/all.glb"));
  sinew_baked_clip_destroy(clip);
  sinew_model_release(model);
}

static void every_request_for_memory_may_fail(void **state) {
  failing_heap heap = {.left = -1};
  sinew_error error;
  (void)state;
  failing_heap_install(&heap);
  sinew_model *model = make_model();
  bool written = false;
  for (long left = 0; !written; left++) {
    heap.left = left;
    sinew_baked_clip *clip = make_take(model, NULL);
    written = clip && sinew_baked_clip_write(clip, path, "Leap", &error);
    if (clip && !written) assert_non_null(strstr(error.message, "memory"));
    heap.left = -1;
    sinew_baked_clip_destroy(clip);
    assert_true(left < 200);
  }
  sinew_model_release(model);
  assert_int_equal(heap.living, 0);
  sinew_set_allocator(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_crossfade_comes_back, set_up, tear_down),
      cmocka_unit_test_setup_teardown(neighbouring_rotations_have_one_sign_and_what_stands_has_one_key, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(any_name_and_the_place_of_the_character_come_back, set_up, tear_down),
      cmocka_unit_test_setup_teardown(curves_come_back_with_the_keys_that_bend_them, set_up, tear_down),
      cmocka_unit_test(what_is_no_key_of_a_curve_is_refused),
      cmocka_unit_test_setup_teardown(what_cannot_be_recorded_says_why_and_adds_nothing, set_up, tear_down),
      cmocka_unit_test_setup_teardown(every_request_for_memory_may_fail, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
