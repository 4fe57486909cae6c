/* Code outside the lanes is as independent of the application's floating-point environment as code in them: every job
 * gives the same bits in any. (tests/skin/test_golden.c checks this for the other jobs.) */
#include "model/pose_group.h"
#include "support/float_modes.h"

#include <sinew/modifier_jobs.h>
#include <sinew/motion.h>

enum { JOINTS = 24, MODIFIERS = 10, PATH = 30, CONTACTS = 16 };

/* One of each; made before the environment changes. */
typedef struct jobs {
  sinew_model *model;
  sinew_pose pose;
  sinew_mat3x4 joints[JOINTS + 1];
  int chain[4], feet[2];
  int32_t partners[JOINTS + 1];
  sinew_retarget_map *map;
  sinew_two_bone_job two_bone;
  sinew_aim_job look_at;
  sinew_fabrik_job ik;
  sinew_spring_job spring;
  sinew_limit_job limit;
  sinew_copy_transform_job copy_transform;
  sinew_twist_job twist;
  sinew_foot foot;
  sinew_plant_job plant;
  sinew_root_track track;
} jobs;

typedef struct results {
  sinew_pose_group groups[MODIFIERS][(JOINTS + SINEW_LANES) / SINEW_LANES];
  sinew_mat3x4 joints[MODIFIERS][JOINTS + 1];
  sinew_spring_state springs[4];
  sinew_transform joint, motion;
  sinew_vec3 path[PATH], way;
  sinew_contact contacts[CONTACTS];
  sinew_transform scratch[5 * (JOINTS + 1)];
  float misses[2];
  int contact_count;
} results;

static sinew_vec3 near_by(float reach) {
  return (sinew_vec3){random_range(-reach, reach), random_range(-reach, reach), random_range(-reach, reach)};
}

/* A chain, so that any joint is below any before it; but a follower needs a brother. */
static void make_modifiers(jobs *j) {
  sinew_posed posed = {j->model, j->pose, j->joints};
  for (int i = 0; i < 4; i++) j->chain[i] = 3 + 4 * i;
  j->two_bone = (sinew_two_bone_job){.posed = posed,
                                     .upper = 2,
                                     .middle = 4,
                                     .tip = 6,
                                     .target = near_by(1),
                                     .has_pole = true,
                                     .pole = near_by(3),
                                     .hinge = near_by(1),
                                     .soften = 0.97f,
                                     .keep_tip = true,
                                     .weight = 0.7f};
  j->look_at = (sinew_aim_job){.posed = posed,
                               .chain = j->chain,
                               .count = 4,
                               .forward = near_by(1),
                               .up = near_by(1),
                               .target = near_by(9),
                               .limit = 1,
                               .weight = 0.8f};
  j->ik = (sinew_fabrik_job){
      .posed = posed, .root = 3, .tip = 15, .target = near_by(4), .iterations = 8, .tolerance = 1e-4f, .weight = 0.9f};
  j->spring = (sinew_spring_job){.posed = posed,
                                 .joints = j->chain,
                                 .count = 4,
                                 .world = sinew_mat3x4_identity(),
                                 .dt = 0.031,
                                 .frequency = 2,
                                 .damping = 0.3f,
                                 .gravity = {0, -9.81f, 0},
                                 .weight = 0.9f};
  j->limit = (sinew_limit_job){posed, 7, near_by(1), 0.1f, -0.1f, 0.2f, 0.7f};
  j->copy_transform = (sinew_copy_transform_job){
      posed, 12, 5, SINEW_COPY_POSITION | SINEW_COPY_ROTATION | SINEW_COPY_SCALE, random_transform(true), 0.3f};
  j->twist = (sinew_twist_job){posed, JOINTS, JOINTS - 1, near_by(1), 0.4f, 0.9f};
  j->foot = (sinew_foot){8, 10, 12, near_by(1), 0.07f, {0.1f, 1, 0.2f}, 0.8f, {0.02f, 0, 0.01f}};
  j->plant = (sinew_plant_job){posed, 5, &j->foot, 1, 0.3f, 0.5f, 0.9f, NULL};
}

static sinew_model *make_chain(void) {
  sinew_model *model = random_model(JOINTS, SHAPE_CHAIN, 12, false);
  ((int32_t *)(uintptr_t)model->parents)[JOINTS] = JOINTS - 2; /* two at the end */
  return model;
}

static void make_jobs(jobs *j) {
  random_seed(31);
  j->model = make_chain();
  j->pose = copy_pose(model_rest_pose(j->model));
  for (int i = 0; i <= JOINTS; i++) {
    sinew_transform t = sinew_pose_joint(&j->pose, i);
    t.rotation = random_quat();
    t.translation.y = i % 5 ? t.translation.y : 1e-41f; /* denormal: flushing shows */
    sinew_pose_set_joint(&j->pose, i, &t);
    j->partners[i] = i;
  }
  assert_true(sinew_local_to_model(&(sinew_local_to_model_job){j->model, j->pose, j->joints, 0}));
  j->feet[0] = 7, j->feet[1] = 11;
  j->track = (sinew_root_track){j->model, sinew_model_clip(j->model, 0), 5, 15};
  j->map = sinew_retarget_map_create(j->model, j->model, NULL, 0, NULL);
  assert_non_null(j->map);
  make_modifiers(j);
}

