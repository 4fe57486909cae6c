/* FABRIK chains by their geometry. */
#include "model/pose_group.h"
#include "pose/limbs.h"

enum { ROOT = 2 };

static sinew_fabrik_job make_job(const limb_rig *r, sinew_vec3 target) {
  return (sinew_fabrik_job){.posed = r->posed,
                            .root = ROOT,
                            .tip = r->posed.pose.joint_count - 1,
                            .target = target,
                            .iterations = 100,
                            .tolerance = 1e-4f,
                            .weight = 1};
}

/* The nearest and the farthest that the tip can be from the root. */
static void find_reach(const limb_rig *r, double *near, double *far) {
  double longest = 0;
  *far = 0;
  for (int j = ROOT + 1; j < r->posed.pose.joint_count; j++) {
    *far += r->lengths[j];
    longest = fmax(longest, r->lengths[j]);
  }
  *near = fmax(0, 2 * longest - *far);
}

static sinew_vec3 at_distance(const limb_rig *r, double distance) {
  sinew_vec3 a = place_of(r, ROOT), w = random_position(1);
  double l = sqrt((double)w.x * w.x + (double)w.y * w.y + (double)w.z * w.z);
  return (sinew_vec3){a.x + (float)(w.x / l * distance), a.y + (float)(w.y / l * distance),
                      a.z + (float)(w.z / l * distance)};
}

static void what_is_in_reach_is_reached(void **state) {
  (void)state;
  for (int i = 0; i < 300; i++) {
    limb_rig r;
    rig_init(&r, 4 + i % 12, i % 2);
    double near, far;
    find_reach(&r, &near, &far);
    near += 0.1 * (far - near);
    sinew_fabrik_job job = make_job(&r, at_distance(&r, near + (0.95 * far - near) * (double)random_range(0, 1)));
    float reach_error;
    job.reach_error = &reach_error, job.iterations = 300;
    assert_true(sinew_fabrik(&job));
    expect_sound(&r, 2e-5);
    assert_near(reach_error, distance_between(place_of(&r, job.tip), job.target), 1e-6);
    assert_true(reach_error < 2e-4f);
    rig_free(&r);
  }
}

static void out_of_reach_it_is_straight(void **state) {
  (void)state;
  for (int i = 0; i < 50; i++) {
    limb_rig r;
    rig_init(&r, 4 + i % 12, i % 2);
    double near, far;
    find_reach(&r, &near, &far);
    sinew_fabrik_job job = make_job(&r, at_distance(&r, far * (1.001 + 3 * (i % 5))));
    assert_true(sinew_fabrik(&job));
    expect_sound(&r, 2e-5);
    assert_near(distance_between(place_of(&r, ROOT), place_of(&r, job.tip)), far, 1e-4);
    assert_near(distance_between(place_of(&r, job.tip), job.target),
                distance_between(place_of(&r, ROOT), job.target) - far, 2e-4);
    rig_free(&r);
  }
}

/* A chain that is straight and points at its target has to leave the line to come to it. */
static void a_straight_chain_bends(void **state) {
  (void)state;
  joint_desc joints[8];
  for (int j = 0; j < 8; j++) {
    sinew_transform t = sinew_transform_identity();
    t.translation.y = j ? 0.3f : 0;
    joints[j] = (joint_desc){"j", j - 1, t, false, 0};
  }
  for (int i = 0; i < 12; i++) {
    limb_rig r;
    r.model = make_rig(joints, 8, NULL, 0, 0);
    r.posed = (sinew_posed){r.model, copy_pose(model_rest_pose(r.model)), r.joints};
    rig_settle(&r);
    sinew_fabrik_job job = make_job(&r, (sinew_vec3){0, 0.3f + 0.15f * (float)(i - 4), 0});
    job.iterations = 1000;
    assert_true(sinew_fabrik(&job));
    expect_sound(&r, 1e-5);
    assert_true(distance_between(place_of(&r, job.tip), job.target) < 2e-4);
    rig_free(&r);
  }
}

