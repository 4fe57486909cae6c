/* Root motion: a character that walks a circle, against the circle. */
#include "support/rig.h"

#include <sinew/motion.h>

static const double pi = 3.14159265358979323846, duration = 2;
static const unsigned all_axes = SINEW_ROOT_X | SINEW_ROOT_Y | SINEW_ROOT_Z | SINEW_ROOT_YAW;

enum { ARMATURE = 1, HIPS, HEAD, ROWS = 65 };

/* One cycle: a quarter of a circle of radius 3 m about the model's origin, a rise of 0.2 m. */
static double angle_at(double time) { return time / duration * pi / 2; }

static sinew_vec3 place_at(double time) {
  double a = angle_at(time);
  return (sinew_vec3){(float)(3 * sin(a)), (float)(1 + 0.2 * time / duration), (float)(3 * cos(a))};
}

/* The armature of a file with z up, in centimetres, mirrored where `mirror` is. */
static bool mirrored;

static sinew_transform armature(void) {
  sinew_transform t = sinew_transform_identity();
  t.rotation = sinew_quat_from_axis_angle((sinew_vec3){1, 0, 0}, -(float)pi / 2);
  t.scale = (sinew_vec3){mirrored ? -0.01f : 0.01f, 0.01f, 0.01f};
  return t;
}

/* The joint's place in model space, taken back through the armature. */
static sinew_transform motion(int joint, double time) {
  sinew_transform a = armature(), t = sinew_transform_identity();
  if (joint == 0) return a;
  if (joint == 2) {
    t.translation = (sinew_vec3){0, 0, 60};
    t.rotation = sinew_quat_from_axis_angle((sinew_vec3){1, 0, 0}, (float)(0.3 * sin(time)));
    return t;
  }
  sinew_mat3x4 up = sinew_mat3x4_from_transform(&a), down;
  assert_true(sinew_mat3x4_inverse(&up, &down));
  sinew_transform position = {
      place_at(time), sinew_quat_from_axis_angle((sinew_vec3){0, 1, 0}, (float)angle_at(time)), {0.01f, 0.01f, 0.01f}};
  sinew_mat3x4 m = sinew_mat3x4_from_transform(&position);
  m = sinew_mat3x4_multiply(&down, &m);
  return sinew_transform_from_mat3x4(&m);
}

static sinew_model *make_walker(bool mirror) {
  mirrored = mirror;
  joint_desc joints[3];
  for (int j = 0; j < 3; j++) joints[j] = (joint_desc){"j", j - 1, motion(j, 0), false, 0};
  return make_rig(joints, 3, motion, duration, ROWS);
}

static sinew_transform travel(sinew_root_track track, double from, double to, int64_t loops) {
  sinew_transform out;
  assert_true(sinew_root_motion(&(sinew_root_motion_job){track, from, to, loops, 0, 0, &out}));
  return out;
}

static double yaw_of(sinew_transform t) { return 2 * atan2((double)t.rotation.y, (double)t.rotation.w); }

/* A turn about the circle's centre by the angle walked: from one point of the circle to another. */
static void expect_arc(sinew_transform got, double walked, double rise, double tolerance) {
  /* R turns about the model's origin, which is the circle's centre: the world is turned, the origin stays. */
  assert_near(got.translation.x, 0, tolerance);
  assert_near(got.translation.z, 0, tolerance);
  assert_near(got.translation.y, rise, tolerance);
  assert_near(remainder(yaw_of(got) - walked, 2 * pi), 0, tolerance);
}

static double row_time(int row) { return duration * row / (ROWS - 1); }

static void loops_travel_as_many_strides(void **state) {
  (void)state;
  sinew_model *model = make_walker(false);
  sinew_root_track track = {model, sinew_model_clip(model, 0), HIPS, all_axes};
  int64_t loops[] = {0, 1, 2, 7, 1000, -1, -3, -1000};
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 20; k++) {
      double from = row_time((int)(random_bits() % ROWS)), to = row_time((int)(random_bits() % ROWS));
      double cycles = (double)loops[i] + (to - from) / duration;
      expect_arc(travel(track, from, to, loops[i]), cycles * pi / 2, cycles * 0.2, 1e-6 * (10 + fabs(cycles)));
    }
  sinew_model_release(model);
}

static void a_quarter_turn_is_ninety_degrees(void **state) {
  (void)state;
  for (int mirror = 0; mirror < 2; mirror++) {
    sinew_model *model = make_walker(mirror);
    sinew_root_track track = {model, sinew_model_clip(model, 0), HIPS, all_axes};
    assert_near(yaw_of(travel(track, 0, duration, 0)), pi / 2, 1e-6);
    assert_near(yaw_of(travel(track, duration, 0, 0)), -pi / 2, 1e-6);
    assert_near(yaw_of(travel(track, 0, 99, 0)), pi / 2, 1e-6); /* past the end it stands */
    sinew_model_release(model);
  }
}

