/* The hero's feet on steps and where they stand: the ground in the same frame, a pelvis that does not jump, and soles
 * that neither sink nor slide. */
#include "support/hero.h"

#include "math/vec3.h"

#include <sinew/actor_modifiers.h>

static int set_up(void **state) {
  static world w;
  world_open(&w, load_hero());
  *state = &w;
  return 0;
}

/* Steps of 15 cm, half a metre deep, from z = 1 on; `user` is how high the first one lies. */
static float stairs(void *user, sinew_actor actor, int modifier, float x, float z, sinew_vec3 *normal) {
  const float *base = user;
  (void)actor, (void)modifier, (void)x, (void)normal;
  return *base + (z < 1 ? 0 : 0.15f * (1 + floorf((z - 1) / 0.5f)));
}

static void give_feet(world *w, sinew_plant_ground_function *ground, float *base, float lock) {
  static const char *const names[] = {"Hips",       "LeftUpLeg", "LeftLeg",  "LeftFoot",
                                      "RightUpLeg", "RightLeg",  "RightFoot"};
  int joints[7];
  for (int i = 0; i < 7; i++) joints[i] = hero_joint(w->model, names[i]);
  sinew_modifier_def def = sinew_modifier_def_default(SINEW_MODIFIER_PLANT);
  def.name = "feet", def.joints = joints, def.joint_count = 7, def.lock = lock, def.ground = ground;
  def.ground_user = base;
  assert_true(sinew_actor_set_modifiers(w->stage, w->actor, NULL, 0, NULL));
  assert_true(sinew_actor_set_modifiers(w->stage, w->actor, &def, 1, NULL));
}

static void play(world *w, const char *clip) {
  sinew_play_def def = sinew_play_def_default();
  def.clip = hero_clip(w->model, clip), def.fade = 0;
  assert_true(sinew_actor_play(w->stage, w->actor, &def, NULL).id != 0);
}

static void stand_at(world *w, float y, float z) {
  sinew_transform position = sinew_transform_identity();
  position.translation.y = y, position.translation.z = z;
  assert_true(sinew_actor_set_transform(w->stage, w->actor, &position));
}

static sinew_vec3 joint_of(const world *w, const char *joint) {
  const float *m = sinew_actor_joints(w->stage, w->actor)[hero_joint(w->model, joint)].m;
  sinew_vec3 at = sinew_actor_transform(w->stage, w->actor).translation;
  return (sinew_vec3){m[3] + at.x, m[7] + at.y, m[11] + at.z};
}

/* Idle, put on ground 30 cm up: the first frame has it. */
static void the_ground_is_found_in_the_first_frame(void **state) {
  world *w = *state;
  float high = 0.3f, low = 0;
  play(w, "Idle");
  give_feet(w, stairs, &low, 0);
  stand_at(w, 0, 0);
  sinew_stage_update(w->stage, 1.0 / 60);
  sinew_vec3 flat = joint_of(w, "LeftFoot");
  give_feet(w, stairs, &high, 0);
  sinew_stage_update(w->stage, 1.0 / 60);
  assert_near(joint_of(w, "LeftFoot").y - flat.y, 0.3, 0.003);
}

static const char *const ankles[2] = {"LeftFoot", "RightFoot"};
static const char *const balls[2] = {"LeftToeBase", "RightToeBase"};

