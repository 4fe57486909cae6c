/* Root motion of random skeletons and clips against its definition, in doubles and with matrices. */
#include "support/exact.h"
#include "support/fixture.h"

#include <sinew/motion.h>

enum { ROWS = 12, MOST = 101 };
static const unsigned all_axes = SINEW_ROOT_X | SINEW_ROOT_Y | SINEW_ROOT_Z | SINEW_ROOT_YAW;

static matrix from_transform(sinew_transform t) {
  const double q[4] = {t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w};
  const double at[3] = {t.translation.x, t.translation.y, t.translation.z};
  const double scale[3] = {t.scale.x, t.scale.y, t.scale.z};
  return make_matrix(q, at, scale);
}

/* A turn about y and a way. */
static matrix planar(double x, double y, double z, double yaw) {
  const double q[4] = {0, sin(yaw / 2), 0, cos(yaw / 2)}, at[3] = {x, y, z}, one[3] = {1, 1, 1};
  return make_matrix(q, at, one);
}

/* Of a matrix without a scale. */
static matrix inverse(const matrix *a) {
  matrix out;
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) out.m[4 * r + c] = a->m[4 * c + r];
    out.m[4 * r + 3] = -(a->m[r] * a->m[3] + a->m[4 + r] * a->m[7] + a->m[8 + r] * a->m[11]);
  }
  return out;
}

/* Without its scale: the fixture's clip moves the joint, and none above it. */
static matrix place_at(const sinew_root_track *track, double time) {
  int file = sinew_model_joint_file_index(track->model, track->joint), row = 0;
  time = fmin(fmax(time, 0), (double)made_clip.times[ROWS - 1]);
  while (row + 2 < ROWS && (double)made_clip.times[row + 1] <= time) row++;
  double begin = made_clip.times[row], w = (time - begin) / ((double)made_clip.times[row + 1] - begin), v[7];
  const double one[3] = {1, 1, 1};
  const float *a = made_clip.values + row * made_clip.frame_size + file / 2 * 10, *b = a + made_clip.frame_size;
  for (int i = 0; i < 7; i++)
    v[i] = (double)a[i] + (i >= 4 && file % 4 == 0 && w < 1 ? 0 : w) * ((double)b[i] - (double)a[i]);
  matrix position = make_matrix(v, v + 4, one);
  for (int j = sinew_model_joint_parent(track->model, track->joint); j >= 0;
       j = sinew_model_joint_parent(track->model, j)) {
    matrix above = from_transform(sinew_model_joint_rest(track->model, j));
    position = multiply(&above, &position);
  }
  return position;
}

/* The twist about y of a rotation of less than half a turn: the direction of (w, y) of its quaternion, which is that of
 * (1 + trace, what is not symmetric about y). */
static double twist_of(const matrix *m) { return 2 * atan2(m->m[2] - m->m[8], 1 + m->m[0] + m->m[5] + m->m[10]); }

static matrix frame_at(const sinew_root_track *track, double time) {
  matrix start = place_at(track, 0), now = place_at(track, time), back = inverse(&start);
  matrix turn = multiply(&now, &back);
  unsigned axes = track->axes;
  return planar(axes & SINEW_ROOT_X ? now.m[3] : 0, axes & SINEW_ROOT_Y ? now.m[7] : 0,
                axes & SINEW_ROOT_Z ? now.m[11] : 0, axes & SINEW_ROOT_YAW ? twist_of(&turn) : 0);
}

/* R(t) = F(t) · F(0)⁻¹ */
static matrix root_at(const sinew_root_track *track, double time) {
  matrix frame = frame_at(track, time), start = frame_at(track, 0), back = inverse(&start);
  return multiply(&frame, &back);
}

/* (a⁻¹ R(from))⁻¹ · cⁿ · a⁻¹ R(to) */
static matrix motion(const sinew_root_track *track, double from, double to, int loops, double begin, double end) {
  matrix a = root_at(track, begin), back = inverse(&a), r_from = root_at(track, from), r_to = root_at(track, to);
  matrix r_end = root_at(track, end), cycle = multiply(&back, &r_end), out;
  r_from = multiply(&back, &r_from);
  r_to = multiply(&back, &r_to);
  if (loops < 0) cycle = inverse(&cycle);
  for (int i = 0; i < abs(loops); i++) r_to = multiply(&cycle, &r_to);
  out = inverse(&r_from);
  return multiply(&out, &r_to);
}

