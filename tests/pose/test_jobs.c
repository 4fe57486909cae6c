/* sample and local_to_model against the definition, one joint at a time in double precision, on every backend. */
#include "base/sanitizers.h"
#include "support/backends.h"

/* The address sanitizer looks at large models that are smaller. */
enum { LARGE = SANITIZES_ADDRESSES ? 200 : 1000, MOMENTS = SANITIZES_ADDRESSES ? 10 : 30 };

static sinew_pose empty_pose(const sinew_model *model) {
  int count = sinew_model_joint_count(model);
  return (sinew_pose){calloc((size_t)sinew_pose_group_count(count), sizeof(sinew_pose_group)), count};
}

/* The joint of the fixture's clip by its definition: even file indices move, their translation holds every fourth. */
static void expect_joint(const sinew_model *model, sinew_pose pose, int joint, double time, double tolerance) {
  sinew_transform got = sinew_pose_joint(&pose, joint), rest = sinew_model_joint_rest(model, joint);
  int file = sinew_model_joint_file_index(model, joint);
  if (file < 0 || file % 2) {
    assert_memory_equal(&got, &rest, sizeof got);
    return;
  }
  int frame = 0;
  while (frame + 1 < made_clip.frames && (double)made_clip.times[frame + 1] <= time) frame++;
  int next = frame + 1 < made_clip.frames ? frame + 1 : frame;
  double span = (double)made_clip.times[next] - (double)made_clip.times[frame];
  double w = span > 0 && time > 0 ? (time - (double)made_clip.times[frame]) / span : 0;
  const float *a = made_clip.values + frame * made_clip.frame_size + file / 2 * 10;
  const float *b = made_clip.values + next * made_clip.frame_size + file / 2 * 10;
  double q[4], length = 0;
  for (int i = 0; i < 4; i++) q[i] = a[i] + w * ((double)b[i] - a[i]), length += q[i] * q[i];
  double move = file % 4 == 0 ? 0 : w;
  const float *r = &got.rotation.x, *t = &got.translation.x, *s = &got.scale.x;
  for (int i = 0; i < 4; i++) assert_near(r[i], q[i] / sqrt(length), tolerance);
  for (int i = 0; i < 3; i++) assert_near(t[i], a[4 + i] + move * ((double)b[4 + i] - a[4 + i]), tolerance);
  for (int i = 0; i < 3; i++) assert_near(s[i], a[7 + i] + w * ((double)b[7 + i] - a[7 + i]), tolerance);
}

/* Floats are exact to their own rounding; 16 bits to half a step of ±1 and the 15 bits of the weight between frames. */
static void check_sampling(int joints, skeleton_shape shape, bool wide) {
  double tolerance = wide ? 2e-5 : 7e-5;
  sinew_model *model = random_model_with_clip(joints, shape, 12, true, wide);
  sinew_pose pose = empty_pose(model);
  for (int i = 0; i < (joints < 100 ? MOMENTS : 4); i++) {
    double time = i == 0 ? -1 : i == 1 ? 99 : (double)random_range(0, 11 / 30.0f);
    assert_true(sinew_sample(&(sinew_sample_job){model, sinew_model_clip(model, 0), time, pose}));
    double clamped = fmin(fmax(time, 0), (double)made_clip.times[11]);
    for (int j = 0; j < pose.joint_count; j++) expect_joint(model, pose, j, clamped, tolerance);
  }
  free(pose.groups);
  sinew_model_release(model);
  forget_made_clip();
}

static void check_all_sampling(void) {
  for (int wide = 0; wide < 2; wide++) {
    for (int joints = 1; joints <= 17; joints++) check_sampling(joints, SHAPE_RANDOM, wide); /* every remainder of 8 */
    for (int shape = SHAPE_CHAIN; shape <= SHAPE_COMB; shape++) check_sampling(LARGE, (skeleton_shape)shape, wide);
  }
}

static void sampling_follows_the_definition(void **state) {
  (void)state;
  on_every_backend(check_all_sampling);
}

