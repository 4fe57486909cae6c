/* Strides that fit how the actor goes: a foot that stands in the clip stands in the world, whoever moves the actor how
 * fast and where; the chest looks where it looked, and no leg is stretched. */
#include "support/hero.h"

#include "math/vec3.h"

#include <sinew/actor_modifiers.h>

enum { JOINTS = 10 };

static void assert_in(double value, double low, double high) {
  if (!(value >= low && value <= high)) fail_msg("%g is not in %g .. %g", value, low, high);
}

static int set_up(void **state) {
  static world w;
  world_open(&w, load_hero());
  *state = &w;
  return 0;
}

static void give_warp(const world *w, sinew_actor actor, float weight) {
  static const char *const names[JOINTS] = {"Hips",     "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg",
                                            "RightLeg", "RightFoot", "Spine",   "Spine1",   "Spine2"};
  int joints[JOINTS];
  for (int i = 0; i < JOINTS; i++) joints[i] = hero_joint(w->model, names[i]);
  sinew_modifier_def def = sinew_modifier_def_default(SINEW_MODIFIER_WARP);
  def.name = "strides", def.joints = joints, def.joint_count = JOINTS, def.weight = weight;
  assert_true(sinew_actor_set_modifiers(w->stage, actor, &def, 1, NULL));
}

static void play(const world *w, sinew_actor actor, const char *clip) {
  sinew_play_def def = sinew_play_def_default();
  def.clip = hero_clip(w->model, clip), def.fade = 0;
  assert_true(sinew_actor_play(w->stage, actor, &def, NULL).id != 0);
}

/* Sinew's forward direction is +z, and the actor looks `yaw` radians to its left of it. */
static void stand_at(const world *w, sinew_actor actor, double x, double z, float yaw) {
  sinew_transform t = sinew_transform_identity();
  t.translation.x = (float)x, t.translation.z = (float)z;
  t.rotation = sinew_quat_from_axis_angle((sinew_vec3){0, 1, 0}, yaw);
  assert_true(sinew_actor_set_transform(w->stage, actor, &t));
}

static sinew_mat3x4 in_world(const world *w, sinew_actor actor, const char *joint) {
  sinew_transform t = sinew_actor_transform(w->stage, actor);
  sinew_mat3x4 stands = sinew_mat3x4_from_transform(&t);
  return sinew_mat3x4_multiply(&stands, sinew_actor_joints(w->stage, actor) + hero_joint(w->model, joint));
}

static sinew_vec3 place(const world *w, sinew_actor actor, const char *joint) {
  sinew_mat3x4 m = in_world(w, actor, joint);
  return (sinew_vec3){m.m[3], m.m[7], m.m[11]};
}

typedef struct gone {
  double own, slide; /* the farthest that a standing ball moves in a second: of the clip alone, of the warped one */
  double chest;      /* radians that the chest is turned from where the clip has it */
  double stretched;  /* the longest hip to ankle, of a leg's length */
} gone;

/* One actor goes as the clip does, the other `stretch` times as fast and `angle` to the left. */
static gone go(world *w, const char *clip, double speed, double stretch, double angle, double rate, float weight) {
  static const char *const balls[] = {"LeftToeBase", "RightToeBase"};
  gone out = {0};
  sinew_actor plain = sinew_actor_create(w->stage, "plain", w->model, NULL);
  sinew_actor warped = sinew_actor_create(w->stage, "warped", w->model, NULL);
  const float yaw = 0.3f; /* of both: the world's axes are not the actor's */
  sinew_vec3 before[2][2];
  play(w, plain, clip), play(w, warped, clip);
  give_warp(w, warped, weight);
  for (int i = 0; i < (int)(3 * rate); i++) {
    double t = i / rate, fast = stretch * speed;
    stand_at(w, plain, speed * t * sin((double)yaw), speed * t * cos((double)yaw), yaw);
    stand_at(w, warped, fast * t * sin((double)yaw + angle), fast * t * cos((double)yaw + angle), yaw);
    sinew_stage_update(w->stage, 1 / rate);
    for (int foot = 0; foot < 2; foot++) {
      sinew_vec3 own = place(w, plain, balls[foot]), ball = place(w, warped, balls[foot]);
      double own_speed = (double)vec3_distance(own, before[0][foot]) * rate;
      bool stands = i > (int)rate && own.y < 0.05f && own_speed < 0.25 * speed;
      if (stands) {
        out.own = fmax(out.own, own_speed);
        out.slide = fmax(out.slide, (double)vec3_distance(ball, before[1][foot]) * rate);
      }
      before[0][foot] = own, before[1][foot] = ball;
    }
    sinew_mat3x4 a = in_world(w, plain, "Spine2"), b = in_world(w, warped, "Spine2");
    double cosine = (double)(a.m[2] * b.m[2] + a.m[6] * b.m[6] + a.m[10] * b.m[10]);
    out.chest = fmax(out.chest, acos(fmin(cosine, 1)));
    sinew_vec3 hip = place(w, warped, "LeftUpLeg"), knee = place(w, warped, "LeftLeg"),
               ankle = place(w, warped, "LeftFoot");
    double length = (double)(vec3_distance(hip, knee) + vec3_distance(knee, ankle));
    out.stretched = fmax(out.stretched, (double)vec3_distance(hip, ankle) / length);
  }
  sinew_actor_destroy(w->stage, plain);
  sinew_actor_destroy(w->stage, warped);
  return out;
}

