/* Inertial transitions between gaits, on the hero and the fox, from any moment of a stride: no joint is thrown, and a
 * foot that the old motion and the new one have on the ground stays on it. */
#include "support/hero.h"

enum { MOMENTS = 14, JOINTS = 128 };

static int set_up(void **state) {
  static world w;
  world_open(&w, load_hero());
  *state = &w;
  return 0;
}

static void play_in_step(world *w, const char *clip, float weight, double fade) {
  sinew_play_def def = sinew_play_def_default();
  def.clip = hero_clip(w->model, clip), def.fade = fade, def.weight = weight, strcpy(def.sync_group, "legs");
  def.solo = fade > 0, def.kind = SINEW_TRANSITION_INERTIAL;
  assert_int_not_equal(sinew_actor_play(w->stage, w->actor, &def, NULL).id, 0);
}

typedef struct places {
  sinew_vec3 at[JOINTS];
} places;

static places take(const world *w) {
  places p;
  const sinew_mat3x4 *joints = sinew_actor_joints(w->stage, w->actor);
  int count = sinew_model_joint_count(w->model);
  assert_true(count <= JOINTS);
  for (int i = 0; i < count; i++) p.at[i] = (sinew_vec3){joints[i].m[3], joints[i].m[7], joints[i].m[11]};
  return p;
}

static double distance(sinew_vec3 a, sinew_vec3 b) {
  return sqrt(pow((double)a.x - b.x, 2) + pow((double)a.y - b.y, 2) + pow((double)a.z - b.z, 2));
}

/* The fastest that a joint moves within some seconds, and the lowest that a toe comes. */
static double watch(world *w, double rate, double seconds, double *lowest) {
  const int toes[] = {hero_joint(w->model, "LeftToeBase"), hero_joint(w->model, "RightToeBase")};
  places before = take(w), now;
  double fastest = 0;
  for (int i = 0; i < seconds * rate; i++, before = now) {
    sinew_stage_update(w->stage, 1 / rate);
    now = take(w);
    for (int j = 0; j < sinew_model_joint_count(w->model); j++)
      fastest = fmax(fastest, distance(now.at[j], before.at[j]) * rate);
    for (int k = 0; k < 2; k++) *lowest = fmin(*lowest, (double)now.at[toes[k]].y);
  }
  return fastest;
}

/* Half-way between Walk and Run feet lift earlier than in the walk alone, and where it stands the blend may swing. */
static void begin_blend(world *w, double rate, double seconds) {
  double ignored = 0;
  play_in_step(w, "Walk", 0.6f, 0);
  play_in_step(w, "Run", 0.4f, 0);
  watch(w, rate, 1 + seconds, &ignored);
}

static void no_joint_is_thrown_from_a_blend_to_a_clip(void **state) {
  world *w = *state;
  for (int r = 0; r < FRAME_RATES; r++)
    for (int i = 0; i < MOMENTS; i++) {
      double rate = frame_rates[r], lowest = 0, ignored = 0;
      world_close(w), world_open(w, load_hero());
      begin_blend(w, rate, 0.8 * i / MOMENTS);
      double own = watch(w, rate, 1, &lowest);
      play_in_step(w, "Walk", 1, 0.2);
      double speed = watch(w, rate, 0.3, &lowest);
      own = fmax(own, watch(w, rate, 1, &ignored));
      if (speed > 1.1 * own) fail_msg("%g Hz, moment %d: %.2f m/s where the clips have %.2f", rate, i, speed, own);
      if (lowest < -0.005) fail_msg("%g Hz, moment %d: a toe is %.1f cm in the ground", rate, i, -100 * lowest);
    }
}

/* ---- from any clip to any other ---- */

static void play(world *w, const char *clip, double fade) {
  sinew_play_def def = sinew_play_def_default();
  def.clip = hero_clip(w->model, clip), def.fade = fade, def.kind = SINEW_TRANSITION_INERTIAL;
  assert_int_not_equal(sinew_actor_play(w->stage, w->actor, &def, NULL).id, 0);
}

typedef struct change {
  const char *from, *to;
} change;

/* The fastest that each joint moves. */
static void watch_joints(world *w, double rate, double seconds, double fastest[JOINTS], const int *feet, int foot_count,
                         double *lowest) {
  places before = take(w), now;
  for (int i = 0; i < seconds * rate; i++, before = now) {
    sinew_stage_update(w->stage, 1 / rate);
    now = take(w);
    for (int j = 0; j < sinew_model_joint_count(w->model); j++)
      fastest[j] = fmax(fastest[j], distance(now.at[j], before.at[j]) * rate);
    for (int k = 0; k < foot_count; k++) *lowest = fmin(*lowest, (double)now.at[feet[k]].y);
  }
}

static double clip_seconds(const world *w, const char *clip) {
  return sinew_clip_duration(sinew_model_clip(w->model, hero_clip(w->model, clip)));
}

