/* Two-bone IK by its geometry: where the tip is, how long the bones are, which way the limb bends, how far it turns. */
#include "model/pose_group.h"
#include "pose/limbs.h"

static const double pi = 3.14159265358979323846;

enum { UPPER = 2, MIDDLE, TIP };

static sinew_two_bone_job make_job(const limb_rig *r, sinew_vec3 target) {
  return (sinew_two_bone_job){
      .posed = r->posed, .upper = UPPER, .middle = MIDDLE, .tip = TIP, .target = target, .soften = 1, .weight = 1};
}

static sinew_vec3 from_upper(const limb_rig *r, sinew_vec3 unit, double length) {
  sinew_vec3 a = place_of(r, UPPER);
  return (sinew_vec3){a.x + unit.x * (float)length, a.y + unit.y * (float)length, a.z + unit.z * (float)length};
}

static sinew_vec3 random_unit(void) {
  sinew_quat q = random_quat();
  double l = sqrt((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z);
  return (sinew_vec3){(float)(q.x / l), (float)(q.y / l), (float)(q.z / l)};
}

static void what_is_in_reach_is_reached(void **state) {
  (void)state;
  for (int i = 0; i < 400; i++) {
    limb_rig r;
    rig_init(&r, 4 + i % 3, i % 2);
    double a = r.lengths[MIDDLE], b = r.lengths[TIP];
    double low = fabs(a - b) + 0.02 * (a + b), d = low + (0.98 * (a + b) - low) * (double)random_range(0, 1);
    sinew_two_bone_job job = make_job(&r, from_upper(&r, random_unit(), d));
    float reach_error;
    job.has_pole = i % 4 < 2, job.pole = random_position(3), job.reach_error = &reach_error;
    if (i % 5 == 0) job.hinge = random_unit();
    assert_true(sinew_two_bone(&job));
    expect_sound(&r, 1e-5);
    assert_true(distance_between(place_of(&r, TIP), job.target) < 2e-5);
    assert_near(reach_error, distance_between(place_of(&r, TIP), job.target), 1e-6);
    rig_free(&r);
  }
}

/* The middle joint is on the pole's side of the line, in the plane of the line and the pole. */
static void the_limb_bends_towards_its_pole(void **state) {
  (void)state;
  for (int i = 0; i < 200; i++) {
    limb_rig r;
    rig_init(&r, 3, i % 2);
    double whole = r.lengths[MIDDLE] + r.lengths[TIP], least = fabs(r.lengths[MIDDLE] - r.lengths[TIP]);
    sinew_two_bone_job job = make_job(&r, from_upper(&r, random_unit(), (whole + least) / 2));
    job.has_pole = true, job.pole = random_position(5);
    assert_true(sinew_two_bone(&job));
    sinew_vec3 a = place_of(&r, UPPER), b = place_of(&r, MIDDLE);
    double u[3] = {job.target.x - a.x, job.target.y - a.y, job.target.z - a.z};
    double k[3] = {b.x - a.x, b.y - a.y, b.z - a.z}, p[3] = {job.pole.x - a.x, job.pole.y - a.y, job.pole.z - a.z};
    double uu = 0, uk = 0, up = 0, kp = 0, kk = 0, pp = 0, whole_p = 0;
    for (int c = 0; c < 3; c++) uu += u[c] * u[c], uk += u[c] * k[c], up += u[c] * p[c], whole_p += p[c] * p[c];
    for (int c = 0; c < 3; c++) {
      double kc = k[c] - uk / uu * u[c], pc = p[c] - up / uu * u[c];
      kp += kc * pc, kk += kc * kc, pp += pc * pc;
    }
    if (pp > 0.01 * whole_p && kk > 1e-4) assert_true(kp / sqrt(kk * pp) > 0.9999);
    rig_free(&r);
  }
}

/* Along random lines through its reach: a step of the target turns no joint by more than a few times the angle that the
 * step is seen under from the limb's root, or that it bends the shorter bone by: the more, the nearer the pole is to
 * the limb's line, which it hands over to the pose's own bend within 3 degrees. */
static void random_ways_are_followed_smoothly(void **state) {
  (void)state;
  double worst = 0;
  for (int i = 0; i < 60; i++) {
    limb_rig r;
    rig_init(&r, 3, i % 2);
    double whole = r.lengths[MIDDLE] + r.lengths[TIP], least = fabs(r.lengths[MIDDLE] - r.lengths[TIP]);
    double shorter = fmin(r.lengths[MIDDLE], r.lengths[TIP]), h = whole / 2000;
    sinew_pose start = copy_pose(r.posed.pose), last = copy_pose(start);
    sinew_vec3 a = place_of(&r, UPPER), from = random_unit(), way = random_unit(), pole = random_position(3);
    for (int k = 0; k < 2000; k++) {
      double at = h * (k - 1000);
      sinew_vec3 to = from_upper(&r, from, 0.5 * whole);
      to = (sinew_vec3){to.x + (float)(at * way.x), to.y + (float)(at * way.y), to.z + (float)(at * way.z)};
      double d = distance_between(to, a), u[3] = {to.x - a.x, to.y - a.y, to.z - a.z}, cosine = 0;
      double p[3] = {pole.x - a.x, pole.y - a.y, pole.z - a.z};
      for (int c = 0; c < 3; c++) cosine += u[c] * p[c] / d / distance_between(pole, a);
      double share = sqrt(fmax(1 - cosine * cosine, 0));
      rig_restore(&r, start);
      sinew_two_bone_job job = make_job(&r, to);
      job.has_pole = true, job.pole = pole, job.soften = 0.95f;
      assert_true(sinew_two_bone(&job));
      double due = h * (1 / d + 1 / shorter) / share;
      /* Folded, a limb bends by a square root: that edge has no softness. */
      if (k > 0 && d > least + 0.1 * whole && share > 0.06) worst = fmax(worst, worst_turn(last, r.posed.pose) / due);
      memcpy(last.groups, r.posed.pose.groups, sizeof *last.groups);
    }
    free(start.groups), free(last.groups);
    rig_free(&r);
  }
  printf("# %.2f times its due\n", worst);
  assert_true(worst < 3);
}

static void out_of_reach_it_points_at_the_target(void **state) {
  (void)state;
  for (int i = 0; i < 100; i++) {
    limb_rig r;
    rig_init(&r, 3, i % 2);
    double whole = r.lengths[MIDDLE] + r.lengths[TIP];
    sinew_vec3 way = random_unit();
    sinew_two_bone_job job = make_job(&r, from_upper(&r, way, i % 7 == 6 ? 1e25 : whole * (1.001 + 5 * (i % 7))));
    job.has_pole = true, job.pole = random_position(3), job.soften = i % 2 ? 1 : 0.95f;
    assert_true(sinew_two_bone(&job));
    expect_sound(&r, 1e-5);
    double reach = distance_between(place_of(&r, TIP), place_of(&r, UPPER));
    assert_true(reach > whole * (job.soften < 1 ? 0.96 : 0.99999));
    assert_true(distance_between(place_of(&r, TIP), from_upper(&r, way, reach)) < 1e-4);
    rig_free(&r);
  }
}

/* From near to far through full reach: the target moves by h, no joint turns more than its due. Without soft reach the
 * bend's rate has no bound at full reach (a square root), so it is the soft one that is tested. */
static void a_limb_that_becomes_straight_does_not_flip_or_snap(void **state) {
  (void)state;
  for (int i = 0; i < 20; i++) {
    limb_rig r;
    rig_init(&r, 3, i % 2);
    double whole = r.lengths[MIDDLE] + r.lengths[TIP], least = fabs(r.lengths[MIDDLE] - r.lengths[TIP]);
    sinew_pose start = copy_pose(r.posed.pose), last = copy_pose(start);
    sinew_vec3 way = random_unit(), pole = random_position(3);
    double h = whole / 400;
    bool first = true;
    for (double d = least + 0.2 * whole; d < 2 * whole; d += h, first = false) {
      rig_restore(&r, start);
      sinew_two_bone_job job = make_job(&r, from_upper(&r, way, d));
      job.has_pole = i % 4 < 2, job.pole = pole, job.soften = 0.95f;
      assert_true(sinew_two_bone(&job));
      double shorter = fmin(r.lengths[MIDDLE], r.lengths[TIP]);
      if (!first) assert_true(worst_turn(last, r.posed.pose) < 12 * h / shorter);
      memcpy(last.groups, r.posed.pose.groups, sizeof *last.groups);
    }
    free(start.groups), free(last.groups);
    rig_free(&r);
  }
}

/* Around a circle the limb follows with the target, the whole way round. */
static void a_circling_target_is_followed_smoothly(void **state) {
  (void)state;
  limb_rig r;
  rig_init(&r, 3, false);
  double radius = (r.lengths[MIDDLE] + r.lengths[TIP] + fabs(r.lengths[MIDDLE] - r.lengths[TIP])) / 2;
  sinew_pose start = copy_pose(r.posed.pose), last = copy_pose(start);
  sinew_vec3 centre = place_of(&r, UPPER);
  for (int i = 0; i <= 720; i++) {
    double angle = i * pi / 360;
    rig_restore(&r, start);
    sinew_vec3 unit = {(float)cos(angle), (float)sin(angle), 0};
    sinew_two_bone_job job = make_job(&r, from_upper(&r, unit, radius));
    job.has_pole = true, job.pole = (sinew_vec3){centre.x, centre.y, centre.z + 10};
    assert_true(sinew_two_bone(&job));
    if (i > 0) assert_true(worst_turn(last, r.posed.pose) < 2 * pi / 360);
    memcpy(last.groups, r.posed.pose.groups, sizeof *last.groups);
  }
  free(start.groups), free(last.groups);
  rig_free(&r);
}

/* A knee with a hinge bends the same way whether the clip has it bent, straight or a little the wrong way. */
static void a_hinge_decides_which_way_a_straight_limb_bends(void **state) {
  (void)state;
  sinew_transform t = sinew_transform_identity();
  t.translation.y = -0.5f;
  joint_desc joints[4] = {{"root", -1, sinew_transform_identity(), false, 0},
                          {"thigh", 0, t, false, 0},
                          {"shin", 1, t, false, 0},
                          {"foot", 2, t, false, 0}};
  limb_rig r;
  r.model = make_rig(joints, 4, NULL, 0, 0);
  r.posed = (sinew_posed){r.model, copy_pose(model_rest_pose(r.model)), r.joints};
  double last = 0;
  for (int i = -20; i <= 20; i++) {
    sinew_transform knee = t;
    knee.rotation = sinew_quat_from_axis_angle((sinew_vec3){1, 0, 0}, 0.005f * (float)i);
    sinew_pose_set_joint(&r.posed.pose, MIDDLE, &knee);
    sinew_transform thigh = t;
    sinew_pose_set_joint(&r.posed.pose, UPPER, &thigh);
    rig_settle(&r);
    sinew_two_bone_job job = make_job(&r, (sinew_vec3){0, -1.2f, 0});
    job.hinge = (sinew_vec3){1, 0, 0};
    assert_true(sinew_two_bone(&job));
    assert_true(distance_between(place_of(&r, TIP), job.target) < 1e-5);
    sinew_vec3 knee_position = place_of(&r, MIDDLE);
    assert_near(knee_position.x, 0, 1e-4);
    assert_true(knee_position.z > 0.3f); /* +x turns the shin back, so the knee goes forwards */
    if (i > -20) assert_near(knee_position.z, last, 0.01);
    last = knee_position.z;
  }
  rig_free(&r);
}

static void a_weight_goes_part_of_the_way(void **state) {
  (void)state;
  limb_rig r;
  rig_init(&r, 3, false);
  sinew_pose start = copy_pose(r.posed.pose), whole = copy_pose(start);
  sinew_two_bone_job job = make_job(&r, from_upper(&r, random_unit(), 0.8 * (r.lengths[MIDDLE] + r.lengths[TIP])));
  assert_true(sinew_two_bone(&job));
  memcpy(whole.groups, r.posed.pose.groups, sizeof *whole.groups);
  for (int i = 0; i <= 10; i++) {
    rig_restore(&r, start);
    job.weight = (float)i / 10;
    assert_true(sinew_two_bone(&job));
    expect_sound(&r, 1e-5);
    for (int j = UPPER; j <= MIDDLE; j++) {
      sinew_quat s = sinew_pose_joint(&start, j).rotation, w = sinew_pose_joint(&whole, j).rotation,
                 g = sinew_pose_joint(&r.posed.pose, j).rotation;
      assert_near(angle_between(s, g), angle_between(s, w) * i / 10, 1e-4);
      assert_near(angle_between(g, w), angle_between(s, w) * (10 - i) / 10, 1e-4);
    }
  }
  free(start.groups), free(whole.groups);
  rig_free(&r);
}

/* Beyond its length up to twice of it: the tip is there, on the line from the root, and both bones have grown alike. */
static void a_limb_that_may_stretch_reaches_farther(void **state) {
  (void)state;
  for (int i = 0; i < 200; i++) {
    limb_rig r;
    rig_init(&r, 4 + i % 3, i % 2);
    double whole = r.lengths[MIDDLE] + r.lengths[TIP], most = 1.01 + 0.98 * i / 200, d = whole * (0.9 + 1.3 * i / 200);
    sinew_two_bone_job job = make_job(&r, from_upper(&r, random_unit(), d));
    job.stretch = (float)most, job.soften = i % 3 ? 0.9f : 1;
    assert_true(sinew_two_bone(&job));
    double upper = distance_between(place_of(&r, UPPER), place_of(&r, MIDDLE)),
           lower = distance_between(place_of(&r, MIDDLE), place_of(&r, TIP)),
           left = distance_between(place_of(&r, TIP), job.target);
    assert_near(upper / r.lengths[MIDDLE], lower / r.lengths[TIP], 1e-4);
    assert_true(upper / r.lengths[MIDDLE] < most + 1e-4);
    if (d < 0.99 * most * whole * (job.soften < 1 ? 0.96 : 1)) assert_true(left < 1e-4 * whole);
    if (job.soften == 1) assert_near(left, fmax(d - most * whole, 0), 1e-4 * whole);
    rig_free(&r);
  }
}

static void a_kept_tip_does_not_turn(void **state) {
  (void)state;
  for (int i = 0; i < 50; i++) {
    limb_rig r;
    rig_init(&r, 4, i % 2);
    sinew_mat3x4 before = r.joints[TIP];
    sinew_two_bone_job job = make_job(&r, random_position(2));
    job.keep_tip = true, job.weight = i % 3 ? 1 : 0.4f;
    assert_true(sinew_two_bone(&job));
    for (int row = 0; row < 3; row++)
      for (int c = 0; c < 3; c++) assert_near(r.joints[TIP].m[4 * row + c], before.m[4 * row + c], 3e-6);
    rig_free(&r);
  }
}

static void targets_at_the_root_poles_on_the_line_and_bones_of_no_length_do_no_harm(void **state) {
  (void)state;
  for (int i = 0; i < 64; i++) {
    limb_rig r;
    rig_init(&r, 3, i % 2);
    for (int j = MIDDLE; j <= TIP; j++) {
      if (!(i >> j & 1)) continue;
      sinew_transform t = sinew_pose_joint(&r.posed.pose, j);
      t.translation = (sinew_vec3){0, 0, 0};
      sinew_pose_set_joint(&r.posed.pose, j, &t);
    }
    rig_settle(&r);
    sinew_vec3 a = place_of(&r, UPPER), targets[] = {a, place_of(&r, TIP), {1e30f, 0, 0}, {a.x + 1e-20f, a.y, a.z}};
    for (int k = 0; k < 4; k++) {
      sinew_two_bone_job job = make_job(&r, targets[k]);
      job.has_pole = i % 3 != 0, job.pole = i % 3 == 1 ? targets[k] : a;
      job.soften = i & 4 ? 1 : 0.9f;
      assert_true(sinew_two_bone(&job));
      expect_sound(&r, 2e-5);
    }
    rig_free(&r);
  }
}

static void bad_jobs_are_refused_and_write_nothing(void **state) {
  (void)state;
  limb_rig r;
  rig_init(&r, 4, false);
  sinew_pose before = copy_pose(r.posed.pose);
  sinew_mat3x4 joints[LIMB_MAX];
  memcpy(joints, r.joints, sizeof joints);
  sinew_two_bone_job good = make_job(&r, (sinew_vec3){0, 0, 0}), bad[20];
  for (int i = 0; i < 20; i++) bad[i] = good;
  for (int i = 0; i < 3; i++) {
    bad[i].target = not_finite[i];
    bad[3 + i].pole = not_finite[i], bad[3 + i].has_pole = true;
    bad[6 + i].hinge = not_finite[i];
  }
  bad[9].weight = NAN, bad[10].weight = 1.5f, bad[11].weight = -0.1f, bad[12].soften = 0, bad[13].soften = NAN;
  bad[14].upper = -1, bad[15].tip = 99, bad[16].middle = UPPER, bad[17].upper = TIP, bad[18].posed.model = NULL;
  bad[19].posed.joints = NULL;
  for (int i = 0; i < 20; i++) {
    assert_non_null(sinew_two_bone_check(bad + i));
    assert_false(sinew_two_bone(bad + i));
  }
  assert_memory_equal(before.groups, r.posed.pose.groups, sizeof *before.groups);
  assert_memory_equal(joints, r.joints, sizeof joints);
  free(before.groups);
  rig_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_in_reach_is_reached),
      cmocka_unit_test(the_limb_bends_towards_its_pole),
      cmocka_unit_test(random_ways_are_followed_smoothly),
      cmocka_unit_test(out_of_reach_it_points_at_the_target),
      cmocka_unit_test(a_limb_that_becomes_straight_does_not_flip_or_snap),
      cmocka_unit_test(a_circling_target_is_followed_smoothly),
      cmocka_unit_test(a_hinge_decides_which_way_a_straight_limb_bends),
      cmocka_unit_test(a_weight_goes_part_of_the_way),
      cmocka_unit_test(a_limb_that_may_stretch_reaches_farther),
      cmocka_unit_test(a_kept_tip_does_not_turn),
      cmocka_unit_test(targets_at_the_root_poles_on_the_line_and_bones_of_no_length_do_no_harm),
      cmocka_unit_test(bad_jobs_are_refused_and_write_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
