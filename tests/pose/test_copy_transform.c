/* A joint that follows another one, in model space. */
#include "model/pose_group.h"
#include "pose/limbs.h"

/* Two chains below joint 1: 2-3-4 and 5-6-7 in the file's order. */
static void make_pair(limb_rig *r, bool mirror) {
  joint_desc joints[7];
  int parents[7] = {-1, 0, 1, 2, 0, 4, 5};
  for (int j = 0; j < 7; j++) {
    sinew_transform t = random_transform(false);
    if (j == 0) t.scale = (sinew_vec3){mirror ? -2.0f : 2.0f, 2, 2};
    joints[j] = (joint_desc){j == 3 ? "hand" : j == 6 ? "held" : "j", parents[j], t, false, 0};
  }
  r->model = make_rig(joints, 7, NULL, 0, 0);
  r->posed = (sinew_posed){r->model, copy_pose(model_rest_pose(r->model)), r->joints};
  rig_settle(r);
}

static sinew_copy_transform_job make_job(const limb_rig *r, unsigned parts) {
  return (sinew_copy_transform_job){.posed = r->posed,
                                    .joint = sinew_model_find_joint(r->model, "held"),
                                    .source = sinew_model_find_joint(r->model, "hand"),
                                    .parts = parts,
                                    .offset = sinew_transform_identity(),
                                    .weight = 1};
}

static void it_is_where_the_source_and_the_offset_say(void **state) {
  (void)state;
  for (int i = 0; i < 100; i++) {
    limb_rig r;
    make_pair(&r, i % 2);
    sinew_copy_transform_job job = make_job(&r, SINEW_COPY_POSITION | SINEW_COPY_ROTATION | SINEW_COPY_SCALE);
    if (i % 3) job.offset = random_transform(false);
    job.offset.scale = (sinew_vec3){1.5f, 1.5f, 1.5f};
    sinew_mat3x4 want = sinew_mat3x4_from_transform(&job.offset);
    want = sinew_mat3x4_multiply(r.joints + job.source, &want);
    assert_true(sinew_copy_transform(&job));
    for (int e = 0; e < 12; e++) assert_near(r.joints[job.joint].m[e], want.m[e], 2e-5);
    rig_free(&r);
  }
}

static void only_what_is_asked_for_is_copied(void **state) {
  (void)state;
  for (unsigned parts = 0; parts < 8; parts++) {
    limb_rig r;
    make_pair(&r, false);
    sinew_copy_transform_job job = make_job(&r, parts);
    job.offset = random_transform(true);
    sinew_transform before = sinew_pose_joint(&r.posed.pose, job.joint), whole, got;
    sinew_copy_transform_job all = job;
    all.parts = 7;
    assert_true(sinew_copy_transform(&all));
    whole = sinew_pose_joint(&r.posed.pose, job.joint);
    sinew_pose_set_joint(&r.posed.pose, job.joint, &before);
    rig_settle(&r);
    assert_true(sinew_copy_transform(&job));
    got = sinew_pose_joint(&r.posed.pose, job.joint);
    sinew_transform p = parts & SINEW_COPY_POSITION ? whole : before, q = parts & SINEW_COPY_ROTATION ? whole : before,
                    s = parts & SINEW_COPY_SCALE ? whole : before;
    assert_true(distance_between(got.translation, p.translation) < 1e-5);
    assert_true(angle_between(got.rotation, q.rotation) < 1e-5);
    assert_true(distance_between(got.scale, s.scale) < 1e-5);
    rig_free(&r);
  }
}

static void a_weight_goes_part_of_the_way(void **state) {
  (void)state;
  limb_rig r;
  make_pair(&r, false);
  sinew_copy_transform_job job = make_job(&r, 7);
  sinew_vec3 from = place_of(&r, job.joint), to = place_of(&r, job.source);
  job.weight = 0.25f;
  assert_true(sinew_copy_transform(&job));
  assert_near(distance_between(place_of(&r, job.joint), from), 0.25 * distance_between(from, to), 1e-5);
  assert_near(distance_between(place_of(&r, job.joint), to), 0.75 * distance_between(from, to), 1e-5);
  rig_free(&r);
}

static void bad_jobs_are_refused_and_write_nothing(void **state) {
  (void)state;
  limb_rig r;
  make_pair(&r, false);
  sinew_pose before = copy_pose(r.posed.pose);
  sinew_copy_transform_job bad[9];
  for (int i = 0; i < 9; i++) bad[i] = make_job(&r, 7);
  bad[0].joint = -1, bad[1].source = 99, bad[2].joint = bad[2].source, bad[3].joint = 1, bad[4].parts = 8;
  bad[5].offset.translation = not_finite[0], bad[6].offset.rotation.w = NAN, bad[7].offset.scale.z = INFINITY;
  bad[8].weight = -1;
  for (int i = 0; i < 9; i++) {
    assert_non_null(sinew_copy_transform_check(bad + i));
    assert_false(sinew_copy_transform(bad + i));
  }
  assert_memory_equal(before.groups, r.posed.pose.groups, sizeof *before.groups);
  free(before.groups);
  rig_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_is_where_the_source_and_the_offset_say),
      cmocka_unit_test(only_what_is_asked_for_is_copied),
      cmocka_unit_test(a_weight_goes_part_of_the_way),
      cmocka_unit_test(bad_jobs_are_refused_and_write_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
