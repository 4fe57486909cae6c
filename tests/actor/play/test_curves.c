/* Curves of clips: numbers over their time, blended by the weights of the pose; a modifier's weight may be one. */
#include "actor/graph_fixture.h"

#include <sinew/actor_modifiers.h>
#include <sinew/curve.h>

static void give_curve(const world *w, int clip, const char *name, const sinew_curve_key *keys, int count) {
  sinew_error error = {""};
  if (!sinew_stage_set_curve(w->stage, w->model, clip, name, keys, count, &error)) fail_msg("%s", error.message);
}

static double value_at(const world *w, int clip, double time) {
  double value;
  assert_true(sinew_stage_curve(w->stage, w->model, clip, "grip", time, &value));
  return value;
}

static void a_curve_is_linear_between_its_keys_and_may_step(void **state) {
  const world *w = *state;
  give_curve(w, SLOW, "grip", (const sinew_curve_key[]){{0.5, 1}, {1, 3}, {1, -1}, {1.5, 0}}, 4);
  const double times[] = {0, 0.5, 0.75, 0.999999, 1, 1.25, 1.5, 2}, values[] = {1, 1, 2, 2.999996, -1, -0.5, 0, 0};
  for (int i = 0; i < 8; i++) assert_near(value_at(w, SLOW, times[i]), values[i], 1e-9);
  give_curve(w, SLOW, "grip", (const sinew_curve_key[]){{1, 7}}, 1);
  assert_near(value_at(w, SLOW, 0), 7, 0);
  double none;
  assert_false(sinew_stage_curve(w->stage, w->model, FAST, "grip", 0, &none));
  assert_string_equal(sinew_stage_curve_name(w->stage, w->model, 0), "grip");
  assert_null(sinew_stage_curve_name(w->stage, w->model, 1));
  give_curve(w, SLOW, "grip", NULL, 0);
  assert_false(sinew_stage_curve(w->stage, w->model, SLOW, "grip", 0, &none));
  assert_null(sinew_stage_curve_name(w->stage, w->model, 0));
}

static void what_is_no_curve_is_refused(void **state) {
  const world *w = *state;
  static const struct {
    const char *name, *reason;
    sinew_curve_key keys[2];
  } cases[] = {{"", "1 to 63 bytes", {{0, 0}, {1, 0}}},           {"x", "outside of the clip", {{0, 0}, {2.1, 0}}},
               {"x", "outside of the clip", {{-0.1, 0}, {1, 0}}}, {"x", "order of time", {{1, 0}, {0.5, 0}}},
               {"x", "not finite", {{0, 0}, {1, (double)NAN}}},   {"x", "not finite", {{(double)NAN, 0}, {1, 0}}}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sinew_error error = {""};
    assert_false(sinew_stage_set_curve(w->stage, w->model, SLOW, cases[i].name, cases[i].keys, 2, &error));
    if (!strstr(error.message, cases[i].reason)) fail_msg("%s", error.message);
  }
  assert_false(sinew_stage_set_curve(w->stage, w->model, CLIPS, "x", cases[0].keys, 1, NULL));
  char name[8];
  for (int i = 0; i < 64; i++) snprintf(name, sizeof name, "c%d", i), give_curve(w, SLOW, name, cases[0].keys, 1);
  assert_false(sinew_stage_set_curve(w->stage, w->model, SLOW, "c64", cases[0].keys, 1, NULL));
  give_curve(w, SLOW, "c63", cases[0].keys, 2); /* one that is there may change */
}

static double curve(const world *w, double rest) { return sinew_actor_curve(w->stage, w->actor, "grip", rest); }

/* Weights 3 : 1 of a clip at 2 and one at 10; a third has none, and counts as rest. */
static void it_blends_by_the_weights_of_the_pose(void **state) {
  world *w = *state;
  give_curve(w, ZERO, "grip", (const sinew_curve_key[]){{0, 2}}, 1);
  give_curve(w, ONE, "grip", (const sinew_curve_key[]){{0, 10}}, 1);
  sinew_node_def nodes[4] = {parent(SINEW_NODE_BLEND, 1, 3), clip("a", ZERO, 3), clip("b", ONE, 1), clip("c", TEN, 0)};
  assert_near(curve(w, 5), 5, 0); /* nothing plays yet */
  give_curve(w, FAST, "other", (const sinew_curve_key[]){{0, 1}}, 1);
  sinew_graph_def def = {nodes, 4, NULL, 0};
  assert_true(sinew_actor_set_graph(w->stage, w->actor, 0, &def, 0, NULL));
  update(w, 0.1);
  assert_near(curve(w, 5), 4, 1e-6);
  assert_true(sinew_actor_set_node(w->stage, w->actor, 0, 3, 4, 0));
  update(w, 0.1);
  assert_near(curve(w, 0), 2, 1e-6);
  assert_near(curve(w, 6), 2 + 3, 1e-6);
}

