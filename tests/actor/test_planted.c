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

/* Up eight steps at walking speed, the actor's own height that of the ground under it, which jumps by 15 cm. */
static void steps_are_climbed_without_a_jump(void **state) {
  world *w = *state;
  const char *const ankles[2] = {"LeftFoot", "RightFoot"};
  for (int r = 0; r < FRAME_RATES; r++) {
    float base = 0, z = 0;
    double rest = 0.09, pelvis = 0, sunk = 0;
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
      }
    }
    printf("# %g Hz: pelvis %.2f m/s, ankle %.1f cm below where it stands\n", frame_rates[r], pelvis, sunk * 100);
    assert_true(pelvis > 0.3); /* 2 cm a frame at 60 Hz at most, where it was 15.4 */
    assert_true(pelvis < 1.2);
    assert_true(sunk < 0.02);
  }
}

static int by_value(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

/* The actor goes a tenth faster than the walk: the balls that stand stay, and those that lift lose nothing. */
static double slide(world *w, double rate, float lock) {
  static double speeds[20000];
  static const char *const balls[2] = {"LeftToeBase", "RightToeBase"};
  int count = 0;
  sinew_vec3 before[2] = {joint_of(w, balls[0]), joint_of(w, balls[1])};
  give_feet(w, NULL, NULL, lock);
  play(w, "Walk");
  for (int i = 0; i < (int)(10 * rate); i++) {
    stand_at(w, 0, (float)(1.54 * i / rate));
    sinew_stage_update(w->stage, 1 / rate);
    double phase = fmod((i + 1) / rate, 28 / 30.0);
    for (int f = 0; f < 2; f++) {
      sinew_vec3 now = joint_of(w, balls[f]);
      double since = fmod(phase - (f ? 0.5867 : 0.12) + 28 / 30.0, 28 / 30.0);
      if (i > rate && since > 0.15 && since < 0.4)
        speeds[count++] = hypot(now.x - before[f].x, now.z - before[f].z) * rate;
      before[f] = now;
    }
  }
  qsort(speeds, count, sizeof(double), by_value);
  return speeds[count / 2];
}

static void feet_that_stand_stay(void **state) {
  world *w = *state;
  for (int r = 0; r < FRAME_RATES; r++) {
    double free_slide = slide(w, frame_rates[r], 0), held = slide(w, frame_rates[r], 0.15f);
    printf("# %g Hz: %.3f m/s, held %.4f m/s\n", frame_rates[r], free_slide, held);
    assert_true(free_slide > 0.1);
    assert_true(held < 0.014); /* 1 % of 1.4 m/s */
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
      WITH_WORLD(a_warm_plant_allocates_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