static void expect_matrix(const matrix *got, const matrix *want, double tolerance) {
  for (int i = 0; i < 12; i++) assert_near(got->m[i], want->m[i], tolerance);
}

static void check_motion(const sinew_root_track *track) {
  double whole = sinew_clip_duration(track->clip);
  for (int i = 0; i < 10; i++) {
    double from = (double)random_range(0, 1) * whole, to = (double)random_range(0, 1) * whole;
    /* not where a row is, at which a track that holds jumps */
    double begin = i % 2 ? 0.11 : 0, end = i % 2 ? 0.31 : 0;
    int loops = (int)(random_bits() % 7) - 3;
    sinew_transform got;
    assert_true(sinew_root_motion(&(sinew_root_motion_job){*track, from, to, loops, begin, end, &got}));
    matrix is = from_transform(got), should = motion(track, from, to, loops, begin, i % 2 ? end : whole);
    expect_matrix(&is, &should, 1e-5);
  }
}

static matrix joint_of(const sinew_model *model, const sinew_pose *pose, int joint) {
  matrix position = from_transform(sinew_pose_joint(pose, joint));
  for (int j = sinew_model_joint_parent(model, joint); j >= 0; j = sinew_model_joint_parent(model, j)) {
    matrix above = from_transform(sinew_pose_joint(pose, j));
    position = multiply(&above, &position);
  }
  return position;
}

/* The joint is at R⁻¹ · pose, and nothing else has changed. */
static void check_removal(const sinew_root_track *track) {
  int count = sinew_model_joint_count(track->model);
  sinew_pose pose = random_pose(count, false), before;
  double time = (double)random_range(0, 1) * sinew_clip_duration(track->clip);
  assert_true(sinew_sample(&(sinew_sample_job){track->model, track->clip, time, pose}));
  before = copy_pose(pose);
  assert_true(sinew_root_remove(&(sinew_root_remove_job){*track, time, pose}));
  matrix root = root_at(track, time), back = inverse(&root), was = joint_of(track->model, &before, track->joint);
  matrix should = multiply(&back, &was), is = joint_of(track->model, &pose, track->joint);
  expect_matrix(&is, &should, 1e-5);
  sinew_transform own = sinew_pose_joint(&before, track->joint);
  sinew_pose_set_joint(&pose, track->joint, &own);
  assert_memory_equal(pose.groups, before.groups, (size_t)sinew_pose_group_count(count) * sizeof *pose.groups);
  free(pose.groups), free(before.groups);
}

/* Moved by the clip under joints that rest, which have no scale: there the definition has one rotation. */
static bool is_root(const sinew_model *model, int joint) {
  int file = sinew_model_joint_file_index(model, joint);
  if (file < 0 || file % 2) return false;
  for (int j = sinew_model_joint_parent(model, joint); j > 0; j = sinew_model_joint_parent(model, j))
    if (sinew_model_joint_file_index(model, j) % 2 == 0) return false;
  return true;
}

static int check_skeleton(int joint_count, void (*check)(const sinew_root_track *)) {
  int checked = 0;
  sinew_model *model = random_model(joint_count, SHAPE_FOREST, ROWS, false);
  for (int j = 0; j < sinew_model_joint_count(model); j++) {
    if (!is_root(model, j)) continue;
    unsigned axes = checked % 3 ? random_bits() & all_axes : all_axes;
    check(&(sinew_root_track){model, sinew_model_clip(model, 0), j, axes});
    checked++;
  }
  sinew_model_release(model);
  forget_made_clip();
  return checked;
}

static void check_skeletons(void (*check)(const sinew_root_track *)) {
  int checked = 0;
  random_seed(23);
  for (int i = 0; i < 30; i++) checked += check_skeleton(1 + (int)(random_bits() % (MOST - 1)), check);
  assert_true(checked > 100);
}

static void root_motion_follows_the_definition(void **state) {
  (void)state;
  check_skeletons(check_motion);
}

static void a_pose_without_it_follows_the_definition(void **state) {
  (void)state;
  check_skeletons(check_removal);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(root_motion_follows_the_definition),
                                     cmocka_unit_test(a_pose_without_it_follows_the_definition)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
