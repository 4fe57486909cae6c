/* Targets on joints of others: where the joint is in the same frame, whoever was made first; and who may not wait for
 * whom. */
#include "support/hero.h"

#include "math/vec3.h"

#include <sinew/actor_modifiers.h>

static int set_up(void **state) {
  static world w;
  world_open(&w, load_hero());
  *state = &w;
  return 0;
}

static void play(world *w, sinew_actor actor, const char *clip) {
  sinew_play_def def = sinew_play_def_default();
  def.clip = hero_clip(w->model, clip), def.fade = 0;
  assert_true(sinew_actor_play(w->stage, actor, &def, NULL).id != 0);
}

static sinew_actor make(world *w, const char *name, float x) {
  sinew_transform position = sinew_transform_identity();
  sinew_actor actor = sinew_actor_create(w->stage, name, w->model, NULL);
  position.translation.x = x;
  assert_true(sinew_actor_set_transform(w->stage, actor, &position));
  return actor;
}

static sinew_vec3 joint_of(const world *w, sinew_actor actor, const char *joint) {
  const float *m = sinew_actor_joints(w->stage, actor)[hero_joint(w->model, joint)].m;
  sinew_transform position = sinew_actor_transform(w->stage, actor);
  sinew_mat3x4 matrix = sinew_mat3x4_from_transform(&position);
  return sinew_mat3x4_transform_point(&matrix, (sinew_vec3){m[3], m[7], m[11]});
}

/* The left arm reaches for a joint of another. */
static void reach(world *w, sinew_actor actor) {
  int joints[3] = {hero_joint(w->model, "LeftArm"), hero_joint(w->model, "LeftForeArm"),
                   hero_joint(w->model, "LeftHand")};
  sinew_modifier_def def = sinew_modifier_def_default(SINEW_MODIFIER_TWO_BONE);
  def.name = "reach", def.joints = joints, def.joint_count = 3, def.soften = 1;
  assert_true(sinew_actor_set_modifiers(w->stage, actor, &def, 1, NULL));
}

static bool aim(world *w, sinew_actor actor, sinew_actor to, const char *joint, sinew_error *error) {
  return sinew_actor_set_modifier_target(w->stage, actor, 0, to, hero_joint(w->model, joint), error);
}

static sinew_vec3 target_of(const world *w, sinew_actor actor) {
  sinew_modifier_def s;
  assert_true(sinew_actor_read_modifier_state(w->stage, actor, 0, &s));
  return s.target;
}

/* A runner's hand goes up to 8 m/s: a frame late it is centimetres off. */
static void a_running_hand_is_followed_without_a_lag(void **state) {
  world *w = *state;
  sinew_actor runner = make(w, "runner", 0.55f);
  play(w, runner, "Run");
  play(w, w->actor, "Run");
  reach(w, w->actor); /* made first, and evaluated last */
  assert_true(aim(w, w->actor, runner, "RightHand", NULL));
  for (int r = 0; r < FRAME_RATES; r++) {
    double most = 0;
    for (int i = 0; i < (int)frame_rates[r]; i++) {
      sinew_vec3 before = joint_of(w, runner, "RightHand");
      sinew_stage_update(w->stage, 1 / frame_rates[r]);
      most = fmax(most, distance_between(before, joint_of(w, runner, "RightHand")) * frame_rates[r]);
      assert_near(distance_between(target_of(w, w->actor), joint_of(w, runner, "RightHand")), 0, 1e-6);
    }
    assert_true(most > 1.5);
  }
}

/* Each reaches for the hand that reaches: the last knows where the first one's has come to. */
static void a_chain_of_three_is_done_in_order(void **state) {
  world *w = *state;
  sinew_actor second = make(w, "second", 0.5f), third = make(w, "third", 1);
  for (int i = 0; i < 3; i++) reach(w, i == 0 ? w->actor : i == 1 ? second : third);
  play(w, third, "Walk");
  assert_true(aim(w, w->actor, second, "LeftHand", NULL));
  assert_true(aim(w, second, third, "LeftHand", NULL));
  for (int i = 0; i < 40; i++) {
    sinew_stage_update(w->stage, 1.0 / 30);
    assert_near(distance_between(target_of(w, second), joint_of(w, third, "LeftHand")), 0, 1e-6);
    assert_near(distance_between(target_of(w, w->actor), joint_of(w, second, "LeftHand")), 0, 1e-6);
  }
}

