/* Inertial transitions: nothing jumps, in position or in velocity, and the offset follows its formula. */
#include "support/fixture.h"

enum { JOINTS = 11, GROUPS = 2 };

static const double duration = 0.4;

/* A source that moves evenly: each joint turns about an axis of its own and drifts. */
typedef struct source {
  sinew_transform start[JOINTS];
  sinew_vec3 axis[JOINTS], drift[JOINTS];
  float spin[JOINTS];
} source;

static source random_source(float speed) {
  source s;
  for (int j = 0; j < JOINTS; j++) {
    s.start[j] = random_transform(true);
    s.axis[j] = (sinew_vec3){random_range(-1, 1), random_range(-1, 1), random_range(-1, 1)};
    s.drift[j] = (sinew_vec3){random_range(-speed, speed), random_range(-speed, speed), random_range(-speed, speed)};
    s.spin[j] = random_range(-speed, speed);
  }
  return s;
}

static sinew_pose pose_of(const source *s, double time) {
  sinew_pose pose = random_pose(JOINTS, false);
  for (int j = 0; j < JOINTS; j++) {
    sinew_transform t = s->start[j];
    t.translation.x += (float)(s->drift[j].x * time);
    t.translation.y += (float)(s->drift[j].y * time);
    t.translation.z += (float)(s->drift[j].z * time);
    t.rotation = sinew_quat_multiply(sinew_quat_from_axis_angle(s->axis[j], (float)(s->spin[j] * time)), t.rotation);
    if (random_bits() % 2) /* the same rotation */
      t.rotation = (sinew_quat){-t.rotation.x, -t.rotation.y, -t.rotation.z, -t.rotation.w};
    sinew_pose_set_joint(&pose, j, &t);
  }
  return pose;
}

static void begin(const source *from, const source *to, double dt, sinew_inertia_group *inertia) {
  sinew_pose a = pose_of(from, 0), b = pose_of(from, -dt), c = pose_of(to, 0), d = pose_of(to, dt);
  assert_true(sinew_inertialize_begin(&(sinew_inertialize_begin_job){a, b, c, d, dt, NULL, inertia, 0}));
  free(a.groups), free(b.groups), free(c.groups), free(d.groups);
}

static sinew_pose show(const source *to, const sinew_inertia_group *inertia, double time) {
  sinew_pose pose = pose_of(to, time);
  assert_true(sinew_inertialize(&(sinew_inertialize_job){inertia, time, duration, pose, pose}));
  return pose;
}

/* The greatest difference between the velocities (metres and radians per second) of two pairs of poses h apart. */
static double worst_velocity_difference(sinew_pose a, sinew_pose b, sinew_pose c, sinew_pose d, double h) {
  double worst = 0;
  for (int j = 0; j < JOINTS; j++) {
    sinew_transform p = sinew_pose_joint(&a, j), q = sinew_pose_joint(&b, j), r = sinew_pose_joint(&c, j),
                    s = sinew_pose_joint(&d, j);
    const float *pt = &p.translation.x, *qt = &q.translation.x, *rt = &r.translation.x, *st = &s.translation.x;
    for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(((double)qt[i] - pt[i]) - ((double)st[i] - rt[i])) / h);
    sinew_quat pi = {-p.rotation.x, -p.rotation.y, -p.rotation.z, p.rotation.w};
    sinew_quat ri = {-r.rotation.x, -r.rotation.y, -r.rotation.z, r.rotation.w};
    worst = fmax(worst, angle_between(sinew_quat_multiply(q.rotation, pi), sinew_quat_multiply(s.rotation, ri)) / h);
  }
  return worst;
}

static void free_poses(sinew_pose *poses, int count) {
  for (int i = 0; i < count; i++) free(poses[i].groups);
}