static sinew_action play_on(const world *w, int layer, int clip, double fade) {
  sinew_play_def def = sinew_play_def_default();
  def.clip = clip, def.layer = layer, def.fade = fade;
  return sinew_actor_play(w->stage, w->actor, &def, NULL);
}

static int add_layer(const world *w, const char *name, sinew_layer_mode mode, float weight) {
  sinew_layer_def def = sinew_layer_def_default();
  def.mode = mode, def.weight = weight;
  return sinew_actor_add_layer(w->stage, w->actor, name, &def, NULL);
}

/* A crossfade from a clip without the curve to one that has it goes from rest to its value as the weights do. */
static void a_fade_leads_from_rest_to_the_value(void **state) {
  world *w = *state;
  give_curve(w, ONE, "grip", (const sinew_curve_key[]){{0, 1}}, 1);
  play_on(w, 0, ZERO, 0);
  update(w, 0.1);
  play_on(w, 0, ONE, 0.4);
  update(w, 0.1);
  assert_near(curve(w, 0), 0.25, 1e-6);
  assert_near(curve(w, 1), 1, 1e-6);
  assert_near(tip(w), 0.25, 1e-6); /* as the joint does */
}

/* On a layer above, what has the curve covers; what has none leaves it; an additive one adds. */
static void layers_cover_and_add(void **state) {
  world *w = *state;
  give_curve(w, ZERO, "grip", (const sinew_curve_key[]){{0, 2}}, 1);
  give_curve(w, ONE, "grip", (const sinew_curve_key[]){{0, 10}}, 1);
  int over = add_layer(w, "over", SINEW_LAYER_OVERRIDE, 0.5f), add = add_layer(w, "add", SINEW_LAYER_ADDITIVE, 0.25f);
  play_on(w, 0, ZERO, 0);
  sinew_action none = play_on(w, over, TEN, 0);
  update(w, 0.1);
  assert_near(curve(w, 0), 2, 1e-6);
  sinew_action_stop(w->stage, none, 0);
  play_on(w, over, ONE, 0);
  update(w, 0.1);
  assert_near(curve(w, 0), 6, 1e-6);
  play_on(w, add, ONE, 0);
  update(w, 0.1);
  assert_near(curve(w, 0), 6 + 2.5, 1e-6);
}

/* Times are those that the pose has. */
static void it_is_read_where_the_clip_is(void **state) {
  world *w = *state;
  give_curve(w, SLOW, "grip", (const sinew_curve_key[]){{0, 0}, {2, 2}}, 2);
  play_on(w, 0, SLOW, 0);
  for (int i = 0; i < 50; i++) {
    update(w, 0.09);
    assert_near(curve(w, 0), tip(w), 1e-5);
  }
}

static void function(void *user, sinew_actor actor, int modifier, const sinew_posed *posed, float weight, double dt) {
  (void)actor, (void)modifier, (void)posed, (void)dt;
  *(float *)user = weight;
}

/* A parameter of the name comes first; where nothing that plays has the curve, the modifier holds in full. */
static void a_modifier_weighs_what_the_curve_says(void **state) {
  world *w = *state;
  float weight = -1;
  give_curve(w, ONE, "grip", (const sinew_curve_key[]){{0, 0.25}}, 1);
  sinew_modifier_def def = sinew_modifier_def_default(SINEW_MODIFIER_FUNCTION);
  def.name = "hand", def.function = function, def.user = &weight, def.weight = 0.5f;
  strcpy(def.weight_param, "grip");
  assert_true(sinew_actor_set_modifiers(w->stage, w->actor, &def, 1, NULL));
  play_on(w, 0, ZERO, 0);
  update(w, 0.1);
  assert_near((double)weight, 0.5, 1e-6);
  play_on(w, 0, ONE, 0.2);
  update(w, 0.1);
  assert_near((double)weight, 0.5 * 0.625, 1e-6);
  update(w, 0.1);
  assert_near((double)weight, 0.125, 1e-6);
  const char *names[] = {"grip", "speed"};
  assert_true(sinew_actor_set_params(w->stage, w->actor, names, (const double[]){1, 0}, 2, NULL));
  update(w, 0.1);
  assert_near((double)weight, 0.5, 1e-6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_WORLD(a_curve_is_linear_between_its_keys_and_may_step),
      WITH_WORLD(what_is_no_curve_is_refused),
      WITH_WORLD(it_blends_by_the_weights_of_the_pose),
      WITH_WORLD(a_fade_leads_from_rest_to_the_value),
      WITH_WORLD(layers_cover_and_add),
      WITH_WORLD(it_is_read_where_the_clip_is),
      WITH_WORLD(a_modifier_weighs_what_the_curve_says),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
