/* Joints that a clip holds still lie ready: sinew_evaluate places them where the jobs do, which know nothing of that.
 */
#include "model/clip/clip_still.h"
#include "model/pose_group.h"
#include "support/backends.h"
#include "support/fixture.h"

enum { JOINTS = 61, FRAMES = 5, CLIPS = 4, ALL = JOINTS + 1 };

/* By group of the model's joints, of which the first is the virtual root: does a clip move any? The third holds what
 * the second does. */
static const char *const moving[CLIPS] = {"10010010", "10000001", "10000001", "11111111"};

typedef struct motion {
  clip_track tracks[JOINTS];
  track_group_desc tracks_desc;
  clip_desc clip;
  float times[FRAMES], frames[FRAMES * JOINTS * 4];
  bool animated[JOINTS];
  sinew_transform base[JOINTS];
} motion;

static void move_joint(motion *m, int joint) {
  track_group_desc *desc = &m->tracks_desc;
  m->tracks[desc->track_count] = (clip_track){TRACK_ROTATION, joint, 0, false, 4 * desc->track_count, CLIP_NARROW, 0};
  for (int f = 0; f < FRAMES; f++) {
    sinew_quat q = {0.1f * (float)f, random_range(-0.1f, 0.1f), 0.3f, random_range(0.8f, 1)};
    q = sinew_quat_normalize(q);
    memcpy(m->frames + f * JOINTS * 4 + 4 * desc->track_count, &q, sizeof q);
  }
  desc->track_count++;
}

/* Of each moving group the joints of even index move. */
static void make_motion(motion *m, const char *groups, const sinew_transform *base) {
  m->tracks_desc = (track_group_desc){m->times, FRAMES, m->frames, JOINTS * 4, m->tracks, 0, 0, NULL};
  for (int f = 0; f < FRAMES; f++) m->times[f] = (float)f / 30;
  for (int i = 0; i < JOINTS; i++) {
    m->animated[i] = true;
    m->base[i] = base[i];
    if (groups[(i + 1) / SINEW_LANES] == '1' && i % 2 == 0) move_joint(m, i);
  }
  m->clip = (clip_desc){.name = groups,
                        .duration = (double)m->times[FRAMES - 1],
                        .track_groups = &m->tracks_desc,
                        .track_group_count = 1,
                        .animated = m->animated,
                        .base = m->base};
}

/* Scales near 1: they multiply along a chain. */
static sinew_transform make_transform(bool scaled) {
  sinew_transform t = random_transform(false);
  if (scaled) t.scale = (sinew_vec3){random_range(0.9f, 1.1f), random_range(0.9f, 1.1f), random_range(0.9f, 1.1f)};
  return t;
}

/* The constant transform of a joint: in one group the rest pose; in others the rest pose except where one of two clips
 * differs. */
static sinew_transform make_held(int clip, int joint, const sinew_transform *rest, bool scaled) {
  sinew_transform held = *rest, other = make_transform(scaled);
  switch ((joint + 1) / SINEW_LANES) {
  case 1: held.scale = clip == 0 ? other.scale : held.scale; break;
  case 2: break;
  case 4: held.translation = clip == 1 ? other.translation : held.translation; break;
  case 5: held.rotation = clip == 0 ? other.rotation : held.rotation; break;
  default: held = other;
  }
  return held;
}

/* Parents ascend with their children, so that joints stay in their order; some joints above span several groups. */
static sinew_model *make_still_model(bool scaled) {
  static motion motions[CLIPS];
  joint_desc joints[JOINTS];
  sinew_transform held[2][JOINTS];
  clip_desc clips[CLIPS];
  memset(motions, 0, sizeof motions);
  for (int i = 0; i < JOINTS; i++) {
    joints[i] = (joint_desc){NULL, i < 2 ? i - 1 : i - 2 - (i % 5 == 0 && i > 9), make_transform(scaled), false, 0};
    if (i > 0 && joints[i].parent < joints[i - 1].parent) joints[i].parent = joints[i - 1].parent;
    for (int c = 0; c < 2; c++) held[c][i] = make_held(c, i, &joints[i].rest, scaled);
  }
  for (int i = 0; i < CLIPS; i++) {
    make_motion(motions + i, moving[i], held[i > 0]);
    clips[i] = motions[i].clip;
  }
  sinew_model *model = model_create(&(model_desc){.path = "still",
                                                  .root = sinew_transform_identity(),
                                                  .joints = joints,
                                                  .joint_count = JOINTS,
                                                  .clips = clips,
                                                  .clip_count = CLIPS},
                                    NULL);
  assert_non_null(model);
  return model;
}

static const sinew_evaluate_source *make_sources(const sinew_model *model, int clip, int count, double time) {
  static sinew_evaluate_source sources[3];
  for (int i = 0; i < count; i++)
    sources[i] =
        (sinew_evaluate_source){sinew_model_clip(model, (clip + i) % CLIPS), time + 0.01 * i, 0.5f - 0.1f * (float)i};
  return sources;
}

/* From `clip` on so many, blended: where only matrices are wanted, in other steps than the jobs', each of which rounds.
 */