/* The target goes from inside to outside of reach; a step of it turns no joint by more than a few times as much. */
static void leaving_reach_does_not_snap(void **state) {
  (void)state;
  for (int i = 0; i < 10; i++) {
    limb_rig r;
    rig_init(&r, 7, i % 2);
    double near, far;
    find_reach(&r, &near, &far);
    sinew_vec3 a = place_of(&r, ROOT), b = at_distance(&r, 1);
    sinew_pose start = copy_pose(r.posed.pose), last = copy_pose(start);
    double step = far / 2000, shortest = 1e9;
    for (int j = ROOT + 1; j < r.posed.pose.joint_count; j++) shortest = fmin(shortest, r.lengths[j]);
    bool first = true;
    for (double d = 0.9 * far; d < 1.1 * far; d += step, first = false) {
      rig_restore(&r, start);
      sinew_fabrik_job job = make_job(&r, (sinew_vec3){a.x + (float)(d * (b.x - a.x)), a.y + (float)(d * (b.y - a.y)),
                                                       a.z + (float)(d * (b.z - a.z))});
      job.iterations = 16;
      assert_true(sinew_fabrik(&job));
      if (!first) assert_true(worst_turn(last, r.posed.pose) < 45 * step / shortest);
      memcpy(last.groups, r.posed.pose.groups, sizeof *last.groups);
    }
    free(start.groups), free(last.groups);
    rig_free(&r);
  }
}

static void a_weight_of_nothing_changes_nothing(void **state) {
  (void)state;
  limb_rig r;
  rig_init(&r, 9, true);
  sinew_pose start = copy_pose(r.posed.pose);
  sinew_fabrik_job job = make_job(&r, random_position(2));
  job.weight = 0;
  assert_true(sinew_fabrik(&job));
  assert_true(worst_turn(start, r.posed.pose) < 1e-6);
  free(start.groups);
  rig_free(&r);
}

static void targets_at_the_root_and_bones_of_no_length_do_no_harm(void **state) {
  (void)state;
  for (int i = 0; i < 32; i++) {
    limb_rig r;
    rig_init(&r, 6, i % 2);
    for (int j = 3; j < 7; j++) {
      if (!(i >> (j - 3) & 1)) continue;
      sinew_transform t = sinew_pose_joint(&r.posed.pose, j);
      t.translation = (sinew_vec3){0, 0, 0};
      sinew_pose_set_joint(&r.posed.pose, j, &t);
    }
    rig_settle(&r);
    sinew_vec3 targets[] = {place_of(&r, ROOT), place_of(&r, 6), place_of(&r, 4), {1e30f, 0, 0}};
    for (int k = 0; k < 4; k++) {
      sinew_fabrik_job job = make_job(&r, targets[k]);
      assert_true(sinew_fabrik(&job));
      expect_sound(&r, 2e-5);
    }
    rig_free(&r);
  }
}

static void bad_jobs_are_refused_and_write_nothing(void **state) {
  (void)state;
  limb_rig r;
  rig_init(&r, 70, false);
  sinew_pose before = copy_pose(r.posed.pose);
  sinew_fabrik_job good = make_job(&r, (sinew_vec3){0, 0, 0}), bad[12];
  good.tip = 20;
  assert_null(sinew_fabrik_check(&good));
  for (int i = 0; i < 12; i++) bad[i] = good;
  for (int i = 0; i < 3; i++) bad[i].target = not_finite[i];
  bad[3].root = -1, bad[4].tip = 99, bad[5].tip = ROOT, bad[6].root = 20, bad[6].tip = 2, bad[7].tip = 71;
  bad[8].iterations = 0, bad[9].iterations = 1001, bad[10].tolerance = NAN, bad[11].weight = 2;
  for (int i = 0; i < 12; i++) {
    assert_non_null(sinew_fabrik_check(bad + i));
    assert_false(sinew_fabrik(bad + i));
  }
  assert_memory_equal(before.groups, r.posed.pose.groups, 9 * sizeof *before.groups);
  free(before.groups);
  rig_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_in_reach_is_reached),
      cmocka_unit_test(out_of_reach_it_is_straight),
      cmocka_unit_test(a_straight_chain_bends),
      cmocka_unit_test(leaving_reach_does_not_snap),
      cmocka_unit_test(a_weight_of_nothing_changes_nothing),
      cmocka_unit_test(targets_at_the_root_and_bones_of_no_length_do_no_harm),
      cmocka_unit_test(bad_jobs_are_refused_and_write_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