/* Up eight steps at walking speed, the actor's own height that of the ground under it, which jumps by 15 cm. */
static void steps_are_climbed_without_a_jump(void **state) {
  world *w = *state;
  for (int r = 0; r < FRAME_RATES; r++) {
    float base = 0, z = 0;
    double rest = 0.09, pelvis = 0, sunk = 0, through = 0;
    play(w, "Walk");
    stand_at(w, 0, -100);
    sinew_stage_update(w->stage, 0.01);
    stand_at(w, 0, 0);
    give_feet(w, stairs, &base, 0);
    sinew_stage_update(w->stage, 1 / frame_rates[r]);
    double hips = (double)joint_of(w, "Hips").y;
    for (int i = 0; z < 5; i++) {
      z = (float)(1.4 * i / frame_rates[r]);
      sinew_vec3 normal;
      stand_at(w, stairs(&base, w->actor, 0, 0, z, &normal), z);
      sinew_stage_update(w->stage, 1 / frame_rates[r]);
      double now = (double)joint_of(w, "Hips").y;
      pelvis = fmax(pelvis, fabs(now - hips) * frame_rates[r]);
      hips = now;
      for (int f = 0; f < 2; f++) {
        sinew_vec3 ankle = joint_of(w, ankles[f]);
        float under = stairs(&base, w->actor, 0, 0, ankle.z, &normal);
        sunk = fmax(sunk, (double)under + rest - (double)ankle.y);
        sinew_vec3 ball = joint_of(w, balls[f]);
        through = fmax(through, (double)(stairs(&base, w->actor, 0, 0, ball.z - 0.01f, &normal) - ball.y));
      }
    }
    printf("# %g Hz: pelvis %.2f m/s, ankle %.1f cm below where it stands, ball %.1f cm in the step\n", frame_rates[r],
           pelvis, sunk * 100, through * 100);
    assert_true(pelvis > 0.3); /* 2 cm a frame at 60 Hz at most, where it was 15.4 */
    assert_true(pelvis < 1.2);
    assert_true(sunk < 0.01);
    assert_true(through < 0.04); /* 1 cm behind an edge: a foot right before a step rises as it swings */
  }
}

static int by_value(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

enum { MOST_FRAMES = 1500 };

/* Within 1 cm of the ground, from 30 ms before to 30 ms after. */
static bool stands_at(const double *heights, int i, int frames, double rate) {
  int margin = (int)ceil(0.03 * rate);
  for (int k = i - margin - 1; k <= i + margin; k++)
    if (k < 0 || k >= frames || heights[k] > 0.01) return false;
  return true;
}

/* The 95th percentile of the speed of balls that stand, while the actor goes with (x, z). */
static double slide(world *w, const char *clip, double x, double z, double rate, float lock) {
  static double heights[2][MOST_FRAMES], speeds[2][MOST_FRAMES], all[2 * MOST_FRAMES];
  int count = 0, frames = (int)(10 * rate);
  sinew_vec3 before[2] = {{0, 0, 0}, {0, 0, 0}};
  give_feet(w, NULL, NULL, lock);
  play(w, clip);
  for (int i = 0; i < frames; i++) {
    sinew_transform position = sinew_transform_identity();
    position.translation = (sinew_vec3){(float)(x * i / rate), 0, (float)(z * i / rate)};
    assert_true(sinew_actor_set_transform(w->stage, w->actor, &position));
    sinew_stage_update(w->stage, 1 / rate);
    for (int f = 0; f < 2; f++) {
      sinew_vec3 now = joint_of(w, balls[f]);
      heights[f][i] = i > rate ? now.y : 1;
      speeds[f][i] = hypot(now.x - before[f].x, now.z - before[f].z) * rate;
      before[f] = now;
    }
  }
  for (int f = 0; f < 2; f++)
    for (int i = 0; i < frames; i++)
      if (stands_at(heights[f], i, frames, rate)) all[count++] = speeds[f][i];
  assert_true(count > frames / 10);
  qsort(all, count, sizeof *all, by_value);
  return all[(int)(count * 0.95)];
}

/* Whether the actor goes as fast as the clip or a tenth faster, ahead, back or aside: a foot that is held stands from
 * the moment when it comes down. */
static void feet_that_stand_stay(void **state) {
  world *w = *state;
  static const struct {
    const char *clip;
    double x, z;
  } ways[] = {{"Walk", 0, 1.54}, {"Walk", 0, 1.4}, {"WalkBack", 0, -1}, {"StrafeLeft", 0.88, 0}, {"Run", 0, 4}};
  for (int r = 0; r < FRAME_RATES; r++)
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
      double x = ways[i].x, z = ways[i].z;
      double held = slide(w, ways[i].clip, x, z, frame_rates[r], 0.15f);
      assert_true(held < 0.04 * hypot(x, z)); /* a foot is released as softly as it stood */
      if (i == 0) assert_true(slide(w, ways[i].clip, x, z, frame_rates[r], 0) > 0.1);
    }
}

