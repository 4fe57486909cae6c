/* Our own character, which has each gait twice: on the spot, and with a root that travels. */
#include "support/fixture.h"

#include "base/file.h"

#include <sinew/modifier_jobs.h>
#include <sinew/motion.h>

enum { PATH = 241, FEET = 4 };

static sinew_model *load_hero(void) {
  char path[1024];
  snprintf(path, sizeof path, "%s/assets/hero.glb", SINEW_SOURCE);
  if (!file_exists(path)) skip();
  sinew_model *model = sinew_model_load(path, NULL, NULL);
  assert_non_null(model);
  return model;
}

static const sinew_clip *clip_of(const sinew_model *model, const char *name) {
  int index = sinew_model_find_clip(model, name);
  assert_true(index >= 0);
  return sinew_model_clip(model, index);
}

static void find_feet(const sinew_model *model, int feet[FEET]) {
  const char *names[FEET] = {"LeftFoot", "RightFoot", "LeftToeBase", "RightToeBase"};
  for (int i = 0; i < FEET; i++) assert_true((feet[i] = sinew_model_find_joint(model, names[i])) > 0);
}

/* The length of a stride in the travelling clip. */
static double stride_of(const sinew_model *model, const char *name) {
  sinew_root_track track = {model, clip_of(model, name), sinew_model_find_joint(model, "Root"),
                            SINEW_ROOT_X | SINEW_ROOT_Z | SINEW_ROOT_YAW};
  sinew_transform moved;
  assert_true(sinew_root_motion(&(sinew_root_motion_job){track, 0, 0, 1, 0, 0, &moved}));
  assert_near(moved.translation.x, 0, 1e-3);
  return (double)moved.translation.z;
}

/* The feet of the clip on the spot say what the root of the travelling one does, from the ankles as from all joints. */
static void planted_feet_walk_as_far_as_the_root(void **state) {
  (void)state;
  sinew_model *model = load_hero();
  int feet[FEET];
  find_feet(model, feet);
  sinew_vec3 path[PATH];
  const char *pairs[][2] = {{"Walk", "WalkRoot"}, {"Run", "RunRoot"}};
  for (int i = 0; i < 2; i++)
    for (int count = 2; count <= FEET; count += 2) {
      sinew_root_from_feet_job job = {model, clip_of(model, pairs[i][0]), feet, count, 0.02f, path, PATH};
      assert_true(sinew_root_from_feet(&job));
      double want = stride_of(model, pairs[i][1]), got = (double)path[PATH - 1].z;
      printf("# %s, %d joints: %.3f m from the feet, %.3f m of the root\n", pairs[i][0], count, got, want);
      assert_near(got, want, 0.015 * want);
      assert_near(path[PATH - 1].x, 0, 0.02);
    }
  sinew_model_release(model);
}

/* Left and right take turns, half a cycle apart, and the two clips of a gait say the same. */
static void steps_take_turns(void **state) {
  (void)state;
  sinew_model *model = load_hero();
  int feet[FEET], counts[2] = {0, 0};
  find_feet(model, feet);
  sinew_vec3 path[PATH];
  sinew_contact contacts[2][16];
  const char *names[] = {"Walk", "WalkRoot"};
  sinew_root_from_feet_job root = {model, clip_of(model, "Walk"), feet, FEET, 0.02f, path, PATH};
  assert_true(sinew_root_from_feet(&root));
  for (int i = 0; i < 2; i++) {
    sinew_find_contacts_job job = {.model = model,
                                   .clip = clip_of(model, names[i]),
                                   .feet = feet + 2,
                                   .foot_count = 2,
                                   .path = i ? NULL : path,
                                   .path_count = i ? 0 : PATH,
                                   .height = 0.02f,
                                   .speed = 0.5f,
                                   .shortest = 0.1,
                                   .rate = 120,
                                   .loop = true,
                                   .output = contacts[i],
                                   .capacity = 16,
                                   .count = counts + i};
    assert_true(sinew_find_contacts(&job));
    assert_int_equal(counts[i], 2);
    double cycle = sinew_clip_duration(job.clip);
    double left = contacts[i][0].start, right = contacts[i][1].start;
    printf("# %s: left %.3f..%.3f, right %.3f..%.3f of %.3f s\n", names[i], left, contacts[i][0].end, right,
           contacts[i][1].end, cycle);
    assert_near(fabs(remainder(right - left, cycle)), cycle / 2, 0.1 * cycle);
  }
  for (int f = 0; f < 2; f++) assert_near(contacts[0][f].start, contacts[1][f].start, 0.08);
  sinew_model_release(model);
}

