/* A modifier whose weight is a parameter of the actor. */
#include "support/hero.h"

#include <sinew/actor_modifiers.h>
#include <sinew/graph.h>

#include <string.h>

static int set_up(void **state) {
  static world w;
  world_open(&w, load_hero());
  *state = &w;
  return 0;
}

static void give_hand(const world *w, float weight, const char *param) {
  const int joints[] = {hero_joint(w->model, "RightArm"), hero_joint(w->model, "RightForeArm"),
                        hero_joint(w->model, "RightHand")};
  sinew_modifier_def def = sinew_modifier_def_default(SINEW_MODIFIER_TWO_BONE);
  def.name = "hand", def.joints = joints, def.joint_count = 3, def.weight = weight;
  def.target = (sinew_vec3){-0.3f, 1.3f, 0.4f};
  strcpy(def.weight_param, param);
  assert_true(sinew_actor_set_modifiers(w->stage, w->actor, &def, 1, NULL));
}

/* Where the hand is, along z. */
static double hand_after(const world *w, float weight, const char *param) {
  give_hand(w, weight, param);
  sinew_stage_update(w->stage, 0);
  return (double)sinew_actor_joints(w->stage, w->actor)[hero_joint(w->model, "RightHand")].m[11];
}

static void the_parameter_times_the_weight_counts(void **state) {
  static const double values[] = {0, 0.25, 0.5, 1, -3, 7};
  static const float held[] = {0, 0.25f, 0.5f, 1, 0, 1};
  world *w = *state;
  const char *names[] = {"other", "reach"};
  assert_true(sinew_actor_set_params(w->stage, w->actor, names, NULL, 2, NULL));
  double none = hand_after(w, 0, ""), whole = hand_after(w, 1, "");
  assert_true(whole > none + 0.2);
  for (int i = 0; i < 6; i++) {
    assert_true(sinew_actor_set_param(w->stage, w->actor, 1, values[i]));
    assert_near(hand_after(w, 1, "reach"), hand_after(w, held[i], ""), 1e-7);
    assert_near(hand_after(w, 0.5f, "reach"), hand_after(w, 0.5f * held[i], ""), 1e-7);
  }
  sinew_modifier_def now;
  give_hand(w, 0.5f, "reach");
  sinew_stage_update(w->stage, 0.1);
  assert_true(sinew_actor_read_modifier_state(w->stage, w->actor, 0, &now));
  assert_near(now.weight, 0.5, 1e-7); /* its own, as it was set */
}

/* Found by its name, wherever it is in the list; one that is not there holds nothing back. */
static void the_parameter_is_found_by_its_name(void **state) {
  world *w = *state;
  const char *before[] = {"reach"}, *after[] = {"speed", "reach"}, *without[] = {"speed"};
  double whole = hand_after(w, 1, "");
  assert_true(sinew_actor_set_params(w->stage, w->actor, before, (const double[]){0.5}, 1, NULL));
  double half = hand_after(w, 1, "reach");
  assert_true(sinew_actor_set_params(w->stage, w->actor, after, NULL, 2, NULL));
  sinew_stage_update(w->stage, 0);
  assert_near(hand_after(w, 1, "reach"), half, 1e-7);
  assert_true(sinew_actor_set_params(w->stage, w->actor, without, NULL, 1, NULL));
  assert_near(hand_after(w, 1, "reach"), whole, 1e-7);
  assert_true(whole > half + 0.1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_WORLD(the_parameter_times_the_weight_counts),
      WITH_WORLD(the_parameter_is_found_by_its_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