/* An actor that is pushed while standing takes its feet along once they are 15 cm behind, and not before. */
static void a_foot_is_held_as_far_as_asked(void **state) {
  world *w = *state;
  for (int r = 0; r < FRAME_RATES; r++) {
    double rate = frame_rates[r], farthest = 0, behind = 0;
    world_close(w), world_open(w, load_hero());
    play(w, "Idle");
    give_feet(w, NULL, NULL, 0.15f);
    sinew_stage_update(w->stage, 0);
    double own = (double)joint_of(w, "LeftToeBase").z;
    for (int i = 1; i < 2 * rate; i++) {
      double z = 0.3 * i / rate;
      stand_at(w, 0, (float)z);
      sinew_stage_update(w->stage, 1 / rate);
      behind = z - ((double)joint_of(w, "LeftToeBase").z - own);
      farthest = fmax(farthest, behind);
    }
    if (farthest < 0.12 || farthest > 0.18) fail_msg("%g Hz: it stays %.1f cm behind", rate, 100 * farthest);
  }
}

/* A slope of a fifth from z = 1 to z = 4, and level ground before and behind it. */
static float hill(void *user, sinew_actor actor, int modifier, float x, float z, sinew_vec3 *normal) {
  (void)user, (void)actor, (void)modifier, (void)x;
  if (z > 1 && z < 4) *normal = (sinew_vec3){0, 1, -0.2f};
  return 0.2f * fminf(fmaxf(z - 1, 0), 3);
}

/* The largest drift of a planted ball from where it came down, its depth in the ground, and its largest jump of
 * velocity. */
typedef struct walk {
  double drift, depth, leap, off; /* off: how wrong the ground is that is told to be under its ankle */
  bool stands;
  sinew_vec3 since, before, speed;
} walk;

static void watch_ball(walk *foot, sinew_vec3 now, int i, double rate) {
  sinew_vec3 normal;
  double height = (double)(now.y - hill(NULL, (sinew_actor){0}, 0, now.x, now.z, &normal));
  sinew_vec3 speed = vec3_scale(vec3_sub(now, foot->before), (float)rate);
  bool stands = height < 0.005 && i > 2 && vec3_length(speed) < 0.5f;
  if (stands && !foot->stands) foot->since = now;
  if (stands) foot->drift = fmax(foot->drift, (double)vec3_distance(now, foot->since));
  if (i > 2) foot->leap = fmax(foot->leap, (double)vec3_distance(speed, foot->speed));
  foot->depth = fmax(foot->depth, -height);
  foot->stands = stands, foot->before = now, foot->speed = speed;
}

static walk walk_over(world *w, sinew_plant_ground_function *ground, double faster, double rate) {
  walk feet[2] = {{0}};
  stand_at(w, 0, -100);
  sinew_stage_update(w->stage, 0.01);
  stand_at(w, 0, 0);
  give_feet(w, ground, NULL, 0.15f);
  play(w, "Walk");
  for (int i = 0; 1.4 * i / rate < 6; i++) {
    sinew_vec3 normal;
    float z = (float)(1.4 * faster * i / rate);
    stand_at(w, hill(NULL, w->actor, 0, 0, z, &normal), z);
    sinew_stage_update(w->stage, 1 / rate);
    for (int f = 0; f < 2; f++) {
      float told = 0;
      sinew_vec3 ankle = joint_of(w, ankles[f]);
      watch_ball(feet + f, joint_of(w, balls[f]), i, rate);
      assert_true(sinew_actor_ground(w->stage, w->actor, hero_joint(w->model, balls[f]), &told));
      double off = fabs((double)(told - ground(NULL, w->actor, 0, ankle.x, ankle.z, &normal)));
      bool even = ankle.z > 1.5f && ankle.z < 3.5f;
      if (even && feet[f].stands) feet[f].off = fmax(feet[f].off, off);
    }
  }
  return (walk){.drift = fmax(feet[0].drift, feet[1].drift),
                .off = fmax(feet[0].off, feet[1].off),
                .depth = fmax(feet[0].depth, feet[1].depth),
                .leap = fmax(feet[0].leap, feet[1].leap)};
}

