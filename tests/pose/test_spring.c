/* Springs: their motion against the differential equation, and frames of any length. */
#include "model/pose_group.h"
#include "pose/limbs.h"

static const double pi = 3.14159265358979323846;

/* A hair that stands up: joints 2 .. count + 1, each 0.2 m above the one before. */
static void make_hair(limb_rig *r, int count) {
  joint_desc joints[LIMB_MAX];
  for (int j = 0; j < count + 1; j++) {
    sinew_transform t = sinew_transform_identity();
    t.translation.y = 0.2f;
    joints[j] = (joint_desc){"j", j - 1, t, false, 0};
  }
  r->model = make_rig(joints, count + 1, NULL, 0, 0);
  r->posed = (sinew_posed){r->model, copy_pose(model_rest_pose(r->model)), r->joints};
  rig_settle(r);
}

enum { HAIR = 4 };
static const int hair[HAIR] = {2, 3, 4, 5};

static sinew_spring_job make_job(const limb_rig *r, sinew_spring_state *states, double dt) {
  return (sinew_spring_job){.posed = r->posed,
                            .joints = hair,
                            .count = HAIR,
                            .states = states,
                            .world = sinew_mat3x4_identity(),
                            .dt = dt,
                            .frequency = 2,
                            .damping = 0.3f,
                            .weight = 1};
}

/* One frame: the pose is the rest pose again, as the blend would give it. */
static void frame(limb_rig *r, sinew_spring_job *job) {
  sinew_pose rest = model_rest_pose(r->model);
  rig_restore(r, rest);
  assert_true(sinew_spring(job));
  expect_sound(r, 1e-5);
}

static double lean(const limb_rig *r, int joint) {
  sinew_vec3 a = place_of(r, joint - 1), b = place_of(r, joint);
  return atan2((double)b.x - a.x, (double)b.y - a.y);
}

static void at_rest_it_stays(void **state) {
  (void)state;
  limb_rig r;
  make_hair(&r, HAIR + 1);
  sinew_spring_state states[HAIR] = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, false}};
  for (int i = 0; i < 100; i++) {
    sinew_spring_job job = make_job(&r, states, 1 / 60.0);
    frame(&r, &job);
    assert_near(lean(&r, 6), 0, 1e-5);
  }
  rig_free(&r);
}

/* A small swing of one bone is the spring's own: x″ = −ω² x − 2 ζ ω x′, integrated here in 10,000 steps a second. */
static void a_small_swing_follows_its_equation(void **state) {
  (void)state;
  float dampings[] = {0, 0.2f, 1, 2};
  for (int i = 0; i < 4; i++) {
    limb_rig r;
    make_hair(&r, 3);
    int joint = 3; /* its child is joint 4 */
    sinew_vec3 end = place_of(&r, 4);
    sinew_spring_state s = {{end.x + 0.002f, end.y, end.z}, {0, 0, 0}, place_of(&r, 3), end, true};
    double x = 0.002, v = 0, omega = 2 * pi * 2;
    for (int f = 0; f < 60; f++) {
      sinew_spring_job job = make_job(&r, &s, 1 / 60.0);
      job.joints = &joint, job.count = 1, job.damping = dampings[i];
      frame(&r, &job);
      for (int k = 0; k < 1000; k++) {
        v += (-omega * omega * x - 2 * dampings[i] * omega * v) / 60000;
        x += v / 60000;
      }
      assert_near(place_of(&r, 4).x - end.x, x, 5e-5);
    }
    rig_free(&r);
  }
}

/* Hung from its side, a bone leans until the spring holds the weight: tan(angle) = g / (ω² length). */
static void gravity_pulls_it(void **state) {
  (void)state;
  limb_rig r;
  make_hair(&r, 3);
  int joint = 3;
  sinew_spring_state s = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, false};
  for (int f = 0; f < 600; f++) {
    sinew_spring_job job = make_job(&r, &s, 1 / 60.0);
    job.joints = &joint, job.count = 1, job.damping = 1, job.gravity = (sinew_vec3){9.81f, 0, 0};
    frame(&r, &job);
  }
  double omega = 2 * pi * 2;
  assert_near(lean(&r, 4), atan2(9.81 / (omega * omega), 0.2), 1e-3);
  rig_free(&r);
}

/* A character that jumps aside leaves its hair behind, and the hair comes after. */
static void it_trails_and_catches_up(void **state) {
  (void)state;
  limb_rig r;
  make_hair(&r, HAIR + 1);
  sinew_spring_state states[HAIR] = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, false}};
  sinew_spring_job job = make_job(&r, states, 1 / 60.0);
  frame(&r, &job);
  job.world.m[3] = 0.1f;
  frame(&r, &job);
  assert_true(lean(&r, 3) < -0.1);
  for (int i = 0; i < 600; i++) frame(&r, &job);
  assert_near(lean(&r, 6), 0, 1e-3);
  rig_free(&r);
}

/* The same swaying twice, one of them put 50 metres away in the middle of it, between two frames or within one that
 * takes no time. A frame's turn of the joint before is what it may miss; dragged, the hair would lie flat. */
