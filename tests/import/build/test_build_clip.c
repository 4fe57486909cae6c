/* Clips that are built from curves follow them. */
#include "import/fixtures/clip_fixture.h"
#include "model/clip/clip_fit.h"
#include "model/pose_group.h"
#include "support/failing_heap.h"

#include <fenv.h>

/* ---- rotations ---- */

static void a_rotation_follows_slerp(void **state) {
  (void)state;
  static const double angles[] = {0.05, 0.3, 1.5, 2.9, -3.0};
  for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
    scene s;
    open_scene(&s);
    sinew_quat last = about(1, 2, 3, angles[i]);
    /* The second key in the other hemisphere: the same rotation, and the shorter way all the same. */
    float values[] = {0, 0, 0, 1, -last.x, -last.y, -last.z, -last.w};
    double times[] = {0, 2};
    add(&s, TRACK_ROTATION, 0, RAW_LINEAR, 2, times, values);
    sinew_model *model = build(&s);
    for (int k = 0; k <= 40; k++) {
      sinew_quat is = sample(model, "a", 0.05 * k).rotation;
      assert_true(angle_between(is, about(1, 2, 3, angles[i] * k / 40)) < 2e-5);
    }
    sinew_model_release(model);
  }
}

static double frame_time(const sinew_clip *clip, int frame) {
  const track_group *tracks = clip->track_groups;
  return tracks->cell_count ? (double)tracks->times[frame] : fmin(frame / tracks->rate, tracks->end);
}

static void neighbouring_frames_are_near_each_other(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  float values[12 * 4];
  double times[12];
  for (int i = 0; i < 12; i++) {
    sinew_quat q = about(0, 1, 0.3, 2.5 * i);
    float sign = i % 3 ? 1.0f : -1.0f;
    times[i] = i * 0.1;
    memcpy(values + 4 * i, (float[]){sign * q.x, sign * q.y, sign * q.z, sign * q.w}, 4 * sizeof(float));
  }
  add(&s, TRACK_ROTATION, 1, RAW_LINEAR, 12, times, values);
  sinew_model *model = build(&s);
  const sinew_clip *clip = sinew_model_clip(model, 0);
  const track_group *tracks = clip->track_groups;
  assert_int_equal(clip->pack_count, 1);
  assert_int_equal(clip->packs[0].track_count, 1);
  for (int r = 1; r < tracks->frame_count; r++) {
    sinew_quat a = sample(model, "b", frame_time(clip, r - 1)).rotation,
               b = sample(model, "b", frame_time(clip, r)).rotation;
    assert_true(fabsf(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w) > 0.9f);
  }
  sinew_model_release(model);
}

/* ---- the track group ---- */

static void linear_keys_are_exact_and_shared(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  double first[] = {0, 0.25, 1}, second[] = {0, 0.5, 1};
  float moves[] = {0, 0, 0, 1, 2, 3, 0, 0, 4}, grows[] = {1, 1, 1, 2, 2, 2, 1, 1, 1};
  add(&s, TRACK_TRANSLATION, 0, RAW_LINEAR, 3, first, moves);
  add(&s, TRACK_SCALE, 1, RAW_LINEAR, 3, second, grows);
  sinew_model *model = build(&s);
  assert_int_equal(sinew_clip_frame_count(sinew_model_clip(model, 0)), 4); /* 0, ¼, ½, 1 */
  assert_near(sample(model, "a", 0.125).translation.y, 1, 1e-6);
  assert_near(sample(model, "a", 0.625).translation.z, 3.5, 1e-6);
  assert_near(sample(model, "b", 0.125).scale.x, 1.25, 1e-6);
  /* Joints without a curve keep the rest pose, even beside one that has a curve. */
  assert_near(sample(model, "b", 0.5).translation.x, 2, 0);
  sinew_model_release(model);
}

