/* Aiming a chain: where it looks, how far it turns, and that it never flips. */
#include "pose/limbs.h"

static const double pi = 3.14159265358979323846;
static const int chain[] = {2, 3, 4};

enum { HEAD = 4 };

static sinew_aim_job make_job(const limb_rig *r, sinew_vec3 target) {
  return (sinew_aim_job){.posed = r->posed,
                         .chain = chain,
                         .count = 3,
                         .forward = {0, 0, 1},
                         .target = target,
                         .limit = (float)pi,
                         .weight = 1};
}

static void direction(const limb_rig *r, sinew_vec3 local, double out[3]) {
  const float *m = r->posed.joints[HEAD].m, *v = &local.x;
  double length = 0;
  for (int i = 0; i < 3; i++) {
    out[i] = 0;
    for (int c = 0; c < 3; c++) out[i] += (double)m[4 * i + c] * v[c];
    length += out[i] * out[i];
  }
  for (int i = 0; i < 3; i++) out[i] /= sqrt(length);
}

static double angle_of(const double a[3], const double b[3]) {
  double x = 0, d = 0;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    x += pow(a[j] * b[k] - a[k] * b[j], 2), d += a[i] * b[i];
  }
  return atan2(sqrt(x), d);
}

/* The angle between where the head looks and where the target is from it. */
static double off_target(const limb_rig *r, sinew_vec3 target) {
  double ahead[3], way[3];
  sinew_vec3 head = place_of(r, HEAD);
  direction(r, (sinew_vec3){0, 0, 1}, ahead);
  way[0] = (double)target.x - head.x, way[1] = (double)target.y - head.y, way[2] = (double)target.z - head.z;
  return angle_of(ahead, way);
}

static void it_looks_at_what_is_in_its_limit(void **state) {
  (void)state;
  for (int i = 0; i < 300; i++) {
    limb_rig r;
    rig_init(&r, 4, i % 2);
    sinew_vec3 target = random_position(1);
    double length = sqrt((double)target.x * target.x + (double)target.y * target.y + (double)target.z * target.z);
    target = (sinew_vec3){(float)(60 * target.x / length), (float)(60 * target.y / length),
                          (float)(60 * target.z / length)}; /* far, so that the chain's own size is little */
    sinew_aim_job job = make_job(&r, target);
    float shares[3] = {random_range(0, 1), random_range(0, 1), 1};
    if (i % 3) job.joint_weights = shares;
    assert_true(sinew_aim(&job));
    expect_sound(&r, 1e-5);
    assert_true(off_target(&r, target) < 1e-4);
    rig_free(&r);
  }
}

static void each_joint_makes_its_share(void **state) {
  (void)state;
  limb_rig r;
  rig_init(&r, 4, false);
  sinew_pose start = copy_pose(r.posed.pose);
  float shares[3] = {1, 2, 5};
  sinew_aim_job job = make_job(&r, (sinew_vec3){40, 20, 30});
  job.joint_weights = shares, job.weight = 0.5f;
  double whole = off_target(&r, job.target);
  assert_true(sinew_aim(&job));
  for (int i = 0; i < 3; i++) {
    double turned =
        angle_between(sinew_pose_joint(&start, chain[i]).rotation, sinew_pose_joint(&r.posed.pose, chain[i]).rotation);
    assert_near(turned, 0.5 * whole * (double)shares[i] / 8, 0.01 * whole);
  }
  free(start.groups);
  rig_free(&r);
}

/* A target that goes round behind the back and over the head: the turn is never past the limit, and from one step to
 * the next no joint turns more than the target times a little. */
static void a_target_behind_the_back_never_flips_it(void **state) {
  (void)state;
  for (int i = 0; i < 40; i++) {
    limb_rig r;
    rig_init(&r, 4, i % 2);
    sinew_pose start = copy_pose(r.posed.pose), last = copy_pose(start);
    double ahead[3], limit = 0.5 + 0.05 * i;
    direction(&r, (sinew_vec3){0, 0, 1}, ahead);
    sinew_vec3 head = place_of(&r, HEAD);
    double side[3] = {ahead[1], -ahead[0], (double)(i % 3) * 0.01}; /* nearly or exactly through the back */
    const double step = pi / 500;
    for (int k = 0; k <= 1000; k++) {
      double c = 100 * cos(k * step), s = 100 * sin(k * step);
      sinew_vec3 target = {head.x + (float)(c * ahead[0] + s * side[0]), head.y + (float)(c * ahead[1] + s * side[1]),
                           head.z + (float)(c * ahead[2] + s * side[2])};
      rig_restore(&r, start);
      sinew_aim_job job = make_job(&r, target);
      job.limit = (float)limit;
      assert_true(sinew_aim(&job));
      double now[3];
      direction(&r, (sinew_vec3){0, 0, 1}, now);
      assert_true(angle_of(ahead, now) <= limit + 1e-3);
      if (k > 0) assert_true(worst_turn(last, r.posed.pose) < 3 * step);
      memcpy(last.groups, r.posed.pose.groups, sizeof *last.groups);
    }
    free(start.groups), free(last.groups);
    rig_free(&r);
  }
}