static void expect_as_jobs(const sinew_model *model, int clip, int count, double time) {
  static sinew_pose_group groups[3][ALL], blended[ALL];
  static sinew_mat3x4 expected[ALL], got[ALL];
  const sinew_evaluate_source *sources = make_sources(model, clip, count, time);
  sinew_blend_source poses[3];
  sinew_pose pose = {blended, ALL};
  for (int i = 0; i < count; i++) {
    const sinew_evaluate_source *source = sources + i;
    assert_true(sinew_sample(&(sinew_sample_job){model, source->clip, source->time, {groups[i], ALL}}));
    poses[i] = (sinew_blend_source){groups[i], source->weight, NULL};
  }
  assert_true(sinew_blend(&(sinew_blend_job){poses, count, model_rest_pose(model), 0.1f, pose}));
  assert_true(sinew_local_to_model(&(sinew_local_to_model_job){model, pose, expected, 0}));
  assert_true(sinew_evaluate(&(sinew_evaluate_job){model, sources, count, 0.1f, {NULL, 0}, got, NULL}));
  double size = 0, rounding = count > 1 ? 2e-6 : 1e-6;
  for (int i = 0; i < ALL; i++)
    for (int e = 0; e < 12; e++) size = fmax(size, fabs((double)expected[i].m[e]));
  for (int i = 0; i < ALL; i++)
    for (int e = 0; e < 12; e++) assert_near(got[i].m[e], (double)expected[i].m[e], rounding * size);
}

/* Each backend gets the same models. */
static void check_places(void) {
  random_seed(1);
  for (int scaled = 0; scaled < 2; scaled++) {
    sinew_model *model = make_still_model(scaled);
    for (int clip = 0; clip < CLIPS; clip++)
      for (int i = 0; i < 15; i++) expect_as_jobs(model, clip, 1 + i % 3, 0.04 * (i / 3));
    sinew_model_release(model);
  }
}

static void still_joints_are_placed_as_the_jobs_place_them(void **state) {
  (void)state;
  on_every_backend(check_places);
}

static void spans_are_what_no_track_moves(void **state) {
  (void)state;
  sinew_model *model = make_still_model(false);
  const clip_still *still = model->still;
  assert_int_equal(still[0].span_count, 3);
  const int ends[3][2] = {{1, 3}, {4, 6}, {7, 8}};
  for (int i = 0; i < 3; i++) {
    assert_int_equal(still[0].spans[i].first, ends[i][0]);
    assert_int_equal(still[0].spans[i].end, ends[i][1]);
  }
  assert_int_equal(still[1].span_count, 1);
  assert_int_equal(still[3].span_count, 0);
  assert_ptr_equal(still[1].spans[0].pairs, still[2].spans[0].pairs);
  for (int i = 0; i < model->clip_count; i++) assert_ptr_equal(model->clips[i].still, still + i);
  sinew_model_release(model);
}

/* A fan of so many joints, of which only the first group moves, held otherwise by each clip. */
static sinew_model *make_fan(int count, int clip_count) {
  joint_desc *joints = calloc((size_t)count, sizeof *joints);
  sinew_transform *bases = malloc((size_t)(clip_count * count) * sizeof *bases);
  clip_desc *clips = calloc((size_t)clip_count, sizeof *clips);
  bool *animated = malloc((size_t)count * sizeof *animated);
  motion *first = calloc(1, sizeof *first);
  make_motion(first, moving[1], first->base);
  first->tracks_desc.track_count = 1; /* a joint of the first group */
  for (int i = 0; i < count; i++) {
    joints[i] = (joint_desc){NULL, i > 0 ? 0 : -1, random_transform(false), false, 0};
    animated[i] = true;
  }
  for (int c = 0; c < clip_count; c++) {
    for (int i = 0; i < count; i++) bases[c * count + i] = random_transform(false);
    clips[c] = first->clip;
    clips[c].animated = animated, clips[c].base = bases + c * count;
  }
  const model_desc desc = {.path = "fan",
                           .root = sinew_transform_identity(),
                           .joints = joints,
                           .joint_count = count,
                           .clips = clips,
                           .clip_count = clip_count};
  sinew_model *model = model_create(&desc, NULL);
  free(joints), free(bases), free(clips), free(animated), free(first);
  assert_non_null(model);
  return model;
}

/* Where the root of a fan carries joint 1, and that carries all others. */
static void expect_fan(const sinew_model *model, int clip) {
  size_t count = (size_t)model->joint_count;
  sinew_mat3x4 *expected = malloc(count * sizeof *expected), *got = malloc(count * sizeof *got);
  sinew_pose pose = {malloc((size_t)sinew_pose_group_count(model->joint_count) * sizeof *pose.groups),
                     model->joint_count};
  const sinew_evaluate_source source = {sinew_model_clip(model, clip), 0.05, 1};
  assert_true(sinew_sample(&(sinew_sample_job){model, source.clip, source.time, pose}));
  assert_true(sinew_local_to_model(&(sinew_local_to_model_job){model, pose, expected, 0}));
  assert_true(sinew_evaluate(&(sinew_evaluate_job){model, &source, 1, 0.1f, {NULL, 0}, got, NULL}));
  for (size_t i = 0; i < count; i++)
    for (int e = 0; e < 12; e++) assert_near(got[i].m[e], (double)expected[i].m[e], 1e-5);
  free(expected), free(got), free(pose.groups);
}

static void spans_of_very_many_joints_and_clips_are_bounded(void **state) {
  (void)state;
  enum { COUNT = 20000, FANS = 40 };
  sinew_model *model = make_fan(COUNT, FANS);
  int64_t pairs = 0;
  int with = 0;
  for (int c = 0; c < FANS; c++)
    for (int s = 0; s < model->still[c].span_count; s++) pairs += model->still[c].spans[s].pair_count, with++;
  assert_in_range(with, 20, FANS - 1);
  assert_in_range(pairs, CLIP_STILL_PAIRS, CLIP_STILL_PAIRS + COUNT); /* the last span is whole */
  expect_fan(model, 0);
  expect_fan(model, FANS - 1); /* sampled */
  sinew_model_release(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(still_joints_are_placed_as_the_jobs_place_them),
      cmocka_unit_test(spans_are_what_no_track_moves),
      cmocka_unit_test(spans_of_very_many_joints_and_clips_are_bounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