/* A chain of twenty joints that all turn and one that walks far: the error that is said is the error that is seen. */
static void sixteen_bits_stay_within_the_tolerance(void **state) {
  (void)state;
  enum { CHAIN = 20, KEYS = 40 };
  static raw_node nodes[CHAIN];
  static raw_track tracks[CHAIN + 1];
  static float turns[CHAIN][KEYS * 4], walk[KEYS * 3];
  static double times[KEYS];
  sinew_model *models[2];
  random_seed(5);
  for (int j = 0; j < CHAIN; j++) {
    sinew_vec3 axis = {random_range(-1, 1), random_range(-1, 1), random_range(-1, 1)};
    for (int k = 0; k < KEYS; k++) {
      sinew_quat q = sinew_quat_from_axis_angle(axis, 0.3f * sinf(0.4f * (float)k + (float)j));
      memcpy(turns[j] + 4 * k, &q, sizeof q);
    }
  }
  for (int k = 0; k < KEYS; k++) times[k] = k / 30.0, walk[3 * k + 2] = 0.05f * (float)k;
  for (int exact = 0; exact < 2; exact++) {
    scene s;
    open_scene(&s);
    s.exact = exact, s.raw.mesh_count = 0;
    for (int j = 0; j < CHAIN; j++) {
      nodes[j] = (raw_node){.name = "n", .parent = j - 1, .local = sinew_mat3x4_identity()};
      nodes[j].local.m[7] = j ? 0.1f : 0;
      tracks[j] = (raw_track){.kind = TRACK_ROTATION, .node = j, .key_count = KEYS, .times = times, .values = turns[j]};
    }
    tracks[CHAIN] = (raw_track){.kind = TRACK_TRANSLATION, .key_count = KEYS, .times = times, .values = walk};
    s.raw.nodes = nodes, s.raw.node_count = CHAIN;
    s.clip.tracks = tracks, s.clip.track_count = CHAIN + 1;
    models[exact] = build(&s);
  }
  const sinew_clip *narrow = sinew_model_clip(models[0], 0), *wide = sinew_model_clip(models[1], 0);
  assert_true(sinew_clip_size(narrow) < sinew_clip_size(wide));
  assert_true(sinew_clip_error(narrow) <= 1e-4 && sinew_clip_error(narrow) > 1e-7);
  sinew_mat3x4 joints[2][CHAIN + 1];
  sinew_pose pose = {calloc((CHAIN + 8) / 8, sizeof(sinew_pose_group)), CHAIN + 1};
  double worst = 0;
  for (int i = 0; i <= 500; i++) {
    for (int m = 0; m < 2; m++) {
      sinew_sample(&(sinew_sample_job){models[m], sinew_model_clip(models[m], 0), 1.3 * i / 500, pose});
      sinew_local_to_model(&(sinew_local_to_model_job){models[m], pose, joints[m], 0});
    }
    for (int j = 0; j <= CHAIN; j++)
      worst = fmax(worst, distance_between((sinew_vec3){joints[0][j].m[3], joints[0][j].m[7], joints[0][j].m[11]},
                                           (sinew_vec3){joints[1][j].m[3], joints[1][j].m[7], joints[1][j].m[11]}));
  }
  assert_true(worst <= 1.1e-4);
  assert_true(worst > sinew_clip_error(narrow) * 0.2);
  free(pose.groups);
  sinew_model_release(models[0]), sinew_model_release(models[1]);
}

static void constants_take_no_column(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  double times[] = {0, 1, 3}, one[] = {0.5};
  float still[] = {7, 8, 9, 7, 8, 9, 7, 8, 9}, single[] = {3, 3, 3};
  add(&s, TRACK_TRANSLATION, 1, RAW_LINEAR, 3, times, still);
  add(&s, TRACK_SCALE, 1, RAW_LINEAR, 1, one, single);
  sinew_model *model = build(&s);
  const sinew_clip *clip = sinew_model_clip(model, 0);
  assert_int_equal(clip->track_group_count, 0);
  assert_near(sinew_clip_duration(clip), 3, 0);
  assert_near(sample(model, "b", 1.7).translation.y, 8, 0);
  assert_near(sample(model, "b", 1.7).scale.z, 3, 0);
  assert_true(sinew_clip_has_joint(clip, sinew_model_find_joint(model, "b")));
  assert_false(sinew_clip_has_joint(clip, sinew_model_find_joint(model, "a")));
  sinew_model_release(model);
}