/* An actor that has played one clip for so long. */
static void begin_clip(world *w, const char *clip, double rate, double seconds) {
  sinew_actor_destroy(w->stage, w->actor);
  w->actor = sinew_actor_create(w->stage, "who", w->model, NULL);
  sinew_play_def def = sinew_play_def_default();
  def.clip = hero_clip(w->model, clip), def.fade = 0;
  assert_int_not_equal(sinew_actor_play(w->stage, w->actor, &def, NULL).id, 0);
  for (int i = 0; i < seconds * rate; i++) sinew_stage_update(w->stage, 1 / rate);
}

/* Measures each joint in the two clips alone. */
static void watch_own(world *w, const change *c, double rate, double own[JOINTS]) {
  double ignored = 0;
  for (int k = 0; k < 2; k++) {
    const char *clip = k ? c->to : c->from;
    begin_clip(w, clip, rate, 0.1);
    watch_joints(w, rate, fmin(clip_seconds(w, clip) + 0.1, 3), own, NULL, 0, &ignored);
  }
}

static double fastest_of(const world *w, const double *speeds) {
  double most = 0;
  for (int j = 0; j < sinew_model_joint_count(w->model); j++) most = fmax(most, speeds[j]);
  return most;
}

typedef struct limits {
  double joint, all; /* of what a joint may at most, and of the fastest in the clips */
  const int *feet;
  int foot_count;
} limits;

static const double fade_seconds = 0.3;

/* A joint that is elsewhere in the new clip has to go there in the time of the fade, at 1.875 times the mean speed at
 * most: the peak of the quintic that begins and ends at rest, beside what it does in the clips. */
static void expect_calm(world *w, const change *c, double rate, int moment, const double own[JOINTS],
                        const limits *most) {
  double speeds[JOINTS] = {0}, lowest = 0;
  begin_clip(w, c->to, rate, 0);
  sinew_stage_update(w->stage, 0);
  places to = take(w);
  begin_clip(w, c->from, rate, 0.1 + clip_seconds(w, c->from) * moment / MOMENTS);
  places from = take(w);
  play(w, c->to, fade_seconds);
  watch_joints(w, rate, fade_seconds + 0.1, speeds, most->feet, most->foot_count, &lowest);
  for (int j = 0; j < sinew_model_joint_count(w->model); j++) {
    double far = 1.875 * distance(from.at[j], to.at[j]) / fade_seconds;
    double limit = fmin(most->joint * (own[j] + far), most->all * fastest_of(w, own) + far);
    if (speeds[j] > limit)
      fail_msg("%g Hz, %s to %s at %d: %s goes %.2f m/s; %.2f m/s in the clips, and %.2f to be where it belongs", rate,
               c->from, c->to, moment, sinew_model_joint_name(w->model, j), speeds[j], own[j], far);
  }
  if (lowest < -0.005)
    fail_msg("%g Hz, %s to %s at %d: a foot is %.1f cm in the ground", rate, c->from, c->to, moment, -100 * lowest);
}

static void expect_all_calm(world *w, const change *changes, int count, const limits *most) {
  for (int r = 0; r < FRAME_RATES; r++)
    for (int k = 0; k < count; k++) {
      double own[JOINTS] = {0};
      watch_own(w, changes + k, frame_rates[r], own);
      for (int i = 0; i < MOMENTS; i++) expect_calm(w, changes + k, frame_rates[r], i, own, most);
    }
}

/* Not in step. Feet used to go 6 cm into the ground, and up to 2.4 times as fast as in the clips. */
static void nobody_is_thrown_from_any_clip_to_any_other(void **state) {
  static const change changes[] = {{"Run", "Idle"},      {"Run", "Walk"}, {"Walk", "Run"},
                                   {"Idle", "Walk"},     {"Idle", "Run"}, {"StrafeLeft", "StrafeRight"},
                                   {"Walk", "WalkBack"}, {"Wave", "Walk"}};
  world *w = *state;
  const int feet[] = {hero_joint(w->model, "LeftToeBase"), hero_joint(w->model, "RightToeBase")};
  expect_all_calm(w, changes, sizeof changes / sizeof *changes, &(limits){1.06, 1.05, feet, 2});
}

static void open_fox(world *w, int paws[4]) {
  static const char *const names[] = {"LeftFrontPaw", "RightFrontPaw", "LeftHindPaw", "RightHindPaw"};
  world_close(w), world_open(w, sinew_model_load(SINEW_SOURCE "/assets/fox.glb", NULL, NULL));
  for (int i = 0; i < 4; i++) paws[i] = hero_joint(w->model, names[i]);
}

/* Legs that nobody knows by name: paws went 8 cm into the ground, and up to 3.2 times as fast as in the clips. Elbows
 * and hocks follow the paws, and are faster than alone, but not than the fastest. */
static void nor_is_a_fox(void **state) {
  static const change changes[] = {
      {"Gallop", "Idle"}, {"Trot", "Walk"}, {"Idle", "Trot"}, {"Walk", "Gallop"}, {"Gallop", "Walk"}};
  world *w = *state;
  int feet[4];
  open_fox(w, feet);
  expect_all_calm(w, changes, sizeof changes / sizeof *changes, &(limits){1.9, 1.18, feet, 4});
}

/* The gallop again from its beginning: paws have far to go, and the limbs' joints used to turn past them, at up to
 * 88 m/s. A hock may still change sides. */