static const double stretches[] = {0.7, 1, 1.4}, angles[] = {-0.9, 0, 0.5};

static void feet_stand_however_fast_and_wherever_the_actor_goes(void **state) {
  world *w = *state;
  for (int r = 0; r < FRAME_RATES; r++)
    for (int k = 0; k < 9; k++) {
      gone walk = go(w, "Walk", 1.4, stretches[k / 3], angles[k % 3], frame_rates[r], 1);
      assert_in(walk.slide, 0, walk.own * fmax(stretches[k / 3], 1) + 0.02 * 1.4 * stretches[k / 3]);
      assert_in(walk.chest, 0, 0.002);
      assert_in(walk.stretched, 0.9, 1.0001);
    }
}

static void without_it_they_slide(void **state) {
  world *w = *state;
  gone walk = go(w, "Walk", 1.4, 1.4, 0, 60, 0);
  assert_in(walk.slide, 0.9 * 0.4 * 1.4, 1.4);
  walk = go(w, "Walk", 1.4, 1, 0.5, 60, 0);
  assert_in(walk.slide, 0.9 * 2 * 1.4 * sin(0.25), 1.4);
}

/* As fast and where the clip goes: to the bit. */
static void what_fits_is_left_alone(void **state) {
  world *w = *state;
  gone run = go(w, "Run", 3.9926, 1, 0, 60, 1);
  assert_in(run.slide, 0, run.own + 0.001);
  assert_in(run.chest, 0, 1e-3);
}

static void against_the_clip_strides_go_backward(void **state) {
  static const double back[] = {3.14159, 2.6, -2.4};
  world *w = *state;
  for (int r = 0; r < FRAME_RATES; r++)
    for (int k = 0; k < 3; k++) {
      gone walk = go(w, "Walk", 1.4, 0.8, back[k], frame_rates[r], 1);
      assert_in(walk.slide, 0, walk.own + 0.02 * 1.4);
      assert_in(walk.chest, 0, 0.002);
      assert_in(walk.stretched, 0.9, 1.0001);
    }
  assert_in(go(w, "Walk", 1.4, 0.8, 3.14159, 60, 0).slide, 1.8 * 1.4 * 0.9, 4);
}

/* An actor that comes round turns its strides once, late, and back as late; no foot is thrown. */
static void strides_turn_round_once(void **state) {
  world *w = *state;
  for (int r = 0; r < FRAME_RATES; r++) {
    sinew_actor actor = sinew_actor_create(w->stage, "circling", w->model, NULL);
    sinew_vec3 before = {0}, hips = {0};
    double x = 0, z = 0, fastest = 0, dt = 1 / frame_rates[r];
    play(w, actor, "Walk");
    give_warp(w, actor, 1);
    for (int i = 0; i < (int)(6 / dt); i++) {
      double angle = 1.5707963 + 0.12 * sin(20 * i * dt); /* about 90°, 7° to each side: within the margin */
      x += 1.4 * dt * sin(angle), z += 1.4 * dt * cos(angle);
      stand_at(w, actor, x, z, 0);
      sinew_stage_update(w->stage, dt);
      sinew_vec3 foot = place(w, actor, "LeftFoot"), at = place(w, actor, "Hips");
      sinew_vec3 step = vec3_sub(vec3_sub(foot, before), vec3_sub(at, hips));
      if (i > 0) fastest = fmax(fastest, (double)vec3_length(step) / dt);
      before = foot, hips = at;
    }
    assert_in(fastest, 0, 4); /* its own swing: 3.1 */
    sinew_actor_destroy(w->stage, actor);
  }
}