static void a_late_clip_begins_at_its_first_key(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  double times[] = {1.5, 2.5};
  float moves[] = {0, 0, 0, 10, 0, 0};
  add(&s, TRACK_TRANSLATION, 0, RAW_LINEAR, 2, times, moves);
  sinew_model *model = build(&s);
  const sinew_clip *clip = sinew_model_clip(model, 0);
  assert_near(sinew_clip_start(clip), 1.5, 0);
  assert_near(sinew_clip_duration(clip), 1, 0);
  assert_near(sample(model, "a", 0.25).translation.x, 2.5, 1e-6);
  sinew_model_release(model);
}

static void a_step_holds_until_the_next_key(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  double steps[] = {0, 0.5, 1}, lines[] = {0, 0.3, 1};
  float held[] = {0, 0, 0, 5, 0, 0, 9, 0, 0}, moved[] = {0, 0, 0, 3, 0, 0, 10, 0, 0};
  add(&s, TRACK_TRANSLATION, 0, RAW_STEP, 3, steps, held);
  add(&s, TRACK_TRANSLATION, 1, RAW_LINEAR, 3, lines, moved);
  sinew_model *model = build(&s);
  assert_near(sample(model, "a", 0.3).translation.x, 0, 0);
  assert_near(sample(model, "a", 0.499).translation.x, 0, 0);
  assert_near(sample(model, "a", 0.5).translation.x, 5, 0);
  assert_near(sample(model, "a", 0.999).translation.x, 5, 0);
  assert_near(sample(model, "a", 1).translation.x, 9, 0);
  assert_near(sample(model, "b", 0.15).translation.x, 1.5, 1e-6);
  sinew_model_release(model);
}

/* The Hermite form in its textbook terms: h00 p0 + h10 m0 + h01 p1 + h11 m1. */
static double hermite(double p0, double m0, double p1, double m1, double u) {
  return (1 + 2 * u) * (1 - u) * (1 - u) * p0 + u * (1 - u) * (1 - u) * m0 + u * u * (3 - 2 * u) * p1 +
         u * u * (u - 1) * m1;
}

static void a_cubic_is_followed(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  double times[] = {0, 2};
  /* in-tangent, value, out-tangent */
  float values[] = {0, 0, 0, 1, 0, 0, 5, -2, 0, 3, 1, 0, 4, 2, 0, 0, 0, 0};
  add(&s, TRACK_TRANSLATION, 0, RAW_CUBIC, 2, times, values);
  sinew_model *model = build(&s);
  for (int i = 0; i <= 50; i++) {
    double u = i / 50.0;
    sinew_vec3 is = sample(model, "a", 2 * u).translation;
    assert_near(is.x, hermite(1, 2 * 5, 4, 2 * 3, u), 1e-3);
    assert_near(is.y, hermite(0, 2 * -2, 2, 2 * 1, u), 1e-3);
  }
  sinew_model_release(model);
}

/* ---- morphs ---- */

static void morphs_have_curves_or_their_weight_at_rest(void **state) {
  (void)state;
  double times[] = {0, 1};
  float weights[] = {0, -2}, moves[] = {0, 0, 0, 1, 0, 0};
  float is;
  scene s;
  open_scene(&s);
  add(&s, TRACK_MORPH, 0, RAW_LINEAR, 2, times, weights);
  sinew_model *model = build(&s);
  assert_true(sinew_sample_morphs(model, sinew_model_clip(model, 0), 0.75, 0, &is));
  assert_near(is, -1.5, 1e-6);
  sinew_model_release(model);
  open_scene(&s);
  add(&s, TRACK_TRANSLATION, 0, RAW_LINEAR, 2, times, moves);
  model = build(&s);
  assert_true(sinew_sample_morphs(model, sinew_model_clip(model, 0), 0.75, 0, &is));
  assert_near(is, 0.25, 0);
  sinew_model_release(model);
}