static void one_joint_is_sampled_as_in_the_pose(void **state) {
  (void)state;
  for (int wide = 0; wide < 2; wide++) {
    sinew_model *model = random_model_with_clip(60, SHAPE_RANDOM, 12, true, wide);
    const sinew_clip *clip = sinew_model_clip(model, 0);
    sinew_pose pose = empty_pose(model);
    for (int i = 0; i < 20; i++) {
      double time = i == 0 ? -1 : i == 1 ? 99 : (double)random_range(0, 11 / 30.0f);
      assert_true(sinew_sample(&(sinew_sample_job){model, clip, time, pose}));
      for (int j = 0; j < pose.joint_count; j++) {
        sinew_transform got, want = sinew_pose_joint(&pose, j);
        assert_true(sinew_sample_joint(&(sinew_sample_joint_job){model, clip, time, j, &got}));
        const float *g = &got.translation.x, *w = &want.translation.x;
        for (int c = 0; c < 10; c++) assert_near(g[c], w[c], 1e-6);
      }
    }
    sinew_transform t = sinew_transform_identity(), before = t;
    sinew_sample_joint_job bad[] = {{NULL, clip, 0, 0, &t},   {model, NULL, 0, 0, &t},  {model, clip, NAN, 0, &t},
                                    {model, clip, 0, -1, &t}, {model, clip, 0, 61, &t}, {model, clip, 0, 0, NULL}};
    for (int i = 0; i < 6; i++) assert_false(sinew_sample_joint(bad + i));
    assert_memory_equal(&t, &before, sizeof t);
    free(pose.groups);
    sinew_model_release(model);
    forget_made_clip();
  }
}

static void sixteen_bits_take_less(void **state) {
  (void)state;
  sinew_model *wide = random_model_with_clip(60, SHAPE_RANDOM, 200, true, true);
  size_t floats = sinew_clip_size(sinew_model_clip(wide, 0));
  sinew_model *narrow = random_model_with_clip(60, SHAPE_RANDOM, 200, true, false);
  /* A quarter of the translations hold, so they stay floats. */
  assert_true((double)sinew_clip_size(sinew_model_clip(narrow, 0)) < 0.62 * (double)floats);
  sinew_model_release(wide), sinew_model_release(narrow);
  forget_made_clip();
}

typedef struct double_matrix {
  double m[12];
} double_matrix;

static double_matrix from_transform(sinew_transform t) {
  double x = t.rotation.x, y = t.rotation.y, z = t.rotation.z, w = t.rotation.w;
  double n = sqrt(x * x + y * y + z * z + w * w);
  x /= n, y /= n, z /= n, w /= n;
  double r[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                 2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                 2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  const float *scale = &t.scale.x, *move = &t.translation.x;
  double_matrix out;
  for (int frame = 0; frame < 3; frame++) {
    for (int c = 0; c < 3; c++) out.m[4 * frame + c] = r[3 * frame + c] * scale[c];
    out.m[4 * frame + 3] = move[frame];
  }
  return out;
}

static double_matrix multiply(const double_matrix *a, const double_matrix *b) {
  double_matrix out;
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 4; c++) {
      double sum = c == 3 ? a->m[4 * r + 3] : 0;
      for (int k = 0; k < 3; k++) sum += a->m[4 * r + k] * b->m[4 * k + c];
      out.m[4 * r + c] = sum;
    }
  return out;
}

/* A bound on the effect of rounding on a joint (Higham, Accuracy and Stability of Numerical Algorithms, ch. 3): a
 * joint's matrix has its parent's error, stretched by its own scale or carried along its own offset, and a new error of
 * some roundings of its own size. `norm` bounds the stretch of the linear part. */
typedef struct rounding {
  double norm, linear, position;
} rounding;

static rounding rounding_of(rounding parent, const double_matrix *parent_matrix, sinew_transform t) {
  const double some = 16 * 0x1p-24;
  double scale = fmax(fabs(t.scale.x), fmax(fabs(t.scale.y), fabs(t.scale.z)));
  double offset =
      sqrt(t.translation.x * t.translation.x + t.translation.y * t.translation.y + t.translation.z * t.translation.z);
  const double *p = parent_matrix->m;
  double position = sqrt(p[3] * p[3] + p[7] * p[7] + p[11] * p[11]);
  return (rounding){parent.norm * scale, (parent.linear + parent.norm * some) * scale,
                    parent.position + parent.linear * offset + (parent.norm * offset + position) * some};
}

static void expect_model_space(int joints, skeleton_shape shape) {
  sinew_model *model = random_model(joints, shape, 0, false);
  int count = joints + 1;
  sinew_pose pose = random_pose(count, joints < 100);
  sinew_mat3x4 *output = calloc((size_t)count, sizeof *output);
  double_matrix *expected = calloc((size_t)count, sizeof *expected), world = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
  rounding *bounds = calloc((size_t)count, sizeof *bounds);
  assert_true(sinew_local_to_model(&(sinew_local_to_model_job){model, pose, output, 0}));
  for (int i = 0; i < count; i++) {
    int parent = sinew_model_joint_parent(model, i);
    const double_matrix *above = i ? expected + parent : &world;
    sinew_transform local = sinew_pose_joint(&pose, i);
    bounds[i] = rounding_of(i ? bounds[parent] : (rounding){1, 0, 0}, above, local);
    double_matrix own = from_transform(local);
    expected[i] = multiply(above, &own);
    for (int e = 0; e < 12; e++)
      assert_near(output[i].m[e], expected[i].m[e], e % 4 == 3 ? bounds[i].position : bounds[i].linear);
  }
  free(pose.groups), free(output), free(expected), free(bounds);
  sinew_model_release(model);
}