/* On a slope and over its edges feet stand as they do on level ground, at the speed of the clip and a tenth above. */
static void a_slope_is_walked_like_level_ground(void **state) {
  world *w = *state;
  for (int r = 0; r < FRAME_RATES; r++)
    for (int fast = 0; fast < 2; fast++) {
      walk found = walk_over(w, hill, 1 + 0.1 * fast, frame_rates[r]);
      assert_true(found.drift < 0.011);
      assert_true(found.depth < 0.007);
      assert_true(found.off < 0.008);                              /* 1.6 cm where it is that of the pose */
      assert_true(found.leap < (frame_rates[r] < 60 ? 3.7 : 2.7)); /* level ground has 3.3 and 2.1 m/s */
    }
}

/* ---- jumps of a leg's angular velocity ---- */

typedef struct ground_case {
  const char *name;
  float slope, wave, step; /* rise per metre; height of waves; height of steps of 0.9 m */
  double most;             /* times the clip's own jumps */
} ground_case;

static float case_ground(void *user, sinew_actor actor, int modifier, float x, float z, sinew_vec3 *normal) {
  const ground_case *g = user;
  (void)actor, (void)modifier, (void)x;
  *normal = (sinew_vec3){0, 1, -g->slope - g->wave * cosf(z)};
  return g->slope * z + g->wave * sinf(z) + g->step * floorf(z / 0.9f);
}

enum { BONES = 4 };
typedef struct bone_motion {
  sinew_vec3 along[BONES], turning[BONES]; /* thighs and shins: their directions, and angular velocities */
  double most[BONES];                      /* the largest jumps of those, radians a second */
} bone_motion;

static void watch_bones(const world *w, bone_motion *b, int frame, double rate) {
  static const char *const ends[BONES][2] = {
      {"LeftUpLeg", "LeftLeg"}, {"LeftLeg", "LeftFoot"}, {"RightUpLeg", "RightLeg"}, {"RightLeg", "RightFoot"}};
  for (int i = 0; i < BONES; i++) {
    sinew_vec3 along = vec3_unit(vec3_sub(joint_of(w, ends[i][1]), joint_of(w, ends[i][0])), (sinew_vec3){0, 1, 0});
    sinew_vec3 turning = vec3_scale(vec3_cross(b->along[i], along), (float)rate);
    if (frame > 1.5 * rate) b->most[i] = fmax(b->most[i], (double)vec3_distance(turning, b->turning[i]));
    b->along[i] = along, b->turning[i] = turning;
  }
}

static bone_motion move_over(world *w, const char *clip, float speed, ground_case *g, bool plants, float lock,
                             double rate) {
  bone_motion bones = {0};
  assert_true(sinew_actor_set_modifiers(w->stage, w->actor, NULL, 0, NULL));
  stand_at(w, 0, -100);
  sinew_stage_update(w->stage, 0.01);
  play(w, clip);
  stand_at(w, 0, 0);
  if (plants) give_feet(w, case_ground, (float *)(void *)g, lock);
  for (int i = 0; i < 5 * rate; i++) {
    sinew_vec3 normal;
    float z = (float)(speed * i / rate);
    stand_at(w, case_ground(g, w->actor, 0, 0, z, &normal), z);
    sinew_stage_update(w->stage, 1 / rate);
    watch_bones(w, &bones, i, rate);
  }
  return bones;
}