/* ---- what sampling takes for granted ---- */

static void frames_ascend_where_a_float_cannot_tell_moments_apart(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  double times[] = {0, 5e6, 5e6 + 0.01, 5e6 + 0.02};
  float values[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0};
  add(&s, TRACK_TRANSLATION, 0, RAW_LINEAR, 4, times, values);
  sinew_model *model = build(&s);
  const sinew_clip *clip = sinew_model_clip(model, 0);
  const track_group *tracks = clip->track_groups;
  assert_int_equal(tracks->frame_count, 4);
  for (int i = 1; i < 4; i++) assert_true(tracks->times[i] > tracks->times[i - 1]);
  assert_true((double)tracks->times[3] <= sinew_clip_duration(clip) * (1 + 1e-6));
  assert_near(sample(model, "a", sinew_clip_duration(clip)).translation.x, 3, 1e-6);
  sinew_model_release(model);
}

/* A cubic from one turn to its opposite goes through zero, where it turns in no time. */
static void a_cubic_through_zero_stays_unit(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  double times[] = {0, 1};
  float values[24] = {0};
  values[7] = 1;   /* 0: w */
  values[16] = -1; /* 1: x, by way of w = 0 and x = 0 */
  values[8] = 0;
  values[11] = -4; /* the way out of 0 */
  add(&s, TRACK_ROTATION, 0, RAW_CUBIC, 2, times, values);
  sinew_model *model = build(&s);
  for (int i = 0; i <= 1000; i++) {
    sinew_quat q = sample(model, "a", i * 0.001).rotation;
    assert_near(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1, 2e-3);
  }
  sinew_model_release(model);
}

/* A cubic that turns half around within a microsecond: no track group follows that, so it is said. */
static void what_cannot_be_followed_is_said(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  s.exact = false;
  double times[] = {0, 1};
  float values[24] = {[7] = 1, [8] = 1e6f, [19] = 1};
  add(&s, TRACK_ROTATION, 0, RAW_CUBIC, 2, times, values);
  sinew_model *model = build(&s);
  assert_int_equal(s.notes, 1);
  assert_true(sinew_clip_error(sinew_model_clip(model, 0)) > 0.1);
  assert_true(sinew_clip_frame_count(sinew_model_clip(model, 0)) <= 257);
  sinew_model_release(model);
}

/* A clip that takes every way there is: two track groups, frames left out, floats, more frames, a note that nothing
 * helps. */
static bool build_all_ways(failing_heap *heap, long left, long *requests) {
  scene s;
  sinew_error error = {""};
  model_desc desc = {.path = "scene"};
  double few[] = {0, 1}, many[31];
  float turns[24] = {[7] = 1, [8] = 1e6f, [19] = 1}, moves[] = {0, 0, 0, 1, 0, 0}, weights[31], sizes[31][3];
  open_scene(&s);
  s.raw.error = &error;
  for (int i = 0; i < 31; i++) {
    many[i] = i / 30.0;
    weights[i] = (float)(i % 5);
    for (int k = 0; k < 3; k++) sizes[i][k] = 1 + 1e-6f * (float)i;
  }
  add(&s, TRACK_ROTATION, 0, RAW_CUBIC, 2, few, turns);
  add(&s, TRACK_TRANSLATION, 1, RAW_LINEAR, 2, few, moves);
  add(&s, TRACK_SCALE, 1, RAW_LINEAR, 31, many, sizes[0]);
  add(&s, TRACK_MORPH, 0, RAW_LINEAR, 31, many, weights);
  assert_true(raw_check(&s.raw) && build_skeleton(&s.raw, true, &desc));
  heap->left = left;
  bool built = build_clips(&s.raw, false, 0, &desc);
  *requests = left - heap->left;
  heap->left = -1;
  raw_release(&s.raw);
  assert_int_equal(heap->living, 0);
  assert_true(built || strstr(error.message, "memory"));
  return built;
}