/* In steps of any size the way is the same: world · step · step … */
static void steps_add_up_to_the_whole(void **state) {
  (void)state;
  sinew_model *model = make_walker(false);
  sinew_root_track track = {model, sinew_model_clip(model, 0), HIPS, all_axes};
  sinew_mat3x4 world = sinew_mat3x4_identity();
  double time = 0, clock = 0;
  for (int i = 0; i < 300; i++) {
    double step = (double)random_range(-0.3f, 0.5f);
    clock += step;
    int64_t loops = (int64_t)floor((time + step) / duration);
    double next = time + step - (double)loops * duration;
    sinew_transform moved = travel(track, time, next, loops);
    sinew_mat3x4 m = sinew_mat3x4_from_transform(&moved);
    world = sinew_mat3x4_multiply(&world, &m);
    time = next;
  }
  int64_t cycles = (int64_t)floor(clock / duration);
  sinew_transform whole = travel(track, 0, clock - (double)cycles * duration, cycles);
  sinew_transform got = sinew_transform_from_mat3x4(&world);
  assert_true(distance_between(got.translation, whole.translation) < 1e-3);
  assert_true(angle_between(got.rotation, whole.rotation) < 1e-4);
  sinew_model_release(model);
}

/* Two metres straight on in the first half of a cycle, a quarter turn on the spot in the second. */
static sinew_transform walk_a_square(int joint, double time) {
  (void)joint;
  double s = time / duration;
  sinew_transform t = {{5, 1, (float)(7 + fmin(4 * s, 2))}, {0, 0, 0, 1}, {1, 1, 1}};
  t.rotation = sinew_quat_from_axis_angle((sinew_vec3){0, 1, 0}, (float)(fmax(s - 0.5, 0) * pi));
  return t;
}

/* Where the hips are after a cycle, two, three, four, from the beginning and from the middle of the first side. */
static void four_quarter_turns_walk_a_square(void **state) {
  (void)state;
  joint_desc joint = {"hips", -1, walk_a_square(0, 0), false, 0};
  sinew_model *model = make_rig(&joint, 1, walk_a_square, duration, ROWS);
  sinew_root_track track = {model, sinew_model_clip(model, 0), 1, all_axes};
  const double corners[5][2] = {{0, 0}, {0, 2}, {2, 2}, {2, 0}, {0, 0}};
  const double middles[5][2] = {{0, 0}, {1, 1}, {2, 0}, {1, -1}, {0, 0}};
  for (int loops = -8; loops <= 8; loops++)
    for (int middle = 0; middle < 2; middle++) {
      const double *want = (middle ? middles : corners)[(loops + 8) % 4];
      double time = middle ? duration / 4 : 0;
      sinew_transform to_there = travel(track, 0, time, 0), back = travel(track, time, 0, 0),
                      moved = travel(track, time, time, loops);
      sinew_mat3x4 a = sinew_mat3x4_from_transform(&to_there), b = sinew_mat3x4_from_transform(&moved);
      sinew_vec3 hips = {5, 1, 7}, start = sinew_mat3x4_transform_point(&a, hips);
      a = sinew_mat3x4_multiply(&a, &b);
      sinew_vec3 got = sinew_mat3x4_transform_point(&a, hips);
      assert_near(got.x - start.x, want[0], 1e-5);
      assert_near(got.y - start.y, 0, 1e-5);
      assert_near(got.z - start.z, want[1], 1e-5);
      assert_near(remainder(yaw_of(moved) - loops * pi / 2, 2 * pi), 0, 1e-6);
      assert_near(back.translation.z, middle ? -1 : 0, 1e-5);
    }
  sinew_model_release(model);
}

/* Undeclared axes are not the root's. */
static void only_declared_axes_move(void **state) {
  (void)state;
  sinew_model *model = make_walker(false);
  sinew_root_track track = {model, sinew_model_clip(model, 0), HIPS, 0};
  for (unsigned axes = 0; axes < 16; axes++) {
    track.axes = axes;
    sinew_transform got = travel(track, 0, duration, 0);
    if (axes & SINEW_ROOT_YAW) {
      assert_near(yaw_of(got), pi / 2, 1e-6);
      continue;
    }
    assert_near(got.translation.x, axes & SINEW_ROOT_X ? 3 : 0, 1e-5);
    assert_near(got.translation.y, axes & SINEW_ROOT_Y ? 0.2 : 0, 1e-5);
    assert_near(got.translation.z, axes & SINEW_ROOT_Z ? -3 : 0, 1e-5);
    assert_near(yaw_of(got), 0, 1e-6);
  }
  sinew_model_release(model);
}

