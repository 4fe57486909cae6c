/* The public jobs over models: a pose on another skeleton, and a pose with left and right exchanged. */
#include "model/body.h"
#include "model/pose_group.h"

enum { GROUPS = (BODY_JOINTS + SINEW_LANES - 1) / SINEW_LANES };

static const rot no_turn = {0, 0, 0, 1};

static sinew_model *model_of(const body *b) {
  joint_desc joints[BODY_JOINTS - 1];
  for (int i = 1; i < BODY_JOINTS; i++)
    joints[i - 1] = (joint_desc){b->names[i], body_parents[i] - 1, b->rest[i], false, 0};
  model_desc desc = {
      .path = "body", .root = sinew_transform_identity(), .joints = joints, .joint_count = BODY_JOINTS - 1};
  sinew_model *model = model_create(&desc, NULL);
  assert_non_null(model);
  return model;
}

static sinew_pose random_turns(const sinew_model *model, sinew_pose_group *groups) {
  sinew_pose pose = {groups, sinew_model_joint_count(model)};
  memcpy(groups, model_rest_pose(model).groups, GROUPS * sizeof *groups);
  for (int i = 1; i < pose.joint_count; i++) {
    sinew_transform t = sinew_pose_joint(&pose, i);
    sinew_quat turn =
        sinew_quat_from_axis_angle((sinew_vec3){random_range(-1, 1), random_range(-1, 1), 1}, random_range(-1, 1));
    t.rotation = sinew_quat_multiply(t.rotation, turn);
    if (i == 1) t.translation.x += 0.25f, t.translation.y -= 0.1f;
    sinew_pose_set_joint(&pose, i, &t);
  }
  return pose;
}

/* Model-space places of joints by name; models store joints breadth first. */
static vec place_in(const sinew_model *model, sinew_pose pose, const char *name) {
  sinew_mat3x4 joints[BODY_JOINTS];
  assert_true(sinew_local_to_model(&(sinew_local_to_model_job){.model = model, .pose = pose, .output = joints}));
  const float *m = joints[sinew_model_find_joint(model, name)].m;
  return (vec){m[3], m[7], m[11]};
}

static double off_direction(vec a, vec b) {
  double la = long_is(a), lb = long_is(b);
  return long_is((vec){a.x / la - b.x / lb, a.y / la - b.y / lb, a.z / la - b.z / lb});
}

static void a_pose_moves_to_another_model(void **state) {
  (void)state;
  static const char *const unreal[BODY_JOINTS] = {
      "",           "pelvis",     "spine_01", "spine_02", "neck_01", "head",   "clavicle_l",
      "upperarm_l", "lowerarm_l", "hand_l",   "thigh_l",  "calf_l",  "foot_l", "clavicle_r",
      "upperarm_r", "lowerarm_r", "hand_r",   "thigh_r",  "calf_r",  "foot_r", "weapon"};
  static const int limbs[][2] = {{B_L_ARM, B_L_FOREARM},
                                 {B_L_FOREARM, B_L_HAND},
                                 {B_R_ARM, B_R_FOREARM},
                                 {B_L_THIGH, B_L_SHIN},
                                 {B_R_SHIN, B_R_FOOT}};
  body a, b;
  body_make(&a, unreal, 1.2, 0, 0.1, true, no_turn);
  body_make(&b, mixamo_names, 1.8, 0.8, 0, true, no_turn);
  sinew_model *from = model_of(&a), *to = model_of(&b);
  sinew_error error = {""};
  sinew_retarget_map *map = sinew_retarget_map_create(from, to, NULL, 0, &error);
  if (!map) fail_msg("%s", error.message);
  sinew_match_kind kind;
  int arm = sinew_retarget_map_joint(map, sinew_model_find_joint(to, "LeftArm"), &kind);
  assert_string_equal(sinew_model_joint_name(from, arm), "upperarm_l");
  assert_int_equal(kind, SINEW_MATCH_GUESS);
  assert_near(sinew_retarget_map_scale(map), 1.5, 1e-5);
  assert_true(sinew_retarget_map_from(map) == from && sinew_retarget_map_to(map) == to);
  sinew_pose_group in[GROUPS], out[GROUPS] = {0};
  sinew_transform scratch[3 * BODY_JOINTS];
  sinew_retarget_job job = {map, random_turns(from, in), scratch, {out, BODY_JOINTS}};
  assert_null(sinew_retarget_check(&job));
  assert_true(sinew_retarget(&job));
  for (size_t i = 0; i < sizeof limbs / sizeof *limbs; i++) {
    vec theirs = minus(place_in(from, job.input, unreal[limbs[i][1]]), place_in(from, job.input, unreal[limbs[i][0]]));
    vec ours =
        minus(place_in(to, job.output, mixamo_names[limbs[i][1]]), place_in(to, job.output, mixamo_names[limbs[i][0]]));
    assert_near(off_direction(theirs, ours), 0, 1e-5);
  }
  job.output.joint_count--;
  assert_non_null(sinew_retarget_check(&job));
  assert_false(sinew_retarget(&job));
  assert_null(sinew_retarget_map_create(from, to, &(sinew_joint_pair){"nobody", "Hips"}, 1, &error));
  assert_non_null(strstr(error.message, "nobody"));
  sinew_retarget_map_destroy(map);
  sinew_model_release(from), sinew_model_release(to);
}