static void put_elsewhere_it_takes_its_swing_along(void **state) {
  (void)state;
  for (int stands = 0; stands < 2; stands++) {
    limb_rig r[2];
    sinew_spring_state states[2][HAIR] = {{{.started = false}}};
    double most = 0;
    for (int i = 0; i < 2; i++) make_hair(r + i, HAIR + 1);
    for (int f = 0; f < 60; f++) {
      double dt = stands && f == 20 ? 0 : 1 / 60.0, sway = 0.05 * sin(2 * pi * (f >= 20 ? f - 1 : f) / 30.0);
      for (int i = 0; i < 2; i++) {
        sinew_spring_job job = make_job(r + i, states[i], dt);
        job.world.m[3] = (float)sway + (i && f >= 20 ? 50 : 0);
        frame(r + i, &job);
      }
      if (f >= 20) most = fmax(most, fabs(lean(r, 4)));
      for (int j = 3; j < 7; j++) assert_near(lean(r + 1, j), lean(r, j), 0.3);
    }
    assert_true(most > 0.05);
    for (int i = 0; i < 2; i++) rig_free(r + i);
  }
}

static void any_frame_is_survived(void **state) {
  (void)state;
  double frames[] = {2, 1e-9, 0, 0.5, 1e6, 1e300, 1 / 60.0};
  float frequencies[] = {0.01f, 2, 1000}, dampings[] = {0, 1, 100};
  for (int i = 0; i < 9; i++) {
    limb_rig r;
    make_hair(&r, HAIR + 1);
    sinew_spring_state states[HAIR] = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, false}};
    for (int f = 0; f < 70; f++) {
      sinew_spring_job job = make_job(&r, states, frames[f % 7]);
      job.frequency = frequencies[i % 3], job.damping = dampings[i / 3], job.gravity = (sinew_vec3){0, -9.81f, 0};
      for (int c = 3; c < 12; c += 4) job.world.m[c] = random_range(-100, 100);
      frame(&r, &job);
    }
    /* And it comes to rest again, where it is damped at all. */
    sinew_spring_job job = make_job(&r, states, 1 / 60.0);
    job.damping = 1;
    for (int f = 0; f < 600; f++) {
      job.world.m[3] = f < 5 ? 0 : 0.1f; /* gravity is gone, and what hung straight down must not stay on its head */
      frame(&r, &job);
    }
    assert_near(lean(&r, 6), 0, 1e-3);
    rig_free(&r);
  }
}

/* Two frames of half the length end where one of the whole does, nearly. */
static void the_frame_rate_hardly_matters(void **state) {
  (void)state;
  sinew_vec3 ends[3];
  for (int i = 0; i < 3; i++) {
    limb_rig r;
    make_hair(&r, HAIR + 1);
    sinew_spring_state states[HAIR] = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, false}};
    sinew_spring_job job = make_job(&r, states, 0);
    frame(&r, &job);
    int rate = 30 << i;
    for (int f = 1; f <= rate; f++) { /* one second of swaying */
      job.dt = 1.0 / rate, job.world.m[3] = (float)(0.05 * sin(2 * pi * f / rate));
      frame(&r, &job);
    }
    ends[i] = place_of(&r, 6);
    rig_free(&r);
  }
  assert_true(distance_between(ends[0], ends[2]) < 0.01 && distance_between(ends[1], ends[2]) < 0.005);
}

static void bad_jobs_are_refused_and_write_nothing(void **state) {
  (void)state;
  limb_rig r;
  make_hair(&r, HAIR + 1);
  sinew_pose before = copy_pose(r.posed.pose);
  sinew_spring_state states[HAIR], kept[HAIR];
  memset(states, 7, sizeof states), memcpy(kept, states, sizeof states);
  int descending[] = {3, 2, 4, 5}, missing[] = {2, 3, 4, 99};
  sinew_spring_job bad[15];
  for (int i = 0; i < 15; i++) bad[i] = make_job(&r, states, 0.1);
  bad[0].dt = NAN, bad[1].dt = -1, bad[2].dt = INFINITY, bad[3].frequency = 0, bad[4].frequency = NAN;
  bad[5].damping = -1, bad[6].damping = NAN, bad[7].gravity = not_finite[0], bad[8].world.m[5] = NAN;
  bad[9].joints = descending, bad[10].joints = missing, bad[11].joints = NULL, bad[12].states = NULL;
  bad[13].weight = NAN, bad[14].count = -1;
  for (int i = 0; i < 15; i++) {
    assert_non_null(sinew_spring_check(bad + i));
    assert_false(sinew_spring(bad + i));
  }
  assert_memory_equal(before.groups, r.posed.pose.groups, sizeof *before.groups);
  assert_memory_equal(states, kept, sizeof kept);
  free(before.groups);
  rig_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(at_rest_it_stays),
      cmocka_unit_test(a_small_swing_follows_its_equation),
      cmocka_unit_test(gravity_pulls_it),
      cmocka_unit_test(it_trails_and_catches_up),
      cmocka_unit_test(put_elsewhere_it_takes_its_swing_along),
      cmocka_unit_test(any_frame_is_survived),
      cmocka_unit_test(the_frame_rate_hardly_matters),
      cmocka_unit_test(bad_jobs_are_refused_and_write_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