/* An arm of the real skeleton, whose upper and lower joints have halves and twists beside them, from any moment of any
 * clip to any place that it can reach. */
static void the_hand_reaches(void **state) {
  (void)state;
  sinew_model *model = load_hero();
  int count = sinew_model_joint_count(model), arm = sinew_model_find_joint(model, "LeftArm");
  int elbow = sinew_model_find_joint(model, "LeftForeArm"), hand = sinew_model_find_joint(model, "LeftHand");
  sinew_pose pose = random_pose(count, false);
  sinew_mat3x4 *joints = calloc((size_t)count, sizeof *joints);
  for (int i = 0; i < 60; i++) {
    const sinew_clip *clip = sinew_model_clip(model, i % sinew_model_clip_count(model));
    assert_true(sinew_sample(&(sinew_sample_job){model, clip, (double)random_range(0, 1), pose}));
    assert_true(sinew_local_to_model(&(sinew_local_to_model_job){model, pose, joints, 0}));
    sinew_vec3 shoulder = {joints[arm].m[3], joints[arm].m[7], joints[arm].m[11]};
    sinew_vec3 target = {shoulder.x + random_range(-0.2f, 0.2f), shoulder.y + random_range(-0.2f, 0.2f),
                         shoulder.z + random_range(0.1f, 0.3f)};
    float miss = 1;
    assert_true(sinew_two_bone(&(sinew_two_bone_job){.posed = {model, pose, joints},
                                                     .upper = arm,
                                                     .middle = elbow,
                                                     .tip = hand,
                                                     .target = target,
                                                     .has_pole = true,
                                                     .pole = {shoulder.x + 1, shoulder.y - 1, shoulder.z - 1},
                                                     .soften = 1,
                                                     .weight = 1,
                                                     .reach_error = &miss}));
    assert_true(miss < 1e-5f);
  }
  free(pose.groups), free(joints);
  sinew_model_release(model);
}

/* The helpers beside elbows and knees, which the clips move, are where following their neighbours puts them. */
static void helpers_follow_as_the_clips_have_them(void **state) {
  (void)state;
  static const char *const sources[] = {"LeftArm", "LeftForeArm", "LeftUpLeg", "LeftLeg", "RightForeArm", "RightLeg"};
  sinew_model *model = load_hero();
  int count = sinew_model_joint_count(model);
  sinew_pose pose = random_pose(count, false);
  sinew_mat3x4 *joints = calloc((size_t)count, sizeof *joints);
  double worst = 0;
  for (int i = 0; i < 8 * 6 * 5; i++) {
    const sinew_clip *clip = sinew_model_clip(model, i / 6 % 8);
    char helper[64];
    snprintf(helper, sizeof helper, "%sHalf", sources[i % 6]);
    int joint = sinew_model_find_joint(model, helper), source = sinew_model_find_joint(model, sources[i % 6]);
    assert_true(sinew_sample(&(sinew_sample_job){model, clip, sinew_clip_duration(clip) * (i / 48) / 4, pose}));
    assert_true(sinew_local_to_model(&(sinew_local_to_model_job){model, pose, joints, 0}));
    sinew_quat want = sinew_pose_joint(&pose, joint).rotation;
    assert_true(sinew_twist(&(sinew_twist_job){
        .posed = {model, pose, joints}, .joint = joint, .source = source, .fraction = 0.5f, .weight = 1}));
    worst = fmax(worst, angle_between(want, sinew_pose_joint(&pose, joint).rotation));
  }
  printf("# %.5f rad at most\n", worst);
  assert_true(worst < 0.01);
  free(pose.groups), free(joints);
  sinew_model_release(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(planted_feet_walk_as_far_as_the_root),
      cmocka_unit_test(steps_take_turns),
      cmocka_unit_test(the_hand_reaches),
      cmocka_unit_test(helpers_follow_as_the_clips_have_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