/* Velocities are differences over h, so they agree to about the acceleration (offset / duration²) × h. */
static void a_transition_begins_and_ends_smoothly(void **state) {
  (void)state;
  const double h = 1e-3;
  for (int i = 0; i < 20; i++) {
    source from = random_source(2), to = random_source(2);
    sinew_inertia_group inertia[GROUPS];
    begin(&from, &to, 1.0 / 60, inertia);
    sinew_pose p[8] = {pose_of(&from, -h),
                       pose_of(&from, 0),
                       show(&to, inertia, 0),
                       show(&to, inertia, h),
                       show(&to, inertia, duration - h),
                       show(&to, inertia, duration),
                       pose_of(&to, duration - h),
                       pose_of(&to, duration)};
    expect_same(p[2], p[1], 2e-6);
    assert_true(worst_velocity_difference(p[0], p[1], p[2], p[3], h) < 0.35);
    expect_same(p[5], p[7], 0);
    assert_true(worst_velocity_difference(p[4], p[5], p[6], p[7], h) < 0.01);
    free_poses(p, 8);
  }
}

/* Interrupted again and again, each time from what was shown last: no step of 1 ms is longer than the speeds allow. */
static void an_interrupted_transition_is_continuous_in_position_and_velocity(void **state) {
  (void)state;
  const double h = 1e-3;
  source sources[6];
  for (int i = 0; i < 6; i++) sources[i] = random_source(1);
  sinew_inertia_group inertia[2][GROUPS];
  begin(sources, sources + 1, h, inertia[0]);
  for (int i = 1; i < 5; i++) {
    double time = 0.02 + 0.05 * i; /* of this transition, when the next one comes */
    source next = sources[i + 1];
    const sinew_inertia_group *now = inertia[(i + 1) % 2];
    sinew_inertia_group *after = inertia[i % 2];
    sinew_pose p[6] = {show(sources + i, now, time), show(sources + i, now, time - h), pose_of(&next, 0),
                       pose_of(&next, h)};
    assert_true(sinew_inertialize_begin(&(sinew_inertialize_begin_job){p[0], p[1], p[2], p[3], h, NULL, after, 0}));
    p[4] = show(&next, after, 0), p[5] = show(&next, after, h);
    expect_same(p[4], p[0], 2e-6);
    assert_true(worst_velocity_difference(p[1], p[0], p[4], p[5], h) < 0.5);
    free_poses(p, 6);
  }
}

/* A transition that is interrupted in its first moment looks back before its beginning. */
static void before_its_beginning_it_goes_on_in_a_straight_line(void **state) {
  (void)state;
  source from = random_source(2), to = random_source(2);
  sinew_inertia_group inertia[GROUPS];
  begin(&from, &to, 0.01, inertia);
  sinew_pose before = show(&to, inertia, -0.01), shown = pose_of(&from, -0.01);
  expect_same(before, shown, 1e-4);
  free(before.groups), free(shown.groups);
}

/* An offset of x metres along one axis of one joint, which goes with v m/s. */
static void begin_along(sinew_pose still, int axis, float x, float v, sinew_inertia_group *inertia) {
  const float h = 0.01f;
  sinew_pose from = copy_pose(still), before = copy_pose(still);
  from.groups->translation[axis][0] += x;
  before.groups->translation[axis][0] += x - v * h;
  assert_true(
      sinew_inertialize_begin(&(sinew_inertialize_begin_job){from, before, still, still, (double)h, NULL, inertia, 0}));
  free(from.groups), free(before.groups);
}

static sinew_pose at_origin(void) {
  sinew_pose still = random_pose(1, false);
  sinew_transform origin = sinew_transform_identity();
  sinew_pose_set_joint(&still, 0, &origin);
  return still;
}

/* From its derivatives, in double, for one number that heads for zero, too fast or not, or away from it: the offset and
 * how far the velocity has carried it die away by the quintic that begins and ends at rest, 30 s² (1 − s)² long; the
 * velocity stops as (1 − t / e)⁴. */