static void running_out_of_memory_is_an_error(void **state) {
  (void)state;
  failing_heap heap = {.left = -1};
  long requests, used;
  failing_heap_install(&heap);
  assert_true(build_all_ways(&heap, 100000, &requests));
  for (long n = 0; n < requests; n++) assert_false(build_all_ways(&heap, n, &used));
  assert_true(build_all_ways(&heap, requests, &used));
  sinew_set_allocator(NULL);
}

static void a_clip_without_curves_is_empty(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  sinew_model *model = build(&s);
  assert_near(sinew_clip_duration(sinew_model_clip(model, 0)), 0, 0);
  assert_near(sample(model, "b", 0).translation.x, 2, 0);
  sinew_model_release(model);
}

/* At rest and in a clip; what is further off is meant. */
static void a_scale_next_to_one_is_one(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  s.nodes[0].local.m[0] = 1.000004f;
  s.nodes[1].local.m[5] = 1.0001f;
  add(&s, TRACK_SCALE, 1, RAW_LINEAR, 1, (double[]){0}, (float[]){0.999997f, 1.00004f, 1});
  sinew_model *model = build(&s);
  sinew_pose rest = model_rest_pose(model);
  assert_true(sinew_pose_joint(&rest, 1).scale.x == 1);
  assert_near(sinew_pose_joint(&rest, 2).scale.y, 1.0001, 1e-7);
  assert_true(sample(model, "b", 0).scale.x == 1);
  assert_near(sample(model, "b", 0).scale.y, 1.00004, 1e-7);
  sinew_model_release(model);
}

/* ---- numbers that mean 0 ---- */

static void add_dust(scene *s) {
  static double times[] = {0, 0.5, 1};
  /* A right angle about x at rest, as double precision has its cosine. */
  memcpy(s->nodes[0].local.m, (float[12]){1, 1e-20f, 0, 1e-20f, 0, 6e-17f, -1, 0, 0, 1, 6e-17f, 1e-25f},
         sizeof s->nodes[0].local.m);
  static float still[] = {-6.1e-17f, 0.6f, 2e-9f, 0.8f}, moved[] = {0, 1e-20f, 1, 1, 2e-20f, 1, 2, 1e-20f, 1};
  static float turns[] = {0, 1.3e-21f, 2.4e-32f, 1, 0.1f, 1.3e-21f, 2.6e-32f, 0.995f, 0.2f, 1.3e-21f, 2.7e-32f, 0.98f};
  add(s, TRACK_ROTATION, 1, RAW_LINEAR, 1, times, still);
  add(s, TRACK_ROTATION, 0, RAW_LINEAR, 3, times, turns);
  add(s, TRACK_TRANSLATION, 1, RAW_LINEAR, 3, times, moved);
}

/* No product of two numbers is too small for a float. */
static void assert_no_underflow(const sinew_model *model, const sinew_clip *clip) {
  enum { MOST = 3 };
  sinew_pose_group groups[3][1];
  sinew_pose poses[3] = {{groups[0], MOST}, {groups[1], MOST}, {groups[2], MOST}};
  sinew_mat3x4 joints[MOST];
  assert_int_equal(sinew_model_joint_count(model), MOST);
  const sinew_blend_source sources[] = {{groups[0], 0.7f, NULL}, {groups[1], 0.3f, NULL}};
  const sinew_evaluate_source clips[] = {{clip, 0.2, 0.7f}, {clip, 0.7, 0.3f}};
  feclearexcept(FE_UNDERFLOW);
  assert_true(sinew_sample(&(sinew_sample_job){model, clip, 0.2, poses[0]}));
  assert_true(sinew_sample(&(sinew_sample_job){model, clip, 0.7, poses[1]}));
  assert_true(sinew_blend(&(sinew_blend_job){sources, 2, model_rest_pose(model), 0.1f, poses[2]}));
  for (int i = 0; i < 3; i++)
    assert_true(sinew_local_to_model(&(sinew_local_to_model_job){model, poses[i], joints, 0}));
  for (int count = 0; count <= 2; count++)
    assert_true(sinew_evaluate(&(sinew_evaluate_job){model, clips, count, 0.1f, {NULL, 0}, joints, NULL}));
  assert_false(fetestexcept(FE_UNDERFLOW));
}

