/* Sampling a clip of one track group in which nothing holds, against the definition, one joint at a time in double
 * precision, on every backend: whatever moves in its groups, and however many packs a kind has there. */
#include "support/backends.h"

enum { GROUPS = 10, JOINTS = GROUPS * SINEW_LANES - 4, FRAMES = 9, NUMBERS = 10, FRAME = JOINTS * NUMBERS };

/* The moving tracks of a group: none; all rotations and nothing else; these and one translation; some of either;
 * rotations and one translation, wide; some of either, some of them wide; scales, too. */
typedef enum group_style { STILL, TURNS, WALKS, SOME, STRIDES, WIDE, GROWS, STYLES } group_style;

static struct made {
  sinew_transform base[JOINTS];
  clip_track tracks[JOINTS * 3];
  int track_count;
  bool moves[JOINTS][3];
  clip_form forms[JOINTS]; /* of rotations */
  float times[FRAMES], values[FRAMES * FRAME];
} made;

static group_style styles[GROUPS];
static clip_form forms[GROUPS]; /* of rotations where none is wide */

static bool wants(group_style style, track_kind kind, int group, int lane) {
  bool some = random_bits() % 2;
  switch (style) {
  case STILL: return false;
  case TURNS: return kind == TRACK_ROTATION;
  case WALKS:
  case STRIDES: return kind == TRACK_ROTATION || (kind == TRACK_TRANSLATION && lane == group % SINEW_LANES);
  case SOME:
  case WIDE: return some && kind != TRACK_SCALE;
  default: return some;
  }
}

static clip_form form_of(int group, track_kind kind) {
  static const clip_form every[] = {CLIP_NARROW, CLIP_WIDE, CLIP_FULL, CLIP_ARC, CLIP_FULL_ARC};
  group_style style = styles[group];
  bool wide = style == STRIDES ? kind == TRACK_TRANSLATION : style >= WIDE && random_bits() % 2;
  if (kind == TRACK_ROTATION) return style >= WIDE ? every[random_bits() % CLIP_FORMS] : forms[group];
  return wide ? CLIP_WIDE : CLIP_NARROW;
}

/* The joints of a star are stored as they come, behind the root of the model. */
static void make_joint(int joint) {
  static const int offsets[] = {0, 4, 7};
  int lane = (joint + 1) % SINEW_LANES, group = (joint + 1) / SINEW_LANES;
  group_style style = styles[group];
  made.base[joint] = random_transform(group % 2);
  for (int kind = 0; kind < 3; kind++) {
    clip_form form = form_of(group, (track_kind)kind);
    if (kind == TRACK_ROTATION) made.forms[joint] = form;
    made.moves[joint][kind] = wants(style, (track_kind)kind, group, lane);
    if (made.moves[joint][kind])
      made.tracks[made.track_count++] = (clip_track){
          .kind = (track_kind)kind, .joint = joint, .offset = joint * NUMBERS + offsets[kind], .form = form};
  }
}

/* Frames at 1/30 s, the last one sooner. */
static void make_frames(void) {
  for (int r = 0; r < FRAMES; r++) made.times[r] = r < FRAMES - 1 ? (float)r / 30 : ((float)r - 0.6f) / 30;
  for (int i = 0; i < FRAMES * FRAME; i++) made.values[i] = random_range(0.8f, 1.2f);
  for (int i = 0; i < FRAMES * FRAME; i += NUMBERS) {
    sinew_quat q;
    memcpy(&q, made.values + i, sizeof q);
    q = sinew_quat_normalize(q);
    memcpy(made.values + i, &q, sizeof q);
  }
}

static sinew_model *make_model(void) {
  static joint_desc joints[JOINTS];
  static bool animated[JOINTS];
  made.track_count = 0;
  for (int i = 0; i < JOINTS; i++) {
    make_joint(i);
    joints[i] = (joint_desc){"j", random_parent(SHAPE_STAR, i), made.base[i], false, 0};
    animated[i] = true;
  }
  make_frames();
  track_group_desc tracks = {made.times, FRAMES, made.values, FRAME, made.tracks, made.track_count, 0, NULL};
  clip_desc clip = {.name = "Move",
                    .duration = (double)made.times[FRAMES - 1],
                    .track_groups = &tracks,
                    .track_group_count = 1,
                    .animated = animated,
                    .base = made.base};
  sinew_model *model = model_create(&(model_desc){.path = "fixture",
                                                  .root = sinew_transform_identity(),
                                                  .joints = joints,
                                                  .joint_count = JOINTS,
                                                  .clips = &clip,
                                                  .clip_count = 1},
                                    NULL);
  assert_non_null(model);
  return model;
}