static double integrated(double x, double v, double t, double end) {
  enum { STEPS = 4000 };
  double fits = 5 * fmax(x, 0.02) / fmax(fabs(v), 1e-9), stop = fmin(end, fmax(fits, 1 / 60.0));
  v *= fmin(fits * 60, 1);
  double value = x, h = t / STEPS;
  for (int i = 0; i < STEPS; i++) {
    double now = (i + 0.5) * h, s = now / end, rest = fmax(1 - now / stop, 0);
    double back = s < 1 ? 30 * s * s * (1 - s) * (1 - s) / end : 0;
    value += h * (v * pow(rest, 4) - back * (x + v * stop / 5));
  }
  return value;
}

static void an_offset_follows_its_formula(void **state) {
  (void)state;
  double speeds[] = {0, -1, -6, -9, -30, 2};
  sinew_pose still = at_origin(), out = copy_pose(still);
  for (int i = 0; i < 6; i++) {
    sinew_inertia_group inertia;
    begin_along(still, 2, 0.7f, (float)speeds[i], &inertia);
    for (double t = 0; t < 0.5; t += 0.01) {
      assert_true(sinew_inertialize(&(sinew_inertialize_job){&inertia, t, duration, still, out}));
      double got = (double)out.groups->translation[2][0] - (double)still.groups->translation[2][0];
      assert_near(got, integrated((double)0.7f, speeds[i], t, duration), 1e-5);
    }
  }
  free(still.groups), free(out.groups);
}

static void what_heads_for_zero_does_not_pass_it(void **state) {
  (void)state;
  sinew_pose still = at_origin(), out = copy_pose(still);
  for (int i = 0; i <= 140; i++) { /* up to 14 m/s: as fast as it can come to rest in 1/28 s */
    sinew_inertia_group inertia;
    begin_along(still, 0, 0.1f, -(float)i / 10, &inertia);
    float last = 0.1f;
    for (double t = 0; t < 0.41; t += 0.005) {
      assert_true(sinew_inertialize(&(sinew_inertialize_job){&inertia, t, duration, still, out}));
      float x = out.groups->translation[0][0];
      assert_true(x >= -1e-7f && x <= last + 1e-7f);
      last = x;
    }
  }
  free(still.groups), free(out.groups);
}

/* A joint that moves away returns as slowly as the time allows, not as fast as it left. */
static void what_is_thrown_comes_back_slowly(void **state) {
  (void)state;
  sinew_pose still = at_origin(), out = copy_pose(still);
  for (int i = 1; i <= 60; i++) {
    sinew_inertia_group inertia;
    float v = (float)i / 10, last = 0.02f, fastest = 0, h = 0.002f;
    begin_along(still, 0, last, v, &inertia);
    for (double t = 0; t < 0.42; t += (double)h) {
      assert_true(sinew_inertialize(&(sinew_inertialize_job){&inertia, t, duration, still, out}));
      float x = out.groups->translation[0][0];
      fastest = fmaxf(fastest, (last - x) / h);
      last = x;
    }
    assert_true(fastest < 0.2f); /* 1.875 (2 cm + 2 cm) / 0.4 s */
  }
  free(still.groups), free(out.groups);
}

/* 1 mm and 5 m/s in any direction: not more than the 2 cm that are allowed, and a velocity that is lower for it. */
static void what_is_hardly_there_is_not_carried_away(void **state) {
  (void)state;
  sinew_pose still = at_origin(), out = copy_pose(still);
  for (int i = 0; i < 36; i++) {
    const float h = 0.01f, angle = (float)i * 0.1745329f;
    sinew_inertia_group inertia;
    sinew_pose from = copy_pose(still), before = copy_pose(still);
    from.groups->translation[0][0] = 0.001f;
    before.groups->translation[0][0] = 0.001f - 5 * cosf(angle) * h,
    before.groups->translation[1][0] = -5 * sinf(angle) * h;
    sinew_inertialize_begin(&(sinew_inertialize_begin_job){from, before, still, still, (double)h, NULL, &inertia, 0});
    double most = 0;
    for (double t = 0; t < 0.41; t += 0.001) {
      assert_true(sinew_inertialize(&(sinew_inertialize_job){&inertia, t, duration, still, out}));
      most = fmax(most, hypot((double)out.groups->translation[0][0], (double)out.groups->translation[1][0]));
    }
    assert_true(most < 0.0215 && most > 0.01);
    free(from.groups), free(before.groups);
  }
  free(still.groups), free(out.groups);
}