static void numbers_that_mean_nothing_are_zero(void **state) {
  (void)state;
  for (int exact = 0; exact < 2; exact++) {
    scene s;
    open_scene(&s);
    s.exact = exact;
    add_dust(&s);
    sinew_model *model = build(&s);
    sinew_pose pose = model_rest_pose(model);
    sinew_transform rest = sinew_pose_joint(&pose, 1), still = sample(model, "b", 0.2),
                    turned = sample(model, "a", 0.2);
    assert_true(rest.rotation.y == 0 && rest.rotation.z == 0 && rest.translation.x == 0 && rest.translation.z == 0);
    assert_near(rest.rotation.x, sqrt(0.5), 1e-6);
    assert_true(still.rotation.x == 0);
    assert_near(still.rotation.z, 2e-9, 1e-12); /* this is small, and meant */
    assert_true(turned.rotation.y == 0 && turned.rotation.z == 0 && still.translation.y == 0);
    assert_no_underflow(model, sinew_model_clip(model, 0));
    sinew_model_release(model);
  }
}

/* Nor have the integers that stand for a track, however exact they are. */
static void integers_for_numbers_that_mean_nothing_take_no_room(void **state) {
  (void)state;
  static const float times[] = {0, 1}, frames[] = {0,    1.3e-21f, 0, 1,     2, 1e-20f, 0,  /* both tracks, */
                                                   0.2f, 2.6e-21f, 0, 0.98f, 1, 3e-20f, 5}; /* twice */
  const clip_track tracks[] = {{.kind = TRACK_ROTATION}, {.kind = TRACK_TRANSLATION, .offset = 4}};
  const track_group_desc desc = {
      .times = times, .frame_count = 2, .frames = frames, .frame_size = 7, .tracks = tracks, .track_count = 2};
  for (int i = 0; i < 2; i++) {
    clip_fit fit = clip_fit_find(&desc, tracks + i, 0, 1);
    assert_true(fit.fits);
    assert_true(fit.middle[1] == 0 && fit.bytes[1] == 0 && fit.scale[1] == 0);
    assert_int_equal(fit.bytes[0], 2);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_rotation_follows_slerp),
      cmocka_unit_test(neighbouring_frames_are_near_each_other),
      cmocka_unit_test(linear_keys_are_exact_and_shared),
      cmocka_unit_test(sixteen_bits_stay_within_the_tolerance),
      cmocka_unit_test(constants_take_no_column),
      cmocka_unit_test(a_scale_next_to_one_is_one),
      cmocka_unit_test(numbers_that_mean_nothing_are_zero),
      cmocka_unit_test(integers_for_numbers_that_mean_nothing_take_no_room),
      cmocka_unit_test(a_late_clip_begins_at_its_first_key),
      cmocka_unit_test(a_step_holds_until_the_next_key),
      cmocka_unit_test(a_cubic_is_followed),
      cmocka_unit_test(morphs_have_curves_or_their_weight_at_rest),
      cmocka_unit_test(frames_ascend_where_a_float_cannot_tell_moments_apart),
      cmocka_unit_test(a_cubic_through_zero_stays_unit),
      cmocka_unit_test(what_cannot_be_followed_is_said),
      cmocka_unit_test(running_out_of_memory_is_an_error),
      cmocka_unit_test(a_clip_without_curves_is_empty),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