static void past_the_limit_it_holds(void **state) {
  (void)state;
  limb_rig r;
  rig_init(&r, 4, false);
  sinew_pose start = copy_pose(r.posed.pose);
  double ahead[3], now[3];
  direction(&r, (sinew_vec3){0, 0, 1}, ahead);
  sinew_vec3 head = place_of(&r, HEAD);
  double length = sqrt(ahead[0] * ahead[0] + ahead[1] * ahead[1]), side[3] = {ahead[1] / length, -ahead[0] / length, 0};
  double angles[] = {0.5, 1, 1.5, 2, 3.1415}, wanted[] = {0.5, 1, 1, 1, 0};
  for (int i = 0; i < 5; i++) {
    double c = 1000 * cos(angles[i]), s = 1000 * sin(angles[i]);
    rig_restore(&r, start);
    sinew_aim_job job = make_job(&r, (sinew_vec3){head.x + (float)(c * ahead[0] + s * side[0]),
                                                  head.y + (float)(c * ahead[1] + s * side[1]),
                                                  head.z + (float)(c * ahead[2] + s * side[2])});
    job.limit = 1;
    assert_true(sinew_aim(&job));
    direction(&r, (sinew_vec3){0, 0, 1}, now);
    assert_near(angle_of(ahead, now), wanted[i], 6e-3);
  }
  free(start.groups);
  rig_free(&r);
}

/* The up axis stays as upright as the direction allows. */
static void up_stays_upright(void **state) {
  (void)state;
  for (int i = 0; i < 100; i++) {
    limb_rig r;
    rig_init(&r, 4, i % 2);
    float angle = random_range(-3, 3);
    sinew_vec3 target = {60 * sinf(angle), random_range(-30, 30), 60 * cosf(angle)};
    sinew_aim_job job = make_job(&r, target);
    job.up = (sinew_vec3){0, 1, 0};
    assert_true(sinew_aim(&job));
    expect_sound(&r, 1e-5);
    double ahead[3], up[3];
    direction(&r, (sinew_vec3){0, 0, 1}, ahead);
    direction(&r, (sinew_vec3){0, 1, 0}, up);
    assert_true(off_target(&r, target) < 1e-3);
    /* up, ahead and model y are in one plane, and up is on y's side */
    double across = up[0] * ahead[2] - up[2] * ahead[0];
    assert_near(across, 0, 1e-3);
    assert_true(up[1] > 0);
    rig_free(&r);
  }
}

static void targets_in_the_head_and_far_away_do_no_harm(void **state) {
  (void)state;
  for (int i = 0; i < 20; i++) {
    limb_rig r;
    rig_init(&r, 4, i % 2);
    sinew_vec3 targets[] = {place_of(&r, HEAD), place_of(&r, chain[0]), {1e30f, -1e30f, 0}};
    for (int k = 0; k < 3; k++) {
      sinew_aim_job job = make_job(&r, targets[k]);
      job.up = (sinew_vec3){0, (float)(i % 2), 0}, job.limit = i % 3 ? 1 : 0;
      assert_true(sinew_aim(&job));
      expect_sound(&r, 1e-5);
    }
    rig_free(&r);
  }
}

static void bad_jobs_are_refused_and_write_nothing(void **state) {
  (void)state;
  limb_rig r;
  rig_init(&r, 4, false);
  sinew_pose before = copy_pose(r.posed.pose);
  sinew_aim_job good = make_job(&r, (sinew_vec3){0, 0, 9}), bad[19];
  int twice[] = {2, 2, 4}, missing[] = {2, 3, 99};
  float none[] = {0, 0, 0}, negative[] = {1, -1, 1}, huge[] = {INFINITY, 1, 1};
  for (int i = 0; i < 19; i++) bad[i] = good;
  for (int i = 0; i < 3; i++) {
    bad[i].target = not_finite[i], bad[3 + i].forward = not_finite[i], bad[6 + i].up = not_finite[i];
  }
  bad[9].forward = (sinew_vec3){0, 0, 0}, bad[10].limit = -1, bad[11].limit = NAN, bad[12].limit = 7;
  bad[13].chain = twice, bad[14].chain = missing, bad[15].count = 0, bad[16].joint_weights = none,
  bad[17].joint_weights = negative;
  bad[18].joint_weights = huge;
  for (int i = 0; i < 19; i++) {
    assert_non_null(sinew_aim_check(bad + i));
    assert_false(sinew_aim(bad + i));
  }
  assert_memory_equal(before.groups, r.posed.pose.groups, sizeof *before.groups);
  free(before.groups);
  rig_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_looks_at_what_is_in_its_limit),
      cmocka_unit_test(each_joint_makes_its_share),
      cmocka_unit_test(a_target_behind_the_back_never_flips_it),
      cmocka_unit_test(past_the_limit_it_holds),
      cmocka_unit_test(up_stays_upright),
      cmocka_unit_test(targets_in_the_head_and_far_away_do_no_harm),
      cmocka_unit_test(bad_jobs_are_refused_and_write_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