/* From the same pose each; `keep` gets what became of it. */
static void reset(const jobs *j, results *out, int i) {
  memcpy(out->groups[i], j->pose.groups, sizeof out->groups[i]);
  memcpy(out->joints[i], j->joints, sizeof out->joints[i]);
}

#define RUN(name, job, index)                                                                                          \
  do {                                                                                                                 \
    sinew_##name##_job copy = job;                                                                                     \
    reset(j, out, index);                                                                                              \
    copy.posed.pose.groups = out->groups[index];                                                                       \
    copy.posed.joints = out->joints[index];                                                                            \
    assert_true(sinew_##name(&copy));                                                                                  \
  } while (0)

static void run_motion(const jobs *j, results *out) {
  const sinew_clip *clip = j->track.clip;
  assert_true(sinew_sample_joint(&(sinew_sample_joint_job){j->model, clip, 0.123, 7, &out->joint}));
  assert_true(sinew_root_motion(&(sinew_root_motion_job){j->track, 0.1, 0.3, 3, 0, 0, &out->motion}));
  reset(j, out, 8);
  assert_true(sinew_root_remove(&(sinew_root_remove_job){j->track, 0.2, {out->groups[8], JOINTS + 1}}));
  assert_true(sinew_root_from_feet(&(sinew_root_from_feet_job){j->model, clip, j->feet, 2, 1, out->path, PATH}));
  assert_true(sinew_root_path(&(sinew_root_path_job){out->path, PATH, 0.3, 0.01, 0.2, 2, &out->way}));
  assert_true(sinew_find_contacts(&(sinew_find_contacts_job){j->model, clip, j->feet, 2, NULL, 0, 1.5f, 90, 0, 77, true,
                                                             out->contacts, CONTACTS, &out->contact_count}));
  reset(j, out, 9);
  assert_true(
      sinew_mirror(&(sinew_mirror_job){j->model, j->partners, j->pose, out->scratch, {out->groups[9], JOINTS + 1}}));
}

static void run_all(const jobs *j, results *out) {
  memset(out, 0, sizeof *out);
  sinew_two_bone_job two_bone = j->two_bone;
  two_bone.reach_error = out->misses;
  sinew_fabrik_job ik = j->ik;
  ik.reach_error = out->misses + 1;
  sinew_spring_job spring = j->spring;
  spring.states = out->springs;
  RUN(two_bone, two_bone, 0);
  RUN(aim, j->look_at, 1);
  RUN(fabrik, ik, 2);
  RUN(spring, spring, 3);
  RUN(spring, spring, 3); /* it has moved, now */
  RUN(limit, j->limit, 4);
  RUN(copy_transform, j->copy_transform, 5);
  RUN(twist, j->twist, 6);
  RUN(plant, j->plant, 7);
  run_motion(j, out);
}

static void retarget(const jobs *j, sinew_pose output) {
  static sinew_transform scratch[3 * (JOINTS + 1)];
  assert_true(sinew_retarget(&(sinew_retarget_job){j->map, j->pose, scratch, output}));
}

static void the_applications_environment_changes_nothing(void **state) {
  (void)state;
  static jobs j;
  static results usual, foreign;
  make_jobs(&j);
  sinew_pose retargeted = copy_pose(j.pose), again = copy_pose(j.pose);
  run_all(&j, &usual);
  retarget(&j, retargeted);
  uint64_t env = enter_foreign_env();
  run_all(&j, &foreign);
  retarget(&j, again);
  leave_foreign_env(env);
  for (int i = 0; i < MODIFIERS; i++) {
    assert_memory_equal(usual.groups[i], foreign.groups[i], sizeof usual.groups[i]);
    assert_memory_equal(usual.joints[i], foreign.joints[i], sizeof usual.joints[i]);
    if (i != 8) assert_true(memcmp(usual.groups[i], j.pose.groups, sizeof usual.groups[i]) != 0); /* it did something */
  }
  assert_true(usual.contact_count > 0 && usual.contact_count <= CONTACTS);
  assert_memory_equal(&usual, &foreign, sizeof usual);
  assert_memory_equal(retargeted.groups, again.groups, sizeof usual.groups[0]);
  free(j.pose.groups), free(retargeted.groups), free(again.groups);
  sinew_retarget_map_destroy(j.map);
  sinew_model_release(j.model);
  forget_made_clip();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_applications_environment_changes_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