/* The left hand goes to a thing in the right hand: where that is in this frame. */
static void a_hand_may_reach_for_what_the_other_hand_holds(void **state) {
  world *w = *state;
  sinew_transform offset = {{0, 0.1f, 0.05f}, {0, 0, 0, 1}, {0.1f, 0.1f, 0.1f}};
  sinew_actor rifle = make(w, "rifle", 9);
  play(w, w->actor, "Run");
  play(w, rifle, "Walk");
  reach(w, w->actor);
  assert_true(sinew_actor_attach(
      w->stage, rifle,
      &(sinew_attachment){.to = w->actor, .joint = hero_joint(w->model, "RightHand"), .offset = offset}, NULL));
  assert_true(aim(w, w->actor, rifle, "Head", NULL));
  sinew_actor to;
  int joint;
  assert_true(sinew_actor_modifier_target(w->stage, w->actor, 0, &to, &joint));
  assert_true(to.id == rifle.id && joint == hero_joint(w->model, "Head"));
  for (int i = 0; i < 60; i++) {
    sinew_stage_update(w->stage, 1.0 / 60);
    assert_near(distance_between(target_of(w, w->actor), joint_of(w, rifle, "Head")), 0, 1e-5);
  }
}

static void who_would_wait_for_each_other_is_named(void **state) {
  world *w = *state;
  sinew_error error;
  sinew_actor other = make(w, "other", 0.5f), third = make(w, "third", 1);
  reach(w, w->actor), reach(w, other), reach(w, third);
  assert_true(aim(w, w->actor, other, "Head", NULL));
  assert_true(aim(w, other, third, "Head", NULL));
  assert_false(aim(w, third, w->actor, "Head", &error));
  assert_non_null(strstr(error.message, "'third'"));
  assert_non_null(strstr(error.message, "'hero'"));
  assert_false(sinew_actor_attach(
      w->stage, third, &(sinew_attachment){.to = w->actor, .joint = 1, .offset = sinew_transform_identity()}, &error));
  assert_non_null(strstr(error.message, "'third' cannot be attached to 'hero'"));
  assert_true(aim(w, third, third, "Head", NULL)); /* its own */
  sinew_modifier_def s = {.weight = 1, .target = {0, 1, 0}};
  assert_true(sinew_actor_set_modifier_state(w->stage, other, 0, &s)); /* a point: it waits no more */
  assert_true(aim(w, third, w->actor, "Head", &error));
  assert_false(sinew_actor_set_modifier_target(w->stage, other, 0, third, 9999, &error));
  assert_false(sinew_actor_set_modifier_target(w->stage, other, 3, third, 0, &error));
}

static void any_number_may_wait_in_a_row(void **state) {
  enum { ROW = 1500 };
  static sinew_actor row[ROW];
  world *w = *state;
  sinew_error error;
  for (int i = 0; i < ROW; i++) {
    char name[16];
    snprintf(name, sizeof name, "w%d", i);
    row[i] = make(w, name, 0);
    reach(w, row[i]);
    if (i > 0 && !aim(w, row[i], row[i - 1], "RightHand", &error)) fail_msg("%s", error.message);
  }
  assert_false(aim(w, row[0], row[ROW - 1], "RightHand", &error));
  assert_non_null(strstr(error.message, "itself waits for 'w0'"));
}

/* Letting go of the rifle leaves two that aim at each other: that ends in a frame of lag, and not in a hang. */
static void a_circle_that_closes_by_itself_is_survived(void **state) {
  world *w = *state;
  sinew_actor rifle = make(w, "rifle", 0.3f);
  reach(w, w->actor), reach(w, rifle);
  assert_true(sinew_actor_attach(
      w->stage, rifle, &(sinew_attachment){.to = w->actor, .joint = 3, .offset = sinew_transform_identity()}, NULL));
  assert_true(aim(w, w->actor, rifle, "Head", NULL));
  assert_true(aim(w, rifle, w->actor, "Head", NULL));
  sinew_stage_update(w->stage, 0.1);
  assert_true(sinew_actor_attach(w->stage, rifle, &(sinew_attachment){.joint = 0}, NULL));
  for (int i = 0; i < 3; i++) sinew_stage_update(w->stage, 0.1);
  sinew_actor_destroy(w->stage, rifle);
  sinew_vec3 before = target_of(w, w->actor);
  sinew_stage_update(w->stage, 0.1);
  assert_near(distance_between(before, target_of(w, w->actor)), 0, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_WORLD(a_running_hand_is_followed_without_a_lag),
      WITH_WORLD(a_chain_of_three_is_done_in_order),
      WITH_WORLD(a_hand_may_reach_for_what_the_other_hand_holds),
      WITH_WORLD(who_would_wait_for_each_other_is_named),
      WITH_WORLD(any_number_may_wait_in_a_row),
      WITH_WORLD(a_circle_that_closes_by_itself_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