static void check_all_model_spaces(void) {
  random_seed(20);
  for (int joints = 1; joints <= 17; joints++) expect_model_space(joints, SHAPE_RANDOM);
  for (int shape = SHAPE_CHAIN; shape <= SHAPE_FOREST; shape++) expect_model_space(1000, (skeleton_shape)shape);
}

static void model_space_follows_the_definition(void **state) {
  (void)state;
  on_every_backend(check_all_model_spaces);
}

static bool is_below(const sinew_model *model, int joint, int above) {
  while (joint > above) joint = sinew_model_joint_parent(model, joint);
  return joint == above;
}

/* From every joint of a model: what is below it is as in the whole, and nothing else is touched. */
static void check_all_parts(void) {
  for (int shape = SHAPE_CHAIN; shape <= SHAPE_FOREST; shape++) {
    sinew_model *model = random_model(60, (skeleton_shape)shape, 0, false);
    sinew_pose pose = random_pose(61, true);
    sinew_mat3x4 whole[61], part[61], untouched = {{42}};
    assert_true(sinew_local_to_model(&(sinew_local_to_model_job){model, pose, whole, 0}));
    for (int first = 1; first < 61; first++) {
      for (int i = 0; i < 61; i++) part[i] = is_below(model, i, first) ? untouched : whole[i];
      assert_true(sinew_local_to_model(&(sinew_local_to_model_job){model, pose, part, first}));
      assert_memory_equal(part, whole, sizeof whole);
      for (int i = 0; i < 61; i++) part[i] = is_below(model, i, first) ? whole[i] : untouched;
      part[sinew_model_joint_parent(model, first)] = whole[sinew_model_joint_parent(model, first)];
      sinew_mat3x4 before[61];
      memcpy(before, part, sizeof part);
      assert_true(sinew_local_to_model(&(sinew_local_to_model_job){model, pose, part, first}));
      assert_memory_equal(part, before, sizeof part);
    }
    free(pose.groups);
    sinew_model_release(model);
  }
}

static void a_part_is_brought_up_to_date_alone(void **state) {
  (void)state;
  on_every_backend(check_all_parts);
}

static void jobs_say_why_they_cannot_run(void **state) {
  (void)state;
  sinew_model *model = random_model(4, SHAPE_CHAIN, 3, false), *other = random_model(9, SHAPE_CHAIN, 3, false);
  sinew_pose pose = empty_pose(model);
  const sinew_clip *clip = sinew_model_clip(model, 0);
  sinew_sample_job bad[] = {{NULL, clip, 0, pose},
                            {model, NULL, 0, pose},
                            {model, clip, NAN, pose},
                            {model, clip, INFINITY, pose},
                            {model, clip, 0, {NULL, 5}},
                            {model, clip, 0, {pose.groups, 4}},
                            {model, sinew_model_clip(other, 0), 0, pose}};
  sinew_pose_group before = pose.groups[0];
  for (int i = 0; i < 7; i++) {
    assert_non_null(sinew_sample_check(bad + i));
    assert_false(sinew_sample(bad + i));
  }
  assert_memory_equal(&before, pose.groups, sizeof before);
  sinew_mat3x4 joints[5];
  sinew_local_to_model_job moves[] = {{NULL, pose, joints, 0},   {model, {NULL, 5}, joints, 0},
                                      {model, pose, NULL, 0},    {other, pose, joints, 0},
                                      {model, pose, joints, -1}, {model, pose, joints, 5}};
  for (int i = 0; i < 6; i++) assert_false(sinew_local_to_model(moves + i));
  float weights[1];
  assert_false(sinew_sample_morphs(model, clip, 0, 0, weights));
  assert_false(sinew_sample_morphs(model, clip, NAN, 0, weights));
  free(pose.groups);
  sinew_model_release(model), sinew_model_release(other);
  forget_made_clip();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sampling_follows_the_definition),    cmocka_unit_test(sixteen_bits_take_less),
      cmocka_unit_test(model_space_follows_the_definition), cmocka_unit_test(one_joint_is_sampled_as_in_the_pose),
      cmocka_unit_test(a_part_is_brought_up_to_date_alone), cmocka_unit_test(jobs_say_why_they_cannot_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