/* In a body that is the same on both sides, whatever its axes, places are reflected; twice gives the pose again. */
static void a_mirrored_pose_is_a_reflection(void **state) {
  (void)state;
  static const char *const other[BODY_JOINTS] = {
      "",         "Hips",         "Spine",     "Spine1",     "Neck",     "Head",      "RightShoulder",
      "RightArm", "RightForeArm", "RightHand", "RightUpLeg", "RightLeg", "RightFoot", "LeftShoulder",
      "LeftArm",  "LeftForeArm",  "LeftHand",  "LeftUpLeg",  "LeftLeg",  "LeftFoot",  "Prop"};
  body b;
  body_make(&b, mixamo_names, 1.8, 0.5, 0.1, true, no_turn);
  sinew_model *model = model_of(&b);
  int32_t joints[BODY_JOINTS];
  assert_true(sinew_model_mirror_joints(model, joints));
  for (int i = 0; i < BODY_JOINTS; i++) assert_int_equal(joints[joints[i]], i);
  sinew_pose_group in[GROUPS], out[GROUPS] = {0}, again[GROUPS] = {0};
  sinew_transform scratch[5 * BODY_JOINTS];
  sinew_mirror_job job = {model, joints, random_turns(model, in), scratch, {out, BODY_JOINTS}};
  assert_true(sinew_mirror(&job));
  for (int i = B_HIPS; i < B_PROP; i++) {
    vec is = place_in(model, job.input, mixamo_names[i]), mirrored = place_in(model, job.output, other[i]);
    assert_near(mirrored.x, -is.x, 1e-5);
    assert_near(mirrored.y, is.y, 1e-5);
    assert_near(mirrored.z, is.z, 1e-5);
  }
  memcpy(again, out, sizeof again);
  job.input = job.output = (sinew_pose){again, BODY_JOINTS}; /* in place */
  assert_true(sinew_mirror(&job));
  for (int i = 0; i < BODY_JOINTS; i++) {
    sinew_transform t = sinew_pose_joint(&(sinew_pose){in, BODY_JOINTS}, i), u = sinew_pose_joint(&job.output, i);
    assert_true(angle_between(t.rotation, u.rotation) < 1e-5 && distance_between(t.translation, u.translation) < 1e-5);
  }
  joints[3] = BODY_JOINTS;
  assert_non_null(sinew_mirror_check(&job));
  assert_false(sinew_mirror(&job));
  sinew_model_release(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pose_moves_to_another_model),
      cmocka_unit_test(a_mirrored_pose_is_a_reflection),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