/* Between the frames: of a rotation on the arc, or on the line and of unit length. */
static void find_between(const float *a, const float *b, int count, bool arc, double w, double *want) {
  double cosine = 0, length = 0, wa = 1 - w, wb = w;
  for (int i = 0; i < count; i++) cosine += (double)a[i] * (double)b[i];
  if (arc) wa = sin((1 - w) * acos(cosine)) / sin(acos(cosine)), wb = sin(w * acos(cosine)) / sin(acos(cosine));
  for (int i = 0; i < count; i++) want[i] = wa * (double)a[i] + wb * (double)b[i], length += want[i] * want[i];
  for (int i = 0; i < count && count == 4; i++) want[i] /= sqrt(length);
}

/* Numbers of a joint from `first` on. */
static void expect_numbers(const float *got, int joint, int first, int count, double time) {
  int frame = 0;
  while (frame + 2 < FRAMES && (double)made.times[frame + 1] <= time) frame++;
  const float *a = made.values + frame * FRAME + joint * NUMBERS + first;
  double from = (double)made.times[frame], w = (time - from) / ((double)made.times[frame + 1] - from), want[4];
  find_between(a, a + FRAME, count, count == 4 && clip_form_is_arc((int)made.forms[joint]), w, want);
  for (int i = 0; i < count; i++) assert_near(got[i], want[i], 7e-5);
}

static void expect_joint(sinew_pose pose, int joint, double time) {
  sinew_transform got = sinew_pose_joint(&pose, joint + 1);
  const sinew_transform *base = made.base + joint;
  const bool *moves = made.moves[joint];
  if (moves[TRACK_ROTATION]) expect_numbers(&got.rotation.x, joint, 0, 4, time);
  else assert_memory_equal(&got.rotation, &base->rotation, sizeof got.rotation);
  if (moves[TRACK_TRANSLATION]) expect_numbers(&got.translation.x, joint, 4, 3, time);
  else assert_memory_equal(&got.translation, &base->translation, sizeof got.translation);
  if (moves[TRACK_SCALE]) expect_numbers(&got.scale.x, joint, 7, 3, time);
  else assert_memory_equal(&got.scale, &base->scale, sizeof got.scale);
}

static void check_clip(void) {
  static sinew_pose_group groups[GROUPS];
  sinew_model *model = make_model();
  sinew_pose pose = {groups, JOINTS + 1};
  double end = (double)made.times[FRAMES - 1], times[] = {-1, 0, 1e-9, end, 99, 4 / 30.0, (FRAMES - 2) / 30.0};
  for (int i = 0; i < 30; i++) {
    double time = i < 7 ? times[i] : (double)random_range(0, (float)end);
    memset(groups, 0xFF, sizeof groups);
    assert_true(sinew_sample(&(sinew_sample_job){model, sinew_model_clip(model, 0), time, pose}));
    for (int j = 0; j < JOINTS; j++) expect_joint(pose, j, fmin(fmax(time, 0), end));
    for (int lane = pose.joint_count; lane < GROUPS * SINEW_LANES; lane++) {
      sinew_transform none = sinew_transform_identity(),
                      got = sinew_pose_joint(&(sinew_pose){groups, GROUPS * SINEW_LANES}, lane);
      assert_memory_equal(&got, &none, sizeof got);
    }
  }
  sinew_model_release(model);
}

/* Groups of one style, and of all, the last of which have other packs than those before. */
static void check_clips(void) {
  for (int i = 0; i < 40; i++) {
    for (int g = 0; g < GROUPS; g++)
      forms[g] = (clip_form[]){CLIP_NARROW, CLIP_FULL, CLIP_ARC, CLIP_FULL_ARC}[random_bits() % 4],
      styles[g] = i < STYLES ? (group_style)i : (group_style)(random_bits() % (g < i % GROUPS ? STRIDES : STYLES));
    check_clip();
  }
}

static void sampling_even_clips_follows_the_definition(void **state) {
  (void)state;
  on_every_backend(check_clips);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sampling_even_clips_follows_the_definition)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
