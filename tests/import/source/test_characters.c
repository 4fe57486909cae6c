/* Our own characters beside the hero: sizes, clips, and the hero's motion on another body. */
#include "import/fixtures/own_model.h"

static sinew_model *load_with(const char *name, const char *clips_of, sinew_retarget_mode retarget) {
  char path[1024];
  snprintf(path, sizeof path, "%s/assets/%s", SINEW_SOURCE, clips_of);
  if (!file_exists(path)) skip();
  sinew_load_options options = sinew_load_options_default();
  options.clip_files = (const char *const[]){path};
  options.clip_file_count = 1;
  options.retarget = retarget;
  return load(name, &options);
}

static double seconds_of(const sinew_model *model, const char *clip) {
  int found = sinew_model_find_clip(model, clip);
  if (found < 0) fail_msg("no clip %s", clip);
  return sinew_clip_duration(sinew_model_clip(model, found));
}

static sinew_vec3 position(const sinew_model *model, const sinew_mat3x4 *joints, const char *name) {
  int joint = sinew_model_find_joint(model, name);
  if (joint < 0) fail_msg("no joint %s", name);
  const float *m = joints[joint].m;
  return (sinew_vec3){m[3], m[7], m[11]};
}

static int vertices_of(const sinew_model *model) {
  int count = 0;
  for (int m = 0; m < sinew_model_mesh_count(model); m++) count += sinew_model_mesh(model, m).vertex_count;
  return count;
}

static void the_fox_is_small_and_has_its_gaits(void **state) {
  (void)state;
  static const struct {
    const char *name;
    double seconds, metres;
  } clips[] = {{"Idle", 5, 0},
               {"Walk", 0.8, 0},
               {"Trot", 16.0 / 30, 0},
               {"Gallop", 14.0 / 30, 0},
               {"WalkRoot", 0.8, 0.52},
               {"TrotRoot", 16.0 / 30, 1.4 * 16 / 30},
               {"GallopRoot", 14.0 / 30, 3.8 * 14 / 30}};
  sinew_model *fox = load("fox.glb", NULL);
  assert_true(vertices_of(fox) > 1000 && vertices_of(fox) < 2500);
  for (size_t c = 0; c < sizeof clips / sizeof *clips; c++) {
    double seconds = seconds_of(fox, clips[c].name);
    assert_near(seconds, clips[c].seconds, 1e-4);
    sinew_mat3x4 *joints = pose_at(fox, clips[c].name, seconds);
    assert_near(position(fox, joints, "Root").z, clips[c].metres, 1e-4);
    free(joints);
  }
  sinew_model_release(fox);
}

static void the_hero_turns_by_a_right_angle_and_stays_in_its_place(void **state) {
  (void)state;
  sinew_model *hero = load_with("hero.glb", "hero_extra.glb", SINEW_RETARGET_AUTO);
  double seconds = seconds_of(hero, "Turn90");
  sinew_mat3x4 *end = pose_at(hero, "Turn90", seconds), *start = pose_at(hero, "Idle", 0);
  for (int joint = 0; joint < sinew_model_joint_count(hero); joint++) {
    const char *name = sinew_model_joint_name(hero, joint);
    if (strncmp(name, "Ponytail", 8) == 0) continue; /* still swings */
    const float *a = start[joint].m, *b = end[joint].m;
    /* A quarter turn to the left takes z to x and x to -z. */
    sinew_vec3 want = {a[11], a[7], -a[3]}, is = {b[3], b[7], b[11]};
    if (!(distance_between(want, is) < 0.004)) fail_msg("%s is %g m off", name, distance_between(want, is));
  }
  free(end), free(start);
  sinew_model_release(hero);
}

static void steps_to_the_side_and_back_travel_as_documented(void **state) {
  (void)state;
  static const struct {
    const char *name;
    double x, z;
  } clips[] = {{"StrafeLeftRoot", 0.8 * 2 / 3, 0}, {"StrafeRightRoot", -0.8 * 2 / 3, 0}, {"WalkBackRoot", 0, -1}};
  sinew_model *hero = load_with("hero.glb", "hero_extra.glb", SINEW_RETARGET_AUTO);
  for (int c = 0; c < 3; c++) {
    sinew_mat3x4 *end = pose_at(hero, clips[c].name, seconds_of(hero, clips[c].name));
    sinew_vec3 root = position(hero, end, "Root");
    assert_near(root.x, clips[c].x, 1e-4);
    assert_near(root.z, clips[c].z, 1e-4);
    free(end);
  }
  sinew_model_release(hero);
}