/* A clip that goes another way takes over by inertia, while the actor goes on: what is stretched would jump along with
 * the way and its middle. How much farther a foot goes in a frame than that of a twin without the warp. */
static void another_clip_moves_no_foot_at_once(void **state) {
  static const char *const clips[] = {"StrafeLeft", "Run"};
  world *w = *state;
  for (int c = 0; c < 2; c++)
    for (int r = 0; r < FRAME_RATES; r++) {
      sinew_actor twins[2];
      sinew_vec3 before[2] = {{0}};
      double dt = 1 / frame_rates[r], most = 0;
      for (int i = 0; i < 2; i++) {
        twins[i] = sinew_actor_create(w->stage, i ? "plain" : "warped", w->model, NULL);
        play(w, twins[i], "Walk");
        give_warp(w, twins[i], i ? 0 : 1);
      }
      for (int frame = 0; frame * dt < 2; frame++) {
        double steps[2];
        if (frame == (int)(1 / dt))
          for (int i = 0; i < 2; i++) {
            sinew_play_def def = sinew_play_def_default();
            def.clip = hero_clip(w->model, clips[c]), def.fade = 0.2, def.kind = SINEW_TRANSITION_INERTIAL;
            assert_true(sinew_actor_play(w->stage, twins[i], &def, NULL).id != 0);
          }
        for (int i = 0; i < 2; i++) stand_at(w, twins[i], 0, 1.9 * frame * dt, 0);
        sinew_stage_update(w->stage, dt);
        for (int i = 0; i < 2; i++) {
          sinew_vec3 now = place(w, twins[i], "LeftFoot");
          steps[i] = (double)vec3_distance(now, before[i]) / dt;
          before[i] = now;
        }
        if (frame > 1) most = fmax(most, steps[0] - steps[1]);
      }
      if (most > 2.6) fail_msg("%s, %g Hz: a foot is %g m/s faster", clips[c], frame_rates[r], most);
      for (int i = 0; i < 2; i++) sinew_actor_destroy(w->stage, twins[i]);
    }
}

/* Beyond its limits it goes as far as they are. */
static void limits_hold(void **state) {
  world *w = *state;
  assert_in(go(w, "Walk", 1.4, 2, 0, 60, 1).slide, 0.5 * 1.4, 0.9 * 1.4);
  gone back = go(w, "Walk", 1.4, 1, 3, 60, 1);
  assert_in(back.chest, 0, 1e-3);
}

static void what_it_cannot_be_is_refused(void **state) {
  world *w = *state;
  int joints[7] = {0};
  sinew_error error;
  static const char *const names[7] = {"Hips",       "LeftUpLeg", "LeftLeg",  "LeftFoot",
                                       "RightUpLeg", "RightLeg",  "RightFoot"};
  for (int i = 0; i < 7; i++) joints[i] = hero_joint(w->model, names[i]);
  sinew_modifier_def def = sinew_modifier_def_default(SINEW_MODIFIER_WARP);
  def.name = "strides", def.joints = joints, def.joint_count = 6;
  assert_false(sinew_actor_set_modifiers(w->stage, w->actor, &def, 1, &error));
  def.joint_count = 7, def.stride[0] = 2;
  assert_false(sinew_actor_set_modifiers(w->stage, w->actor, &def, 1, &error));
  assert_non_null(strstr(error.message, "stride"));
  def.stride[0] = 0.5f, def.angle = 2;
  assert_false(sinew_actor_set_modifiers(w->stage, w->actor, &def, 1, &error));
  assert_non_null(strstr(error.message, "angle"));
  def.angle = 1;
  assert_true(sinew_actor_set_modifiers(w->stage, w->actor, &def, 1, &error));
  def.kind = SINEW_MODIFIER_PLANT;
  assert_false(sinew_actor_set_modifiers(w->stage, w->actor, &def, 1, &error));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_WORLD(feet_stand_however_fast_and_wherever_the_actor_goes),
      WITH_WORLD(without_it_they_slide),
      WITH_WORLD(what_fits_is_left_alone),
      WITH_WORLD(against_the_clip_strides_go_backward),
      WITH_WORLD(strides_turn_round_once),
      WITH_WORLD(another_clip_moves_no_foot_at_once),
      WITH_WORLD(limits_hold),
      WITH_WORLD(what_it_cannot_be_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