/* Bent legs turn faster for the same step, and at a step up the foot rises faster than in the clip. */
static void planting_adds_no_jumps(void **state) {
  world *w = *state;
  static const char *const clips[2] = {"Walk", "Run"};
  static const float speeds[2] = {1.4f, 4};
  static ground_case cases[] = {{"level", 0, 0, 0, 1.02},   {"+5 %", 0.05f, 0, 0, 1.2},  {"-10 %", -0.1f, 0, 0, 1.2},
                                {"+20 %", 0.2f, 0, 0, 1.3}, {"-20 %", -0.2f, 0, 0, 1.3}, {"waves", 0, 0.15f, 0, 1.3},
                                {"steps", 0, 0, 0.15f, 2.2}};
  for (int r = 0; r < FRAME_RATES; r++)
    for (int c = 0; c < 2; c++) {
      bone_motion own = move_over(w, clips[c], speeds[c], cases, false, 0, frame_rates[r]);
      for (size_t g = 0; g < sizeof cases / sizeof *cases; g++)
        for (int locks = 0; locks < 2; locks++) {
          bone_motion b = move_over(w, clips[c], speeds[c], cases + g, true, 0.1f * (float)locks, frame_rates[r]);
          double times = 0;
          for (int i = 0; i < BONES; i++) times = fmax(times, b.most[i] / own.most[i]);
          printf("# %3g Hz %-4s %-5s%s: %.2f times\n", frame_rates[r], clips[c], cases[g].name, locks ? ", lock" : "",
                 times);
          assert_true(times < cases[g].most);
        }
    }
}

/* Whether a function says that the ground is level or nothing does. */
static void level_ground_equals_the_clip(void **state) {
  world *w = *state;
  static const char *const clips[2] = {"Walk", "Run"}, *const joints[] = {"Hips", "LeftFoot", "RightFoot", "LeftLeg"};
  ground_case level = {0};
  for (int c = 0; c < 2; c++)
    for (int given = 0; given < 2; given++) {
      sinew_vec3 own[200][4];
      for (int plants = 0; plants < 2; plants++) {
        assert_true(sinew_actor_set_modifiers(w->stage, w->actor, NULL, 0, NULL));
        play(w, clips[c]);
        if (plants) give_feet(w, given ? case_ground : NULL, (float *)(void *)&level, 0);
        for (int i = 0; i < 200; i++) {
          stand_at(w, 0, (float)i * (c ? 4 : 1.4f) / 60);
          sinew_stage_update(w->stage, 1.0 / 60);
          for (int j = 0; j < 4; j++) {
            if (plants) assert_true(vec3_distance(own[i][j], joint_of(w, joints[j])) < 0.001f);
            own[i][j] = joint_of(w, joints[j]);
          }
        }
      }
    }
}

static void a_warm_plant_allocates_nothing(void **state) {
  world *w = *state;
  float base = 0;
  play(w, "Walk");
  give_feet(w, stairs, &base, 0.15f);
  for (int i = 0; i < 3; i++) sinew_stage_update(w->stage, 0.02);
  uint64_t requests = mem_request_count();
  for (int i = 0; i < 50; i++) sinew_stage_update(w->stage, 0.02);
  assert_int_equal(mem_request_count(), requests);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_WORLD(the_ground_is_found_in_the_first_frame),
      WITH_WORLD(steps_are_climbed_without_a_jump),
      WITH_WORLD(feet_that_stand_stay),
      WITH_WORLD(a_foot_is_held_as_far_as_asked),
      WITH_WORLD(a_slope_is_walked_like_level_ground),
      WITH_WORLD(planting_adds_no_jumps),
      WITH_WORLD(level_ground_equals_the_clip),
      WITH_WORLD(a_warm_plant_allocates_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