static void nor_are_limbs_whose_paws_are_far_away(void **state) {
  world *w = *state;
  int feet[4];
  double fastest = 0;
  open_fox(w, feet);
  for (int r = 0; r < FRAME_RATES; r++)
    for (int i = 0; i < 2 * MOMENTS; i++) {
      double speeds[JOINTS] = {0}, lowest = 0;
      begin_clip(w, "Gallop", frame_rates[r], clip_seconds(w, "Gallop") * i / (2 * MOMENTS));
      play(w, "Gallop", 0.7);
      watch_joints(w, frame_rates[r], 0.8, speeds, feet, 4, &lowest);
      fastest = fmax(fastest, fastest_of(w, speeds));
    }
  if (fastest > 22) fail_msg("a joint goes %.1f m/s", fastest);
}

/* On the ground in both, and half a stride apart: it steps there, and does not drag. */
static void a_foot_with_far_to_go_is_lifted(void **state) {
  world *w = *state;
  const int toes = hero_joint(w->model, "LeftToeBase");
  for (int r = 0; r < FRAME_RATES; r++) {
    double highest = 0, length = clip_seconds(w, "Run");
    begin_clip(w, "Run", frame_rates[r], 0.1 + length * 2 / MOMENTS);
    double from = (double)take(w).at[toes].z;
    play(w, "Walk", fade_seconds);
    for (int i = 0; i < fade_seconds * frame_rates[r]; i++) {
      sinew_stage_update(w->stage, 1 / frame_rates[r]);
      sinew_vec3 now = take(w).at[toes];
      if ((double)now.z > from + 0.1 && (double)now.z < from + 0.35) highest = fmax(highest, (double)now.y);
    }
    if (highest < 0.03) fail_msg("%g Hz: it is %.1f cm above the ground", frame_rates[r], 100 * highest);
  }
}

static double turn_between(const sinew_mat3x4 *a, const sinew_mat3x4 *b) {
  sinew_quat p = sinew_transform_from_mat3x4(a).rotation, q = sinew_transform_from_mat3x4(b).rotation;
  double dot = fabs((double)(p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w));
  return 2 * acos(fmin(dot, 1));
}

/* The fastest that a foot turns in model space, radians a second. */
static double watch_turns(world *w, double rate, double seconds) {
  const int feet[] = {hero_joint(w->model, "LeftFoot"), hero_joint(w->model, "RightFoot")};
  double fastest = 0;
  for (int i = 0; i < seconds * rate; i++) {
    sinew_mat3x4 before[2];
    for (int k = 0; k < 2; k++) before[k] = sinew_actor_joints(w->stage, w->actor)[feet[k]];
    sinew_stage_update(w->stage, 1 / rate);
    for (int k = 0; k < 2; k++)
      fastest = fmax(fastest, turn_between(before + k, sinew_actor_joints(w->stage, w->actor) + feet[k]) * rate);
  }
  return fastest;
}

/* A foot's rotation is that of hip, knee and ankle together. */
static void feet_turn_no_faster_than_in_the_clips(void **state) {
  world *w = *state;
  for (int r = 0; r < FRAME_RATES; r++)
    for (int i = 0; i < MOMENTS; i++) {
      double rate = frame_rates[r];
      world_close(w), world_open(w, load_hero());
      begin_blend(w, rate, 0.8 * i / MOMENTS);
      double own = watch_turns(w, rate, 1);
      play_in_step(w, "Walk", 1, 0.2);
      double turns = watch_turns(w, rate, 0.3);
      own = fmax(own, watch_turns(w, rate, 1));
      if (turns > 1.25 * own) fail_msg("%g Hz, moment %d: %.1f rad/s where the clips have %.1f", rate, i, turns, own);
    }
}

/* About to jump, the balls press a centimetre into the ground: they are not thrown out of it. */
static void a_foot_that_began_lower_comes_up_softly(void **state) {
  world *w = *state;
  for (int r = 0; r < FRAME_RATES; r++) {
    world_close(w), world_open(w, load_hero());
    play(w, "Jump", 0);
    for (int i = 0; i < 100; i++) sinew_stage_update(w->stage, 0.00576);
    int toes = hero_joint(w->model, "LeftToeBase");
    float before = take(w).at[toes].y;
    assert_true(before < -0.009f);
    play(w, "Idle", 0.3);
    sinew_stage_update(w->stage, 1 / frame_rates[r]);
    if (fabsf(take(w).at[toes].y - before) > 0.004f) fail_msg("%g Hz: it jumps", frame_rates[r]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {WITH_WORLD(no_joint_is_thrown_from_a_blend_to_a_clip),
                                     WITH_WORLD(nobody_is_thrown_from_any_clip_to_any_other),
                                     WITH_WORLD(nor_is_a_fox),
                                     WITH_WORLD(nor_are_limbs_whose_paws_are_far_away),
                                     WITH_WORLD(a_foot_with_far_to_go_is_lifted),
                                     WITH_WORLD(feet_turn_no_faster_than_in_the_clips),
                                     WITH_WORLD(a_foot_that_began_lower_comes_up_softly)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