/* 15 rad/s of a joint that carries half a metre: its farthest end is thrown 2 cm. */
static void a_turn_throws_what_it_carries_no_farther(void **state) {
  (void)state;
  const float levers[SINEW_LANES] = {0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f};
  sinew_pose still = at_origin(), out = copy_pose(still), before = copy_pose(still);
  sinew_transform turned = sinew_transform_identity();
  turned.rotation = sinew_quat_from_axis_angle((sinew_vec3){1, 0, 0}, -0.15f);
  sinew_pose_set_joint(&before, 0, &turned);
  sinew_inertia_group inertia;
  sinew_inertialize_begin(&(sinew_inertialize_begin_job){still, before, still, still, 0.01, levers, &inertia, 0});
  double most = 0;
  for (double t = 0; t < 0.41; t += 0.001) {
    assert_true(sinew_inertialize(&(sinew_inertialize_job){&inertia, t, duration, still, out}));
    most = fmax(most, 0.5 * angle_between(sinew_pose_joint(&out, 0).rotation, (sinew_quat){0, 0, 0, 1}));
  }
  assert_true(most < 0.0215 && most > 0.01);
  free(still.groups), free(out.groups), free(before.groups);
}

static void half_turns_and_spins_stay_finite(void **state) {
  (void)state;
  sinew_pose poses[4];
  for (int i = 0; i < 4; i++) poses[i] = random_pose(4, false);
  sinew_quat turns[4] = {{1, 0, 0, 0}, {-1, 0, 0, 1e-8f}, {0, 0, 0, 1}, {0, 1, 0, 0}};
  for (int code = 0; code < 256; code++) {
    for (int i = 0; i < 4; i++) {
      sinew_transform t = sinew_transform_identity();
      t.rotation = turns[code >> 2 * i & 3];
      for (int j = 0; j < 4; j++) sinew_pose_set_joint(poses + i, j, &t);
    }
    sinew_inertia_group inertia;
    assert_true(sinew_inertialize_begin(
        &(sinew_inertialize_begin_job){poses[0], poses[1], poses[2], poses[3], 1e-6, NULL, &inertia, 0}));
    sinew_pose out = copy_pose(poses[2]);
    for (double t = 0; t < 0.4; t += 0.1) {
      assert_true(sinew_inertialize(&(sinew_inertialize_job){&inertia, t, duration, poses[2], out}));
      sinew_quat q = sinew_pose_joint(&out, 1).rotation;
      assert_near((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w, 1, 1e-5);
      if (t == 0) assert_true(angle_between(q, turns[code & 3]) < 1e-6);
    }
    free(out.groups);
  }
  free_poses(poses, 4);
}

static sinew_pose turned_by(double angle) {
  const sinew_vec3 axis = {0.36f, 0.48f, 0.8f};
  sinew_pose pose = at_origin();
  sinew_transform t = sinew_transform_identity();
  t.rotation = sinew_quat_from_axis_angle(axis, (float)angle);
  if (t.rotation.w < 0) /* as clips keep it: on either side of half a turn the signs differ */
    t.rotation = (sinew_quat){-t.rotation.x, -t.rotation.y, -t.rotation.z, -t.rotation.w};
  sinew_pose_set_joint(&pose, 0, &t);
  return pose;
}

/* An offset of nearly half a turn, on either side of it or just passing it, goes on as it came and dies away evenly. */
static void a_twist_of_nearly_half_a_turn_does_not_flip(void **state) {
  (void)state;
  const double half = 3.14159265358979323846;
  for (double rate = 30; rate < 150; rate = rate < 60 ? 60 : rate < 144 ? 144 : 200)
    for (double off = -0.05; off < 0.055; off += 0.01)
      for (double speed = -2; speed <= 2; speed += 1) {
        sinew_inertia_group inertia;
        sinew_pose from = turned_by(half + off), before = turned_by(half + off - speed / rate), to = turned_by(0);
        assert_true(
            sinew_inertialize_begin(&(sinew_inertialize_begin_job){from, before, to, to, 1 / rate, NULL, &inertia, 0}));
        sinew_pose out = copy_pose(to), last = copy_pose(from);
        for (int i = 0; i <= (int)(duration * rate) + 1; i++) {
          assert_true(sinew_inertialize(&(sinew_inertialize_job){&inertia, i / rate, duration, to, out}));
          sinew_quat now = sinew_pose_joint(&out, 0).rotation, then = sinew_pose_joint(&last, 0).rotation;
          double step = angle_between(now, then) * rate;
          if (i == 0) assert_true(step < 1e-3 * rate);
          assert_true(step <
                      18); /* 1.875 π / 0.4 s is the most that the quintic has, and the speed that it came with */
          memcpy(last.groups, out.groups, sizeof *out.groups);
        }
        assert_true(angle_between(sinew_pose_joint(&out, 0).rotation, sinew_pose_joint(&to, 0).rotation) < 1e-3);
        free(from.groups), free(before.groups), free(to.groups), free(out.groups), free(last.groups);
      }
}

static void bad_jobs_are_refused_and_write_nothing(void **state) {
  (void)state;
  sinew_pose p = random_pose(3, false), out = random_pose(3, false), before = copy_pose(out), none = {NULL, 3},
             other = {p.groups, 2};
  sinew_inertia_group inertia = {.offset = {{{42}}}}, kept = inertia;
  sinew_inertialize_begin_job begins[] = {
      {none, p, p, p, 1, NULL, &inertia, 0},     {p, p, p, none, 1, NULL, &inertia, 0},
      {p, p, other, p, 1, NULL, &inertia, 0},    {p, p, p, p, 0, NULL, &inertia, 0},
      {p, p, p, p, -1, NULL, &inertia, 0},       {p, p, p, p, NAN, NULL, &inertia, 0},
      {p, p, p, p, INFINITY, NULL, &inertia, 0}, {p, p, p, p, 1, NULL, NULL, 0}};
  for (int i = 0; i < 8; i++) assert_false(sinew_inertialize_begin(begins + i));
  sinew_inertialize_job jobs[] = {{NULL, 0, 1, p, out},       {&inertia, NAN, 1, p, out},  {&inertia, 0, 0, p, out},
                                  {&inertia, 0, NAN, p, out}, {&inertia, 0, 1, none, out}, {&inertia, 0, 1, other, out},
                                  {&inertia, 0, 1, p, none}};
  for (int i = 0; i < 7; i++) assert_false(sinew_inertialize(jobs + i));
  assert_memory_equal(&inertia, &kept, sizeof kept);
  assert_memory_equal(out.groups, before.groups, sizeof *out.groups);
  free(p.groups), free(out.groups), free(before.groups);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_transition_begins_and_ends_smoothly),
      cmocka_unit_test(an_interrupted_transition_is_continuous_in_position_and_velocity),
      cmocka_unit_test(before_its_beginning_it_goes_on_in_a_straight_line),
      cmocka_unit_test(an_offset_follows_its_formula),
      cmocka_unit_test(what_heads_for_zero_does_not_pass_it),
      cmocka_unit_test(what_is_thrown_comes_back_slowly),
      cmocka_unit_test(what_is_hardly_there_is_not_carried_away),
      cmocka_unit_test(a_turn_throws_what_it_carries_no_farther),
      cmocka_unit_test(a_twist_of_nearly_half_a_turn_does_not_flip),
      cmocka_unit_test(half_turns_and_spins_stay_finite),
      cmocka_unit_test(bad_jobs_are_refused_and_write_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