/* Degrees between the bones a-b of one pose and c-d of the other. */
static double degrees_between(sinew_vec3 a, sinew_vec3 b, sinew_vec3 c, sinew_vec3 d) {
  double p[3] = {b.x - a.x, b.y - a.y, b.z - a.z}, q[3] = {d.x - c.x, d.y - c.y, d.z - c.z};
  double pq = p[0] * q[0] + p[1] * q[1] + p[2] * q[2], pp = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
  double qq = q[0] * q[0] + q[1] * q[1] + q[2] * q[2];
  return acos(fmin(1, fmax(-1, pq / sqrt(pp * qq)))) * 180 / 3.14159265358979;
}

static void the_brawlers_limbs_point_as_the_heros(void **state) {
  (void)state;
  static const char *const bones[][4] = {{"LeftArm", "LeftForeArm", "upperarm_l", "lowerarm_l"},
                                         {"LeftForeArm", "LeftHand", "lowerarm_l", "hand_l"},
                                         {"RightArm", "RightForeArm", "upperarm_r", "lowerarm_r"},
                                         {"RightForeArm", "RightHand", "lowerarm_r", "hand_r"},
                                         {"LeftUpLeg", "LeftLeg", "thigh_l", "calf_l"},
                                         {"LeftLeg", "LeftFoot", "calf_l", "foot_l"},
                                         {"RightUpLeg", "RightLeg", "thigh_r", "calf_r"},
                                         {"RightLeg", "RightFoot", "calf_r", "foot_r"}};
  static const char *const clips[] = {"Walk", "Run", "Wave"};
  sinew_model *hero = load("hero.glb", NULL), *brawler = load_with("brawler.glb", "hero.glb", SINEW_RETARGET_RAW);
  for (int k = 0; k < 30; k++) {
    const char *clip = clips[k / 10];
    double time = seconds_of(hero, clip) * (k % 10) / 10;
    sinew_mat3x4 *theirs = pose_at(hero, clip, time), *ours = pose_at(brawler, clip, time);
    for (size_t b = 0; b < sizeof bones / sizeof *bones; b++) {
      double off = degrees_between(position(hero, theirs, bones[b][0]), position(hero, theirs, bones[b][1]),
                                   position(brawler, ours, bones[b][2]), position(brawler, ours, bones[b][3]));
      if (!(off < 2)) fail_msg("%s at %g s: %s points %g degrees elsewhere", clip, time, bones[b][2], off);
    }
    free(theirs), free(ours);
  }
  sinew_model_release(hero);
  sinew_model_release(brawler);
}

static void the_brawler_walks_on_the_ground(void **state) {
  (void)state;
  sinew_model *brawler = load_with("brawler.glb", "hero.glb", SINEW_RETARGET_AUTO);
  sinew_mat3x4 *rest = pose_at(brawler, "Idle", 0);
  double sole = position(brawler, rest, "ball_l").y;
  for (int k = 0; k < 28; k++) {
    sinew_mat3x4 *joints = pose_at(brawler, "Walk", k / 30.0);
    double left = position(brawler, joints, "ball_l").y, right = position(brawler, joints, "ball_r").y;
    double low = fmin(left, right);
    if (!(fabs(low - sole) < 0.02)) fail_msg("at %d/30 s the lower foot is %g m over the ground", k, low - sole);
    free(joints);
  }
  free(rest);
  sinew_model_release(brawler);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_fox_is_small_and_has_its_gaits),
      cmocka_unit_test(the_hero_turns_by_a_right_angle_and_stays_in_its_place),
      cmocka_unit_test(steps_to_the_side_and_back_travel_as_documented),
      cmocka_unit_test(the_brawlers_limbs_point_as_the_heros),
      cmocka_unit_test(the_brawler_walks_on_the_ground),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