static void a_part_of_a_clip_loops_by_itself(void **state) {
  (void)state;
  sinew_model *model = make_walker(false);
  sinew_root_track track = {model, sinew_model_clip(model, 0), HIPS, all_axes};
  sinew_transform out;
  double begin = row_time(16), end = row_time(48); /* an eighth of a circle */
  assert_true(sinew_root_motion(&(sinew_root_motion_job){track, begin, begin, 5, begin, end, &out}));
  expect_arc(out, 5 * pi / 4, 0.5, 1e-5);
  sinew_model_release(model);
}

/* Moving the character by R and showing R⁻¹ · pose puts every joint where the clip has it; the hips stay in place. */
static void the_pose_without_it_and_the_root_make_the_clip(void **state) {
  (void)state;
  for (int mirror = 0; mirror < 2; mirror++) {
    sinew_model *model = make_walker(mirror);
    sinew_root_track track = {model, sinew_model_clip(model, 0), HIPS, all_axes};
    sinew_pose pose = random_pose(4, false);
    for (int r = 0; r < ROWS; r += 4) {
      double time = row_time(r);
      sinew_mat3x4 whole[4], bare[4];
      assert_true(sinew_sample(&(sinew_sample_job){model, track.clip, time, pose}));
      assert_true(sinew_local_to_model(&(sinew_local_to_model_job){model, pose, whole, 0}));
      assert_true(sinew_root_remove(&(sinew_root_remove_job){track, time, pose}));
      assert_true(sinew_local_to_model(&(sinew_local_to_model_job){model, pose, bare, 0}));
      sinew_transform moved = travel(track, 0, time, 0);
      sinew_mat3x4 world = sinew_mat3x4_from_transform(&moved);
      for (int j = HIPS; j <= HEAD; j++) {
        sinew_mat3x4 got = sinew_mat3x4_multiply(&world, bare + j);
        for (int e = 0; e < 12; e++) assert_near(got.m[e], whole[j].m[e], 2e-6);
      }
      assert_near(bare[HIPS].m[3], 0, 2e-6);
      assert_near(bare[HIPS].m[7], 1, 2e-6);
      assert_near(bare[HIPS].m[11], 3, 2e-6);
    }
    free(pose.groups);
    sinew_model_release(model);
  }
}

static void bad_jobs_are_refused_and_write_nothing(void **state) {
  (void)state;
  sinew_model *model = make_walker(false), *other = random_model(9, SHAPE_CHAIN, 3, false);
  const sinew_clip *clip = sinew_model_clip(model, 0);
  sinew_root_track good = {model, clip, HIPS, all_axes},
                   bad[] = {{NULL, clip, HIPS, 1}, {model, NULL, HIPS, 1}, {model, sinew_model_clip(other, 0), HIPS, 1},
                            {model, clip, -1, 1},  {model, clip, 4, 1},    {model, clip, HIPS, 16}};
  sinew_transform out = {{1, 2, 3}, {0, 0, 0, 1}, {4, 5, 6}}, kept = out;
  sinew_pose pose = random_pose(4, false), before = copy_pose(pose);
  for (int i = 0; i < 6; i++) {
    assert_false(sinew_root_motion(&(sinew_root_motion_job){bad[i], 0, 1, 0, 0, 0, &out}));
    assert_false(sinew_root_remove(&(sinew_root_remove_job){bad[i], 0, pose}));
  }
  sinew_root_motion_job jobs[] = {{good, NAN, 1, 0, 0, 0, &out},
                                  {good, 0, INFINITY, 0, 0, 0, &out},
                                  {good, 0, 1, 0, 1, 0.5, &out},
                                  {good, 0, 1, 0, NAN, 1, &out},
                                  {good, 0, 1, 0, 0, 0, NULL}};
  for (int i = 0; i < 5; i++) assert_false(sinew_root_motion(jobs + i));
  assert_false(sinew_root_remove(&(sinew_root_remove_job){good, NAN, pose}));
  assert_false(sinew_root_remove(&(sinew_root_remove_job){good, 0, {NULL, 4}}));
  assert_false(sinew_root_remove(&(sinew_root_remove_job){good, 0, {pose.groups, 3}}));
  assert_memory_equal(&out, &kept, sizeof out);
  assert_memory_equal(pose.groups, before.groups, sizeof *pose.groups);
  free(pose.groups), free(before.groups);
  sinew_model_release(model), sinew_model_release(other);
  forget_made_clip();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loops_travel_as_many_strides),
      cmocka_unit_test(a_quarter_turn_is_ninety_degrees),
      cmocka_unit_test(steps_add_up_to_the_whole),
      cmocka_unit_test(four_quarter_turns_walk_a_square),
      cmocka_unit_test(only_declared_axes_move),
      cmocka_unit_test(a_part_of_a_clip_loops_by_itself),
      cmocka_unit_test(the_pose_without_it_and_the_root_make_the_clip),
      cmocka_unit_test(bad_jobs_are_refused_and_write_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
